//! The table of programs that may be approved: one row for each, by subject.

mod build;
mod edit;
mod git;
mod service;
mod shell;
mod system;
mod text;
mod version;

use super::row::Row;
pub(super) use build::NODE_TOOLS;

/// Returns the row of a name, with its subcommand behind a colon.
pub fn find_row(name: &str) -> Option<&'static Row> {
    rows().find(|row| row.names().any(|known| known == name))
}

/// Returns every row.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [text::ROWS, system::ROWS, shell::ROWS, git::ROWS, service::ROWS, version::ROWS, build::ROWS, edit::ROWS]
        .into_iter()
        .flatten()
}
