//! References: `HEAD`, branches, tags, and what was last seen of remotes.

use std::fs;
use std::path::Path;

use super::oid::Oid;
use super::repository::Repository;
use super::{Budget, GitError, read_file, read_text};

/// How many symbolic references are followed.
const MAX_HOPS: usize = 5;

/// The greatest size of `packed-refs`.
const MAX_PACKED_BYTES: u64 = 16 << 20;

/// How deep the directories of references are.
const MAX_DEPTH: usize = 16;

/// The references that each worktree has for itself, besides those with names in capitals.
const OWN_REFERENCES: &[&str] = &["refs/bisect/", "refs/worktree/", "refs/rewritten/"];

/// What is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch.
    Branch {
        /// The full name: `refs/heads/main`.
        name: String,
        /// The commit; `None` when the branch has none yet.
        commit: Option<Oid>,
    },
    /// A commit, on no branch.
    Detached(Oid),
}

impl Head {
    /// Returns the commit that is checked out; `None` before the first one.
    pub const fn commit(&self) -> Option<Oid> {
        match self {
            Self::Branch { commit, .. } => *commit,
            Self::Detached(commit) => Some(*commit),
        }
    }

    /// Returns the short name of the branch that is checked out.
    pub fn branch(&self) -> Option<&str> {
        match self {
            Self::Branch { name, .. } => Some(name.strip_prefix("refs/heads/").unwrap_or(name)),
            Self::Detached(_) => None,
        }
    }
}

/// A reference and the object that it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The full name: `refs/heads/main`.
    pub name: String,
    /// The object: a commit, or the annotation of a tag.
    pub target: Oid,
}

/// The content of a reference.
enum Content {
    Object(Oid),
    Symbolic(String),
}

impl Repository {
    /// Returns what is checked out in the worktree.
    ///
    /// # Errors
    /// Returns that `HEAD` is missing or damaged.
    pub fn head(&self) -> Result<Head, GitError> {
        self.head_of(&self.git_dir)
    }

    /// Returns what is checked out in the worktree that a directory of git's files belongs to.
    fn head_of(&self, git_dir: &Path) -> Result<Head, GitError> {
        let damaged = || GitError::Malformed("`HEAD`");
        let text = read_text(&git_dir.join("HEAD"))?.ok_or_else(damaged)?;
        match parse_content(&text).ok_or_else(damaged)? {
            Content::Object(commit) => Ok(Head::Detached(commit)),
            Content::Symbolic(name) => Ok(Head::Branch { commit: self.resolve_ref(&name)?, name }),
        }
    }

    /// Returns the object that a reference leads to, by its full name; `None` if there is no such reference.
    ///
    /// # Errors
    /// Returns that the reference is damaged.
    pub fn resolve_ref(&self, name: &str) -> Result<Option<Oid>, GitError> {
        let mut name = name.to_owned();
        for _ in 0..MAX_HOPS {
            match self.read_ref(&name)? {
                None => return Ok(None),
                Some(Content::Object(oid)) => return Ok(Some(oid)),
                Some(Content::Symbolic(next)) => name = next,
            }
        }
        Err(GitError::Malformed("a symbolic reference"))
    }

    /// Returns the reference that a symbolic one leads to: `refs/remotes/origin/main` for
    /// `refs/remotes/origin/HEAD`; `None` if it is no symbolic reference.
    ///
    /// # Errors
    /// Returns that the reference is damaged.
    pub fn symbolic_target(&self, name: &str) -> Result<Option<String>, GitError> {
        Ok(match self.read_ref(name)? {
            Some(Content::Symbolic(target)) => Some(target),
            Some(Content::Object(_)) | None => None,
        })
    }

    fn read_ref(&self, name: &str) -> Result<Option<Content>, GitError> {
        if !is_valid_name(name) {
            return Ok(None);
        }
        let is_own = !name.starts_with("refs/") || OWN_REFERENCES.iter().any(|start| name.starts_with(start));
        let path = if is_own { &self.git_dir } else { &self.common_dir }.join(name);
        // A directory of the name of a branch is left behind when branches below it are packed.
        if !path.is_dir()
            && let Some(text) = read_text(&path)?
        {
            return parse_content(&text).map(Some).ok_or(GitError::Malformed("a reference"));
        }
        Ok(self.packed_refs()?.into_iter().find(|packed| packed.name == name).map(|it| Content::Object(it.target)))
    }

    /// Returns all references below `refs/`, with what the `HEAD` of each worktree leads to under its name.
    ///
    /// # Errors
    /// Returns that a reference is damaged, or that there are too many.
    pub fn refs(&self, budget: &Budget) -> Result<Vec<Reference>, GitError> {
        let mut found = Vec::new();
        self.add_loose_refs("refs", &self.common_dir, 0, budget, &mut found)?;
        if self.git_dir != self.common_dir {
            for name in OWN_REFERENCES {
                self.add_loose_refs(name.trim_end_matches('/'), &self.git_dir, 0, budget, &mut found)?;
            }
        }
        found.sort_by(|left, right| left.name.cmp(&right.name));
        let packed = self.packed_refs()?;
        budget.spend(u32::try_from(packed.len() / 16).unwrap_or(u32::MAX))?;
        let loose = found.len();
        for reference in packed {
            let known = found.get(..loose).unwrap_or_default();
            if known.binary_search_by(|it| it.name.cmp(&reference.name)).is_err() {
                found.push(reference);
            }
        }
        Ok(found)
    }

    fn add_loose_refs(
        &self,
        name: &str,
        base: &Path,
        depth: usize,
        budget: &Budget,
        found: &mut Vec<Reference>,
    ) -> Result<(), GitError> {
        let Ok(entries) = fs::read_dir(base.join(name)) else { return Ok(()) };
        for entry in entries {
            let entry = entry?;
            budget.spend(1)?;
            let Ok(file) = entry.file_name().into_string() else { continue };
            let name = format!("{name}/{file}");
            let kind = entry.file_type()?;
            if kind.is_dir() && depth < MAX_DEPTH {
                self.add_loose_refs(&name, base, depth + 1, budget, found)?;
            } else if kind.is_file() && is_valid_name(&name) {
                // A symbolic reference may lead to a branch that has gone.
                if let Some(target) = self.resolve_ref(&name)? {
                    found.push(Reference { name, target });
                }
            }
        }
        Ok(())
    }

    fn packed_refs(&self) -> Result<Vec<Reference>, GitError> {
        let Some(bytes) = read_file(&self.common_dir.join("packed-refs"), MAX_PACKED_BYTES)? else {
            return Ok(Vec::new());
        };
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().filter(|line| !line.starts_with(['#', '^']) && !line.is_empty());
        let parsed = lines.map(|line| {
            let (oid, name) = line.split_once(' ').ok_or(GitError::Malformed("`packed-refs`"))?;
            let target = Oid::parse(oid).ok_or(GitError::Malformed("`packed-refs`"))?;
            Ok(Reference { name: name.to_owned(), target })
        });
        parsed.collect()
    }

    /// Returns what is checked out in each other worktree of the repository.
    ///
    /// # Errors
    /// Returns that the `HEAD` of one is damaged.
    pub fn other_heads(&self, budget: &Budget) -> Result<Vec<Head>, GitError> {
        let mut found = Vec::new();
        let mut directories = vec![self.common_dir.clone()];
        for entry in fs::read_dir(self.common_dir.join("worktrees")).into_iter().flatten() {
            budget.spend(1)?;
            directories.push(entry?.path());
        }
        for directory in directories.iter().filter(|directory| !is_same_directory(directory, &self.git_dir)) {
            if directory.join("HEAD").is_file() {
                found.push(self.head_of(directory)?);
            }
        }
        Ok(found)
    }
}

fn is_same_directory(left: &Path, right: &Path) -> bool {
    left == right || fs::canonicalize(left).ok().is_some_and(|left| fs::canonicalize(right).is_ok_and(|it| it == left))
}

/// Returns whether a name stays below the directory of references.
fn is_valid_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(['\\', '\0', ':', '*', '?', '[', ' ', '~', '^'])
        && name.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

fn parse_content(text: &str) -> Option<Content> {
    let text = text.trim_end();
    match text.strip_prefix("ref:") {
        Some(name) => Some(Content::Symbolic(name.trim().to_owned())).filter(|_| is_valid_name(name.trim())),
        None => Oid::parse(text.split_ascii_whitespace().next()?).map(Content::Object),
    }
}
