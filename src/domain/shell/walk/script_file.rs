//! Scripts in files that a line runs.
//!
//! A file's commands are listed like those of the line, with the file and the line they are in. They have a budget of
//! their own: a long script, or one with places that cannot be read, is ordinary and is no reason to give up on the
//! line that runs it.

use std::ops::Range;
use std::rc::Rc;

use super::scope::{PossibleDirectories, Value};
use super::{Invocation, Walker};
use crate::domain::shell::code::Language;
use crate::domain::shell::script::{Dialect, OpaqueReason, Word, program_name};
use crate::domain::shell::script_files::{FileContent, FileLocation, FileRequest, FileRole, ResolvedFile};
use crate::domain::shell::syntax::MAX_DEPTH;
use crate::domain::shell::variable_names::is_environment_file;

/// How many files deep scripts are followed that run each other.
const MAX_FILE_DEPTH: usize = 8;

/// The most commands that the files of a line list together.
const MAX_COMMANDS: usize = 3072;

/// The most nodes of syntax that are visited in them.
const MAX_STEPS: usize = 1 << 15;

/// The text that may be produced for them, in bytes.
const MAX_FUEL: usize = 4 << 20;

/// Directories whose programs came with the system or with a user's tools.
pub(super) const SYSTEM_DIRECTORIES: &[&str] = &[
    "/bin/",
    "/sbin/",
    "/usr/bin/",
    "/usr/sbin/",
    "/usr/lib/",
    "/usr/libexec/",
    "/usr/local/bin/",
    "/opt/homebrew/",
    "/nix/store/",
    "/snap/",
    "/System/",
    "/Library/",
    "/dev/",
    "/proc/",
];

/// What reads a file as code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScriptKind {
    /// The shell that runs the line, as with `source`.
    Sourced,
    Shell,
    Language(Language),
    /// A shell of Windows.
    WindowsShell(Dialect),
    /// Something of which no code is understood here.
    Unsupported,
    /// Whatever the first line or the name says.
    Detect,
}

/// A file whose text is being walked.
#[derive(Debug)]
pub(super) struct FileContext {
    path: Rc<str>,
    /// Where its lines begin, in bytes.
    line_starts: Vec<usize>,
    /// The line of the text itself, where it is a part of the file.
    first_line: usize,
    /// Where the command is that runs it.
    caller_span: Range<usize>,
    role: FileRole,
}

impl FileContext {
    /// Returns whether it is a file of variables, such as `.env`.
    pub(super) fn is_environment_file(&self) -> bool {
        is_environment_file(&self.path)
    }

    /// Returns a text that begins in a line of a file, and the place from where it is run.
    pub(super) fn new(found: &ResolvedFile, text: &str, first: usize, span: &Range<usize>) -> Rc<Self> {
        let lines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Rc::new(Self {
            path: Rc::clone(&found.display_path),
            line_starts: lines,
            first_line: first,
            caller_span: span.clone(),
            role: FileRole::Script,
        })
    }

    /// Returns a text that a tool runs later, which begins in a line of a file.
    pub(super) fn deferred(found: &ResolvedFile, text: &str, first: usize, role: FileRole) -> Rc<Self> {
        let mut here = Self::new(found, text, first, &(0..0));
        if let Some(here) = Rc::get_mut(&mut here) {
            here.role = role;
        }
        here
    }

    /// Returns whether what is decoded or downloaded in it is reported: the call itself writes it.
    pub(super) fn is_deferred(&self) -> bool {
        matches!(self.role, FileRole::Deferred | FileRole::Cell)
    }
}

/// The budget for walking files.
#[derive(Debug)]
pub(super) struct FileBudget {
    depth: usize,
    steps: usize,
    fuel: usize,
    command_count: usize,
    /// The files that are being walked.
    active_files: Vec<String>,
    /// Whether a bound was reached, so that something was not read.
    is_exhausted: bool,
}

impl FileBudget {
    pub(super) fn new() -> Self {
        Self {
            depth: 0,
            steps: super::MAX_STEPS - MAX_STEPS,
            fuel: MAX_FUEL,
            command_count: super::MAX_COMMANDS - MAX_COMMANDS,
            active_files: Vec::new(),
            is_exhausted: false,
        }
    }

    pub(super) fn is_active(&self) -> bool {
        self.depth > 0
    }
}

impl Walker {
    /// Walks a file that a command runs, with these arguments.
    ///
    /// Without an answer in the library, the file is asked for.
    pub(super) fn walk_file(&mut self, path: &Word, reader: ScriptKind, args: &[Word], call: &Invocation) {
        let is_system = SYSTEM_DIRECTORIES.iter().any(|start| path.text.starts_with(start));
        if !path.literal || path.text.is_empty() || is_system || (path.glob && reader == ScriptKind::Detect) {
            return;
        }
        let there = self.walk_first_existing(&[&path.text], reader, args, call);
        if !there
            && self.script.requested_files.is_empty()
            && self.file_budget.depth < MAX_FILE_DEPTH
            && !self.is_remote
        {
            let reason = if path.glob { OpaqueReason::DynamicCode } else { OpaqueReason::ScriptUnread };
            self.report_unread(reason, call);
        }
    }

    /// Returns whether the program of a command is a script whose text was read.
    pub(super) fn is_script_read(&self, program: &Word) -> bool {
        let read = |dir: String| {
            let wanted = FileRequest {
                dir: String::new(),
                names: vec![self.scope.original_path(&dir, &program.text)],
                search_parents: false,
            };
            self.file_cache.get(&wanted).is_some_and(|found| matches!(found.content, FileContent::Text(_)))
        };
        program.text.contains('/') && self.scope.directories().into_iter().any(read)
    }

    /// Walks the first file of these names that is there, in each directory that the line may be in.
    pub(super) fn walk_first_existing(
        &mut self,
        names: &[&str],
        reader: ScriptKind,
        args: &[Word],
        call: &Invocation,
    ) -> bool {
        let mut there = false;
        for found in self.lookup_files(names, false, call) {
            there |= found.content != FileContent::Missing;
            self.walk_file_code(&found, reader, args, call);
        }
        there
    }

    /// Returns the answers for some names in the directories that the line may be in.
    pub(super) fn lookup_files(&mut self, names: &[&str], upward: bool, call: &Invocation) -> Vec<Rc<ResolvedFile>> {
        if self.is_remote || self.file_budget.depth >= MAX_FILE_DEPTH {
            if !self.is_remote {
                self.file_budget.is_exhausted = true;
                self.report_unread(OpaqueReason::ScriptTooLarge, call);
            }
            return Vec::new();
        }
        let mut answers: Vec<Rc<ResolvedFile>> = Vec::new();
        for dir in self.scope.directories() {
            let wanted = if upward {
                FileRequest {
                    dir,
                    names: names.iter().map(|name| (*name).to_owned()).collect(),
                    search_parents: upward,
                }
            } else {
                let names = names.iter().map(|name| self.scope.original_path(&dir, name)).collect();
                FileRequest { dir: String::new(), names, search_parents: upward }
            };
            match self.file_cache.get(&wanted) {
                Some(found) if answers.iter().any(|known| known.path == found.path) => {}
                Some(found) => answers.push(Rc::clone(found)),
                None if self.script.requested_files.contains(&wanted) => {}
                None => self.script.requested_files.push(wanted),
            }
        }
        answers
    }

    /// Returns the text of a file, or notes why there is none.
    pub(super) fn file_text<'f>(&mut self, found: &'f ResolvedFile, call: &Invocation) -> Option<&'f str> {
        match &found.content {
            FileContent::Text(text) => return Some(text),
            FileContent::Binary | FileContent::Missing => {}
            FileContent::TooLarge => {
                self.file_budget.is_exhausted = true;
                self.report_unread(OpaqueReason::ScriptTooLarge, call);
            }
            FileContent::Unreadable => self.report_unread(OpaqueReason::ScriptUnread, call),
        }
        None
    }

    fn walk_file_code(&mut self, found: &ResolvedFile, reader: ScriptKind, args: &[Word], call: &Invocation) {
        if found.content == FileContent::Binary && reader == ScriptKind::Detect {
            return self.walk_linked_program(found, args, call);
        }
        let Some(text) = self.file_text(found, call) else { return };
        let reader = if reader == ScriptKind::Detect { detect_script_kind(&found.path, text) } else { reader };
        let label = script_label(call);
        let key = format!("{} {}", found.path, join_arguments(args));
        let here = FileContext::new(found, text, 1, &call.span);
        self.with_file(&key, here, call, |walker| {
            let word = Word::known(text);
            match reader {
                ScriptKind::Language(language) => walker.walk_program(&word, language, &label, call),
                ScriptKind::WindowsShell(dialect) => walker.walk_windows_code(&word, dialect, &label, call),
                ScriptKind::Unsupported => {}
                ScriptKind::Sourced => {
                    let before = walker.scope.get("BASH_SOURCE").cloned();
                    walker.scope.set("BASH_SOURCE", Value::Scalar(script_name(call, &found.path)));
                    walker.walk_shell_text(&word, &label);
                    walker.scope.restore("BASH_SOURCE", before);
                }
                ScriptKind::Shell | ScriptKind::Detect => walker.subshell(|walker| {
                    let name = script_name(call, &found.path);
                    walker.scope.set("0", Value::Scalar(name.clone()));
                    walker.scope.set("BASH_SOURCE", Value::Scalar(name));
                    walker.scope.state.positional = Some(args.to_vec().into());
                    walker.scope.state.exit_on_error = false;
                    walker.walk_shell_text(&word, &label);
                }),
            }
        });
    }

    /// Walks a program that is run by another name: `ln -s /bin/bash fmt; ./fmt x`.
    fn walk_linked_program(&mut self, found: &ResolvedFile, args: &[Word], call: &Invocation) {
        let name = program_name(&found.path);
        let is_other = call.words.first().is_some_and(|word| program_name(&word.text) != name);
        if is_other && self.depth + 4 < MAX_DEPTH {
            let words = std::iter::once(Word::known(name)).chain(args.iter().cloned()).collect();
            self.run_nested(words, &script_label(call), call, call.stdin.clone());
        }
    }

    /// Walks a text that is a part of a file, from a line of it on.
    pub(super) fn walk_excerpt(
        &mut self,
        found: &ResolvedFile,
        text: &str,
        first: usize,
        label: &str,
        call: &Invocation,
    ) {
        let key = format!("{} {first} {text}", found.path);
        let here = FileContext::new(found, text, first, &call.span);
        self.with_file(&key, here, call, |walker| walker.walk_shell_text(&Word::known(text), label));
    }

    /// Walks with the budget for files. A file that is already being walked with the same words adds nothing.
    pub(super) fn with_file(
        &mut self,
        key: &str,
        mut here: Rc<FileContext>,
        call: &Invocation,
        walk: impl FnOnce(&mut Self),
    ) {
        if self.file_budget.active_files.iter().any(|active| active == key) {
            return;
        }
        if self.depth + 4 >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, call.span.clone());
            return;
        }
        // A file within a file is, for the line, where the outermost one is run.
        if let (Some(outer), Some(here)) = (&self.current_file, Rc::get_mut(&mut here)) {
            here.caller_span = outer.caller_span.clone();
        }
        let here = self.current_file.replace(here);
        let base = self.span_override.take();
        let feed = std::mem::take(&mut self.stdin);
        let place = std::mem::take(&mut self.position);
        self.file_budget.active_files.push(key.to_owned());
        self.with_file_budget(&call.span, walk);
        self.file_budget.active_files.pop();
        self.position = place;
        self.stdin = feed;
        self.span_override = base;
        self.current_file = here;
    }

    /// Walks with the budget for files, which may run out without harm to the line.
    pub(super) fn with_file_budget<T>(&mut self, span: &Range<usize>, walk: impl FnOnce(&mut Self) -> T) -> T {
        let on_line = !self.file_budget.is_active();
        if on_line {
            self.swap_file_budget();
        }
        self.file_budget.depth += 1;
        let value = walk(self);
        self.file_budget.depth -= 1;
        if on_line {
            self.swap_file_budget();
            if std::mem::take(&mut self.stopped) | std::mem::take(&mut self.file_budget.is_exhausted) {
                self.report(OpaqueReason::ScriptTooLarge, span.clone());
            }
        }
        value
    }

    fn swap_file_budget(&mut self) {
        std::mem::swap(&mut self.steps, &mut self.file_budget.steps);
        std::mem::swap(&mut self.fuel, &mut self.file_budget.fuel);
        std::mem::swap(&mut self.command_count, &mut self.file_budget.command_count);
    }

    /// Walks a whole text as shell code, in the scope and the directory as they are.
    pub(super) fn walk_shell_text(&mut self, text: &Word, label: &str) {
        let span = 0..text.text.len();
        if !self.spend(text.text.len(), &span) {
            return;
        }
        self.depth += 1;
        self.call_chain.push(label.to_owned());
        let dialect = std::mem::take(&mut self.dialect);
        let (list, _) = crate::domain::shell::syntax::parse(&text.text, self.depth, None);
        self.walk_list(&list);
        self.dialect = dialect;
        self.call_chain.pop();
        self.depth -= 1;
    }

    /// Records that a script was not read. That of a script within a script is of no interest.
    pub(super) fn report_unread(&mut self, reason: OpaqueReason, call: &Invocation) {
        self.report(reason, call.span.clone());
    }

    /// Returns where a command is: in the line, and in the file it was found in.
    pub(super) fn source_location(&self, span: &Range<usize>) -> (Range<usize>, Option<FileLocation>) {
        match &self.current_file {
            Some(here) => {
                let line = here.first_line + here.line_starts.partition_point(|at| *at < span.start);
                (here.caller_span.clone(), Some(FileLocation { role: here.role, path: Rc::clone(&here.path), line }))
            }
            None => (span.clone(), None),
        }
    }

    /// Walks with another directory for what is inside; a file's own is that of its commands.
    pub(super) fn with_file_directory(&mut self, found: &ResolvedFile, walk: impl FnOnce(&mut Self)) {
        self.subshell(|walker| {
            if found.levels_up > 0 {
                let dir = found.path.rsplit_once('/').map_or("", |(dir, _)| dir);
                walker.scope.state.cwd =
                    PossibleDirectories::OneOf(vec![if dir.is_empty() { "/" } else { dir }.to_owned()]);
            }
            walk(walker);
        });
    }
}

/// Returns what a script calls itself: the path as written, or where it is.
fn script_name(call: &Invocation, path: &str) -> Word {
    let name = path.rsplit('/').next().unwrap_or(path);
    let written = call.words.iter().find(|word| word.text.ends_with(name));
    written.map_or_else(|| Word::known(path), |word| Word::known(word.text.as_str()))
}

fn join_arguments(args: &[Word]) -> String {
    args.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns how a command that runs a file is called in messages: its first words.
fn script_label(call: &Invocation) -> String {
    let mut label = String::new();
    for word in call.words.iter().take(3) {
        if label.len() + word.text.len() > 80 {
            break;
        }
        if !label.is_empty() {
            label.push(' ');
        }
        label.push_str(&word.text);
    }
    label
}

/// Returns what reads a script that is run by its name alone.
pub(super) fn detect_script_kind(path: &str, text: &str) -> ScriptKind {
    let by_name = match path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending) {
        Some("ps1") => ScriptKind::WindowsShell(Dialect::PowerShell),
        Some("bat" | "cmd") => ScriptKind::WindowsShell(Dialect::Cmd),
        _ => ScriptKind::Shell,
    };
    let Some(line) = text.strip_prefix("#!") else { return by_name };
    let line = line.lines().next().unwrap_or_default();
    let mut words = line.split_whitespace().map(program_name);
    let is_option = |word: &str| word.starts_with('-') || word.contains('=');
    let program = match words.next() {
        Some("env") => words.find(|word| !is_option(word)),
        program => program,
    };
    let Some(program) = program else { return ScriptKind::Shell };
    if matches!(program, "pwsh" | "powershell") {
        return ScriptKind::WindowsShell(Dialect::PowerShell);
    }
    match super::code::program_language(program) {
        Some(language) => ScriptKind::Language(language),
        None if super::shells::is_shell(program) => ScriptKind::Shell,
        // Whatever it is, it is no code that is understood here.
        None => ScriptKind::Unsupported,
    }
}

#[cfg(test)]
mod tests {
    use super::{ScriptKind, detect_script_kind};
    use crate::domain::shell::code::Language;
    use crate::domain::shell::script::Dialect;

    #[test]
    fn the_first_line_tells_what_reads_a_script() {
        for (text, reader) in [
            ("ls", ScriptKind::Shell),
            ("#!/bin/sh\nls", ScriptKind::Shell),
            ("#!/usr/bin/env -S bash -e\nls", ScriptKind::Shell),
            ("#!/usr/bin/env A=1 python3.12\r\nls", ScriptKind::Language(Language::Python)),
            ("#! /usr/local/bin/node", ScriptKind::Language(Language::JavaScript)),
            ("#!/usr/bin/make -f", ScriptKind::Unsupported),
            ("#!", ScriptKind::Shell),
        ] {
            assert_eq!(detect_script_kind("/x/y", text), reader, "{text}");
        }
        assert_eq!(detect_script_kind("/x/y.cmd", "del x"), ScriptKind::WindowsShell(Dialect::Cmd));
        assert_eq!(detect_script_kind("/x/y.ps1", ""), ScriptKind::WindowsShell(Dialect::PowerShell));
    }
}
