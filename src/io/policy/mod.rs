//! Policy files: found, read, checked and stacked into the policy in force.
//!
//! Text becomes a tree in which every node knows its place; the tree is read straight into the
//! domain's own types; what is well-formed and still makes no sense is found by a second look.
//! Every mistake of a file is reported, each at its place. A stranger's file may be anything:
//! size, depth and repetition are bounded, and nothing here panics.

pub mod builtin;
pub mod cache;
mod check;
pub mod code;
pub mod collect;
pub mod compiled;
pub mod detectors;
pub mod diagnostic;
pub mod discover;
mod document;
pub mod example;
pub mod format;
mod gate_checks;
mod gates;
#[cfg(test)]
mod generate;
mod hooks;
mod keys;
pub mod load;
pub mod loaded_part;
pub mod locate;
pub mod node;
pub(crate) mod read;
pub mod repository_fixture;
mod rule_keys;
pub mod schema;
#[cfg(test)]
pub(crate) mod schema_generator;
mod syntax_error;
pub mod test_case;
#[cfg(test)]
mod tests;
mod tool_limit;
mod type_error;
