//! Which commits a name means, and which of them would be held by nothing any more.

use std::collections::{BinaryHeap, HashMap};

use super::object::{Commit, ObjectKind, Objects};
use super::oid::Oid;
use super::repository::Repository;
use super::{GitError, read_file};

/// The greatest size of a log of a reference.
const MAX_LOG_BYTES: u64 = 16 << 20;

/// Where a short name of a reference is looked for, in git's order.
const PREFIXES: &[&str] = &["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

/// How far the clocks of committers may differ, in seconds.
const MAX_CLOCK_SKEW: i64 = 24 * 60 * 60;

/// How many commits are looked at for the difference of clocks.
const MAX_SKEW_STEPS: usize = 512;

/// A commit is reached from what goes.
const GONE: u8 = 1;
/// A commit is reached from what stays.
const KEPT: u8 = 2;

/// Returns the object that a revision means: `HEAD~2`, `origin/main`, `v1^{commit}`, `1234abcd`, `@{u}`.
///
/// # Errors
/// Returns that there is no such revision, or that it is written in a way that is not read here.
pub(super) fn resolve(repository: &Repository, objects: &Objects<'_>, revision: &str) -> Result<Oid, GitError> {
    let unknown = || GitError::UnknownRevision(revision.to_owned());
    let end = revision.find(['~', '^']).unwrap_or(revision.len());
    let (base, mut steps) = revision.split_at_checked(end).ok_or_else(unknown)?;
    let mut oid = resolve_base(repository, objects, base)?.ok_or_else(unknown)?;
    while let Some(step) = steps.chars().next() {
        let rest = steps.get(1..).unwrap_or_default();
        if let Some(kind) = rest.strip_prefix('{').filter(|_| step == '^') {
            let (kind, behind) = kind.split_once('}').ok_or_else(unknown)?;
            if !matches!(kind, "" | "commit") {
                return Err(unknown());
            }
            steps = behind;
            continue;
        }
        let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (number, behind) = rest.split_at_checked(digits).ok_or_else(unknown)?;
        let number = if number.is_empty() { 1 } else { number.parse::<usize>().map_err(|_| unknown())? };
        steps = behind;
        if step == '^' {
            let (own, commit) = objects.commit(oid)?;
            let parent = number.checked_sub(1).map(|at| commit.parents.get(at).copied());
            oid = parent.unwrap_or(Some(own)).ok_or_else(unknown)?;
            continue;
        }
        for _ in 0..number {
            let (_, commit) = objects.commit(oid)?;
            oid = commit.parents.first().copied().ok_or_else(unknown)?;
        }
    }
    Ok(oid)
}

fn resolve_base(repository: &Repository, objects: &Objects<'_>, name: &str) -> Result<Option<Oid>, GitError> {
    if let Some((reference, selector)) = name.strip_suffix('}').and_then(|rest| rest.split_once("@{")) {
        return resolve_selector(repository, reference, selector);
    }
    let name = if name == "@" { "HEAD" } else { name };
    for prefix in PREFIXES {
        // A name without a directory is a reference of the worktree, and those are in capitals.
        let is_plain = prefix.is_empty() && !name.starts_with("refs/");
        if is_plain && !(name.ends_with("HEAD") && name.bytes().all(|it| it.is_ascii_uppercase() || it == b'_')) {
            continue;
        }
        if let Some(oid) = repository.resolve_ref(&format!("{prefix}{name}"))? {
            return Ok(Some(oid));
        }
    }
    if let Some(oid) = repository.resolve_ref(&format!("refs/remotes/{name}/HEAD"))? {
        return Ok(Some(oid));
    }
    match Oid::parse(name) {
        Some(oid) => Ok(objects.contains(oid)?.then_some(oid)),
        None => objects.find_abbreviated(name),
    }
}

/// Resolves what is in braces behind a reference: a place in its log, or what a branch follows.
fn resolve_selector(repository: &Repository, reference: &str, selector: &str) -> Result<Option<Oid>, GitError> {
    let head = repository.head()?;
    if matches!(selector.to_ascii_lowercase().as_str(), "u" | "upstream") {
        let branch = if matches!(reference, "" | "@" | "HEAD") { head.branch() } else { Some(reference) };
        let config = repository.config()?;
        let upstream = branch.and_then(|branch| config.upstream(branch));
        let tracking = upstream.and_then(|upstream| config.tracking_reference(&upstream));
        return tracking.map_or(Ok(None), |name| repository.resolve_ref(&name));
    }
    let Ok(number) = selector.parse::<usize>() else { return Ok(None) };
    let name = match (reference, head.branch()) {
        ("", Some(branch)) => format!("refs/heads/{branch}"),
        ("" | "@" | "HEAD", _) => "HEAD".to_owned(),
        ("stash", _) => "refs/stash".to_owned(),
        (name, _) if name.starts_with("refs/") => name.to_owned(),
        (name, _) => format!("refs/heads/{name}"),
    };
    Ok(log(repository, &name)?.into_iter().rev().nth(number))
}

/// Returns the values of a reference in the order in which it had them.
///
/// # Errors
/// Returns that the log cannot be read or is damaged.
pub(super) fn log(repository: &Repository, reference: &str) -> Result<Vec<Oid>, GitError> {
    let base = if reference == "HEAD" { &repository.git_dir } else { &repository.common_dir };
    let Some(bytes) = read_file(&base.join("logs").join(reference), MAX_LOG_BYTES)? else { return Ok(Vec::new()) };
    let text = String::from_utf8_lossy(&bytes);
    let values = text.lines().map(|line| line.split(' ').nth(1).and_then(Oid::parse));
    values.map(|value| value.ok_or(GitError::Malformed("the log of a reference"))).collect()
}

/// Returns the commits that are reached from `gone` and from nothing in `kept`, the latest first.
///
/// # Errors
/// Returns that a commit is missing or damaged, or that there was no time.
pub(super) fn only_reachable(
    objects: &Objects<'_>,
    gone: &[Oid],
    kept: &[Oid],
) -> Result<Vec<(Oid, Commit)>, GitError> {
    let mut walk = Walk { objects, known: HashMap::new(), queue: BinaryHeap::new(), open: 0 };
    // The usual case: something else is at the very commit.
    let gone: Vec<Oid> = gone.iter().filter(|oid| !kept.contains(oid)).copied().collect();
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    for oid in &gone {
        walk.mark(*oid, GONE)?;
    }
    for oid in kept {
        // A tag may name a file or a tree.
        if matches!(objects.read(*oid)?.kind, ObjectKind::Commit | ObjectKind::Tag) {
            walk.mark(*oid, KEPT)?;
        }
    }
    let mut order = Vec::new();
    let mut oldest = i64::MAX;
    let mut skew_steps = 0;
    while let Some((time, oid)) = walk.queue.pop() {
        // A commit may be as old as its parents, or seem older.
        if walk.open == 0 {
            skew_steps += 1;
            if time < oldest.saturating_sub(MAX_CLOCK_SKEW) || skew_steps > MAX_SKEW_STEPS {
                break;
            }
        }
        let Some(seen) = walk.known.get_mut(&oid) else { break };
        seen.is_queued = false;
        let flags = seen.flags;
        let parents = seen.commit.parents.clone();
        if flags == GONE {
            walk.open -= 1;
            oldest = oldest.min(time);
            order.push(oid);
        }
        for parent in parents {
            walk.mark(parent, flags)?;
        }
    }
    // What was reached first from one side and later from the other.
    order.retain(|oid| walk.known.get(oid).is_some_and(|seen| seen.flags == GONE));
    Ok(order.into_iter().filter_map(|oid| Some((oid, walk.known.remove(&oid)?.commit))).collect())
}

struct Walk<'w> {
    objects: &'w Objects<'w>,
    known: HashMap<Oid, Seen>,
    /// Commits that are to be looked at, the latest first.
    queue: BinaryHeap<(i64, Oid)>,
    /// How many commits in the queue are reached from what goes alone.
    open: usize,
}

/// A commit that was reached.
struct Seen {
    commit: Commit,
    flags: u8,
    is_queued: bool,
}

impl Walk<'_> {
    fn mark(&mut self, oid: Oid, flags: u8) -> Result<(), GitError> {
        if !self.known.contains_key(&oid) {
            let (own, commit) = self.objects.commit(oid)?;
            if own != oid {
                return self.mark(own, flags);
            }
            self.known.insert(oid, Seen { commit, flags: 0, is_queued: false });
        }
        let Some(seen) = self.known.get_mut(&oid) else { return Ok(()) };
        let before = seen.flags;
        seen.flags |= flags;
        if seen.flags == before {
            return Ok(());
        }
        match before {
            0 if seen.flags == GONE => self.open += 1,
            GONE if seen.is_queued => self.open -= 1,
            _ => {}
        }
        if !seen.is_queued {
            seen.is_queued = true;
            self.queue.push((seen.commit.time, oid));
        }
        Ok(())
    }
}
