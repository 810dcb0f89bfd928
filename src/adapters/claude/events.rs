//! The events of Claude Code and what each makes of each effect. This file is a table.
//!
//! Sources: `HOOK_EVENTS` and the input and output types of the SDK 0.3.329; the hooks reference;
//! runs of 2.1.329. "Observed" marks what a run showed.

use crate::adapters::Form::{Block, Decline, Display, ExitCode, Permission, Silent, Switch, Tool, TryAgain};
use crate::adapters::Reads::{Answer, Batch, Call, Notice, Prompt, Result};
use crate::adapters::Support::{As, Beside, Honoured, Shaped, Since, Unsaid, With};
use crate::adapters::table::{NOBODY_ASKS, NOT_AMONG, YES, row};
use crate::adapters::{Row, Support};
use crate::domain::effect::EffectKind::{
    Allow, Ask, Context, Defer, Deny, Redact, Replace, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::kind::Kind;

const STOP_AS_DENY: Support = As(Deny, "the host does not end the loop at this event");
const BESIDE_RESULT: Support = With("the reason stands beside the result; the call has already run");
const OF_A_FAILURE: &str = "the host lets nobody change what a failed call returned";
const OF_A_BATCH: &str = "the host lets nobody change the results of a batch";
const A_PIECE: &str = "only what is shown: the conversation keeps the original, which is shown when the hook fails";
const HEADLESS_ASK: Support = With("where nobody can answer, the host refuses the call");

pub(super) const ROWS: &[Row] = &[
    row(
        "PreToolUse",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, With("the call is refused as well: the host would end the turn only after it has run")),
            (Deny, YES),
            (
                Defer,
                With(
                    "the run without a person ends; with a person at the host, or beside other calls in one turn, the host goes on as if nothing were said",
                ),
            ),
            (Ask, HEADLESS_ASK),
            (Allow, With("deny and ask rules of the host's own settings still hold")),
            (Redact, With("the fields of the input are rewritten")),
            (Rewrite, Honoured("2.0.10")),
            (Tools, NOT_AMONG),
            (Context, Honoured("2.1.9")),
            (Warn, YES),
        ],
    ),
    row(
        "PostToolUse",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        &[
            (Stop, YES),
            (Deny, BESIDE_RESULT),
            (
                Replace,
                Shaped(Stop, "the shape of this tool's result is not known, and one that does not fit is ignored"),
            ),
            (Redact, Since("2.1.121", "what another hook makes of the same output may undo it")),
            (Context, YES),
            (Warn, YES),
        ],
    ),
    row(
        "PostToolUseFailure",
        Kind::ToolFailed,
        Result { output: "error", failed: true },
        Block,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, BESIDE_RESULT),
            (Replace, As(Deny, OF_A_FAILURE)),
            (Redact, As(Deny, OF_A_FAILURE)),
            (Context, YES),
            (Warn, YES),
        ],
    ),
    row(
        "PostToolBatch",
        Kind::ToolBatch,
        Batch,
        Block,
        &[
            (Stop, YES),
            (Deny, With("the run ends before the next call of the model")),
            (Replace, As(Deny, OF_A_BATCH)),
            (Redact, As(Deny, OF_A_BATCH)),
            (Context, YES),
            (Warn, YES),
        ],
    ),
    row(
        "PermissionRequest",
        Kind::PermissionRequest,
        Call,
        Permission,
        &[
            (Stop, With("the call is refused and the agent interrupted")),
            (Deny, Honoured("2.0.45")),
            (Ask, Unsaid("the host is about to ask")),
            (
                Allow,
                Since(
                    "2.0.45",
                    "with `remember: session` the host runs the same shell command line again without asking",
                ),
            ),
            (Rewrite, Beside(Allow, Deny, "the host takes a new input only together with an approval")),
            (Warn, YES),
        ],
    ),
    row(
        "PermissionDenied",
        Kind::PermissionDenied,
        Call,
        TryAgain,
        &[(Retry, With("the host tells the model that it may try again, without the reason"))],
    ),
    row(
        "UserPromptSubmit",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[
            (Stop, YES),
            (Deny, With("the person reads the reason, the model nothing; a prompt with a secret is not shown again")),
            (Ask, NOBODY_ASKS),
            (Context, YES),
            (Warn, YES),
        ],
    ),
    row(
        "UserPromptExpansion",
        Kind::PromptExpand,
        Prompt,
        Block,
        &[(Stop, STOP_AS_DENY), (Deny, YES), (Ask, NOBODY_ASKS), (Context, YES), (Warn, YES)],
    ),
    row(
        "Stop",
        Kind::AgentAfter,
        Answer("last_assistant_message"),
        Block,
        &[
            (Stop, YES),
            (
                Retry,
                With(
                    "once a turn, or as often as `max_retries` says; the ninth time in a row the host lets the agent end",
                ),
            ),
            (Context, With("keeps the agent going, so once a turn")),
            (Warn, YES),
        ],
    ),
    row("StopFailure", Kind::AgentFailed, Notice("error", "error_details", ""), Silent, &[]),
    row("SubagentStart", Kind::SubagentStart, Notice("agent_type", "", ""), Block, &[(Context, YES)]),
    row(
        "SubagentStop",
        Kind::SubagentAfter,
        Answer("last_assistant_message"),
        Block,
        &[
            (Stop, YES),
            (
                Retry,
                With(
                    "once a turn, or as often as `max_retries` says; the ninth time in a row the host lets the agent end",
                ),
            ),
            (Context, With("keeps the sub-agent going, so once a turn")),
            (Warn, YES),
        ],
    ),
    row(
        "SessionStart",
        Kind::SessionStart,
        Notice("source", "", ""),
        Block,
        &[(Context, YES), (Warn, With("not shown without a person at the host"))],
    ),
    row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Silent, &[]),
    row("Setup", Kind::SessionSetup, Notice("trigger", "", ""), Silent, &[]),
    row(
        "PreCompact",
        Kind::ContextCompact,
        Notice("trigger", "custom_instructions", ""),
        Block,
        // What is said beside a refusal becomes an instruction for the summary: a run showed it.
        &[(Deny, YES), (Ask, NOBODY_ASKS)],
    ),
    row("PostCompact", Kind::ContextCompacted, Notice("trigger", "compact_summary", ""), Silent, &[]),
    row(
        "PreModelSwitch",
        Kind::ModelSwitch,
        Notice("to_model", "", ""),
        Switch,
        &[
            (Deny, Honoured("2.1.251")),
            (Ask, With("outside the interactive switch it is a refusal")),
            (Allow, YES),
            (Warn, YES),
        ],
    ),
    row("PostModelSwitch", Kind::ModelSwitched, Notice("to_model", "", ""), Block, &[(Context, Honoured("2.1.251"))]),
    row("Notification", Kind::Notification, Notice("notification_type", "message", ""), Silent, &[]),
    row(
        "TaskCreated",
        Kind::TaskCreated,
        Notice("task_subject", "task_description", ""),
        Block,
        &[(Deny, YES), (Ask, NOBODY_ASKS)],
    ),
    row(
        "TaskCompleted",
        Kind::TaskCompleted,
        Notice("task_subject", "task_description", ""),
        ExitCode,
        &[(Deny, With("the model reads the hook's command line before the reason")), (Ask, NOBODY_ASKS)],
    ),
    row(
        "TeammateIdle",
        Kind::TeammateIdle,
        Notice("teammate_name", "", ""),
        ExitCode,
        &[(Stop, YES), (Retry, With("once, or as often as `max_retries` says, each time it would go idle"))],
    ),
    row(
        "Elicitation",
        Kind::ElicitationRequest,
        Notice("mcp_server_name", "message", ""),
        Decline,
        &[
            (Deny, With("nobody reads the reason")),
            (Ask, NOBODY_ASKS),
            (Allow, With("accepts in the person's place")),
            (Rewrite, Beside(Allow, Deny, "a form is filled in only together with an approval")),
        ],
    ),
    row(
        "ElicitationResult",
        Kind::ElicitationResult,
        Notice("mcp_server_name", "action", ""),
        Decline,
        &[
            (Deny, With("nobody reads the reason")),
            (Ask, NOBODY_ASKS),
            (Rewrite, With("changes what the person filled in, not whether the person accepted")),
        ],
    ),
    row(
        "ConfigChange",
        Kind::ConfigChange,
        Notice("source", "", "file_path"),
        Block,
        &[(Deny, With("managed settings cannot be refused; nobody reads the reason")), (Ask, NOBODY_ASKS)],
    ),
    row("InstructionsLoaded", Kind::InstructionsLoaded, Notice("load_reason", "", "file_path"), Silent, &[]),
    row("CwdChanged", Kind::CwdChanged, Notice("", "", "new_cwd"), Silent, &[]),
    row("DirectoryAdded", Kind::DirectoryAdded, Notice("source", "", "directory"), Silent, &[]),
    row("FileChanged", Kind::FileChanged, Notice("event", "", "file_path"), Silent, &[]),
    row(
        "WorktreeCreate",
        Kind::WorktreeCreate,
        Notice("name", "", ""),
        ExitCode,
        &[
            (Deny, With("a hook that is registered here must make the worktree itself: leave it out")),
            (Ask, NOBODY_ASKS),
        ],
    ),
    row(
        "WorktreeRemove",
        Kind::WorktreeRemove,
        Notice("", "", "worktree_path"),
        ExitCode,
        &[(Deny, With("the worktree is kept; nobody reads the reason")), (Ask, NOBODY_ASKS)],
    ),
    row(
        "MessageDisplay",
        Kind::MessageDisplay,
        Answer("delta"),
        Display,
        &[(Replace, With(A_PIECE)), (Redact, With(A_PIECE))],
    ),
];
