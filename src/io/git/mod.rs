//! Git repositories, read from their own files.
//!
//! Git is never run, and nothing that a repository names is run: no hooks, no filters, no file system monitor. What is
//! read is bounded in time and in number, and whatever cannot be read is an error, never a guess.

mod budget;
pub mod checkout;
mod config;
mod config_syntax;
mod history;
mod index;
pub mod loss;
mod object;
mod oid;
mod pack;
mod refs;
mod repository;
pub mod state;
mod status;
mod untracked;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// How the names of references begin that backups keep commits by.
pub const BACKUP_REFERENCES: &str = "refs/ruleward/";

pub use budget::Budget;
pub use config::{Config, Upstream};
pub use oid::Oid;
pub use refs::{Head, Reference};
pub use repository::Repository;

/// The greatest size of a small file of a repository: a reference, a configuration file.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Why something in a repository is not known.
#[derive(Debug)]
pub enum GitError {
    /// The system could not read a file.
    Unreadable(io::Error),
    /// A file of the repository is not in the format that it must have.
    Malformed(&'static str),
    /// The repository uses something that is not read here.
    Unsupported(&'static str),
    /// An object is not in the repository: it is damaged, or a partial or shallow clone.
    MissingObject(Oid),
    /// A revision is not known.
    UnknownRevision(String),
    /// The time or the number of steps ran out.
    Exhausted,
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "a file of the repository could not be read: {error}"),
            Self::Malformed(what) => write!(f, "{what} is damaged"),
            Self::Unsupported(what) => write!(f, "{what} is not supported"),
            Self::MissingObject(oid) => write!(f, "the object {oid} is missing"),
            Self::UnknownRevision(text) => write!(f, "`{text}` is not a known revision"),
            Self::Exhausted => f.write_str("reading the repository took too long"),
        }
    }
}

impl std::error::Error for GitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for GitError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Reads a file of a repository that is at most `most` bytes long; `None` if it does not exist.
///
/// # Errors
/// Returns that it is no regular file, too large, or cannot be read.
fn read_file(path: &Path, most: u64) -> Result<Option<Vec<u8>>, GitError> {
    // Opening anything but a regular file might block.
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !metadata.is_file() {
        return Err(GitError::Malformed("a file of the repository"));
    }
    if metadata.len() > most {
        return Err(GitError::Unsupported("a file of this size in a repository"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default().saturating_add(1));
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Reads a small file of text of a repository; `None` if it does not exist.
///
/// # Errors
/// Returns that it is no text, too large, or cannot be read.
fn read_text(path: &Path) -> Result<Option<String>, GitError> {
    let Some(bytes) = read_file(path, MAX_TEXT_BYTES)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|_| GitError::Malformed("a text file of the repository"))
}
