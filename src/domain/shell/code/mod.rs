//! Calls in code of other languages: which commands it runs and which files it touches.
//!
//! No language is parsed whole. [`lex`] takes the code apart into names, strings and signs, and
//! [`eval`] follows what one-liners do with them: constants, concatenation, paths that are joined,
//! names under which functions are imported. What comes of a call that is not known is not known.

mod eval;
mod lex;
mod names;
pub(crate) mod table;
mod value;

use std::ops::Range;

use self::table::Meaning;
use super::script::Word;

/// A language in which one-liners are written; those that look alike are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// Python, and R with its likes.
    Python,
    JavaScript,
    Perl,
    /// Ruby, and others that call without parentheses: Elixir, Julia, Groovy, Haskell.
    Ruby,
    Php,
    /// Lua and Erlang, in which a colon calls.
    Lua,
    /// The dialects of Lisp.
    Lisp,
    AppleScript,
    Awk,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    Text(Word),
    List(Vec<Word>),
    Unknown,
}

/// A call that runs a command or touches a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) meaning: Meaning,
    pub(crate) arguments: Vec<Argument>,
    /// Where it stands in the code, in bytes.
    pub(crate) span: Range<usize>,
}

/// Returns the calls in a piece of code.
pub(crate) fn calls(code: &str, language: Language) -> Vec<Call> {
    eval::calls(code, language)
}
