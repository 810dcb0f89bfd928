//! Reads what one command of git discards.

use super::Discarded;
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::{Command, Word};

/// Options of git that take the next word.
const VALUE_OPTIONS: &[&str] =
    &["-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/// Options and variables that lead to another repository than the one of the directory.
const ELSEWHERE: &[&str] = &["--git-dir", "--work-tree", "--namespace"];

/// The command line of a verb of git.
pub(super) struct GitCommand<'c> {
    /// The verb.
    pub(super) verb: &'c str,
    /// The operands behind the verb.
    operands: Vec<&'c Word>,
    /// How many operands are before `--`, if there is one.
    dashes: Option<usize>,
    arguments: Arguments<'c>,
    /// Whether the repository is the one of the directory.
    pub(super) is_known: bool,
}

impl<'c> GitCommand<'c> {
    /// Reads the words of a command of git; `None` if there is no verb.
    pub(super) fn read(command: &'c Command) -> Option<Self> {
        let mut is_known = command.assignments.iter().all(|(name, _)| !name.starts_with("GIT_"));
        let mut words = command.args().iter();
        let verb = loop {
            let word = words.next()?;
            let text = word.text.as_str();
            if !text.starts_with('-') {
                break word;
            }
            if text == "-C" {
                words.next()?;
                continue;
            }
            let name = text.split('=').next().unwrap_or(text);
            let value = if VALUE_OPTIONS.contains(&text) { words.next().map(|word| word.text.as_str()) } else { None };
            let sets_tree = |value: &str| value.to_ascii_lowercase().starts_with("core.worktree");
            is_known &= !ELSEWHERE.contains(&name) && !value.is_some_and(sets_tree);
        };
        let arguments = command.arguments();
        let at = arguments.operands.iter().position(|word| std::ptr::eq(*word, verb))?;
        let operands = arguments.operands.get(at + 1..).unwrap_or_default().to_vec();
        let dashes = arguments.end_of_options.map(|end| end.saturating_sub(at + 1));
        Some(Self { verb: &verb.text, operands, dashes, arguments, is_known: is_known && verb.literal })
    }

    /// Returns whether an option was given, a long one also by its beginning.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        // `--force` is no abbreviation of `--force-create`.
        let is_short_for = |given: &str, name: &str| {
            given != "--force" && given.len() > 3 && given.starts_with("--") && name.starts_with(given)
        };
        let options = self.arguments.options.iter();
        options
            .map(|option| option.name.as_str())
            .any(|given| names.iter().any(|name| given == *name || is_short_for(given, name)))
    }

    fn count(&self, names: &[&str]) -> usize {
        self.arguments.options.iter().filter(|option| names.contains(&option.name.as_str())).count()
    }

    /// Returns the operands behind `--`, if it is there.
    fn behind_dashes(&self) -> Option<&[&'c Word]> {
        Some(self.operands.get(self.dashes?..).unwrap_or_default())
    }

    pub(super) fn operand(&self, at: usize) -> Option<&'c str> {
        self.operands.get(at).map(|word| word.text.as_str())
    }

    /// Returns the number of operands.
    pub(super) fn operand_count(&self) -> usize {
        self.operands.len()
    }

    fn value(&self, names: &[&str]) -> Option<&Word> {
        self.arguments.values(names).last().copied()
    }
}

/// What is read of a command.
pub(super) enum ReadDiscard {
    /// It discards nothing.
    Nothing,
    /// It discards something that is computed.
    Unknown,
    /// It discards this.
    Known(Discarded),
}

/// Returns what a command discards. The directories of `-C` belong to the command's own directory.
pub(super) fn read(command: &Command) -> ReadDiscard {
    let Some(git) = GitCommand::read(command).filter(|git| !git.has(&["--help", "-h"])) else {
        return ReadDiscard::Nothing;
    };
    let Some(what) = discarded(&git) else { return ReadDiscard::Nothing };
    let words = git.operands.iter().chain(git.value(&["-s", "--source"]).iter()).all(|word| word.literal);
    let is_known = git.is_known && words && !git.has(&["--pathspec-from-file"]);
    if is_known { ReadDiscard::Known(what) } else { ReadDiscard::Unknown }
}

fn texts(words: &[&Word]) -> Vec<String> {
    words.iter().map(|word| word.text.clone()).collect()
}

fn discarded(git: &GitCommand<'_>) -> Option<Discarded> {
    let force = git.has(&["-f", "--force"]);
    Some(match git.verb {
        "reset" => {
            let hard = git.has(&["--hard"]);
            let merge = git.has(&["--merge"]);
            if !hard && !merge && !git.has(&["--keep"]) {
                return None;
            }
            let target = git.operand(0).map(ToOwned::to_owned);
            Discarded::Reset { target, worktree: hard, staged: hard || merge }
        }
        "checkout" => return checkout(git, force),
        "switch" if git.has(&["-C", "--force-create"]) => {
            Discarded::MoveBranch(git.value(&["-C", "--force-create"])?.text.clone())
        }
        "switch" if force || git.has(&["--discard-changes"]) => Discarded::Switch,
        "read-tree" if git.has(&["-u"]) && git.has(&["--reset"]) => Discarded::Switch,
        "restore" => {
            let staged = git.has(&["-S", "--staged"]);
            if git.has(&["-p", "--patch"]) || (staged && !git.has(&["-W", "--worktree"])) || git.operands.is_empty() {
                return None;
            }
            let source = git.value(&["-s", "--source"]).map(|word| word.text.clone());
            let source = source.or_else(|| staged.then(|| "HEAD".to_owned()));
            Discarded::Restore { source, staged, paths: texts(&git.operands) }
        }
        "checkout-index" if force && git.has(&["-a", "--all"]) => {
            Discarded::Restore { source: None, staged: false, paths: vec![":/".to_owned()] }
        }
        "checkout-index" if force && !git.operands.is_empty() => {
            Discarded::Restore { source: None, staged: false, paths: texts(&git.operands) }
        }
        "clean" if !git.has(&["-n", "--dry-run", "-i", "--interactive"]) => Discarded::Clean {
            directories: git.has(&["-d"]),
            ignored: git.has(&["-x", "-X"]),
            untracked: !git.has(&["-X"]),
            repositories: git.count(&["-f", "--force"]) > 1,
            except: git.arguments.values(&["-e", "--exclude"]).into_iter().map(|word| word.text.clone()).collect(),
            paths: texts(&git.operands),
        },
        "stash" => match git.operand(0)? {
            "drop" => Discarded::Stash(Some(git.operand(1).unwrap_or_default().to_owned())),
            "clear" => Discarded::Stash(None),
            _ => return None,
        },
        "worktree" if git.operand(0) == Some("remove") && force => Discarded::Worktree(git.operand(1)?.to_owned()),
        "branch" => {
            let deletes = git.has(&["-D"]) || (git.has(&["-d", "--delete"]) && force);
            if deletes && !git.operands.is_empty() {
                let remote = git.has(&["-r", "--remotes"]);
                return Some(Discarded::Branches { names: texts(&git.operands), remote });
            }
            let name = git.operand(0).filter(|_| force && !git.has(&["-d", "--delete", "-m", "-M", "-c", "-C"]))?;
            Discarded::MoveBranch(name.to_owned())
        }
        "rm" if force && !git.has(&["--cached", "-n", "--dry-run"]) && !git.operands.is_empty() => {
            Discarded::Remove { paths: texts(&git.operands) }
        }
        _ => return None,
    })
}

fn checkout(git: &GitCommand<'_>, force: bool) -> Option<Discarded> {
    if git.has(&["-p", "--patch", "-b", "--orphan"]) {
        return None;
    }
    if let Some(name) = git.value(&["-B"]) {
        return Some(Discarded::MoveBranch(name.text.clone()));
    }
    let paths = texts(git.behind_dashes().unwrap_or_default());
    Some(match git.operands.as_slice() {
        [] if git.has(&["--pathspec-from-file"]) => Discarded::Checkout { words: Vec::new(), force },
        [] if force => Discarded::Switch,
        [] => return None,
        _ if !paths.is_empty() => {
            let source = git.operand(0).filter(|_| git.operand_count() > paths.len()).map(ToOwned::to_owned);
            Discarded::Restore { staged: source.is_some(), source, paths }
        }
        words => Discarded::Checkout { words: texts(words), force },
    })
}
