//! The files that a patch changes, where its text is part of the line or the call.

use super::{Access, FileCollector};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::{Command, RedirectKind, Word};
use crate::domain::text::patch::{FileChange, file_changes};

/// The most files of one patch that are noted.
const MAX_PATCHED_FILES: usize = 256;

impl FileCollector {
    pub(super) fn add_patch_command(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let mut operands = arguments.operands.iter().copied();
        self.add_all(operands.next(), Access::Write);
        self.add_all(operands, Access::Read);
        self.add_all(arguments.values(&["-i", "--input"]), Access::Read);
        self.add_all(arguments.values(&["-o", "--output"]), Access::Write);
        let directories = arguments.values(&["-d", "--directory"]);
        for dir in &directories {
            self.add_tree(dir, Access::Write);
        }
        self.add_here_document_patch(command, directories.last().copied());
    }

    /// Records the files that a patch in a here-document or here-string names, in the directory that the program
    /// goes to.
    pub(super) fn add_here_document_patch(&mut self, command: &Command, directory: Option<&Word>) {
        let is_text = |kind: RedirectKind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
        for text in command.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target)
        {
            for path in patched_files(&text.text) {
                match directory {
                    Some(dir) if !path.starts_with('/') => {
                        self.add_path(&format!("{}/{path}", dir.text.trim_end_matches('/')), text, Access::Write);
                    }
                    _ => self.add_path(path, text, Access::Write),
                }
            }
        }
    }
}

/// The names of the program that applies patches in a format of its own.
const APPLY_PATCH_PROGRAMS: &[&str] = &["apply_patch", "applypatch"];

impl FileCollector {
    /// Records the files that a patch of `apply_patch` changes: on its standard input, or as an argument.
    pub(super) fn add_applied_patch(&mut self, command: &Command) {
        if !APPLY_PATCH_PROGRAMS.contains(&command.program()) {
            return;
        }
        let is_text = |kind: RedirectKind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
        let given = command.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target);
        for text in given.chain(command.words.iter().skip(1)) {
            for change in file_changes(&text.text) {
                match change {
                    FileChange::Add { path, .. } | FileChange::Update { path, moved_to: None, .. } => {
                        self.add_path(path, text, Access::Write);
                    }
                    FileChange::Update { path, moved_to: Some(target), .. } => {
                        for access in [Access::Write, Access::Delete, Access::Move] {
                            self.add_path(path, text, access);
                        }
                        self.add_path(target, text, Access::Write);
                    }
                    FileChange::Delete { path } => self.add_path(path, text, Access::Delete),
                }
            }
        }
    }
}

/// The beginnings of the lines of a patch that name files.
const HEADERS: &[&str] = &["+++ ", "--- ", "rename to ", "rename from ", "copy to ", "diff --git "];

/// Returns the lines of a patch that name files.
pub(crate) fn patch_headers(text: &str) -> String {
    let lines = text.lines().filter(|line| HEADERS.iter().any(|head| line.starts_with(head)));
    lines.take(MAX_PATCHED_FILES * HEADERS.len()).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the names of the files that a patch changes, as `patch -p1` would take them.
pub fn patched_files(text: &str) -> impl Iterator<Item = &str> {
    let named = text.lines().filter_map(move |line| {
        let name = HEADERS.iter().find_map(|head| line.strip_prefix(head))?;
        // A change of a binary file or of a mode has no other line with its name.
        if line.starts_with("diff --git ") { name.rsplit_once(" b/").map(|(_, name)| name) } else { Some(name) }
    });
    named.take(MAX_PATCHED_FILES * 4).map(|name| {
        let name = name.split('\t').next().unwrap_or_default().trim();
        name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name)
    })
}
