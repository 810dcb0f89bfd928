//! The tools of Claude Code and where their arguments stand. This file is a table.
//!
//! Source: the tool input types of the SDK 0.3.329, and payloads of 2.1.329. `MultiEdit` is gone
//! there and stays for older versions.

use crate::adapters::Action::{
    AskPerson, EditFile, EnterPlan, ExitPlan, FetchUrl, FindFiles, NoteTasks, ReadFile, ReadResource, RunShell,
    SearchText, SearchWeb, StartAgent, UseSkill, WriteFile,
};
use crate::adapters::read::SHELL;
use crate::adapters::table::{READ, WRITE, may, must, tool};
use crate::adapters::{Role, ToolRow};
use crate::domain::shell::Dialect;
use crate::domain::tool::ToolKind;

pub(super) const TOOLS: &[ToolRow] = &[
    tool(
        "Bash",
        ToolKind::Shell,
        &[must("command", SHELL), may("description", Role::Purpose), may("run_in_background", Role::Background)],
    )
    .does(RunShell),
    tool(
        "PowerShell",
        ToolKind::Shell,
        &[
            must("command", Role::Command(Dialect::PowerShell)),
            may("description", Role::Purpose),
            may("run_in_background", Role::Background),
        ],
    )
    .does(RunShell),
    tool("Monitor", ToolKind::Shell, &[may("command", SHELL), may("description", Role::Purpose)]).does(RunShell),
    tool("Write", ToolKind::Write, &[must("file_path", Role::Path(WRITE)), may("content", Role::Content)])
        .does(WriteFile),
    tool(
        "Edit",
        ToolKind::Edit,
        &[
            must("file_path", Role::Path(WRITE)),
            may("new_string", Role::Content),
            may("old_string", Role::Replaced),
            may("replace_all", Role::Everywhere),
        ],
    )
    .does(EditFile),
    tool(
        "MultiEdit",
        ToolKind::Edit,
        &[
            must("file_path", Role::Path(WRITE)),
            may("edits[].new_string", Role::Content),
            may("edits[].old_string", Role::Replaced),
        ],
    )
    .does(EditFile),
    tool("NotebookEdit", ToolKind::Edit, &[must("notebook_path", Role::Path(WRITE)), may("new_source", Role::Content)])
        .does(EditFile),
    tool(
        "Read",
        ToolKind::Read,
        &[must("file_path", Role::Path(READ)), may("offset", Role::FirstLine), may("limit", Role::Lines)],
    )
    .does(ReadFile),
    tool("Glob", ToolKind::Search, &[may("path", Role::Path(READ))]).does(FindFiles),
    tool("Grep", ToolKind::Search, &[may("path", Role::Path(READ)), may("glob", Role::PathBelow("path", READ))])
        .does(SearchText),
    tool("LSP", ToolKind::Search, &[may("filePath", Role::Path(READ)), may("file_path", Role::Path(READ))]),
    tool("WebFetch", ToolKind::Fetch, &[must("url", Role::Url)]).does(FetchUrl),
    tool("WebSearch", ToolKind::WebSearch, &[]).does(SearchWeb),
    tool("Agent", ToolKind::Agent, &[may("subagent_type", Role::AgentName), may("prompt", Role::AgentPrompt)])
        .does(StartAgent),
    tool("Task", ToolKind::Agent, &[may("subagent_type", Role::AgentName), may("prompt", Role::AgentPrompt)])
        .does(StartAgent),
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
    tool("ReadMcpResourceTool", ToolKind::Read, &[may("uri", Role::Url)]).does(ReadResource),
    tool("ReadMcpResourceDirTool", ToolKind::Read, &[may("uri", Role::Url)]),
    tool("Skill", ToolKind::Other, &[may("args", Role::Content), may("skill", Role::Skill)]).does(UseSkill),
    tool("TodoWrite", ToolKind::Other, &[]).does(NoteTasks),
    tool("TaskCreate", ToolKind::Other, &[]),
    tool("TaskGet", ToolKind::Other, &[]),
    tool("TaskList", ToolKind::Other, &[]),
    tool("TaskStop", ToolKind::Other, &[]),
    tool("TaskUpdate", ToolKind::Other, &[]),
    tool("ToolSearch", ToolKind::Other, &[]),
    tool("AskUserQuestion", ToolKind::Other, &[]).does(AskPerson),
    tool("EnterPlanMode", ToolKind::Other, &[]).does(EnterPlan),
    tool("ExitPlanMode", ToolKind::Other, &[]).does(ExitPlan),
    tool("EnterWorktree", ToolKind::Other, &[may("path", Role::Path(READ))]),
    tool("ExitWorktree", ToolKind::Other, &[]),
];
