//! The plugin of a host without hooks in its settings: one file, written and removed as a whole.

use std::io::ErrorKind;
use std::path::Path;

use super::Installation;
use crate::adapters::EventRow;
use crate::adapters::registration::change::keeps_all_calls;
use crate::adapters::registration::plugin::{is_own_plugin, parse_plugin, plugin_text};
use crate::adapters::registration::{HookCommand, SettingsScope};
use crate::cli::CommandError;
use crate::cli::output::diff::print_diff;
use crate::cli::output::print::print;
use crate::io::files::{self, FileAction, FileError};

impl Installation<'_> {
    pub(super) fn write_plugin(
        &self,
        scope: SettingsScope,
        caller: &HookCommand<'_>,
        rows: &[&EventRow],
    ) -> Result<(), CommandError> {
        let path = self.settings_path(scope)?;
        let text = plugin_text(self.host, caller, rows).unwrap_or_default();
        let before = read_plugin(&path)?;
        if before.as_ref() == Some(&text) {
            print(&format!("{}: {path} is up to date\n", self.host.title));
            return Ok(());
        }
        if before.as_ref().is_some_and(|before| !is_own_plugin(before)) {
            return Err(format!("{path} belongs to another plugin; rename that file").into());
        }
        if self.target.dry_run {
            print_diff(&path, before.as_deref().unwrap_or_default(), &text);
            return Ok(());
        }
        // What a changed plugin does is not known, so that a new one may take something away.
        let is_kept = before.as_ref().is_none_or(|before| {
            let settings = (parse_plugin(self.host, before), parse_plugin(self.host, &text));
            matches!(settings, (Ok(before), Ok(after)) if keeps_all_calls(&before, &after, self.host.name))
        });
        let Some(approval) = self.approve_change(is_kept, &path)? else { return Ok(()) };
        files::write_atomic(Path::new(&path), &text)?;
        approval.record();
        let events: Vec<&str> = rows.iter().map(|row| row.wire).collect();
        print(&format!("{}: the plugin is in {path}, for {}\n", self.host.title, events.join(", ")));
        Ok(())
    }

    pub(super) fn remove_plugin(&self, scope: SettingsScope) -> Result<(), CommandError> {
        let path = self.settings_path(scope)?;
        let Some(before) = read_plugin(&path)?.filter(|before| is_own_plugin(before)) else {
            print(&format!("{}: not registered in {path}\n", self.host.title));
            return Ok(());
        };
        if self.target.dry_run {
            print_diff(&path, &before, "");
            return Ok(());
        }
        let Some(approval) = self.approve_removal(&path)? else { return Ok(()) };
        let (folder, name) = (Path::new(&path).parent(), Path::new(&path).file_name().and_then(|name| name.to_str()));
        if let (Some(folder), Some(name)) = (folder, name) {
            files::remove_files(folder, &[name])?;
        }
        approval.record();
        print(&format!("{}: removed {path}\n", self.host.title));
        Ok(())
    }
}

/// Returns the text of a plugin; `None` when it doesn't exist.
fn read_plugin(path: &str) -> Result<Option<String>, CommandError> {
    match files::read_regular_file(Path::new(path)) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::on(FileAction::Read, Path::new(path))(error).into()),
    }
}
