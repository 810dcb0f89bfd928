//! Whether the patterns of a policy and those of a call can mean the same file.

use super::drive::without_foreign_drive;
use super::{Glob, PathContext, is_glob_match};

impl Glob {
    /// Returns an absolute pattern of what the glob names below a directory; `None` if that is nothing, or all of it.
    pub fn below(&self, directory: &str, place: &PathContext) -> Option<String> {
        let own = self.to_absolute(place);
        match own.strip_prefix("/**/") {
            Some(rest) => rest.contains('/').then(|| format!("{directory}/**/{rest}")),
            None => own.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')).then_some(own),
        }
    }

    /// Returns whether the glob names a character that is otherwise a wildcard.
    pub fn has_escapes(&self) -> bool {
        self.0.contains('\\')
    }

    /// Returns whether some file may match both the glob and an absolute pattern, however unlikely: whether it is
    /// worth to list what the pattern matches.
    pub fn can_overlap(&self, pattern: &str, place: &PathContext) -> bool {
        let own = self.to_absolute(place);
        let pattern = without_foreign_drive(pattern, &own);
        let (own, pattern): (Vec<&str>, Vec<&str>) = (own.split('/').collect(), pattern.split('/').collect());
        parts_can_overlap(&own, &pattern, place)
    }
}

/// Returns whether two patterns, part by part, can match the same path or one above the other.
fn parts_can_overlap(own: &[&str], other: &[&str], place: &PathContext) -> bool {
    match (own, other) {
        // What is above a file is deleted and moved together with it.
        ([] | ["**", ..], _) | (_, [] | ["**", ..]) => true,
        ([part, rest @ ..], [name, tail @ ..]) => {
            let same = match (has_wildcard(part), has_wildcard(name)) {
                (false, _) => is_glob_match(name, part, place),
                (true, false) => is_glob_match(part, name, place),
                (true, true) => true,
            };
            same && parts_can_overlap(rest, tail, place)
        }
    }
}

/// Returns whether a part of a path has a wildcard in it, so that it may match several names.
pub fn has_wildcard(part: &str) -> bool {
    part.contains(['*', '?', '[', '{'])
}

/// Returns whether an absolute path matches an absolute pattern as a shell or a tool expands it.
pub fn matches_pattern(pattern: &str, path: &str) -> bool {
    fast_glob::glob_match(pattern.as_bytes(), path.as_bytes())
}
