//! `files:` — which files are read, written or deleted, by a file tool or by a command.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::facts::{Facts, FileFact};
use crate::domain::focus::Focus;
use crate::domain::path::{Glob, Place, Reach};
use crate::domain::tool::{Access, Accesses};

/// Files, and what is done with them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "paths"))]
pub struct Files {
    /// What is done with the file; any, when not given.
    #[serde(default)]
    pub access: Vec<FileAccess>,
    /// Globs, of which one covers the file.
    pub paths: Vec<Glob>,
    /// Globs, of which none covers it.
    #[serde(default)]
    pub except: Vec<Glob>,
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
}

impl FileAccess {
    const fn access(self) -> Access {
        match self {
            Self::Read => Access::Read,
            Self::Write => Access::Write,
            Self::Delete => Access::Delete,
        }
    }
}

impl Files {
    /// Returns the accesses that the condition is about.
    pub fn accesses(&self) -> Accesses {
        let named: Vec<Access> = self.access.iter().map(|access| access.access()).collect();
        if named.is_empty() { Accesses::ANY } else { Accesses::of(&named) }
    }

    pub(super) fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Vec<Focus> {
        let candidates = facts.files().iter().enumerate();
        candidates
            .filter(|(index, _)| focus.file.is_none_or(|focus| focus == *index))
            .filter(|(_, file)| focus.command.is_none() || file.by.is_none() || file.by == focus.command)
            .filter(|(_, file)| self.holds(file, facts.place))
            .map(|(index, file)| Focus { file: Some(index), command: focus.command.or(file.by), ..focus.clone() })
            .collect()
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

    fn holds(&self, file: &FileFact<'_>, place: &Place) -> bool {
        let accessed = file.access.meets(self.accesses());
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
}
