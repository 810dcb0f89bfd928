//! What git knows to be new: the lines that are staged, or that commits added.
//!
//! Git is run with arguments that no file of the repository can change the meaning of: no helper programs, no
//! conversions, no fetching. Changed files are read whole, as they will be committed, together with which lines of
//! them are new: a value on a new line may be given away by an old one above it.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::ops::Range;
use std::process::{Command, Stdio};

/// Which changes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes<'a> {
    /// What the next commit will have.
    Staged,
    /// What the current commit has beyond its common ancestor with this revision.
    Since(&'a str),
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The path from the repository's root, `/`-separated.
    pub path: String,
    /// What is in it after the change; none when it is larger than allowed.
    pub bytes: Result<Vec<u8>, u64>,
    /// Its new lines, counted from one.
    pub lines: Vec<Range<usize>>,
}

/// Settings that leave nothing to those of the repository, its attributes or the person.
const FIXED: &[&str] = &["--no-pager", "-c", "core.fsmonitor=false", "-c", "diff.interHunkContext=0"];

/// How changes are told: which objects, and which of their lines.
const TOLD: &[&str] = &[
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

fn git(cwd: &str, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(FIXED).args(args).current_dir(cwd).stdin(Stdio::null()).stderr(Stdio::piped()).stdout(Stdio::piped());
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
    command
}

fn run(cwd: &str, args: &[&str]) -> Result<Vec<u8>, String> {
    let output = git(cwd, args).output().map_err(|error| format!("git could not be run: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("git: {}", said.lines().next().unwrap_or("it failed and did not say why")))
}

fn line(cwd: &str, args: &[&str]) -> Result<String, String> {
    run(cwd, args).map(|out| String::from_utf8_lossy(&out).trim_end_matches(['\r', '\n']).to_owned())
}

/// Returns the root of the repository that a directory is in.
///
/// # Errors
/// Returns what git says, for people: there is no repository, or no git.
pub fn root(cwd: &str) -> Result<String, String> {
    line(cwd, &["rev-parse", "--show-toplevel"])
}

/// Returns the files that changed, in the order of their paths; of each at most so many bytes are read.
///
/// # Errors
/// Returns what git says, for people.
pub fn changed(cwd: &str, which: Changes<'_>, most: u64) -> Result<Vec<Changed>, String> {
    let told = match which {
        Changes::Staged => run(cwd, &[&["diff", "--cached"], TOLD, &["--"]].concat())?,
        Changes::Since(revision) => {
            let commit = format!("{revision}^{{commit}}");
            let from = line(cwd, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
                .map_err(|_| format!("git knows no revision `{revision}`"))?;
            let base = line(cwd, &["merge-base", &from, "HEAD"])
                .map_err(|_| format!("`{revision}` and the current commit have no common ancestor that is here"))?;
            run(cwd, &[&["diff", &base, "HEAD"], TOLD, &["--"]].concat())?
        }
    };
    let (entries, patch) = raw(&told);
    let added = added(patch);
    let wanted: Vec<(&Entry, &Vec<Range<usize>>)> = entries
        .iter()
        .filter_map(|entry| {
            let created = (none_of(entry.new.len()), entry.new.clone());
            let lines = added.get(&(entry.old.clone(), entry.new.clone())).or_else(|| added.get(&created))?;
            (!lines.is_empty()).then_some((entry, lines))
        })
        .collect();
    let names: Vec<&str> = wanted.iter().map(|(entry, _)| entry.new.as_str()).collect();
    let contents = contents(cwd, &names, most)?;
    let pairs = wanted.into_iter().zip(contents);
    let mut changed: Vec<Changed> = pairs
        .map(|((entry, lines), bytes)| Changed { path: entry.path.clone(), bytes, lines: lines.clone() })
        .collect();
    changed.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(changed)
}

fn none_of(length: usize) -> String {
    "0".repeat(length)
}

/// A file as the first part of git's answer names it.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    old: String,
    new: String,
    path: String,
}

/// Splits git's answer into the list of files and the changes themselves.
fn raw(told: &[u8]) -> (Vec<Entry>, &[u8]) {
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
            entries.push(Entry {
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
fn added(patch: &[u8]) -> HashMap<(String, String), Vec<Range<usize>>> {
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
            && let (Some(names), Some(lines)) = (&names, hunk(&String::from_utf8_lossy(line)))
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
fn hunk(head: &str) -> Option<Range<usize>> {
    let new = head.split(' ').find_map(|word| word.strip_prefix('+'))?;
    let (start, count) = new.split_once(',').unwrap_or((new, "1"));
    let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
    Some(start..start + count)
}

/// Returns what is in objects, in the order of their names; for a larger one its size.
fn contents(cwd: &str, names: &[&str], most: u64) -> Result<Vec<Result<Vec<u8>, u64>>, String> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let failed = |error: std::io::Error| format!("git's objects could not be read: {error}");
    let mut command = git(cwd, &["cat-file", "--batch"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(failed)?;
    let (Some(mut questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("git's objects could not be read".into());
    };
    let asked: String = names.iter().flat_map(|name| [*name, "\n"]).collect();
    let asking = std::thread::spawn(move || questions.write_all(asked.as_bytes()));
    let mut answers = BufReader::new(answers);
    let mut contents = Vec::with_capacity(names.len());
    for name in names {
        let mut head = String::new();
        answers.read_line(&mut head).map_err(failed)?;
        let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
        let size = size.ok_or_else(|| format!("git does not have the object {name}"))?;
        // Behind the content stands the end of a line.
        let mut content = answers.by_ref().take(size + 1);
        let mut bytes = Vec::new();
        if size > most {
            std::io::copy(&mut content, &mut std::io::sink()).map_err(failed)?;
            contents.push(Err(size));
        } else {
            content.read_to_end(&mut bytes).map_err(failed)?;
            bytes.pop();
            contents.push(Ok(bytes));
        }
    }
    drop(answers);
    // Both have nothing left to do; that all was read is known from the sizes.
    let _asked = asking.join();
    let _ended = child.wait();
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::{Entry, added, hunk, raw};

    #[test]
    fn lines_of_files_are_not_taken_for_gits() {
        let patch = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -0,0 +3,2 @@ @@ -1 +90 @@\n+@@ -1 +50 @@\n+index 3..4\n-diff --git a b\n@@ -9 +7 @@\n+x\n@@ -9,2 +11,0 @@\n-x\n-x\n";
        let added = added(patch);
        assert_eq!(added.len(), 1);
        assert_eq!(added[&("1".to_owned(), "2".to_owned())], [3..5, 7..8]);
        assert_eq!(hunk("@@ -1 +5 @@"), Some(5..6));
        assert_eq!(hunk("@@"), None);
    }

    #[test]
    fn names_may_hold_anything() {
        let told =
            b":100644 100644 1 2 M\0a \"b\n:c\0:000000 160000 0 3 A\0module\0:000000 100644 0 4 A\0d\0\0diff --git";
        let (entries, _) = raw(told);
        let entry = |old: &str, new: &str, path: &str| Entry { old: old.into(), new: new.into(), path: path.into() };
        assert_eq!(entries, [entry("1", "2", "a \"b\n:c"), entry("0", "4", "d")]);
    }
}
