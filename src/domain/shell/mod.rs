//! Parses shell text: text in, a [`Script`] of commands out.
//!
//! Three steps, each of which knows nothing of the next: `syntax` reads text into a tree, `walk` follows the tree to
//! the commands that may run, and `option`, [`effects`] and [`pattern`] determine what a command means. Nothing is
//! run,
//! no file is read, and nothing here fails: what cannot be read is an [`Opaque`], and the policy decides about it.

use std::rc::Rc;

pub mod actions;
mod arguments;
mod code;
pub(crate) mod decode;
pub mod deferred;
mod discard;
pub mod effects;
mod exit_status;
mod feature;
mod git_push;
pub(crate) mod glob;
mod index;
pub mod mutation;
mod option_table;
mod origin;
pub mod pattern;
pub mod plain;
mod project;
mod quote;
mod script;
pub mod script_files;
mod syntax;
mod variable_names;
mod walk;
mod windows;

pub use actions::{Action, ActionKind, actions};
pub use arguments::{Arguments, ParsedOption};
pub use deferred::{DeferredLine, DeferredPlace, deferred_lines, is_deferred_file};
pub use discard::{Discard, Discarded, Earlier, discards};
pub use effects::{Access, FileUse, Link, file_uses, keeps_content, links, patched_files, urls};
pub use exit_status::implies_success;
pub use feature::{Feature, FeatureSet, ProgramFilter, TextHash};
pub use git_push::{Checkout, GitPush, PushScope, PushWords, alias_pushes, git_directory, git_pushes};
pub use origin::{enclosing_command, refined_reason};
pub use pattern::{CommandPattern, PatternError};
pub use quote::quote;
pub use script::*;
pub use script_files::{FileCache, FileContent, FileLocation, FileRequest, FileRole, ResolvedFile};

/// Returns what a text runs. Never fails: what cannot be read is in [`Script::opaque`].
pub fn parse(text: &str, dialect: Dialect) -> Script {
    parse_with_files(text, dialect, &Rc::default())
}

/// Returns what the lines of a file run that a tool runs later, with the files that they run in turn as far as they
/// are given. `path` is the file for messages.
pub fn parse_deferred(lines: &[DeferredLine], path: &str, library: &Rc<FileCache>) -> Script {
    walk::walk_deferred(lines, path, library)
}

/// Returns what a text runs, with the files that it runs in turn as far as they are given.
pub fn parse_with_files(text: &str, dialect: Dialect, library: &Rc<FileCache>) -> Script {
    walk::walk(text, dialect, library)
}
