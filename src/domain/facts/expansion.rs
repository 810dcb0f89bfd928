//! What a pattern of file names matches on this machine.

use super::{ExpandedPath, Facts, FileFact};
use crate::domain::event::tool::Access;
use crate::domain::text::path::{has_wildcard, matches_pattern};

impl Facts<'_> {
    /// Returns the paths that the pattern of a file matches: those on disk, and those that the same event writes.
    /// `None` if the disk is not known, or the paths are too many to list.
    pub fn expansion<'f>(&self, file: &'f FileFact<'_>) -> Option<&'f [ExpandedPath]> {
        file.expansion.get_or_init(|| self.expand(file)).as_deref()
    }

    /// Returns the absolute paths on disk that an absolute pattern matches; `None` if they are not known.
    pub fn list(&self, pattern: &str) -> Option<Vec<String>> {
        self.file_system.expand(pattern)
    }

    fn expand(&self, file: &FileFact<'_>) -> Option<Vec<ExpandedPath>> {
        // A file that is written need not exist: `for d in */; do echo x > "$d/name"; done`.
        let (pattern, tail) = match split_after_last_wildcard(&file.path) {
            Some((head, tail)) if file.access.contains(Access::Write) => (head, tail),
            _ => (file.path.as_str(), ""),
        };
        let on_disk = self.file_system.expand(pattern)?;
        let mut paths: Vec<String> = on_disk.into_iter().map(|path| format!("{path}{tail}")).collect();
        let written = self.files().iter().filter(|other| !other.is_glob && other.access.contains(Access::Write));
        for other in written.filter(|other| matches_pattern(&file.path, &other.path)) {
            if !paths.contains(&other.path) {
                paths.push(other.path.clone());
            }
        }
        let expanded = |path: String| ExpandedPath { real_path: self.file_system.real_path(&path), path };
        Some(paths.into_iter().map(expanded).collect())
    }
}

/// Splits a pattern behind the last part with a wildcard in it.
fn split_after_last_wildcard(pattern: &str) -> Option<(&str, &str)> {
    let mut end = pattern.len();
    for part in pattern.rsplit('/') {
        if has_wildcard(part) {
            return pattern.split_at_checked(end);
        }
        end = end.checked_sub(part.len() + 1)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::split_after_last_wildcard;

    #[test]
    fn the_rest_behind_the_last_wildcard_is_split_off() {
        assert_eq!(split_after_last_wildcard("/a/*/b/*.c/d/e"), Some(("/a/*/b/*.c", "/d/e")));
        assert_eq!(split_after_last_wildcard("/a/*"), Some(("/a/*", "")));
        assert_eq!(split_after_last_wildcard("/a/b"), None);
    }
}
