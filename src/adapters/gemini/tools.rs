//! The tools of Gemini CLI and where their arguments stand. This file is a table.
//!
//! Source: the parameter schemas of 0.61.0. `search_file_content` is the old name of
//! `grep_search`, under which a model may still call it.

use crate::adapters::read::SHELL;
use crate::adapters::table::{READ, WRITE, may, must, tool};
use crate::adapters::{Arg, Role, ToolRow};
use crate::domain::tool::ToolKind;

const GREP: &[Arg] = &[may("dir_path", Role::Path(READ)), may("include_pattern", Role::PathBelow("dir_path", READ))];

pub(super) const TOOLS: &[ToolRow] = &[
    tool("run_shell_command", ToolKind::Shell, &[must("command", SHELL), may("dir_path", Role::Base)]),
    tool("write_file", ToolKind::Write, &[must("file_path", Role::Path(WRITE)), may("content", Role::Content)]),
    tool(
        "replace",
        ToolKind::Edit,
        &[must("file_path", Role::Path(WRITE)), may("new_string", Role::Content), may("old_string", Role::Replaced)],
    ),
    tool("read_file", ToolKind::Read, &[must("file_path", Role::Path(READ))]),
    tool("read_many_files", ToolKind::Read, &[may("include[]", Role::Paths(READ)), may("paths[]", Role::Paths(READ))]),
    tool("list_directory", ToolKind::Read, &[may("dir_path", Role::Path(READ)), may("path", Role::Path(READ))]),
    tool("glob", ToolKind::Search, &[may("dir_path", Role::Path(READ))]),
    tool("grep_search", ToolKind::Search, GREP),
    tool("search_file_content", ToolKind::Search, GREP),
    tool("web_fetch", ToolKind::Fetch, &[may("prompt", Role::UrlsWithin), may("url", Role::Url)]),
    tool("google_web_search", ToolKind::WebSearch, &[]),
    tool("invoke_agent", ToolKind::Agent, &[may("agent_name", Role::AgentName), may("prompt", Role::AgentPrompt)]),
    tool("activate_skill", ToolKind::Other, &[]),
    tool("read_mcp_resource", ToolKind::Read, &[may("uri", Role::Url)]),
    tool("list_mcp_resources", ToolKind::Other, &[]),
    tool("ask_user", ToolKind::Other, &[]),
    tool("enter_plan_mode", ToolKind::Other, &[]),
    tool("exit_plan_mode", ToolKind::Other, &[]),
    tool("write_todos", ToolKind::Other, &[]),
    tool("update_topic", ToolKind::Other, &[]),
    tool("complete_task", ToolKind::Other, &[]),
    tool("get_internal_docs", ToolKind::Other, &[]),
    tool("list_background_processes", ToolKind::Other, &[]),
    tool("read_background_output", ToolKind::Other, &[]),
];
