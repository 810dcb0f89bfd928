//! What becomes of the content of a file: whether it is shown, whether it is lost, whether there is any.

use super::{Facts, FileFact, ParsedScript};
use crate::domain::event::tool::Access;
use crate::domain::shell::actions::shows_input;
use crate::domain::shell::{Command, Cwd, keeps_content};

/// Programs that create no file unless a redirection says so.
const READING_PROGRAMS: &[&str] = &[
    "cd", "ls", "cat", "head", "tail", "grep", "egrep", "rg", "test", "[", "[[", "echo", "printf", "true", "false",
    ":", "pwd", "wc", "which", "command", "type", "date", "set", "export", "sort", "uniq", "cut", "tr", "jq", "stat",
    "file", "du", "df", "tree", "diff", "uname", "whoami", "id", "source", ".", "",
];

impl Facts<'_> {
    /// Returns whether what the event reads of a file is shown or kept elsewhere. Names, counts and checks of it are
    /// not, nor is a file that is certainly not there.
    pub fn reveals(&self, file: &FileFact<'_>) -> bool {
        let shown = file.command.is_none_or(|at| {
            self.scripts().get(at.script).is_none_or(|analysed| shows_input(at.command, &analysed.script))
        });
        shown && !(self.is_absent(file) && self.has_files())
    }

    /// Returns whether a write to a file replaces what it holds: text that is added at its end replaces nothing, nor
    /// does a write to a file that is certainly not there, or that the script has found not to be there.
    pub fn overwrites(&self, file: &FileFact<'_>) -> bool {
        let kept = file.command.is_some_and(|at| {
            let Some(analysed) = self.scripts().get(at.script) else { return false };
            let command = analysed.script.commands.get(at.command);
            let is_onto_itself = command.is_some_and(|command| command.program() == "cp")
                && self.files().iter().any(|other| {
                    other.command == file.command && other.access.contains(Access::Read) && other.path == file.path
                });
            is_onto_itself
                || command.is_some_and(|command| keeps_content(command, &file.written_path))
                || is_guarded(analysed, at.command, &file.written_path)
        });
        // Without its directory, nothing can be written there at all.
        let is_unreachable = || {
            let parent = file.path.rsplit_once('/').map_or("", |(parent, _)| parent);
            self.file_system.is_absent(parent)
        };
        !kept && !(self.is_absent(file) && (is_unreachable() || self.has_files()))
    }

    /// Returns whether a hidden directory or file that is deleted is certainly not there.
    pub fn deletes_nothing(&self, file: &FileFact<'_>) -> bool {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        name.starts_with('.') && !name.starts_with(".env") && self.is_absent(file)
    }

    /// Returns whether the project has any file: an empty directory may be one that is about to be filled or mounted.
    fn has_files(&self) -> bool {
        let project = self.path_context.project.as_deref().unwrap_or(&self.path_context.cwd);
        self.list(&format!("{project}/*")).is_some_and(|found| !found.is_empty())
    }

    /// Returns whether it is certain that there is no file at a path when the event takes place: the path is known and
    /// of this machine, nothing is there now, and nothing in the event puts something there.
    fn is_absent(&self, file: &FileFact<'_>) -> bool {
        let is_known = !file.is_glob && !file.path.contains(['$', '`', '…']) && file.real_path.is_none();
        let is_here = file.command.is_none_or(|at| {
            let Some(analysed) = self.scripts().get(at.script) else { return false };
            let Some(command) = analysed.script.commands.get(at.command) else { return false };
            let before = analysed.script.commands.iter().take(at.command);
            let is_settled = !matches!(command.cwd, Cwd::Unknown) && !command.is_remote;
            is_settled && before.filter(|other| !is_part_of(other, command)).all(creates_nothing)
        });
        let is_written = || {
            let own = |other: &&FileFact<'_>| other.command != file.command && other.access.contains(Access::Write);
            self.files().iter().filter(own).any(|other| other.is_glob || other.path == file.path)
        };
        is_known && is_here && !is_written() && self.file_system.is_absent(&file.path)
    }
}

/// Returns whether a command is one that another wraps, or the wrapper itself.
fn is_part_of(other: &Command, command: &Command) -> bool {
    other.span.start <= command.span.start && other.span.end >= command.span.end
}

fn creates_nothing(command: &Command) -> bool {
    READING_PROGRAMS.contains(&command.program())
        || (command.program() == "git"
            && command.args().first().is_some_and(|verb| {
                matches!(verb.text.as_str(), "status" | "log" | "diff" | "show" | "branch" | "rev-parse" | "ls-files")
            }))
}

/// Returns whether a command runs only if the one before it finds no file at a path: `[ -f x ] || cp y x`.
fn is_guarded(analysed: &ParsedScript<'_>, index: usize, path: &str) -> bool {
    let commands = &analysed.script.commands;
    let (Some(command), Some(test)) = (commands.get(index), index.checked_sub(1).and_then(|at| commands.get(at)))
    else {
        return false;
    };
    let between = analysed.text.get(test.span.end..command.span.start).unwrap_or_default().trim();
    let words: Vec<&str> =
        test.args().iter().map(|word| word.text.as_str()).filter(|word| !word.starts_with(']')).collect();
    let is_test = matches!(test.program(), "test" | "[" | "[[");
    match words.as_slice() {
        ["-f" | "-e" | "-s", tested] => is_test && *tested == path && between == "||",
        ["!", "-f" | "-e", tested] => {
            let follows = between == "&&" || between.trim_start_matches(';').trim() == "then";
            is_test && *tested == path && follows
        }
        _ => false,
    }
}
