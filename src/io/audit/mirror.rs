//! A second copy of the file of records, apart from it, so that a log that was deleted or shortened is
//! noticed and can be restored.
//!
//! Every record is appended to both. The log is the one that is read; the copy is only ever compared.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::chain::{LOCK_TIMEOUT, rotated_path};
use super::log_path;
use crate::io::files;
use crate::io::platform::Platform;

/// The directory of the copies that the check for tampering keeps, in the data directory of the program.
const SEAL_DIRECTORY: &str = "seal";

/// The name of the copy.
const MIRROR_FILE: &str = "audit.jsonl";

/// Returns the directory of what is needed to notice and undo tampering: apart from the state
/// directory, so that deleting one leaves the other.
pub fn seal_directory(platform: &Platform) -> Option<PathBuf> {
    platform.data_dir("ruleward").map(|directory| platform.join(&directory, &[SEAL_DIRECTORY]).into())
}

/// Returns the path of the copy.
pub(super) fn mirror_path(platform: &Platform) -> Option<PathBuf> {
    Some(seal_directory(platform)?.join(MIRROR_FILE))
}

/// Adds to the copy what was appended to the log, which had `before` bytes. The lock of the log is held.
pub(super) fn extend(mirror: &Path, log: &Path, before: u64, line: &str) -> io::Result<()> {
    files::create_private_directory(mirror.parent().unwrap_or(Path::new(".")))?;
    let mut copy = files::append_private(mirror)?;
    let length = copy.metadata()?.len();
    if length == before {
        return copy.write_all(line.as_bytes());
    }
    // The copy is new, or a writer was ended between the two.
    if length < before && is_prefix(mirror, log)? {
        let mut rest = File::open(log)?;
        rest.seek(SeekFrom::Start(length))?;
        io::copy(&mut rest, &mut copy)?;
    }
    Ok(())
}

/// How the log compares with its copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogState {
    /// It holds all that the copy holds, or there is no copy.
    Intact,
    /// It is not there.
    Deleted,
    /// It is shorter than the copy.
    Shortened,
    /// Its beginning is another.
    Replaced,
}

impl LogState {
    /// Says what became of the log.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Intact => "it is intact",
            Self::Deleted => "it was deleted",
            Self::Shortened => "records were removed from the end",
            Self::Replaced => "it was rewritten",
        }
    }
}

/// The log and its copy.
#[derive(Debug)]
pub struct MirroredLog {
    /// The log.
    pub log: PathBuf,
    mirror: PathBuf,
}

impl MirroredLog {
    /// Returns the log of this machine.
    pub fn open(platform: &Platform) -> Option<Self> {
        Self::with_copy_in(&seal_directory(platform)?, platform)
    }

    /// Returns the log of this machine, whose copy is in a directory that is known already.
    pub fn with_copy_in(directory: &Path, platform: &Platform) -> Option<Self> {
        Some(Self { log: log_path(platform)?, mirror: directory.join(MIRROR_FILE) })
    }

    /// Returns whether the log may have been deleted or shortened; costs two questions to the system.
    pub fn may_have_lost_records(&self) -> bool {
        let size = |path: &Path| fs::symlink_metadata(path).map_or(0, |metadata| metadata.len());
        size(&self.log) < size(&self.mirror)
    }

    /// Compares the log with its copy.
    pub fn compare(&self) -> LogState {
        // A writer is between the two while it holds the lock.
        let _held = files::lock(&self.log.with_extension("lock"), LOCK_TIMEOUT);
        if !self.mirror.is_file() {
            return LogState::Intact;
        }
        let Ok(there) = fs::symlink_metadata(&self.log) else { return LogState::Deleted };
        if !there.is_file() {
            return LogState::Replaced;
        }
        if is_prefix(&self.mirror, &self.log).unwrap_or(false) {
            return LogState::Intact;
        }
        // The copy is begun anew only after the log was.
        if is_prefix(&self.mirror, &rotated_path(&self.log, 1)).unwrap_or(false) {
            return LogState::Intact;
        }
        let length = fs::metadata(&self.mirror).map_or(0, |metadata| metadata.len());
        if there.len() < length { LogState::Shortened } else { LogState::Replaced }
    }

    /// Puts the copy in the place of the log. What was there is moved to `rejected`.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn restore(&self, rejected: &Path) -> io::Result<()> {
        let directory = self.log.parent().unwrap_or(Path::new("."));
        files::create_private_directory(directory)?;
        let _held = files::lock(&self.log.with_extension("lock"), LOCK_TIMEOUT);
        if fs::symlink_metadata(&self.log).is_ok() {
            files::move_aside(&self.log, rejected)?;
        }
        let content = fs::read(&self.mirror)?;
        files::write_private(&self.log, &content).map_err(io::Error::other)
    }

    /// Takes the log as it is; the copy is moved to `kept`.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn accept(&self, kept: &Path) -> io::Result<()> {
        fs::rename(&self.mirror, kept)?;
        match fs::read(&self.log) {
            Ok(content) => files::write_private(&self.mirror, &content).map_err(io::Error::other),
            Err(_) => Ok(()),
        }
    }
}

/// Returns whether a file begins with all that another holds.
fn is_prefix(beginning: &Path, whole: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(beginning)?, File::open(whole)?);
    let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let count = one.read(&mut left)?;
        if count == 0 {
            return Ok(true);
        }
        let Some(wanted) = right.get_mut(..count) else { return Ok(false) };
        match other.read_exact(wanted) {
            Ok(()) if left.get(..count) == Some(&*wanted) => {}
            Ok(()) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        }
    }
}
