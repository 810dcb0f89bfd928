//! The files that a patch changes, where its text is part of the line or the call.

use super::{Access, FileCollector};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::{Command, RedirectKind};

/// The most files of one patch that are noted.
const MAX_PATCHED_FILES: usize = 256;

impl FileCollector {
    pub(super) fn add_patch_command(&mut self, command: &Command, arguments: &Arguments<'_>) {
        let mut operands = arguments.operands.iter().copied();
        self.add_all(operands.next(), Access::Write);
        self.add_all(operands, Access::Read);
        self.add_all(arguments.values(&["-i", "--input"]), Access::Read);
        self.add_all(arguments.values(&["-o", "--output"]), Access::Write);
        for dir in arguments.values(&["-d", "--directory"]) {
            self.add_tree(dir, Access::Write);
        }
        self.add_here_document_patch(command);
    }

    /// Records the files that a patch in a here-document or here-string names.
    pub(super) fn add_here_document_patch(&mut self, command: &Command) {
        let is_text = |kind: RedirectKind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
        for text in command.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target)
        {
            for path in patched_files(&text.text) {
                self.add_path(path, text, Access::Write);
            }
        }
    }
}

/// Returns the names of the files that a patch changes, as `patch -p1` would take them.
pub fn patched_files(text: &str) -> impl Iterator<Item = &str> {
    let heads = ["+++ ", "--- ", "rename to ", "rename from "];
    let named = text.lines().filter_map(move |line| heads.iter().find_map(|head| line.strip_prefix(head)));
    named.take(MAX_PATCHED_FILES).map(|name| {
        let name = name.split('\t').next().unwrap_or_default().trim();
        name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name)
    })
}
