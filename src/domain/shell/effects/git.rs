//! Effects of git on the working tree.
//!
//! Branches and paths look alike on git's command line. Where only the repository could tell, an operand counts as a
//! path, since a rule on files asks about names that few branches have.

use super::{Access, FileCollector};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::{Command, Word};

impl FileCollector {
    pub(super) fn add_git(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let Some((verb, operands)) = arguments.operands.split_first() else { return };
        self.add_git_work_tree(verb.text.as_str(), operands, command, arguments);
        let dashes = arguments.end_of_options.map(|at| at.saturating_sub(1));
        let behind = |default: usize| operands.get(dashes.unwrap_or(default)..).unwrap_or_default().iter().copied();
        if self.add_git_directories(verb.text.as_str(), operands, arguments) {
            return;
        }
        if matches!(verb.text.as_str(), "commit" | "tag" | "notes" | "merge" | "commit-tree") {
            self.add_all(arguments.values(&["-F", "--file", "-t", "--template"]), Access::Read);
        }
        match verb.text.as_str() {
            "rm" | "clean" if arguments.has(&["--cached", "-n", "--dry-run"]) => {}
            "mv" => {
                let arguments = Arguments { operands: operands.to_vec(), ..Arguments::default() };
                self.add_copy(&arguments, true);
            }
            "clean" if operands.is_empty() => self.add_current_directory(Access::Delete),
            "rm" | "clean" => self.add_all(operands.iter().copied(), Access::Delete),
            "checkout" if arguments.has(&["-b", "-B", "--orphan"]) => {}
            "checkout" => {
                // The first of several operands is a revision; a single one may be a file.
                let default = usize::from(operands.len() > 1);
                self.add_all(behind(default), Access::Write);
                if arguments.has(&["-f", "--force"]) {
                    self.add_current_directory(Access::Write);
                }
            }
            "restore" if arguments.has(&["-S", "--staged"]) && !arguments.has(&["-W", "--worktree"]) => {}
            "restore" => {
                for word in operands {
                    self.add(word, Access::Write);
                    self.add_tree(word, Access::Write);
                }
            }
            "reset" if arguments.has(&["--hard", "--merge", "--keep"]) => self.add_current_directory(Access::Write),
            "apply" | "am" => {
                self.add_all(operands.iter().copied(), Access::Read);
                self.add_current_directory(Access::Write);
                for dir in arguments.values(&["--directory"]) {
                    self.add_tree(dir, Access::Write);
                }
                self.add_here_document_patch(command, arguments.values(&["--directory"]).last().copied());
            }
            "add" | "blame" | "annotate" | "hash-object" => self.add_all(operands.iter().copied(), Access::Read),
            "show" | "cat-file" => {
                for word in operands {
                    self.add_git_blob(word);
                }
                self.add_all(behind(operands.len()), Access::Read);
            }
            "diff" => self.add_all(behind(0).filter(|word| dashes.is_some() || looks_like_path(word)), Access::Read),
            "log" | "grep" | "stash" => self.add_all(behind(operands.len()), Access::Read),
            "checkout-index" => self.add_checked_out_index(operands, arguments),
            "archive" | "bundle" | "format-patch" => self.add_git_packed(verb.text.as_str(), operands, arguments),
            "config" => {
                self.add_all(arguments.values(&["-f", "--file"]), Access::Write);
            }
            _ => {}
        }
    }

    /// Records what is packed into a file, or written as files of patches.
    fn add_git_packed(&mut self, verb: &str, operands: &[&Word], arguments: &Arguments<'_>) {
        self.add_all(arguments.values(&["-o", "--output", "--output-directory"]), Access::Write);
        match (verb, operands) {
            ("archive", [_, files @ ..]) => self.add_all(files.iter().copied(), Access::Read),
            ("bundle", [action, file, ..]) if action.text == "create" => self.add(file, Access::Write),
            _ => {}
        }
    }

    /// Records what is written and removed in a working tree that is named by an option or a variable.
    fn add_git_work_tree(&mut self, verb: &str, operands: &[&Word], command: &Command, arguments: &Arguments<'_>) {
        let by_variable = command.assignments.iter().filter(|(name, _)| name == "GIT_WORK_TREE").map(|(_, word)| word);
        let Some(tree) = arguments.values(&["--work-tree"]).into_iter().chain(by_variable).last() else { return };
        let has = |names: &[&str]| arguments.has(names);
        let removes = match verb {
            "clean" => !has(&["-n", "--dry-run"]),
            "stash" => has(&["-u", "--include-untracked", "-a", "--all"]),
            _ => false,
        };
        let writes = match verb {
            "checkout" | "restore" | "switch" | "stash" | "merge" | "pull" | "rebase" | "checkout-index" | "apply"
            | "am" | "cherry-pick" | "revert" => true,
            "reset" => has(&["--hard", "--merge", "--keep"]),
            "read-tree" => has(&["-u"]),
            _ => false,
        };
        if removes {
            self.add(tree, Access::Delete);
        }
        if writes {
            let named = arguments.end_of_options.map(|at| operands.get(at.saturating_sub(1)..).unwrap_or_default());
            match named {
                Some(files) if !files.is_empty() && verb != "stash" => {
                    for file in files {
                        let path = format!("{}/{}", tree.text.trim_end_matches('/'), file.text);
                        self.add_path(
                            &path,
                            &Word { literal: tree.literal && file.literal, ..(*file).clone() },
                            Access::Write,
                        );
                    }
                }
                _ => self.add_tree(tree, Access::Write),
            }
        }
    }

    /// Records the files that the index is written to, by the beginning of their paths.
    fn add_checked_out_index(&mut self, operands: &[&Word], arguments: &Arguments<'_>) {
        let here = Word::known("./");
        let prefix = arguments.values(&["--prefix"]).last().copied().unwrap_or(&here);
        for file in operands {
            self.add_path(&format!("{}{}", prefix.text, file.text), prefix, Access::Write);
        }
        if operands.is_empty() || arguments.has(&["-a", "--all", "--stdin"]) {
            self.add_tree(prefix, Access::Write);
        }
    }

    /// Records directories that git fills and other files besides the working tree; returns whether that
    /// is all there is.
    fn add_git_directories(&mut self, verb: &str, operands: &[&Word], arguments: &Arguments<'_>) -> bool {
        let first = operands.first().map_or("", |word| word.text.as_str());
        let filled = match (verb, first) {
            ("clone", _) | ("worktree", "add") => operands.get(1),
            ("init", _) => operands.first(),
            ("stash", "push" | "save") => {
                self.add_all(operands.iter().copied().skip(1), Access::Write);
                return true;
            }
            ("grep", _) if arguments.has(&["--no-index"]) => {
                self.add_all(operands.iter().copied().skip(usize::from(!arguments.has(&["-e"]))), Access::Read);
                return true;
            }
            ("diff" | "log" | "show", _) => {
                self.add_all(arguments.values(&["--output"]), Access::Write);
                return false;
            }
            _ => return false,
        };
        if let Some(dir) = filled {
            self.add(dir, Access::Write);
            self.add_tree(dir, Access::Write);
        }
        true
    }

    /// Records the file of `revision:path`.
    fn add_git_blob(&mut self, word: &Word) {
        if let Some((_, path)) = word.text.split_once(':') {
            self.add_path(path, word, Access::Read);
        }
    }
}

/// Returns whether an operand is rather a file than a revision.
fn looks_like_path(word: &Word) -> bool {
    let text = word.text.as_str();
    !text.contains("..")
        && (text.starts_with(['.', '/', '~']) || text.rsplit('/').next().is_some_and(|name| name.contains('.')))
}
