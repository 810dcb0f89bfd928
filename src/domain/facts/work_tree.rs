//! Whether a repository has changes, and how far it and its upstream have parted. Each is found out once for a
//! directory.

use super::Facts;
use super::loss::{Change, Loss, LossKind};
use super::repository::{Divergence, UnknownRepository};
use crate::domain::shell::Discarded;

/// How far a repository and its upstream have parted, or why it is not known.
pub(super) type DivergenceFact = Result<Option<Divergence>, UnknownRepository>;

impl Facts<'_> {
    /// Returns how far the repository of an absolute directory and its upstream have parted.
    pub fn divergence(&self, directory: &str) -> DivergenceFact {
        let mut known = self.divergences.borrow_mut();
        known.entry(directory.to_owned()).or_insert_with(|| self.file_system.divergence(directory)).clone()
    }

    /// Returns the same if a condition has asked for it before.
    pub fn known_divergence(&self, directory: &str) -> Option<Divergence> {
        self.divergences.borrow().get(directory)?.as_ref().ok().copied().flatten()
    }

    /// Returns whether tracked files of an absolute directory's repository have changes that no commit has; `None` if
    /// that is not known.
    pub fn is_dirty(&self, directory: &str) -> Option<bool> {
        let read = || {
            let what = Discarded::Reset { target: None, worktree: true, staged: true };
            let lost = self.file_system.losses(&Change::Git { directory: directory.to_owned(), what });
            let total = |loss: &Loss| loss.total_of(&[LossKind::Modified, LossKind::Staged]).count;
            lost.first().and_then(|loss| match total(loss) {
                0 if loss.unknown.is_some() => None,
                count => Some(count > 0),
            })
        };
        *self.work_trees.borrow_mut().entry(directory.to_owned()).or_insert_with(read)
    }
}
