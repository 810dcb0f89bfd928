//! The index: the files that the next commit will have, and what they were on disk when they were last compared.

use std::ops::Range;

use sha1::{Digest as _, Sha1};

use super::oid::Oid;
use super::repository::Repository;
use super::{GitError, read_file};

/// The greatest size of an index: two million files.
const MAX_BYTES: u64 = 256 << 20;

/// The greatest size of an index whose checksum is compared: it would take too long for a larger one.
const MAX_CHECKED_BYTES: usize = 4 << 20;

/// The size of an entry before its extended flags and its name.
const FIXED_BYTES: usize = 62;

const DAMAGED: GitError = GitError::Malformed("the index");

/// The index of a worktree.
#[derive(Debug, Default)]
pub(super) struct Index {
    names: Vec<u8>,
    entries: Vec<Entry>,
    /// The cached trees of directories, the root first.
    trees: Vec<CachedTree>,
}

/// A file of the index.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    name: Range<usize>,
    /// When it was changed in any way, in seconds and nanoseconds since 1970.
    pub(super) changed: (u32, u32),
    /// When its content was changed.
    pub(super) modified: (u32, u32),
    /// The lower half of the number of the file.
    pub(super) inode: u32,
    /// The lower half of its size.
    pub(super) size: u32,
    /// The mode: `0o100644`, `0o100755`, `0o120000` for a link, `0o160000` for a submodule, `0o40000` for a
    /// directory of which a sparse checkout has nothing.
    pub(super) mode: u32,
    /// The content.
    pub(super) oid: Oid,
    /// The side of a conflict; 0 where there is none.
    pub(super) stage: u8,
    /// Whether a sparse checkout leaves the file out.
    pub(super) is_skipped: bool,
    /// Whether only the name is in the index so far.
    pub(super) is_intent: bool,
}

/// A directory whose tree is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CachedTree {
    /// The path, with a slash at its end; empty for the root.
    pub(super) path: Vec<u8>,
    /// The tree; `None` if the directory has changed since.
    pub(super) oid: Option<Oid>,
}

impl Index {
    /// Reads the index of a worktree; an empty one if there is none.
    ///
    /// # Errors
    /// Returns that it is damaged, or of a kind that is not read here.
    pub(super) fn read(repository: &Repository) -> Result<(Self, Option<std::time::SystemTime>), GitError> {
        let path = repository.git_dir.join("index");
        let Some(bytes) = read_file(&path, MAX_BYTES)? else { return Ok((Self::default(), None)) };
        let written = std::fs::metadata(&path)?.modified().ok();
        Ok((Self::parse(&bytes)?, written))
    }

    /// Returns the files in the order of their paths.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the path of a file, with slashes.
    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        self.names.get(entry.name.clone()).unwrap_or_default()
    }

    /// Returns the cached trees of directories, the root first.
    pub(super) fn trees(&self) -> &[CachedTree] {
        &self.trees
    }

    /// Returns the files below a directory, and the file of that very name. An empty path is the root.
    pub(super) fn below(&self, directory: &[u8]) -> &[Entry] {
        if directory.is_empty() {
            return &self.entries;
        }
        let start = self.entries.partition_point(|entry| self.path(entry) < directory);
        let rest = self.entries.get(start..).unwrap_or_default();
        let is_inside = |entry: &Entry| {
            let rest = self.path(entry).strip_prefix(directory);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        };
        // Between a directory and what is in it there may be names such as `a.b` and `a-b`.
        let first = rest.iter().take_while(|entry| self.path(entry) == directory).count();
        if first > 0 {
            return rest.get(..first).unwrap_or_default();
        }
        let skipped = rest.partition_point(|entry| {
            let path = self.path(entry);
            !is_inside(entry) && path < [directory, b"/"].concat().as_slice()
        });
        let rest = rest.get(skipped..).unwrap_or_default();
        rest.get(..rest.partition_point(is_inside)).unwrap_or_default()
    }

    fn parse(bytes: &[u8]) -> Result<Self, GitError> {
        // The last bytes are a checksum, which a program may leave out.
        let (bytes, checksum) = bytes.split_last_chunk::<{ Oid::LENGTH }>().ok_or(DAMAGED)?;
        let is_checked = bytes.len() <= MAX_CHECKED_BYTES && !Oid::new(*checksum).is_null();
        if is_checked && Sha1::digest(bytes).as_slice() != checksum {
            return Err(DAMAGED);
        }
        if bytes.get(..4) != Some(b"DIRC") {
            return Err(DAMAGED);
        }
        let version = number(bytes, 4)?;
        if !(2..=4).contains(&version) {
            return Err(GitError::Unsupported("this version of the index"));
        }
        let count = usize::try_from(number(bytes, 8)?).map_err(|_| DAMAGED)?;
        if count > bytes.len() / FIXED_BYTES {
            return Err(DAMAGED);
        }
        let mut index = Self {
            names: Vec::with_capacity(bytes.len().saturating_sub(count * FIXED_BYTES)),
            entries: Vec::with_capacity(count),
            trees: Vec::new(),
        };
        let mut at = 12;
        for _ in 0..count {
            at = index.add_entry(bytes, at, version == 4)?;
        }
        index.add_extensions(bytes, at)?;
        Ok(index)
    }

    /// Reads the entry at a place, and returns where the next one is.
    fn add_entry(&mut self, bytes: &[u8], start: usize, is_compressed: bool) -> Result<usize, GitError> {
        let fixed = bytes.get(start..start + FIXED_BYTES).ok_or(DAMAGED)?;
        let field = |at: usize| number(fixed, at);
        let flags = u16::from_be_bytes(*fixed.last_chunk().ok_or(DAMAGED)?);
        let mut at = start + FIXED_BYTES;
        let mut extended = 0;
        if flags & 0x4000 != 0 {
            extended = u16::from_be_bytes(*bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or(DAMAGED)?);
            at += 2;
        }
        let begin = self.names.len();
        if is_compressed {
            let (cut, length) = variable_number(bytes.get(at..).unwrap_or_default())?;
            at += length;
            let previous = self.entries.last().map_or(0..0, |entry| entry.name.clone());
            let kept = previous.len().checked_sub(cut).ok_or(DAMAGED)?;
            self.names.extend_from_within(previous.start..previous.start + kept);
        }
        let rest = bytes.get(at..).unwrap_or_default();
        // The length is known for all but very long names; version 4 has the whole length.
        let known = usize::from(flags & 0x0fff);
        let own = known.checked_sub(self.names.len() - begin).filter(|_| known < 0x0fff);
        let length = match own.filter(|length| rest.get(*length) == Some(&0)) {
            Some(length) => length,
            None => memchr::memchr(0, rest).ok_or(DAMAGED)?,
        };
        self.names.extend_from_slice(rest.get(..length).ok_or(DAMAGED)?);
        at += length;
        at = if is_compressed { at + 1 } else { start + (at - start + 8) / 8 * 8 };
        let path = self.names.get(begin..).unwrap_or_default();
        if path.is_empty() || self.entries.last().is_some_and(|last| self.path(last) > path) {
            return Err(DAMAGED);
        }
        let entry = Entry {
            name: begin..self.names.len(),
            changed: (field(0)?, field(4)?),
            modified: (field(8)?, field(12)?),
            inode: field(20)?,
            mode: field(24)?,
            size: field(36)?,
            oid: Oid::from_bytes(fixed.get(40..).unwrap_or_default())?,
            stage: u8::try_from(flags >> 12 & 3).unwrap_or_default(),
            is_skipped: extended & 0x4000 != 0,
            is_intent: extended & 0x2000 != 0,
        };
        self.entries.push(entry);
        Ok(at)
    }

    fn add_extensions(&mut self, bytes: &[u8], start: usize) -> Result<(), GitError> {
        let mut rest = bytes.get(start..).ok_or(DAMAGED)?;
        while let Some((name, behind)) = rest.split_first_chunk::<4>() {
            let size = usize::try_from(number(behind, 0)?).map_err(|_| DAMAGED)?;
            let (content, next) = behind.get(4..).and_then(|it| it.split_at_checked(size)).ok_or(DAMAGED)?;
            match name {
                b"TREE" => self.trees = parse_trees(content).ok_or(DAMAGED)?,
                b"link" => return Err(GitError::Unsupported("an index in two files")),
                // Git, too, refuses what it does not know, unless the name begins with a capital.
                b"sdir" | [b'A'..=b'Z', ..] => {}
                _ => return Err(GitError::Unsupported("an extension of the index")),
            }
            rest = next;
        }
        if rest.is_empty() { Ok(()) } else { Err(DAMAGED) }
    }
}

/// Reads the cached trees: for each directory its name, how many files and directories it has, and its tree.
fn parse_trees(bytes: &[u8]) -> Option<Vec<CachedTree>> {
    let mut trees = Vec::new();
    let mut rest = bytes;
    // The directories that are open, each with how many directories in it are left.
    let mut open: Vec<(Vec<u8>, usize)> = Vec::new();
    while !rest.is_empty() {
        let end = memchr::memchr(0, rest)?;
        let (name, behind) = rest.split_at_checked(end)?;
        let line_end = memchr::memchr(b'\n', behind)?;
        let counts = std::str::from_utf8(behind.get(1..line_end)?).ok()?;
        let (files, directories) = counts.split_once(' ')?;
        let (files, directories) = (files.parse::<i64>().ok()?, directories.parse::<usize>().ok()?);
        rest = behind.get(line_end + 1..)?;
        let oid = if files >= 0 {
            let (oid, next) = rest.split_at_checked(Oid::LENGTH)?;
            rest = next;
            Oid::from_bytes(oid).ok()
        } else {
            None
        };
        while open.last().is_some_and(|(_, left)| *left == 0) {
            open.pop();
        }
        let mut path = open.last().map(|(path, _)| path.clone()).unwrap_or_default();
        if let Some((_, left)) = open.last_mut() {
            *left -= 1;
            path.extend_from_slice(name);
            path.push(b'/');
        }
        trees.push(CachedTree { path: path.clone(), oid });
        open.push((path, directories));
    }
    Some(trees)
}

fn number(bytes: &[u8], at: usize) -> Result<u32, GitError> {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|four| u32::from_be_bytes(*four)).ok_or(DAMAGED)
}

/// Reads a number of seven bits in a byte, the highest first, and returns how long it is.
fn variable_number(bytes: &[u8]) -> Result<(usize, usize), GitError> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().take(8).enumerate() {
        value |= usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Ok((value, at + 1));
        }
        value = (value + 1) << 7;
    }
    Err(DAMAGED)
}

#[cfg(test)]
mod tests {
    use super::{CachedTree, Index, parse_trees};
    use crate::io::git::Oid;

    #[test]
    fn damaged_bytes_are_errors_and_never_panics() {
        let mut whole = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
        whole.extend([0; 60]);
        whole.extend(b"\0\x01a\0");
        let entries = whole.len();
        whole.extend(b"TREE\0\0\0\x06\x001 0\n");
        for end in 0..whole.len() {
            let part = [whole.get(..end).unwrap(), &[0; 20]].concat();
            assert_eq!(Index::parse(&part).is_ok(), end == entries, "{end}");
        }
        for at in 0..whole.len() {
            for byte in [0, 0xff, 0x7f, 4] {
                let mut changed = [whole.as_slice(), &[0; 20]].concat();
                changed[at] = byte;
                let _read = Index::parse(&changed);
            }
        }
    }

    #[test]
    fn cached_trees_have_paths() {
        let mut bytes = Vec::new();
        bytes.extend(b"\x004 2\n");
        bytes.extend([1; 20]);
        bytes.extend(b"a\x00-1 1\nb\x001 0\n");
        bytes.extend([2; 20]);
        bytes.extend(b"c\x001 0\n");
        bytes.extend([3; 20]);
        let tree = |path: &str, byte: Option<u8>| CachedTree {
            path: path.into(),
            oid: byte.map(|byte| Oid::from_bytes(&[byte; 20]).unwrap()),
        };
        assert_eq!(
            parse_trees(&bytes).unwrap(),
            [tree("", Some(1)), tree("a/", None), tree("a/b/", Some(2)), tree("c/", Some(3))]
        );
    }
}
