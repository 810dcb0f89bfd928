//! Why a backup cannot be taken, read or restored.

use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};

use crate::io::git::GitError;

/// Why a backup cannot be taken, read or restored.
#[derive(Debug)]
pub enum BackupError {
    /// The user has no directory for what the program writes.
    NoDirectory,
    /// There are more files than a backup may have.
    TooMany(u64),
    /// The files are larger than a backup may be, in bytes.
    TooLarge(u64),
    /// It would take longer than it may.
    TooSlow(Duration),
    /// It is not known what would be lost.
    Unknown(String),
    /// A repository could not be read.
    Git(GitError),
    /// A name is no text.
    NotText(PathBuf),
    /// A file changed while it was copied.
    Changed(PathBuf),
    /// The system refused something.
    System(PathBuf, io::Error),
    /// A file of a backup is damaged.
    Damaged(PathBuf),
    /// A command of git failed, with what it said.
    Command(String),
}

impl BackupError {
    /// Returns what makes an error of the system one about a path.
    pub(super) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::System(path, error)
    }
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDirectory => f.write_str("there is no directory for backups"),
            Self::TooMany(most) => write!(f, "there are more than {most} files"),
            Self::TooLarge(most) => write!(f, "the files are larger than {} MB", most / 1_000_000),
            Self::TooSlow(most) => write!(f, "it would take longer than {} ms", most.as_millis()),
            Self::Unknown(why) => f.write_str(why),
            Self::Git(error) => error.fmt(f),
            Self::NotText(path) => write!(f, "the name {} is no text", path.display()),
            Self::Changed(path) => write!(f, "{} changed meanwhile", path.display()),
            Self::System(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(path) => write!(f, "{} is damaged", path.display()),
            Self::Command(said) => f.write_str(said),
        }
    }
}

impl std::error::Error for BackupError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Git(error) => Some(error),
            Self::System(_, error) => Some(error),
            _ => None,
        }
    }
}

impl From<GitError> for BackupError {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}
