//! The facts of an event, as data.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::domain::event::tool::Accesses;
use crate::domain::shell::{OpaqueReason, Script};

/// A shell text of the event, parsed.
#[derive(Debug)]
pub struct ParsedScript<'a> {
    /// The position of the tool call that it belongs to.
    pub call: usize,
    /// The text.
    pub text: Cow<'a, str>,
    /// The directory that it starts in, if the call names one.
    pub start_directory: Option<&'a str>,
    /// The parsed script.
    pub script: Script,
}

/// The index of a command: the position of the shell text, and of the command in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandIndex {
    /// The position of the shell text.
    pub script: usize,
    /// The position of the command in it.
    pub command: usize,
}

/// A file that the event reads, writes or deletes.
#[derive(Debug)]
pub struct FileFact<'a> {
    /// The path as written.
    pub written_path: Cow<'a, str>,
    /// The absolute, normalised path.
    pub path: String,
    /// The path after links are resolved, if it differs.
    pub real_path: Option<String>,
    /// Whether the path is a pattern, which may match several files.
    pub is_glob: bool,
    /// Whether the path was fully known before a part of it became a pattern.
    pub is_known: bool,
    /// The accesses to it.
    pub access: Accesses,
    /// The position of the tool call that it belongs to.
    pub call: usize,
    /// The command that does it, if a command does.
    pub command: Option<CommandIndex>,
    /// What the pattern matches, once that was asked.
    pub(super) expansion: OnceCell<Option<Vec<ExpandedPath>>>,
}

/// A path that a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpandedPath {
    /// The absolute, normalised path.
    pub path: String,
    /// The path after links are resolved, if it differs.
    pub real_path: Option<String>,
}

impl FileFact<'_> {
    /// Returns whether the other fact has the same accesses to the same file, and both or neither belong to a
    /// command.
    pub fn is_equivalent(&self, other: &FileFact<'_>) -> bool {
        let of = |file: &FileFact<'_>| (file.access, file.is_glob, file.command.is_some());
        of(self) == of(other) && self.path == other.path && self.real_path == other.real_path
    }
}

/// An address that the event fetches.
#[derive(Debug)]
pub struct UrlFact<'a> {
    /// The address as written.
    pub url: Cow<'a, str>,
    /// The command that fetches it, if a command does.
    pub command: Option<CommandIndex>,
}

/// A part of a shell text whose effect is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpaqueFact {
    /// The reason why it is not known.
    pub reason: OpaqueReason,
    /// The text of the part, truncated if it is long.
    pub text: String,
    /// The command that it belongs to, if it belongs to one.
    pub command: Option<CommandIndex>,
}
