//! Restores files: each in one step, after what it replaces was saved.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::compare::{Difference, Step};
use super::manifest::{Content, Entry, Header};
use super::read::Backup;
use super::take::save_replaced;
use super::{BackupError, content_path};
use crate::io::platform::file::{make_file_link, set_mode, writable_mode};

/// What a restoration did.
#[derive(Debug, Default)]
pub struct Restored {
    /// The paths that were restored.
    pub paths: Vec<PathBuf>,
    /// What could not be restored.
    pub failures: Vec<BackupError>,
    /// The backup of what was replaced.
    pub replaced: Option<Header>,
}

/// Restores what differs. What is replaced is saved in a backup of its own first.
///
/// # Errors
/// Returns that what would be replaced cannot be saved; then nothing is restored.
pub fn restore(root: &Path, backup: &Backup, differences: &[Difference<'_>]) -> Result<Restored, BackupError> {
    let mut restored = Restored::default();
    let replaced: Vec<&Path> =
        differences.iter().filter(|it| it.step == Step::Replace).map(|it| it.entry.path.as_path()).collect();
    if !replaced.is_empty() {
        restored.replaced = Some(save_replaced(root, &replaced, &backup.header)?);
    }
    let is_changed = |it: &&Difference<'_>| matches!(it.step, Step::Create | Step::Replace);
    let changed: Vec<&Entry> = differences.iter().filter(is_changed).map(|it| it.entry).collect();
    for entry in &changed {
        match restore_entry(backup, entry) {
            Ok(()) => restored.paths.push(entry.path.clone()),
            Err(error) => restored.failures.push(error),
        }
    }
    // A directory may be closed for writing, and its time changes with what is made in it.
    for entry in changed.iter().rev().filter(|entry| entry.content == Content::Directory) {
        if let Err(error) = set_mode(&entry.path, entry.mode) {
            restored.failures.push(BackupError::System(entry.path.clone(), error));
        }
        // Where directories cannot be opened, they keep the time of their restoration.
        let _set = File::open(&entry.path).and_then(|directory| directory.set_modified(time(entry.modified)));
    }
    Ok(restored)
}

fn restore_entry(backup: &Backup, entry: &Entry) -> Result<(), BackupError> {
    let path = &entry.path;
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(BackupError::at(parent))?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.restored", std::process::id()));
    let fresh = path.with_file_name(name);
    let made = match &entry.content {
        Content::Directory => return fs::create_dir_all(path).map_err(BackupError::at(path)),
        Content::Link(target) => make_file_link(target, &fresh),
        Content::File { number, .. } => copy(&content_path(&backup.directory, *number), &fresh, entry),
    };
    let done = made.and_then(|()| fs::rename(&fresh, path));
    if done.is_err() {
        // It may not even be there; the error that counts is the one above.
        let _gone = fs::remove_file(&fresh);
    }
    done.map_err(BackupError::at(path))
}

/// Copies a file with its time and its permissions.
fn copy(from: &Path, to: &Path, entry: &Entry) -> std::io::Result<()> {
    fs::copy(from, to)?;
    // The time can only be set on a file that may be written.
    set_mode(to, writable_mode(entry.mode))?;
    let file = File::options().write(true).open(to)?;
    file.set_modified(time(entry.modified))?;
    file.sync_all()?;
    set_mode(to, entry.mode)
}

fn time(nanoseconds: i64) -> SystemTime {
    let duration = Duration::from_nanos(nanoseconds.unsigned_abs());
    if nanoseconds < 0 { SystemTime::UNIX_EPOCH - duration } else { SystemTime::UNIX_EPOCH + duration }
}
