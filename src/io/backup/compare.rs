//! What restoring a backup would do to each path, compared with what is there now.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::content_path;
use super::manifest::{Content, Entry};
use super::read::Backup;
use crate::io::platform::file::{file_identity, is_same_file};

/// How many bytes are compared at once.
const CHUNK: usize = 1 << 16;

/// What restoring an entry would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Nothing is there, so it is made.
    Create,
    /// What is there is another one, and gives way.
    Replace,
    /// It is there as it was.
    None,
    /// It cannot be restored, for this reason.
    Blocked(&'static str),
}

/// An entry of a backup with what restoring it would do.
#[derive(Debug)]
pub struct Difference<'b> {
    /// The entry.
    pub entry: &'b Entry,
    /// What would be done.
    pub step: Step,
}

/// Returns what restoring a backup would do, at a path and below it or at every path.
pub fn differences<'b>(backup: &'b Backup, only: Option<&Path>) -> Vec<Difference<'b>> {
    let wanted = backup.manifest.entries.iter().filter(|entry| only.is_none_or(|path| entry.path.starts_with(path)));
    wanted.map(|entry| Difference { entry, step: step(backup, entry) }).collect()
}

fn step(backup: &Backup, entry: &Entry) -> Step {
    // The paths of a backup have no links in them: one that is there now leads elsewhere.
    let is_link = |above: &Path| fs::symlink_metadata(above).is_ok_and(|metadata| metadata.is_symlink());
    if entry.path.ancestors().skip(1).any(is_link) {
        return Step::Blocked("a directory above it is a link now");
    }
    let there = match fs::symlink_metadata(&entry.path) {
        Ok(metadata) => Some(metadata),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound) => None,
        Err(_) => return Step::Blocked("something is in the way"),
    };
    match &entry.content {
        Content::Directory => match there {
            None => Step::Create,
            Some(metadata) if metadata.is_dir() => Step::None,
            Some(_) => Step::Blocked("a file is in its place"),
        },
        Content::Link(target) => match there {
            None => Step::Create,
            Some(metadata) if metadata.is_dir() => Step::Blocked("a directory is in its place"),
            Some(_) if fs::read_link(&entry.path).is_ok_and(|now| now == Path::new(target)) => Step::None,
            Some(_) => Step::Replace,
        },
        Content::File { number, size, linked } => {
            let kept = content_path(&backup.directory, *number);
            file_step(&kept, (*size, linked.then_some(entry.modified)), &entry.path, there.as_ref())
        }
    }
}

/// Returns what restoring a file would do. `modified` is when it was last written, if it is kept under a second name.
fn file_step(kept: &Path, (size, modified): (u64, Option<i64>), path: &Path, there: Option<&Metadata>) -> Step {
    let Ok(metadata) = fs::symlink_metadata(kept) else { return Step::Blocked("its copy is missing") };
    if let Some(there) = there.filter(|_| modified.is_some())
        && there.is_file()
        && is_same_file(there, &metadata)
    {
        // The call did not delete it: it is the file itself.
        return Step::None;
    }
    let is_changed = modified.is_some_and(|modified| file_identity(&metadata).modified != modified);
    if !metadata.is_file() || metadata.len() != size || is_changed {
        return Step::Blocked("its copy was changed");
    }
    match there {
        None => Step::Create,
        Some(there) if there.is_dir() => Step::Blocked("a directory is in its place"),
        Some(there) if there.is_symlink() => Step::Replace,
        Some(there) if !there.is_file() => Step::Blocked("something is in its place that is no file"),
        Some(there) if there.len() == size && is_equal(kept, path).unwrap_or(false) => Step::None,
        Some(_) => Step::Replace,
    }
}

fn is_equal(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let (mut left, mut right) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    loop {
        left.clear();
        right.clear();
        let read = one.by_ref().take(CHUNK as u64).read_to_end(&mut left)?;
        other.by_ref().take(CHUNK as u64).read_to_end(&mut right)?;
        if left != right {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}
