//! Effects of commands on files: which are read, written, deleted, moved, linked or run, by any program.
//!
//! Paths are as written, after expansion; a relative one is relative to its command's directory. A program that is in
//! no table touches no file here, so a rule on files alone does not stop it.

mod archive;
mod cloud;
mod copy;
mod descriptor;
mod editor;
mod execute;
mod git;
mod interpreter;
mod link;
mod net;
mod output;
mod output_table;
mod overwrite;
mod patch;
mod role_table;
mod special;
mod url;
mod windows;

use serde::{Deserialize, Serialize};

use super::actions;
use super::arguments::Arguments;
use super::script::{Command, Dialect, RedirectKind, Script, Word};
pub(crate) use copy::is_remote;
use descriptor::with_files_of_descriptors;
pub use link::{Link, links};
pub use overwrite::keeps_content;
pub(crate) use patch::patch_headers;
pub use patch::patched_files;
use role_table::Role;

/// Returns whether a table says what a program does to its operands.
pub(super) fn has_file_role(program: &str) -> bool {
    role_table::find(program).is_some()
}

pub use url::urls;
pub(crate) use url::{command_urls, text_urls};

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Its content is read.
    Read,
    /// It is created, or its content or permissions are changed.
    Write,
    /// It is removed, or moved away.
    Delete,
    /// It is moved away; it is deleted as well.
    Move,
    /// Its mode, owner or attributes are changed; it is written as well.
    Mode,
    /// Another name is made for it; it is read as well.
    Link,
    /// It is run, as a program or by an interpreter.
    Execute,
}

/// A file that a command touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUse {
    /// The path as written, after expansion.
    pub path: String,
    /// What is done to it.
    pub access: Access,
    /// The index of the command in the script.
    pub command: usize,
    /// Whether the path is a pattern, which may represent several files.
    pub glob: bool,
    /// Whether the path is fully known.
    pub literal: bool,
}

/// The files that only represent streams.
const STREAM_PATHS: &[&str] = &[
    "-",
    "/dev/null",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "NUL",
    "$null",
    "&1",
    "&2",
];

/// The programs for which a word with a plus says where to open the file.
const LINE_NUMBER_PROGRAMS: &[&str] =
    &["less", "more", "most", "vim", "vi", "nvim", "view", "ex", "ed", "nano", "emacs"];

/// Returns the files that the commands of a script touch.
pub fn file_uses(script: &Script) -> Vec<FileUse> {
    let mut uses = Vec::new();
    for (index, command) in script.commands.iter().enumerate() {
        let sent = actions::sent_files(command).into_iter().map(|path| (Word::known(path), Access::Read));
        let mut files = command_files(&with_files_of_descriptors(script, index, command));
        let sent: Vec<(Word, Access)> = sent.filter(|(word, access)| is_new(&files, word, *access)).collect();
        files.extend(sent);
        for (word, access) in files {
            let found = FileUse { path: word.text, access, command: index, glob: word.glob, literal: word.literal };
            if uses.len() > MAX_COMPARED || !uses.contains(&found) {
                uses.push(found);
            }
        }
    }
    uses
}

/// Returns whether a file is named that is not yet in a list.
fn is_new(files: &[(Word, Access)], word: &Word, access: Access) -> bool {
    let is_file =
        !word.text.is_empty() && !is_stream(&word.text) && !word.text.contains("://") && !is_remote(&word.text);
    is_file && !files.iter().any(|(known, done)| known.text == word.text && *done == access)
}

/// Returns the files that one command touches.
pub(crate) fn command_files(command: &Command) -> Vec<(Word, Access)> {
    let mut touched = FileCollector { is_windows: command.dialect != Dialect::Posix, ..FileCollector::default() };
    touched.add_redirects(command);
    touched.add_arguments(command);
    touched.add_outputs(command.written_program(), command);
    touched.add_variable_files(command);
    touched.add_mode_changes(command);
    touched.add_executed(command);
    touched.add_applied_patch(command);
    touched.files
}

/// Returns whether a path only represents a stream.
fn is_stream(path: &str) -> bool {
    let is_descriptor = |path: &str| path.strip_prefix("/dev/fd/").is_some_and(|rest| !rest.contains('/'));
    STREAM_PATHS.contains(&path)
        || is_descriptor(path)
        || ["/dev/tcp/", "/dev/udp/"].iter().any(|start| path.starts_with(start))
}

/// Up to how many uses the list is kept free of repetitions.
const MAX_COMPARED: usize = 512;

/// The files of one command.
#[derive(Default)]
struct FileCollector {
    files: Vec<(Word, Access)>,
    /// Whether the paths are those of a shell of Windows.
    is_windows: bool,
}

impl FileCollector {
    fn add(&mut self, word: &Word, access: Access) {
        let text = word.text.as_str();
        let is_stream = is_stream(text);
        let is_url = text
            .split_once("://")
            .is_some_and(|(scheme, _)| scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        if text.is_empty() || is_stream || is_url {
            return;
        }
        if !self.is_windows {
            self.files.push((word.clone(), access));
        } else if let Some(path) = windows::file_path(text) {
            self.files.push((Word { text: path, ..word.clone() }, access));
        }
    }

    fn add_path(&mut self, path: &str, like: &Word, access: Access) {
        self.add(&Word { text: path.to_owned(), ..like.clone() }, access);
    }

    fn add_all<'a>(&mut self, words: impl IntoIterator<Item = &'a Word>, access: Access) {
        for word in words {
            self.add(word, access);
        }
    }

    fn add_current_directory(&mut self, access: Access) {
        self.add(&Word::known("."), access);
    }

    fn add_redirects(&mut self, command: &Command) {
        for redirect in &command.redirects {
            let target = &redirect.target;
            match redirect.kind {
                RedirectKind::Read => self.add(target, Access::Read),
                RedirectKind::Write | RedirectKind::Append => self.add(target, Access::Write),
                RedirectKind::ReadWrite => {
                    self.add(target, Access::Read);
                    self.add(target, Access::Write);
                }
                RedirectKind::Duplicate | RedirectKind::HereDoc | RedirectKind::HereString => {}
            }
        }
    }

    fn add_arguments(&mut self, command: &Command) {
        if command.words.len() < 2 && !matches!(command.program(), "git" | "rg") {
            return self.add_interpreter(command);
        }
        if command.dialect != Dialect::Posix && self.add_windows(command) {
            return;
        }
        let mut arguments = command.arguments();
        let program = command.written_program();
        if LINE_NUMBER_PROGRAMS.contains(&program) {
            arguments.operands.retain(|word| !word.text.starts_with('+'));
        }
        if self.add_special(program, command, &arguments) {
            return;
        }
        match role_table::find(program) {
            Some(row) => {
                for (option, access) in row.options {
                    self.add_all(arguments.values(&[option]), *access);
                }
                self.add_role(&row.role, &arguments);
            }
            None => self.add_interpreter(command),
        }
    }

    fn add_role(&mut self, role: &Role, arguments: &Arguments<'_>) {
        match role {
            Role::Each(accesses) => {
                for access in *accesses {
                    self.add_all(arguments.operands.iter().copied(), *access);
                }
            }
            Role::AfterFirst { access, unless } => {
                let skip = usize::from(!arguments.has(unless));
                self.add_all(arguments.operands.iter().skip(skip).copied(), *access);
            }
            Role::First(access) => self.add_all(arguments.operands.first().copied(), *access),
            Role::ReadThenWrite => {
                self.add_all(arguments.operands.first().copied(), Access::Read);
                self.add_all(arguments.operands.iter().skip(1).copied(), Access::Write);
            }
            Role::WriteThenRead => {
                self.add_all(arguments.operands.first().copied(), Access::Write);
                self.add_all(arguments.operands.iter().skip(1).copied(), Access::Read);
            }
            Role::Nothing => {}
        }
    }
}
