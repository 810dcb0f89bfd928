//! The shells of Windows, by words: lines, quotes and separators, without a grammar.
//!
//! Blocks, parentheses and substitutions are followed as far as brackets go, so that the commands in
//! them are found; loops, branches and types are not understood. Names of programs are compared
//! without regard to case, and the usual aliases under the name of what they stand for.

mod head;
mod read;
mod text;

use std::ops::Range;

use super::script::{Dialect, Opaque, Redirect, Word};
use read::Reader;

/// The deepest nesting of brackets that is followed.
const MAX_OPEN: usize = 64;

/// The most words that are read.
const MAX_WORDS: usize = 1 << 16;

/// One command with its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pub(crate) words: Vec<Word>,
    pub(crate) redirects: Vec<Redirect>,
    /// The environment's variables that it sets: `$env:NAME = value`.
    pub(crate) assignments: Vec<(String, Word)>,
    pub(crate) span: Range<usize>,
    pub(crate) pipeline: usize,
    pub(crate) stage: usize,
    /// Whether `&` or `.` stands before it, so that even a string or a variable is run.
    called: bool,
}

/// The words of the grammar that may stand before a command.
const KEYWORDS: &[&str] = &[
    "if", "else", "elseif", "for", "foreach", "while", "do", "until", "switch", "try", "catch", "finally", "function",
    "filter", "param", "return", "throw", "begin", "process", "end", "trap", "in",
];

/// What aliases stand for.
const ALIASES: &[(&str, &str)] = &[
    ("del", "Remove-Item"),
    ("erase", "Remove-Item"),
    ("rd", "Remove-Item"),
    ("rmdir", "Remove-Item"),
    ("ri", "Remove-Item"),
    ("rm", "Remove-Item"),
    ("gc", "Get-Content"),
    ("cat", "Get-Content"),
    ("type", "Get-Content"),
    ("cp", "Copy-Item"),
    ("copy", "Copy-Item"),
    ("cpi", "Copy-Item"),
    ("xcopy", "Copy-Item"),
    ("mv", "Move-Item"),
    ("move", "Move-Item"),
    ("mi", "Move-Item"),
    ("ren", "Rename-Item"),
    ("rni", "Rename-Item"),
    ("sc", "Set-Content"),
    ("ac", "Add-Content"),
    ("clc", "Clear-Content"),
    ("ni", "New-Item"),
    ("iex", "Invoke-Expression"),
    ("iwr", "Invoke-WebRequest"),
    ("irm", "Invoke-RestMethod"),
    ("gci", "Get-ChildItem"),
    ("ls", "Get-ChildItem"),
    ("dir", "Get-ChildItem"),
    ("sls", "Select-String"),
    ("saps", "Start-Process"),
    ("start", "Start-Process"),
    ("icm", "Invoke-Command"),
    ("sl", "Set-Location"),
    ("cd", "Set-Location"),
    ("chdir", "Set-Location"),
    ("pushd", "Push-Location"),
    ("popd", "Pop-Location"),
    ("kill", "Stop-Process"),
    ("spps", "Stop-Process"),
];

/// Returns the name an alias stands for, or the name itself.
pub(crate) fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map_or(name, |(_, full)| full)
}

/// Returns the commands of a text and the places that could not be read.
pub(crate) fn lines(text: &str, dialect: Dialect) -> (Vec<Line>, Vec<Opaque>) {
    let mut reader = Reader::new(text, dialect != Dialect::Cmd);
    reader.run();
    (reader.done, reader.opaque)
}
