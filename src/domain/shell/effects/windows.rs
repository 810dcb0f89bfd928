//! What the commands of the Windows shells do to files.
//!
//! Programs go by the names their aliases stand for, and so does `rm`, which is another one there.

use super::{Access, Touched};
use crate::domain::shell::script::{Command, Word};

impl Touched {
    /// Notes the files of a command of these shells; tells whether it is one.
    pub(super) fn windows(&mut self, command: &Command) -> bool {
        let arguments = command.arguments();
        let operands = &arguments.operands;
        match command.program().to_ascii_lowercase().as_str() {
            "remove-item" => self.all(operands.iter().copied(), Access::Delete),
            "get-content" | "select-string" | "import-csv" | "get-filehash" | "format-hex" => {
                self.all(operands.iter().copied(), Access::Read);
            }
            "set-content" | "add-content" | "clear-content" | "out-file" | "tee-object" | "new-item" | "export-csv" => {
                self.all(operands.first().copied(), Access::Write);
                self.named(command, &["-target"], Access::Read);
                self.named(command, &["-target"], Access::Link);
            }
            "copy-item" => self.copy(&arguments, false),
            "move-item" => self.copy(&arguments, true),
            "rename-item" => {
                self.moved(operands.first().copied());
                self.all(operands.get(1).copied(), Access::Write);
            }
            "mklink" => {
                self.all(operands.first().copied(), Access::Write);
                self.all(operands.get(1).copied(), Access::Read);
                self.all(operands.get(1).copied(), Access::Link);
            }
            "invoke-webrequest" | "invoke-restmethod" => self.named(command, &["-outfile"], Access::Write),
            "icacls" | "takeown" | "attrib" => self.all(operands.iter().copied(), Access::Write),
            name if name.contains("::") => return self.method(name, operands),
            _ => return false,
        }
        true
    }

    fn named(&mut self, command: &Command, names: &[&str], access: Access) {
        let given = command.options();
        for option in given.iter().filter(|given| names.contains(&given.name.to_ascii_lowercase().as_str())) {
            self.all(option.value.as_ref().or(option.next.as_ref()), access);
        }
    }

    /// Notes the file of a call such as `[IO.File]::Delete('x')`.
    fn method(&mut self, name: &str, operands: &[&Word]) -> bool {
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
            self.all(operands.first().copied(), access);
        }
        files
    }
}
