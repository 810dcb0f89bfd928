//! Commands that rewrite or throw away what version control keeps. The rows are a table.
//!
//! A row names programs, a word that has to be among the arguments, and patterns in the language of
//! `command:` over the arguments. What only shows what would happen is no deed.

use std::fmt;
use std::sync::OnceLock;

use crate::domain::shell::pattern::CommandPattern;
use crate::domain::shell::script::Command;

/// What happens to history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum History {
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

impl History {
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

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A way to rewrite history.
struct Row {
    programs: &'static [&'static str],
    /// A word that is among the arguments; empty when none needs to be.
    verb: &'static str,
    what: History,
    /// Patterns of which one holds.
    like: &'static [&'static str],
    /// Patterns of which none holds.
    unless: &'static [&'static str],
    /// Both as they are read, when a command first needs them.
    read: OnceLock<[Vec<CommandPattern>; 2]>,
}

const GIT: &[&str] = &["git"];
const HG: &[&str] = &["hg", "sl", "chg"];
const JJ: &[&str] = &["jj"];

const fn row(
    programs: &'static [&'static str],
    verb: &'static str,
    what: History,
    like: &'static [&'static str],
) -> Row {
    Row { programs, verb, what, like, unless: &[], read: OnceLock::new() }
}

impl Row {
    const fn unless(mut self, unless: &'static [&'static str]) -> Self {
        self.unless = unless;
        self
    }

    fn holds(&self, command: &Command) -> bool {
        let parsed =
            |patterns: &[&str]| patterns.iter().filter_map(|pattern| CommandPattern::parse(pattern).ok()).collect();
        let [like, unless] = self.read.get_or_init(|| [parsed(self.like), parsed(self.unless)]);
        let any = |patterns: &[CommandPattern]| patterns.iter().any(|pattern| pattern.is_like(command));
        any(like) && !any(unless)
    }
}

const DRY: &[&str] = &["* (-n | --dry-run)"];

static ROWS: [Row; 43] = [
    row(GIT, "push", History::ForcePush, &["* push (-f | --force | --mirror)", "* push ... +*"]).unless(DRY),
    row(GIT, "push", History::LeasePush, &["* push --force-with-lease"])
        .unless(&["* push (-f | --force | -n | --dry-run)"]),
    row(GIT, "push", History::RemoteDelete, &["* push (-d | --delete | --prune)", "* push ... :*"]).unless(DRY),
    row(GIT, "reset", History::Reset, &["* reset --hard"]),
    row(GIT, "rebase", History::Rebase, &["* rebase"])
        .unless(&["* rebase (--abort | --quit | --show-current-patch | --root)"]),
    row(GIT, "rebase", History::Rewrite, &["* rebase --root"]),
    row(GIT, "pull", History::Rebase, &["* pull (-r | --rebase)"]).unless(&["* pull --rebase=false"]),
    row(GIT, "commit", History::Amend, &["* commit --amend"]).unless(DRY),
    row(GIT, "filter-branch", History::Rewrite, &["* filter-branch"]),
    row(GIT, "filter-repo", History::Rewrite, &["* filter-repo"]).unless(&["* filter-repo (--analyze | --dry-run)"]),
    row(&["git-filter-repo", "git-filter-branch", "bfg"], "", History::Rewrite, &["*"])
        .unless(&["* (--analyze | --dry-run)"]),
    row(GIT, "replace", History::Rewrite, &["* replace (-f | --force | -d | --delete | --graft | --edit)"]),
    row(GIT, "branch", History::Branch, &["* branch -D", "* branch (-d | --delete) (-f | --force)"]),
    row(GIT, "branch", History::BranchMove, &["* branch (-f | --force | -M | -C) *"])
        .unless(&["* branch (-d | -D | --delete)"]),
    row(GIT, "checkout", History::BranchMove, &["* checkout -B"]),
    row(GIT, "switch", History::BranchMove, &["* switch (-C | --force-create)"]),
    row(GIT, "tag", History::Tag, &["* tag (-d | --delete | -f | --force)"]),
    row(GIT, "stash", History::Stash, &["* stash (drop | clear)"]),
    row(GIT, "reflog", History::Reflog, &["* reflog (expire | delete)"]).unless(DRY),
    row(GIT, "gc", History::Reflog, &["* gc --prune=now", "* gc --prune=all"]),
    row(GIT, "prune", History::Reflog, &["* prune"]).unless(DRY),
    row(GIT, "update-ref", History::Reflog, &["* update-ref (-d | --stdin)"]),
    row(GIT, "symbolic-ref", History::Branch, &["* symbolic-ref (-d | --delete)"]),
    row(HG, "push", History::ForcePush, &["* push (-f | --force)"]).unless(DRY),
    row(HG, "update", History::Reset, &["* update (-C | --clean)"]),
    row(HG, "revert", History::Reset, &["* revert (-a | --all)"]).unless(DRY),
    row(HG, "rebase", History::Rebase, &["* rebase"]).unless(&["* rebase (-n | --dry-run | --abort | --stop)"]),
    row(HG, "histedit", History::Rebase, &["* histedit"]).unless(&["* histedit --abort"]),
    row(HG, "commit", History::Amend, &["* commit --amend"]),
    row(HG, "amend", History::Amend, &["* amend"]),
    row(HG, "strip", History::Branch, &["* strip"]),
    row(HG, "hide", History::Branch, &["* hide"]),
    row(HG, "prune", History::Branch, &["* prune"]).unless(DRY),
    row(HG, "rollback", History::Reflog, &["* rollback"]).unless(DRY),
    row(&["svnadmin"], "", History::Rewrite, &["* (setrevprop | setlog | rmtxns)"]),
    row(&["svn"], "revert", History::Reset, &["* revert (-R | --recursive)"]),
    row(&["svn"], "--revprop", History::Rewrite, &["* (propset | propdel | propedit | ps | pd | pe) --revprop"]),
    row(JJ, "abandon", History::Branch, &["* abandon"]),
    row(JJ, "rebase", History::Rebase, &["* rebase"]),
    row(JJ, "delete", History::Branch, &["* (bookmark | branch) delete"]),
    row(JJ, "push", History::RemoteDelete, &["* git push --deleted"]).unless(&["* --dry-run"]),
    row(JJ, "abandon", History::Reflog, &["* (op | operation) abandon"]),
    row(JJ, "gc", History::Reflog, &["* util gc"]),
];

/// Returns what a command does to history.
pub(super) fn of(command: &Command) -> Vec<History> {
    let program = command.program();
    let known = |row: &&Row| row.programs.contains(&program) && has(command, row.verb);
    let rows = ROWS.iter().filter(known);
    let mut found: Vec<History> = Vec::new();
    for row in rows.filter(|row| row.holds(command)) {
        if !found.contains(&row.what) {
            found.push(row.what);
        }
    }
    if found.is_empty() || has(command, "--help") {
        return Vec::new();
    }
    found
}

fn has(command: &Command, verb: &str) -> bool {
    verb.is_empty() || command.args().iter().any(|word| word.text == verb)
}

#[cfg(test)]
mod tests {
    use super::{CommandPattern, ROWS};

    #[test]
    fn every_row_is_made_of_patterns() {
        for row in &ROWS {
            for pattern in row.like.iter().chain(row.unless) {
                assert!(CommandPattern::parse(pattern).is_ok(), "{pattern}");
            }
        }
    }
}
