//! Whether a project's files changed with its version control: another commit was checked out.
//!
//! Read from git's own files, without the program: the log of `HEAD` tells what moved it and when.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of the log's end that are read.
const MAX_TAIL: usize = 1 << 16;

/// Returns whether `HEAD` was moved to another commit since a time (seconds since 1970), and not by a commit that
/// was made of what is in the directory.
pub(super) fn has_moved_since(project: &Path, since: i64) -> bool {
    let Some(directory) = git_directory(project) else { return false };
    let Some(head) = head_commit(&directory) else { return false };
    let Ok(log) = fs::read(directory.join("logs/HEAD")) else { return false };
    let tail = log.get(log.len().saturating_sub(MAX_TAIL)..).unwrap_or_default();
    let text = String::from_utf8_lossy(tail);
    let moves: Vec<Move<'_>> = text.lines().filter_map(Move::parse).filter(|step| step.time >= since).collect();
    let is_elsewhere = moves.first().is_some_and(|first| first.from != head);
    let is_last = moves.last().is_some_and(|last| last.to == head);
    is_elsewhere && is_last && !moves.iter().any(|step| step.is_commit)
}

/// A line of the log of `HEAD`.
struct Move<'a> {
    from: &'a str,
    to: &'a str,
    time: i64,
    is_commit: bool,
}

impl<'a> Move<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (who, what) = line.split_once('\t')?;
        let mut words = who.split(' ');
        let (from, to) = (words.next()?, words.next()?);
        let time = words.rev().nth(1)?.parse().ok()?;
        let is_commit = what.starts_with("commit:") || what.starts_with("commit (initial)");
        Some(Self { from, to, time, is_commit })
    }
}

/// Returns the directory of a checkout's own files.
fn git_directory(project: &Path) -> Option<PathBuf> {
    let path = project.join(".git");
    if path.is_dir() {
        return Some(path);
    }
    let text = fs::read_to_string(&path).ok()?;
    Some(project.join(text.strip_prefix("gitdir:")?.trim()))
}

/// Returns the commit that `HEAD` leads to.
fn head_commit(directory: &Path) -> Option<String> {
    let head = fs::read_to_string(directory.join("HEAD")).ok()?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_owned()) };
    let common = fs::read_to_string(directory.join("commondir")).ok();
    let common = common.map_or_else(|| directory.to_owned(), |path| directory.join(path.trim()));
    if let Ok(commit) = fs::read_to_string(common.join(name)) {
        return Some(commit.trim().to_owned());
    }
    let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
    packed.lines().find_map(|line| line.strip_suffix(name)?.strip_suffix(' ').map(ToOwned::to_owned))
}
