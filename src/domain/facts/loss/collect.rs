//! Which changes of an event may lose something, and what they lose.

use std::cell::OnceCell;

use super::{Change, Loss, LossFact, LossKind, Losses};
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::{Access, ToolKind};
use crate::domain::facts::{CommandIndex, Facts, FileFact, ParsedScript};
use crate::domain::shell::{Cwd, Discard, Discarded, Earlier, RedirectKind, discards};

/// The greatest number of facts that are looked at in one event; the others are unknown.
const MAX_QUERIES: usize = 6;

/// The greatest number of paths of one command.
const MAX_PATHS: usize = 256;

/// Programs that replace the content of the files that they write.
const OVERWRITING_PROGRAMS: &[&str] =
    &["cp", "mv", "install", "dd", "tee", "ln", "rsync", "truncate", "curl", "wget", "scp", "unzip"];

/// Returns the changes of an event that may lose something. The repository is not looked at for it.
pub(in crate::domain::facts) fn collect(facts: &Facts<'_>) -> Vec<LossFact> {
    // Afterwards, what was lost is gone.
    if !matches!(facts.event.kind, Kind::ToolBefore | Kind::PermissionRequest) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (script, analysed) in facts.scripts().iter().enumerate() {
        for discard in discards(&analysed.text, &analysed.script) {
            found.push(git_fact(facts, script, analysed, &discard));
        }
    }
    for (position, file) in facts.files().iter().enumerate() {
        add_file(facts, position, file, &mut found);
    }
    found
}

fn git_fact(facts: &Facts<'_>, script: usize, analysed: &ParsedScript<'_>, discard: &Discard) -> LossFact {
    let at = CommandIndex { script, command: discard.command };
    let cwd = facts.command(at).map_or(Cwd::Unknown, |command| command.cwd.clone());
    // What the repository is like when a file runs later is not known.
    let what = discard.what.as_ref().filter(|what| {
        // The entry that the line itself makes is not there yet.
        let is_new = matches!(what, Discarded::Stash(_)) && stashes_before(analysed, discard.command);
        !is_new && !facts.is_deferred(at)
    });
    let changes = what.and_then(|what| {
        let directories = cwd.candidates()?.into_iter().map(|directory| {
            let directory = if directory.is_empty() { "." } else { directory };
            facts.path_context.resolve(directory, analysed.start_directory)
        });
        let change = |directory: String| Change::Git { what: absolute(facts, &directory, what), directory };
        Some(directories.map(change).collect())
    });
    let saved: &[LossKind] = match (discard.earlier, &discard.what) {
        (_, Some(Discarded::Stash(_) | Discarded::Branches { .. })) | (Earlier::Unchanged | Earlier::Changed, _) => &[],
        (Earlier::Saved { untracked: true }, _) => &[LossKind::Modified, LossKind::Staged, LossKind::Untracked],
        (Earlier::Saved { untracked: false }, _) => &[LossKind::Modified, LossKind::Staged],
    };
    LossFact { command: Some(at), call: analysed.call, changes, files: Vec::new(), saved, losses: OnceCell::new() }
}

/// Returns whether a command before one in a line makes an entry of the stash.
fn stashes_before(analysed: &ParsedScript<'_>, command: usize) -> bool {
    let mut earlier = analysed.script.commands.iter().take(command).filter(|command| command.program() == "git");
    earlier.any(|command| {
        let operands = command.operands();
        let mut words = operands.iter().map(|word| word.text.as_str());
        words.next() == Some("stash") && words.next().is_none_or(|verb| matches!(verb, "push" | "save" | "store"))
    })
}

/// Returns what is discarded with absolute paths. Patterns that begin with a colon are about the whole repository.
fn absolute(facts: &Facts<'_>, directory: &str, what: &Discarded) -> Discarded {
    let one = |path: &String| {
        if path.starts_with(':') { path.clone() } else { facts.path_context.resolve(path, Some(directory)) }
    };
    let mut what = what.clone();
    match &mut what {
        Discarded::Restore { paths, .. } | Discarded::Clean { paths, .. } | Discarded::Remove { paths } => {
            for path in paths {
                *path = one(path);
            }
        }
        Discarded::Worktree(path) => *path = one(path),
        // Which of the words are paths, only the repository tells.
        Discarded::Checkout { .. }
        | Discarded::Reset { .. }
        | Discarded::Switch
        | Discarded::Stash(_)
        | Discarded::Branches { .. }
        | Discarded::MoveBranch(_) => {}
    }
    what
}

/// Adds a file that is deleted or replaced.
fn add_file(facts: &Facts<'_>, position: usize, file: &FileFact<'_>, found: &mut Vec<LossFact>) {
    let command = file.command.and_then(|at| facts.command(at));
    let deletes = file.access.contains(Access::Delete);
    let is_later = file.command.is_some_and(|at| facts.is_deferred(at));
    let is_elsewhere = is_later || command.is_some_and(|command| command.is_remote || command.program() == "git");
    if is_elsewhere || !(deletes || overwrites(facts, file)) {
        return;
    }
    let paths = if file.is_glob {
        facts.expansion(file).map(|paths| paths.iter().map(|it| it.path.clone()).collect())
    } else {
        Some(vec![file.path.clone()])
    };
    let is_same = |fact: &LossFact| {
        let is_delete = fact.changes.iter().flatten().all(|change| matches!(change, Change::Delete(_)));
        fact.command == file.command && fact.call == file.call && is_delete == deletes
    };
    if !found.last().is_some_and(is_same) {
        let change = if deletes { Change::Delete(Vec::new()) } else { Change::Overwrite(Vec::new()) };
        found.push(LossFact {
            command: file.command,
            call: file.call,
            changes: Some(vec![change]),
            files: Vec::new(),
            saved: &[],
            losses: OnceCell::new(),
        });
    }
    let Some(fact) = found.last_mut() else { return };
    let known: Option<Vec<String>> = paths.filter(|paths| fact.files.len() + paths.len() <= MAX_PATHS);
    let Some(paths) = known else {
        fact.changes = None;
        return;
    };
    for path in paths {
        if let Some(Change::Delete(all) | Change::Overwrite(all)) = fact.changes.iter_mut().flatten().next() {
            all.push(path.clone());
        }
        fact.files.push((position, path));
    }
}

/// Returns whether a file gets another content as a whole.
fn overwrites(facts: &Facts<'_>, file: &FileFact<'_>) -> bool {
    if !file.access.contains(Access::Write) || file.access.contains(Access::Mode) || file.path.ends_with("/**") {
        return false;
    }
    let Some(command) = file.command.and_then(|at| facts.command(at)) else {
        return facts.event.calls().get(file.call).is_some_and(|call| call.kind == ToolKind::Write);
    };
    let by_redirect = command.redirects.iter().filter(|redirect| redirect.target.text == file.written_path);
    let mut kinds = by_redirect.map(|redirect| redirect.kind).peekable();
    if kinds.peek().is_some() {
        return kinds.any(|kind| kind == RedirectKind::Write);
    }
    let appends = command.arguments().has(&["-a", "--append"]);
    OVERWRITING_PROGRAMS.contains(&command.program()) && !(command.program() == "tee" && appends)
}

/// Returns what a fact loses. `number` is its position among the facts.
pub(in crate::domain::facts) fn evaluate(facts: &Facts<'_>, fact: &LossFact, number: usize) -> Losses {
    let Some(changes) = &fact.changes else {
        return Losses { whole: Loss::unknown("the command does not tell what it is about"), by_path: Vec::new() };
    };
    if number >= MAX_QUERIES {
        return Losses { whole: Loss::unknown("the call does too much at once"), by_path: Vec::new() };
    }
    let mut losses = Losses::default();
    for change in changes {
        let mut found = facts.file_system.losses(change);
        for loss in &mut found {
            loss.forget(fact.saved);
        }
        if let Change::Delete(paths) | Change::Overwrite(paths) = change {
            losses.by_path.extend(paths.iter().cloned().zip(found.iter().cloned()));
        }
        for (position, loss) in found.into_iter().enumerate() {
            if !is_inside_another(change, position) {
                losses.whole.merge(loss);
            }
        }
    }
    losses
}

/// Returns whether a path of a change is named before, or lies in a directory that is named as well.
fn is_inside_another(change: &Change, position: usize) -> bool {
    let (Change::Delete(paths) | Change::Overwrite(paths)) = change else { return false };
    let Some(path) = paths.get(position) else { return false };
    let is_below = |other: &String| path.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('/'));
    paths.iter().enumerate().any(|(at, other)| is_below(other) || (at < position && other == path))
}
