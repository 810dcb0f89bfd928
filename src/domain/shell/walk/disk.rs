//! Scripts in files: what a line runs that stands elsewhere.
//!
//! A file's commands are listed like those of the line, with the file and the line they stand in. They
//! are walked on an account of their own: a long script, or one with places that cannot be read, is
//! ordinary and is no reason to give up on the line that runs it.

use std::ops::Range;
use std::rc::Rc;

use super::scope::{Dirs, Value};
use super::{Invocation, Walker};
use crate::domain::shell::code::Language;
use crate::domain::shell::files::{FileText, Found, InFile, Wanted};
use crate::domain::shell::script::{Dialect, OpaqueReason, Word, program_name};
use crate::domain::shell::syntax::MAX_DEPTH;

/// How many files deep scripts are followed that run each other.
const MAX_FILES_DEEP: usize = 4;

/// The most commands that the files of a line list together.
const MAX_COMMANDS: usize = 1024;

/// The most nodes of syntax that are visited in them.
const MAX_STEPS: usize = 1 << 15;

/// The text that may be produced for them, in bytes.
const MAX_FUEL: usize = 4 << 20;

/// Directories whose programs came with the system or with a person's tools.
const SYSTEM: &[&str] = &[
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
pub(super) enum Reader {
    /// The shell that runs the line, as with `source`.
    Here,
    Shell,
    Language(Language),
    /// A shell of Windows.
    Windows(Dialect),
    /// Something of which no code is understood here.
    Stranger,
    /// Whatever the first line or the name says.
    Itself,
}

/// A file whose text is being walked.
#[derive(Debug)]
pub(super) struct Here {
    path: Rc<str>,
    /// Where its lines begin, in bytes.
    lines: Vec<usize>,
    /// The line of the text itself, where it is a part of the file.
    first: usize,
    /// Where the command stands that runs it.
    span: Range<usize>,
}

impl Here {
    /// Returns a text that begins in a line of a file, and the place from where it is run.
    pub(super) fn passage(found: &Found, text: &str, first: usize, span: &Range<usize>) -> Rc<Self> {
        let lines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Rc::new(Self { path: Rc::clone(&found.shown), lines, first, span: span.clone() })
    }
}

/// The account on which files are walked.
#[derive(Debug)]
pub(super) struct Account {
    depth: usize,
    steps: usize,
    fuel: usize,
    listed: usize,
    /// The files that are being walked.
    active: Vec<String>,
}

impl Account {
    pub(super) fn new() -> Self {
        Self {
            depth: 0,
            steps: super::MAX_STEPS - MAX_STEPS,
            fuel: MAX_FUEL,
            listed: super::MAX_COMMANDS - MAX_COMMANDS,
            active: Vec::new(),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.depth > 0
    }
}

impl Walker {
    /// Walks a file that a command runs, with these arguments.
    ///
    /// Without an answer in the library, the file is asked for.
    pub(super) fn file(&mut self, path: &Word, reader: Reader, args: &[Word], call: &Invocation) {
        let is_system = SYSTEM.iter().any(|start| path.text.starts_with(start));
        if !path.literal || path.glob || path.text.is_empty() || is_system {
            return;
        }
        let asked = self.script.wanted.len();
        let there = self.first_of(&[&path.text], reader, args, call);
        if !there && self.script.wanted.len() == asked && self.account.depth < MAX_FILES_DEEP && !self.elsewhere {
            self.unread(OpaqueReason::ScriptUnread, call);
        }
    }

    /// Walks the first file of these names that is there, in each directory that the line may be in.
    pub(super) fn first_of(&mut self, names: &[&str], reader: Reader, args: &[Word], call: &Invocation) -> bool {
        let mut there = false;
        for found in self.lookup(names, false, call) {
            there |= found.text != FileText::Missing;
            self.code_found(&found, reader, args, call);
        }
        there
    }

    /// Returns the answers for some names in the directories that the line may be in.
    pub(super) fn lookup(&mut self, names: &[&str], upward: bool, call: &Invocation) -> Vec<Rc<Found>> {
        if self.elsewhere || self.account.depth >= MAX_FILES_DEEP {
            if !self.elsewhere {
                self.unread(OpaqueReason::ScriptTooLarge, call);
            }
            return Vec::new();
        }
        let mut answers: Vec<Rc<Found>> = Vec::new();
        for dir in self.scope.directories() {
            let wanted = if upward {
                Wanted { dir, names: names.iter().map(|name| (*name).to_owned()).collect(), upward }
            } else {
                let names = names.iter().map(|name| self.scope.source_of(&dir, name)).collect();
                Wanted { dir: String::new(), names, upward }
            };
            match self.library.get(&wanted) {
                Some(found) if answers.iter().any(|known| known.path == found.path) => {}
                Some(found) => answers.push(Rc::clone(found)),
                None if self.script.wanted.contains(&wanted) => {}
                None => self.script.wanted.push(wanted),
            }
        }
        answers
    }

    /// Returns the text of a file, or notes why there is none.
    pub(super) fn text_of<'f>(&mut self, found: &'f Found, call: &Invocation) -> Option<&'f str> {
        match &found.text {
            FileText::Text(text) => return Some(text),
            FileText::Program | FileText::Missing => {}
            FileText::TooLarge => self.unread(OpaqueReason::ScriptTooLarge, call),
            FileText::Unread => self.unread(OpaqueReason::ScriptUnread, call),
        }
        None
    }

    fn code_found(&mut self, found: &Found, reader: Reader, args: &[Word], call: &Invocation) {
        let Some(text) = self.text_of(found, call) else { return };
        let reader = if reader == Reader::Itself { told(&found.path, text) } else { reader };
        let label = label(call);
        let key = format!("{} {}", found.path, joined(args));
        let here = Here::passage(found, text, 1, &call.span);
        self.in_file(&key, here, call, |walker| {
            let word = Word::known(text);
            match reader {
                Reader::Language(language) => walker.source(&word, language, &label, call),
                Reader::Windows(dialect) => walker.foreign(&word, dialect, &label, call),
                Reader::Stranger => {}
                Reader::Here => {
                    let before = walker.scope.get("BASH_SOURCE").cloned();
                    walker.scope.set("BASH_SOURCE", Value::Scalar(origin(call, &found.path)));
                    walker.whole(&word, &label);
                    walker.scope.restore("BASH_SOURCE", before);
                }
                Reader::Shell | Reader::Itself => walker.subshell(|walker| {
                    let name = origin(call, &found.path);
                    walker.scope.set("0", Value::Scalar(name.clone()));
                    walker.scope.set("BASH_SOURCE", Value::Scalar(name));
                    walker.scope.state.positional = Some(args.to_vec().into());
                    walker.scope.state.strict = false;
                    walker.whole(&word, &label);
                }),
            }
        });
    }

    /// Walks a text that is a part of a file, from a line of it on.
    pub(super) fn passage(&mut self, found: &Found, text: &str, first: usize, label: &str, call: &Invocation) {
        let key = format!("{} {first} {text}", found.path);
        let here = Here::passage(found, text, first, &call.span);
        self.in_file(&key, here, call, |walker| walker.whole(&Word::known(text), label));
    }

    /// Walks on the account of files. A file that is already being walked with the same words adds nothing.
    pub(super) fn in_file(&mut self, key: &str, mut here: Rc<Here>, call: &Invocation, walk: impl FnOnce(&mut Self)) {
        if self.account.active.iter().any(|active| active == key) {
            return;
        }
        if self.depth + 4 >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, call.span.clone());
            return;
        }
        // A file within a file stands, for the line, where the outermost one is run.
        if let (Some(outer), Some(here)) = (&self.here, Rc::get_mut(&mut here)) {
            here.span = outer.span.clone();
        }
        let here = self.here.replace(here);
        let base = self.base.take();
        let feed = std::mem::take(&mut self.feed);
        let place = std::mem::take(&mut self.place);
        self.account.active.push(key.to_owned());
        self.on_account(&call.span, walk);
        self.account.active.pop();
        self.place = place;
        self.feed = feed;
        self.base = base;
        self.here = here;
    }

    /// Walks on the account of files, which may run out without harm to the line.
    pub(super) fn on_account<T>(&mut self, span: &Range<usize>, walk: impl FnOnce(&mut Self) -> T) -> T {
        let on_line = !self.account.is_open();
        if on_line {
            self.swap_account();
        }
        self.account.depth += 1;
        let value = walk(self);
        self.account.depth -= 1;
        if on_line {
            self.swap_account();
            if std::mem::take(&mut self.stopped) {
                self.report(OpaqueReason::ScriptTooLarge, span.clone());
            }
        }
        value
    }

    fn swap_account(&mut self) {
        std::mem::swap(&mut self.steps, &mut self.account.steps);
        std::mem::swap(&mut self.fuel, &mut self.account.fuel);
        std::mem::swap(&mut self.listed, &mut self.account.listed);
    }

    /// Walks a whole text as shell code, in the scope and the directory as they are.
    fn whole(&mut self, text: &Word, label: &str) {
        let span = 0..text.text.len();
        if !self.spend(text.text.len(), &span) {
            return;
        }
        self.depth += 1;
        self.via.push(label.to_owned());
        let dialect = std::mem::take(&mut self.dialect);
        let (list, _) = crate::domain::shell::syntax::read(&text.text, self.depth, None);
        self.list(&list);
        self.dialect = dialect;
        self.via.pop();
        self.depth -= 1;
    }

    /// Notes that a script was not looked at. That of a script within a script is of no interest.
    pub(super) fn unread(&mut self, reason: OpaqueReason, call: &Invocation) {
        self.report(reason, call.span.clone());
    }

    /// Returns where a command stands: in the line, and in the file it was found in.
    pub(super) fn standing(&self, span: &Range<usize>) -> (Range<usize>, Option<InFile>) {
        match &self.here {
            Some(here) => {
                let line = here.first + here.lines.partition_point(|at| *at < span.start);
                (here.span.clone(), Some(InFile { path: Rc::clone(&here.path), line }))
            }
            None => (span.clone(), None),
        }
    }

    /// Walks with another directory for what is inside; a file's own is that of its commands.
    pub(super) fn in_directory(&mut self, found: &Found, walk: impl FnOnce(&mut Self)) {
        self.subshell(|walker| {
            if found.above > 0 {
                let dir = found.path.rsplit_once('/').map_or("", |(dir, _)| dir);
                walker.scope.state.cwd = Dirs::Among(vec![if dir.is_empty() { "/" } else { dir }.to_owned()]);
            }
            walk(walker);
        });
    }
}

/// Returns what a script calls itself: the path as written, or where it is.
fn origin(call: &Invocation, path: &str) -> Word {
    let name = path.rsplit('/').next().unwrap_or(path);
    let written = call.words.iter().find(|word| word.text.ends_with(name));
    written.map_or_else(|| Word::known(path), |word| Word::known(word.text.as_str()))
}

fn joined(args: &[Word]) -> String {
    args.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns how a command that runs a file is called in messages: its first words.
fn label(call: &Invocation) -> String {
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
pub(super) fn told(path: &str, text: &str) -> Reader {
    let by_name = match path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending) {
        Some("ps1") => Reader::Windows(Dialect::PowerShell),
        Some("bat" | "cmd") => Reader::Windows(Dialect::Cmd),
        _ => Reader::Shell,
    };
    let Some(line) = text.strip_prefix("#!") else { return by_name };
    let line = line.lines().next().unwrap_or_default();
    let mut words = line.split_whitespace().map(program_name);
    let is_option = |word: &str| word.starts_with('-') || word.contains('=');
    let program = match words.next() {
        Some("env") => words.find(|word| !is_option(word)),
        program => program,
    };
    let Some(program) = program else { return Reader::Shell };
    if matches!(program, "pwsh" | "powershell") {
        return Reader::Windows(Dialect::PowerShell);
    }
    match super::code::language_of(program) {
        Some(language) => Reader::Language(language),
        None if super::shells::is_shell(program) => Reader::Shell,
        // Whatever it is, it is no code that is understood here.
        None => Reader::Stranger,
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, told};
    use crate::domain::shell::code::Language;
    use crate::domain::shell::script::Dialect;

    #[test]
    fn the_first_line_tells_what_reads_a_script() {
        for (text, reader) in [
            ("ls", Reader::Shell),
            ("#!/bin/sh\nls", Reader::Shell),
            ("#!/usr/bin/env -S bash -e\nls", Reader::Shell),
            ("#!/usr/bin/env A=1 python3.12\r\nls", Reader::Language(Language::Python)),
            ("#! /usr/local/bin/node", Reader::Language(Language::JavaScript)),
            ("#!/usr/bin/make -f", Reader::Stranger),
            ("#!", Reader::Shell),
        ] {
            assert_eq!(told("/x/y", text), reader, "{text}");
        }
        assert_eq!(told("/x/y.cmd", "del x"), Reader::Windows(Dialect::Cmd));
        assert_eq!(told("/x/y.ps1", ""), Reader::Windows(Dialect::PowerShell));
    }
}
