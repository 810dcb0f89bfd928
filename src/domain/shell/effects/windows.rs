//! Effects of the Windows shells' commands on files.
//!
//! Aliases are resolved to the commands they name, including `rm`, which is another command there.

use super::{Access, FileCollector};
use crate::domain::shell::script::{Command, Word};

impl FileCollector {
    /// Records the files of a command of these shells; returns whether it is one.
    pub(super) fn add_windows(&mut self, command: &Command) -> bool {
        let arguments = command.arguments();
        let operands = &arguments.operands;
        match command.program().to_ascii_lowercase().as_str() {
            "remove-item" => self.add_all(operands.iter().copied(), Access::Delete),
            "get-content" | "select-string" | "import-csv" | "get-filehash" | "format-hex" | "more" | "findstr" => {
                self.add_all(operands.iter().copied(), Access::Read);
            }
            "set-content" | "add-content" | "clear-content" | "out-file" | "tee-object" | "new-item" | "export-csv" => {
                self.add_all(operands.first().copied(), Access::Write);
                self.add_named_arguments(command, &["-target"], Access::Read);
                self.add_named_arguments(command, &["-target"], Access::Link);
            }
            "copy-item" => self.add_copy(&arguments, false),
            "compress-archive" => {
                let (sources, archive) = operands.split_at(operands.len().saturating_sub(1));
                self.add_all(sources.iter().copied(), Access::Read);
                self.add_all(archive.iter().copied(), Access::Write);
            }
            "robocopy" => self.add_robocopy(command),
            "move-item" => self.add_copy(&arguments, true),
            "rename-item" => {
                self.add_moved(operands.first().copied());
                self.add_all(operands.get(1).copied(), Access::Write);
            }
            "mklink" => {
                self.add_all(operands.first().copied(), Access::Write);
                self.add_all(operands.get(1).copied(), Access::Read);
                self.add_all(operands.get(1).copied(), Access::Link);
            }
            "invoke-webrequest" | "invoke-restmethod" => {
                self.add_named_arguments(command, &["-outfile"], Access::Write);
            }
            "icacls" | "takeown" | "attrib" => {
                let is_path = |word: &&&Word| !word.text.starts_with(['/', '+', '-']) && !is_grant(&word.text);
                let first = operands.iter().find(is_path).copied();
                let changes = command.args().iter().any(|word| is_change(&word.text));
                self.add_all(first.filter(|_| changes), Access::Write);
            }
            _ => return false,
        }
        true
    }

    fn add_named_arguments(&mut self, command: &Command, names: &[&str], access: Access) {
        let given = command.options();
        for option in given.iter().filter(|given| names.contains(&given.name.to_ascii_lowercase().as_str())) {
            self.add_all(option.value.as_ref().or(option.next_word.as_ref()), access);
        }
    }

    /// Records a copy of a directory; a mirror deletes what is missing in the original.
    fn add_robocopy(&mut self, command: &Command) {
        let paths: Vec<&Word> = command.args().iter().filter(|word| !word.text.starts_with('/')).collect();
        let has = |name: &str| command.args().iter().any(|word| word.text.eq_ignore_ascii_case(name));
        let [source, target, ..] = paths.as_slice() else { return };
        self.add(source, Access::Read);
        self.add(target, Access::Write);
        if has("/mir") || has("/purge") {
            self.add_path(&format!("{}/*", target.text.trim_end_matches(['/', '\\'])), target, Access::Delete);
        }
        if has("/mov") || has("/move") {
            self.add(source, Access::Delete);
        }
    }
}

/// Returns a path as other programs write it; `None` for what is no file, such as a key of the registry.
pub(super) fn file_path(written: &str) -> Option<String> {
    let path = written.rsplit_once("FileSystem::").map_or(written, |(_, path)| path);
    let provider = path.split_once(':').map_or("", |(drive, _)| drive);
    let is_provider = provider.len() > 1 && provider.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (!is_provider).then(|| path.strip_prefix(r"\\?\").unwrap_or(path).replace('\\', "/"))
}

/// Returns whether a word gives rights to somebody: `Everyone:F`, `Users:(OI)(CI)F`.
fn is_grant(word: &str) -> bool {
    word.split_once(':').is_some_and(|(name, _)| name.len() > 1)
}

/// Returns whether a word makes a program that shows rights or attributes change them.
fn is_change(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    ["/grant", "/deny", "/remove", "/reset", "/setowner", "/inheritance", "/setintegritylevel", "/restore", "/f"]
        .iter()
        .any(|option| lower.starts_with(option))
        || (word.len() == 2 && word.starts_with(['+', '-']))
}
