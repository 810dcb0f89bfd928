//! What is lost with files and directories that are deleted or replaced, inside and outside of repositories.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::paths::Selection;
use super::tree::WorkTree;
use super::{commits, time_of};
use crate::domain::facts::loss::{Loss, LossKind};
use crate::io::git::{Budget, GitError, Repository};
use crate::io::platform::file::modified_nanoseconds;

/// How deep directories are followed.
const MAX_DEPTH: usize = 128;

/// Returns what is lost with each of some paths that are deleted.
pub(super) fn deleted(paths: &[String], more: u64, budget: &Budget) -> Vec<Loss> {
    let exists = |metadata: &Metadata| !metadata.is_symlink();
    each(paths, more, budget, &exists)
}

/// Returns what is lost with each of some files that get another content.
pub(super) fn overwritten(paths: &[String], more: u64, budget: &Budget) -> Vec<Loss> {
    let has_content = |metadata: &Metadata| metadata.is_file() && metadata.len() > 0;
    each(paths, more, budget, &has_content)
}

fn each(paths: &[String], more: u64, budget: &Budget, is_lost: &dyn Fn(&Metadata) -> bool) -> Vec<Loss> {
    // Files of one directory are mostly of one repository.
    let mut last: Option<(PathBuf, Option<Repository>)> = None;
    let one = |path: &String| {
        let mut loss = Loss::naming_more(more);
        let path = Path::new(path);
        let Some(metadata) = fs::symlink_metadata(path).ok().filter(is_lost) else { return loss };
        let directory = if metadata.is_dir() { path } else { path.parent().unwrap_or(path) };
        let found = match &mut last {
            Some((known, repository)) if known == directory => Ok(repository.as_ref()),
            _ => Repository::discover(directory).map(|found| last.insert((directory.to_owned(), found)).1.as_ref()),
        };
        let added = found.and_then(|repository| add_deleted(path, &metadata, repository, budget, &mut loss));
        if let Err(error) = added {
            loss.unknown = Some(error.to_string());
        }
        loss
    };
    paths.iter().map(one).collect()
}

fn add_deleted(
    path: &Path,
    metadata: &Metadata,
    repository: Option<&Repository>,
    budget: &Budget,
    loss: &mut Loss,
) -> Result<(), GitError> {
    budget.spend(1)?;
    let Some(repository) = repository else { return add_plain(path, metadata, 0, budget, loss) };
    let is_whole = repository.git_dir == path || repository.common_dir == path;
    if is_whole || repository.work_tree.as_deref() == Some(path) {
        return add_nested(repository.work_tree.as_deref().filter(|_| !is_whole).unwrap_or(path), budget, loss);
    }
    if path.starts_with(&repository.git_dir) || path.starts_with(&repository.common_dir) {
        return Err(GitError::Unsupported("a part of a repository's own files"));
    }
    WorkTree::open(repository, budget)?.add_deleted(path, loss)
}

/// Adds what is lost with a repository in a directory: its changes, and its own files where they are in it.
pub(super) fn add_nested(directory: &Path, budget: &Budget, loss: &mut Loss) -> Result<(), GitError> {
    let found = match Repository::at(directory)? {
        Some(found) => Some(found),
        None => Repository::discover(directory)?,
    };
    let Some(repository) = found else { return Ok(()) };
    if repository.work_tree.as_deref() == Some(directory) {
        WorkTree::open(&repository, budget)?.add_deleted(directory, loss)?;
    }
    // The files of a worktree or a submodule are elsewhere.
    if repository.common_dir.starts_with(directory) {
        commits::with_repository(&repository, budget, loss)?;
    }
    Ok(())
}

/// Adds what is lost with a worktree.
pub(super) fn add_worktree(path: &Path, budget: &Budget, loss: &mut Loss) -> Result<(), GitError> {
    let repository = Repository::at(path)?.ok_or(GitError::Unsupported("a worktree with another name"))?;
    let tree = WorkTree::open(&repository, budget)?;
    tree.add_deleted(path, loss)?;
    // What is staged has its index in the worktree.
    tree.add_staged(&Selection::all(), loss)?;
    if repository.head()?.branch().is_none() {
        commits::without_references(&repository, &["HEAD".to_owned()], None, budget, loss)?;
    }
    Ok(())
}

/// Adds files of no repository.
fn add_plain(path: &Path, metadata: &Metadata, depth: usize, budget: &Budget, loss: &mut Loss) -> Result<(), GitError> {
    if !metadata.is_dir() {
        let name = || path.to_string_lossy().replace('\\', "/");
        loss.add(LossKind::Untracked, name, metadata.len(), time_of(modified_nanoseconds(metadata)));
        return Ok(());
    }
    if depth > 0 && path.join(".git").exists() {
        return add_nested(path, budget, loss);
    }
    if depth > MAX_DEPTH {
        return Err(GitError::Unsupported("a directory this deep"));
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        budget.spend(1)?;
        add_plain(&entry.path(), &entry.metadata()?, depth + 1, budget, loss)?;
    }
    Ok(())
}
