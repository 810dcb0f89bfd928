//! Which kinds of personal data a policy or a command line asks for.

use super::kind::Kind;
use super::table::KINDS;

/// Names of kinds: ids with `*` for any part, `all`, `-id` to leave one out.
#[derive(Debug, Clone, Copy)]
pub struct Kinds<'a>(pub &'a [String]);

impl Kinds<'_> {
    /// Tells whether a kind is asked for. With no name at all, none is.
    pub fn wants(self, kind: &Kind) -> bool {
        let left_out = self.0.iter().filter_map(|name| name.strip_prefix('-')).any(|name| is(name, kind.id));
        let only_leaves_out = !self.0.is_empty() && self.0.iter().all(|name| name.starts_with('-'));
        let asked = self.0.iter().any(|name| is(name, kind.id));
        !left_out && (asked || only_leaves_out)
    }

    /// Tells whether a name stands for any kind.
    pub fn is_known(name: &str) -> bool {
        let name = name.strip_prefix('-').unwrap_or(name);
        KINDS.iter().any(|kind| is(name, kind.id))
    }
}

fn is(name: &str, id: &str) -> bool {
    name == "all" || name == id || fast_glob::glob_match(name, id)
}
