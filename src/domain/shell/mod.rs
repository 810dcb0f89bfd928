//! Provides what a shell call really does: text in, a [`Script`] of commands out.
//!
//! Three steps, each of which knows nothing of the next: `syntax` reads text into a tree, `walk` follows
//! the tree to the commands that may run, and `option`, [`effects`] and [`pattern`] say what a command
//! means. Nothing is run, no file is looked at, and nothing here fails: what cannot be read is an
//! [`Opaque`], and the policy decides what that is worth.

mod code;
mod code_table;
mod dialect;
pub mod effects;
mod glob;
mod option;
mod option_table;
pub mod pattern;
pub mod respell;
mod script;
mod syntax;
mod walk;

pub use effects::{Access, FileUse, file_uses, urls};
pub use option::{Arguments, Given};
pub use pattern::{CommandPattern, PatternError};
pub use script::*;

/// Returns what a text runs. Never fails: what cannot be read stands in [`Script::opaque`].
pub fn parse(text: &str, dialect: Dialect) -> Script {
    walk::walk(text, dialect)
}
