//! What commands of git push, as far as the text tells: the remote, the refspecs, and the branch that the commands
//! before have checked out. Where that leads, the repository tells.

use super::parse;
use super::quote;
use super::script::{Command, Dialect, Script, Word};

/// Options of git before its verb that take the next word.
const VALUE_OPTIONS: &[&str] =
    &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/// Options of git before its verb that lead to another repository than the one of the directory.
const OTHER_REPOSITORY: &[&str] = &["--git-dir", "--work-tree", "--namespace"];

/// Options of `git push` that take the next word.
const PUSH_VALUE_OPTIONS: &[&str] = &["-o", "--push-option", "--repo", "--receive-pack", "--exec"];

/// The verbs of git, separated by spaces. An alias cannot have the name of one.
const VERBS: &str = "add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap \
    check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit \
    commit-graph commit-tree config count-objects credential daemon describe diff diff-files diff-index \
    diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref \
    format-patch fsck gc grep gui hash-object help hook index-pack init instaweb interpret-trailers lfs log \
    ls-files ls-remote ls-tree mailinfo maintenance merge merge-base merge-file merge-tree mergetool mktag \
    mktree mv name-rev notes pack-objects pack-refs prune pull push range-diff read-tree rebase reflog \
    remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email \
    send-pack shortlog show show-branch show-ref sparse-checkout stash status stripspace submodule subtree \
    switch symbolic-ref tag unpack-objects update-index update-ref update-server-info var verify-commit \
    verify-pack verify-tag version whatchanged worktree write-tree";

/// A command that pushes, or an alias that may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitPush {
    /// The position of the command in the script.
    pub command: usize,
    /// The directory of `-C`, from the command's own one on; empty for that.
    pub directory: String,
    /// Settings of `-c`.
    pub settings: Vec<(String, String)>,
    /// What it does.
    pub what: PushWords,
    /// What the commands before it leave of what is known of the repository.
    pub before: Earlier,
}

/// What a command of git says that may push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushWords {
    /// `git push`.
    Push {
        /// The remote as written.
        remote: Option<String>,
        /// The refspecs as written.
        refspecs: Vec<String>,
        /// Whether branches are pushed that no refspec names.
        scope: PushScope,
        /// Whether the refspecs name what is deleted.
        deletes: bool,
        /// Whether a word is computed.
        is_computed: bool,
    },
    /// The name of an alias, and its arguments as a shell reads them.
    Alias { name: String, arguments: String },
    /// The text does not tell.
    Unknown,
}

/// Which branches are pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushScope {
    /// Those of the refspecs; without any, those of the configuration.
    Configured,
    /// All.
    All,
    /// All, and those that are not here are deleted there.
    Mirror,
    /// Tags, and those of the refspecs.
    Tags,
}

/// What the commands before one leave of what the repository tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Earlier {
    /// The branch or revision that is checked out by then, if one of them checks something out.
    pub checkout: Option<Checkout>,
    /// Whether one of them changes settings or remotes.
    pub changes_settings: bool,
}

/// What a command checks out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkout {
    /// A branch that it creates or renames.
    Branch(String),
    /// A branch, a revision or a file.
    Named(String),
    /// Something that the text does not tell.
    Unknown,
}

/// Returns the commands of a text that push, or may push by an alias.
pub fn git_pushes(script: &Script) -> Vec<GitPush> {
    let mut found = Vec::new();
    for (position, command) in script.commands.iter().enumerate().filter(|(_, command)| command.program() == "git") {
        let Some(git) = GitWords::read(command) else { continue };
        let Some(what) = git.push() else { continue };
        let before = earlier(script, position, &git.directory);
        found.push(GitPush { command: position, directory: git.directory, settings: git.settings, what, before });
    }
    found
}

/// Returns the pushes of an alias with its arguments, given its value in the configuration.
pub fn alias_pushes(value: &str, arguments: &str) -> Vec<GitPush> {
    let text = match value.strip_prefix('!') {
        Some(line) => format!("{line} {arguments}"),
        None => format!("git {value} {arguments}"),
    };
    git_pushes(&parse(&text, Dialect::Posix))
}

/// Returns the directory of the options of a command of git, from the command's own one on; empty for that, and for
/// other programs. `None` if it is not known.
pub fn git_directory(command: &Command) -> Option<String> {
    if command.program() != "git" {
        return Some(String::new());
    }
    match GitWords::read(command) {
        Some(git) => git.is_known.then_some(git.directory),
        None => Some(String::new()),
    }
}

/// A command line of git, up to its verb and behind it.
struct GitWords<'c> {
    verb: &'c Word,
    rest: &'c [Word],
    directory: String,
    settings: Vec<(String, String)>,
    /// Whether the repository is the one of the directory, and the directory is known.
    is_known: bool,
}

impl<'c> GitWords<'c> {
    fn read(command: &'c Command) -> Option<Self> {
        let mut is_known = command.assignments.iter().all(|(name, _)| !name.starts_with("GIT_DIR"));
        let (mut directory, mut settings) = (String::new(), Vec::new());
        let words = command.args();
        let mut position = 0;
        loop {
            let word = words.get(position)?;
            position += 1;
            let text = word.text.as_str();
            if !text.starts_with('-') {
                return Some(Self { verb: word, rest: words.get(position..)?, directory, settings, is_known });
            }
            let name = text.split('=').next().unwrap_or(text);
            is_known &= !OTHER_REPOSITORY.contains(&name);
            if VALUE_OPTIONS.contains(&text) {
                let value = words.get(position)?;
                position += 1;
                match text {
                    "-C" => {
                        is_known &= value.literal;
                        let is_absolute = value.text.starts_with(['/', '~']) || value.text.get(1..2) == Some(":");
                        directory = if directory.is_empty() || is_absolute {
                            value.text.clone()
                        } else {
                            format!("{directory}/{}", value.text)
                        };
                    }
                    "-c" => {
                        let (name, value) = value.text.split_once('=').unwrap_or((&value.text, "true"));
                        settings.push((setting_name(name), value.to_owned()));
                    }
                    _ => {}
                }
            }
        }
    }

    fn push(&self) -> Option<PushWords> {
        if !self.verb.literal {
            return None;
        }
        let known = |what: PushWords| if self.is_known { what } else { without_repository(what) };
        match self.verb.text.as_str() {
            "push" => self.read_push().map(known),
            "subtree" if self.rest.first().is_some_and(|word| word.text == "push") => {
                let mut operands = self.rest.iter().rev().take_while(|word| !word.text.starts_with('-'));
                let reference = operands.next()?;
                let remote = operands.next()?;
                Some(PushWords::Push {
                    remote: Some(remote.text.clone()),
                    refspecs: vec![format!("subtree:{}", reference.text)],
                    scope: PushScope::Configured,
                    deletes: false,
                    is_computed: !reference.literal,
                })
            }
            verb if VERBS.split(' ').any(|known| known == verb) => None,
            verb => {
                let arguments: Vec<String> = self
                    .rest
                    .iter()
                    .map(|word| if word.literal { quote(&word.text) } else { word.text.clone() })
                    .collect();
                self.is_known.then(|| PushWords::Alias { name: verb.to_owned(), arguments: arguments.join(" ") })
            }
        }
    }

    fn read_push(&self) -> Option<PushWords> {
        let mut scope = PushScope::Configured;
        let mut deletes = false;
        let mut repository = None;
        let mut operands: Vec<&Word> = Vec::new();
        let mut is_computed = false;
        let mut words = self.rest.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if text == "--" {
                operands.extend(words.by_ref());
                break;
            }
            if !text.starts_with('-') || text == "-" {
                operands.push(word);
                continue;
            }
            let is_long = |name: &str, least: usize| text.len() >= least && name.starts_with(text);
            match text {
                "--help" | "-h" => return None,
                _ if is_long("--dry-run", 4) => return None,
                _ if is_long("--all", 4) || is_long("--branches", 4) => scope = PushScope::All,
                _ if is_long("--mirror", 4) => scope = PushScope::Mirror,
                _ if is_long("--tags", 4) => scope = PushScope::Tags,
                _ if is_long("--delete", 5) => deletes = true,
                _ if is_long("--prune", 5) => {}
                _ if PUSH_VALUE_OPTIONS.contains(&text) => {
                    let value = words.next();
                    if text == "--repo" {
                        repository = value;
                    }
                }
                _ if !text.starts_with("--") => {
                    if text.contains('n') {
                        return None;
                    }
                    deletes |= text.contains('d');
                    if text.ends_with('o') {
                        words.next();
                    }
                }
                _ => is_computed |= !word.literal,
            }
        }
        let attached = self.rest.iter().find_map(|word| word.text.strip_prefix("--repo="));
        let remote = operands.first().copied().or(repository).map(|word| word.text.clone());
        let mut refspecs = Vec::new();
        let mut names = operands.iter().skip(1);
        while let Some(word) = names.next() {
            is_computed |= !word.literal || word.glob && !word.quoted && !word.text.contains('*');
            match word.text.as_str() {
                // `tag v1` is a tag.
                "tag" => drop(names.next()),
                text => refspecs.push(text.to_owned()),
            }
        }
        if operands.len() > 1 && refspecs.is_empty() {
            scope = PushScope::Tags;
        }
        let remote = remote.or_else(|| attached.map(ToOwned::to_owned));
        Some(PushWords::Push { remote, refspecs, scope, deletes, is_computed })
    }

    fn has(&self, names: &[&str]) -> bool {
        self.rest.iter().any(|word| names.contains(&word.text.as_str()))
    }
}

/// Returns what a push says that is about another repository than the one of the directory.
fn without_repository(what: PushWords) -> PushWords {
    match &what {
        // The refspecs tell without it.
        PushWords::Push { refspecs, scope: PushScope::Configured, .. }
            if !refspecs.is_empty() && refspecs.iter().all(|it| it.contains(':')) =>
        {
            what
        }
        _ => PushWords::Unknown,
    }
}

/// Returns the name of a setting as it is kept: only a subsection has capital letters.
fn setting_name(name: &str) -> String {
    let first = name.find('.').unwrap_or(0);
    let last = name.rfind('.').unwrap_or(name.len());
    let part = |range: std::ops::Range<usize>| name.get(range).unwrap_or_default();
    format!("{}{}{}", part(0..first).to_lowercase(), part(first..last), part(last..name.len()).to_lowercase())
}

/// Returns what the commands before one leave of the repository in the same directory.
fn earlier(script: &Script, position: usize, directory: &str) -> Earlier {
    let mut earlier = Earlier::default();
    let Some(push) = script.commands.get(position) else { return earlier };
    for command in script.commands.iter().take(position).filter(|command| command.program() == "git") {
        let Some(git) = GitWords::read(command) else { continue };
        if git.verb.text == "clone" {
            // The push may be in the clone, wherever that is.
            earlier.checkout.get_or_insert(Checkout::Unknown);
            earlier.changes_settings = true;
            continue;
        }
        if command.is_remote != push.is_remote || command.cwd != push.cwd || git.directory != directory {
            continue;
        }
        match git.verb.text.as_str() {
            "checkout" | "switch" => {
                if let Some(checkout) = git.checkout() {
                    earlier.checkout = Some(checkout);
                }
            }
            "branch" if git.has(&["-m", "-M", "--move"]) => {
                let names: Vec<&Word> = git.rest.iter().filter(|word| !word.text.starts_with('-')).collect();
                if let [name] = names.as_slice() {
                    earlier.checkout = Some(branch_or_unknown(name));
                }
            }
            "branch" => {
                let is_upstream = |word: &Word| word.text.starts_with("-u") || word.text.starts_with("--set-up");
                earlier.changes_settings |= git.rest.iter().any(is_upstream);
            }
            "symbolic-ref" if git.rest.len() > 1 => earlier.checkout = Some(Checkout::Unknown),
            "init" => {
                earlier.checkout.get_or_insert(Checkout::Unknown);
                earlier.changes_settings = true;
            }
            "config" => earlier.changes_settings |= !git.has(&["--get", "--get-all", "--list", "-l", "get", "list"]),
            "remote" => {
                let verbs = ["add", "set-url", "rename", "remove", "rm", "set-head"];
                earlier.changes_settings |= git.rest.first().is_some_and(|word| verbs.contains(&word.text.as_str()));
            }
            _ => {}
        }
    }
    earlier
}

fn branch_or_unknown(name: &Word) -> Checkout {
    if name.literal { Checkout::Branch(name.text.clone()) } else { Checkout::Unknown }
}

impl GitWords<'_> {
    /// Returns what `git checkout` or `git switch` leaves checked out; `None` when that does not change.
    fn checkout(&self) -> Option<Checkout> {
        const CREATE: &[&str] = &["-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"];
        if let Some(at) = self.rest.iter().position(|word| CREATE.contains(&word.text.as_str())) {
            return Some(self.rest.get(at + 1).map_or(Checkout::Unknown, branch_or_unknown));
        }
        if self.has(&["--detach", "-d", "-p", "--patch"]) {
            return self.has(&["--detach", "-d"]).then(|| Checkout::Named("HEAD~0".to_owned()));
        }
        let dashes = self.rest.iter().position(|word| word.text == "--").unwrap_or(self.rest.len());
        let is_name = |word: &&Word| !word.text.starts_with('-') || word.text == "-";
        let names: Vec<&Word> = self.rest.iter().take(dashes).filter(is_name).collect();
        let has_paths = self.rest.len() > dashes + 1 || names.len() > 1;
        match names.first() {
            Some(name) if !has_paths && name.literal && !name.text.starts_with(['-', '@']) => {
                Some(Checkout::Named(name.text.clone()))
            }
            Some(_) if !has_paths => Some(Checkout::Unknown),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checkout, PushScope, PushWords, git_pushes};
    use crate::domain::shell::{Dialect, parse};

    fn read(text: &str) -> Option<String> {
        let found = git_pushes(&parse(text, Dialect::Posix));
        let push = found.last()?;
        let what = match &push.what {
            PushWords::Push { remote, refspecs, scope, deletes, is_computed } => {
                let remote = remote.as_deref().unwrap_or("?");
                let scope = match scope {
                    PushScope::Configured => "",
                    PushScope::All => " all",
                    PushScope::Mirror => " mirror",
                    PushScope::Tags => " tags",
                };
                let marks = [(*deletes, " deletes"), (*is_computed, " computed")];
                let marks: String = marks.iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| *mark).collect();
                format!("{remote}[{}]{scope}{marks}", refspecs.join(" "))
            }
            PushWords::Alias { name, arguments } => format!("alias {name} {arguments}"),
            PushWords::Unknown => "unknown".to_owned(),
        };
        let place = if push.directory.is_empty() { String::new() } else { format!(" in {}", push.directory) };
        let checkout = match &push.before.checkout {
            None => String::new(),
            Some(Checkout::Branch(name)) => format!(" on new {name}"),
            Some(Checkout::Named(name)) => format!(" on {name}"),
            Some(Checkout::Unknown) => " on ?".to_owned(),
        };
        Some(format!("{what}{place}{checkout}"))
    }

    #[test]
    fn pushes_are_read_in_each_spelling() {
        for (text, expected) in [
            ("git push", "?[]"),
            ("git push origin", "origin[]"),
            ("git push -u origin HEAD", "origin[HEAD]"),
            ("git push --set-upstream origin +main:x", "origin[+main:x]"),
            ("git -C lib -C sub push", "?[] in lib/sub"),
            ("git push -o ci.skip origin main", "origin[main]"),
            ("git push -fo ci.skip origin main", "origin[main]"),
            ("git push --repo=up", "up[]"),
            ("git push --repo up", "up[]"),
            ("git push --all", "?[] all"),
            ("git push --mirror up", "up[] mirror"),
            ("git push --tags", "?[] tags"),
            ("git push origin tag v1", "origin[] tags"),
            ("git push -d origin main", "origin[main] deletes"),
            ("git push origin --delete main", "origin[main] deletes"),
            ("git push origin $x", "origin[$x] computed"),
            ("bash -c 'sudo git push origin main'", "origin[main]"),
            ("git checkout main && git push", "?[] on main"),
            ("git switch -c x && git push", "?[] on new x"),
            ("git checkout -- main && git push", "?[]"),
            ("git checkout main a.txt && git push", "?[]"),
            ("git switch - && git push", "?[] on ?"),
            ("git branch -M main && git push", "?[] on new main"),
            ("git -C x checkout main && git push", "?[]"),
            ("git subtree push --prefix docs origin pages", "origin[subtree:pages]"),
            ("git --git-dir=/x/.git push", "unknown"),
            ("git --git-dir=/x/.git push up a:main", "up[a:main]"),
            ("git p origin main", "alias p origin main"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "git status",
            "git push --dry-run",
            "git push -n",
            "git push -h",
            "git pull",
            "git stash push",
            "echo git push",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
