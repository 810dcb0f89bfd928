//! The tools of llxprt-code and where their arguments stand. This file is a table.
//!
//! Source: the parameter types of 0.11.0. Many tools take a path under two names; what stands under
//! neither is refused by the host itself. `github` and `generate_image` are left to the names of
//! their arguments.

use crate::adapters::Action::{
    EditFile, FetchUrl, FindFiles, NoteTasks, ReadFile, RunShell, SearchText, SearchWeb, StartAgent, UseSkill,
    WriteFile,
};
use crate::adapters::read::SHELL;
use crate::adapters::table::{READ, WRITE, may, must, tool};
use crate::adapters::{Arg, Role, ToolRow};
use crate::domain::tool::ToolKind;

const READS: &[Arg] = &[may("absolute_path", Role::Path(READ)), may("file_path", Role::Path(READ))];
const LISTS: &[Arg] = &[may("dir_path", Role::Path(READ)), may("path", Role::Path(READ))];
const EDITS: &[Arg] = &[
    may("absolute_path", Role::Path(WRITE)),
    may("file_path", Role::Path(WRITE)),
    may("new_string", Role::Content),
    may("old_string", Role::Replaced),
];

pub(super) const TOOLS: &[ToolRow] = &[
    tool(
        "run_shell_command",
        ToolKind::Shell,
        &[
            must("command", SHELL),
            may("dir_path", Role::Base),
            may("directory", Role::Base),
            may("description", Role::Purpose),
            may("is_background", Role::Background),
        ],
    )
    .does(RunShell),
    tool(
        "write_file",
        ToolKind::Write,
        &[may("file_path", Role::Path(WRITE)), may("absolute_path", Role::Path(WRITE)), may("content", Role::Content)],
    )
    .does(WriteFile),
    tool("replace", ToolKind::Edit, EDITS).does(EditFile),
    tool("ast_edit", ToolKind::Edit, EDITS).does(EditFile),
    tool(
        "insert_at_line",
        ToolKind::Edit,
        &[may("absolute_path", Role::Path(WRITE)), may("file_path", Role::Path(WRITE)), may("content", Role::Content)],
    ),
    tool(
        "delete_line_range",
        ToolKind::Edit,
        &[may("absolute_path", Role::Path(WRITE)), may("file_path", Role::Path(WRITE))],
    ),
    tool(
        "apply_patch",
        ToolKind::Edit,
        &[
            may("absolute_path", Role::Path(WRITE)),
            may("file_path", Role::Path(WRITE)),
            must("patch_content", Role::Patch),
        ],
    ),
    tool("read_file", ToolKind::Read, READS).does(ReadFile),
    tool("read_line_range", ToolKind::Read, READS).does(ReadFile),
    tool("ast_read_file", ToolKind::Read, READS).does(ReadFile),
    tool("read_many_files", ToolKind::Read, &[may("paths[]", Role::Paths(READ)), may("include[]", Role::Paths(READ))]),
    tool("list_directory", ToolKind::Read, LISTS),
    tool("glob", ToolKind::Search, LISTS).does(FindFiles),
    tool(
        "search_file_content",
        ToolKind::Search,
        &[
            may("dir_path", Role::Path(READ)),
            may("path", Role::Path(READ)),
            may("include", Role::PathBelow("dir_path", READ)),
            may("include", Role::PathBelow("path", READ)),
        ],
    )
    .does(SearchText),
    tool("ast_grep", ToolKind::Search, &[may("path", Role::Path(READ)), may("globs[]", Role::PathBelow("path", READ))]),
    tool("structural_analysis", ToolKind::Search, &[may("path", Role::Path(READ)), may("target", Role::Path(READ))]),
    tool("direct_web_fetch", ToolKind::Fetch, &[must("url", Role::Url)]).does(FetchUrl),
    tool("web_fetch", ToolKind::Fetch, &[may("prompt", Role::UrlsWithin), may("url", Role::Url)]).does(FetchUrl),
    tool("web_search", ToolKind::WebSearch, &[]).does(SearchWeb),
    tool("google_web_search", ToolKind::WebSearch, &[]).does(SearchWeb),
    tool("exa_web_search", ToolKind::WebSearch, &[]).does(SearchWeb),
    tool("codesearch", ToolKind::WebSearch, &[]),
    tool(
        "task",
        ToolKind::Agent,
        &[
            may("subagent_name", Role::AgentName),
            may("subagentName", Role::AgentName),
            may("goal_prompt", Role::AgentPrompt),
            may("goalPrompt", Role::AgentPrompt),
        ],
    )
    .does(StartAgent),
    tool("list_subagents", ToolKind::Other, &[]),
    tool("check_async_tasks", ToolKind::Other, &[]),
    tool("save_memory", ToolKind::Other, &[may("fact", Role::Content)]),
    tool("todo_read", ToolKind::Other, &[]),
    tool("todo_write", ToolKind::Other, &[]).does(NoteTasks),
    tool("todo_pause", ToolKind::Other, &[]),
    tool("activate_skill", ToolKind::Other, &[may("name", Role::Skill)]).does(UseSkill),
    tool("activate_mcp_server", ToolKind::Other, &[]),
];
