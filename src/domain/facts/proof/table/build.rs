//! The table of programs that run the tests, linters, builds and formatters of a project.

use super::super::row::Row;

pub(super) const ROWS: &[Row] = &[];
