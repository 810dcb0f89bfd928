//! The tools of llxprt-code and their arguments. This file is a table.
//!
//! Source: the parameter types of 0.11.0. Many tools take a path under two names; the host itself refuses a
//! call with neither. The arguments of `github` and `generate_image` are inferred from their names.

use crate::adapters::contract::ToolAction::{
    ApplyPatch, EditFile, FetchUrl, FindFiles, NoteTasks, ReadFile, RunShell, SearchText, SearchWeb, StartAgent,
    UseSkill, WriteFile,
};
use crate::adapters::contract::table::SHELL_COMMAND;
use crate::adapters::contract::table::{READ, WRITE, optional, required, tool};
use crate::adapters::contract::{Arg, ArgRole, ToolRow};
use crate::domain::event::tool::ToolKind;

const READ_ARGS: &[Arg] = &[optional("absolute_path", ArgRole::Path(READ)), optional("file_path", ArgRole::Path(READ))];
const LIST_ARGS: &[Arg] = &[optional("dir_path", ArgRole::Path(READ)), optional("path", ArgRole::Path(READ))];
const EDIT_ARGS: &[Arg] = &[
    optional("absolute_path", ArgRole::Path(WRITE)),
    optional("file_path", ArgRole::Path(WRITE)),
    optional("new_string", ArgRole::Content),
    optional("old_string", ArgRole::OldText),
];

pub(super) const TOOLS: &[ToolRow] = &[
    tool(
        "run_shell_command",
        ToolKind::Shell,
        &[
            required("command", SHELL_COMMAND),
            optional("dir_path", ArgRole::WorkingDir),
            optional("directory", ArgRole::WorkingDir),
            optional("description", ArgRole::Description),
            optional("is_background", ArgRole::Background),
        ],
    )
    .with_action(RunShell),
    tool(
        "write_file",
        ToolKind::Write,
        &[
            optional("file_path", ArgRole::Path(WRITE)),
            optional("absolute_path", ArgRole::Path(WRITE)),
            optional("content", ArgRole::Content),
        ],
    )
    .with_action(WriteFile),
    tool("replace", ToolKind::Edit, EDIT_ARGS).with_action(EditFile),
    tool("ast_edit", ToolKind::Edit, EDIT_ARGS).with_action(EditFile),
    tool(
        "insert_at_line",
        ToolKind::Edit,
        &[
            optional("absolute_path", ArgRole::Path(WRITE)),
            optional("file_path", ArgRole::Path(WRITE)),
            optional("content", ArgRole::Content),
        ],
    ),
    tool(
        "delete_line_range",
        ToolKind::Edit,
        &[optional("absolute_path", ArgRole::Path(WRITE)), optional("file_path", ArgRole::Path(WRITE))],
    ),
    tool(
        "apply_patch",
        ToolKind::Edit,
        &[
            optional("absolute_path", ArgRole::Path(WRITE)),
            optional("file_path", ArgRole::Path(WRITE)),
            required("patch_content", ArgRole::Patch),
        ],
    )
    .with_action(ApplyPatch),
    tool("read_file", ToolKind::Read, READ_ARGS).with_action(ReadFile),
    tool("read_line_range", ToolKind::Read, READ_ARGS).with_action(ReadFile),
    tool("ast_read_file", ToolKind::Read, READ_ARGS).with_action(ReadFile),
    tool(
        "read_many_files",
        ToolKind::Read,
        &[optional("paths[]", ArgRole::Globs(READ)), optional("include[]", ArgRole::Globs(READ))],
    ),
    tool("list_directory", ToolKind::Read, LIST_ARGS),
    tool("glob", ToolKind::Search, LIST_ARGS).with_action(FindFiles),
    tool(
        "search_file_content",
        ToolKind::Search,
        &[
            optional("dir_path", ArgRole::Path(READ)),
            optional("path", ArgRole::Path(READ)),
            optional("include", ArgRole::GlobBelow("dir_path", READ)),
            optional("include", ArgRole::GlobBelow("path", READ)),
        ],
    )
    .with_action(SearchText),
    tool(
        "ast_grep",
        ToolKind::Search,
        &[optional("path", ArgRole::Path(READ)), optional("globs[]", ArgRole::GlobBelow("path", READ))],
    ),
    tool(
        "structural_analysis",
        ToolKind::Search,
        &[optional("path", ArgRole::Path(READ)), optional("target", ArgRole::Path(READ))],
    ),
    tool("direct_web_fetch", ToolKind::Fetch, &[required("url", ArgRole::Url)]).with_action(FetchUrl),
    tool("web_fetch", ToolKind::Fetch, &[optional("prompt", ArgRole::EmbeddedUrls), optional("url", ArgRole::Url)])
        .with_action(FetchUrl),
    tool("web_search", ToolKind::WebSearch, &[]).with_action(SearchWeb),
    tool("google_web_search", ToolKind::WebSearch, &[]).with_action(SearchWeb),
    tool("exa_web_search", ToolKind::WebSearch, &[]).with_action(SearchWeb),
    tool("codesearch", ToolKind::WebSearch, &[]),
    tool(
        "task",
        ToolKind::Agent,
        &[
            optional("subagent_name", ArgRole::AgentName),
            optional("subagentName", ArgRole::AgentName),
            optional("goal_prompt", ArgRole::AgentPrompt),
            optional("goalPrompt", ArgRole::AgentPrompt),
        ],
    )
    .with_action(StartAgent),
    tool("list_subagents", ToolKind::Other, &[]),
    tool("check_async_tasks", ToolKind::Other, &[]),
    tool("save_memory", ToolKind::Other, &[optional("fact", ArgRole::Content)]),
    tool("todo_read", ToolKind::Other, &[]),
    tool("todo_write", ToolKind::Other, &[]).with_action(NoteTasks),
    tool("todo_pause", ToolKind::Other, &[]),
    tool("activate_skill", ToolKind::Other, &[optional("name", ArgRole::Skill)]).with_action(UseSkill),
    tool("activate_mcp_server", ToolKind::Other, &[]),
];
