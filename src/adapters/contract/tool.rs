//! The tools of a host: their kinds, actions and arguments.

use crate::domain::event::tool::{Accesses, ToolKind};
use crate::domain::shell::Dialect;

/// A tool of a host.
#[derive(Debug)]
pub struct ToolRow {
    /// The host's name for it.
    pub wire: &'static str,
    /// Its kind.
    pub kind: ToolKind,
    /// Its action, if tools of other hosts do the same.
    pub action: Option<ToolAction>,
    /// Its arguments that matter to policies, or are named differently on other hosts.
    pub args: &'static [Arg],
}

/// An action that tools of several hosts share. A call of another host's tool is encoded as the
/// host's first tool with the same action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolAction {
    /// Runs shell text.
    RunShell,
    /// Reads a file.
    ReadFile,
    /// Writes a whole file.
    WriteFile,
    /// Replaces a part of a file.
    EditFile,
    /// Applies a patch to files.
    ApplyPatch,
    /// Finds files by their names.
    FindFiles,
    /// Finds text in files.
    SearchText,
    /// Fetches an address.
    FetchUrl,
    /// Searches the web.
    SearchWeb,
    /// Starts another agent.
    StartAgent,
    /// Loads a skill.
    UseSkill,
    /// Writes a list of tasks.
    NoteTasks,
    /// Asks the user.
    AskPerson,
    /// Starts planning.
    EnterPlan,
    /// Ends planning.
    ExitPlan,
    /// Reads a resource of a tool server.
    ReadResource,
}

/// An argument of a tool.
#[derive(Debug)]
pub struct Arg {
    /// Its key; `a[].b` means `b` in each entry of the list `a`.
    pub key: &'static str,
    /// Its meaning.
    pub role: ArgRole,
    /// Whether a call without it cannot be judged.
    pub required: bool,
}

/// The role of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgRole {
    /// Shell text.
    Command(Dialect),
    /// The directory that shell text starts in.
    WorkingDir,
    /// A file or directory.
    Path(Accesses),
    /// Patterns over files.
    Globs(Accesses),
    /// A pattern over files below the directory that another argument names.
    GlobBelow(&'static str, Accesses),
    /// A patch: new text, with the names of the files that it changes.
    Patch,
    /// New text.
    Content,
    /// Text that is removed.
    OldText,
    /// An address.
    Url,
    /// Free text that may hold addresses.
    EmbeddedUrls,
    /// The requested sub-agent.
    AgentName,
    /// The prompt of a sub-agent.
    AgentPrompt,
    /// A description of the call for the user.
    Description,
    /// Whether the call continues in the background.
    Background,
    /// Whether every occurrence is replaced instead of a single one.
    ReplaceAll,
    /// The first line that is read, counted from one.
    FirstLine,
    /// The last line that is read.
    LastLine,
    /// The number of lines that are read.
    LineCount,
    /// The name of a skill.
    Skill,
}

impl ArgRole {
    /// Returns whether policies look at the argument; other arguments are listed only because their names differ.
    pub const fn is_policy_relevant(self) -> bool {
        !matches!(
            self,
            Self::Description
                | Self::Background
                | Self::ReplaceAll
                | Self::FirstLine
                | Self::LastLine
                | Self::LineCount
                | Self::Skill
        )
    }
}
