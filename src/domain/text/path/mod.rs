//! Paths as text: their normalised form, and whether a glob of a policy matches them.
//!
//! The file system is not accessed here. Properties of the platform (letter case, drive letters, trailing dots) are
//! passed as data, so that the rules of every platform are tested on each.

mod descendants;
mod drive;
mod invalid_glob;
mod overlap;
mod program;

use std::borrow::Cow;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::fold::{fold_name_if, relative_to_folded};
pub use descendants::DescendantDepth;
use drive::{HOME_HEADS, has_drive_root, split_drive, split_drive_directory, without_foreign_drive};
pub use invalid_glob::InvalidGlob;
pub use overlap::{has_wildcard, matches_pattern};

/// The context of paths: the platform's rules and the directories of this event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathContext {
    /// Whether backslashes are separators and paths may begin with drive letters.
    pub windows: bool,
    /// Whether names that only differ in case are the same file.
    pub ignore_case: bool,
    /// The user's home directory.
    pub home: Option<String>,
    /// The directory that relative paths start from.
    pub cwd: String,
    /// The root of the project.
    pub project: Option<String>,
    /// The absolute, normalised paths of the running program: as it was started, the links it was reached through, and
    /// the file that they lead to.
    pub programs: Vec<String>,
}

impl PathContext {
    /// Returns the absolute, normalised form of a path as written: `/`-separated, without `.`,
    /// `..`, doubled or trailing separators.
    pub fn resolve(&self, written: &str, base: Option<&str>) -> String {
        let path = self.expand(written);
        let start =
            base.map_or_else(|| self.normalize_separators(&self.cwd).into_owned(), |base| self.resolve_base(base));
        let joined = if self.is_absolute(&path) { path } else { format!("{start}/{path}") };
        self.normalize(&joined)
    }

    /// Returns the path as users would write it: relative to the project, or with `~`.
    pub fn display<'p>(&self, absolute: &'p str) -> Cow<'p, str> {
        let root = self.project.as_deref().unwrap_or(&self.cwd);
        if let Some(inside) = self.relative_to(absolute, root) {
            return Cow::Borrowed(if inside.is_empty() { "." } else { inside });
        }
        match self.home.as_deref().and_then(|home| self.relative_to(absolute, home)) {
            Some(inside) => Cow::Owned(format!("~/{inside}")),
            None => Cow::Borrowed(absolute),
        }
    }

    /// Returns the rest of a path below a directory; `None` if it is not below it.
    pub fn relative_to<'p>(&self, absolute: &'p str, directory: &str) -> Option<&'p str> {
        let directory = self.normalized(directory);
        if self.ignore_case && !(absolute.is_ascii() && directory.is_ascii()) {
            return relative_to_folded(absolute, &directory);
        }
        let head = absolute.get(..directory.len())?;
        let same = if self.ignore_case { head.eq_ignore_ascii_case(&directory) } else { *head == *directory };
        let rest = absolute.get(directory.len()..)?;
        match rest.strip_prefix('/') {
            Some(rest) if same => Some(rest),
            None if same && (rest.is_empty() || directory.ends_with('/')) => Some(rest),
            _ => None,
        }
    }

    fn resolve_base(&self, base: &str) -> String {
        let base = self.expand(base);
        if self.is_absolute(&base) { base } else { format!("{}/{base}", self.normalize_separators(&self.cwd)) }
    }

    /// Replaces an abbreviation of a directory at the beginning of a path.
    fn expand(&self, written: &str) -> String {
        let written = written.strip_prefix("file://").unwrap_or(written);
        let path = self.normalize_separators(written);
        let home = self.home.as_deref().map(|home| self.normalize_separators(home));
        for (head, below) in HOME_HEADS {
            if let (Some(rest), Some(home)) = (path.strip_prefix(head), home.as_deref())
                && (rest.is_empty() || rest.starts_with('/'))
            {
                return format!("{home}{below}{rest}");
            }
        }
        for head in ["$PWD", "${PWD}"] {
            if let Some(rest) = path.strip_prefix(head)
                && (rest.is_empty() || rest.starts_with('/'))
            {
                return format!("{}{rest}", self.cwd);
            }
        }
        if let Some((directory, rest)) = split_process_directory(&path) {
            return format!("{}{rest}", if directory == "cwd" { self.cwd.as_str() } else { "" });
        }
        self.expand_user(&path).unwrap_or_else(|| path.into_owned())
    }

    /// Returns a path in the home directory of a named user: `~root/x`; `~+/x` is the working directory.
    fn expand_user(&self, path: &str) -> Option<String> {
        let behind = path.strip_prefix('~')?;
        let (name, rest) = behind.split_at_checked(behind.find('/').unwrap_or(behind.len()))?;
        let named = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        match name {
            "+" => Some(format!("{}{rest}", self.cwd)),
            "root" => Some(format!("/root{rest}")),
            name if named && !name.starts_with('-') => {
                let homes =
                    self.home.as_deref().and_then(|home| home.rsplit_once('/')).map_or("/home", |(homes, _)| homes);
                Some(format!("{homes}/{name}{rest}"))
            }
            _ => None,
        }
    }

    fn is_absolute(&self, path: &str) -> bool {
        path.starts_with('/') || (self.windows && split_drive(path).is_some()) || has_drive_root(path)
    }

    fn normalize_separators<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let is_device = path.starts_with(r"\\?\") || path.starts_with(r"\\.\");
        if path.contains('\\') && (self.windows || is_device || has_drive_root(path)) {
            let path = if is_device { path.get(4..).unwrap_or_default() } else { path };
            return Cow::Owned(path.replace('\\', "/"));
        }
        match path.strip_prefix("//?/").or_else(|| path.strip_prefix("//./")) {
            Some(path) if has_drive_root(path) => Cow::Borrowed(path),
            _ => Cow::Borrowed(path),
        }
    }

    /// Returns the normalised form of a path, which most paths already have.
    fn normalized<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if !self.windows && is_normalized(path) { Cow::Borrowed(path) } else { Cow::Owned(self.normalize(path)) }
    }

    fn normalize(&self, path: &str) -> String {
        let path = self.normalize_separators(path);
        let (root, rest) = match split_drive(&path) {
            Some((letter, rest)) if self.windows || has_drive_root(&path) => {
                (format!("{}:", letter.to_ascii_uppercase()), rest)
            }
            _ => match split_drive_directory(&path).filter(|_| self.windows) {
                Some((letter, rest)) => (format!("{}:", letter.to_ascii_uppercase()), rest),
                None => (String::new(), path.as_ref()),
            },
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in rest.split('/') {
            match self.normalize_name(part) {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        format!("{root}/{}", parts.join("/"))
    }

    /// Returns a name as the file system stores it: Windows drops a stream, and dots and spaces at the end.
    fn normalize_name<'p>(&self, part: &'p str) -> &'p str {
        if !self.windows || part == "." || part == ".." {
            return part;
        }
        part.split(':').next().unwrap_or(part).trim_end_matches(['.', ' '])
    }
}

/// Returns whether an absolute path is already normalised, by a quick check of its bytes.
fn is_normalized(path: &str) -> bool {
    let mut before = b'/';
    let mut rest = path.bytes();
    // A name that begins with a dot is left to the normalisation.
    let is_plain = rest.next() == Some(b'/')
        && rest.all(|byte| {
            let begins = std::mem::replace(&mut before, byte) == b'/';
            !begins || !matches!(byte, b'/' | b'.')
        });
    is_plain && (before != b'/')
}

/// Returns the directory of a process that a path begins with, `cwd` or `root`, and the rest: `/proc/self/cwd/x`,
/// `/proc/1/root/x`. The process itself makes little difference.
fn split_process_directory(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("/proc/")?;
    let (_, rest) = rest.split_once('/')?;
    let rest = match rest.strip_prefix("task/") {
        Some(task) => task.split_once('/')?.1,
        None => rest,
    };
    let directory = ["cwd", "root"].into_iter().find(|name| rest.starts_with(name))?;
    let rest = rest.get(directory.len()..)?;
    (rest.is_empty() || rest.starts_with('/')).then_some((directory, rest))
}

/// A path pattern of a policy.
///
/// A name without a separator holds at any depth (`.env`, `*.pem`); with one it starts at the
/// project's root (`config/prod/**`) unless it starts with `**/`, `/`, a drive, or `~/`. A pattern
/// that ends in `/**` holds for the directory itself too: to move it away is to move what it holds.
/// `$RULEWARD_PROGRAM` is the running program, and `$RULEWARD_PROGRAM/..` every directory above it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Glob(String);

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub fn parse(source: &str) -> Result<Self, InvalidGlob> {
        if source.is_empty() {
            return Err(InvalidGlob::Empty);
        }
        if source.starts_with('!') {
            return Err(InvalidGlob::Negated);
        }
        fast_glob::validate(source).map_err(InvalidGlob::Syntax)?;
        Ok(Self(source.to_owned()))
    }

    /// Returns the glob as written.
    pub fn source(&self) -> &str {
        &self.0
    }

    /// Returns whether the glob matches an absolute, normalised path.
    pub fn is_match(&self, absolute: &str, place: &PathContext) -> bool {
        let glob = self.0.as_str();
        if let Some(part) = self.program_part() {
            return part.is_match(absolute, place);
        }
        if let Some(rest) = glob.strip_prefix("~/") {
            return place
                .home
                .as_deref()
                .and_then(|home| place.relative_to(absolute, home))
                .is_some_and(|path| is_glob_match(rest, path, place));
        }
        if glob.starts_with('/') || glob.starts_with("**/") || split_drive(glob).is_some() {
            return is_glob_match(glob, absolute, place);
        }
        if !glob.trim_end_matches('/').contains('/') {
            return absolute
                .rsplit('/')
                .next()
                .is_some_and(|name| is_glob_match(glob.trim_end_matches('/'), name, place));
        }
        let root = place.project.as_deref().unwrap_or(&place.cwd);
        place.relative_to(absolute, root).is_some_and(|path| is_glob_match(glob, path, place))
    }
}

impl Glob {
    /// Returns whether some file may match both the glob and an absolute pattern that a shell or a tool expands. A
    /// last part of nothing but wildcards is too unspecific, and a search of a whole tree for a name does not refer
    /// to a directory that may be in it.
    pub fn may_overlap(&self, pattern: &str, place: &PathContext) -> bool {
        if let Some(part) = self.program_part() {
            return part.globs(place).iter().any(|glob| glob.may_overlap(pattern, place));
        }
        let last = pattern.rsplit('/').next().unwrap_or_default();
        let telling = last != "[!.]*" && last.chars().any(|letter| !"*?.".contains(letter));
        let own = self.to_absolute(place);
        let pattern = without_foreign_drive(pattern, &own);
        let (own, pattern): (Vec<&str>, Vec<&str>) = (own.split('/').collect(), pattern.split('/').collect());
        // All files with an extension (`*.json`) are meant, not the one that has a special name, unless the directory
        // is the special one.
        let kind = last.strip_prefix("*.").is_some_and(|kind| !has_wildcard(kind));
        let is_named =
            |parts: &[&str]| parts.len().checked_sub(2).and_then(|at| parts.get(at)).map(|part| !has_wildcard(part));
        let in_named_directory = is_named(&own) == Some(true) && is_named(&pattern) == Some(true);
        if kind && !in_named_directory && !own.last().is_some_and(|name| name.starts_with(['*', '.'])) {
            return false;
        }
        if self.is_unspecific(last) {
            return false;
        }
        let whole_tree = pattern.contains(&"**") && matches!(own.last(), Some(&("**" | "*")));
        telling && !whole_tree && paths_overlap(&own, &pattern, place)
    }

    /// Returns whether a pattern is too unspecific for a name that matches at any depth: `.g*` is not yet
    /// `.git-credentials`.
    fn is_unspecific(&self, last: &str) -> bool {
        let name = self.0.strip_prefix("**/").unwrap_or(&self.0);
        let plain = |part: &str| !part.contains(['*', '?', '[', '{', '/']);
        let said = last.chars().filter(|letter| !"*?[]".contains(*letter)).count();
        plain(name) && !plain(last) && !last.contains('{') && said * 2 < name.chars().count()
    }

    /// Returns the glob from the root on, with `**` if it matches at any depth.
    fn to_absolute(&self, place: &PathContext) -> String {
        let glob = self.0.as_str();
        if let Some(rest) = glob.strip_prefix("~/") {
            return format!("{}/{rest}", place.home.as_deref().unwrap_or("/**"));
        }
        if glob.starts_with('/') || split_drive(glob).is_some() {
            return glob.to_owned();
        }
        if glob.starts_with("**/") || !glob.trim_end_matches('/').contains('/') {
            return format!("/**/{}", glob.trim_start_matches("**/"));
        }
        format!("{}/{glob}", place.project.as_deref().unwrap_or(&place.cwd))
    }
}

/// Returns whether two patterns, part by part, may match the same path.
fn paths_overlap(own: &[&str], other: &[&str], place: &PathContext) -> bool {
    match (own, other) {
        ([] | ["**"], []) => true,
        (["**", rest @ ..], [_, tail @ ..]) => paths_overlap(rest, other, place) || paths_overlap(own, tail, place),
        (_, ["**", tail @ ..]) => {
            paths_overlap(own, tail, place)
                || own.split_first().is_some_and(|(_, rest)| paths_overlap(rest, other, place))
        }
        ([part, rest @ ..], [name, tail @ ..]) => names_overlap(part, name, place) && paths_overlap(rest, tail, place),
        ([], [_, ..]) | ([_, ..], []) => false,
    }
}

/// Returns whether two parts may match the same name; a wildcard never matches a leading dot.
fn names_overlap(own: &str, other: &str, place: &PathContext) -> bool {
    if let Some((head, rest)) = own.split_once('{')
        && let Some((choices, tail)) = rest.split_once('}')
        && !choices.contains('{')
    {
        return choices.split(',').any(|choice| names_overlap(&format!("{head}{choice}{tail}"), other, place));
    }
    let is_plain = |part: &str| !part.contains(['*', '?', '[', '{']);
    let hidden = |part: &str| part.starts_with('.') || part.starts_with('{') || part.starts_with('[');
    if is_plain(own) {
        return (hidden(other) || !own.starts_with('.')) && is_glob_match(other, own, place);
    }
    if is_plain(other) { is_glob_match(own, other, place) } else { own == other }
}

fn is_glob_match(glob: &str, path: &str, place: &PathContext) -> bool {
    // The disks of Windows know no letter case, also where a path on them is judged elsewhere.
    let ignore_case = place.ignore_case || has_drive_root(path);
    let (glob, path) = (fold_name_if(ignore_case, glob), fold_name_if(ignore_case, path));
    let directory = glob.strip_suffix("/**").filter(|directory| !directory.is_empty());
    fast_glob::glob_match(glob.as_bytes(), path.as_bytes())
        || directory.is_some_and(|directory| fast_glob::glob_match(directory, path.as_bytes()))
}

impl<'de> Deserialize<'de> for Glob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let human = deserializer.is_human_readable();
        let source = String::deserialize(deserializer)?;
        if human { Self::parse(&source).map_err(D::Error::custom) } else { Ok(Self(source)) }
    }
}

#[cfg(test)]
impl JsonSchema for Glob {
    fn schema_name() -> Cow<'static, str> {
        "Glob".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A glob: a name without `/` matches at any depth, one with `/` from the project's root; it can start with `**/`, `/` or `~/`. `$RULEWARD_PROGRAM` is the running program, `$RULEWARD_PROGRAM/..` the directories above it.",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Glob, PathContext};

    fn unix() -> PathContext {
        PathContext {
            home: Some("/home/u".into()),
            cwd: "/home/u/p/sub".into(),
            project: Some("/home/u/p".into()),
            ..PathContext::default()
        }
    }

    fn windows() -> PathContext {
        PathContext {
            windows: true,
            ignore_case: true,
            home: Some(r"C:\Users\u".into()),
            cwd: r"C:\Users\u\p".into(),
            project: Some(r"C:\Users\u\p".into()),
            ..PathContext::default()
        }
    }

    #[test]
    fn written_paths_lead_somewhere() {
        for (written, absolute) in [
            (".env", "/home/u/p/sub/.env"),
            ("../.env/", "/home/u/p/.env"),
            ("~/.ssh//id_rsa", "/home/u/.ssh/id_rsa"),
            ("${HOME}/./x", "/home/u/x"),
            ("$HOMER/x", "/home/u/p/sub/$HOMER/x"),
            ("/proc/self/cwd/.env", "/home/u/p/sub/.env"),
            ("/proc/self/root/etc/x", "/etc/x"),
            ("/../../x", "/x"),
            ("file:///etc/passwd", "/etc/passwd"),
            ("/", "/"),
            ("~root/x", "/root/x"),
            ("~u/x", "/home/u/x"),
            ("~other", "/home/other"),
            ("~+/x", "/home/u/p/sub/x"),
            ("~-/x", "/home/u/p/sub/~-/x"),
            ("/proc/1/cwd/x", "/home/u/p/sub/x"),
            ("/proc/self/task/7/root/etc/x", "/etc/x"),
        ] {
            assert_eq!(unix().resolve(written, None), absolute, "{written}");
        }
        for (written, absolute) in [
            (r"..\.ENV", "C:/Users/u/.ENV"),
            (r"c:\x\y. .", "C:/x/y"),
            (r"\\?\C:\x", "C:/x"),
            (".env::$DATA", "C:/Users/u/p/.env"),
            (r"%USERPROFILE%\x", "C:/Users/u/x"),
        ] {
            assert_eq!(windows().resolve(written, None), absolute, "{written}");
        }
        assert_eq!(unix().resolve("x", Some("/b")), "/b/x");
        assert_eq!(unix().resolve("x", Some("b")), "/home/u/p/sub/b/x");
    }

    #[test]
    fn globs_cover_what_they_say() {
        for (glob, path, covered) in [
            (".env", "/home/u/p/a/.env", true),
            (".env", "/home/u/p/.env.example", false),
            ("*.pem", "/srv/x.pem", true),
            ("config/prod/**", "/home/u/p/config/prod/a/b", true),
            ("config/prod/**", "/home/u/p/config/prod", true),
            ("config/prod/**", "/home/u/p/x/config/prod/a", false),
            ("**/testdata/**", "/home/u/p/x/testdata/a", true),
            ("**/.env", "/.env", true),
            ("~/.ssh/**", "/home/u/.ssh/id", true),
            ("~/.ssh/**", "/home/other/.ssh/id", false),
            ("/etc/**", "/etc/passwd", true),
            ("{a,b}.txt", "/home/u/p/b.txt", true),
            ("A.txt", "/home/u/p/a.txt", false),
        ] {
            assert_eq!(Glob::parse(glob).unwrap().is_match(path, &unix()), covered, "{glob} {path}");
        }
        assert!(Glob::parse("~/.SSH/**").unwrap().is_match("C:/users/U/.ssh/id", &windows()));
    }

    #[test]
    fn patterns_meet_globs_where_a_file_may_be_both() {
        for (glob, pattern, meets) in [
            (".env", "/home/u/p/.e*", true),
            (".env", "/home/u/p/*", false),
            (".env", "/home/u/p/*v", false),
            (".env", "/home/u/p/.[e]nv", true),
            (".env", "/home/u/p/{.env,x}", true),
            (".claude/settings.json", "/home/u/p/.cla?de/settings.json", true),
            (".claude/settings.json", "/home/u/p/.*/settings.json", true),
            (".claude/settings.json", "/home/u/p/.claude/s*", true),
            (".claude/settings.json", "/home/u/p/src/s*", false),
            ("~/.ssh/**", "/home/u/.s*/id_*", true),
            ("**/.env", "/home/u/p/**/.env*", true),
            ("*.pem", "/home/u/p/*.rs", false),
            ("*.pem", "/home/u/p/*.pem", true),
            ("credentials.json", "/home/u/p/*.json", false),
            ("credentials.json", "/home/u/p/cred*.json", true),
            ("**/.{claude,gemini}", "/home/u/p/.c*", true),
            ("**/.{claude,gemini}", "/home/u/p/.x*", false),
        ] {
            assert_eq!(Glob::parse(glob).unwrap().may_overlap(pattern, &unix()), meets, "{glob} {pattern}");
        }
    }

    #[test]
    fn paths_are_shown_short() {
        assert_eq!(unix().display("/home/u/p/a"), "a");
        assert_eq!(unix().display("/home/u/x"), "~/x");
        assert_eq!(unix().display("/etc/x"), "/etc/x");
    }
}
