//! Scripts that a call only runs: which files are looked at, and what counts of what stands in them.
//!
//! A script in a file was there before, and most are a project's own: they build, test, clean and
//! deploy. So only what is plain to see counts. What a command does to a path that is put together
//! while it runs is not taken for the worst it might be.

use std::rc::Rc;

use super::path::Place;
use super::shell::files::MAX_FILE;
use super::shell::{
    Access, Command, Cwd, Dialect, FileText, FileUse, Found, Library, Opaque, OpaqueReason, RedirectKind, Script,
    Wanted, parse_with,
};

/// The machine that a call would run on, as far as a judgement has to look at it.
pub trait Machine {
    /// Returns where an absolute path really leads, when that is somewhere else.
    fn follow(&self, path: &str) -> Option<String>;

    /// Returns what the file at an absolute path holds, if it is a text of at most so many bytes.
    fn read(&self, path: &str, most: usize) -> FileText;
}

/// A machine without links and without files.
#[derive(Debug, Clone, Copy)]
pub struct Bare;

impl Machine for Bare {
    fn follow(&self, _: &str) -> Option<String> {
        None
    }

    fn read(&self, _: &str, _: usize) -> FileText {
        FileText::Missing
    }
}

/// How often a text is walked again with the files that it turned out to run.
const MAX_ROUNDS: usize = 8;

/// How many directories above are looked in for a project's file.
const MAX_ABOVE: usize = 16;

/// Returns what a text runs, with the scripts in files that it runs. `base` is where it starts.
pub fn parse(text: &str, dialect: Dialect, base: Option<&str>, place: &Place, machine: &dyn Machine) -> Script {
    let mut library = Rc::new(Library::default());
    let mut script = parse_with(text, dialect, &library);
    for _ in 0..MAX_ROUNDS {
        if script.wanted.is_empty() {
            return script;
        }
        let answers = Rc::make_mut(&mut library);
        for wanted in std::mem::take(&mut script.wanted) {
            let found = find(&wanted, base, place, machine);
            answers.add(wanted, found);
        }
        script = parse_with(text, dialect, &library);
    }
    if !script.wanted.is_empty() {
        script.opaque.push(Opaque { reason: OpaqueReason::ScriptTooLarge, span: 0..text.len() });
    }
    script
}

fn find(wanted: &Wanted, base: Option<&str>, place: &Place, machine: &dyn Machine) -> Found {
    let mut dir = place.resolve(if wanted.dir.is_empty() { "." } else { &wanted.dir }, base);
    let root = place.project.as_deref().map(|project| place.resolve(project, None));
    for above in 0..MAX_ABOVE {
        for name in &wanted.names {
            let path = place.resolve(name, Some(&dir));
            let text = machine.read(&path, MAX_FILE);
            if text != FileText::Missing {
                return Found { shown: place.shown(&path).into(), path, above, text };
            }
        }
        let parent = dir.rsplit_once('/').map(|(parent, _)| parent.to_owned());
        match parent.filter(|_| wanted.upward && root.as_ref() != Some(&dir)) {
            Some(parent) if !parent.is_empty() => dir = parent,
            _ => break,
        }
    }
    let path = place.resolve(wanted.names.first().map_or("", String::as_str), Some(&dir));
    Found { shown: place.shown(&path).into(), path, above: 0, text: FileText::Missing }
}

/// The programs that show, or hand on, what they read.
const SHOWING: &[&str] = &[
    "cat", "tac", "nl", "head", "tail", "less", "more", "bat", "batcat", "grep", "egrep", "fgrep", "rg", "awk", "gawk",
    "sed", "cut", "sort", "rev", "strings", "od", "xxd", "hexdump", "base64", "base32", "diff", "jq", "yq", "tee",
    "dd", "curl", "wget", "scp", "rsync", "nc", "ncat", "tar", "zip", "gpg", "openssl", "git",
];

/// Tells whether it counts that a command touches a file. In a script that stands in a file, it does
/// where the path is known from the text; and a file of the project is not read by showing it alone.
pub fn counts(command: &Command, used: &FileUse, path: &str, place: &Place) -> bool {
    if command.file.is_none() {
        return true;
    }
    let is_rooted = || place.resolve(&used.path, Some("/a")) == place.resolve(&used.path, Some("/b"));
    if !used.literal || (command.cwd == Cwd::Unknown && !is_rooted()) {
        return false;
    }
    let project = place.project.as_deref().unwrap_or(&place.cwd);
    if used.access != Access::Read || place.inside(path, &place.resolve(project, None)).is_none() {
        return true;
    }
    let quiet = command.arguments().has(&["-q", "--quiet", "--silent"]);
    let taken_in = command.via.iter().any(|via| matches!(via.as_str(), "$(…)" | "`…`" | "<(…)"))
        || command.redirects.iter().any(|it| it.kind == RedirectKind::Read && it.target.text == used.path);
    SHOWING.contains(&command.program()) && !quiet && !taken_in
}
