//! `files:` — which files are touched and how, by a file tool or by a command.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::facts::{Facts, FileFact};
use crate::domain::focus::Focus;
use crate::domain::path::{Glob, Place, Reach};
use crate::domain::template::{RenderError, Template};
use crate::domain::tool::{Access, Accesses};
use crate::domain::view;

/// Files, and what is done with them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "paths"))]
pub struct Files {
    /// What is done with the file; any, when not given.
    #[serde(default)]
    pub access: Vec<FileAccess>,
    /// Globs, of which one covers the file; any file, when not given.
    #[serde(default)]
    pub paths: Vec<Glob>,
    /// It lies in one of these, and so does what it leads to.
    #[serde(default)]
    pub within: Vec<Area>,
    /// It lies in none of these, or what it leads to does not.
    #[serde(default)]
    pub outside: Vec<Area>,
    /// Globs, of which none covers it.
    #[serde(default)]
    pub except: Vec<Glob>,
    /// Paths of which none is there, nor written by the same call; `{{ file.stem }}` and the like
    /// speak of the file, and what is relative begins at the project: `tests/test_{{ file.stem }}.py`.
    #[serde(default)]
    pub missing: Vec<Template>,
}

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileAccess {
    /// Its content is read, or copied elsewhere.
    Read,
    /// Its content or its mode is changed, or it is made.
    Write,
    /// It is taken away, or moved.
    Delete,
    /// It is moved to somewhere else; `delete` holds then too, and `write` for where it goes.
    Move,
    /// Its mode, owner or attributes are changed; `write` holds then too.
    Mode,
    /// Another name is made for it; `read` holds then too, and `write` for that name.
    Link,
    /// It is run: as a program, or as a script by a shell or another interpreter.
    Execute,
}

/// A part of the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// The project, or the working directory where there is none.
    Project,
    /// The person's home directory.
    Home,
    /// The directories for temporary files.
    Temp,
}

/// The directories for temporary files. A place does not say which one a program would choose.
const TEMP: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"];

/// Files of which it is kept whether a condition holds for them.
const MOST_JUDGED: usize = 8;

impl Area {
    fn holds(self, path: &str, place: &Place) -> bool {
        let inside = |directory: &str| place.inside(path, directory).is_some();
        match self {
            Self::Project => inside(place.project.as_deref().unwrap_or(&place.cwd)),
            Self::Home => place.home.as_deref().is_some_and(inside),
            Self::Temp if place.windows => {
                let lower = path.to_ascii_lowercase();
                lower.contains("/appdata/local/temp/") || lower.contains(":/windows/temp/")
            }
            Self::Temp => TEMP.iter().any(|directory| inside(directory)),
        }
    }
}

impl FileAccess {
    const fn access(self) -> Access {
        match self {
            Self::Read => Access::Read,
            Self::Write => Access::Write,
            Self::Delete => Access::Delete,
            Self::Move => Access::Move,
            Self::Mode => Access::Mode,
            Self::Link => Access::Link,
            Self::Execute => Access::Execute,
        }
    }
}

impl Files {
    /// Returns the accesses that the condition is about.
    pub fn accesses(&self) -> Accesses {
        let named: Vec<Access> = self.access.iter().map(|access| access.access()).collect();
        if named.is_empty() { Accesses::ANY } else { Accesses::of(&named) }
    }

    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Result<Vec<Focus>, RenderError> {
        let candidates = facts.files().iter().enumerate();
        // The commands of a line often do the same to the same file.
        let mut judged: Vec<(&FileFact<'_>, bool)> = Vec::new();
        let mut holds = |file| {
            if let Some((_, holds)) = judged.iter().find(|(other, _)| other.is_alike(file)) {
                return *holds;
            }
            let holds = self.holds(file, facts.place);
            if judged.len() < MOST_JUDGED {
                judged.push((file, holds));
            }
            holds
        };
        let found = candidates
            .filter(|(index, _)| focus.file.is_none_or(|focus| focus == *index))
            .filter(|(_, file)| focus.command.is_none() || file.by.is_none() || file.by == focus.command)
            .filter(|(_, file)| holds(file))
            .map(|(index, file)| Focus { file: Some(index), command: focus.command.or(file.by), ..focus.clone() });
        let mut left = Vec::new();
        for focus in found {
            if self.lacks_companions(facts, &focus)? {
                left.push(focus);
            }
        }
        Ok(left)
    }

    /// Tells whether nothing is there of what belongs to a file.
    fn lacks_companions(&self, facts: &Facts<'_>, focus: &Focus) -> Result<bool, RenderError> {
        let base = facts.place.project.as_deref().or(Some(&facts.place.cwd));
        for template in &self.missing {
            let named = template.render(&mut |word| view::root(facts, focus, word))?;
            let path = facts.place.resolve(&named, base);
            let written = |file: &FileFact<'_>| file.path == path && file.access.contains(Access::Write);
            if facts.is_there(&path) || facts.files().iter().any(written) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tells whether the globs cover a file that is written, by its absolute and normalised path.
    pub fn covers_written(&self, path: &str, place: &Place) -> bool {
        let covers = |globs: &[Glob]| globs.iter().any(|glob| glob.covers(path, place));
        self.accesses().contains(Access::Write) && covers(&self.paths) && !covers(&self.except)
    }

    /// Tells whether the condition tells files apart by anything.
    pub fn names_files(&self) -> bool {
        !self.paths.is_empty() || !self.within.is_empty() || !self.outside.is_empty()
    }

    /// Tells whether a directory is filled, copied or taken away with what the globs name in it.
    fn goes_along(&self, file: &FileFact<'_>, place: &Place) -> bool {
        let both = |access| file.access.contains(access) && self.accesses().contains(access);
        let tree = file.path.strip_suffix("/**").filter(|_| file.glob);
        let (directory, reach) = match tree {
            Some(directory) if both(Access::Delete) => (directory, Reach::Any),
            Some(directory) if both(Access::Write) => (directory, Reach::Next),
            Some(directory) => (directory, Reach::Rooted),
            None if !file.glob && file.by.is_some() && both(Access::Delete) => (file.path.as_str(), Reach::Any),
            None => return false,
        };
        let excepted = self.except.iter().any(|glob| glob.covers(directory, place));
        !excepted && self.paths.iter().any(|glob| glob.is_below(directory, reach, place))
    }

    pub(super) fn holds(&self, file: &FileFact<'_>, place: &Place) -> bool {
        let accessed = file.access.meets(self.accesses()) && self.lies_there(file, place);
        if self.paths.is_empty() {
            let excepted = |path: &String| self.except.iter().any(|glob| glob.covers(path, place));
            return accessed && std::iter::once(&file.path).chain(&file.real).any(|path| !excepted(path));
        }
        let covers = |globs: &[Glob], path: &str| globs.iter().any(|glob| glob.covers(path, place));
        if accessed && self.goes_along(file, place) {
            return true;
        }
        if file.glob {
            let meets = |globs: &[Glob]| globs.iter().any(|glob| glob.may_meet(&file.path, place));
            let is_one = covers(&self.paths, &file.path) || meets(&self.paths);
            return accessed && is_one && !covers(&self.except, &file.path);
        }
        accessed
            && std::iter::once(&file.path)
                .chain(&file.real)
                .any(|path| covers(&self.paths, path) && !covers(&self.except, path))
    }

    /// Tells whether a file lies where it should. One that leads elsewhere by a link lies in both
    /// places, and is inside of an area only when both are.
    fn lies_there(&self, file: &FileFact<'_>, place: &Place) -> bool {
        // Of a pattern, what stands before the first wildcard says where the files lie.
        let plain = match file.path.find(['*', '?', '[', '{']) {
            Some(at) if file.glob => {
                file.path.get(..at).and_then(|path| path.rsplit_once('/')).map_or("/", |(path, _)| path)
            }
            _ => file.path.as_str(),
        };
        let all_in = |areas: &[Area]| {
            let one_of = |path: &str| areas.iter().any(|area| area.holds(path, place));
            one_of(plain) && file.real.as_deref().is_none_or(one_of)
        };
        (self.within.is_empty() || all_in(&self.within)) && (self.outside.is_empty() || !all_in(&self.outside))
    }
}
