//! A watched path: what it was when it was sealed, and what it is now.

use std::fs::{self, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::io::files::digest;
use crate::io::platform::file::{FileIdentity, file_identity};

/// Bytes that a file may have of which a copy is kept.
const MAX_COPY: u64 = 1 << 20;

/// What a watched path is to the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// A policy of the person or of the machine, or a file that it extends.
    Policy,
    /// A policy of the project, which may change with its version control.
    ProjectPolicy,
    /// A settings file of a host, which the host itself writes as well.
    Settings,
    /// The program that runs as the hook.
    Program,
    /// A directory of records that permit something.
    Store,
    /// A record that permits something.
    Grant,
}

/// A path that is to be watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedPath {
    /// The path.
    pub path: String,
    /// What it is to the guard.
    pub role: Role,
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum Presence {
    /// Nothing.
    #[default]
    Absent,
    /// A file, directly or over a link.
    File,
    /// A directory.
    Directory,
    /// Something that cannot be read, or that is neither.
    Other,
}

/// A watched path as it was sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub path: String,
    pub role: Role,
    /// What tells cheaply whether it is unchanged; see [`stamp`].
    pub stamp: u64,
    pub details: EntryDetails,
}

/// What is needed of an entry only when its stamp differs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct EntryDetails {
    pub presence: Presence,
    /// The permissions of the file, of the link's target where it is a link.
    pub mode: u32,
    /// Where a link leads, as it is written.
    pub link: Option<String>,
    /// The hash of the content, where it is small enough to be copied; of a program, its size.
    pub hash: String,
}

impl Entry {
    /// Returns whether it is what it was, whatever the system says of times.
    pub(super) fn has_same_content(&self, now: &Self) -> bool {
        self.details == now.details
    }
}

/// A path as it is now.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub entry: Entry,
    /// The content of a file that is small enough to be copied.
    pub content: Option<Vec<u8>>,
}

impl Snapshot {
    /// Looks at a path.
    pub(super) fn take(path: &str, role: Role) -> Self {
        let at = Path::new(path);
        // First the stamp: what changes while the file is read is noticed the next time.
        let stamp = stamp(path, role);
        let mut details = EntryDetails::default();
        let mut content = None;
        let own = fs::symlink_metadata(at);
        if own.as_ref().is_ok_and(Metadata::is_symlink) {
            details.link = fs::read_link(at).ok().map(|target| target.to_string_lossy().into_owned());
        }
        match fs::metadata(at) {
            Ok(metadata) => {
                details.mode = file_identity(&metadata).mode;
                details.presence = if metadata.is_file() {
                    Presence::File
                } else if metadata.is_dir() {
                    Presence::Directory
                } else {
                    Presence::Other
                };
                if role == Role::Program {
                    let FileIdentity { device, inode, size, modified, .. } = file_identity(&metadata);
                    details.hash = format!("{device}:{inode}:{size}:{modified}");
                } else if details.presence == Presence::File {
                    content = read_small(at, metadata.len());
                    match &content {
                        Some(bytes) => details.hash = digest::sha256(bytes),
                        // Also a file that may not be read any more is another one than before.
                        None => details.hash = format!("{} bytes", metadata.len()),
                    }
                    if content.is_none() && metadata.len() <= MAX_COPY {
                        details.presence = Presence::Other;
                    }
                }
            }
            Err(error) if details.link.is_none() && is_absent(&error) => details.presence = Presence::Absent,
            Err(_) => details.presence = Presence::Other,
        }
        Self { entry: Entry { path: path.to_owned(), role, stamp, details }, content }
    }
}

/// Returns the content of a file that is small enough to be copied.
fn read_small(path: &Path, size: u64) -> Option<Vec<u8>> {
    if size > MAX_COPY {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(MAX_COPY + 1).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

pub(super) fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The stamp of a path at which nothing is.
const ABSENT: u64 = 0;
/// The stamp of a path that cannot be looked at.
const UNREADABLE: u64 = 1;

/// Returns a number that differs when a path is another file, or the file was changed: of its device, its
/// number, size, permissions and times; of a link, also of what it leads to.
pub(super) fn stamp(path: &str, role: Role) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(own) => {
            let first = mix_identity(&own, role);
            if !own.is_symlink() {
                return first;
            }
            let target = fs::metadata(path).map_or(UNREADABLE, |metadata| mix_identity(&metadata, role));
            mix(first, target)
        }
        Err(error) if is_absent(&error) => ABSENT,
        Err(_) => UNREADABLE,
    }
}

fn mix_identity(metadata: &Metadata, role: Role) -> u64 {
    let FileIdentity { device, inode, size, mode, modified, changed } = file_identity(metadata);
    // A link to the program, as package managers make it, is no change of the program.
    let changed = if role == Role::Program { 0 } else { changed };
    [inode, size, u64::from(mode), modified.cast_unsigned(), changed.cast_unsigned()].into_iter().fold(device, mix)
}

/// Mixes a number into a hash: for comparing, not against somebody who searches for collisions.
pub(super) const fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1)
}

/// Returns the hash of texts, by which sections and calls are found.
pub fn key_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    texts.into_iter().fold(0x5eed, |hash, text| {
        let mut chunks = text.as_bytes().chunks_exact(8);
        let mut hash = mix(hash, text.len() as u64);
        for chunk in chunks.by_ref() {
            hash = mix(hash, chunk.try_into().map_or(0, u64::from_le_bytes));
        }
        chunks.remainder().iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)))
    })
}

/// Returns when what is at a path, or the directory that it is missing from, was last changed, in
/// nanoseconds since 1970.
pub(super) fn change_time(path: &str) -> i64 {
    let of = |metadata: Metadata| file_identity(&metadata).changed;
    let own = fs::symlink_metadata(path).map(of).ok();
    let target = fs::metadata(path).map(of).ok();
    own.max(target).unwrap_or_else(|| {
        let above = Path::new(path).ancestors().skip(1).find_map(|above| fs::symlink_metadata(above).ok());
        above.map_or(i64::MAX, of)
    })
}

#[cfg(test)]
mod tests {
    use super::key_of;

    #[test]
    fn keys_tell_texts_apart() {
        assert_ne!(key_of(["ab", "c"]), key_of(["a", "bc"]));
        assert_ne!(key_of(["/home/u/project-1"]), key_of(["/home/u/project-2"]));
        assert_eq!(key_of(["/home/u/project-1"]), key_of(["/home/u/project-1"]));
    }
}
