//! Removes backups: those whose time is over, the oldest when there are too many, and those that were interrupted.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::manifest::{Header, Manifest, ReferenceEntry};
use super::read::{backups, read};
use super::{MANIFEST_FILE, PARTIAL_PREFIX, REFERENCES_FILE, references, take};

/// The greatest number of backups.
const MAX_BACKUPS: usize = 500;

/// The greatest size of all backups together, in bytes.
const MAX_TOTAL_BYTES: u64 = 2_000_000_000;

/// How long a backup may take at most; one that was begun before was interrupted.
const MAX_DURATION: Duration = Duration::from_hours(1);

/// The greatest size of a list of references.
const MAX_LIST_BYTES: u64 = 1 << 30;

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The number of backups.
    pub count: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Removes what a new backup of this size makes too much, what is over, and what was interrupted.
pub(super) fn remove_expired(root: &Path, coming: u64) {
    let now = take::now();
    let (headers, _) = backups(root);
    let mut total = headers.iter().fold(coming, |sum, header| sum.saturating_add(header.bytes));
    let mut count = headers.len() + 1;
    for header in &headers {
        let is_over = header.time.saturating_add(header.keep.saturating_mul(1_000)) < now;
        if is_over || total > MAX_TOTAL_BYTES || count > MAX_BACKUPS {
            remove_complete(root, header, references::release);
            total = total.saturating_sub(header.bytes);
            count -= 1;
        }
    }
    remove_interrupted(root);
}

/// Removes the backups that a person chooses.
pub fn prune(root: &Path, is_chosen: impl Fn(&Header) -> bool) -> Pruned {
    let mut pruned = Pruned::default();
    for header in backups(root).0.iter().filter(|header| is_chosen(header)) {
        remove_complete(root, header, references::drop_packed);
        pruned.count += 1;
        pruned.bytes = pruned.bytes.saturating_add(header.bytes);
    }
    remove_interrupted(root);
    pruned
}

fn remove_interrupted(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let is_partial = entry.file_name().to_string_lossy().starts_with(PARTIAL_PREFIX);
        let begun = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let age = begun.and_then(|begun| SystemTime::now().duration_since(begun).ok());
        if is_partial && age.is_some_and(|age| age > MAX_DURATION) {
            remove(&entry.path());
        }
    }
}

/// Removes a complete backup. It is renamed first, so that a part of one is never listed.
fn remove_complete(root: &Path, header: &Header, release: fn(&ReferenceEntry)) {
    let partial = root.join(format!("{PARTIAL_PREFIX}{}", header.id));
    if fs::rename(root.join(&header.id), &partial).is_err() {
        // Another hook was faster.
        return;
    }
    if let Ok(manifest) = read::<Manifest>(&partial.join(MANIFEST_FILE), MAX_LIST_BYTES) {
        manifest.references.iter().for_each(release);
    }
    // What is left of it is removed with those that were interrupted.
    let _gone = fs::remove_dir_all(&partial);
}

/// Removes a backup that is not complete, with the references that were made for it.
pub(super) fn remove(partial: &Path) {
    let listed = read::<Vec<ReferenceEntry>>(&partial.join(REFERENCES_FILE), MAX_LIST_BYTES);
    listed.into_iter().flatten().for_each(|entry| references::release(&entry));
    // What is left of it is removed another time.
    let _gone = fs::remove_dir_all(partial);
}
