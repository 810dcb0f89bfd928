//! Calls of file tools, and what may be written.

use super::tree::TreeFilter;
use super::{Effect, Proved, Prover, gap};
use crate::domain::event::tool::{Access, ToolCall, ToolKind};

impl Prover<'_, '_> {
    pub(super) fn file_tool(&self, call: &ToolCall<'_>) -> Proved {
        let cwd = self.facts.path_context.resolve(".", None);
        let shown = |path: &str| format!("`{}` of {}", call.name, self.facts.path_context.display(path));
        if call.kind == ToolKind::Search {
            // A search without a place is one of the whole directory.
            let filter = TreeFilter { skips_hidden: true, ..TreeFilter::default() };
            let places: Vec<&str> = call.files.iter().filter(|file| !file.is_glob).map(|file| file.path.as_ref()).collect();
            let places = if places.is_empty() { vec!["."] } else { places };
            for written in places {
                let path = self.resolve(written, &cwd)?;
                self.readable_tree(&path, &filter)?;
                self.step(format!("{}: read", shown(&path)));
            }
            self.add_effect(Effect::Read);
            return Ok(());
        }
        if call.files.is_empty() || !call.urls.is_empty() {
            return gap(format!("which file `{}` is about is not known", call.name));
        }
        for file in &call.files {
            let path = self.resolve(&file.path, &cwd)?;
            let changes = file.access.contains(Access::Write);
            match call.kind {
                _ if file.is_glob => return gap("a pattern in the name of a file"),
                ToolKind::Read if !changes => self.readable(&path)?,
                ToolKind::Write | ToolKind::Edit => self.writable(&path)?,
                _ => return gap(format!("what `{}` does is not known", call.name)),
            }
            let effect = if changes { Effect::Edit } else { Effect::Read };
            self.add_effect(effect);
            self.step(format!("{}: {}", shown(&path), effect.name()));
        }
        Ok(())
    }

    /// Checks that a file may be written.
    pub(super) fn writable(&self, path: &str) -> Proved {
        gap(format!("`{}` would be written", self.facts.path_context.display(path)))
    }

    /// Checks that a directory or an empty file may be made.
    pub(super) fn creatable(&self, path: &str) -> Proved {
        self.writable(path)
    }
}
