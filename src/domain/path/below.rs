//! What a glob names below a directory: it comes and goes with the directory.

use super::{Glob, Place, drive, matches};

impl Glob {
    /// Tells whether the glob names something below a directory, which goes or comes with it.
    ///
    /// A name at any depth (`.env`) is below every directory and says nothing of one. With `**/` in
    /// front, only the directory that holds the thing itself counts, and only where the glob means
    /// all of it (`**/secrets/*`) or it is a hidden one (`**/.x/settings.json`): a `bin` is not
    /// special for what may be in some other `bin`.
    pub fn is_below(&self, directory: &str, reach: Reach, place: &Place) -> bool {
        let glob = self.0.trim_end_matches("/**");
        if let Some(rest) = glob.strip_prefix("**/") {
            let Some((parent, name)) = rest.rsplit_once('/') else { return false };
            let hidden = parent.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
            return reach != Reach::Rooted
                && (hidden || name == "*")
                && matches(&format!("**/{parent}"), directory, place);
        }
        let project = place.project.as_deref().unwrap_or(&place.cwd);
        let (rest, inside) = if let Some(rest) = glob.strip_prefix("~/") {
            (rest, place.home.as_deref().and_then(|home| place.inside(directory, home)))
        } else if glob.starts_with('/') || drive(glob).is_some() {
            (glob, Some(directory))
        } else if reach == Reach::Rooted {
            return false;
        } else {
            (glob, place.inside(directory, project))
        };
        let Some(inside) = inside.filter(|inside| !inside.trim_matches('/').is_empty()) else { return false };
        let mut parents = parents(rest).rev();
        match reach {
            Reach::Next => parents.next().is_some_and(|parent| matches(parent, inside, place)),
            Reach::Any | Reach::Rooted => parents.any(|parent| matches(parent, inside, place)),
        }
    }
}

/// How far below a directory something may be to count as in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// In it: what is put into a directory lands there under its own name.
    Next,
    /// At any depth: what takes a directory away takes all of it.
    Any,
    /// At any depth, for globs from the root or from home: a copy of a project is nothing special.
    Rooted,
}

/// Returns the directories above a glob, the outermost first. A separator within braces divides nothing.
fn parents(glob: &str) -> impl DoubleEndedIterator<Item = &str> {
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
    use super::{Glob, Place, Reach};

    fn unix() -> Place {
        Place {
            home: Some("/home/u".into()),
            cwd: "/home/u/p/sub".into(),
            project: Some("/home/u/p".into()),
            ..Place::default()
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
            for (reach, expected) in [(Reach::Next, next), (Reach::Any, any), (Reach::Rooted, rooted)] {
                assert_eq!(glob.is_below(directory, reach, &unix()), expected, "{glob:?} {directory} {reach:?}");
            }
        }
    }
}
