//! Files that a script runs, as data: which ones the walk asks for, and what came back.
//!
//! The walk reads no file. It notes what it would need; whoever called it looks that up and walks
//! again with the answers, until nothing new is asked for.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The most files of which the content is taken in for one text.
const MAX_FILES: usize = 16;

/// The most bytes of a file.
pub const MAX_FILE: usize = 256 << 10;

/// The most bytes of all files together.
const MAX_BYTES: usize = 1 << 20;

/// What a file holds that something would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileText {
    /// This text; bytes that are not UTF-8 are replaced, and zero bytes left out.
    Text(String),
    /// A program for the machine and not a text.
    Program,
    /// More than is read.
    TooLarge,
    /// Something that is not a regular file, or that may not be read.
    Unread,
    /// Nothing: there is no such file.
    Missing,
}

/// A file that the walk asks for: the first of some names in a directory, or in one above it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// The directory, from where the script started; empty for that one.
    pub dir: String,
    /// The names, the preferred one first; each may be a whole path.
    pub names: Vec<String>,
    /// Whether the directories above are looked in as well.
    pub upward: bool,
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is: absolute and normalised.
    pub path: String,
    /// How many directories above the one asked for it was found.
    pub above: usize,
    /// The path as people would name it.
    pub shown: Rc<str>,
    /// What it holds.
    pub text: FileText,
}

/// The answers so far.
#[derive(Debug, Clone, Default)]
pub struct Library {
    answers: BTreeMap<Wanted, Rc<Found>>,
    files: usize,
    bytes: usize,
}

impl Library {
    /// Returns the answer to a question, nothing when it was not asked yet.
    pub fn get(&self, wanted: &Wanted) -> Option<&Rc<Found>> {
        self.answers.get(wanted)
    }

    /// Takes in an answer. Beyond the bounds on files and bytes, the content is left out.
    pub fn add(&mut self, wanted: Wanted, mut found: Found) {
        if let FileText::Text(text) = &found.text {
            let (files, bytes) = (self.files + 1, self.bytes + text.len());
            if files > MAX_FILES || bytes > MAX_BYTES {
                found.text = FileText::TooLarge;
            } else {
                (self.files, self.bytes) = (files, bytes);
            }
        }
        self.answers.insert(wanted, Rc::new(found));
    }
}

/// Where a command stands that was found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InFile {
    /// The file, as people would name it.
    pub path: Rc<str>,
    /// The line, counted from 1.
    pub line: usize,
}
