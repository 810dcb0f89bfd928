//! What decides what a command of git runs and shows in a directory: settings, hooks, the index, the trees.

use std::fs;
use std::path::{Path, PathBuf};

use super::budget::Budget;
use super::history::resolve;
use super::index::Index;
use super::object::{Objects, tree_entries};
use super::oid::Oid;
use super::{GitError, Repository};
use crate::domain::facts::proof::{Checkout, RevisionFiles};
use crate::io::platform::file::path_from_bytes;
use crate::io::platform::home_directory;

/// The greatest number of files of a tree that are listed.
const MAX_FILES: usize = 100_000;

/// Returns what a directory is to git. A directory that is not there belongs to the nearest one above it that is.
///
/// # Errors
/// Returns that the repository is damaged or of a kind that is not read.
pub fn checkout(directory: &Path) -> Result<Checkout, GitError> {
    let Some(directory) = directory.ancestors().find(|above| above.is_dir()) else { return Ok(Checkout::default()) };
    let Some(repository) = Repository::discover(directory)? else { return Ok(Checkout::default()) };
    let Some(root) = repository.work_tree.clone() else {
        return Err(GitError::Unsupported("a repository without a working tree"));
    };
    let settings = repository.config()?.all().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let (index, _) = Index::read(&repository)?;
    let mut found = Checkout { root: Some(text(&root)?), settings, hooks: hooks(&repository, &root)?, ..Checkout::default() };
    for entry in index.entries() {
        found.has_nested |= entry.mode & 0o170_000 == 0o160_000;
        let path = path_from_bytes(index.path(entry)).ok_or(GitError::Unsupported("a name that is no text"))?;
        found.tracked.push(text(&root.join(path))?);
    }
    Ok(found)
}

/// Returns the files of a revision, as absolute paths in the working tree.
pub fn revision_files(directory: &Path, revision: &str) -> RevisionFiles {
    match list(directory, revision) {
        Ok(files) => RevisionFiles::Paths(files),
        Err(GitError::UnknownRevision(_)) => RevisionFiles::Missing,
        Err(_) => RevisionFiles::Unknown,
    }
}

fn list(directory: &Path, revision: &str) -> Result<Vec<String>, GitError> {
    let none = || GitError::Unsupported("a directory of no repository");
    let repository = Repository::discover(directory)?.ok_or_else(none)?;
    let root = repository.work_tree.clone().ok_or_else(none)?;
    let budget = Budget::start();
    let objects = Objects::open(&repository, &budget)?;
    let (_, commit) = objects.commit(resolve(&repository, &objects, revision)?)?;
    let mut files = Vec::new();
    let mut left: Vec<(PathBuf, Oid)> = vec![(root, commit.tree)];
    while let Some((place, tree)) = left.pop() {
        let bytes = objects.tree(tree)?;
        for entry in tree_entries(&bytes) {
            let entry = entry?;
            let name = path_from_bytes(entry.name).ok_or(GitError::Unsupported("a name that is no text"))?;
            let path = place.join(name);
            if entry.mode & 0o170_000 == 0o040_000 {
                left.push((path, entry.oid));
            } else {
                files.push(text(&path)?);
            }
        }
        if files.len() > MAX_FILES {
            return Err(GitError::Exhausted);
        }
    }
    Ok(files)
}

/// Returns the names of the hooks of a repository.
fn hooks(repository: &Repository, root: &Path) -> Result<Vec<String>, GitError> {
    let named = repository.config()?.get("core.hookspath");
    let directory = match (named, named.and_then(|path| path.strip_prefix("~/"))) {
        (_, Some(below)) => PathBuf::from(home_directory().unwrap_or_default()).join(below),
        (Some(path), None) => root.join(path),
        (None, None) => repository.common_dir.join("hooks"),
    };
    let Ok(entries) = fs::read_dir(directory) else { return Ok(Vec::new()) };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    Ok(names.filter(|name| !name.ends_with(".sample")).collect())
}

fn text(path: &Path) -> Result<String, GitError> {
    let text = path.to_str().ok_or(GitError::Unsupported("a name that is no text"))?;
    Ok(text.replace('\\', "/"))
}
