//! Parses text of the Windows shells by words: lines, quotes and separators, without a full grammar.
//!
//! Blocks, parentheses and substitutions are followed by their brackets, so that the commands in them are found;
//! loops,
//! branches and types are not understood. Names of programs are compared without regard to case, and the usual aliases
//! are replaced by the commands they name.

mod prefix;
mod quoting;
mod reader;

use std::ops::Range;

use super::script::{Dialect, Opaque, Redirect, Word};
use reader::WindowsReader;

/// The deepest nesting of brackets that is followed.
const MAX_BRACKET_DEPTH: usize = 64;

/// The most words that are read.
const MAX_WORDS: usize = 1 << 16;

/// One command with its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct WindowsCommand {
    pub(crate) words: Vec<Word>,
    pub(crate) redirects: Vec<Redirect>,
    /// The environment's variables that it sets: `$env:NAME = value`.
    pub(crate) assignments: Vec<(String, Word)>,
    pub(crate) span: Range<usize>,
    pub(crate) pipeline: usize,
    pub(crate) stage: usize,
    /// Whether `&` or `.` is before it, so that even a string or a variable is run.
    has_call_operator: bool,
}

/// The words of the grammar that may be before a command.
const KEYWORDS: &[&str] = &[
    "if", "else", "elseif", "for", "foreach", "while", "do", "until", "switch", "try", "catch", "finally", "function",
    "filter", "param", "return", "throw", "begin", "process", "end", "trap", "in",
];

/// What aliases represent.
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

/// Returns the name an alias represents, or the name itself.
pub(crate) fn resolve_alias(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map_or(name, |(_, full)| full)
}

/// Returns the commands of a text and the places that could not be read.
pub(crate) fn parse(text: &str, dialect: Dialect) -> (Vec<WindowsCommand>, Vec<Opaque>) {
    let mut reader = WindowsReader::new(text, dialect != Dialect::Cmd);
    reader.read_all();
    (reader.finished, reader.opaque)
}
