//! Objects: commits and trees, loose or in packs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use sha1::{Digest as _, Sha1};

use super::oid::Oid;
use super::pack::Pack;
use super::repository::Repository;
use super::{Budget, GitError, read_file, read_text};

/// The greatest size of an object that is read.
pub(super) const MAX_OBJECT_BYTES: usize = 16 << 20;

/// How many directories of objects one repository borrows from.
const MAX_ALTERNATES: usize = 8;

/// The greatest number of trees that are kept.
const MAX_CACHED: usize = 1024;

/// The kinds of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectKind {
    /// A commit.
    Commit,
    /// A directory.
    Tree,
    /// The content of a file.
    Blob,
    /// The annotation of a tag.
    Tag,
}

impl ObjectKind {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "commit" => Self::Commit,
            "tree" => Self::Tree,
            "blob" => Self::Blob,
            "tag" => Self::Tag,
            _ => return None,
        })
    }
}

/// An object with its content.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// The kind.
    pub(super) kind: ObjectKind,
    /// The content.
    pub(super) bytes: Rc<[u8]>,
}

/// What is needed of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit {
    /// The tree.
    pub(super) tree: Oid,
    /// The parents.
    pub(super) parents: Vec<Oid>,
    /// When it was committed, in seconds since 1970.
    pub(super) time: i64,
}

/// An entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeEntry<'t> {
    /// The mode: `0o40000` is a directory, `0o160000` a submodule.
    pub(super) mode: u32,
    /// The name.
    pub(super) name: &'t [u8],
    /// The object.
    pub(super) oid: Oid,
}

/// The objects of a repository.
#[derive(Debug)]
pub(super) struct Objects<'r> {
    directories: Vec<PathBuf>,
    packs: RefCell<Option<Rc<[Pack]>>>,
    /// Commits that a shallow clone has without their parents.
    shallow: Vec<Oid>,
    cache: RefCell<HashMap<Oid, Object>>,
    budget: &'r Budget,
}

impl<'r> Objects<'r> {
    /// Finds the objects of a repository.
    ///
    /// # Errors
    /// Returns that files of the repository cannot be read.
    pub(super) fn open(repository: &Repository, budget: &'r Budget) -> Result<Self, GitError> {
        let mut directories = vec![repository.common_dir.join("objects")];
        let mut at = 0;
        while let Some(directory) = directories.get(at).cloned() {
            at += 1;
            for line in read_text(&directory.join("info/alternates"))?.unwrap_or_default().lines() {
                if directories.len() >= MAX_ALTERNATES {
                    return Err(GitError::Unsupported("a repository with too many alternates"));
                }
                if !line.is_empty() && !line.starts_with('#') {
                    directories.push(directory.join(line));
                }
            }
        }
        let shallow = read_text(&repository.common_dir.join("shallow"))?.unwrap_or_default();
        let shallow = shallow.lines().filter_map(Oid::parse).collect();
        // Replaced objects would have other parents.
        if fs::read_dir(repository.common_dir.join("refs/replace")).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(GitError::Unsupported("a repository with replaced objects"));
        }
        Ok(Self { directories, packs: RefCell::default(), shallow, cache: RefCell::default(), budget })
    }

    /// Reads an object.
    ///
    /// # Errors
    /// Returns that it is missing, damaged or too large, or that there is no time left.
    pub(super) fn read(&self, oid: Oid) -> Result<Object, GitError> {
        if let Some(known) = self.cache.borrow().get(&oid) {
            return Ok(known.clone());
        }
        self.budget.spend(1)?;
        let object = match self.read_loose(oid)? {
            Some(found) => found,
            None => self.read_packed(oid)?.ok_or(GitError::MissingObject(oid))?,
        };
        let mut cache = self.cache.borrow_mut();
        if cache.len() < MAX_CACHED {
            cache.insert(oid, object.clone());
        }
        Ok(object)
    }

    /// Returns whether an object is there.
    ///
    /// # Errors
    /// Returns that the packs cannot be read.
    pub(super) fn contains(&self, oid: Oid) -> Result<bool, GitError> {
        if self.directories.iter().any(|directory| loose_path(directory, oid).is_file()) {
            return Ok(true);
        }
        for pack in self.packs()?.iter() {
            if pack.find(oid)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the object whose name begins with some digits, if there is exactly one.
    ///
    /// # Errors
    /// Returns that the objects cannot be listed.
    pub(super) fn find_abbreviated(&self, digits: &str) -> Result<Option<Oid>, GitError> {
        let digits = digits.to_ascii_lowercase();
        if !(4..Oid::LENGTH * 2).contains(&digits.len()) || !digits.bytes().all(|it| it.is_ascii_hexdigit()) {
            return Ok(None);
        }
        let mut found: Vec<Oid> = Vec::new();
        let (first, rest) = digits.split_at_checked(2).unwrap_or_default();
        for directory in &self.directories {
            for entry in fs::read_dir(directory.join(first)).into_iter().flatten() {
                self.budget.spend(1)?;
                let name = entry?.file_name().to_string_lossy().into_owned();
                found.extend(Oid::parse(&format!("{first}{name}")).filter(|_| name.starts_with(rest)));
            }
        }
        for pack in self.packs()?.iter() {
            pack.find_abbreviated(&digits, &mut found)?;
        }
        found.sort_unstable();
        found.dedup();
        Ok(found.first().copied().filter(|_| found.len() == 1))
    }

    fn read_loose(&self, oid: Oid) -> Result<Option<Object>, GitError> {
        let damaged = || GitError::Malformed("an object");
        for directory in &self.directories {
            let Some(packed) = read_file(&loose_path(directory, oid), MAX_OBJECT_BYTES as u64)? else { continue };
            let bytes = decompress_to_vec_zlib_with_limit(&packed, MAX_OBJECT_BYTES).map_err(|_| damaged())?;
            let end = bytes.iter().position(|byte| *byte == 0).ok_or_else(damaged)?;
            let header = bytes.get(..end).and_then(|header| std::str::from_utf8(header).ok()).ok_or_else(damaged)?;
            let (kind, size) = header.split_once(' ').ok_or_else(damaged)?;
            let content = bytes.get(end + 1..).unwrap_or_default();
            if size.parse() != Ok(content.len()) {
                return Err(damaged());
            }
            let kind = ObjectKind::from_name(kind).ok_or_else(damaged)?;
            return Ok(Some(Object { kind, bytes: content.into() }));
        }
        Ok(None)
    }

    fn read_packed(&self, oid: Oid) -> Result<Option<Object>, GitError> {
        for pack in self.packs()?.iter() {
            if let Some(offset) = pack.find(oid)? {
                return pack.read(offset, self).map(Some);
            }
        }
        Ok(None)
    }

    fn packs(&self) -> Result<Rc<[Pack]>, GitError> {
        if let Some(known) = self.packs.borrow().as_ref() {
            return Ok(Rc::clone(known));
        }
        let mut found = Vec::new();
        for directory in &self.directories {
            for entry in fs::read_dir(directory.join("pack")).into_iter().flatten() {
                self.budget.spend(1)?;
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "idx") {
                    found.push(Pack::open(&path)?);
                }
            }
        }
        let found: Rc<[Pack]> = found.into();
        *self.packs.borrow_mut() = Some(Rc::clone(&found));
        Ok(found)
    }

    /// Returns the budget that reading takes its steps from.
    pub(super) const fn budget(&self) -> &'r Budget {
        self.budget
    }

    /// Reads a commit; an annotated tag leads to its commit.
    ///
    /// # Errors
    /// Returns that there is no such commit, or that it cannot be read.
    pub(super) fn commit(&self, oid: Oid) -> Result<(Oid, Commit), GitError> {
        let mut oid = oid;
        for _ in 0..4 {
            let object = self.read(oid)?;
            match object.kind {
                ObjectKind::Commit => {
                    let mut commit = parse_commit(&object.bytes)?;
                    if self.shallow.contains(&oid) {
                        commit.parents.clear();
                    }
                    return Ok((oid, commit));
                }
                ObjectKind::Tag => oid = tag_target(&object.bytes)?,
                ObjectKind::Tree | ObjectKind::Blob => break,
            }
        }
        Err(GitError::Malformed("a reference to a commit"))
    }

    /// Reads a tree.
    ///
    /// # Errors
    /// Returns that it is missing or damaged.
    pub(super) fn tree(&self, oid: Oid) -> Result<Rc<[u8]>, GitError> {
        let object = self.read(oid)?;
        if object.kind == ObjectKind::Tree { Ok(object.bytes) } else { Err(GitError::Malformed("a tree")) }
    }
}

fn loose_path(directory: &Path, oid: Oid) -> PathBuf {
    let name = oid.to_string();
    let (first, rest) = name.split_at_checked(2).unwrap_or_default();
    directory.join(first).join(rest)
}

/// Returns the entries of a tree in order.
///
/// # Errors
/// Each entry is an error if the tree is damaged there.
pub(super) fn tree_entries(mut bytes: &[u8]) -> impl Iterator<Item = Result<TreeEntry<'_>, GitError>> {
    std::iter::from_fn(move || {
        (!bytes.is_empty()).then(|| {
            let parsed = parse_tree_entry(bytes).ok_or(GitError::Malformed("a tree"));
            match parsed {
                Ok((entry, rest)) => {
                    bytes = rest;
                    Ok(entry)
                }
                Err(error) => {
                    bytes = &[];
                    Err(error)
                }
            }
        })
    })
}

fn parse_tree_entry(bytes: &[u8]) -> Option<(TreeEntry<'_>, &[u8])> {
    let blank = bytes.iter().position(|byte| *byte == b' ')?;
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let mode = u32::from_str_radix(std::str::from_utf8(bytes.get(..blank)?).ok()?, 8).ok()?;
    let name = bytes.get(blank + 1..end).filter(|name| !name.is_empty())?;
    let (oid, rest) = bytes.get(end + 1..)?.split_at_checked(Oid::LENGTH)?;
    Some((TreeEntry { mode, name, oid: Oid::from_bytes(oid).ok()? }, rest))
}

fn parse_commit(bytes: &[u8]) -> Result<Commit, GitError> {
    let damaged = || GitError::Malformed("a commit");
    let header = bytes.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
    let (mut tree, mut parents, mut time) = (None, Vec::new(), None);
    for line in header {
        let line = String::from_utf8_lossy(line);
        match line.split_once(' ') {
            Some(("tree", oid)) => tree = Oid::parse(oid),
            Some(("parent", oid)) => parents.push(Oid::parse(oid).ok_or_else(damaged)?),
            Some(("committer", who)) => time = who.rsplit(' ').nth(1).and_then(|seconds| seconds.parse().ok()),
            _ => {}
        }
    }
    Ok(Commit { tree: tree.ok_or_else(damaged)?, parents, time: time.unwrap_or_default() })
}

fn tag_target(bytes: &[u8]) -> Result<Oid, GitError> {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let name = line.strip_prefix(b"object ").and_then(|oid| std::str::from_utf8(oid).ok());
    name.and_then(Oid::parse).ok_or(GitError::Malformed("a tag"))
}

/// Returns the name that a content has as a file.
pub(super) fn blob_name(content: &[u8]) -> Oid {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", content.len()));
    hash.update(content);
    Oid::new(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::{blob_name, parse_commit, tag_target, tree_entries};

    #[test]
    fn contents_have_the_names_that_git_gives_them() {
        assert_eq!(blob_name(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_name(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }

    #[test]
    fn damaged_objects_are_errors() {
        for bytes in [&b""[..], b"tree 12", b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent x\n"] {
            assert!(parse_commit(bytes).is_err());
        }
        assert!(tag_target(b"object 1\n").is_err());
        for bytes in [
            &b"100644"[..],
            b"100644 a\0short",
            b"9 a\x000123456789012345678901234",
            b"100644 \x0001234567890123456789",
        ] {
            assert!(tree_entries(bytes).all(|entry| entry.is_err()));
            assert_eq!(tree_entries(bytes).count(), 1);
        }
    }
}
