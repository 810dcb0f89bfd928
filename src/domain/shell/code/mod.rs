//! Calls in code of other languages: which commands it runs and which files it touches.
//!
//! No language is parsed completely. [`lexer`] splits the code into names, strings and punctuation, and [`eval`] follows
//! what one-liners do with them: constants, concatenation, joined paths, names under which functions are imported. The
//! result of an unknown call is unknown.

mod eval;
pub(crate) mod function_table;
mod functions;
mod lexer;
mod value;

use std::ops::Range;

use super::script::Word;
use function_table::CallKind;

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
    pub(crate) kind: CallKind,
    pub(crate) arguments: Vec<Argument>,
    /// Where it is in the code, in bytes.
    pub(crate) span: Range<usize>,
}

/// Returns the calls in a piece of code.
pub(crate) fn calls(code: &str, language: Language) -> Vec<Call> {
    eval::calls(code, language)
}
