//! Patterns of paths, as git takes them on its command line.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::io::git::GitError;
use crate::io::git::index::{Entry, Index};
use crate::io::platform::file::name_bytes;

/// Paths from the root of a working tree that a command names.
pub(super) struct Selection {
    patterns: Vec<Pattern>,
}

/// One pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    /// A file, or a directory with all that is in it; empty for the root.
    Path(Vec<u8>),
    /// A pattern with wildcards, which match slashes as well.
    Glob(Vec<u8>),
}

impl Selection {
    /// Selects everything.
    pub(super) fn all() -> Self {
        Self { patterns: vec![Pattern::Path(Vec::new())] }
    }

    /// Selects a path from the root.
    pub(super) fn path(path: Vec<u8>) -> Self {
        Self { patterns: vec![Pattern::Path(path)] }
    }

    /// Reads patterns: absolute paths, or `:/` with a path from the root.
    ///
    /// # Errors
    /// Returns that a pattern is not understood, or leads out of the working tree.
    pub(super) fn read(paths: &[String], root: &Path) -> Result<Self, GitError> {
        let patterns = paths.iter().map(|path| {
            let top = path.strip_prefix(":/").or_else(|| path.strip_prefix(":(top)"));
            let relative = match top {
                Some(rest) => rest.as_bytes().to_vec(),
                None if path.starts_with(':') => return Err(GitError::Unsupported("a pattern of paths with a colon")),
                None => {
                    relative(Path::new(path), root).ok_or(GitError::Unsupported("a path outside the repository"))?
                }
            };
            let relative = relative.strip_suffix(b"/").unwrap_or(&relative).to_vec();
            let is_glob = relative.iter().any(|byte| matches!(byte, b'*' | b'?' | b'['));
            Ok(if is_glob { Pattern::Glob(relative) } else { Pattern::Path(relative) })
        });
        Ok(Self { patterns: patterns.collect::<Result<_, _>>()? })
    }

    /// Returns the files of an index that are selected.
    pub(super) fn entries(&self, index: &Index) -> Vec<Entry> {
        if let [Pattern::Path(path)] = self.patterns.as_slice() {
            return index.below(path).to_vec();
        }
        index.entries().iter().filter(|entry| self.contains(index.path(entry))).cloned().collect()
    }

    /// Returns whether a path is selected.
    pub(super) fn contains(&self, path: &[u8]) -> bool {
        self.patterns.iter().any(|pattern| match pattern {
            Pattern::Path(start) => is_below(path, start),
            Pattern::Glob(pattern) => {
                // A pattern that matches a directory selects what is in it.
                let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
                ends.chain([path.len()]).any(|end| is_match(pattern, path.get(..end).unwrap_or_default()))
            }
        })
    }

    /// Returns the directories and files in which everything that is selected is.
    pub(super) fn starts(&self) -> Vec<Vec<u8>> {
        let starts = self.patterns.iter().map(|pattern| match pattern {
            Pattern::Path(path) => path.clone(),
            Pattern::Glob(pattern) => {
                let plain = pattern.iter().position(|byte| matches!(byte, b'*' | b'?' | b'[')).unwrap_or_default();
                let plain = pattern.get(..plain).unwrap_or_default();
                let end = plain.iter().rposition(|byte| *byte == b'/').unwrap_or_default();
                plain.get(..end).unwrap_or_default().to_vec()
            }
        });
        starts.collect()
    }
}

fn is_below(path: &[u8], start: &[u8]) -> bool {
    start.is_empty() || path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Returns a path from a root, with slashes; `None` if it is not below it.
pub(super) fn relative(path: &Path, root: &Path) -> Option<Vec<u8>> {
    let rest = match path.strip_prefix(root) {
        Ok(rest) => rest.to_owned(),
        // One of them may lead over a link.
        Err(_) => real(path)?.strip_prefix(fs::canonicalize(root).ok()?).ok()?.to_owned(),
    };
    let mut parts = Vec::new();
    for part in rest.components() {
        match part {
            Component::Normal(name) => parts.push(name_bytes(name)),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join(&b'/'))
}

/// Returns a path with the links of its nearest directory that exists followed, but not one that it is itself.
fn real(path: &Path) -> Option<PathBuf> {
    let mut missing = vec![path.file_name()?];
    let mut directory = path.parent()?;
    loop {
        if let Ok(real) = fs::canonicalize(directory) {
            return Some(missing.into_iter().rev().fold(real, |path, name| path.join(name)));
        }
        missing.push(directory.file_name()?);
        directory = directory.parent()?;
    }
}

/// Returns whether a pattern matches a whole path; wildcards match slashes as well.
pub(super) fn is_match(pattern: &[u8], path: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(at) {
            Some(b'*') => {
                star = Some((at + 1, place));
                at += 1;
                continue;
            }
            Some(b'?') if place < path.len() => Some(1),
            Some(b'[') if place < path.len() => {
                bracket(pattern.get(at..).unwrap_or_default(), path.get(place).copied())
            }
            Some(byte) if path.get(place) == Some(byte) => Some(1),
            None if place == path.len() => return true,
            _ => None,
        };
        match (step, star) {
            (Some(length), _) => (at, place) = (at + length, place + 1),
            (None, Some((behind, from))) if from < path.len() => {
                (at, place) = (behind, from + 1);
                star = Some((behind, from + 1));
            }
            (None, _) => return false,
        }
    }
}

/// Returns the length of a set in brackets if it contains a byte.
fn bracket(pattern: &[u8], byte: Option<u8>) -> Option<usize> {
    let byte = byte?;
    let end = pattern.iter().skip(2).position(|it| *it == b']')? + 2;
    let inside = pattern.get(1..end)?;
    let (negated, set) = match inside.split_first() {
        Some((b'!' | b'^', rest)) => (true, rest),
        _ => (false, inside),
    };
    let mut holds = false;
    let mut at = 0;
    while let Some(first) = set.get(at) {
        if let (Some(b'-'), Some(last)) = (set.get(at + 1), set.get(at + 2)) {
            holds |= (*first..=*last).contains(&byte);
            at += 3;
        } else {
            holds |= *first == byte;
            at += 1;
        }
    }
    (holds != negated).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Selection, is_match};

    #[test]
    fn wildcards_match_as_git_does() {
        for (pattern, path, matches) in [
            ("*.js", "a/b.js", true),
            ("*.js", "a/b.ts", false),
            ("src/*", "src/a/b", true),
            ("src/?.c", "src/a.c", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[", "[", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(is_match(pattern.as_bytes(), path.as_bytes()), matches, "{pattern} {path}");
        }
    }

    #[test]
    fn patterns_select_paths_from_the_root() {
        let read = |paths: &[&str]| {
            Selection::read(&paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>(), Path::new("/r"))
        };
        for (pattern, path, selected) in [
            ("/r", "a", true),
            ("/r/src", "src/a", true),
            ("/r/src", "src2/a", false),
            ("/r/src/", "src", true),
            (":/", "a", true),
            (":/src", "src/a", true),
            ("/r/s*", "src/a", true),
            ("/r/*.c", "src/a.c", true),
        ] {
            assert_eq!(read(&[pattern]).unwrap().contains(path.as_bytes()), selected, "{pattern} {path}");
        }
        assert!(read(&["/elsewhere"]).is_err());
        assert!(read(&[":!a"]).is_err());
    }
}
