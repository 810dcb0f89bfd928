//! Provides what a shell call really does: text in, a [`Script`] of commands out.
//!
//! Three steps, each of which knows nothing of the next: `syntax` reads text into a tree, `walk` follows
//! the tree to the commands that may run, and `option`, [`effects`] and [`pattern`] say what a command
//! means. Nothing is run, no file is looked at, and nothing here fails: what cannot be read is an
//! [`Opaque`], and the policy decides what that is worth.

use std::rc::Rc;

mod code;
mod decode;
pub mod deeds;
mod dialect;
pub mod effects;
pub mod files;
mod glob;
mod index;
mod option;
mod option_table;
mod origin;
pub mod pattern;
mod project;
pub mod respell;
mod script;
mod sign;
mod syntax;
mod vouched;
mod walk;

pub use decode::encode_base64;
pub use deeds::{Deed, DeedKind, deeds};
pub use effects::{Access, FileUse, Link, file_uses, links, patched_files, urls};
pub use files::{FileText, Found, InFile, Library, Wanted};
pub use option::{Arguments, Given};
pub use origin::{command_of, reason_of};
pub use pattern::{CommandPattern, PatternError};
pub use script::*;
pub use sign::{Borne, Mark, Program, Sign};
pub use vouched::is_vouched_for;

/// Returns what a text runs. Never fails: what cannot be read stands in [`Script::opaque`].
pub fn parse(text: &str, dialect: Dialect) -> Script {
    parse_with(text, dialect, &Rc::default())
}

/// Returns what a text runs, with the files that it runs in turn as far as they are given.
pub fn parse_with(text: &str, dialect: Dialect, library: &Rc<Library>) -> Script {
    walk::walk(text, dialect, library)
}
