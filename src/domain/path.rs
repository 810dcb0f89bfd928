//! Paths as text: where a written path leads, and whether a glob of a policy covers it.
//!
//! Nothing here asks the file system. What the platform would do (letter case, drive letters,
//! trailing dots) comes in as data, so that every platform's rules are tested on each.

mod below;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

pub use below::Reach;

/// Where paths are read from: the platform's rules and the directories of this event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Whether backslashes separate and drive letters lead.
    pub windows: bool,
    /// Whether names that differ in case alone are the same file.
    pub ignore_case: bool,
    /// The person's home directory.
    pub home: Option<String>,
    /// The directory that relative paths start from.
    pub cwd: String,
    /// The root of the project.
    pub project: Option<String>,
}

impl Place {
    /// Returns the absolute, normalised form of a path as written: `/`-separated, without `.`,
    /// `..`, doubled or trailing separators.
    pub fn resolve(&self, written: &str, base: Option<&str>) -> String {
        let path = self.expand(written);
        let start = base.map_or_else(|| self.slashes(&self.cwd).into_owned(), |base| self.resolve_base(base));
        let joined = if self.is_absolute(&path) { path } else { format!("{start}/{path}") };
        self.normalize(&joined)
    }

    /// Returns the path as people would name it: relative to the project, or with `~`.
    pub fn shown<'p>(&self, absolute: &'p str) -> Cow<'p, str> {
        let root = self.project.as_deref().unwrap_or(&self.cwd);
        if let Some(inside) = self.inside(absolute, root) {
            return Cow::Borrowed(if inside.is_empty() { "." } else { inside });
        }
        match self.home.as_deref().and_then(|home| self.inside(absolute, home)) {
            Some(inside) => Cow::Owned(format!("~/{inside}")),
            None => Cow::Borrowed(absolute),
        }
    }

    /// Returns the rest of a path below a directory; `None` when it is not below it.
    pub fn inside<'p>(&self, absolute: &'p str, directory: &str) -> Option<&'p str> {
        let directory = self.normal(directory);
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
        if self.is_absolute(&base) { base } else { format!("{}/{base}", self.slashes(&self.cwd)) }
    }

    /// Replaces what stands for a directory at the head of a path.
    fn expand(&self, written: &str) -> String {
        let written = written.strip_prefix("file://").unwrap_or(written);
        let path = self.slashes(written);
        let home = self.home.as_deref().map(|home| self.slashes(home));
        let heads = [
            ("~", home.as_deref()),
            ("$HOME", home.as_deref()),
            ("${HOME}", home.as_deref()),
            ("%USERPROFILE%", home.as_deref()),
            ("$env:USERPROFILE", home.as_deref()),
            ("$PWD", Some(self.cwd.as_str())),
            ("${PWD}", Some(self.cwd.as_str())),
        ];
        for (head, directory) in heads {
            if let (Some(rest), Some(directory)) = (path.strip_prefix(head), directory)
                && (rest.is_empty() || rest.starts_with('/'))
            {
                return format!("{directory}{rest}");
            }
        }
        if let Some((directory, rest)) = of_process(&path) {
            return format!("{}{rest}", if directory == "cwd" { self.cwd.as_str() } else { "" });
        }
        self.of_user(&path).unwrap_or_else(|| path.into_owned())
    }

    /// Returns a path in the home directory of somebody by name: `~root/x`, and `~+/x` for here.
    fn of_user(&self, path: &str) -> Option<String> {
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
        path.starts_with('/') || (self.windows && drive(path).is_some())
    }

    fn slashes<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if self.windows && path.contains('\\') {
            let path = path.strip_prefix(r"\\?\").unwrap_or(path);
            Cow::Owned(path.replace('\\', "/"))
        } else {
            Cow::Borrowed(path)
        }
    }

    /// Returns the normalised form of a path, which most directories that are asked for have already.
    fn normal<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if !self.windows && is_normal(path) { Cow::Borrowed(path) } else { Cow::Owned(self.normalize(path)) }
    }

    fn normalize(&self, path: &str) -> String {
        let path = self.slashes(path);
        let (root, rest) = match drive(&path) {
            Some((letter, rest)) if self.windows => (format!("{}:", letter.to_ascii_uppercase()), rest),
            _ => (String::new(), path.as_ref()),
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in rest.split('/') {
            match self.part(part) {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        format!("{root}/{}", parts.join("/"))
    }

    /// Returns a name as the file system keeps it: Windows drops a stream, and dots and spaces at
    /// the end.
    fn part<'p>(&self, part: &'p str) -> &'p str {
        if !self.windows || part == "." || part == ".." {
            return part;
        }
        part.split(':').next().unwrap_or(part).trim_end_matches(['.', ' '])
    }
}

/// Tells whether nothing in an absolute path is there to be normalised, as its bytes show at once.
fn is_normal(path: &str) -> bool {
    let mut before = b'/';
    let mut rest = path.bytes();
    // A name that begins with a dot is looked at for what it is by whoever normalises.
    let is_plain = rest.next() == Some(b'/')
        && rest.all(|byte| {
            let begins = std::mem::replace(&mut before, byte) == b'/';
            !begins || !matches!(byte, b'/' | b'.')
        });
    is_plain && (before != b'/')
}

/// Returns the directory of a process that a path starts at, `cwd` or `root`, and what follows it:
/// `/proc/self/cwd/x`, `/proc/1/root/x`. Whose process it is changes little of what is meant.
fn of_process(path: &str) -> Option<(&str, &str)> {
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

fn drive(path: &str) -> Option<(char, &str)> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    (characters.next() == Some(':')).then_some((letter, characters.as_str()))
}

/// A path pattern of a policy.
///
/// A name without a separator holds at any depth (`.env`, `*.pem`); with one it starts at the
/// project's root (`config/prod/**`) unless it starts with `**/`, `/`, a drive, or `~/`. A pattern
/// that ends in `/**` holds for the directory itself too: to move it away is to move what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Glob(String);

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub fn parse(source: &str) -> Result<Self, String> {
        if source.is_empty() {
            return Err("the glob is empty".into());
        }
        if source.starts_with('!') {
            return Err("a glob cannot be negated: put it under `except`".into());
        }
        fast_glob::validate(source).map_err(|error| format!("bad glob: {error}"))?;
        Ok(Self(source.to_owned()))
    }

    /// Returns the glob as written.
    pub fn source(&self) -> &str {
        &self.0
    }

    /// Tells whether the glob covers an absolute, normalised path.
    pub fn covers(&self, absolute: &str, place: &Place) -> bool {
        let glob = self.0.as_str();
        if let Some(rest) = glob.strip_prefix("~/") {
            return place
                .home
                .as_deref()
                .and_then(|home| place.inside(absolute, home))
                .is_some_and(|path| matches(rest, path, place));
        }
        if glob.starts_with('/') || glob.starts_with("**/") || drive(glob).is_some() {
            return matches(glob, absolute, place);
        }
        if !glob.trim_end_matches('/').contains('/') {
            return absolute.rsplit('/').next().is_some_and(|name| matches(glob.trim_end_matches('/'), name, place));
        }
        let root = place.project.as_deref().unwrap_or(&place.cwd);
        place.inside(absolute, root).is_some_and(|path| matches(glob, path, place))
    }
}

impl Glob {
    /// Tells whether some file may be meant both by the glob and by an absolute pattern that a shell or
    /// a tool expands. A last part of nothing but wildcards is too little to say so, and a search of a
    /// whole tree for a name says nothing of a directory that may be in it.
    pub fn may_meet(&self, pattern: &str, place: &Place) -> bool {
        let last = pattern.rsplit('/').next().unwrap_or_default();
        let telling = last.chars().any(|letter| !"*?.".contains(letter));
        let own = self.absolute(place);
        // All files of a kind (`*.json`) are meant, not the one of that kind that has a name of its own.
        let kind = last.strip_prefix("*.").is_some_and(|kind| !kind.contains(['*', '?', '[', '{']));
        if kind && !own.rsplit('/').next().is_some_and(|name| name.starts_with(['*', '.'])) {
            return false;
        }
        let (own, pattern): (Vec<&str>, Vec<&str>) = (own.split('/').collect(), pattern.split('/').collect());
        if self.is_slight(last) {
            return false;
        }
        let whole_tree = pattern.contains(&"**") && matches!(own.last(), Some(&("**" | "*")));
        telling && !whole_tree && meet(&own, &pattern, place)
    }

    /// Tells whether a pattern says too little of a name that holds at any depth: `.g*` is not yet
    /// `.git-credentials`.
    fn is_slight(&self, last: &str) -> bool {
        let name = self.0.strip_prefix("**/").unwrap_or(&self.0);
        let plain = |part: &str| !part.contains(['*', '?', '[', '{', '/']);
        let said = last.chars().filter(|letter| !"*?[]".contains(*letter)).count();
        plain(name) && !plain(last) && !last.contains('{') && said * 2 < name.chars().count()
    }

    /// Returns the glob from the root on, with `**` for where it holds at any depth.
    fn absolute(&self, place: &Place) -> String {
        let glob = self.0.as_str();
        if let Some(rest) = glob.strip_prefix("~/") {
            return format!("{}/{rest}", place.home.as_deref().unwrap_or("/**"));
        }
        if glob.starts_with('/') || drive(glob).is_some() {
            return glob.to_owned();
        }
        if glob.starts_with("**/") || !glob.trim_end_matches('/').contains('/') {
            return format!("/**/{}", glob.trim_start_matches("**/"));
        }
        format!("{}/{glob}", place.project.as_deref().unwrap_or(&place.cwd))
    }
}

/// Tells whether two patterns, part by part, may stand for the same path.
fn meet(own: &[&str], other: &[&str], place: &Place) -> bool {
    match (own, other) {
        ([] | ["**"], []) => true,
        (["**", rest @ ..], [_, tail @ ..]) => meet(rest, other, place) || meet(own, tail, place),
        (_, ["**", tail @ ..]) => {
            meet(own, tail, place) || own.split_first().is_some_and(|(_, rest)| meet(rest, other, place))
        }
        ([part, rest @ ..], [name, tail @ ..]) => part_meets(part, name, place) && meet(rest, tail, place),
        ([], [_, ..]) | ([_, ..], []) => false,
    }
}

/// Tells whether two parts may stand for the same name; a leading dot is never taken by a wildcard.
fn part_meets(own: &str, other: &str, place: &Place) -> bool {
    if let Some((head, rest)) = own.split_once('{')
        && let Some((choices, tail)) = rest.split_once('}')
        && !choices.contains('{')
    {
        return choices.split(',').any(|choice| part_meets(&format!("{head}{choice}{tail}"), other, place));
    }
    let is_plain = |part: &str| !part.contains(['*', '?', '[', '{']);
    let hidden = |part: &str| part.starts_with('.') || part.starts_with('{') || part.starts_with('[');
    if is_plain(own) {
        return (hidden(other) || !own.starts_with('.')) && matches(other, own, place);
    }
    if is_plain(other) { matches(own, other, place) } else { own == other }
}

fn matches(glob: &str, path: &str, place: &Place) -> bool {
    let (glob, path) = if place.ignore_case {
        (Cow::Owned(glob.to_lowercase()), Cow::Owned(path.to_lowercase()))
    } else {
        (Cow::Borrowed(glob), Cow::Borrowed(path))
    };
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

impl JsonSchema for Glob {
    fn schema_name() -> Cow<'static, str> {
        "Glob".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A path pattern: a bare name holds at any depth, one with a `/` from the project's root; `**/`, `/` and `~/` may lead.",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Glob, Place};

    fn unix() -> Place {
        Place {
            home: Some("/home/u".into()),
            cwd: "/home/u/p/sub".into(),
            project: Some("/home/u/p".into()),
            ..Place::default()
        }
    }

    fn windows() -> Place {
        Place {
            windows: true,
            ignore_case: true,
            home: Some(r"C:\Users\u".into()),
            cwd: r"C:\Users\u\p".into(),
            project: Some(r"C:\Users\u\p".into()),
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
            assert_eq!(Glob::parse(glob).unwrap().covers(path, &unix()), covered, "{glob} {path}");
        }
        assert!(Glob::parse("~/.SSH/**").unwrap().covers("C:/users/U/.ssh/id", &windows()));
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
            assert_eq!(Glob::parse(glob).unwrap().may_meet(pattern, &unix()), meets, "{glob} {pattern}");
        }
    }

    #[test]
    fn paths_are_shown_short() {
        assert_eq!(unix().shown("/home/u/p/a"), "a");
        assert_eq!(unix().shown("/home/u/x"), "~/x");
        assert_eq!(unix().shown("/etc/x"), "/etc/x");
    }
}
