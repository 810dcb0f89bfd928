//! The tools of Gemini CLI and where their arguments stand. This file is a table.
//!
//! Source: the parameter schemas of 0.61.0. `search_file_content` is the old name of
//! `grep_search`, under which a model may still call it.

use crate::adapters::Action::{
    AskPerson, EditFile, EnterPlan, ExitPlan, FetchUrl, FindFiles, NoteTasks, ReadFile, ReadResource, RunShell,
    SearchText, SearchWeb, StartAgent, UseSkill, WriteFile,
};
use crate::adapters::read::SHELL;
use crate::adapters::table::{READ, WRITE, may, must, tool};
use crate::adapters::{Arg, Role, ToolRow};
use crate::domain::tool::ToolKind;

const GREP: &[Arg] = &[may("dir_path", Role::Path(READ)), may("include_pattern", Role::PathBelow("dir_path", READ))];

pub(super) const TOOLS: &[ToolRow] = &[
    tool(
        "run_shell_command",
        ToolKind::Shell,
        &[
            must("command", SHELL),
            may("dir_path", Role::Base),
            may("description", Role::Purpose),
            may("is_background", Role::Background),
        ],
    )
    .does(RunShell),
    tool("write_file", ToolKind::Write, &[must("file_path", Role::Path(WRITE)), may("content", Role::Content)])
        .does(WriteFile),
    tool(
        "replace",
        ToolKind::Edit,
        &[
            must("file_path", Role::Path(WRITE)),
            may("new_string", Role::Content),
            may("old_string", Role::Replaced),
            may("allow_multiple", Role::Everywhere),
        ],
    )
    .does(EditFile),
    tool(
        "read_file",
        ToolKind::Read,
        &[must("file_path", Role::Path(READ)), may("start_line", Role::FirstLine), may("end_line", Role::LastLine)],
    )
    .does(ReadFile),
    tool("read_many_files", ToolKind::Read, &[may("include[]", Role::Paths(READ)), may("paths[]", Role::Paths(READ))]),
    tool("list_directory", ToolKind::Read, &[may("dir_path", Role::Path(READ)), may("path", Role::Path(READ))]),
    tool("glob", ToolKind::Search, &[may("dir_path", Role::Path(READ))]).does(FindFiles),
    tool("grep_search", ToolKind::Search, GREP).does(SearchText),
    tool("search_file_content", ToolKind::Search, GREP).does(SearchText),
    tool("web_fetch", ToolKind::Fetch, &[may("prompt", Role::UrlsWithin), may("url", Role::Url)]).does(FetchUrl),
    tool("google_web_search", ToolKind::WebSearch, &[]).does(SearchWeb),
    tool("invoke_agent", ToolKind::Agent, &[may("agent_name", Role::AgentName), may("prompt", Role::AgentPrompt)])
        .does(StartAgent),
    tool("activate_skill", ToolKind::Other, &[may("name", Role::Skill)]).does(UseSkill),
    tool("read_mcp_resource", ToolKind::Read, &[may("uri", Role::Url)]).does(ReadResource),
    tool("list_mcp_resources", ToolKind::Other, &[]),
    tool("ask_user", ToolKind::Other, &[]).does(AskPerson),
    tool("enter_plan_mode", ToolKind::Other, &[]).does(EnterPlan),
    tool("exit_plan_mode", ToolKind::Other, &[]).does(ExitPlan),
    tool("write_todos", ToolKind::Other, &[]).does(NoteTasks),
    tool("update_topic", ToolKind::Other, &[]),
    tool("complete_task", ToolKind::Other, &[]),
    tool("get_internal_docs", ToolKind::Other, &[]),
    tool("list_background_processes", ToolKind::Other, &[]),
    tool("read_background_output", ToolKind::Other, &[]),
];
