//! The configuration of a repository: of the system, the user, the repository and the worktree.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use super::config_syntax::{self, Setting};
use super::repository::Repository;
use super::{GitError, read_text};
use crate::domain::text::path::matches_pattern;
use crate::io::platform::{env_path, home_directory};

/// How deep files include others; git has the same bound.
const MAX_DEPTH: usize = 10;

/// The greatest number of files that are read.
const MAX_FILES: usize = 64;

/// Settings in the order in which they are read: the last one counts.
#[derive(Debug, Clone, Default)]
pub struct Config {
    settings: Vec<Setting>,
}

/// The branch that a branch follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// The name or address of the remote; `.` for the repository itself.
    pub remote: String,
    /// The reference there: `refs/heads/main`.
    pub merge: String,
}

impl Config {
    /// Reads the configuration of a repository.
    ///
    /// # Errors
    /// Returns that a file of it is damaged or cannot be read.
    pub(super) fn read(repository: &Repository) -> Result<Self, GitError> {
        let home = home_directory().map(PathBuf::from);
        let mut reader =
            Reader { repository, home, head: OnceCell::new(), files_left: MAX_FILES, settings: Vec::new() };
        for path in user_files(reader.home.as_deref()) {
            reader.add(&path, 0)?;
        }
        reader.add(&repository.common_dir.join("config"), 0)?;
        let config = Self { settings: std::mem::take(&mut reader.settings) };
        if !config.is_true("extensions.worktreeconfig") {
            return Ok(config);
        }
        reader.settings = config.settings;
        reader.add(&repository.git_dir.join("config.worktree"), 0)?;
        Ok(Self { settings: reader.settings })
    }

    /// Returns all settings in order; a name without a value is `true`.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(name, value)| (name.as_str(), value.as_deref().unwrap_or("true")))
    }

    /// Returns the value of a setting; a name without a value is `true`.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.settings.iter().rev().find(|(known, _)| known == name)?;
        Some(found.1.as_deref().unwrap_or("true"))
    }

    /// Returns all values of a setting, in order.
    pub fn get_all<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c str> {
        let given = self.settings.iter().filter(move |(known, _)| known == name);
        given.map(|(_, value)| value.as_deref().unwrap_or("true"))
    }

    /// Returns whether a setting is on.
    pub fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| {
            let number = value.parse::<i64>().is_ok_and(|number| number != 0);
            number || ["true", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
        })
    }

    /// Returns the names of the subsections of a section that have a key: the remotes for `remote` and `url`.
    pub fn subsections(&self, section: &str, key: &str) -> Vec<&str> {
        let mut names = Vec::new();
        for (name, _) in &self.settings {
            let inside = name.strip_prefix(section).and_then(|rest| rest.strip_prefix('.'));
            let Some(sub) = inside.and_then(|rest| rest.strip_suffix(key)?.strip_suffix('.')) else { continue };
            if !names.contains(&sub) {
                names.push(sub);
            }
        }
        names
    }

    /// Returns the branch that a branch follows; `branch` is its short name.
    pub fn upstream(&self, branch: &str) -> Option<Upstream> {
        let remote = self.get(&format!("branch.{branch}.remote"))?.to_owned();
        let merge = self.get(&format!("branch.{branch}.merge"))?.to_owned();
        Some(Upstream { remote, merge })
    }

    /// Returns the reference in the repository that holds what was last seen of a branch of a remote:
    /// `refs/remotes/origin/main`.
    pub fn tracking_reference(&self, upstream: &Upstream) -> Option<String> {
        if upstream.remote == "." {
            return Some(upstream.merge.clone());
        }
        let name = format!("remote.{}.fetch", upstream.remote);
        self.get_all(&name).find_map(|refspec| map_refspec(refspec, &upstream.merge))
    }
}

/// Returns what a refspec makes of a reference: `+refs/heads/*:refs/remotes/origin/*`.
fn map_refspec(refspec: &str, reference: &str) -> Option<String> {
    let (from, to) = refspec.strip_prefix('+').unwrap_or(refspec).split_once(':')?;
    let Some((head, tail)) = from.split_once('*') else { return (from == reference).then(|| to.to_owned()) };
    let middle = reference.strip_prefix(head)?.strip_suffix(tail)?;
    Some(to.replacen('*', middle, 1))
}

/// Returns the files of the system and of the user.
fn user_files(home: Option<&Path>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    files.push(env_path("GIT_CONFIG_SYSTEM").map_or_else(|| PathBuf::from("/etc/gitconfig"), PathBuf::from));
    if let Some(path) = env_path("GIT_CONFIG_GLOBAL") {
        files.push(path.into());
        return files;
    }
    let settings = env_path("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| Some(home?.join(".config")));
    files.extend(settings.map(|directory| directory.join("git/config")));
    files.extend(home.map(|home| home.join(".gitconfig")));
    files
}

struct Reader<'r> {
    repository: &'r Repository,
    home: Option<PathBuf>,
    /// The short name of the current branch, once that was asked.
    head: OnceCell<Option<String>>,
    files_left: usize,
    settings: Vec<Setting>,
}

impl Reader<'_> {
    fn add(&mut self, path: &Path, depth: usize) -> Result<(), GitError> {
        if depth > MAX_DEPTH || self.files_left == 0 {
            return Err(GitError::Unsupported("a configuration with too many files"));
        }
        self.files_left -= 1;
        let Some(text) = read_text(path)? else { return Ok(()) };
        for (name, value) in config_syntax::parse(&text)? {
            let condition = name.strip_prefix("includeif.").and_then(|rest| rest.strip_suffix(".path"));
            let included = match condition {
                Some(condition) => self.holds(condition, path)?,
                None => name == "include.path",
            };
            let target = value.as_deref().filter(|_| included).map(|value| self.locate(value, path));
            self.settings.push((name, value));
            if let Some(target) = target {
                self.add(&target, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Returns the file that a text in another file names.
    fn locate(&self, text: &str, file: &Path) -> PathBuf {
        match (text.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => file.parent().unwrap_or(Path::new("/")).join(text),
        }
    }

    /// Returns whether the condition of an include holds.
    fn holds(&self, condition: &str, file: &Path) -> Result<bool, GitError> {
        let Some((kind, pattern)) = condition.split_once(':') else { return Ok(false) };
        match kind {
            "gitdir" | "gitdir/i" => {
                let mut pattern = match pattern.strip_prefix("./") {
                    Some(rest) => file.parent().unwrap_or(Path::new("/")).join(rest).to_string_lossy().into_owned(),
                    None if pattern.starts_with("~/") => self.locate(pattern, file).to_string_lossy().into_owned(),
                    None if pattern.starts_with('/') || pattern.contains(":/") => pattern.to_owned(),
                    None => format!("**/{pattern}"),
                };
                if pattern.ends_with('/') {
                    pattern.push_str("**");
                }
                let mut directory = self.repository.git_dir.to_string_lossy().replace('\\', "/");
                if kind == "gitdir/i" {
                    (pattern, directory) = (pattern.to_lowercase(), directory.to_lowercase());
                }
                Ok(matches_pattern(&pattern, &directory))
            }
            "onbranch" => {
                let branch = if let Some(branch) = self.head.get() {
                    branch
                } else {
                    let branch = self.repository.head()?.branch().map(ToOwned::to_owned);
                    self.head.get_or_init(|| branch)
                };
                let pattern = if pattern.ends_with('/') { format!("{pattern}**") } else { pattern.to_owned() };
                Ok(branch.as_deref().is_some_and(|branch| matches_pattern(&pattern, branch)))
            }
            // Whether a remote has such an address is known only when everything was read; it decides about
            // identities in practice, which nothing here asks about.
            _ => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, Upstream, config_syntax, map_refspec};

    #[test]
    fn the_last_setting_counts() {
        let text = "[remote \"origin\"]\nurl = a\nfetch = +refs/heads/*:refs/remotes/origin/*\n[core]\nbare\n\
                    [branch \"x.y\"]\nremote = origin\nmerge = refs/heads/main\n[core]\nbare = no\n[remote \"b\"]\nurl = c\n";
        let config = Config { settings: config_syntax::parse(text).unwrap() };
        assert_eq!(config.get("core.bare"), Some("no"));
        assert!(!config.is_true("core.bare"));
        assert_eq!(config.subsections("remote", "url"), ["origin", "b"]);
        let upstream = Upstream { remote: "origin".into(), merge: "refs/heads/main".into() };
        assert_eq!(config.upstream("x.y"), Some(upstream.clone()));
        assert_eq!(config.tracking_reference(&upstream).as_deref(), Some("refs/remotes/origin/main"));
    }

    #[test]
    fn refspecs_map_references() {
        for (refspec, reference, expected) in [
            ("refs/heads/a:refs/x/b", "refs/heads/a", Some("refs/x/b")),
            ("refs/heads/a:refs/x/b", "refs/heads/b", None),
            ("+refs/heads/f/*:refs/x/*", "refs/heads/f/1", Some("refs/x/1")),
            ("+refs/heads/f/*:refs/x/*", "refs/heads/1", None),
        ] {
            assert_eq!(map_refspec(refspec, reference).as_deref(), expected, "{refspec} {reference}");
        }
    }
}
