//! Why a file could not be used: what was tried, on which path, and what the system said.

use std::error::Error;
use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

use crate::io::platform::file::OwnershipProblem;

/// What was tried on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAction {
    /// To read it.
    Read,
    /// To write it, or to make it.
    Write,
    /// To remove it.
    Remove,
    /// To open it.
    Open,
    /// To list a directory.
    List,
    /// To reach it at all.
    Access,
}

/// Why a file could not be used.
#[derive(Debug)]
pub enum FileError {
    /// The system refused.
    Failed {
        /// What was tried.
        action: FileAction,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The lock could not be taken.
    Locked {
        /// The lock file.
        path: PathBuf,
        /// The system's error, or that others hold the lock.
        source: TryLockError,
    },
    /// It is a directory, a pipe or a device.
    NotRegular(PathBuf),
    /// Somebody else than the user may have written it.
    Untrusted {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: UntrustedReason,
    },
    /// A line is longer than what is read.
    LongLine {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// How many MiB a line may have.
        limit: usize,
    },
}

/// Why the content of a file is not to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UntrustedReason {
    /// It is a link, or no file.
    NotRegular,
    /// It was replaced while it was opened.
    Replaced,
    /// It is larger than what the program writes.
    TooLarge,
    /// It belongs to another user, or others may write it.
    Ownership(OwnershipProblem),
}

impl FileError {
    /// Returns what makes an error of the system's, for one action on one file.
    pub fn on(action: FileAction, path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Failed { action, path: path.to_owned(), source }
    }

    /// Returns that a file is not to be trusted.
    pub(super) fn untrusted(path: &Path, reason: UntrustedReason) -> Self {
        Self::Untrusted { path: path.to_owned(), reason }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { action: FileAction::Access, path, source } => write!(f, "{}: {source}", path.display()),
            Self::Failed { action, path, source } => {
                let verb = match action {
                    FileAction::Read | FileAction::Access => "read",
                    FileAction::Write => "written",
                    FileAction::Remove => "removed",
                    FileAction::Open => "opened",
                    FileAction::List => "listed",
                };
                write!(f, "{} could not be {verb}: {source}", path.display())
            }
            Self::Locked { path, source } => write!(f, "{} could not be locked: {source}", path.display()),
            Self::NotRegular(path) => write!(f, "{} is not a file", path.display()),
            Self::Untrusted { path, reason } => {
                let path = path.display();
                match reason {
                    UntrustedReason::NotRegular => write!(f, "{path} is a link or not a file, and is ignored"),
                    UntrustedReason::Replaced => write!(f, "{path} replaced another file just now"),
                    UntrustedReason::TooLarge => write!(f, "{path} is too large"),
                    UntrustedReason::Ownership(OwnershipProblem::OtherOwner) => {
                        write!(f, "{path} belongs to another user, and is ignored")
                    }
                    UntrustedReason::Ownership(OwnershipProblem::WritableByOthers) => {
                        write!(f, "other users can write {path}, so it is ignored; run `chmod go-w` on it")
                    }
                }
            }
            Self::LongLine { path, line, limit } => {
                write!(f, "{}:{line}: the line is longer than {limit} MiB", path.display())
            }
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Failed { source, .. } => Some(source),
            Self::Locked { source, .. } => Some(source),
            Self::NotRegular(_) | Self::Untrusted { .. } | Self::LongLine { .. } => None,
        }
    }
}
