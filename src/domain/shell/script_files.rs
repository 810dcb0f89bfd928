//! Files that a script runs, as data: those that the walk requests, and their contents.
//!
//! The walk reads no file. It notes what it would need; the caller looks that up and walks again with the answers,
//! until nothing new is requested.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The most files of which the content is taken in for one text.
const MAX_FILES: usize = 64;

/// The most bytes of a file.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The most bytes of all files together.
const MAX_TOTAL_BYTES: usize = 4 << 20;

/// What a file holds that something would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// This text; bytes that are not UTF-8 are replaced, and zero bytes left out.
    Text(String),
    /// A program for the machine and not a text.
    Binary,
    /// More than is read.
    TooLarge,
    /// Something that is not a regular file, or that may not be read.
    Unreadable,
    /// Nothing: there is no such file.
    Missing,
}

/// A file that the walk asks for: the first of some names in a directory, or in one above it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileRequest {
    /// The directory, from where the script started; empty for that one.
    pub dir: String,
    /// The names, the preferred one first; each may be a whole path.
    pub names: Vec<String>,
    /// Whether the directories above are looked in as well.
    pub search_parents: bool,
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedFile {
    /// Its path: absolute and normalised.
    pub path: String,
    /// How many directories above the one asked for it was found.
    pub levels_up: usize,
    /// The path for messages.
    pub display_path: Rc<str>,
    /// What it holds.
    pub content: FileContent,
}

/// The answers so far.
#[derive(Debug, Clone, Default)]
pub struct FileCache {
    answers: BTreeMap<FileRequest, Rc<ResolvedFile>>,
    files: usize,
    bytes: usize,
    variables: BTreeMap<String, Option<String>>,
}

impl FileCache {
    /// Returns the value of a variable of the environment; `None` when it was not asked for yet.
    pub fn variable(&self, name: &str) -> Option<Option<&str>> {
        self.variables.get(name).map(Option::as_deref)
    }

    /// Adds the value of a variable of the environment, if it has one that is a path.
    pub fn add_variable(&mut self, name: String, value: Option<String>) {
        self.variables.insert(name, value);
    }

    /// Returns the answer to a request; `None` when it was not made yet.
    pub fn get(&self, wanted: &FileRequest) -> Option<&Rc<ResolvedFile>> {
        self.answers.get(wanted)
    }

    /// Adds an answer. Beyond the bounds on files and bytes, the content is left out.
    pub fn add(&mut self, wanted: FileRequest, mut found: ResolvedFile) {
        if let FileContent::Text(text) = &found.content {
            let (files, bytes) = (self.files + 1, self.bytes + text.len());
            if files > MAX_FILES || bytes > MAX_TOTAL_BYTES {
                found.content = FileContent::TooLarge;
            } else {
                (self.files, self.bytes) = (files, bytes);
            }
        }
        self.answers.insert(wanted, Rc::new(found));
    }
}

/// Why the commands of a file count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileRole {
    /// The line runs the file.
    #[default]
    Script,
    /// The call writes the file, a notebook, and somebody runs the commands later.
    Cell,
    /// The call writes the file, and a tool runs the commands later on this machine.
    Deferred,
    /// The call writes the file, and a pipeline or a development container runs the commands later.
    Pipeline,
}

/// Where a command is that was found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLocation {
    /// Why its commands count.
    pub role: FileRole,
    /// The file, for messages.
    pub path: Rc<str>,
    /// The line, counted from 1.
    pub line: usize,
}
