//! The events of Claude Code and how each supports each effect. This file is a table.
//!
//! Sources: `HOOK_EVENTS` and the input and output types of the SDK 0.3.329; the hooks reference;
//! runs of 2.1.329. "Observed" marks what a run showed.

use crate::adapters::contract::AnswerForm::{
    Block, Decline, Display, ExitCode, Permission, Silent, Switch, Tool, TryAgain,
};
use crate::adapters::contract::PayloadShape::{Answer, Batch, Call, Notice, Prompt, Result};
use crate::adapters::contract::Support::{Combined, Full, Implicit, KnownShape, Since, Substitute, WithNote};
use crate::adapters::contract::table::{ASK_AS_DENY, FULL, TOOLS_AS_DENY, event_row};
use crate::adapters::contract::{EventRow, Support};
use crate::domain::effect::EffectKind::{
    Allow, Ask, Context, Defer, Deny, Redact, Replace, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::event::kind::Kind;

const STOP_AS_DENY: Support = Substitute(Deny, "the host doesn't end the loop at this event");
const DENY_AFTER_RUN: Support = WithNote("the reason is added to the result; the call has already run");
const FAILURE_IMMUTABLE: &str = "the host doesn't allow changes to the result of a failed call";
const BATCH_IMMUTABLE: &str = "the host doesn't allow changes to the results of a batch";
const DISPLAY_ONLY: &str =
    "only the displayed text: the conversation keeps the original, which is shown if the hook fails";
const ASK_OR_DENY: Support = WithNote("if no user can answer, the host denies the call");

pub(super) const EVENTS: &[EventRow] = &[
    event_row(
        "PreToolUse",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, WithNote("the call is denied as well: the host would only end the turn after running it")),
            (Deny, FULL),
            (
                Defer,
                WithNote(
                    "a run without a user ends; with a user, or with other calls in the same turn, the host ignores it",
                ),
            ),
            (Ask, ASK_OR_DENY),
            (Allow, WithNote("deny and ask rules in the host's own settings still apply")),
            (Redact, WithNote("the fields of the input are rewritten")),
            (Rewrite, Full("2.0.10")),
            (Tools, TOOLS_AS_DENY),
            (Context, Full("2.1.9")),
            (Warn, FULL),
        ],
    ),
    event_row(
        "PostToolUse",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        &[
            (Stop, FULL),
            (Deny, DENY_AFTER_RUN),
            (
                Replace,
                KnownShape(
                    Stop,
                    "the structure of this tool's result is unknown, and the host ignores a result that doesn't fit",
                ),
            ),
            (Redact, Since("2.1.121", "another hook that changes the same output may undo it")),
            (Context, FULL),
            (Warn, FULL),
        ],
    ),
    event_row(
        "PostToolUseFailure",
        Kind::ToolFailed,
        Result { output: "error", failed: true },
        Block,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, DENY_AFTER_RUN),
            (Replace, Substitute(Deny, FAILURE_IMMUTABLE)),
            (Redact, Substitute(Deny, FAILURE_IMMUTABLE)),
            (Context, FULL),
            (Warn, FULL),
        ],
    ),
    event_row(
        "PostToolBatch",
        Kind::ToolBatch,
        Batch,
        Block,
        &[
            (Stop, FULL),
            (Deny, WithNote("the run ends before the next request to the model")),
            (Replace, Substitute(Deny, BATCH_IMMUTABLE)),
            (Redact, Substitute(Deny, BATCH_IMMUTABLE)),
            (Context, FULL),
            (Warn, FULL),
        ],
    ),
    event_row(
        "PermissionRequest",
        Kind::PermissionRequest,
        Call,
        Permission,
        &[
            (Stop, WithNote("the call is denied and the agent interrupted")),
            (Deny, Full("2.0.45")),
            (Ask, Implicit("the host is about to ask")),
            (
                Allow,
                Since("2.0.45", "with `remember: session`, the host runs the same command line again without asking"),
            ),
            (Rewrite, Combined(Allow, Deny, "the host only accepts a new input together with an approval")),
            (Warn, FULL),
        ],
    ),
    event_row(
        "PermissionDenied",
        Kind::PermissionDenied,
        Call,
        TryAgain,
        &[(Retry, WithNote("the host tells the model that it may try again, without the reason"))],
    ),
    event_row(
        "UserPromptSubmit",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[
            (Stop, FULL),
            (Deny, WithNote("the user reads the reason, the model doesn't; a prompt with a secret is not shown again")),
            (Ask, ASK_AS_DENY),
            (Context, FULL),
            (Warn, FULL),
        ],
    ),
    event_row(
        "UserPromptExpansion",
        Kind::PromptExpand,
        Prompt,
        Block,
        &[(Stop, STOP_AS_DENY), (Deny, FULL), (Ask, ASK_AS_DENY), (Context, FULL), (Warn, FULL)],
    ),
    event_row(
        "Stop",
        Kind::AgentAfter,
        Answer("last_assistant_message"),
        Block,
        &[
            (Stop, FULL),
            (
                Retry,
                WithNote(
                    "once per turn, or up to `max_retries` times; the ninth time in a row, the host lets the agent end",
                ),
            ),
            (Context, WithNote("keeps the agent running, so only once per turn")),
            (Warn, FULL),
        ],
    ),
    event_row("StopFailure", Kind::AgentFailed, Notice("error", "error_details", ""), Silent, &[]),
    event_row("SubagentStart", Kind::SubagentStart, Notice("agent_type", "", ""), Block, &[(Context, FULL)]),
    event_row(
        "SubagentStop",
        Kind::SubagentAfter,
        Answer("last_assistant_message"),
        Block,
        &[
            (Stop, FULL),
            (
                Retry,
                WithNote(
                    "once per turn, or up to `max_retries` times; the ninth time in a row, the host lets the agent end",
                ),
            ),
            (Context, WithNote("keeps the subagent running, so only once per turn")),
            (Warn, FULL),
        ],
    ),
    event_row(
        "SessionStart",
        Kind::SessionStart,
        Notice("source", "", ""),
        Block,
        &[(Context, FULL), (Warn, WithNote("not shown without a user"))],
    ),
    event_row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Silent, &[]),
    event_row("Setup", Kind::SessionSetup, Notice("trigger", "", ""), Silent, &[]),
    event_row(
        "PreCompact",
        Kind::ContextCompact,
        Notice("trigger", "custom_instructions", ""),
        Block,
        // Text sent with a refusal becomes an instruction for the summary: observed.
        &[(Deny, FULL), (Ask, ASK_AS_DENY)],
    ),
    event_row("PostCompact", Kind::ContextCompacted, Notice("trigger", "compact_summary", ""), Silent, &[]),
    event_row(
        "PreModelSwitch",
        Kind::ModelSwitch,
        Notice("to_model", "", ""),
        Switch,
        &[
            (Deny, Full("2.1.251")),
            (Ask, WithNote("outside the interactive switch, it is a denial")),
            (Allow, FULL),
            (Warn, FULL),
        ],
    ),
    event_row("PostModelSwitch", Kind::ModelSwitched, Notice("to_model", "", ""), Block, &[(Context, Full("2.1.251"))]),
    event_row("Notification", Kind::Notification, Notice("notification_type", "message", ""), Silent, &[]),
    event_row(
        "TaskCreated",
        Kind::TaskCreated,
        Notice("task_subject", "task_description", ""),
        Block,
        &[(Deny, FULL), (Ask, ASK_AS_DENY)],
    ),
    event_row(
        "TaskCompleted",
        Kind::TaskCompleted,
        Notice("task_subject", "task_description", ""),
        ExitCode,
        &[(Deny, WithNote("the model reads the hook's command line before the reason")), (Ask, ASK_AS_DENY)],
    ),
    event_row(
        "TeammateIdle",
        Kind::TeammateIdle,
        Notice("teammate_name", "", ""),
        ExitCode,
        &[(Stop, FULL), (Retry, WithNote("once, or up to `max_retries` times, each time it would go idle"))],
    ),
    event_row(
        "Elicitation",
        Kind::ElicitationRequest,
        Notice("mcp_server_name", "message", ""),
        Decline,
        &[
            (Deny, WithNote("the reason is not shown")),
            (Ask, ASK_AS_DENY),
            (Allow, WithNote("accepts for the user")),
            (Rewrite, Combined(Allow, Deny, "a form can only be filled in together with an approval")),
        ],
    ),
    event_row(
        "ElicitationResult",
        Kind::ElicitationResult,
        Notice("mcp_server_name", "action", ""),
        Decline,
        &[
            (Deny, WithNote("the reason is not shown")),
            (Ask, ASK_AS_DENY),
            (Rewrite, WithNote("changes the values that the user entered, not whether the user accepted")),
        ],
    ),
    event_row(
        "ConfigChange",
        Kind::ConfigChange,
        Notice("source", "", "file_path"),
        Block,
        &[(Deny, WithNote("managed settings can't be denied; the reason is not shown")), (Ask, ASK_AS_DENY)],
    ),
    event_row("InstructionsLoaded", Kind::InstructionsLoaded, Notice("load_reason", "", "file_path"), Silent, &[]),
    event_row("CwdChanged", Kind::CwdChanged, Notice("", "", "new_cwd"), Silent, &[]),
    event_row("DirectoryAdded", Kind::DirectoryAdded, Notice("source", "", "directory"), Silent, &[]),
    event_row("FileChanged", Kind::FileChanged, Notice("event", "", "file_path"), Silent, &[]),
    event_row(
        "WorktreeCreate",
        Kind::WorktreeCreate,
        Notice("name", "", ""),
        ExitCode,
        &[
            (Deny, WithNote("a hook for this event must create the worktree itself: don't register it")),
            (Ask, ASK_AS_DENY),
        ],
    ),
    event_row(
        "WorktreeRemove",
        Kind::WorktreeRemove,
        Notice("", "", "worktree_path"),
        ExitCode,
        &[(Deny, WithNote("the worktree is kept; the reason is not shown")), (Ask, ASK_AS_DENY)],
    ),
    event_row(
        "MessageDisplay",
        Kind::MessageDisplay,
        Answer("delta"),
        Display,
        &[(Replace, WithNote(DISPLAY_ONLY)), (Redact, WithNote(DISPLAY_ONLY))],
    ),
];
