//! The repository of a policy test: what of it rules may ask, made up.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use crate::domain::facts::loss::{Change, Loss, LossKind};
use crate::domain::facts::repository::{Divergence, RepositoryState};
use crate::domain::shell::Discarded;
use crate::domain::text::path::PathContext;

/// A repository whose root is the project of the tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RepositoryFixture {
    /// The branch that is checked out; none when not given.
    #[serde(default)]
    pub branch: Option<String>,
    /// The other branches.
    #[serde(default)]
    pub branches: Vec<String>,
    /// The addresses of the remotes, by name.
    #[serde(default)]
    pub remotes: BTreeMap<String, String>,
    /// The branches of remotes as they were last seen: `origin/main`.
    #[serde(default)]
    pub remote_branches: Vec<String>,
    /// Settings of git, by name: `push.default`, `branch.main.remote`.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// How many commits the upstream of the branch does not have.
    #[serde(default)]
    pub ahead: u64,
    /// How many commits only the upstream of the branch has.
    #[serde(default)]
    pub behind: u64,
    /// Tracked files with changes, from the root of the project.
    #[serde(default)]
    pub modified: Vec<String>,
    /// Tracked files with changes that the index has.
    #[serde(default)]
    pub staged: Vec<String>,
    /// Files that are not tracked.
    #[serde(default)]
    pub untracked: Vec<String>,
    /// Files that are ignored.
    #[serde(default)]
    pub ignored: Vec<String>,
    /// Commits that nothing but the branch in question holds, by their subjects.
    #[serde(default)]
    pub unpushed: Vec<String>,
    /// Stash entries, by their subjects.
    #[serde(default)]
    pub stashed: Vec<String>,
}

impl RepositoryFixture {
    /// Returns its branches, remotes and settings.
    pub fn state(&self) -> RepositoryState {
        let urls = self.remotes.iter().map(|(name, url)| (format!("remote.{name}.url"), url.clone()));
        let settings = self.settings.iter().map(|(name, value)| (name.to_lowercase(), value.clone()));
        let split = |name: &String| name.split_once('/').map(|(remote, name)| (remote.to_owned(), name.to_owned()));
        RepositoryState {
            branch: self.branch.clone(),
            branches: self.branch.iter().chain(&self.branches).cloned().collect(),
            remote_branches: self.remote_branches.iter().filter_map(split).collect(),
            default_branches: Vec::new(),
            settings: urls.chain(settings).collect(),
        }
    }

    /// Returns how far it and the upstream have parted.
    pub const fn divergence(&self) -> Divergence {
        Divergence { ahead: self.ahead, behind: self.behind }
    }

    /// Returns what a change would lose, as [`FileSystem::losses`](crate::domain::facts::script::FileSystem::losses).
    pub fn losses(&self, change: &Change, place: &PathContext) -> Vec<Loss> {
        match change {
            Change::Git { what, .. } => vec![self.discarded(what, place)],
            Change::Delete(paths) | Change::Overwrite(paths) => {
                let files = [LossKind::Modified, LossKind::Staged, LossKind::Untracked, LossKind::Ignored];
                paths.iter().map(|path| self.files(&files, std::slice::from_ref(path), place)).collect()
            }
        }
    }

    fn discarded(&self, what: &Discarded, place: &PathContext) -> Loss {
        use LossKind::{Ignored, Modified, Staged, Unpushed, Untracked};
        match what {
            Discarded::Reset { target, worktree, staged } => {
                let mut loss = Loss::default();
                for (kind, _) in [(Modified, *worktree), (Staged, *staged)].into_iter().filter(|(_, counts)| *counts) {
                    loss.merge(self.files(&[kind], &[], place));
                }
                if target.is_some() {
                    loss.merge(named(Unpushed, &self.unpushed));
                }
                loss
            }
            Discarded::Switch => self.files(&[Modified, Staged], &[], place),
            Discarded::Checkout { words, force } => {
                let paths: Vec<String> = words.iter().map(|word| place.resolve(word, None)).collect();
                self.files(&[Modified, Staged], if *force { &[] } else { &paths }, place)
            }
            Discarded::Restore { paths, .. } => self.files(&[Modified], paths, place),
            Discarded::Remove { paths } => self.files(&[Modified, Staged], paths, place),
            Discarded::Clean { ignored, untracked, paths, .. } => {
                let mut loss = Loss::default();
                for (kind, _) in [(Untracked, *untracked), (Ignored, *ignored)].into_iter().filter(|(_, own)| *own) {
                    loss.merge(self.files(&[kind], paths, place));
                }
                loss
            }
            Discarded::Worktree(_) => self.files(&[Modified, Staged, Untracked], &[], place),
            Discarded::Stash(_) => named(LossKind::Stashed, &self.stashed),
            Discarded::Branches { .. } | Discarded::MoveBranch(_) => named(Unpushed, &self.unpushed),
        }
    }

    /// Returns the files of some kinds that are at or below paths; all where there are none.
    fn files(&self, kinds: &[LossKind], paths: &[String], place: &PathContext) -> Loss {
        let mut loss = Loss::default();
        for kind in kinds {
            let files = match kind {
                LossKind::Modified => &self.modified,
                LossKind::Staged => &self.staged,
                LossKind::Untracked => &self.untracked,
                LossKind::Ignored => &self.ignored,
                _ => continue,
            };
            for file in files {
                let file = place.resolve(file, place.project.as_deref());
                let is_in = |path: &String| {
                    let path = path.trim_end_matches('/');
                    file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                if paths.is_empty() || paths.iter().any(is_in) {
                    loss.add(*kind, || file.clone(), 0, None);
                }
            }
        }
        loss
    }
}

fn named(kind: LossKind, names: &[String]) -> Loss {
    let mut loss = Loss::default();
    for name in names {
        loss.add(kind, || name.clone(), 0, None);
    }
    loss
}
