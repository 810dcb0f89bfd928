//! The paths on disk that a pattern matches, as a shell expands it.

use std::fs;

use crate::domain::text::path::{has_wildcard, matches_pattern};
use crate::io::platform::IGNORES_CASE;

/// The greatest number of entries of directories that are looked at.
const MAX_ENTRIES: usize = 4096;

/// The greatest number of paths that are returned.
const MAX_PATHS: usize = 1024;

/// Returns the paths that an absolute pattern matches; `None` if they are too many to list.
pub(super) fn expand(pattern: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = pattern.trim_start_matches('/').split('/').filter(|part| !part.is_empty()).collect();
    let root = if pattern.starts_with('/') { "" } else { parts.first().copied().unwrap_or_default() };
    let parts = if root.is_empty() { parts.as_slice() } else { parts.get(1..).unwrap_or_default() };
    let mut listing = Listing {
        entries_left: MAX_ENTRIES,
        finds_hidden: pattern.contains("**") && !pattern.contains("/[!.]*"),
        found: Vec::new(),
    };
    listing.add_matches(root.to_owned(), parts)?;
    Some(listing.found)
}

struct Listing {
    entries_left: usize,
    /// Whether wildcards match names that begin with a dot, as those of `find` do.
    finds_hidden: bool,
    found: Vec<String>,
}

impl Listing {
    /// Adds the paths below a directory that the parts of a pattern match; `None` when there are too many.
    fn add_matches(&mut self, directory: String, parts: &[&str]) -> Option<()> {
        let plain = parts.iter().take_while(|part| !has_special(part)).count();
        let (names, rest) = parts.split_at_checked(plain)?;
        let directory = names.iter().fold(directory, |directory, name| format!("{directory}/{name}"));
        let Some((part, behind)) = rest.split_first() else {
            if names.is_empty() || fs::symlink_metadata(&directory).is_ok() {
                self.found.push(directory);
            }
            return (self.found.len() <= MAX_PATHS).then_some(());
        };
        if *part == "**" {
            if !names.is_empty() && fs::symlink_metadata(&directory).is_err() {
                return Some(());
            }
            self.add_matches(directory.clone(), behind)?;
            for (name, is_directory) in self.list(&directory)? {
                let path = format!("{directory}/{name}");
                if name.starts_with('.') && !self.finds_hidden {
                    continue;
                }
                if is_directory {
                    self.add_matches(path, rest)?;
                } else if behind.is_empty() {
                    self.found.push(path);
                }
            }
            return (self.found.len() <= MAX_PATHS).then_some(());
        }
        for (name, is_directory) in self.list(&directory)? {
            let is_shown = !name.starts_with('.') || part.starts_with('.') || self.finds_hidden;
            if is_shown && (is_directory || behind.is_empty()) && is_part_match(part, &name) {
                self.add_matches(format!("{directory}/{name}"), behind)?;
            }
        }
        Some(())
    }

    /// Returns the names in a directory, and whether each leads to a directory; nothing where none can be listed.
    fn list(&mut self, directory: &str) -> Option<Vec<(String, bool)>> {
        let Ok(entries) = fs::read_dir(if directory.is_empty() { "/" } else { directory }) else {
            return Some(Vec::new());
        };
        let mut names = Vec::new();
        for entry in entries.flatten() {
            self.entries_left = self.entries_left.checked_sub(1)?;
            let is_directory = match entry.file_type() {
                // A recursive search does not follow links; a shell does.
                Ok(kind) if kind.is_symlink() && !self.finds_hidden => entry.path().is_dir(),
                Ok(kind) => kind.is_dir(),
                Err(_) => false,
            };
            names.push((entry.file_name().to_string_lossy().into_owned(), is_directory));
        }
        names.sort_unstable();
        Some(names)
    }
}

/// Returns whether a part of a pattern may match several names, also in bash's extended syntax.
fn has_special(part: &str) -> bool {
    has_wildcard(part) || is_extended(part)
}

fn is_extended(part: &str) -> bool {
    part.contains(')') && ["!(", "@(", "+(", "?(", "*("].iter().any(|open| part.contains(open))
}

fn is_part_match(part: &str, name: &str) -> bool {
    if is_extended(part) {
        // More than the shell's own pattern matches, never less.
        return true;
    }
    if IGNORES_CASE { matches_pattern(&part.to_lowercase(), &name.to_lowercase()) } else { matches_pattern(part, name) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::expand;

    #[test]
    fn patterns_match_what_is_on_disk() {
        let root = std::env::temp_dir().join(format!("ruleward-expand-{}", std::process::id()));
        for name in ["a/x.log", "a/.h/y.log", "b/x.txt", "b/sub/z.log"] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let text = root.to_str().unwrap().replace('\\', "/");
        for (pattern, expected) in [
            ("*/*.log", vec!["a/x.log"]),
            ("*", vec!["a", "b"]),
            ("a/.*/*.log", vec!["a/.h/y.log"]),
            ("**/*.log", vec!["a/.h/y.log", "a/x.log", "b/sub/z.log"]),
            ("[ab]/x.*", vec!["a/x.log", "b/x.txt"]),
            ("*/x.txt", vec!["b/x.txt"]),
            ("b/!(*.txt)", vec!["b/sub", "b/x.txt"]),
            ("c/*", vec![]),
            ("c/**", vec![]),
            ("c/**/*.log", vec![]),
        ] {
            let mut found = expand(&format!("{text}/{pattern}")).unwrap();
            found.sort();
            let expected: Vec<String> = expected.iter().map(|path| format!("{text}/{path}")).collect();
            assert_eq!(found, expected, "{pattern}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn too_many_matches_are_not_listed() {
        let root = std::env::temp_dir().join(format!("ruleward-expand-many-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        for number in 0..=super::MAX_PATHS {
            fs::write(root.join(number.to_string()), "").unwrap();
        }
        assert_eq!(expand(&format!("{}/*", root.to_str().unwrap().replace('\\', "/"))), None);
        fs::remove_dir_all(root).unwrap();
    }
}
