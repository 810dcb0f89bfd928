//! Calls of file tools, and what may be written.

use super::deciding::{GENERATED_DIRECTORIES, decides};
use super::tree::TreeFilter;
use super::{Effect, Proved, Prover, gap};
use crate::domain::event::tool::{Access, ToolCall, ToolKind};
use crate::domain::facts::loss::{Change, Loss, LossKind};

impl Prover<'_, '_> {
    pub(super) fn file_tool(&self, call: &ToolCall<'_>) -> Proved {
        let cwd = self.facts.path_context.resolve(".", None);
        let shown = |path: &str| format!("`{}` of {}", call.name, self.facts.path_context.display(path));
        if call.kind == ToolKind::Search {
            // A search without a place is one of the whole directory.
            let filter = TreeFilter { skipped_directories: vec![".git".to_owned()], ..TreeFilter::default() };
            let places: Vec<&str> =
                call.files.iter().filter(|file| !file.is_glob).map(|file| file.path.as_ref()).collect();
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

    /// Checks that a file may be written: it is not there, or the last commit holds what it holds. A file that decides
    /// what tools run is never written, and none through a link.
    pub(super) fn writable(&self, path: &str) -> Proved {
        let below = self.placed(path)?;
        let place = self.facts.path_context;
        let is_hidden =
            |part: &str| part.starts_with('.') && !matches!(part, ".gitignore" | ".editorconfig" | ".gitkeep");
        if decides(&below) || below.split('/').any(is_hidden) {
            return gap(format!("`{}` decides what tools run", place.display(path)));
        }
        self.add_effect(Effect::Edit);
        if self.facts.file_system.is_absent(path) {
            return Ok(());
        }
        let losses = self.facts.file_system.losses(&Change::Overwrite(vec![path.to_owned()]));
        let is_held = |loss: &Loss| {
            let lost = LossKind::ALL.into_iter().filter(|kind| *kind != LossKind::Committed);
            loss.unknown.is_none()
                && loss.total(LossKind::Committed).count == 1
                && loss.total_of(&lost.collect::<Vec<_>>()).count == 0
        };
        if losses.len() == 1 && losses.iter().all(is_held) {
            Ok(())
        } else {
            gap(format!("what `{}` holds would be lost", place.display(path)))
        }
    }

    /// Checks that a directory may be made.
    pub(super) fn creatable(&self, path: &str) -> Proved {
        self.placed(path)?;
        self.add_effect(Effect::Edit);
        Ok(())
    }

    /// Returns the path in the project of something that is reached by no link, and that neither git nor an installation
    /// keeps.
    fn placed(&self, path: &str) -> Proved<String> {
        self.inside(path)?;
        self.unprotected(path)?;
        let place = self.facts.path_context;
        let below = place.relative_to(path, &self.root).unwrap_or_default();
        let real = self.facts.file_system.real_path(path).unwrap_or_else(|| path.to_owned());
        if place.relative_to(&real, &self.real_root) != Some(below) {
            return gap(format!("`{}` is reached through a link", place.display(path)));
        }
        let is_kept = |part: &str| GENERATED_DIRECTORIES.iter().any(|known| known.eq_ignore_ascii_case(part));
        if below.is_empty() || below.split('/').any(is_kept) {
            return gap(format!("`{}` belongs to what is installed or built", place.display(path)));
        }
        Ok(below.to_owned())
    }
}
