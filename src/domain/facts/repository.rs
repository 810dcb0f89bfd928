//! What a repository tells of its branches, remotes and settings.

use std::fmt;

/// The state of the repository that a directory belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RepositoryState {
    /// The short name of the branch that is checked out; `None` when none is.
    pub branch: Option<String>,
    /// The short names of the branches.
    pub branches: Vec<String>,
    /// The branches of remotes as they were last seen: remote and short name.
    pub remote_branches: Vec<(String, String)>,
    /// The default branches of remotes: remote and short name.
    pub default_branches: Vec<(String, String)>,
    /// The settings in order; the last one of a name counts.
    pub settings: Vec<(String, String)>,
}

impl RepositoryState {
    /// Returns the value of a setting.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns all values of a setting, in order.
    pub fn all_settings<'s>(&'s self, name: &str) -> Vec<&'s str> {
        self.settings.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Returns the names of the remotes.
    pub fn remotes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &self.settings {
            let inside = name.strip_prefix("remote.").and_then(|rest| Some(rest.rsplit_once('.')?.0));
            names.extend(inside.filter(|remote| !names.contains(remote)));
        }
        names
    }

    /// Returns the addresses of the remotes, those of pushes included.
    pub fn remote_addresses(&self) -> Vec<String> {
        let is_address = |name: &str| {
            let key = name.strip_prefix("remote.").and_then(|rest| rest.rsplit_once('.'));
            key.is_some_and(|(_, key)| matches!(key, "url" | "pushurl"))
        };
        self.settings.iter().filter(|(name, _)| is_address(name)).map(|(_, value)| value.clone()).collect()
    }

    /// Returns the addresses that a push to a remote goes to; for an address that is no remote, itself.
    pub fn push_urls(&self, remote: &str) -> Vec<String> {
        let mut urls = self.all_settings(&format!("remote.{remote}.pushurl"));
        let is_push_url = !urls.is_empty();
        if !is_push_url {
            urls = self.all_settings(&format!("remote.{remote}.url"));
        }
        if urls.is_empty() {
            urls.push(remote);
        }
        urls.into_iter().map(|url| self.rewritten(url, is_push_url)).collect()
    }

    /// Applies `url.<base>.insteadOf`.
    fn rewritten(&self, url: &str, is_push_url: bool) -> String {
        for key in [".pushinsteadof", ".insteadof"] {
            let bases = self.settings.iter().filter_map(|(name, from)| {
                let base = name.strip_prefix("url.")?.strip_suffix(key)?;
                url.strip_prefix(from.as_str()).map(|rest| (from.len(), format!("{base}{rest}")))
            });
            let longest = bases.max_by_key(|(length, _)| *length);
            if let Some((_, found)) = longest.filter(|_| !(is_push_url && key == ".pushinsteadof")) {
                return found;
            }
        }
        url.to_owned()
    }

    /// Returns whether a branch of a remote is its default branch. Where that is not recorded, it is `main` or `master`.
    pub fn is_default_branch(&self, remote: &str, branch: &str) -> bool {
        match self.default_branches.iter().find(|(known, _)| known == remote) {
            Some((_, default)) => default == branch,
            None => ["main", "master"].contains(&branch),
        }
    }
}

/// How far the commit that is checked out and what its branch follows have parted. Where a branch follows nothing,
/// it is all branches of remotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Divergence {
    /// The number of commits that only this side has.
    pub ahead: u64,
    /// The number of commits that only the other side has.
    pub behind: u64,
}

/// Why the state of a repository is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRepository(pub String);

impl fmt::Display for UnknownRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownRepository {}
