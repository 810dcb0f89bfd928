//! What decides what a command of git runs and shows in a directory: settings, hooks, the index, the trees.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::budget::Budget;
use super::history::resolve;
use super::index::Index;
use super::object::{Objects, tree_entries};
use super::oid::Oid;
use super::status::has_content;
use super::{GitError, Repository};
use crate::domain::facts::proof::deciding::GENERATED_DIRECTORIES;
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
    let mut found =
        Checkout { root: Some(text(&root)?), settings, hooks: hooks(&repository, &root)?, ..Checkout::default() };
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

/// Returns the commit that is checked out where a directory belongs to a repository.
///
/// # Errors
/// Returns that the repository is damaged or of a kind that is not read.
pub fn head_commit(directory: &Path) -> Result<Option<String>, GitError> {
    let Some(directory) = directory.ancestors().find(|above| above.is_dir()) else { return Ok(None) };
    let Some(repository) = Repository::discover(directory)? else { return Ok(None) };
    Ok(repository.head()?.commit().map(|commit| commit.to_string()))
}

/// Returns the files that a test chooses by their path in the working tree, and that are on disk with another content
/// than in a commit, are not on disk, or are not in the commit. What is installed or built is left out.
///
/// # Errors
/// Returns that the repository cannot be read, or not in time.
pub fn changed_since(
    directory: &Path,
    commit: &str,
    is_chosen: &dyn Fn(&str) -> bool,
) -> Result<Vec<String>, GitError> {
    let tree = CommittedTree::open(directory, commit)?;
    let root = text(&tree.root)?;
    let mut changed = Vec::new();
    let mut known = HashSet::new();
    let budget = Budget::start();
    for (path, mode, oid) in &tree.files {
        let Some(below) = path.strip_prefix(&format!("{root}/")).filter(|below| is_chosen(below)) else { continue };
        known.insert(path.clone());
        let is_same = has_content(&tree.root, below.as_bytes(), *oid, mode & 0o170_000 == 0o120_000, &budget);
        if !is_same.unwrap_or(false) {
            changed.push(path.clone());
        }
    }
    let mut left = vec![tree.root.clone()];
    let mut entries = 0;
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            entries += 1;
            if entries > MAX_FILES {
                return Err(GitError::Exhausted);
            }
            let path = text(&entry.path())?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                let is_generated = GENERATED_DIRECTORIES.iter().any(|known| name.as_os_str() == *known);
                left.extend((!is_generated).then(|| entry.path()));
                continue;
            }
            let below = path.strip_prefix(&format!("{root}/")).unwrap_or_default();
            if is_chosen(below) && !known.contains(&path) {
                changed.push(path);
            }
        }
    }
    Ok(changed)
}

fn list(directory: &Path, revision: &str) -> Result<Vec<String>, GitError> {
    Ok(CommittedTree::open(directory, revision)?.files.into_iter().map(|(path, ..)| path).collect())
}

/// The files of a commit, with their absolute paths in the working tree, modes and objects.
struct CommittedTree {
    root: PathBuf,
    files: Vec<(String, u32, Oid)>,
}

impl CommittedTree {
    fn open(directory: &Path, revision: &str) -> Result<Self, GitError> {
        let none = || GitError::Unsupported("a directory of no repository");
        let repository = Repository::discover(directory)?.ok_or_else(none)?;
        let root = repository.work_tree.clone().ok_or_else(none)?;
        let budget = Budget::start();
        let objects = Objects::open(&repository, &budget)?;
        let (_, commit) = objects.commit(resolve(&repository, &objects, revision)?)?;
        let mut files = Vec::new();
        let mut left: Vec<(PathBuf, Oid)> = vec![(root.clone(), commit.tree)];
        while let Some((place, tree)) = left.pop() {
            let bytes = objects.tree(tree)?;
            for entry in tree_entries(&bytes) {
                let entry = entry?;
                let name = path_from_bytes(entry.name).ok_or(GitError::Unsupported("a name that is no text"))?;
                let path = place.join(name);
                if entry.mode & 0o170_000 == 0o040_000 {
                    left.push((path, entry.oid));
                } else {
                    files.push((text(&path)?, entry.mode, entry.oid));
                }
            }
            if files.len() > MAX_FILES {
                return Err(GitError::Exhausted);
            }
        }
        Ok(Self { root, files })
    }
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
    let found = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    Ok(found.filter(|name| !name.ends_with(".sample")).collect())
}

fn text(path: &Path) -> Result<String, GitError> {
    let text = path.to_str().ok_or(GitError::Unsupported("a name that is no text"))?;
    Ok(text.replace('\\', "/"))
}
