//! Forms of output that several commands share.

pub(super) mod diff;
pub(super) mod github_annotations;
pub(super) mod palette;
pub(super) mod print;
pub(super) mod sarif;

/// Returns a number of things: `1 file`, `2 files`.
pub(super) fn pluralize(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns what errors say, for an answer in JSON.
pub(super) fn to_texts(errors: &[impl std::fmt::Display]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}
