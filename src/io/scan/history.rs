//! The history of a git repository: every version of every file in every commit that a reference leads to.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read as _};
use std::thread;

use super::git::{GitError, git_command, git_line};

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The name, in full.
    pub id: String,
    /// The name of the author.
    pub author: String,
    /// The date of the commit: `2025-04-01`.
    pub date: String,
}

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVersion {
    /// The name of the object with the content.
    pub object: String,
    /// The index of the commit that brought it.
    pub commit: usize,
}

/// A file with its versions, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHistory {
    /// The path from the repository's root, `/`-separated.
    pub path: String,
    /// Different contents, each once.
    pub versions: Vec<FileVersion>,
}

/// The history of a repository.
#[derive(Debug, Default)]
pub struct History {
    /// The commits, parents before children.
    pub commits: Vec<Commit>,
    /// The files, by path.
    pub files: Vec<FileHistory>,
    /// Whether the repository is a shallow clone, so that older commits are missing.
    pub is_shallow: bool,
}

/// The options of `git log`. A merge shows the files that differ from all of its parents.
const LOG_OPTIONS: &[&str] = &[
    "-c",
    "i18n.logOutputEncoding=UTF-8",
    "log",
    "--all",
    "--topo-order",
    "--reverse",
    "--raw",
    "-c",
    "--root",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-relative",
    "--no-show-signature",
    "--no-color",
    "--ignore-submodules=all",
    "--format=%x01%H%x00%an%x00%cs%x00%B%x00",
    "--",
];

/// The mode of a submodule, which is no file of this repository.
const SUBMODULE_MODE: &str = "160000";

/// Reads the history and passes each commit with its message to `use_message`.
///
/// # Errors
/// Returns that git could not be run, or why it failed.
pub fn read_history(cwd: &str, mut use_message: impl FnMut(&Commit, &str)) -> Result<History, GitError> {
    let is_shallow = git_line(cwd, &["rev-parse", "--is-shallow-repository"])? == "true";
    let mut child = git_command(cwd, LOG_OPTIONS).spawn().map_err(GitError::NotRun)?;
    let (Some(log), Some(mut errors)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(GitError::NoPipe);
    };
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        let _read = errors.read_to_end(&mut text);
        text
    });
    let parsed = parse_log(BufReader::with_capacity(1 << 16, log), &mut use_message);
    let status = child.wait().map_err(GitError::NotRun)?;
    let errors = errors.join().unwrap_or_default();
    if !status.success() {
        return Err(GitError::Failed(String::from_utf8_lossy(&errors).lines().next().map(ToOwned::to_owned)));
    }
    Ok(History { is_shallow, ..parsed? })
}

/// Parses the output of `git log`: parts that end with a zero byte.
fn parse_log(mut log: impl BufRead, use_message: &mut dyn FnMut(&Commit, &str)) -> Result<History, GitError> {
    let mut next = || -> Result<Option<String>, GitError> {
        let mut part = Vec::new();
        let length = log.read_until(0, &mut part).map_err(GitError::NotRun)?;
        if part.last() == Some(&0) {
            part.pop();
        }
        Ok((length > 0).then(|| String::from_utf8_lossy(&part).into_owned()))
    };
    let cut = || GitError::Failed(Some("the output of `git log` ended early".to_owned()));
    let mut history = History::default();
    let mut indexes: HashMap<String, usize> = HashMap::new();
    let mut known: HashSet<(usize, String)> = HashSet::new();
    while let Some(part) = next()? {
        let part = part.trim_start_matches('\n');
        if let Some(id) = part.strip_prefix('\u{1}') {
            let commit = Commit { id: id.to_owned(), author: next()?.ok_or_else(cut)?, date: next()?.ok_or_else(cut)? };
            use_message(&commit, &next()?.ok_or_else(cut)?);
            history.commits.push(commit);
        } else if part.starts_with(':') {
            let path = next()?.ok_or_else(cut)?;
            let Some(object) = parse_entry(part) else { continue };
            let file = *indexes.entry(path).or_insert_with_key(|path| {
                history.files.push(FileHistory { path: path.clone(), versions: Vec::new() });
                history.files.len() - 1
            });
            let commit = history.commits.len().saturating_sub(1);
            if known.insert((file, object.to_owned()))
                && let Some(file) = history.files.get_mut(file)
            {
                file.versions.push(FileVersion { object: object.to_owned(), commit });
            }
        }
    }
    history.files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(history)
}

/// Returns the new object of an entry, `:100644 100644 OLD NEW M`; a merge has a colon, a mode and an object for each
/// parent. `None` for a file that is gone and for a submodule.
fn parse_entry(entry: &str) -> Option<&str> {
    let fields = entry.trim_start_matches(':');
    let parents = entry.len() - fields.len();
    let mut fields = fields.split(' ');
    let mode = fields.nth(parents)?;
    let object = fields.nth(parents)?;
    (mode != SUBMODULE_MODE && object.bytes().any(|digit| digit != b'0')).then_some(object)
}

#[cfg(test)]
mod tests {
    use super::{parse_entry, parse_log};

    #[test]
    fn entries_have_their_new_object() {
        for (entry, object) in [
            (":000000 100644 00 a1 A", Some("a1")),
            (":100644 100644 a1 b2 M", Some("b2")),
            (":100644 000000 a1 00 D", None),
            (":000000 160000 00 a1 A", None),
            ("::100644 100644 100644 a1 b2 c3 MM", Some("c3")),
            (":::100644 100644 000000 100755 a1 b2 00 d4 MMA", Some("d4")),
            (":100644", None),
        ] {
            assert_eq!(parse_entry(entry), object, "{entry}");
        }
    }

    #[test]
    fn a_log_is_read() {
        let log = "\u{1}c1\0Ada\x002025-04-01\0first\n\0\n:000000 100644 00 a1 A\0:x\0:000000 100644 00 b1 A\0y\nz\0\0\
                   \u{1}c2\0\x002025-04-02\0\0\0:100644 100644 a1 a2 M\0:x\0\0\
                   \u{1}c3\0Bo\x002025-04-03\0:not an entry\n\0\n:100644 100644 a2 a1 M\0:x\0";
        let mut messages = Vec::new();
        let history =
            parse_log(log.as_bytes(), &mut |commit, text| messages.push((commit.id.clone(), text.to_owned())));
        let history = history.unwrap();
        let commits: Vec<(&str, &str)> =
            history.commits.iter().map(|commit| (commit.id.as_str(), commit.author.as_str())).collect();
        assert_eq!(commits, [("c1", "Ada"), ("c2", ""), ("c3", "Bo")]);
        let files: Vec<(&str, Vec<(&str, usize)>)> = history
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.versions.iter().map(|it| (it.object.as_str(), it.commit)).collect()))
            .collect();
        assert_eq!(files, [(":x", vec![("a1", 0), ("a2", 1)]), ("y\nz", vec![("b1", 0)])]);
        assert_eq!(messages[2], ("c3".to_owned(), ":not an entry\n".to_owned()));
        assert!(parse_log("\u{1}c1\0Ada".as_bytes(), &mut |_, _| {}).is_err());
    }
}
