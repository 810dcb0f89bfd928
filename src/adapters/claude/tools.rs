//! The tools of Claude Code and their arguments. This file is a table.
//!
//! Source: the tool input types of the SDK 0.3.329, and payloads of 2.1.329. `MultiEdit` no longer exists
//! there and is kept for older versions.

use crate::adapters::contract::ToolAction::{
    AskPerson, EditFile, EnterPlan, ExitPlan, FetchUrl, FindFiles, NoteTasks, ReadFile, ReadResource, RunShell,
    SearchText, SearchWeb, StartAgent, UseSkill, WriteFile,
};
use crate::adapters::contract::table::SHELL_COMMAND;
use crate::adapters::contract::table::{READ, WRITE, optional, required, tool};
use crate::adapters::contract::{ArgRole, ToolRow};
use crate::domain::event::tool::ToolKind;
use crate::domain::shell::Dialect;

pub(super) const TOOLS: &[ToolRow] = &[
    tool(
        "Bash",
        ToolKind::Shell,
        &[
            required("command", SHELL_COMMAND),
            optional("description", ArgRole::Description),
            optional("run_in_background", ArgRole::Background),
        ],
    )
    .with_action(RunShell),
    tool(
        "PowerShell",
        ToolKind::Shell,
        &[
            required("command", ArgRole::Command(Dialect::PowerShell)),
            optional("description", ArgRole::Description),
            optional("run_in_background", ArgRole::Background),
        ],
    )
    .with_action(RunShell),
    tool(
        "Monitor",
        ToolKind::Shell,
        &[optional("command", SHELL_COMMAND), optional("description", ArgRole::Description)],
    )
    .with_action(RunShell),
    tool(
        "Write",
        ToolKind::Write,
        &[required("file_path", ArgRole::Path(WRITE)), optional("content", ArgRole::Content)],
    )
    .with_action(WriteFile),
    tool(
        "Edit",
        ToolKind::Edit,
        &[
            required("file_path", ArgRole::Path(WRITE)),
            optional("new_string", ArgRole::Content),
            optional("old_string", ArgRole::OldText),
            optional("replace_all", ArgRole::ReplaceAll),
        ],
    )
    .with_action(EditFile),
    tool(
        "MultiEdit",
        ToolKind::Edit,
        &[
            required("file_path", ArgRole::Path(WRITE)),
            optional("edits[].new_string", ArgRole::Content),
            optional("edits[].old_string", ArgRole::OldText),
        ],
    )
    .with_action(EditFile),
    tool(
        "NotebookEdit",
        ToolKind::Edit,
        &[required("notebook_path", ArgRole::Path(WRITE)), optional("new_source", ArgRole::Content)],
    )
    .with_action(EditFile),
    tool(
        "Read",
        ToolKind::Read,
        &[
            required("file_path", ArgRole::Path(READ)),
            optional("offset", ArgRole::FirstLine),
            optional("limit", ArgRole::LineCount),
        ],
    )
    .with_action(ReadFile),
    tool("Glob", ToolKind::Search, &[optional("path", ArgRole::Path(READ))]).with_action(FindFiles),
    tool(
        "Grep",
        ToolKind::Search,
        &[optional("path", ArgRole::Path(READ)), optional("glob", ArgRole::GlobBelow("path", READ))],
    )
    .with_action(SearchText),
    tool(
        "LSP",
        ToolKind::Search,
        &[optional("filePath", ArgRole::Path(READ)), optional("file_path", ArgRole::Path(READ))],
    ),
    tool("WebFetch", ToolKind::Fetch, &[required("url", ArgRole::Url)]).with_action(FetchUrl),
    tool("WebSearch", ToolKind::WebSearch, &[]).with_action(SearchWeb),
    tool(
        "Agent",
        ToolKind::Agent,
        &[optional("subagent_type", ArgRole::AgentName), optional("prompt", ArgRole::AgentPrompt)],
    )
    .with_action(StartAgent),
    tool(
        "Task",
        ToolKind::Agent,
        &[optional("subagent_type", ArgRole::AgentName), optional("prompt", ArgRole::AgentPrompt)],
    )
    .with_action(StartAgent),
    tool(
        "SendMessage",
        ToolKind::Agent,
        &[optional("to", ArgRole::AgentName), optional("message", ArgRole::AgentPrompt)],
    ),
    tool("CronCreate", ToolKind::Agent, &[optional("prompt", ArgRole::AgentPrompt)]),
    tool(
        "Workflow",
        ToolKind::Agent,
        &[
            optional("name", ArgRole::AgentName),
            optional("script", ArgRole::Content),
            optional("scriptPath", ArgRole::Path(READ)),
        ],
    ),
    tool(
        "Artifact",
        ToolKind::Other,
        &[
            optional("file_path", ArgRole::Path(READ)),
            optional("file_paths[]", ArgRole::Path(READ)),
            optional("url", ArgRole::Url),
        ],
    ),
    tool(
        "Projects",
        ToolKind::Other,
        &[optional("local_path", ArgRole::Path(READ)), optional("content", ArgRole::Content)],
    ),
    tool(
        "SendUserFile",
        ToolKind::Other,
        &[optional("file_path", ArgRole::Path(READ)), optional("files[]", ArgRole::Path(READ))],
    ),
    tool("ReadMcpResourceTool", ToolKind::Read, &[optional("uri", ArgRole::Url)]).with_action(ReadResource),
    tool("ReadMcpResourceDirTool", ToolKind::Read, &[optional("uri", ArgRole::Url)]),
    tool("Skill", ToolKind::Other, &[optional("args", ArgRole::Content), optional("skill", ArgRole::Skill)])
        .with_action(UseSkill),
    tool("TodoWrite", ToolKind::Other, &[]).with_action(NoteTasks),
    tool("TaskCreate", ToolKind::Other, &[]),
    tool("TaskGet", ToolKind::Other, &[]),
    tool("TaskList", ToolKind::Other, &[]),
    tool("TaskStop", ToolKind::Other, &[]),
    tool("TaskUpdate", ToolKind::Other, &[]),
    tool("ToolSearch", ToolKind::Other, &[]),
    tool("AskUserQuestion", ToolKind::Other, &[]).with_action(AskPerson),
    tool("EnterPlanMode", ToolKind::Other, &[]).with_action(EnterPlan),
    tool("ExitPlanMode", ToolKind::Other, &[]).with_action(ExitPlan),
    tool("EnterWorktree", ToolKind::Other, &[optional("path", ArgRole::Path(READ))]),
    tool("ExitWorktree", ToolKind::Other, &[]),
];
