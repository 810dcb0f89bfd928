//! Programs with a command language of their own that names files: editors, databases, relays.

use super::{Access, FileCollector};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::{Command, Word};

impl FileCollector {
    /// Records the files that an editor is given, and those that its commands read and write.
    pub(super) fn add_vim(&mut self, command: &Command, arguments: &Arguments<'_>) {
        for access in [Access::Read, Access::Write] {
            self.add_all(arguments.operands.iter().copied(), access);
        }
        let given = arguments.values(&["-c", "--cmd"]).into_iter().chain(command.args());
        for word in given {
            let text = word.text.strip_prefix('+').unwrap_or(&word.text);
            for part in text.split('|') {
                let mut parts = part.trim_start_matches([':', '%']).splitn(2, ' ');
                let verb = parts.next().unwrap_or_default().trim_end_matches('!');
                let accesses: &[Access] = match verb {
                    "w" | "write" | "wq" | "sav" | "saveas" | "up" | "update" => &[Access::Write],
                    "r" | "read" | "so" | "source" => &[Access::Read],
                    "e" | "edit" | "sp" | "split" | "vs" | "vsplit" | "tabe" | "tabedit" => {
                        &[Access::Read, Access::Write]
                    }
                    _ => continue,
                };
                let file = parts.next().map(str::trim).filter(|file| !file.starts_with(['!', '+', '>']));
                for (file, access) in
                    file.into_iter().flat_map(|file| accesses.iter().map(move |access| (file, access)))
                {
                    self.add_path(file, word, *access);
                }
            }
        }
    }

    /// Records the files of a program with commands of its own; returns whether it is one.
    pub(super) fn add_command_language(&mut self, program: &str, command: &Command, arguments: &Arguments<'_>) -> bool {
        match program {
            "mount" | "bindfs" => self.add_mount(arguments),
            "sqlite3" => self.add_sqlite(arguments),
            "patch" => self.add_patch_command(command, arguments),
            "socat" => self.add_socat(command),
            "http" | "https" | "xh" => self.add_http_client(arguments),
            "aws" | "gsutil" | "gcloud" | "rclone" | "s3cmd" | "s5cmd" | "mc" | "az" | "gh" | "glab" => {
                self.add_cloud(program, arguments);
            }
            "vim" | "vi" | "nvim" | "ex" | "view" | "gvim" | "mvim" => self.add_vim(command, arguments),
            _ => return false,
        }
        true
    }

    /// Records the files of `sqlite3`: the database, and those that its commands name.
    pub(super) fn add_sqlite(&mut self, arguments: &Arguments<'_>) {
        self.add_all(arguments.operands.first().copied(), Access::Write);
        let given = arguments.operands.iter().skip(1).copied().chain(arguments.values(&["-cmd", "-init"]));
        for word in given {
            let mut words = word.text.split_whitespace();
            let access = match words.next() {
                Some(".import" | ".read" | ".restore" | ".open") => Some(Access::Read),
                Some(".output" | ".once" | ".backup" | ".save" | ".excel") => Some(Access::Write),
                _ => None,
            };
            if let (Some(access), Some(file)) = (access, words.find(|word| !word.starts_with('-'))) {
                self.add_path(file.trim_matches(['"', '\'']), word, access);
            }
            for (function, access) in [("readfile(", Access::Read), ("writefile(", Access::Write)] {
                let argument = word.text.split_once(function).map(|(_, rest)| rest.trim_start());
                if let Some(file) = argument.and_then(|rest| rest.strip_prefix('\'')?.split('\'').next()) {
                    self.add_path(file, word, access);
                }
            }
        }
    }

    /// Records the files that `socat` relays.
    pub(super) fn add_socat(&mut self, command: &Command) {
        for word in command.args() {
            let Some((kind, rest)) = word.text.split_once(':') else { continue };
            let file = rest.split(',').next().unwrap_or_default();
            match kind.to_ascii_uppercase().as_str() {
                "FILE" | "OPEN" | "GOPEN" => {
                    self.add_path(file, word, Access::Read);
                    self.add_path(file, word, Access::Write);
                }
                "CREATE" | "CREAT" => self.add_path(file, word, Access::Write),
                _ => {}
            }
        }
    }

    /// Records the files that an HTTP client sends: `@file` and `field@file`.
    pub(super) fn add_http_client(&mut self, arguments: &Arguments<'_>) {
        for word in &arguments.operands {
            let field = word.text.split_once('@').filter(|(name, _)| !name.contains([':', '/', '=', '.']));
            let file = field.map(|(_, file)| file).or_else(|| word.text.split_once("=@").map(|(_, file)| file));
            if let Some(file) = file {
                self.add_path(file, word, Access::Read);
            }
        }
        self.add_all(arguments.values(&["-o", "--output"]), Access::Write);
    }

    /// Returns whether a word is a path here, and no address of a bucket or of another machine.
    pub(super) fn is_local(word: &Word) -> bool {
        !word.text.contains("://") && !super::copy::is_remote(&word.text) && !word.text.starts_with('-')
    }
}
