//! Backups: what a rule wants copied before a call, and what came of it.

use core::time::Duration;

use crate::domain::facts::loss::{Change, LossKind};
use crate::domain::policy::effects::backup::Backup;
use crate::domain::severity::Severity;

/// A backup that a rule asks for, for one of its bindings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupPlan {
    /// The rule's id.
    pub rule: String,
    /// The severity of the rule.
    pub severity: Severity,
    /// The changes whose losses are copied, or why they are not known.
    pub changes: Result<Vec<BackupChange>, String>,
    /// The bounds, and what follows where none can be taken.
    pub bounds: Backup,
}

/// A change whose loss is copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupChange {
    /// The change.
    pub change: Change,
    /// Whether the files are unlinked and written by nobody, so that a second name for them is a copy.
    pub unlinks: bool,
    /// The kinds of losses that earlier commands of the line save.
    pub saved: &'static [LossKind],
}

/// What a backup is about, and its bounds.
#[derive(Debug, Clone, Copy)]
pub struct BackupRequest<'a> {
    /// The changes.
    pub changes: &'a [BackupChange],
    /// The greatest size in bytes.
    pub max_bytes: u64,
    /// The greatest number of files.
    pub max_files: u32,
    /// How long it may take.
    pub timeout: Duration,
    /// How many seconds it is kept.
    pub keep: u64,
    /// The host's name.
    pub host: &'a str,
    /// The session, if it is known.
    pub session: Option<&'a str>,
    /// The host's id of the call, if it is known.
    pub call: Option<&'a str>,
    /// What the call does, in words without secrets.
    pub about: &'a str,
    /// The project's directory, or the working directory where there is none.
    pub project: &'a str,
}

/// A backup that was taken, or that would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupReceipt {
    /// Its id; `None` if it was only measured.
    pub id: Option<String>,
    /// The number of files and references in it. Without any, there was nothing to lose.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// Whether all of it is inside the project.
    pub is_inside: bool,
}

/// Takes backups.
pub trait BackupStore {
    /// Takes a complete backup, or none.
    ///
    /// # Errors
    /// Returns why none was taken, in words.
    fn take(&self, request: &BackupRequest<'_>) -> Result<BackupReceipt, String>;
}

/// What came of the backups that some rules asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupRecord {
    /// The rules.
    pub rules: Vec<String>,
    /// The backup, or why there is none.
    pub result: Result<BackupReceipt, String>,
}

impl BackupRecord {
    /// Describes what came of it: `12 files, 34 KB, as k3v9x2ab`.
    pub fn describe(&self) -> String {
        match &self.result {
            Ok(BackupReceipt { id, files, bytes, .. }) => {
                let id = id.as_ref().map_or_else(|| "not taken here".to_owned(), |id| format!("as {id}"));
                format!("{}, {id}", amount(*files, *bytes))
            }
            Err(why) => format!("none: {why}"),
        }
    }
}

/// Returns how much a backup holds, in words: `12 files, 34 KB`.
pub fn amount(files: u64, bytes: u64) -> String {
    let plural = if files == 1 { "" } else { "s" };
    format!("{files} file{plural}, {}", crate::domain::facts::loss::size(bytes))
}
