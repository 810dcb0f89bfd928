//! Globs that name files below a directory, which are moved or deleted together with it.

use super::drive::split_drive;
use super::program::is_above_program;
use super::{Glob, PathContext, is_glob_match};

impl Glob {
    /// Returns whether the glob names something below a directory, which is moved or deleted together with it.
    ///
    /// A name at any depth (`.env`) is below every directory and does not identify one. With `**/` in front, only the
    /// directory that directly contains the files counts, and only if the glob means all of it (`**/secrets/*`) or it
    /// is a hidden one (`**/.x/settings.json`): a `bin` is not special because of what may be in another `bin`.
    pub fn names_descendant_of(&self, directory: &str, reach: DescendantDepth, place: &PathContext) -> bool {
        if self.program_part().is_some() {
            return reach == DescendantDepth::Any && is_above_program(directory, place);
        }
        let glob = self.0.trim_end_matches("/**");
        if let Some(rest) = glob.strip_prefix("**/") {
            let Some((parent, name)) = rest.rsplit_once('/') else { return false };
            let hidden = parent.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
            return reach != DescendantDepth::Rooted
                && (hidden || name == "*")
                && is_glob_match(&format!("**/{parent}"), directory, place);
        }
        let project = place.project.as_deref().unwrap_or(&place.cwd);
        let (rest, inside) = if let Some(rest) = glob.strip_prefix("~/") {
            (rest, place.home.as_deref().and_then(|home| place.relative_to(directory, home)))
        } else if glob.starts_with('/') || split_drive(glob).is_some() {
            (glob, Some(directory))
        } else if reach == DescendantDepth::Rooted {
            return false;
        } else {
            (glob, place.relative_to(directory, project))
        };
        let Some(inside) = inside.filter(|inside| !inside.trim_matches('/').is_empty()) else { return false };
        let mut parents = parent_directories(rest).rev();
        match reach {
            DescendantDepth::Direct => parents.next().is_some_and(|parent| is_glob_match(parent, inside, place)),
            DescendantDepth::Any | DescendantDepth::Rooted => {
                parents.any(|parent| is_glob_match(parent, inside, place))
            }
        }
    }
}

/// How deep below a directory a file counts as part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescendantDepth {
    /// Directly in it: what is put into a directory keeps its own name.
    Direct,
    /// At any depth: deleting a directory deletes all of it.
    Any,
    /// At any depth, for globs from the root or from home: a copy of a project is not special.
    Rooted,
}

/// Returns the directories above a glob, the outermost first. A separator inside braces does not count.
fn parent_directories(glob: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (at, byte) in glob.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'/' if depth == 0 && at > 0 => found.extend(glob.get(..at)),
            _ => {}
        }
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{DescendantDepth, Glob, PathContext};

    fn unix() -> PathContext {
        PathContext {
            home: Some("/home/u".into()),
            cwd: "/home/u/p/sub".into(),
            project: Some("/home/u/p".into()),
            ..PathContext::default()
        }
    }

    #[test]
    fn a_directory_takes_along_what_globs_name_below_it() {
        for (glob, directory, next, any, rooted) in [
            ("**/.claude/settings.json", "/home/u/p/.claude", true, true, false),
            ("**/.claude/hooks/**", "/home/u/p/.claude", true, true, false),
            ("**/.claude/hooks/**", "/home/u/p", false, false, false),
            ("**/bin/tool", "/home/u/p/bin", false, false, false),
            ("**/secrets/*", "/home/u/p/a/secrets", true, true, false),
            (".env", "/home/u/p", false, false, false),
            ("*.pem", "/home/u/p/certs", false, false, false),
            ("config/prod/**", "/home/u/p/config", true, true, false),
            ("config/prod/**", "/home/u/p", false, false, false),
            ("config/prod/a.yml", "/home/u/p/config", false, true, false),
            ("~/.config/gh/hosts.yml", "/home/u/.config", false, true, true),
            ("~/.config/gh/hosts.yml", "/home/u/.config/gh", true, true, true),
            ("~/.config/gh/hosts.yml", "/home/u", false, false, false),
            ("~/.{npmrc,a/b}", "/home/u/.a", false, false, false),
            ("/etc/x/**", "/etc", true, true, true),
            ("/etc/x/**", "/", false, false, false),
        ] {
            let glob = Glob::parse(glob).unwrap();
            for (reach, expected) in
                [(DescendantDepth::Direct, next), (DescendantDepth::Any, any), (DescendantDepth::Rooted, rooted)]
            {
                assert_eq!(
                    glob.names_descendant_of(directory, reach, &unix()),
                    expected,
                    "{glob:?} {directory} {reach:?}"
                );
            }
        }
    }
}
