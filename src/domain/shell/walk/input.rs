//! The text that commands read: from files, here-documents and the commands before a pipe.
//!
//! A file on disk is only asked for where something depends on its text: code that a shell runs, or names that become
//! arguments.

use super::filter;
use super::script_file::SYSTEM_DIRECTORIES;
use super::{Invocation, Output, Stdin, Walker};
use crate::domain::shell::script::{RedirectKind, Word};
use crate::domain::shell::script_files::FileContent;
use crate::domain::shell::syntax::ast::{Chain, Node, NodeKind, Part, Pipeline};
use crate::domain::shell::variable_names::is_environment_file;

/// The longest text of a file that is put in the place of a substitution, in bytes.
const MAX_INPUT: usize = 1 << 16;

/// The programs to which their input is code or a list of targets, besides shells and interpreters; and wrappers, which
/// may run one of those.
const CONSUMERS: &[&str] = &[
    "xargs",
    "gxargs",
    "parallel",
    "sem",
    "read",
    "mapfile",
    "readarray",
    "source",
    ".",
    "at",
    "batch",
    "crontab",
    "tee",
    "sudo",
    "doas",
    "env",
    "exec",
    "nohup",
    "time",
    "timeout",
    "command",
    "builtin",
    "nice",
    "busybox",
    "stdbuf",
    "setsid",
    "eval",
    "sqlite3",
    "cpio",
    "tar",
    "pax",
    "git",
    "patch",
    "ed",
    "ex",
];

impl Walker {
    /// Returns the text of a file: what the script has written to it, or what it holds on disk.
    pub(super) fn read_text(&mut self, path: &Word, call: &Invocation) -> Output {
        if let Some(written) = self.scope.written_text(&path.text) {
            return written.clone();
        }
        let is_system = SYSTEM_DIRECTORIES.iter().any(|start| path.text.starts_with(start));
        // What a file of variables holds is a secret, and no text of the script.
        if !path.literal || path.glob || path.text.is_empty() || is_system || is_environment_file(&path.text) {
            return None;
        }
        let found = self.lookup_files(&[&path.text], false, call);
        match found.as_slice() {
            [only] => match &only.content {
                FileContent::Text(text) if text.len() <= MAX_INPUT => Some(Word::known(text.as_str())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the texts that a command reads besides its words: its standard input, and what the script itself has
    /// written to the files that it names. Files on disk are not read for this.
    pub(super) fn known_input(&self, call: &Invocation) -> Option<String> {
        let mut texts: Vec<&str> = match &call.stdin {
            Stdin::Text(text) => vec![&text.text],
            Stdin::File(path) | Stdin::PipedFile(path) => self.known_text(path).into_iter().collect(),
            Stdin::Inherited | Stdin::Pipe { .. } => Vec::new(),
        };
        if self.scope.has_written_files() {
            texts.extend(call.words.iter().skip(1).filter_map(|word| {
                let value = word.text.split_once('=').filter(|(name, _)| name.starts_with('-'));
                self.known_text(value.map_or(word.text.as_str(), |(_, path)| path))
            }));
        }
        texts.retain(|text| !text.is_empty() && text.len() <= MAX_INPUT);
        (!texts.is_empty()).then(|| texts.join("\0"))
    }

    fn known_text(&self, path: &str) -> Option<&str> {
        self.scope.written_text(path)?.as_ref().map(|word| word.text.as_str())
    }

    /// Returns the text that a command reads from its standard input, as far as it is known.
    pub(super) fn stdin_text(&mut self, call: &Invocation) -> Output {
        match call.stdin.clone() {
            Stdin::Text(text) => Some(text),
            Stdin::File(path) | Stdin::PipedFile(path) => self.read_text(&Word::known(path), call),
            Stdin::Inherited | Stdin::Pipe { .. } => None,
        }
    }

    /// Returns whether a command reads a file that is not there, or its standard input from such a file.
    pub(super) fn is_input_missing(&mut self, file: Option<&Word>, call: &Invocation) -> bool {
        let path = match (file, &call.stdin) {
            (Some(file), _) => file.text.clone(),
            (None, Stdin::File(path) | Stdin::PipedFile(path)) => path.clone(),
            (None, _) => return false,
        };
        self.scope.written_text(&path).is_none()
            && self.lookup_files(&[&path], false, call).iter().all(|found| found.content == FileContent::Missing)
    }

    /// Returns the texts of files one after the other, or the standard input where there are none.
    pub(super) fn read_operands(&mut self, operands: &[&Word], call: &Invocation) -> Output {
        let mut text = Some(Word::known(""));
        for operand in operands {
            let next = if operand.text == "-" { self.stdin_text(call) } else { self.read_text(operand, call) };
            text = super::scope::concat_outputs(text, next);
        }
        if operands.is_empty() { self.stdin_text(call) } else { text }
    }

    /// Walks with the knowledge whether something depends on what is printed.
    pub(super) fn with_wanted_output<T>(&mut self, wanted: bool, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.streams.wants_output, wanted);
        let value = walk(self);
        self.streams.wants_output = outer;
        value
    }

    /// Returns, for each stage of a pipeline, whether something depends on what it prints.
    pub(super) fn wanted_outputs(&self, pipeline: &Pipeline) -> Vec<bool> {
        let mut wanted = vec![self.streams.wants_output; pipeline.stages.len()];
        for at in (1..pipeline.stages.len()).rev() {
            let next = pipeline.stages.get(at).is_some_and(|node| self.is_consumer(node))
                || (wanted.get(at) == Some(&true) && pipeline.stages.get(at).is_some_and(is_filter));
            if let Some(before) = wanted.get_mut(at - 1) {
                *before = next;
            }
        }
        wanted
    }

    fn is_consumer(&self, node: &Node) -> bool {
        let NodeKind::Simple { .. } = &node.kind else { return true };
        let Some(program) = program_of(node) else { return true };
        let program = crate::domain::shell::script::program_name(program);
        CONSUMERS.contains(&program)
            || super::shells::is_shell(program)
            || super::code::program_language(program).is_some()
            || self.scope.function(program).is_some()
            || writes_file(node)
    }
}

/// Returns whether a chain begins with a listing of the working directory.
pub(super) fn lists_directory(chain: &Chain) -> bool {
    let Some(node) = chain.first.stages.first() else { return false };
    program_of(node).is_some_and(|program| program == "ls")
}

fn is_filter(node: &Node) -> bool {
    program_of(node).is_some_and(|program| filter::is_filter(crate::domain::shell::script::program_name(program)))
}

fn writes_file(node: &Node) -> bool {
    node.redirects.iter().any(|redirect| matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append))
}

/// Returns the program of a simple command, if it is written out.
fn program_of(node: &Node) -> Option<&str> {
    let NodeKind::Simple { words, .. } = &node.kind else { return None };
    match words.first()?.parts.as_slice() {
        [Part::Text { text, .. }] => Some(text),
        _ => None,
    }
}
