//! The tools of Gemini CLI and their arguments. This file is a table.
//!
//! Source: the parameter schemas of 0.61.0. `search_file_content` is the old name of
//! `grep_search`, which a model may still use.

use crate::adapters::contract::ToolAction::{
    AskPerson, EditFile, EnterPlan, ExitPlan, FetchUrl, FindFiles, NoteTasks, ReadFile, ReadResource, RunShell,
    SearchText, SearchWeb, StartAgent, UseSkill, WriteFile,
};
use crate::adapters::contract::table::SHELL_COMMAND;
use crate::adapters::contract::table::{READ, WRITE, optional, required, tool};
use crate::adapters::contract::{Arg, ArgRole, ToolRow};
use crate::domain::event::tool::ToolKind;

const GREP_ARGS: &[Arg] =
    &[optional("dir_path", ArgRole::Path(READ)), optional("include_pattern", ArgRole::GlobBelow("dir_path", READ))];

pub(super) const TOOLS: &[ToolRow] = &[
    tool(
        "run_shell_command",
        ToolKind::Shell,
        &[
            required("command", SHELL_COMMAND),
            optional("dir_path", ArgRole::WorkingDir),
            optional("description", ArgRole::Description),
            optional("is_background", ArgRole::Background),
        ],
    )
    .with_action(RunShell),
    tool(
        "write_file",
        ToolKind::Write,
        &[required("file_path", ArgRole::Path(WRITE)), optional("content", ArgRole::Content)],
    )
    .with_action(WriteFile),
    tool(
        "replace",
        ToolKind::Edit,
        &[
            required("file_path", ArgRole::Path(WRITE)),
            optional("new_string", ArgRole::Content),
            optional("old_string", ArgRole::OldText),
            optional("allow_multiple", ArgRole::ReplaceAll),
        ],
    )
    .with_action(EditFile),
    tool(
        "read_file",
        ToolKind::Read,
        &[
            required("file_path", ArgRole::Path(READ)),
            optional("start_line", ArgRole::FirstLine),
            optional("end_line", ArgRole::LastLine),
        ],
    )
    .with_action(ReadFile),
    tool(
        "read_many_files",
        ToolKind::Read,
        &[optional("include[]", ArgRole::Globs(READ)), optional("paths[]", ArgRole::Globs(READ))],
    ),
    tool(
        "list_directory",
        ToolKind::Read,
        &[optional("dir_path", ArgRole::Path(READ)), optional("path", ArgRole::Path(READ))],
    ),
    tool("glob", ToolKind::Search, &[optional("dir_path", ArgRole::Path(READ))]).with_action(FindFiles),
    tool("grep_search", ToolKind::Search, GREP_ARGS).with_action(SearchText),
    tool("search_file_content", ToolKind::Search, GREP_ARGS).with_action(SearchText),
    tool("web_fetch", ToolKind::Fetch, &[optional("prompt", ArgRole::EmbeddedUrls), optional("url", ArgRole::Url)])
        .with_action(FetchUrl),
    tool("google_web_search", ToolKind::WebSearch, &[]).with_action(SearchWeb),
    tool(
        "invoke_agent",
        ToolKind::Agent,
        &[optional("agent_name", ArgRole::AgentName), optional("prompt", ArgRole::AgentPrompt)],
    )
    .with_action(StartAgent),
    tool("activate_skill", ToolKind::Other, &[optional("name", ArgRole::Skill)]).with_action(UseSkill),
    tool("read_mcp_resource", ToolKind::Read, &[optional("uri", ArgRole::Url)]).with_action(ReadResource),
    tool("list_mcp_resources", ToolKind::Other, &[]),
    tool("ask_user", ToolKind::Other, &[]).with_action(AskPerson),
    tool("enter_plan_mode", ToolKind::Other, &[]).with_action(EnterPlan),
    tool("exit_plan_mode", ToolKind::Other, &[]).with_action(ExitPlan),
    tool("write_todos", ToolKind::Other, &[]).with_action(NoteTasks),
    tool("update_topic", ToolKind::Other, &[]),
    tool("complete_task", ToolKind::Other, &[]),
    tool("get_internal_docs", ToolKind::Other, &[]),
    tool("list_background_processes", ToolKind::Other, &[]),
    tool("read_background_output", ToolKind::Other, &[]),
];
