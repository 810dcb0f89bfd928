//! Where a repository is: the directory of its files, and the directory of the working tree.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use super::config::Config;
use super::{GitError, read_text};
use crate::io::platform::is_variable_set;

/// The variables that lead git to another repository than the one of the directory.
const VARIABLES: &[&str] = &["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"];

/// A repository, as it is seen from one of its worktrees.
#[derive(Debug)]
pub struct Repository {
    /// The directory of what belongs to the worktree: `HEAD`, the index.
    pub git_dir: PathBuf,
    /// The directory of what all worktrees share: references, objects, the configuration.
    pub common_dir: PathBuf,
    /// The directory of the working tree; `None` in a bare repository.
    pub work_tree: Option<PathBuf>,
    config: OnceCell<Config>,
}

impl Repository {
    /// Returns the repository that a directory belongs to; `None` if it belongs to none.
    ///
    /// # Errors
    /// Returns that the repository is of a kind that is not supported, or that its files are damaged.
    pub fn discover(directory: &Path) -> Result<Option<Self>, GitError> {
        if VARIABLES.iter().any(|name| is_variable_set(name)) {
            return Err(GitError::Unsupported("a repository set by environment variables"));
        }
        for above in directory.ancestors() {
            if let Some(found) = Self::at(above)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns the repository right at a directory, bare or with its working tree there; `None` if there is none.
    ///
    /// # Errors
    /// As [`Repository::discover`].
    pub fn at(directory: &Path) -> Result<Option<Self>, GitError> {
        let entry = directory.join(".git");
        let named = match fs::symlink_metadata(&entry) {
            Ok(metadata) if metadata.is_file() => {
                let text = read_text(&entry)?.unwrap_or_default();
                let path = text.strip_prefix("gitdir:").ok_or(GitError::Malformed("the file `.git`"))?;
                Some(directory.join(path.trim()))
            }
            Ok(_) => Some(entry),
            Err(_) => None,
        };
        let (git_dir, work_tree) = match named {
            Some(git_dir) if is_git_directory(&git_dir) => (git_dir, Some(directory.to_owned())),
            // A file that leads nowhere is an error of git's as well; an empty directory is none.
            Some(git_dir) if git_dir != directory.join(".git") => {
                return Err(GitError::Malformed("the directory that `.git` names"));
            }
            _ if is_git_directory(directory) => (directory.to_owned(), None),
            _ => return Ok(None),
        };
        let common_dir = match read_text(&git_dir.join("commondir"))? {
            Some(path) => git_dir.join(path.trim()),
            None => git_dir.clone(),
        };
        let mut found = Self { git_dir, common_dir, work_tree, config: OnceCell::new() };
        found.check_format()?;
        found.locate_work_tree()?;
        Ok(Some(found))
    }

    /// Returns the configuration.
    ///
    /// # Errors
    /// Returns that a file of it is damaged or cannot be read.
    pub fn config(&self) -> Result<&Config, GitError> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = Config::read(self)?;
        Ok(self.config.get_or_init(|| config))
    }

    /// Refuses formats that are not read here.
    fn check_format(&self) -> Result<(), GitError> {
        let config = self.config()?;
        if config.get("extensions.objectformat").is_some_and(|format| !format.eq_ignore_ascii_case("sha1")) {
            return Err(GitError::Unsupported("a repository with names in SHA-256"));
        }
        if config.get("extensions.refstorage").is_some_and(|format| !format.eq_ignore_ascii_case("files")) {
            return Err(GitError::Unsupported("a repository whose references are not files"));
        }
        let version = config.get("core.repositoryformatversion").unwrap_or("0");
        if matches!(version, "0" | "1") { Ok(()) } else { Err(GitError::Unsupported("this version of repositories")) }
    }

    /// Finds the working tree where the configuration says where it is, and forgets it where there is none.
    fn locate_work_tree(&mut self) -> Result<(), GitError> {
        let config = self.config()?;
        let named = config.get("core.worktree").map(|path| self.git_dir.join(path));
        let is_bare = config.is_true("core.bare");
        // A linked worktree has one, even where the repository is bare.
        let is_linked = self.git_dir != self.common_dir;
        if is_bare && !is_linked {
            self.work_tree = None;
        } else if let Some(path) = named.filter(|_| !is_linked) {
            self.work_tree = Some(fs::canonicalize(path)?);
        }
        Ok(())
    }
}

fn is_git_directory(path: &Path) -> bool {
    let has = |name: &str| path.join(name).is_dir();
    fs::symlink_metadata(path.join("HEAD")).is_ok()
        && ((has("objects") && has("refs")) || path.join("commondir").is_file())
}
