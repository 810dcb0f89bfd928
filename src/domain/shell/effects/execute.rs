//! Files that are run, and files whose mode is changed.
//!
//! Both are added to what the tables of roles say: a script that a shell runs is read as well, and a file whose mode
//! is
//! changed is written.

use super::{Access, FileCollector, is_stream};
use crate::domain::shell::script::{Command, Dialect};
use crate::domain::shell::walk::{inline_code, is_shell};

/// The programs that change modes, owners and attributes of the files they write.
const MODE_PROGRAMS: &[&str] =
    &["chmod", "chown", "chgrp", "chflags", "chattr", "xattr", "setfacl", "setcap", "icacls", "takeown", "attrib"];

/// The programs whose first operand is a script in their own language, and the word before it, if
/// there is one.
const SCRIPT_RUNNERS: &[(&str, &str)] = &[
    ("deno", "run"),
    ("bun", "run"),
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("tsx", ""),
    ("ts-node", ""),
    ("go", "run"),
    ("cscript", ""),
    ("wscript", ""),
];

impl FileCollector {
    /// Records that what is written has its mode changed, where that is what the program does.
    pub(super) fn add_mode_changes(&mut self, command: &Command) {
        let program = command.program().to_ascii_lowercase();
        if MODE_PROGRAMS.contains(&program.as_str()) {
            let written: Vec<_> = self
                .files
                .iter()
                .filter(|(_, access)| *access == Access::Write)
                .map(|(word, _)| word.clone())
                .collect();
            self.add_all(&written, Access::Mode);
        }
    }

    /// Records the file that a command runs.
    pub(super) fn add_executed(&mut self, command: &Command) {
        let Some((first, args)) = command.words.split_first() else { return };
        let separator = |text: &str| text.contains('/') || (command.dialect != Dialect::Posix && text.contains('\\'));
        if separator(&first.text) && !is_stream(&first.text) && !command.is_dynamic() {
            self.add(first, Access::Execute);
        }
        let program = command.written_program();
        if matches!(program, "source" | ".") {
            self.add_all(args.first(), Access::Execute);
            return;
        }
        let arguments = command.arguments();
        let operands = &arguments.operands;
        if is_shell(program) {
            if !arguments.has(&["-c", "--command", "-s"]) {
                self.add_all(operands.first().copied(), Access::Execute);
            }
        } else if let Some((_, verb)) = SCRIPT_RUNNERS.iter().find(|(name, _)| *name == program) {
            let is_file = |text: &str| text.contains(['.', '/']) && !text.contains("://");
            let script = match operands.as_slice() {
                [script, ..] if verb.is_empty() || is_file(&script.text) => Some(script),
                [first, script, ..] if first.text == *verb && is_file(&script.text) => Some(script),
                _ => None,
            };
            self.add_all(script.copied(), Access::Execute);
        } else if matches!(program.to_ascii_lowercase().as_str(), "powershell" | "pwsh") {
            let file = arguments
                .options
                .iter()
                .find(|given| matches!(given.name.to_ascii_lowercase().as_str(), "-file" | "-f" | "/file"));
            let script = operands.first().copied().filter(|word| word.text.to_ascii_lowercase().ends_with(".ps1"));
            self.add_all(
                file.and_then(|given| given.value.as_ref().or(given.next_word.as_ref())).or(script),
                Access::Execute,
            );
        } else if !program.ends_with("awk")
            && !arguments.has(&["-m", "--help", "--version"])
            && inline_code(program, &command.words, None).is_some_and(|(_, codes)| codes.is_empty())
        {
            self.add_all(operands.first().copied(), Access::Execute);
        }
    }
}
