//! Files that git does not track: which there are, and which of them the ignore files name.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::index::Index;
use super::repository::Repository;
use super::{Budget, GitError, read_file};
use crate::io::platform::file::{modified_nanoseconds, name_bytes, path_from_bytes};
use crate::io::platform::{env_path, home_directory};

/// The greatest size of an ignore file.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// How deep directories are followed.
const MAX_DEPTH: usize = 128;

/// A file that git does not track, or a directory without any file that it tracks.
#[derive(Debug, Clone)]
pub(super) struct UntrackedFile {
    /// The path from the root of the working tree, with slashes.
    pub(super) path: Vec<u8>,
    /// Its size in bytes; 0 for a directory.
    pub(super) size: u64,
    /// When it was last written, in nanoseconds since 1970.
    pub(super) modified: i64,
    /// Whether the ignore files name it or a directory that it is in.
    pub(super) is_ignored: bool,
    /// Whether it is a directory that is ignored as a whole, and was not looked into.
    pub(super) is_directory: bool,
}

/// What is in a directory besides files that git tracks.
#[derive(Debug, Default)]
pub(super) struct Untracked {
    /// The files.
    pub(super) files: Vec<UntrackedFile>,
    /// Directories that are repositories of their own.
    pub(super) repositories: Vec<PathBuf>,
}

/// Finds files that are not tracked.
pub(super) struct UntrackedWalk<'w> {
    root: &'w Path,
    index: &'w Index,
    budget: &'w Budget,
    /// Ignore files, those of the highest rank last.
    ignores: Vec<Gitignore>,
    /// Whether directories without tracked files are left out, as `git clean` without `-d` does.
    skips_new_directories: bool,
    found: Untracked,
}

impl<'w> UntrackedWalk<'w> {
    /// Prepares a search in the working tree of a repository.
    ///
    /// # Errors
    /// Returns that an ignore file cannot be read.
    pub(super) fn new(
        repository: &Repository,
        root: &'w Path,
        index: &'w Index,
        budget: &'w Budget,
    ) -> Result<Self, GitError> {
        let mut walk = Self {
            root,
            index,
            budget,
            ignores: Vec::new(),
            skips_new_directories: false,
            found: Untracked::default(),
        };
        let home = home_directory().map(PathBuf::from);
        let configured = repository.config()?.get("core.excludesfile").map(|path| match path.strip_prefix("~/") {
            Some(rest) => home.clone().unwrap_or_default().join(rest),
            None => PathBuf::from(path),
        });
        let usual = || {
            let settings = env_path("XDG_CONFIG_HOME").map(PathBuf::from);
            settings.or_else(|| Some(home.as_ref()?.join(".config"))).map(|directory| directory.join("git/ignore"))
        };
        for path in configured.or_else(usual).into_iter().chain([repository.common_dir.join("info/exclude")]) {
            walk.add_ignores(&path, root)?;
        }
        Ok(walk)
    }

    /// Leaves directories without tracked files out.
    #[must_use]
    pub(super) fn skipping_new_directories(self) -> Self {
        Self { skips_new_directories: true, ..self }
    }

    /// Adds the patterns of an ignore file, which are about paths below a directory.
    fn add_ignores(&mut self, path: &Path, directory: &Path) -> Result<bool, GitError> {
        let Some(bytes) = read_file(path, MAX_IGNORE_BYTES)? else { return Ok(false) };
        let mut builder = GitignoreBuilder::new(directory);
        for line in String::from_utf8_lossy(&bytes).lines() {
            // A pattern that cannot be read matches nothing, as it does for git.
            let _invalid = builder.add_line(None, line);
        }
        let built = builder.build().map_err(|_| GitError::Unsupported("an ignore file"))?;
        let is_new = !built.is_empty();
        if is_new {
            self.ignores.push(built);
        }
        Ok(is_new)
    }

    /// Returns what is not tracked at a path from the root: in a directory, or the file itself.
    ///
    /// # Errors
    /// Returns that a directory cannot be read, or that there was no time.
    pub(super) fn find(mut self, path: &[u8]) -> Result<Untracked, GitError> {
        let mut is_ignored = false;
        let mut at = Vec::new();
        let parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
        for (number, part) in parts.iter().enumerate() {
            self.enter(&at)?;
            if !at.is_empty() {
                at.push(b'/');
            }
            at.extend_from_slice(part);
            let full = self.full(&at)?;
            let Ok(metadata) = fs::symlink_metadata(&full) else { return Ok(self.found) };
            is_ignored = is_ignored || self.is_ignored(&full, metadata.is_dir());
            if !metadata.is_dir() {
                if number + 1 == parts.len() && self.index.below(&at).is_empty() {
                    self.add(at, &metadata, is_ignored);
                }
                return Ok(self.found);
            }
        }
        if is_ignored && self.index.below(&at).is_empty() {
            self.add_directory(at, true);
        } else {
            self.walk(&at, is_ignored, 0)?;
        }
        Ok(self.found)
    }

    fn full(&self, path: &[u8]) -> Result<PathBuf, GitError> {
        Ok(self.root.join(path_from_bytes(path).ok_or(GitError::Unsupported("a name that is not text"))?))
    }

    /// Reads the ignore file of a directory.
    fn enter(&mut self, path: &[u8]) -> Result<bool, GitError> {
        let directory = self.full(path)?;
        self.add_ignores(&directory.join(".gitignore"), &directory)
    }

    fn is_ignored(&self, full: &Path, is_directory: bool) -> bool {
        for ignore in self.ignores.iter().rev() {
            match ignore.matched(full, is_directory) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }

    fn add(&mut self, path: Vec<u8>, metadata: &fs::Metadata, is_ignored: bool) {
        let modified = modified_nanoseconds(metadata);
        self.found.files.push(UntrackedFile { path, size: metadata.len(), modified, is_ignored, is_directory: false });
    }

    fn add_directory(&mut self, path: Vec<u8>, is_ignored: bool) {
        self.found.files.push(UntrackedFile { path, size: 0, modified: 0, is_ignored, is_directory: true });
    }

    fn walk(&mut self, path: &[u8], is_ignored: bool, depth: usize) -> Result<(), GitError> {
        if depth > MAX_DEPTH {
            return Err(GitError::Unsupported("a directory this deep"));
        }
        let has_ignores = self.enter(path)?;
        let directory = self.full(path)?;
        if directory.join(".git").exists() && !path.is_empty() {
            self.found.repositories.push(directory);
            return Ok(());
        }
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            self.budget.spend(1)?;
            let name = name_bytes(&entry.file_name());
            if name.eq_ignore_ascii_case(b".git") {
                continue;
            }
            let mut below = path.to_owned();
            if !below.is_empty() {
                below.push(b'/');
            }
            below.extend(name);
            let kind = entry.file_type()?;
            let is_tracked = !self.index.below(&below).is_empty();
            if kind.is_dir() {
                let is_ignored = is_ignored || self.is_ignored(&entry.path(), true);
                if is_tracked {
                    self.walk(&below, is_ignored, depth + 1)?;
                } else if is_ignored {
                    self.add_directory(below, true);
                } else if !self.skips_new_directories {
                    self.walk(&below, is_ignored, depth + 1)?;
                }
            } else if !is_tracked {
                let is_ignored = is_ignored || self.is_ignored(&entry.path(), false);
                let metadata = entry.metadata()?;
                self.add(below, &metadata, is_ignored);
            }
        }
        if has_ignores {
            self.ignores.pop();
        }
        Ok(())
    }
}
