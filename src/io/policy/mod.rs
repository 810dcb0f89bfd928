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
pub mod compiled;
pub mod detectors;
pub mod diagnostic;
pub mod discover;
mod document;
pub mod example;
pub mod format;
mod gates;
pub mod gather;
mod hooks;
mod keys;
mod limit;
pub mod load;
pub mod locate;
mod malformed;
mod misfit;
mod needs;
pub mod node;
pub(crate) mod read;
pub mod schema;
#[cfg(test)]
mod tests;
