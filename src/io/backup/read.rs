//! Reads backups that are complete.

use std::fs;
use std::path::{Path, PathBuf};

use super::manifest::{Header, Manifest};
use super::{BackupError, HEADER_FILE, MANIFEST_FILE, PARTIAL_PREFIX, content_path};
use crate::io::files::read_private;

/// The greatest size of what a backup says of itself.
const MAX_HEADER_BYTES: u64 = 1 << 16;

/// The greatest size of the list of what is in a backup.
const MAX_MANIFEST_BYTES: u64 = 1 << 30;

/// A backup with the list of what is in it.
#[derive(Debug)]
pub struct Backup {
    /// What it is about.
    pub header: Header,
    /// What is in it.
    pub manifest: Manifest,
    /// Its directory.
    pub directory: PathBuf,
}

impl Backup {
    /// Reads a backup.
    ///
    /// # Errors
    /// Returns that it is damaged, or that somebody else may have written it.
    pub fn open(root: &Path, header: Header) -> Result<Self, BackupError> {
        let directory = root.join(&header.id);
        let manifest = read(&directory.join(MANIFEST_FILE), MAX_MANIFEST_BYTES)?;
        Ok(Self { header, manifest, directory })
    }

    /// Returns the text of a content; `None` if it is no text.
    pub fn text(&self, number: u32) -> Option<String> {
        fs::read_to_string(content_path(&self.directory, number)).ok()
    }
}

/// Returns what every complete backup is about, the oldest first, and those that cannot be read.
pub fn backups(root: &Path) -> (Vec<Header>, Vec<BackupError>) {
    let (mut found, mut damaged) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(PARTIAL_PREFIX) {
            continue;
        }
        match read::<Header>(&entry.path().join(HEADER_FILE), MAX_HEADER_BYTES) {
            Ok(header) if name.to_str() == Some(&header.id) => found.push(header),
            Ok(_) => damaged.push(BackupError::Damaged(entry.path())),
            Err(error) => damaged.push(error),
        }
    }
    found.sort_by(|one, other| (one.time, &one.id).cmp(&(other.time, &other.id)));
    (found, damaged)
}

/// Reads a file of a backup that nobody but the user can have written.
pub(super) fn read<T: serde::de::DeserializeOwned>(path: &Path, most: u64) -> Result<T, BackupError> {
    let bytes = read_private(path, most).map_err(|error| BackupError::Unknown(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| BackupError::Damaged(path.to_owned()))?;
    serde_json::from_slice(&bytes).map_err(|_| BackupError::Damaged(path.to_owned()))
}
