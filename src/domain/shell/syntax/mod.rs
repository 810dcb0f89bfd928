//! Shell text to syntax tree, for the shells of the Bourne family.
//!
//! Reading never fails. What is not grammar is reported as an [`Opaque`] and stepped over, so that
//! the commands behind it are found as well; a shell would stop there, or not, and a guard must not
//! depend on which. Nesting and size are bounded, and each byte is looked at a bounded number of
//! times, because the text comes from whoever wants past the guard.

pub(crate) mod ast;
mod command;
mod compound;
mod cursor;
pub(crate) mod escape;
mod expansion;
mod redirect;
mod word;

use std::ops::Range;

use crate::domain::shell::script::Opaque;
use ast::List;
use cursor::Parser;
pub(crate) use expansion::SPLICE;

/// The deepest nesting that is followed, of syntax and of text within text together.
pub(crate) const MAX_DEPTH: usize = 32;

/// Returns the tree of a text and the places that could not be read.
///
/// `depth` is how deep the text itself is nested. With a `base`, the text is not part of the source,
/// and all places are given as that one.
pub(crate) fn read(text: &str, depth: usize, base: Option<Range<usize>>) -> (List, Vec<Opaque>) {
    let mut parser = Parser::new(text, depth, base);
    let list = parser.script();
    (list, parser.opaque)
}
