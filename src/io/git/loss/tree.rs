//! What is lost of a working tree: changes of tracked files, and files that are not tracked.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::paths::{Selection, is_match, relative};
use super::{deletion, time_of};
use crate::domain::facts::loss::{Loss, LossKind, is_rebuildable};
use crate::io::git::history::resolve;
use crate::io::git::index::Index;
use crate::io::git::object::Objects;
use crate::io::git::status::{TreeLookup, changed_files, has_content, staged_paths};
use crate::io::git::untracked::{Untracked, UntrackedFile, UntrackedWalk};
use crate::io::git::{Budget, GitError, Oid, Repository};

/// The working tree of a repository.
pub(super) struct WorkTree<'r> {
    repository: &'r Repository,
    root: &'r Path,
    index: Index,
    index_time: Option<SystemTime>,
    objects: Objects<'r>,
    budget: &'r Budget,
}

/// What `git clean` deletes.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(super) struct Cleaned<'c> {
    /// Directories without tracked files as well.
    pub(super) directories: bool,
    /// Ignored files as well.
    pub(super) ignored: bool,
    /// Files that are not ignored.
    pub(super) untracked: bool,
    /// Repositories in directories as well.
    pub(super) repositories: bool,
    /// Patterns of what stays.
    pub(super) except: &'c [String],
}

impl<'r> WorkTree<'r> {
    /// Reads the index of a repository with a working tree.
    pub(super) fn open(repository: &'r Repository, budget: &'r Budget) -> Result<Self, GitError> {
        let root = repository.work_tree.as_deref().ok_or(GitError::Unsupported("a repository without working tree"))?;
        let (index, index_time) = Index::read(repository)?;
        let objects = Objects::open(repository, budget)?;
        Ok(Self { repository, root, index, index_time, objects, budget })
    }

    pub(super) const fn root(&self) -> &'r Path {
        self.root
    }

    fn full(&self, path: &[u8]) -> String {
        format!("{}/{}", self.root.to_string_lossy().trim_end_matches('/'), String::from_utf8_lossy(path))
    }

    /// Adds tracked files whose content on disk is not that of the index.
    pub(super) fn add_modified(&self, selection: &Selection, loss: &mut Loss) -> Result<HashSet<Vec<u8>>, GitError> {
        let entries = selection.entries(&self.index);
        let changed = changed_files(self.root, &self.index, &entries, self.index_time, self.budget)?;
        for file in &changed {
            loss.add(LossKind::Modified, || self.full(&file.path), file.size, time_of(file.modified));
        }
        Ok(changed.into_iter().map(|file| file.path).collect())
    }

    /// Adds tracked files whose content in the index no commit holds.
    pub(super) fn add_staged(&self, selection: &Selection, loss: &mut Loss) -> Result<(), GitError> {
        self.add_staged_except(selection, &HashSet::new(), loss)
    }

    fn add_staged_except(
        &self,
        selection: &Selection,
        known: &HashSet<Vec<u8>>,
        loss: &mut Loss,
    ) -> Result<(), GitError> {
        let entries = selection.entries(&self.index);
        for path in staged_paths(&self.index, &entries, self.head_tree()?, &self.objects)? {
            if !known.contains(&path) {
                loss.add(LossKind::Staged, || self.full(&path), 0, None);
            }
        }
        Ok(())
    }

    /// Adds tracked files of which a change is on disk or in the index alone.
    pub(super) fn add_changes(&self, selection: &Selection, loss: &mut Loss) -> Result<(), GitError> {
        let modified = self.add_modified(selection, loss)?;
        self.add_staged_except(selection, &modified, loss)
    }

    fn head_tree(&self) -> Result<Option<Oid>, GitError> {
        let Some(commit) = self.repository.head()?.commit() else { return Ok(None) };
        Ok(Some(self.objects.commit(commit)?.1.tree))
    }

    fn tree_of(&self, revision: &str) -> Result<Oid, GitError> {
        // A revision may name a tree itself: `HEAD:src`, or a name in digits.
        let oid = resolve(self.repository, &self.objects, revision)?;
        Ok(self.objects.commit(oid)?.1.tree)
    }

    /// Adds files that get the content of a revision, or of the index.
    pub(super) fn add_restored(
        &self,
        source: Option<&str>,
        staged: bool,
        paths: &[String],
        loss: &mut Loss,
    ) -> Result<(), GitError> {
        let selection = Selection::read(paths, self.root)?;
        let modified = self.add_modified(&selection, loss)?;
        if staged {
            self.add_staged_except(&selection, &modified, loss)?;
        }
        let Some(source) = source else { return Ok(()) };
        // What the revision has and the index has not.
        let mut lookup = TreeLookup::new(&self.objects, Some(self.tree_of(source)?));
        for file in self.untracked(&selection, false)?.files {
            let Some((mode, oid)) = lookup.find(&file.path)? else { continue };
            let is_link = mode & 0o170_000 == 0o120_000;
            if !file.is_directory && !has_content(self.root, &file.path, oid, is_link, self.budget)? {
                self.add_untracked(&file, loss);
            }
        }
        Ok(())
    }

    /// Adds what `git checkout` discards, whose first word may be a branch, a revision or a path.
    pub(super) fn add_checked_out(
        &self,
        directory: &Path,
        words: &[String],
        force: bool,
        loss: &mut Loss,
    ) -> Result<(), GitError> {
        let Some((first, rest)) = words.split_first() else {
            return Err(GitError::Unsupported("a list of paths in a file"));
        };
        let is_revision = first == "-"
            || match resolve(self.repository, &self.objects, first) {
                Ok(_) => true,
                Err(GitError::UnknownRevision(_)) => false,
                Err(error) => return Err(error),
            };
        let absolute = |path: &String| match path.as_str() {
            "." | "./" => directory.to_string_lossy().into_owned(),
            colon if colon.starts_with(':') => colon.to_owned(),
            path => normalized(&directory.join(path)).to_string_lossy().into_owned(),
        };
        if !is_revision {
            let paths: Vec<String> = words.iter().map(absolute).collect();
            return self.add_restored(None, false, &paths, loss);
        }
        if !rest.is_empty() {
            let paths: Vec<String> = rest.iter().map(absolute).collect();
            return self.add_restored(Some(first), true, &paths, loss);
        }
        if force { self.add_changes(&Selection::all(), loss) } else { Ok(()) }
    }

    /// Adds what `git clean` deletes.
    pub(super) fn add_cleaned(
        &self,
        selection: &Selection,
        cleaned: &Cleaned<'_>,
        loss: &mut Loss,
    ) -> Result<(), GitError> {
        let found = self.untracked(selection, !cleaned.directories)?;
        let stays = |path: &[u8]| {
            let mut names = path.split(|byte| *byte == b'/');
            cleaned.except.iter().any(|pattern| {
                let pattern = pattern.trim_matches('/').as_bytes();
                is_match(pattern, path) || names.any(|name| is_match(pattern, name))
            })
        };
        for file in &found.files {
            let is_meant = if file.is_ignored { cleaned.ignored } else { cleaned.untracked };
            let is_kept = file.is_directory && !cleaned.directories;
            if is_meant && !is_kept && selection.contains(&file.path) && !stays(&file.path) {
                self.add_untracked(file, loss);
            }
        }
        for repository in found.repositories.iter().filter(|_| cleaned.repositories) {
            deletion::add_nested(repository, self.budget, loss)?;
        }
        Ok(())
    }

    fn add_untracked(&self, file: &UntrackedFile, loss: &mut Loss) {
        let name = || self.full(&file.path);
        let kind = match file.is_ignored {
            false => LossKind::Untracked,
            true if is_rebuildable(&String::from_utf8_lossy(&file.path)) => LossKind::Rebuildable,
            true => LossKind::Ignored,
        };
        loss.add(kind, name, file.size, time_of(file.modified));
    }

    /// Finds what is not tracked among selected paths.
    fn untracked(&self, selection: &Selection, skips_new_directories: bool) -> Result<Untracked, GitError> {
        let mut all = Untracked::default();
        for start in selection.starts() {
            let walk = UntrackedWalk::new(self.repository, self.root, &self.index, self.budget)?;
            let walk = if skips_new_directories { walk.skipping_new_directories() } else { walk };
            let found = walk.find(&start)?;
            all.files.extend(found.files);
            all.repositories.extend(found.repositories);
        }
        Ok(all)
    }

    /// Adds what is lost when a path is deleted: changes, what is not tracked, and repositories in it.
    pub(super) fn add_deleted(&self, path: &Path, loss: &mut Loss) -> Result<(), GitError> {
        let relative = relative(path, self.root).ok_or(GitError::Unsupported("a path outside the repository"))?;
        let selection = Selection::path(relative);
        let modified = self.add_modified(&selection, loss)?;
        for entry in selection.entries(&self.index) {
            let path = self.index.path(&entry);
            if !modified.contains(path) && !entry.is_skipped {
                loss.add(LossKind::Committed, || self.full(path), u64::from(entry.size), None);
            }
        }
        let found = self.untracked(&selection, false)?;
        found.files.iter().for_each(|file| self.add_untracked(file, loss));
        for repository in &found.repositories {
            deletion::add_nested(repository, self.budget, loss)?;
        }
        Ok(())
    }
}

/// Returns a path without `.` and `..`, which are resolved by text.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => _ = out.pop(),
            std::path::Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}
