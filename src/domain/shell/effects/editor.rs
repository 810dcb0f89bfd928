//! Programs with commands of their own that name files: editors, databases, relays.

use super::{Access, Touched};
use crate::domain::shell::option::Arguments;
use crate::domain::shell::script::{Command, Word};

impl Touched {
    /// Notes the files that an editor is given, and those that its commands read and write.
    pub(super) fn vim(&mut self, command: &Command, arguments: &Arguments<'_>) {
        for access in [Access::Read, Access::Write] {
            self.all(arguments.operands.iter().copied(), access);
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
                    self.path(file, word, *access);
                }
            }
        }
    }

    /// Notes the files of a program with commands of its own; tells whether it is one.
    pub(super) fn own_commands(&mut self, program: &str, command: &Command, arguments: &Arguments<'_>) -> bool {
        match program {
            "mount" | "bindfs" => self.mount(arguments),
            "sqlite3" => self.database(arguments),
            "patch" => self.patch(command, arguments),
            "socat" => self.sockets(command),
            "http" | "https" | "xh" => self.http(arguments),
            "aws" | "gsutil" | "gcloud" | "rclone" | "s3cmd" | "s5cmd" | "mc" | "az" | "gh" | "glab" => {
                self.cloud(program, arguments);
            }
            "vim" | "vi" | "nvim" | "ex" | "view" | "gvim" | "mvim" => self.vim(command, arguments),
            _ => return false,
        }
        true
    }

    /// Notes the files of `sqlite3`: the database, and those that its commands name.
    pub(super) fn database(&mut self, arguments: &Arguments<'_>) {
        self.all(arguments.operands.first().copied(), Access::Write);
        let given = arguments.operands.iter().skip(1).copied().chain(arguments.values(&["-cmd", "-init"]));
        for word in given {
            let mut words = word.text.split_whitespace();
            let access = match words.next() {
                Some(".import" | ".read" | ".restore" | ".open") => Some(Access::Read),
                Some(".output" | ".once" | ".backup" | ".save" | ".excel") => Some(Access::Write),
                _ => None,
            };
            if let (Some(access), Some(file)) = (access, words.find(|word| !word.starts_with('-'))) {
                self.path(file.trim_matches(['"', '\'']), word, access);
            }
            for (function, access) in [("readfile(", Access::Read), ("writefile(", Access::Write)] {
                let argument = word.text.split_once(function).map(|(_, rest)| rest.trim_start());
                if let Some(file) = argument.and_then(|rest| rest.strip_prefix('\'')?.split('\'').next()) {
                    self.path(file, word, access);
                }
            }
        }
    }

    /// Notes the files that `socat` relays.
    pub(super) fn sockets(&mut self, command: &Command) {
        for word in command.args() {
            let Some((kind, rest)) = word.text.split_once(':') else { continue };
            let file = rest.split(',').next().unwrap_or_default();
            match kind.to_ascii_uppercase().as_str() {
                "FILE" | "OPEN" | "GOPEN" => {
                    self.path(file, word, Access::Read);
                    self.path(file, word, Access::Write);
                }
                "CREATE" | "CREAT" => self.path(file, word, Access::Write),
                _ => {}
            }
        }
    }

    /// Notes the files that an HTTP client sends: `@file` and `field@file`.
    pub(super) fn http(&mut self, arguments: &Arguments<'_>) {
        for word in &arguments.operands {
            let field = word.text.split_once('@').filter(|(name, _)| !name.contains([':', '/', '=', '.']));
            let file = field.map(|(_, file)| file).or_else(|| word.text.split_once("=@").map(|(_, file)| file));
            if let Some(file) = file {
                self.path(file, word, Access::Read);
            }
        }
        self.all(arguments.values(&["-o", "--output"]), Access::Write);
    }

    /// Tells whether a word is a path here, and no address of a bucket or of another machine.
    pub(super) fn is_local(word: &Word) -> bool {
        !word.text.contains("://") && !super::copy::is_remote(&word.text) && !word.text.starts_with('-')
    }
}
