//! How much is known of which file a call touches.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Facts, FileFact};

/// How precisely a file is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Its path is known.
    Exact,
    /// It is one of the files on disk that match a pattern: `*.log`.
    Glob,
    /// It is one of several paths: a variable has several values, or lines of a list are read.
    OneOf,
    /// It is somewhere inside a directory, possibly with a matching name: results of `find`, or
    /// `~/x/$name`.
    Inside,
    /// It is unknown: `"$file"`, `$(pick)`.
    Unknown,
}

impl Target {
    /// Returns the word for it in policies and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Glob => "glob",
            Self::OneOf => "one-of",
            Self::Inside => "inside",
            Self::Unknown => "unknown",
        }
    }
}

impl Facts<'_> {
    /// Returns how much is known of which file is touched.
    pub fn target(&self, file: &FileFact<'_>) -> Target {
        match (file.is_glob, file.is_known) {
            (true, true) if !file.path.contains("/**") => Target::Glob,
            (true, _) => Target::Inside,
            (false, false) => Target::Unknown,
            (false, true) if self.is_alternative(file) => Target::OneOf,
            (false, true) => Target::Exact,
        }
    }

    /// Returns whether only some of the commands touch the file that stand for one command with several values.
    fn is_alternative(&self, file: &FileFact<'_>) -> bool {
        let Some(by) = file.command else { return false };
        let Some(command) = self.command(by).filter(|command| command.alternatives > 1) else { return false };
        let is_same_source = |other: &&FileFact<'_>| {
            other.path == file.path
                && other.access.intersects(file.access)
                && other.command.and_then(|at| self.command(at)).is_some_and(|other| other.span == command.span)
        };
        self.files().iter().filter(is_same_source).count() < command.alternatives
    }
}
