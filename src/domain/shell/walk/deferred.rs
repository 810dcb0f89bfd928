//! Lines of files that tools run later.

use std::rc::Rc;

use super::Invocation;
use super::Walker;
use super::script_file::FileContext;
use crate::domain::shell::deferred::{DeferredLine, DeferredPlace, deferred_lines, is_deferred_file};
use crate::domain::shell::script::Word;
use crate::domain::shell::script_files::{FileContent, FileRole, ResolvedFile};

/// The most lines of one file that are followed.
const MAX_LINES: usize = 256;

impl Walker {
    /// Walks the lines that tools run later of the files that the text writes.
    pub(super) fn walk_written_files(&mut self) {
        for (path, text) in self.scope.written_files(is_deferred_file) {
            self.walk_deferred_lines(&path, &deferred_lines(&path, &text));
        }
    }

    /// Walks what a package runs by itself from now on: `npm pkg set scripts.postinstall=x`.
    pub(super) fn walk_package_settings(&mut self, call: &Invocation) {
        let mut words = call.words.iter().skip(1).map(|word| word.text.as_str());
        if (words.next(), words.next()) != (Some("pkg"), Some("set")) {
            return;
        }
        let set = words.filter_map(|word| word.strip_prefix("scripts.")?.split_once('='));
        let scripts = set.map(|(name, value)| (name.to_owned(), value.into())).collect();
        let package = serde_json::json!({ "scripts": serde_json::Value::Object(scripts) });
        let lines = deferred_lines("package.json", &package.to_string());
        self.walk_deferred_lines("package.json", &lines);
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
