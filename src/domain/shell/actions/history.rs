//! Commands that rewrite or discard version control history. The rows are a table.
//!
//! A row names programs, a word that must be among the arguments, and patterns in the language of `command:` over the
//! arguments. A command that only shows what would happen is not an action.

use std::fmt;
use std::sync::OnceLock;

use crate::domain::shell::pattern::CommandPattern;
use crate::domain::shell::script::Command;

/// What happens to history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HistoryRewrite {
    /// History on a server is replaced.
    ForcePush,
    /// The same, unless somebody has pushed in between.
    LeasePush,
    /// A branch or tag on a server is deleted.
    RemoteDelete,
    /// The working tree and the branch are set back.
    Reset,
    /// Commits are put onto others.
    Rebase,
    /// The last commit is replaced.
    Amend,
    /// Every commit is rewritten.
    Rewrite,
    /// A branch is deleted, with commits that only it may hold.
    Branch,
    /// A branch is put onto other commits, by force.
    BranchMove,
    /// A tag is deleted or moved.
    Tag,
    /// Stashed changes are thrown away.
    Stash,
    /// The last way back to lost commits is thrown away.
    Reflog,
}

impl HistoryRewrite {
    /// Every kind, with its name in policies.
    pub const NAMES: [(Self, &'static str); 12] = [
        (Self::ForcePush, "force-push"),
        (Self::LeasePush, "lease-push"),
        (Self::RemoteDelete, "remote-delete"),
        (Self::Reset, "reset"),
        (Self::Rebase, "rebase"),
        (Self::Amend, "amend"),
        (Self::Rewrite, "rewrite"),
        (Self::Branch, "branch"),
        (Self::BranchMove, "branch-move"),
        (Self::Tag, "tag"),
        (Self::Stash, "stash"),
        (Self::Reflog, "reflog"),
    ];

    /// Returns the kind's name in policies.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

impl fmt::Display for HistoryRewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A way to rewrite history.
struct HistoryRow {
    programs: &'static [&'static str],
    /// A word that is among the arguments; empty when none needs to be.
    verb: &'static str,
    rewrite: HistoryRewrite,
    /// Patterns of which one holds.
    any_of: &'static [&'static str],
    /// Patterns of which none holds.
    none_of: &'static [&'static str],
    /// Both as they are read, when a command first needs them.
    compiled: OnceLock<[Vec<CommandPattern>; 2]>,
}

const GIT: &[&str] = &["git"];
const HG: &[&str] = &["hg", "sl", "chg"];
const JJ: &[&str] = &["jj"];

const fn row(
    programs: &'static [&'static str],
    verb: &'static str,
    what: HistoryRewrite,
    like: &'static [&'static str],
) -> HistoryRow {
    HistoryRow { programs, verb, rewrite: what, any_of: like, none_of: &[], compiled: OnceLock::new() }
}

impl HistoryRow {
    const fn except(mut self, unless: &'static [&'static str]) -> Self {
        self.none_of = unless;
        self
    }

    fn matches(&self, command: &Command) -> bool {
        let parsed =
            |patterns: &[&str]| patterns.iter().filter_map(|pattern| CommandPattern::parse(pattern).ok()).collect();
        let [like, unless] = self.compiled.get_or_init(|| [parsed(self.any_of), parsed(self.none_of)]);
        let any = |patterns: &[CommandPattern]| patterns.iter().any(|pattern| pattern.matches_command(command));
        any(like) && !any(unless)
    }
}

const DRY_RUN: &[&str] = &["* (-n | --dry-run)"];

static ROWS: [HistoryRow; 43] = [
    row(GIT, "push", HistoryRewrite::ForcePush, &["* push (-f | --force | --mirror)", "* push ... +*"]).except(DRY_RUN),
    row(GIT, "push", HistoryRewrite::LeasePush, &["* push --force-with-lease"])
        .except(&["* push (-f | --force | -n | --dry-run)"]),
    row(GIT, "push", HistoryRewrite::RemoteDelete, &["* push (-d | --delete | --prune)", "* push ... :*"])
        .except(DRY_RUN),
    row(GIT, "reset", HistoryRewrite::Reset, &["* reset --hard"]),
    row(GIT, "rebase", HistoryRewrite::Rebase, &["* rebase"])
        .except(&["* rebase (--abort | --quit | --show-current-patch | --root)"]),
    row(GIT, "rebase", HistoryRewrite::Rewrite, &["* rebase --root"]),
    row(GIT, "pull", HistoryRewrite::Rebase, &["* pull (-r | --rebase)"]).except(&["* pull --rebase=false"]),
    row(GIT, "commit", HistoryRewrite::Amend, &["* commit --amend"]).except(DRY_RUN),
    row(GIT, "filter-branch", HistoryRewrite::Rewrite, &["* filter-branch"]),
    row(GIT, "filter-repo", HistoryRewrite::Rewrite, &["* filter-repo"])
        .except(&["* filter-repo (--analyze | --dry-run)"]),
    row(&["git-filter-repo", "git-filter-branch", "bfg"], "", HistoryRewrite::Rewrite, &["*"])
        .except(&["* (--analyze | --dry-run)"]),
    row(GIT, "replace", HistoryRewrite::Rewrite, &["* replace (-f | --force | -d | --delete | --graft | --edit)"]),
    row(GIT, "branch", HistoryRewrite::Branch, &["* branch -D", "* branch (-d | --delete) (-f | --force)"]),
    row(GIT, "branch", HistoryRewrite::BranchMove, &["* branch (-f | --force | -M | -C) *"])
        .except(&["* branch (-d | -D | --delete)"]),
    row(GIT, "checkout", HistoryRewrite::BranchMove, &["* checkout -B"]),
    row(GIT, "switch", HistoryRewrite::BranchMove, &["* switch (-C | --force-create)"]),
    row(GIT, "tag", HistoryRewrite::Tag, &["* tag (-d | --delete | -f | --force)"]),
    row(GIT, "stash", HistoryRewrite::Stash, &["* stash (drop | clear)"]),
    row(GIT, "reflog", HistoryRewrite::Reflog, &["* reflog (expire | delete)"]).except(DRY_RUN),
    row(GIT, "gc", HistoryRewrite::Reflog, &["* gc --prune=now", "* gc --prune=all"]),
    row(GIT, "prune", HistoryRewrite::Reflog, &["* prune"]).except(DRY_RUN),
    row(GIT, "update-ref", HistoryRewrite::Reflog, &["* update-ref (-d | --stdin)"]),
    row(GIT, "symbolic-ref", HistoryRewrite::Branch, &["* symbolic-ref (-d | --delete)"]),
    row(HG, "push", HistoryRewrite::ForcePush, &["* push (-f | --force)"]).except(DRY_RUN),
    row(HG, "update", HistoryRewrite::Reset, &["* update (-C | --clean)"]),
    row(HG, "revert", HistoryRewrite::Reset, &["* revert (-a | --all)"]).except(DRY_RUN),
    row(HG, "rebase", HistoryRewrite::Rebase, &["* rebase"]).except(&["* rebase (-n | --dry-run | --abort | --stop)"]),
    row(HG, "histedit", HistoryRewrite::Rebase, &["* histedit"]).except(&["* histedit --abort"]),
    row(HG, "commit", HistoryRewrite::Amend, &["* commit --amend"]),
    row(HG, "amend", HistoryRewrite::Amend, &["* amend"]),
    row(HG, "strip", HistoryRewrite::Branch, &["* strip"]),
    row(HG, "hide", HistoryRewrite::Branch, &["* hide"]),
    row(HG, "prune", HistoryRewrite::Branch, &["* prune"]).except(DRY_RUN),
    row(HG, "rollback", HistoryRewrite::Reflog, &["* rollback"]).except(DRY_RUN),
    row(&["svnadmin"], "", HistoryRewrite::Rewrite, &["* (setrevprop | setlog | rmtxns)"]),
    row(&["svn"], "revert", HistoryRewrite::Reset, &["* revert (-R | --recursive)"]),
    row(&["svn"], "--revprop", HistoryRewrite::Rewrite, &["* (propset | propdel | propedit | ps | pd | pe) --revprop"]),
    row(JJ, "abandon", HistoryRewrite::Branch, &["* abandon"]),
    row(JJ, "rebase", HistoryRewrite::Rebase, &["* rebase"]),
    row(JJ, "delete", HistoryRewrite::Branch, &["* (bookmark | branch) delete"]),
    row(JJ, "push", HistoryRewrite::RemoteDelete, &["* git push --deleted"]).except(&["* --dry-run"]),
    row(JJ, "abandon", HistoryRewrite::Reflog, &["* (op | operation) abandon"]),
    row(JJ, "gc", HistoryRewrite::Reflog, &["* util gc"]),
];

/// Returns what a command does to history.
pub(super) fn detect(command: &Command) -> Vec<HistoryRewrite> {
    let program = command.program();
    let known = |row: &&HistoryRow| row.programs.contains(&program) && has_argument(command, row.verb);
    let rows = ROWS.iter().filter(known);
    let mut found: Vec<HistoryRewrite> = Vec::new();
    for row in rows.filter(|row| row.matches(command)) {
        if !found.contains(&row.rewrite) {
            found.push(row.rewrite);
        }
    }
    if !found.contains(&HistoryRewrite::RemoteDelete) && deletes_unknown_branch(command) {
        found.push(HistoryRewrite::RemoteDelete);
    }
    if found.is_empty() || has_argument(command, "--help") {
        return Vec::new();
    }
    found
}

/// Returns whether a push deletes a branch whose name is known only when it runs: `git push origin ":$branch"`.
fn deletes_unknown_branch(command: &Command) -> bool {
    command.program() == "git"
        && has_argument(command, "push")
        && !command.arguments().has(&["-n", "--dry-run"])
        && command.operands().iter().any(|word| !word.literal && word.text.len() > 1 && word.text.starts_with(':'))
}

fn has_argument(command: &Command, verb: &str) -> bool {
    verb.is_empty() || command.args().iter().any(|word| word.text == verb)
}

#[cfg(test)]
mod tests {
    use super::{CommandPattern, ROWS};

    #[test]
    fn every_row_is_made_of_patterns() {
        for row in &ROWS {
            for pattern in row.any_of.iter().chain(row.none_of) {
                assert!(CommandPattern::parse(pattern).is_ok(), "{pattern}");
            }
        }
    }
}
