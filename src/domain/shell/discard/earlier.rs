//! What the commands before one in a line do to the repository that it discards something of.

use super::read::GitCommand;
use crate::domain::shell::exit_status::implies_success;
use crate::domain::shell::script::{Command, Script};

/// What earlier commands of the line do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// Nothing that matters.
    Unchanged,
    /// Changes are stashed or committed before.
    Saved {
        /// Whether files that were not tracked are, too.
        untracked: bool,
    },
    /// The repository is another one by then.
    Changed,
}

/// Verbs after which the working tree, the index or the branch may be another one.
const CHANGING_VERBS: &[&str] = &[
    "am",
    "apply",
    "bisect",
    "checkout",
    "cherry-pick",
    "clone",
    "init",
    "merge",
    "pull",
    "read-tree",
    "rebase",
    "reset",
    "restore",
    "revert",
    "sparse-checkout",
    "submodule",
    "switch",
    "symbolic-ref",
    "update-index",
    "update-ref",
    "worktree",
];

/// Of these, the verbs that leave every branch where it is or add commits to one: what a branch holds stays held.
const ADDING_VERBS: &[&str] = &[
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "merge",
    "pull",
    "read-tree",
    "restore",
    "revert",
    "sparse-checkout",
    "submodule",
    "switch",
    "update-index",
];

/// Returns what the commands before a command do; for one that discards branches, only what changes the branches.
pub(super) fn before(text: &str, script: &Script, index: usize, is_about_branches: bool) -> Earlier {
    let Some(command) = script.commands.get(index) else { return Earlier::Unchanged };
    let mut state = Earlier::Unchanged;
    // Whether everything, or every tracked file, is staged by then.
    let mut staged: Option<bool> = None;
    let mut is_committed = false;
    for other in script.commands.iter().take(index).filter(|other| other.program() == "git" && !other.is_remote) {
        let Some(git) = GitCommand::read(other) else { continue };
        let is_done = is_done_there(other, command, &git, (text, script));
        match git.verb {
            "stash" => match git.operand(0).unwrap_or("push") {
                "list" | "show" | "create" | "store" | "drop" | "clear" => {}
                "push" | "save" | "-u" => {
                    let is_whole = git.operand_count() < 2
                        && !git.has(&["-k", "--keep-index", "-p", "--patch", "-S", "--staged", "--pathspec-from-file"]);
                    if is_whole && is_done && state != Earlier::Changed {
                        state = Earlier::Saved { untracked: git.has(&["-u", "--include-untracked", "-a", "--all"]) };
                    }
                }
                _ => state = Earlier::Changed,
            },
            "add" if is_done => {
                let all = git.has(&["-A", "--all"]) && git.operand_count() == 0;
                staged = if all { Some(true) } else { staged };
            }
            "commit" if git.has(&["--amend", "--dry-run"]) => {}
            "commit" if is_done && state != Earlier::Changed => {
                let by_itself = git.has(&["-a", "--all"]) && git.operand_count() == 0;
                if let Some(untracked) = staged.or(by_itself.then_some(false)) {
                    state = Earlier::Saved { untracked };
                    is_committed = true;
                }
            }
            // Such an option puts a branch elsewhere.
            verb if is_about_branches
                && ADDING_VERBS.contains(&verb)
                && !git.has(&["-B", "-C", "--force-create", "--rebase", "-r"]) => {}
            verb if CHANGING_VERBS.contains(&verb) => state = Earlier::Changed,
            _ => {}
        }
    }
    // Counted from the commit that is made first, another commit is meant.
    if is_committed && goes_back(command) { Earlier::Changed } else { state }
}

/// Returns whether a command names a commit by its distance from the one that is checked out: `HEAD~`, `@^`.
fn goes_back(command: &Command) -> bool {
    let starts = ["HEAD~", "HEAD^", "HEAD@", "@~", "@^", "@{", "ORIG_HEAD"];
    command.args().iter().any(|word| starts.iter().any(|start| word.text.starts_with(start)))
}

/// Returns whether a command is about the repository of a later one, and has succeeded when that runs.
fn is_done_there(earlier: &Command, later: &Command, git: &GitCommand<'_>, (text, script): (&str, &Script)) -> bool {
    let before = text.get(..later.span.start).and_then(|before| before.trim_end().strip_suffix("&&"));
    earlier.cwd == later.cwd
        && git.is_known
        && before.is_some_and(|before| implies_success(before.trim_end(), script, earlier))
}
