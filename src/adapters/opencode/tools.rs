//! The tools of `OpenCode` and their arguments. This file is a table.
//!
//! Source: payloads of 1.18.33, and the argument descriptions in its program. `edit` and `write` give way to
//! `apply_patch` for some models. A call of an unknown tool comes as `invalid`.

use crate::adapters::contract::ToolAction::{
    ApplyPatch, AskPerson, EditFile, FetchUrl, FindFiles, NoteTasks, ReadFile, RunShell, SearchText, SearchWeb,
    StartAgent, UseSkill, WriteFile,
};
use crate::adapters::contract::table::{READ, SHELL_COMMAND, WRITE, optional, required, tool};
use crate::adapters::contract::{ArgRole, ToolRow};
use crate::domain::event::tool::ToolKind;

pub(super) const TOOLS: &[ToolRow] = &[
    tool(
        "bash",
        ToolKind::Shell,
        &[
            required("command", SHELL_COMMAND),
            optional("workdir", ArgRole::WorkingDir),
            optional("description", ArgRole::Description),
        ],
    )
    .with_action(RunShell),
    tool(
        "write",
        ToolKind::Write,
        &[required("filePath", ArgRole::Path(WRITE)), optional("content", ArgRole::Content)],
    )
    .with_action(WriteFile),
    tool(
        "edit",
        ToolKind::Edit,
        &[
            required("filePath", ArgRole::Path(WRITE)),
            optional("newString", ArgRole::Content),
            optional("oldString", ArgRole::OldText),
            optional("replaceAll", ArgRole::ReplaceAll),
        ],
    )
    .with_action(EditFile),
    tool("apply_patch", ToolKind::Edit, &[required("patchText", ArgRole::Patch)]).with_action(ApplyPatch),
    tool(
        "read",
        ToolKind::Read,
        &[
            required("filePath", ArgRole::Path(READ)),
            optional("offset", ArgRole::FirstLine),
            optional("limit", ArgRole::LineCount),
        ],
    )
    .with_action(ReadFile),
    tool("glob", ToolKind::Search, &[optional("path", ArgRole::Path(READ))]).with_action(FindFiles),
    tool(
        "grep",
        ToolKind::Search,
        &[optional("path", ArgRole::Path(READ)), optional("include", ArgRole::GlobBelow("path", READ))],
    )
    .with_action(SearchText),
    tool("list", ToolKind::Search, &[optional("path", ArgRole::Path(READ))]),
    tool("lsp", ToolKind::Search, &[optional("filePath", ArgRole::Path(READ))]),
    tool("webfetch", ToolKind::Fetch, &[required("url", ArgRole::Url)]).with_action(FetchUrl),
    tool("websearch", ToolKind::WebSearch, &[]).with_action(SearchWeb),
    tool("codesearch", ToolKind::WebSearch, &[]),
    tool(
        "task",
        ToolKind::Agent,
        &[optional("subagent_type", ArgRole::AgentName), optional("prompt", ArgRole::AgentPrompt)],
    )
    .with_action(StartAgent),
    tool("skill", ToolKind::Other, &[optional("name", ArgRole::Skill)]).with_action(UseSkill),
    tool("todowrite", ToolKind::Other, &[]).with_action(NoteTasks),
    tool("todoread", ToolKind::Other, &[]),
    tool("question", ToolKind::Other, &[]).with_action(AskPerson),
    tool("read_mcp_resource", ToolKind::Read, &[optional("uri", ArgRole::Url)]),
    tool("list_mcp_resources", ToolKind::Other, &[]),
    tool("list_mcp_resource_templates", ToolKind::Other, &[]),
    tool("invalid", ToolKind::Other, &[]),
];
