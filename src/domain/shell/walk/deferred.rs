//! Lines of files that tools run later.

use std::rc::Rc;

use super::Invocation;
use super::Walker;
use super::script_file::FileContext;
use crate::domain::shell::deferred::{DeferredLine, DeferredPlace, deferred_lines, is_deferred_file};
use crate::domain::shell::origin;
use crate::domain::shell::script::{Command, OpaqueReason, Word};
use crate::domain::shell::script_files::{FileContent, FileRole, ResolvedFile};

/// The most lines of one file that are followed.
const MAX_LINES: usize = 256;

/// How many commands before a place are looked at for the one that fetches its code.
const MAX_NEARBY_COMMANDS: usize = 8;

impl Walker {
    /// Walks the lines that tools run later of the files that the text writes.
    pub(super) fn walk_written_files(&mut self) {
        for (path, text) in self.scope.written_files(is_deferred_file) {
            self.walk_deferred_lines(&path, &deferred_lines(&path, &text));
        }
    }

    /// Returns why code of a file that a tool runs later is unknown: computed code is left alone in files, unless the
    /// line fetches it.
    pub(super) fn reason_in_deferred_code(&self, reason: OpaqueReason) -> OpaqueReason {
        if !matches!(reason, OpaqueReason::DynamicCode | OpaqueReason::PipedCode) {
            return reason;
        }
        let line = |command: &Command| command.file.as_ref().map(|file| file.line);
        let Some(last) = self.script.commands.last() else { return reason };
        let mut nearby = self.script.commands.iter().rev().take(MAX_NEARBY_COMMANDS);
        let fetches = |command: &Command| {
            line(command) == line(last) && !command.call_chain.is_empty() && origin::is_download(command)
        };
        if nearby.any(fetches) { OpaqueReason::DownloadedCode } else { reason }
    }

    /// Walks lines of a file, each of which a shell of its own runs.
    pub(super) fn walk_deferred_lines(&mut self, path: &str, lines: &[DeferredLine]) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let found = ResolvedFile {
            path: path.to_owned(),
            levels_up: 0,
            display_path: path.into(),
            content: FileContent::Missing,
        };
        for line in lines.iter().take(MAX_LINES) {
            let role = match line.place {
                DeferredPlace::Machine => FileRole::Deferred,
                DeferredPlace::Notebook => FileRole::Cell,
                DeferredPlace::Pipeline => FileRole::Pipeline,
            };
            let here = FileContext::deferred(&found, &line.text, line.number, role);
            let key = format!("{path} {} {}", line.number, line.text);
            self.with_file(&key, here, &Invocation::default(), |walker| {
                walker.subshell(|walker| {
                    walker.scope.state.positional = Some(Rc::default());
                    let was_remote = std::mem::replace(&mut walker.is_remote, role == FileRole::Pipeline);
                    walker.walk_shell_text(&Word::known(line.text.as_str()), name);
                    walker.is_remote = was_remote;
                });
            });
        }
    }
}
