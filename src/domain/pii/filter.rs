//! Selects the kinds of personal data that a policy or a command line asks for.

use super::kind::PiiKind;
use super::table::KINDS;

/// Patterns of kind names: ids with `*` for any part, `all`, `-id` to exclude one.
#[derive(Debug, Clone, Copy)]
pub struct PiiFilter<'a>(pub &'a [String]);

impl PiiFilter<'_> {
    /// Returns whether a kind is selected. Without names, none is.
    pub fn selects(self, kind: &PiiKind) -> bool {
        let left_out = self.0.iter().filter_map(|name| name.strip_prefix('-')).any(|name| name_matches(name, kind.id));
        let only_leaves_out = !self.0.is_empty() && self.0.iter().all(|name| name.starts_with('-'));
        let asked = self.0.iter().any(|name| name_matches(name, kind.id));
        !left_out && (asked || only_leaves_out)
    }

    /// Returns whether a name matches any kind.
    pub fn is_known(name: &str) -> bool {
        let name = name.strip_prefix('-').unwrap_or(name);
        KINDS.iter().any(|kind| name_matches(name, kind.id))
    }
}

fn name_matches(name: &str, id: &str) -> bool {
    name == "all" || name == id || fast_glob::glob_match(name, id)
}
