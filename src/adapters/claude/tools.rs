//! The tools of Claude Code and where their arguments stand. This file is a table.
//!
//! Source: the tool input types of the SDK 0.3.329, and payloads of 2.1.329. `MultiEdit` is gone
//! there and stays for older versions.

use crate::adapters::read::SHELL;
use crate::adapters::table::{READ, WRITE, may, must, tool};
use crate::adapters::{Role, ToolRow};
use crate::domain::shell::Dialect;
use crate::domain::tool::ToolKind;

pub(super) const TOOLS: &[ToolRow] = &[
    tool("Bash", ToolKind::Shell, &[must("command", SHELL)]),
    tool("PowerShell", ToolKind::Shell, &[must("command", Role::Command(Dialect::PowerShell))]),
    tool("Monitor", ToolKind::Shell, &[may("command", SHELL)]),
    tool("Write", ToolKind::Write, &[must("file_path", Role::Path(WRITE)), may("content", Role::Content)]),
    tool(
        "Edit",
        ToolKind::Edit,
        &[must("file_path", Role::Path(WRITE)), may("new_string", Role::Content), may("old_string", Role::Replaced)],
    ),
    tool(
        "MultiEdit",
        ToolKind::Edit,
        &[
            must("file_path", Role::Path(WRITE)),
            may("edits[].new_string", Role::Content),
            may("edits[].old_string", Role::Replaced),
        ],
    ),
    tool("NotebookEdit", ToolKind::Edit, &[must("notebook_path", Role::Path(WRITE)), may("new_source", Role::Content)]),
    tool("Read", ToolKind::Read, &[must("file_path", Role::Path(READ))]),
    tool("Glob", ToolKind::Search, &[may("path", Role::Path(READ))]),
    tool("Grep", ToolKind::Search, &[may("path", Role::Path(READ)), may("glob", Role::PathBelow("path", READ))]),
    tool("LSP", ToolKind::Search, &[may("filePath", Role::Path(READ)), may("file_path", Role::Path(READ))]),
    tool("WebFetch", ToolKind::Fetch, &[must("url", Role::Url)]),
    tool("WebSearch", ToolKind::WebSearch, &[]),
    tool("Agent", ToolKind::Agent, &[may("subagent_type", Role::AgentName), may("prompt", Role::AgentPrompt)]),
    tool("Task", ToolKind::Agent, &[may("subagent_type", Role::AgentName), may("prompt", Role::AgentPrompt)]),
    tool("SendMessage", ToolKind::Agent, &[may("to", Role::AgentName), may("message", Role::AgentPrompt)]),
    tool("CronCreate", ToolKind::Agent, &[may("prompt", Role::AgentPrompt)]),
    tool(
        "Workflow",
        ToolKind::Agent,
        &[may("name", Role::AgentName), may("script", Role::Content), may("scriptPath", Role::Path(READ))],
    ),
    tool(
        "Artifact",
        ToolKind::Other,
        &[may("file_path", Role::Path(READ)), may("file_paths[]", Role::Path(READ)), may("url", Role::Url)],
    ),
    tool("Projects", ToolKind::Other, &[may("local_path", Role::Path(READ)), may("content", Role::Content)]),
    tool("SendUserFile", ToolKind::Other, &[may("file_path", Role::Path(READ)), may("files[]", Role::Path(READ))]),
    tool("ReadMcpResourceTool", ToolKind::Read, &[may("uri", Role::Url)]),
    tool("ReadMcpResourceDirTool", ToolKind::Read, &[may("uri", Role::Url)]),
    tool("Skill", ToolKind::Other, &[may("args", Role::Content)]),
    tool("TodoWrite", ToolKind::Other, &[]),
    tool("TaskCreate", ToolKind::Other, &[]),
    tool("TaskGet", ToolKind::Other, &[]),
    tool("TaskList", ToolKind::Other, &[]),
    tool("TaskStop", ToolKind::Other, &[]),
    tool("TaskUpdate", ToolKind::Other, &[]),
    tool("ToolSearch", ToolKind::Other, &[]),
    tool("AskUserQuestion", ToolKind::Other, &[]),
    tool("EnterPlanMode", ToolKind::Other, &[]),
    tool("ExitPlanMode", ToolKind::Other, &[]),
    tool("EnterWorktree", ToolKind::Other, &[may("path", Role::Path(READ))]),
    tool("ExitWorktree", ToolKind::Other, &[]),
];
