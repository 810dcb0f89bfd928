//! What a pattern of file names matches on this machine.

use super::{ExpandedPath, Facts, FileFact};
use crate::domain::event::tool::Access;
use crate::domain::shell::{FileContent, FileUse};
use crate::domain::text::path::{has_wildcard, matches_pattern};

impl Facts<'_> {
    /// Returns whether there is a file at an absolute path.
    pub fn file_exists(&self, path: &str) -> bool {
        self.file_system.read(path, 0) != FileContent::Missing
    }

    /// Returns the paths that the pattern of a file matches: those on disk, and those that the same event writes.
    /// `None` if the disk is not known, or the paths are too many to list.
    pub fn expansion<'f>(&self, file: &'f FileFact<'_>) -> Option<&'f [ExpandedPath]> {
        file.expansion.get_or_init(|| self.expand(file)).as_deref()
    }

    /// Returns the absolute paths on disk that an absolute pattern matches; `None` if they are not known.
    pub fn list(&self, pattern: &str) -> Option<Vec<String>> {
        self.file_system.expand(pattern)
    }

    fn is_outside_project(&self, path: &str) -> bool {
        let project = self.path_context.project.as_deref().unwrap_or(&self.path_context.cwd);
        !path.strip_prefix(project).is_some_and(|rest| rest.starts_with('/'))
    }

    fn expand(&self, file: &FileFact<'_>) -> Option<Vec<ExpandedPath>> {
        // The files of another machine are not on this disk.
        if file.command.and_then(|at| self.command(at)).is_some_and(|command| command.is_remote) {
            return None;
        }
        // A file that is written need not exist: `for d in */; do echo x > "$d/name"; done`.
        let (pattern, tail) = match split_after_last_wildcard(&file.path) {
            Some((head, tail)) if file.access.contains(Access::Write) => (head, tail),
            _ => (file.path.as_str(), ""),
        };
        let on_disk = self.file_system.expand(pattern)?;
        // Where nothing matches, the call speaks of files that it expects: their names alone decide.
        let is_used = file.access.contains(Access::Read) || file.access.contains(Access::Write);
        if on_disk.is_empty() && is_used && self.is_outside_project(&file.path) {
            return None;
        }
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

/// Returns the use of a file whose path is known in part as a pattern: it is somewhere in the directory that is known.
pub(super) fn bounded(used: FileUse) -> FileUse {
    if used.literal || used.glob {
        return used;
    }
    let known = ["$HOME/", "${HOME}/", "$PWD/", "${PWD}/"].iter().find(|start| used.path.starts_with(**start));
    let (head, rest) = used.path.split_at_checked(known.map_or(0, |start| start.len())).unwrap_or(("", &used.path));
    let has_directory =
        rest.find(['$', '`']).is_some_and(|at| format!("{head}{}", rest.get(..at).unwrap_or("")).contains('/'));
    if !has_directory {
        return used;
    }
    FileUse { path: format!("{head}{}", with_wildcards(rest)), glob: true, ..used }
}

/// Returns a text with a wildcard in the place of each part that is known only when it runs.
fn with_wildcards(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '`']) {
        let (before, unknown) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        out.push('*');
        let inside = unknown.get(1..).unwrap_or_default();
        let length = match inside.chars().next() {
            Some('{') => inside.find('}').map_or(inside.len(), |end| end + 1),
            Some('(') => inside.rfind(')').map_or(inside.len(), |end| end + 1),
            _ if unknown.starts_with('`') => inside.find('`').map_or(inside.len(), |end| end + 1),
            Some(first) if !first.is_ascii_alphanumeric() && first != '_' => first.len_utf8(),
            _ => inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inside.len()),
        };
        rest = inside.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
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
    use super::{bounded, split_after_last_wildcard};
    use crate::domain::shell::{Access, FileUse};

    #[test]
    fn a_path_that_is_known_in_part_is_bounded_by_its_directory() {
        for (path, expected) in [
            ("~/.claude/$x", Some("~/.claude/*")),
            ("$HOME/.aws/cred$x", Some("$HOME/.aws/cred*")),
            ("/etc/${a}/passwd", Some("/etc/*/passwd")),
            ("/a/$(…)/b$x.c", Some("/a/*/b*.c")),
            ("$x/y", None),
            ("a$x", None),
        ] {
            let used = FileUse { path: path.into(), access: Access::Read, command: 0, glob: false, literal: false };
            let found = bounded(used);
            assert_eq!(found.glob.then_some(found.path.as_str()), expected, "{path}");
        }
    }

    #[test]
    fn the_rest_behind_the_last_wildcard_is_split_off() {
        assert_eq!(split_after_last_wildcard("/a/*/b/*.c/d/e"), Some(("/a/*/b/*.c", "/d/e")));
        assert_eq!(split_after_last_wildcard("/a/*"), Some(("/a/*", "")));
        assert_eq!(split_after_last_wildcard("/a/b"), None);
    }
}
