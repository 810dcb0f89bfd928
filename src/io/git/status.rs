//! Which tracked files differ: the working tree from the index, and the index from a commit.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use super::index::{Entry, Index};
use super::object::{Objects, blob_name, tree_entries};
use super::oid::Oid;
use super::{Budget, GitError};
use crate::io::platform::file::{FileIdentity, HAS_FILE_NUMBERS, StatReader, path_from_bytes};

/// The greatest number of threads that look at files.
const MAX_THREADS: usize = 8;

/// The number of files from which on several threads pay off.
const MIN_FILES_PER_THREAD: usize = 2048;

/// The greatest size of a file whose content is compared.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// How many bytes of content count as one step.
const BYTES_PER_STEP: usize = 1 << 14;

/// A tracked file that is there and not as the index has it.
#[derive(Debug, Clone)]
pub(super) struct ChangedFile {
    /// The path from the root of the working tree, with slashes.
    pub(super) path: Vec<u8>,
    /// Its size in bytes.
    pub(super) size: u64,
    /// When it was last written, in nanoseconds since 1970.
    pub(super) modified: i64,
}

/// Returns the files of the index that are on disk with another content. A file that is not there has nothing to
/// lose, nor has a submodule, which is a repository of its own.
///
/// # Errors
/// Returns that there was no time, or that a file could not be read.
pub(super) fn changed_files(
    root: &Path,
    index: &Index,
    entries: &[Entry],
    index_time: Option<SystemTime>,
    budget: &Budget,
) -> Result<Vec<ChangedFile>, GitError> {
    let since = index_time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let index_time = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default();
    let compare = Comparison { root, index, index_time, budget };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    let threads = threads.min(entries.len() / MIN_FILES_PER_THREAD).max(1);
    if threads == 1 {
        return compare.changed(entries);
    }
    let share = entries.len().div_ceil(threads);
    thread::scope(|scope| {
        let running: Vec<_> = entries.chunks(share).map(|part| scope.spawn(|| compare.changed(part))).collect();
        let mut all = Vec::new();
        for thread in running {
            // A panic of a thread is one of the caller.
            all.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(all)
    })
}

struct Comparison<'c> {
    root: &'c Path,
    index: &'c Index,
    index_time: i64,
    budget: &'c Budget,
}

impl Comparison<'_> {
    fn changed(&self, entries: &[Entry]) -> Result<Vec<ChangedFile>, GitError> {
        let mut reader = StatReader::new(self.root)?;
        let mut changed: Vec<ChangedFile> = Vec::new();
        for entry in entries {
            self.budget.spend(1)?;
            let path = self.index.path(entry);
            if matches!(entry.mode & 0o170_000, 0o160_000 | 0o040_000) {
                continue;
            }
            // The sides of a conflict follow each other.
            if entry.stage > 0 && changed.last().is_some_and(|last| last.path == path) {
                continue;
            }
            let Some(found) = reader.identity(path)? else { continue };
            if entry.stage > 0 || !self.is_same(entry, path, found)? {
                let (size, modified) = (found.size, found.modified);
                changed.push(ChangedFile { path: path.to_owned(), size, modified });
            }
        }
        Ok(changed)
    }

    fn is_same(&self, entry: &Entry, path: &[u8], found: FileIdentity) -> Result<bool, GitError> {
        if entry.is_intent {
            return Ok(false);
        }
        if is_same_stat(entry, found) && found.modified < self.index_time {
            return Ok(true);
        }
        let kind = found.mode & 0o170_000;
        if HAS_FILE_NUMBERS && kind != entry.mode & 0o170_000 {
            return Ok(false);
        }
        has_content(self.root, path, entry.oid, entry.mode & 0o170_000 == 0o120_000, self.budget)
    }
}

/// Returns whether nothing tells a file from the one that the index was compared with. A mode that has become
/// executable is no loss.
fn is_same_stat(entry: &Entry, found: FileIdentity) -> bool {
    let is_same_time = |(seconds, nanoseconds): (u32, u32), time: i64| {
        i64::from(seconds) == (time.div_euclid(1_000_000_000) & 0xffff_ffff)
            && (nanoseconds == 0 || i64::from(nanoseconds) == time.rem_euclid(1_000_000_000))
    };
    let numbers = !HAS_FILE_NUMBERS
        || (u64::from(entry.inode) == found.inode & 0xffff_ffff
            && is_same_time(entry.changed, found.changed)
            && entry.mode & 0o170_000 == found.mode & 0o170_000);
    numbers && u64::from(entry.size) == found.size & 0xffff_ffff && is_same_time(entry.modified, found.modified)
}

/// Returns whether a file has the content of a name, also with line ends that git would convert.
///
/// # Errors
/// Returns that the file cannot be read, is too large, or that there is no time.
pub(super) fn has_content(
    root: &Path,
    path: &[u8],
    oid: Oid,
    is_link: bool,
    budget: &Budget,
) -> Result<bool, GitError> {
    let full = root.join(path_from_bytes(path).ok_or(GitError::Unsupported("a name that is not text"))?);
    if is_link && let Ok(target) = fs::read_link(&full) {
        let target = target.to_string_lossy().replace('\\', "/");
        return Ok(blob_name(target.as_bytes()) == oid);
    }
    let metadata = fs::symlink_metadata(&full)?;
    if !metadata.is_file() {
        return Ok(false);
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(GitError::Unsupported("a file of this size"));
    }
    let mut content = Vec::new();
    let mut file = fs::File::open(&full)?.take(MAX_FILE_BYTES);
    loop {
        let read = file.by_ref().take(1 << 20).read_to_end(&mut content)?;
        budget.spend(u32::try_from(read / BYTES_PER_STEP).unwrap_or(u32::MAX))?;
        if read == 0 {
            break;
        }
    }
    if blob_name(&content) == oid {
        return Ok(true);
    }
    let has_returns = content.windows(2).any(|pair| pair == b"\r\n");
    Ok(has_returns && blob_name(&without_returns(&content)) == oid)
}

fn without_returns(content: &[u8]) -> Vec<u8> {
    let next = content.iter().skip(1).chain([&0]);
    content.iter().zip(next).filter(|(byte, next)| (**byte, **next) != (b'\r', b'\n')).map(|(byte, _)| *byte).collect()
}

/// Returns the paths below a directory whose content in the index no commit holds: it is not the one of the tree.
/// A path that only the tree has is none of them.
///
/// # Errors
/// Returns that an object is missing or damaged, or that there was no time.
pub(super) fn staged_paths(
    index: &Index,
    entries: &[Entry],
    tree: Option<Oid>,
    objects: &Objects<'_>,
) -> Result<Vec<Vec<u8>>, GitError> {
    // Where the whole index is one tree, the trees alone are compared.
    let root = index.trees().first().and_then(|root| root.oid);
    if root.is_some() && root == tree {
        return Ok(Vec::new());
    }
    let cached = index.trees().iter().filter_map(|tree| Some((tree.path.as_slice(), tree.oid?)));
    let mut lookup = TreeLookup { objects, tree, known: BTreeMap::new() };
    let cached: BTreeMap<&[u8], Oid> = cached.collect();
    let mut staged: Vec<Vec<u8>> = Vec::new();
    let mut unchanged: Option<&[u8]> = None;
    for entry in entries {
        let path = index.path(entry);
        if unchanged.is_some_and(|directory| path.starts_with(directory)) {
            continue;
        }
        objects.budget().spend(1)?;
        // The highest directory of the path that is the same in both.
        for (at, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let directory = path.get(..=at).unwrap_or_default();
            let Some(own) = cached.get(directory) else { continue };
            if lookup.find(directory.get(..at).unwrap_or_default())?.is_some_and(|(_, oid)| oid == *own) {
                unchanged = Some(directory);
                break;
            }
        }
        if unchanged.is_some_and(|directory| path.starts_with(directory)) {
            continue;
        }
        let trimmed = path.strip_suffix(b"/").unwrap_or(path);
        let is_held = lookup.find(trimmed)?.is_some_and(|(_, oid)| oid == entry.oid);
        // A conflict is one of the working tree, and a submodule's commit is held by the submodule.
        let is_content = entry.stage == 0 && !entry.is_intent && entry.mode & 0o170_000 != 0o160_000;
        if is_content && !is_held {
            staged.push(path.to_owned());
        }
    }
    Ok(staged)
}

/// Finds paths in a tree.
pub(super) struct TreeLookup<'t> {
    objects: &'t Objects<'t>,
    tree: Option<Oid>,
    /// Directories that were looked up before.
    known: BTreeMap<Vec<u8>, Option<Oid>>,
}

impl<'t> TreeLookup<'t> {
    /// Looks paths up in a tree; without one, nothing is found.
    pub(super) const fn new(objects: &'t Objects<'t>, tree: Option<Oid>) -> Self {
        Self { objects, tree, known: BTreeMap::new() }
    }

    /// Returns the mode and the object of a path.
    ///
    /// # Errors
    /// Returns that a tree is missing or damaged, or that there was no time.
    pub(super) fn find(&mut self, path: &[u8]) -> Result<Option<(u32, Oid)>, GitError> {
        let (directory, name) = match path.iter().rposition(|byte| *byte == b'/') {
            Some(at) => (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default()),
            None => (&[][..], path),
        };
        let Some(tree) = self.directory(directory)? else { return Ok(None) };
        let bytes = self.objects.tree(tree)?;
        for entry in tree_entries(&bytes) {
            let entry = entry?;
            if entry.name == name {
                return Ok(Some((entry.mode, entry.oid)));
            }
        }
        Ok(None)
    }

    fn directory(&mut self, path: &[u8]) -> Result<Option<Oid>, GitError> {
        if path.is_empty() {
            return Ok(self.tree);
        }
        if let Some(known) = self.known.get(path) {
            return Ok(*known);
        }
        let found = self.find(path)?.filter(|(mode, _)| mode & 0o170_000 == 0o040_000).map(|(_, oid)| oid);
        self.known.insert(path.to_owned(), found);
        Ok(found)
    }
}
