//! What a backup of a loss keeps besides files: references whose commits nothing else holds, and what only the index
//! has.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::paths::relative;
use crate::domain::shell::Discarded;
use crate::io::git::index::Index;
use crate::io::git::object::Objects;
use crate::io::git::{Budget, GitError, Head, Oid, Repository};

/// A reference that a command takes away or moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostReference {
    /// The directory of git's files that all worktrees share.
    pub common_dir: PathBuf,
    /// The root of the working tree.
    pub work_tree: PathBuf,
    /// Its full name, or `HEAD`.
    pub name: String,
    /// The object that it leads to.
    pub target: Oid,
}

/// A file as the index has it.
#[derive(Debug, Clone)]
pub struct StagedFile {
    /// The path from the root of the working tree, with slashes.
    pub path: String,
    /// Its mode in the index.
    pub mode: u32,
    /// Its content.
    pub content: Rc<[u8]>,
}

/// Returns the references that a command of git takes away or moves. `stashed` are the names of stash entries.
///
/// # Errors
/// Returns that the repository cannot be read, or that the command takes more than references away.
pub fn lost_references(directory: &Path, what: &Discarded, stashed: &[&str]) -> Result<Vec<LostReference>, GitError> {
    let repository = open(directory)?;
    let names = match what {
        Discarded::Stash(_) => {
            let entries = stashed.iter().filter_map(|name| Some(("refs/stash".to_owned(), Oid::parse(name)?)));
            return Ok(entries.map(|(name, target)| reference(&repository, name, target)).collect());
        }
        Discarded::Branches { names, remote } => {
            let start = if *remote { "refs/remotes/" } else { "refs/heads/" };
            names.iter().map(|name| format!("{start}{name}")).collect()
        }
        Discarded::MoveBranch(name) => vec![format!("refs/heads/{name}")],
        Discarded::Reset { .. } => match repository.head()? {
            Head::Branch { name, .. } => vec![name],
            Head::Detached(target) => return Ok(vec![reference(&repository, "HEAD".to_owned(), target)]),
        },
        _ => return Err(GitError::Unsupported("commits of a repository that is deleted")),
    };
    let mut found = Vec::new();
    for name in names {
        if let Some(target) = repository.resolve_ref(&name)? {
            found.push(reference(&repository, name, target));
        }
    }
    Ok(found)
}

fn open(directory: &Path) -> Result<Repository, GitError> {
    Repository::discover(directory)?.ok_or(GitError::Unsupported("a directory of no repository"))
}

fn reference(repository: &Repository, name: String, target: Oid) -> LostReference {
    let work_tree = repository.work_tree.clone().unwrap_or_else(|| repository.common_dir.clone());
    LostReference { common_dir: repository.common_dir.clone(), work_tree, name, target }
}

/// Returns the root of the working tree that a directory is in, and what its index has of some absolute paths.
///
/// # Errors
/// Returns that the repository cannot be read.
pub fn staged_files(directory: &Path, paths: &[&str]) -> Result<(PathBuf, Vec<StagedFile>), GitError> {
    let repository = open(directory)?;
    let root = repository.work_tree.clone().ok_or(GitError::Unsupported("a repository without working tree"))?;
    let budget = Budget::start();
    let (index, _) = Index::read(&repository)?;
    let objects = Objects::open(&repository, &budget)?;
    let mut found = Vec::new();
    for path in paths {
        let inside = relative(Path::new(path), &root).ok_or(GitError::Unsupported("a path outside the repository"))?;
        for entry in index.below(&inside).iter().filter(|entry| index.path(entry) == inside.as_slice()) {
            let path =
                String::from_utf8(inside.clone()).map_err(|_| GitError::Unsupported("a name that is no text"))?;
            found.push(StagedFile { path, mode: entry.mode, content: objects.read(entry.oid)?.bytes });
        }
    }
    Ok((root, found))
}
