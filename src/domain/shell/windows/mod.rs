//! Parses text of the Windows shells: what it runs, with the words that programs receive.
//!
//! Names of programs are compared without regard to case, and the usual aliases are replaced by the commands they name.
//! Variables of the environment have the form `$NAME` in words, in whichever way the shell writes them.

mod aliases;
mod cmd;
mod environment;
mod powershell;

use std::ops::Range;

use super::script::{Dialect, Opaque, OpaqueReason, Redirect, Word};
pub(crate) use aliases::resolve_alias;

/// The deepest nesting of brackets that is followed.
const MAX_DEPTH: usize = 64;

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
    /// The text that it is given through a pipe, when that is known.
    pub(crate) input: Option<Word>,
    /// Why code among its arguments is unknown, when that is known.
    pub(crate) code_origin: Option<OpaqueReason>,
}

/// Returns the commands of a text and the places that could not be read.
pub(crate) fn parse(text: &str, dialect: Dialect) -> (Vec<WindowsCommand>, Vec<Opaque>) {
    match dialect {
        Dialect::Cmd => cmd::parse(text),
        Dialect::PowerShell | Dialect::Posix => powershell::parse(text),
    }
}
