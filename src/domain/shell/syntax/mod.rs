//! Parses shell text to a syntax tree, for the shells of the Bourne family.
//!
//! Parsing never fails. What is not grammar is reported as an [`Opaque`] and skipped, so that the commands after it
//! are
//! found as well; a shell may or may not stop there, and a guard must not depend on which. Nesting and size are
//! bounded, and each byte is read a bounded number of times, because the text may come from an attacker.

pub(crate) mod ast;
mod command;
mod compound;
pub(crate) mod escape;
mod expansion;
mod parser;
mod redirect;
mod word;

use std::ops::Range;

use super::script::Opaque;
use ast::List;
pub(crate) use expansion::SUBSTITUTION_PLACEHOLDER;
use parser::Parser;

/// The deepest nesting that is followed, of syntax and of text within text together.
pub(crate) const MAX_DEPTH: usize = 32;

/// Returns the tree of a text and the places that could not be read.
///
/// `depth` is how deep the text itself is nested. With a `base`, the text is not part of the source,
/// and all places are given as that one.
pub(crate) fn parse(text: &str, depth: usize, base: Option<Range<usize>>) -> (List, Vec<Opaque>) {
    let mut parser = Parser::new(text, depth, base);
    let list = parser.script();
    (list, parser.opaque)
}
