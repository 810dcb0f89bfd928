//! What commands of git discard: files of the working tree, commits and stashed changes.
//!
//! The text tells what is meant; the repository tells what of it would be lost. A command that git itself refuses
//! where something would be lost, such as `git branch -d`, discards nothing.

mod earlier;
mod read;

pub use earlier::Earlier;

use super::script::Script;
use read::ReadDiscard;

/// What a command discards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discard {
    /// The position of the command in the script.
    pub command: usize,
    /// What is discarded; `None` if the text does not tell.
    pub what: Option<Discarded>,
    /// What the commands before it in the line do to the repository.
    pub earlier: Earlier,
}

/// What is discarded. Paths are as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Discarded {
    /// Files get the content of the index or of a revision.
    Restore {
        /// The revision; `None` for the index.
        source: Option<String>,
        /// Whether the index is set as well.
        staged: bool,
        /// The patterns of paths.
        paths: Vec<String>,
    },
    /// The words of `git checkout` without `--`: a branch, or a revision and paths.
    Checkout {
        /// The words.
        words: Vec<String>,
        /// Whether changes are discarded if the first word is a branch.
        force: bool,
    },
    /// The branch is set to a revision.
    Reset {
        /// The revision; `None` for the current commit.
        target: Option<String>,
        /// Whether changes that were not staged are discarded.
        worktree: bool,
        /// Whether staged changes are discarded.
        staged: bool,
    },
    /// All changes are discarded for another branch or tree.
    Switch,
    /// Files that are not tracked are deleted.
    Clean {
        /// Whether directories without tracked files are deleted as well.
        directories: bool,
        /// Whether ignored files are deleted as well.
        ignored: bool,
        /// Whether files that are not ignored are deleted.
        untracked: bool,
        /// Whether repositories in directories are deleted as well.
        repositories: bool,
        /// Patterns of what stays.
        except: Vec<String>,
        /// The patterns of paths; all if there are none.
        paths: Vec<String>,
    },
    /// Stashed changes: one entry by its name, the last one by an empty name, or all.
    Stash(Option<String>),
    /// The directory of a worktree.
    Worktree(String),
    /// Branches.
    Branches {
        /// The names.
        names: Vec<String>,
        /// Whether they are what was last seen of a remote.
        remote: bool,
    },
    /// A branch gets another commit.
    MoveBranch(String),
    /// Tracked files, with changes in them.
    Remove {
        /// The patterns of paths.
        paths: Vec<String>,
    },
}

/// Returns what the commands of a text discard.
pub fn discards(text: &str, script: &Script) -> Vec<Discard> {
    let mut found = Vec::new();
    for (index, command) in script.commands.iter().enumerate().filter(|(_, command)| command.program() == "git") {
        let what = match read::read(command) {
            ReadDiscard::Nothing => continue,
            ReadDiscard::Unknown => None,
            ReadDiscard::Known(what) => Some(what),
        };
        let is_about_branches = matches!(&what, Some(Discarded::Branches { .. }));
        let earlier = earlier::before(text, script, index, is_about_branches);
        // What happens on another machine cannot be looked at.
        let is_known = !command.is_remote && earlier != Earlier::Changed;
        found.push(Discard { command: index, what: what.filter(|_| is_known), earlier });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Discarded, Earlier, discards};
    use crate::domain::shell::{Dialect, parse};

    /// Returns what is discarded, at most one of it; what is discarded may be unknown.
    fn found(text: &str) -> Vec<Option<Discarded>> {
        let found = discards(text, &parse(text, Dialect::Posix));
        found.into_iter().map(|it| it.what).collect()
    }

    fn paths(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn nothing_is_discarded_by_what_git_refuses_or_asks_about() {
        for text in [
            "git status",
            "git reset HEAD a",
            "git reset --soft HEAD~1",
            "git checkout -b x",
            "git checkout -p",
            "git restore --staged a",
            "git restore -p",
            "git clean -n",
            "git clean -nfd",
            "git clean -i",
            "git stash",
            "git stash pop",
            "git branch -d x",
            "git branch",
            "git worktree remove x",
            "git rm x",
            "git rm -f --cached x",
            "git switch main",
            "git reset --hard --help",
            "echo git reset --hard",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn what_is_discarded_is_read_in_each_spelling() {
        let reset = |target: Option<&str>| Discarded::Reset {
            target: target.map(ToOwned::to_owned),
            worktree: true,
            staged: true,
        };
        let restore = |source: Option<&str>, staged, names: &[&str]| Discarded::Restore {
            source: source.map(ToOwned::to_owned),
            staged,
            paths: paths(names),
        };
        let clean = |directories, ignored, names: &[&str]| Discarded::Clean {
            directories,
            ignored,
            untracked: true,
            repositories: false,
            except: Vec::new(),
            paths: paths(names),
        };
        let branches = |names: &[&str]| Discarded::Branches { names: paths(names), remote: false };
        for (text, expected) in [
            ("git reset --hard", reset(None)),
            ("sudo git -C lib reset --har origin/main", reset(Some("origin/main"))),
            ("git -C a -C b reset --hard", reset(None)),
            ("git -C a -C /b reset --hard", reset(None)),
            (
                "git reset --keep HEAD~1",
                Discarded::Reset { target: Some("HEAD~1".into()), worktree: false, staged: false },
            ),
            ("git checkout -- a b", restore(None, false, &["a", "b"])),
            ("git checkout HEAD -- src/", restore(Some("HEAD"), true, &["src/"])),
            ("git checkout .", Discarded::Checkout { words: paths(&["."]), force: false }),
            ("git checkout -f main", Discarded::Checkout { words: paths(&["main"]), force: true }),
            ("git checkout -f", Discarded::Switch),
            ("git switch -f main", Discarded::Switch),
            ("git switch --discard-changes main", Discarded::Switch),
            ("git read-tree -u --reset HEAD", Discarded::Switch),
            ("git restore a", restore(None, false, &["a"])),
            ("git restore -SW a", restore(Some("HEAD"), true, &["a"])),
            ("git restore -s HEAD~1 a", restore(Some("HEAD~1"), false, &["a"])),
            ("git checkout-index -f -a", restore(None, false, &[":/"])),
            ("git clean -f", clean(false, false, &[])),
            ("git clean -fdx src", clean(true, true, &["src"])),
            ("git stash drop", Discarded::Stash(Some(String::new()))),
            ("git stash drop stash@{1}", Discarded::Stash(Some("stash@{1}".into()))),
            ("git stash clear", Discarded::Stash(None)),
            ("git worktree remove --force ../wt", Discarded::Worktree("../wt".into())),
            ("git branch -D a b", branches(&["a", "b"])),
            ("git branch --delete --force a", branches(&["a"])),
            ("git branch -f a HEAD", Discarded::MoveBranch("a".into())),
            ("git rm -rf src", Discarded::Remove { paths: paths(&["src"]) }),
        ] {
            assert_eq!(found(text), [Some(expected)], "{text}");
        }
    }

    #[test]
    fn what_is_computed_is_unknown() {
        for text in [
            "git reset --hard $x",
            "git checkout -- $(cat list)",
            "git --git-dir=/x/.git reset --hard",
            "GIT_DIR=x git reset --hard",
            "git clean -fd --pathspec-from-file=x -- $a",
            "ssh host git reset --hard",
        ] {
            assert_eq!(found(text), [None], "{text}");
        }
    }

    #[test]
    fn earlier_commands_of_the_line_count() {
        let saved = |untracked| Earlier::Saved { untracked };
        for (text, expected) in [
            ("git fetch && git reset --hard", Earlier::Unchanged),
            ("git status; git diff && git reset --hard", Earlier::Unchanged),
            ("git stash && git reset --hard", saved(false)),
            ("git stash push -u -m x && git reset --hard", saved(true)),
            ("git add -A && git commit -m x && git reset --hard", saved(true)),
            ("git commit -am x && git reset --hard", saved(false)),
            ("git stash || git reset --hard", Earlier::Unchanged),
            ("git stash -k && git reset --hard", Earlier::Unchanged),
            ("git stash push a && git reset --hard", Earlier::Unchanged),
            ("git -C other stash && git reset --hard", Earlier::Unchanged),
            ("git stash && git stash pop && git reset --hard", Earlier::Changed),
            ("git stash pop && git reset --hard", Earlier::Changed),
            ("git merge x && git reset --hard", Earlier::Changed),
            ("git add a && git reset --hard", Earlier::Unchanged),
            ("git checkout main && git reset --hard", Earlier::Changed),
            ("git add -A && git commit -m x && git reset --hard HEAD~", Earlier::Changed),
            ("git commit -am x && git reset --hard @^", Earlier::Changed),
            ("git commit -am x && git reset --hard origin/main", saved(false)),
            ("git switch main && git branch -D x", Earlier::Unchanged),
            ("git checkout main && git pull && git branch -D x", Earlier::Unchanged),
            ("git checkout -B x main && git branch -D y", Earlier::Changed),
            ("git rebase main && git branch -D x", Earlier::Changed),
            ("git reset --hard HEAD~ && git branch -D x", Earlier::Changed),
        ] {
            let found = discards(text, &parse(text, Dialect::Posix));
            assert_eq!(found.last().unwrap().earlier, expected, "{text}");
        }
    }
}
