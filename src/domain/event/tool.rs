//! A uniform view of a tool call, whatever the host calls the tool and its arguments.

use std::borrow::Cow;
use std::fmt;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use crate::domain::shell::Access;
use crate::domain::shell::Dialect;

/// What a tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// Runs shell text.
    Shell,
    /// Reads files or lists directories.
    Read,
    /// Writes a whole file.
    Write,
    /// Changes a part of a file.
    Edit,
    /// Searches names or contents.
    Search,
    /// Fetches a URL.
    Fetch,
    /// Searches the web.
    WebSearch,
    /// Belongs to a tool server.
    Mcp,
    /// Starts or instructs another agent.
    Agent,
    /// Anything else.
    Other,
}

impl ToolKind {
    /// Every kind, with its name in policies.
    pub const NAMES: [(Self, &'static str); 10] = [
        (Self::Shell, "shell"),
        (Self::Read, "read"),
        (Self::Write, "write"),
        (Self::Edit, "edit"),
        (Self::Search, "search"),
        (Self::Fetch, "fetch"),
        (Self::WebSearch, "web-search"),
        (Self::Mcp, "mcp"),
        (Self::Agent, "agent"),
        (Self::Other, "other"),
    ];

    /// Returns the kind's name in policies.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("other", |(_, name)| name)
    }
}

impl fmt::Display for ToolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A call of one tool: its name and arguments, and their roles.
#[derive(Debug, Clone)]
pub struct ToolCall<'a> {
    /// What the tool is for.
    pub kind: ToolKind,
    /// The host's own name of the tool.
    pub name: &'a str,
    /// The host's id of this call.
    pub id: Option<&'a str>,
    /// The arguments as the host sent them.
    pub input: &'a Map<String, Value>,
    /// The shell command of the call.
    pub commands: Vec<CommandText<'a>>,
    /// Files that the call names, as written.
    pub files: Vec<NamedFile<'a>>,
    /// New text that the call writes.
    pub texts: Vec<TextSegment<'a>>,
    /// Text that the call removes.
    pub replaced_texts: Vec<Cow<'a, str>>,
    /// Addresses that the call fetches.
    pub urls: Vec<Cow<'a, str>>,
    /// The tool server and its own name of the tool.
    pub mcp: Option<McpTool<'a>>,
    /// The sub-agent that is requested, and its prompt.
    pub agent: Option<AgentCall<'a>>,
    /// The result; `None` before the call.
    pub result: Option<ToolResult<'a>>,
}

/// A piece of shell text.
#[derive(Debug, Clone)]
pub struct CommandText<'a> {
    /// The text as the host would run it.
    pub text: Cow<'a, str>,
    /// The shell that reads it.
    pub dialect: Dialect,
    /// The directory that it starts in, if the call names one.
    pub base: Option<&'a str>,
}

/// A file that a call names.
#[derive(Debug, Clone)]
pub struct NamedFile<'a> {
    /// The path as written.
    pub path: Cow<'a, str>,
    /// The accesses to it; several if the call does not tell.
    pub access: Accesses,
    /// Whether it is a pattern, which may match several files.
    pub is_glob: bool,
}

impl<'a> NamedFile<'a> {
    /// Creates a file from a name that the tool may expand.
    pub fn from_possible_glob(path: &'a str, access: Accesses) -> Self {
        Self { path: Cow::Borrowed(path), access, is_glob: path.contains(['*', '?', '[', '{']) }
    }
}

/// Every access.
const ALL_ACCESSES: [Access; 7] =
    [Access::Read, Access::Write, Access::Delete, Access::Move, Access::Mode, Access::Link, Access::Execute];

/// A set of accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Accesses(pub(crate) u8);

impl Accesses {
    /// Returns the set of the given accesses.
    pub const fn of(accesses: &[Access]) -> Self {
        let mut bits = 0;
        let mut rest = accesses;
        while let [first, tail @ ..] = rest {
            bits |= 1 << (*first as u8);
            rest = tail;
        }
        Self(bits)
    }

    /// Any access: the assumption if a call does not tell.
    pub const ANY: Self = Self::of(&ALL_ACCESSES);

    /// Returns the union of the sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether the sets share an access.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the set contains an access.
    pub const fn contains(self, access: Access) -> bool {
        self.0 & (1 << (access as u8)) != 0
    }

    /// Lists the names of the accesses.
    pub fn names(self) -> Vec<&'static str> {
        let name = |access| match access {
            Access::Read => "read",
            Access::Write => "write",
            Access::Delete => "delete",
            Access::Move => "move",
            Access::Mode => "mode",
            Access::Link => "link",
            Access::Execute => "execute",
        };
        self.iter().map(name).collect()
    }

    /// Returns the names for users; a call that does not tell may do anything with a file.
    pub fn describe(self) -> String {
        if self == Self::ANY { "any access to".to_owned() } else { self.names().join("/") }
    }

    /// Lists the accesses.
    pub fn iter(self) -> impl Iterator<Item = Access> {
        ALL_ACCESSES.into_iter().filter(move |access| self.contains(*access))
    }
}

/// A piece of text and its origin.
#[derive(Debug, Clone)]
pub struct TextSegment<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// The argument it came from, for messages.
    pub origin: Cow<'a, str>,
}

/// A tool of an MCP server.
#[derive(Debug, Clone)]
pub struct McpTool<'a> {
    /// The server's name.
    pub server: Cow<'a, str>,
    /// The server's own name of the tool.
    pub tool: Cow<'a, str>,
}

/// A call that gives work to another agent.
#[derive(Debug, Clone)]
pub struct AgentCall<'a> {
    /// The kind of agent that is requested.
    pub name: Option<&'a str>,
    /// The prompt for it.
    pub prompt: Option<&'a str>,
}

/// The result of a call.
#[derive(Debug, Clone)]
pub struct ToolResult<'a> {
    /// Whether the host reports success.
    pub is_ok: bool,
    /// Whether it is still running, so that only its start has succeeded.
    pub is_running: bool,
    /// The output that the model would see.
    pub output: Vec<Cow<'a, str>>,
}

/// Additional argument names, for MCP tools and other unknown tools.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArgumentNames {
    /// Arguments that are shell text.
    #[serde(default)]
    pub command: Vec<String>,
    /// Arguments that are paths.
    #[serde(default)]
    pub path: Vec<String>,
    /// Arguments that are plain text.
    #[serde(default)]
    pub content: Vec<String>,
    /// Arguments that are URLs.
    #[serde(default)]
    pub url: Vec<String>,
}

impl ArgumentNames {
    /// Adds the names that another list has.
    pub fn extend(&mut self, other: Self) {
        let Self { command, path, content, url } = other;
        for (known, more) in
            [(&mut self.command, command), (&mut self.path, path), (&mut self.content, content), (&mut self.url, url)]
        {
            for name in more {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
    }
}

/// Returns the lower-case words of a name in any of the usual spellings.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (character.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        after_lower = character.is_lowercase();
    }
    words
}
