//! The tools of Codex and their arguments, as hooks are told of them. This file is a table.
//!
//! Source: payloads of 0.169.0. The host puts the namespace of a tool before its name without a sign between them.
//! There is no tool that reads files: the shell does. `write_stdin`, which types into a running program, is not
//! reported by 0.169.0; its row is for a version that does.

use crate::adapters::contract::ToolAction::{ApplyPatch, AskPerson, NoteTasks, RunShell, StartAgent};
use crate::adapters::contract::table::SHELL_COMMAND;
use crate::adapters::contract::table::{READ, optional, required, tool};
use crate::adapters::contract::{Arg, ArgRole, ToolRow};
use crate::domain::event::tool::ToolKind;

const SPAWN_ARGS: &[Arg] = &[optional("agent_type", ArgRole::AgentName), optional("message", ArgRole::AgentPrompt)];
const MESSAGE_ARGS: &[Arg] = &[optional("message", ArgRole::AgentPrompt)];

pub(super) const TOOLS: &[ToolRow] = &[
    tool("Bash", ToolKind::Shell, &[required("command", SHELL_COMMAND), optional("description", ArgRole::Description)])
        .with_action(RunShell),
    tool("write_stdin", ToolKind::Shell, &[optional("chars", SHELL_COMMAND)]),
    tool(
        "apply_patch",
        ToolKind::Edit,
        &[required("command", ArgRole::Patch), optional("description", ArgRole::Description)],
    )
    .with_action(ApplyPatch),
    tool("view_image", ToolKind::Read, &[required("path", ArgRole::Path(READ))]),
    tool("spawn_agent", ToolKind::Agent, SPAWN_ARGS).with_action(StartAgent),
    tool("collaborationspawn_agent", ToolKind::Agent, SPAWN_ARGS).with_action(StartAgent),
    tool("multi_agent_v1spawn_agent", ToolKind::Agent, SPAWN_ARGS).with_action(StartAgent),
    tool("multi_agent_v1send_input", ToolKind::Agent, MESSAGE_ARGS),
    tool("collaborationsend_message", ToolKind::Agent, MESSAGE_ARGS),
    tool("collaborationfollowup_task", ToolKind::Agent, MESSAGE_ARGS),
    tool("multi_agent_v1wait_agent", ToolKind::Other, &[]),
    tool("collaborationwait_agent", ToolKind::Other, &[]),
    tool("tool_search", ToolKind::Other, &[]),
    tool("get_goal", ToolKind::Other, &[]),
    tool("update_plan", ToolKind::Other, &[]).with_action(NoteTasks),
    tool("request_user_input", ToolKind::Other, &[]).with_action(AskPerson),
];
