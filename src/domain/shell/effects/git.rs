//! What git does to the working tree and reads from it.
//!
//! Branches and paths look alike on git's command line. Where only the repository could tell, an
//! operand counts as a path, since a rule on files asks about names that few branches have.

use super::{Access, Touched};
use crate::domain::shell::option::Arguments;
use crate::domain::shell::script::{Command, Word};

impl Touched {
    pub(super) fn git(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let Some((verb, operands)) = arguments.operands.split_first() else { return };
        let dashes = arguments.dashes.map(|at| at.saturating_sub(1));
        let behind = |default: usize| operands.get(dashes.unwrap_or(default)..).unwrap_or_default().iter().copied();
        if self.git_directories(verb.text.as_str(), operands, arguments) {
            return;
        }
        match verb.text.as_str() {
            "rm" | "clean" if arguments.has(&["--cached", "-n", "--dry-run"]) => {}
            "mv" => {
                let arguments = Arguments { operands: operands.to_vec(), ..Arguments::default() };
                self.copy(&arguments, true);
            }
            "clean" if operands.is_empty() => self.here(Access::Delete),
            "rm" | "clean" => self.all(operands.iter().copied(), Access::Delete),
            "checkout" if arguments.has(&["-b", "-B", "--orphan"]) => {}
            "checkout" => {
                // The first of several operands is a revision; a single one may be a file.
                let default = usize::from(operands.len() > 1);
                self.all(behind(default), Access::Write);
                if arguments.has(&["-f", "--force"]) {
                    self.here(Access::Write);
                }
            }
            "restore" if arguments.has(&["-S", "--staged"]) && !arguments.has(&["-W", "--worktree"]) => {}
            "restore" => {
                for word in operands {
                    self.add(word, Access::Write);
                    self.tree(word, Access::Write);
                }
            }
            "reset" if arguments.has(&["--hard", "--merge", "--keep"]) => self.here(Access::Write),
            "apply" | "am" => {
                self.all(operands.iter().copied(), Access::Read);
                self.here(Access::Write);
                for dir in arguments.values(&["--directory"]) {
                    self.tree(dir, Access::Write);
                }
                self.patched(command);
            }
            "add" | "blame" | "annotate" | "hash-object" => self.all(operands.iter().copied(), Access::Read),
            "show" | "cat-file" => {
                for word in operands {
                    self.blob(word);
                }
                self.all(behind(operands.len()), Access::Read);
            }
            "diff" => self.all(behind(0).filter(|word| dashes.is_some() || looks_like_path(word)), Access::Read),
            "log" | "grep" | "stash" => self.all(behind(operands.len()), Access::Read),
            "archive" | "bundle" | "format-patch" => {
                self.all(arguments.values(&["-o", "--output", "--output-directory"]), Access::Write);
                if verb.text == "archive" {
                    self.all(operands.iter().copied().skip(1), Access::Read);
                }
            }
            "config" => {
                self.all(arguments.values(&["-f", "--file"]), Access::Write);
            }
            _ => {}
        }
    }

    /// Notes directories that git fills and other files besides the working tree; tells whether that
    /// is all there is.
    fn git_directories(&mut self, verb: &str, operands: &[&Word], arguments: &Arguments<'_>) -> bool {
        let first = operands.first().map_or("", |word| word.text.as_str());
        let filled = match (verb, first) {
            ("clone", _) | ("worktree", "add") => operands.get(1),
            ("init", _) => operands.first(),
            ("stash", "push" | "save") => {
                self.all(operands.iter().copied().skip(1), Access::Write);
                return true;
            }
            ("grep", _) if arguments.has(&["--no-index"]) => {
                self.all(operands.iter().copied().skip(usize::from(!arguments.has(&["-e"]))), Access::Read);
                return true;
            }
            ("diff" | "log" | "show", _) => {
                self.all(arguments.values(&["--output"]), Access::Write);
                return false;
            }
            _ => return false,
        };
        if let Some(dir) = filled {
            self.add(dir, Access::Write);
            self.tree(dir, Access::Write);
        }
        true
    }

    /// Notes the file of `revision:path`.
    fn blob(&mut self, word: &Word) {
        if let Some((_, path)) = word.text.split_once(':') {
            self.path(path, word, Access::Read);
        }
    }
}

/// Tells whether an operand is rather a file than a revision.
fn looks_like_path(word: &Word) -> bool {
    let text = word.text.as_str();
    !text.contains("..")
        && (text.starts_with(['.', '/', '~']) || text.rsplit('/').next().is_some_and(|name| name.contains('.')))
}
