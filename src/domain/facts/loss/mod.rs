//! What a call would lose: files and commits of which there is no other copy.
//!
//! What is meant is read from the call; what of it would be lost, the file system tells. Both happen only when a rule
//! asks.

mod collect;
mod rebuildable;
mod summary;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CommandIndex;
use crate::domain::shell::Discarded;
use crate::domain::time::Time;
pub(super) use collect::{collect, evaluate};
pub use rebuildable::is_rebuildable;
pub use summary::{size, summary};

/// A kind of loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LossKind {
    /// A tracked file whose content is neither in the index nor in a commit.
    Modified,
    /// A tracked file whose content is in the index and in no commit.
    Staged,
    /// A file that is not tracked and not ignored.
    Untracked,
    /// An ignored file or directory that can't be rebuilt: local settings, data.
    Ignored,
    /// An ignored file or directory that a build or an installation recreates.
    Rebuildable,
    /// A tracked file without changes, which the last commit can restore.
    Committed,
    /// A commit that is on no other branch, tag, worktree or remote.
    Unpushed,
    /// Stashed changes.
    Stashed,
    /// It could not be determined in time, or at all.
    Unknown,
}

impl LossKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Modified,
        Self::Staged,
        Self::Untracked,
        Self::Ignored,
        Self::Rebuildable,
        Self::Committed,
        Self::Unpushed,
        Self::Stashed,
        Self::Unknown,
    ];

    /// Returns the kind's name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modified => "modified",
            Self::Staged => "staged",
            Self::Untracked => "untracked",
            Self::Ignored => "ignored",
            Self::Rebuildable => "rebuildable",
            Self::Committed => "committed",
            Self::Unpushed => "unpushed",
            Self::Stashed => "stashed",
            Self::Unknown => "unknown",
        }
    }
}

/// The greatest number of things that are named.
pub const MAX_NAMED: usize = 32;

/// What would be lost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loss {
    /// The first things of each kind.
    pub items: Vec<LostItem>,
    totals: [LossTotal; LossKind::ALL.len()],
    /// Why not everything is known, if it is not.
    pub unknown: Option<String>,
    /// The number of things of each kind that are named beyond [`MAX_NAMED`].
    more_named: u64,
}

/// Something that would be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostItem {
    /// How.
    pub kind: LossKind,
    /// The absolute path of a file; the name or subject of anything else.
    pub name: String,
}

/// How much of a kind would be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LossTotal {
    /// The number of files or commits.
    pub count: u64,
    /// The size of the files in bytes.
    pub bytes: u64,
    /// When the youngest was last changed.
    pub newest: Option<Time>,
}

impl Loss {
    /// Returns a loss of which nothing is known.
    pub fn unknown(reason: impl Into<String>) -> Self {
        Self { unknown: Some(reason.into()), ..Self::default() }
    }

    /// Returns an empty loss that names this many more things of each kind than usual.
    pub fn naming_more(more: u64) -> Self {
        Self { more_named: more, ..Self::default() }
    }

    /// Adds something that would be lost: its size in bytes, and when it was last changed.
    pub fn add(&mut self, kind: LossKind, name: impl FnOnce() -> String, bytes: u64, changed: Option<Time>) {
        if let Some(total) = self.totals.get_mut(kind as usize) {
            total.count += 1;
            total.bytes = total.bytes.saturating_add(bytes);
            total.newest = total.newest.max(changed);
            if total.count <= self.more_named.saturating_add(MAX_NAMED as u64) {
                self.items.push(LostItem { kind, name: name() });
            }
        }
    }

    /// Adds another loss.
    pub fn merge(&mut self, other: Self) {
        for (total, more) in self.totals.iter_mut().zip(other.totals) {
            total.count += more.count;
            total.bytes = total.bytes.saturating_add(more.bytes);
            total.newest = total.newest.max(more.newest);
        }
        self.items.extend(other.items);
        self.unknown = self.unknown.take().or(other.unknown);
    }

    /// Forgets what of some kinds would be lost.
    pub fn forget(&mut self, kinds: &[LossKind]) {
        for kind in kinds {
            if let Some(total) = self.totals.get_mut(*kind as usize) {
                *total = LossTotal::default();
            }
        }
        self.items.retain(|item| !kinds.contains(&item.kind));
    }

    /// Returns how much of a kind would be lost.
    pub fn total(&self, kind: LossKind) -> LossTotal {
        self.totals.get(kind as usize).copied().unwrap_or_default()
    }

    /// Returns how much of some kinds would be lost together.
    pub fn total_of(&self, kinds: &[LossKind]) -> LossTotal {
        kinds.iter().fold(LossTotal::default(), |sum, kind| {
            let one = self.total(*kind);
            LossTotal {
                count: sum.count + one.count,
                bytes: sum.bytes.saturating_add(one.bytes),
                newest: sum.newest.max(one.newest),
            }
        })
    }
}

/// A change that may lose something, as it is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A command of git, in an absolute directory. Paths are absolute, or patterns that begin with a colon.
    Git {
        /// The directory.
        directory: String,
        /// What is discarded.
        what: Discarded,
    },
    /// Absolute paths are deleted, with what is in them. Each has a loss of its own.
    Delete(Vec<String>),
    /// Files get another content. Each has a loss of its own.
    Overwrite(Vec<String>),
}

/// What a command or a call may lose.
#[derive(Debug)]
pub struct LossFact {
    /// The command, if a command does it.
    pub command: Option<CommandIndex>,
    /// The position of the tool call.
    pub call: usize,
    /// The changes; `None` if the text does not tell.
    pub(super) changes: Option<Vec<Change>>,
    /// The files of the facts that the paths of the changes are, by position.
    pub(super) files: Vec<(usize, String)>,
    /// Kinds that are saved by earlier commands of the line.
    pub(super) saved: &'static [LossKind],
    pub(super) losses: std::cell::OnceCell<Losses>,
}

impl LossFact {
    /// Returns whether a file of the facts may be lost with it, by position; every file, if it is about no single ones.
    pub fn has_file(&self, file: usize) -> bool {
        self.files.is_empty() || self.files.iter().any(|(position, _)| *position == file)
    }

    /// Returns the changes, of one file of the facts or of all; none if the text does not tell.
    pub fn changes(&self, file: Option<usize>) -> Vec<Change> {
        let is_meant = |path: &String| {
            file.is_none() || self.files.iter().any(|(position, known)| Some(*position) == file && known == path)
        };
        let of = |paths: &[String]| paths.iter().filter(|path| is_meant(path)).cloned().collect();
        let one = |change: &Change| match change {
            Change::Git { .. } => change.clone(),
            Change::Delete(paths) => Change::Delete(of(paths)),
            Change::Overwrite(paths) => Change::Overwrite(of(paths)),
        };
        self.changes.iter().flatten().map(one).collect()
    }

    /// Returns the kinds that earlier commands of the line save.
    pub const fn saved(&self) -> &'static [LossKind] {
        self.saved
    }
}

/// The losses of one fact.
#[derive(Debug, Default)]
pub(super) struct Losses {
    pub(super) whole: Loss,
    /// Those of each path.
    pub(super) by_path: Vec<(String, Loss)>,
}
