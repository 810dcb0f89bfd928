//! What git knows to be new: the lines that are staged, or that commits added.
//!
//! Git is run with arguments that no file of the repository can change the meaning of: no helper programs, no
//! conversions, no fetching. Changed files are read whole, as they will be committed, together with which lines of
//! them are new: a value on a new line may be given away by an old one above it.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::io;
use std::ops::Range;
use std::process::{Command, Stdio};

use super::objects::{ObjectContent, ObjectReader};

/// Why git did not say what is new.
#[derive(Debug)]
pub enum GitError {
    /// Git could not be run.
    NotRun(io::Error),
    /// Git failed, with this as the first line of its standard error.
    Failed(Option<String>),
    /// There is no such revision.
    UnknownRevision(String),
    /// This revision and the current commit have no common ancestor.
    NoCommonAncestor(String),
    /// The contents of objects could not be read.
    ObjectsNotRead(io::Error),
    /// Git was started without its standard streams.
    NoPipe,
    /// Git does not have this object.
    MissingObject(String),
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRun(error) => write!(f, "git could not be run: {error}"),
            Self::Failed(line) => write!(f, "git: {}", line.as_deref().unwrap_or("it failed without a message")),
            Self::UnknownRevision(revision) => write!(f, "git has no revision `{revision}`"),
            Self::NoCommonAncestor(revision) => {
                write!(f, "`{revision}` and the current commit have no common ancestor in this clone")
            }
            Self::ObjectsNotRead(error) => write!(f, "git's objects could not be read: {error}"),
            Self::NoPipe => f.write_str("git's objects could not be read"),
            Self::MissingObject(name) => write!(f, "git does not have the object {name}"),
        }
    }
}

impl Error for GitError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotRun(error) | Self::ObjectsNotRead(error) => Some(error),
            Self::Failed(_)
            | Self::UnknownRevision(_)
            | Self::NoCommonAncestor(_)
            | Self::NoPipe
            | Self::MissingObject(_) => None,
        }
    }
}

/// Which changes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffScope<'a> {
    /// What the next commit will have.
    Staged,
    /// What the current commit has beyond its common ancestor with this revision.
    Since(&'a str),
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// The path from the repository's root, `/`-separated.
    pub path: String,
    /// What is in it after the change; none when it is larger than allowed.
    pub bytes: ObjectContent,
    /// Its new lines, counted from one.
    pub lines: Vec<Range<usize>>,
}

/// Settings that leave nothing to those of the repository, its attributes or the user.
const GIT_OPTIONS: &[&str] = &["--no-pager", "-c", "core.fsmonitor=false", "-c", "diff.interHunkContext=0"];

/// How changes are told: which objects, and which of their lines.
const DIFF_OPTIONS: &[&str] = &[
    "--raw",
    "-z",
    "--no-abbrev",
    "--patch",
    "--full-index",
    "--unified=0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-relative",
    "--text",
    "--diff-filter=AMT",
    "--ignore-submodules=all",
];

pub(super) fn git_command(cwd: &str, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .args(GIT_OPTIONS)
        .args(args)
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped());
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
    // Replacements would hide what a clone of the repository has.
    command.env("GIT_NO_REPLACE_OBJECTS", "1");
    command
}

fn run_git(cwd: &str, args: &[&str]) -> Result<Vec<u8>, GitError> {
    let output = git_command(cwd, args).output().map_err(GitError::NotRun)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(GitError::Failed(said.lines().next().map(ToOwned::to_owned)))
}

pub(super) fn git_line(cwd: &str, args: &[&str]) -> Result<String, GitError> {
    run_git(cwd, args).map(|out| String::from_utf8_lossy(&out).trim_end_matches(['\r', '\n']).to_owned())
}

/// Returns the root of the repository that a directory is in.
///
/// # Errors
/// Returns what git says: there is no repository, or no git.
pub fn repository_root(cwd: &str) -> Result<String, GitError> {
    git_line(cwd, &["rev-parse", "--show-toplevel"])
}

/// Returns the files that changed, in the order of their paths; of each at most so many bytes are read.
///
/// # Errors
/// Returns what git says.
pub fn changed_files(cwd: &str, which: DiffScope<'_>, most: u64) -> Result<Vec<ChangedFile>, GitError> {
    let told = match which {
        DiffScope::Staged => run_git(cwd, &[&["diff", "--cached"], DIFF_OPTIONS, &["--"]].concat())?,
        DiffScope::Since(revision) => {
            let commit = format!("{revision}^{{commit}}");
            let from = git_line(cwd, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
                .map_err(|_| GitError::UnknownRevision(revision.to_owned()))?;
            let base = git_line(cwd, &["merge-base", &from, "HEAD"])
                .map_err(|_| GitError::NoCommonAncestor(revision.to_owned()))?;
            run_git(cwd, &[&["diff", &base, "HEAD"], DIFF_OPTIONS, &["--"]].concat())?
        }
    };
    let (entries, patch) = parse_raw_diff(&told);
    let added = added_lines(patch);
    let wanted: Vec<(&DiffEntry, &Vec<Range<usize>>)> = entries
        .iter()
        .filter_map(|entry| {
            let created = (null_object_id(entry.new.len()), entry.new.clone());
            let lines = added.get(&(entry.old.clone(), entry.new.clone())).or_else(|| added.get(&created))?;
            (!lines.is_empty()).then_some((entry, lines))
        })
        .collect();
    let names: Vec<&str> = wanted.iter().map(|(entry, _)| entry.new.as_str()).collect();
    let contents = read_objects(cwd, &names, most)?;
    let pairs = wanted.into_iter().zip(contents);
    let mut changed: Vec<ChangedFile> = pairs
        .map(|((entry, lines), bytes)| ChangedFile { path: entry.path.clone(), bytes, lines: lines.clone() })
        .collect();
    changed.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(changed)
}

fn null_object_id(length: usize) -> String {
    "0".repeat(length)
}

/// A file as the first part of git's answer names it.
#[derive(Debug, PartialEq, Eq)]
struct DiffEntry {
    old: String,
    new: String,
    path: String,
}

/// Splits git's answer into the list of files and the changes themselves.
fn parse_raw_diff(told: &[u8]) -> (Vec<DiffEntry>, &[u8]) {
    let mut entries = Vec::new();
    let mut rest = told;
    while let Some(b':') = rest.first() {
        let mut parts = rest.splitn(3, |byte| *byte == 0);
        let (Some(head), Some(path), left) = (parts.next(), parts.next(), parts.next()) else { break };
        rest = left.unwrap_or_default();
        let head = String::from_utf8_lossy(head);
        let mut words = head.split(' ').skip(1);
        let (Some(mode), Some(old), Some(new)) = (words.next(), words.next(), words.next()) else { continue };
        // Another repository is no file of this one.
        if mode != "160000" {
            entries.push(DiffEntry {
                old: old.to_owned(),
                new: new.to_owned(),
                path: String::from_utf8_lossy(path).into_owned(),
            });
        }
    }
    (entries, rest)
}

/// Returns which lines are new, by the names of the objects before and after. Paths are not looked at here: how git
/// quotes them depends on settings.
fn added_lines(patch: &[u8]) -> HashMap<(String, String), Vec<Range<usize>>> {
    let mut added: HashMap<(String, String), Vec<Range<usize>>> = HashMap::new();
    let mut names: Option<(String, String)> = None;
    for line in patch.split(|byte| *byte == b'\n') {
        // Lines of files begin with a sign of their own, so that none of them is taken for one of git's.
        if line.starts_with(b"diff --git ") {
            names = None;
        } else if let Some(rest) = line.strip_prefix(b"index ") {
            let text = String::from_utf8_lossy(rest);
            let both = text.split(' ').next().and_then(|both| both.split_once(".."));
            names = both.map(|(old, new)| (old.to_owned(), new.to_owned()));
        } else if line.starts_with(b"@@ ")
            && let (Some(names), Some(lines)) = (&names, parse_hunk(&String::from_utf8_lossy(line)))
        {
            let known = added.entry(names.clone()).or_default();
            if !lines.is_empty() && !known.contains(&lines) {
                known.push(lines);
            }
        }
    }
    added
}

/// Returns the new lines that the head of a hunk speaks of: `@@ -1,2 +3,4 @@`.
fn parse_hunk(head: &str) -> Option<Range<usize>> {
    let new = head.split(' ').find_map(|word| word.strip_prefix('+'))?;
    let (start, count) = new.split_once(',').unwrap_or((new, "1"));
    let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
    Some(start..start + count)
}

/// Returns what is in objects, in the order of their names; for a larger one its size.
fn read_objects(cwd: &str, names: &[&str], most: u64) -> Result<Vec<ObjectContent>, GitError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut contents = Vec::with_capacity(names.len());
    ObjectReader::start(cwd)?.read_each(names, most, |content| contents.push(content))?;
    contents.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{DiffEntry, added_lines, parse_hunk, parse_raw_diff};

    #[test]
    fn lines_of_files_are_not_taken_for_gits() {
        let patch = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -0,0 +3,2 @@ @@ -1 +90 @@\n+@@ -1 +50 @@\n+index 3..4\n-diff --git a b\n@@ -9 +7 @@\n+x\n@@ -9,2 +11,0 @@\n-x\n-x\n";
        let added = added_lines(patch);
        assert_eq!(added.len(), 1);
        assert_eq!(added[&("1".to_owned(), "2".to_owned())], [3..5, 7..8]);
        assert_eq!(parse_hunk("@@ -1 +5 @@"), Some(5..6));
        assert_eq!(parse_hunk("@@"), None);
    }

    #[test]
    fn names_may_hold_anything() {
        let told =
            b":100644 100644 1 2 M\0a \"b\n:c\0:000000 160000 0 3 A\0module\0:000000 100644 0 4 A\0d\0\0diff --git";
        let (entries, _) = parse_raw_diff(told);
        let entry =
            |old: &str, new: &str, path: &str| DiffEntry { old: old.into(), new: new.into(), path: path.into() };
        assert_eq!(entries, [entry("1", "2", "a \"b\n:c"), entry("0", "4", "d")]);
    }
}
