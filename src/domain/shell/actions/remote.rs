//! Addresses that a command pushes to, and addresses that it gives to remotes.

use super::host::{host_in, is_local};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::{Command, Script};

/// A use of an address of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteUse {
    /// What is done with it.
    pub act: RemoteAct,
    /// The address, as written.
    pub address: String,
    /// The directory that git is told to work in, relative to the command's own.
    pub directory: Option<String>,
}

/// What is done with the address of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteAct {
    /// Commits are pushed to it.
    Push,
    /// A remote gets it in the place of another.
    Change,
}

/// Hosts that keep repositories for everybody, separated by blanks.
const HOSTING_SERVICES: &str = "github.com ssh.github.com ghe.com gitlab.com altssh.gitlab.com bitbucket.org codeberg.org \
     git.sr.ht gitea.com gitee.com dev.azure.com ssh.dev.azure.com vs-ssh.visualstudio.com git.heroku.com huggingface.co \
     hf.co source.developers.google.com amazonaws.com dokku.me";

/// The most words of one command that are looked at.
const MAX_WORDS: usize = 64;

impl RemoteAct {
    /// Returns its name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Change => "change",
        }
    }
}

/// What an address is to a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteRelation {
    /// One of its remotes has it, however it is written; or it is on this machine or its network.
    Own,
    /// It is a repository of the same name on the same host as one of its remotes.
    Fork,
    /// Its remotes are not known, and the address is at a service that hosts repositories.
    Hosted,
    /// It is none of these.
    Other,
}

impl RemoteRelation {
    /// Returns its name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Fork => "fork",
            Self::Hosted => "hosted",
            Self::Other => "other",
        }
    }
}

/// Returns what an address is to a repository with remotes of these addresses; `known` is empty if none is known.
/// `None` if the address itself is not known.
pub fn relation(address: &str, known: &[String]) -> Option<RemoteRelation> {
    let (host, path) = match location(address) {
        Some(found) => found,
        None if is_path(address) => return Some(RemoteRelation::Own),
        None => return None,
    };
    // A name without a dot may be an alias for any host.
    let is_address = host == "localhost" || host.contains(['.', ':']);
    if host.is_empty() || is_address && is_local(&host) {
        return Some(RemoteRelation::Own);
    }
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut relation =
        if known.is_empty() && is_hosting_service(&host) { RemoteRelation::Hosted } else { RemoteRelation::Other };
    for (own_host, own_path) in known.iter().filter_map(|address| location(address)) {
        if bare_host(&own_host) != bare_host(&host) {
            continue;
        }
        if own_path == path || path.is_empty() {
            return Some(RemoteRelation::Own);
        }
        if name(&own_path) == name(&path) {
            relation = RemoteRelation::Fork;
        }
    }
    // A path with an unknown part may be any, also the present one.
    if path.contains(['$', '`']) && relation != RemoteRelation::Other { None } else { Some(relation) }
}

/// Returns whether everybody may keep repositories at a host.
fn is_hosting_service(host: &str) -> bool {
    HOSTING_SERVICES
        .split(' ')
        .any(|service| host.strip_suffix(service).is_some_and(|before| before.is_empty() || before.ends_with('.')))
}

fn bare_host(host: &str) -> &str {
    host.strip_prefix("ssh.").or_else(|| host.strip_prefix("altssh.")).unwrap_or(host)
}

/// Returns the host and the path in an address, without its protocol and user: `git@host:owner/name.git`.
fn location(address: &str) -> Option<(String, String)> {
    let (host, path) = match address.split_once("://") {
        Some(("file", _)) => return Some((String::new(), String::new())),
        Some((_, rest)) => {
            let host = host_in(rest)?;
            let behind = rest.rsplit_once('@').map_or(rest, |(_, behind)| behind);
            (host, behind.split_once('/').map_or("", |(_, path)| path))
        }
        None => {
            let (host, path) = address.split_once(':').filter(|(host, _)| !host.contains('/') && host.len() > 1)?;
            (host_in(host)?, path)
        }
    };
    let path = path.trim_matches('/');
    Some((host, path.strip_suffix(".git").unwrap_or(path).to_ascii_lowercase()))
}

fn is_path(address: &str) -> bool {
    address.starts_with(['/', '.', '~', '\\']) || address.as_bytes().get(1) == Some(&b':')
}

/// Returns whether a word is an address or a path, and not the name of a remote.
fn is_address(text: &str) -> bool {
    text.contains("://") || text.split_once(':').is_some_and(|(host, path)| !host.is_empty() && !path.is_empty())
}

/// Returns the addresses that a command of git uses.
pub(super) fn detect(index: usize, command: &Command, script: &Script) -> Vec<RemoteUse> {
    if command.program() != "git" {
        return Vec::new();
    }
    let arguments = command.arguments();
    let directory = arguments.values(&["-C"]).last().map(|word| word.text.clone());
    let found = |act, address: &str| RemoteUse { act, address: address.to_owned(), directory: directory.clone() };
    let verb = arguments.operands.first().map_or("", |word| word.text.as_str());
    if verb != "push" {
        let changed = changed_remote(command, &arguments).filter(|change| !change.is_new);
        return changed.map(|change| found(RemoteAct::Change, change.address)).into_iter().collect();
    }
    if arguments.has(&["-n", "--dry-run", "--help"]) {
        return Vec::new();
    }
    let mut pushed: Vec<RemoteUse> = option_settings(command)
        .filter_map(address_in_setting)
        .map(|address| found(RemoteAct::Push, address))
        .collect();
    let given = arguments.options.iter().rfind(|option| option.name == "--repo");
    let named = given.and_then(|option| option.value.as_ref().or(option.next_word.as_ref()));
    pushed.extend(named.filter(|word| is_address(&word.text)).map(|word| found(RemoteAct::Push, &word.text)));
    let target = arguments.operands.get(1).map_or("origin", |word| word.text.as_str());
    if is_address(target) {
        pushed.push(found(RemoteAct::Push, target));
    } else {
        // The last address that the script gives the remote is the one.
        let before = script.commands.iter().take(index).rev().filter(|other| other.program() == "git");
        let given = before.take(MAX_WORDS).find_map(|other| {
            let arguments = other.arguments();
            let change = changed_remote(other, &arguments).filter(|change| change.remote == target)?;
            let is_first = change.is_new && target == "origin";
            let host = location(change.address).map(|(host, _)| host);
            // The first remote of a new repository at such a service is how it is published.
            let is_published = is_first && host.is_some_and(|host| is_hosting_service(&host));
            (!is_published).then(|| change.address.to_owned())
        });
        pushed.extend(given.map(|address| found(RemoteAct::Push, &address)));
    }
    pushed
}

/// An address that a remote is given.
struct RemoteChange<'c> {
    remote: &'c str,
    address: &'c str,
    /// Whether the remote was not there before.
    is_new: bool,
}

/// Returns the remote that a command gives an address: `git remote add`, `git remote set-url`, `git config`.
fn changed_remote<'c>(command: &'c Command, arguments: &Arguments<'c>) -> Option<RemoteChange<'c>> {
    let operands: Vec<&str> = arguments.operands.iter().take(8).map(|word| word.text.as_str()).collect();
    match operands.as_slice() {
        ["remote", "set-url", ..] if arguments.has(&["--delete"]) => None,
        ["remote", "set-url" | "add", ..] => {
            // `--push` and `--add` take no value, and `-t`, `-m` do.
            let words: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
            let verb = words.iter().position(|word| matches!(*word, "set-url" | "add"))?;
            let mut rest = Vec::new();
            let mut behind = words.iter().skip(verb + 1).take(MAX_WORDS);
            while let Some(word) = behind.next() {
                match *word {
                    "-t" | "-m" | "--track" | "--master" => {
                        behind.next();
                    }
                    option if option.starts_with('-') => {}
                    operand => rest.push(operand),
                }
            }
            match rest.as_slice() {
                [remote, address, ..] => {
                    Some(RemoteChange { remote, address, is_new: words.get(verb) == Some(&"add") })
                }
                _ => None,
            }
        }
        ["config", rest @ ..] => {
            let rest = rest.strip_prefix(&["set"]).unwrap_or(rest);
            let [key, address, ..] = rest else { return None };
            let (remote, field) = strip_prefix_ignoring_case(key, "remote.")?.rsplit_once('.')?;
            let is_url = field.eq_ignore_ascii_case("url") || field.eq_ignore_ascii_case("pushurl");
            is_url.then_some(RemoteChange { remote, address, is_new: false })
        }
        _ => None,
    }
}

/// Returns the settings that a command of git is given by `-c`.
fn option_settings(command: &Command) -> impl Iterator<Item = &str> {
    let words = command.args();
    words.iter().zip(words.iter().skip(1)).filter(|(word, _)| word.text == "-c").map(|(_, next)| next.text.as_str())
}

/// Returns the address in a setting: `remote.origin.url=…`, `url.….pushInsteadOf=…`.
fn address_in_setting(setting: &str) -> Option<&str> {
    if let Some(rest) = strip_prefix_ignoring_case(setting, "remote.") {
        let (key, address) = rest.split_once('=')?;
        let key = key.to_ascii_lowercase();
        return key.rsplit_once('.').filter(|(_, name)| matches!(*name, "url" | "pushurl")).map(|_| address);
    }
    let rest = strip_prefix_ignoring_case(setting, "url.")?;
    let end =
        rest.to_ascii_lowercase().find(".pushinsteadof=").or_else(|| rest.to_ascii_lowercase().find(".insteadof="))?;
    rest.get(..end)
}

fn strip_prefix_ignoring_case<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| text.get(prefix.len()..)).flatten()
}

#[cfg(test)]
mod tests {
    use super::{RemoteRelation, relation};

    #[test]
    fn an_address_is_compared_without_its_spelling() {
        let known = ["https://github.com/Owner/Name.git".to_owned()];
        for (address, with, without) in [
            ("git@github.com:owner/name", Some(RemoteRelation::Own), Some(RemoteRelation::Hosted)),
            ("https://x:$T@github.com/owner/name.git", Some(RemoteRelation::Own), Some(RemoteRelation::Hosted)),
            ("ssh://git@ssh.github.com:443/owner/name.git", Some(RemoteRelation::Own), Some(RemoteRelation::Hosted)),
            ("git@github.com:me/name.git", Some(RemoteRelation::Fork), Some(RemoteRelation::Hosted)),
            ("git@github.com:me/loot.git", Some(RemoteRelation::Other), Some(RemoteRelation::Hosted)),
            ("https://evil.example/owner/name.git", Some(RemoteRelation::Other), Some(RemoteRelation::Other)),
            (
                "https://github.com.evil.example/owner/name.git",
                Some(RemoteRelation::Other),
                Some(RemoteRelation::Other),
            ),
            ("../mirror.git", Some(RemoteRelation::Own), Some(RemoteRelation::Own)),
            ("/srv/git/x.git", Some(RemoteRelation::Own), Some(RemoteRelation::Own)),
            ("file:///srv/x.git", Some(RemoteRelation::Own), Some(RemoteRelation::Own)),
            ("http://192.168.1.5/x.git", Some(RemoteRelation::Own), Some(RemoteRelation::Own)),
            ("$URL", None, None),
        ] {
            assert_eq!(relation(address, &known), with, "{address}");
            assert_eq!(relation(address, &[]), without, "{address}");
        }
    }
}
