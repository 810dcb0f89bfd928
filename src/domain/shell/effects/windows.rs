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
            "get-content" | "select-string" | "import-csv" | "get-filehash" | "format-hex" => {
                self.add_all(operands.iter().copied(), Access::Read);
            }
            "set-content" | "add-content" | "clear-content" | "out-file" | "tee-object" | "new-item" | "export-csv" => {
                self.add_all(operands.first().copied(), Access::Write);
                self.add_named_arguments(command, &["-target"], Access::Read);
                self.add_named_arguments(command, &["-target"], Access::Link);
            }
            "copy-item" => self.add_copy(&arguments, false),
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
            "icacls" | "takeown" | "attrib" => self.add_all(operands.iter().copied(), Access::Write),
            name if name.contains("::") => return self.add_dotnet_call(name, operands),
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

    /// Records the file of a call such as `[IO.File]::Delete('x')`.
    fn add_dotnet_call(&mut self, name: &str, operands: &[&Word]) -> bool {
        let method = name.rsplit("::").next().unwrap_or_default();
        let access = if method.starts_with("delete") {
            Access::Delete
        } else if method.starts_with("read") || method.starts_with("open") {
            Access::Read
        } else {
            Access::Write
        };
        let files = name.contains("file]") || name.contains("directory]");
        if files {
            self.add_all(operands.first().copied(), access);
        }
        files
    }
}
