//! The events of Codex and how each supports each effect. This file is a table.
//!
//! Sources: the schemas of inputs and outputs in the program 0.169.0, and runs of it.

use crate::adapters::contract::AnswerForm::{Block, Permission, Silent, Tool};
use crate::adapters::contract::PayloadShape::{Answer, Call, Notice, Prompt, Result};
use crate::adapters::contract::Support::{Implicit, Substitute, WithNote};
use crate::adapters::contract::table::{ASK_AS_DENY, FULL, TOOLS_AS_DENY, event_row};
use crate::adapters::contract::{EventRow, Support};
use crate::domain::effect::EffectKind::{
    Allow, Ask, Context, Defer, Deny, Redact, Replace, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::event::kind::Kind;

const STOP_AS_DENY: Support = Substitute(Deny, "the host does not end the loop at this event");
const WARN: Support = WithNote("`codex exec` shows no messages of hooks");
const IN_PLACE_OF_RESULT: Support = WithNote("the model reads the text instead of the result");
const RETRY: Support =
    WithNote("once a turn, or as often as `max_retries` says; the host itself goes on as often as a hook asks for it");

pub(super) const EVENTS: &[EventRow] = &[
    event_row(
        "PreToolUse",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, FULL),
            (Defer, Substitute(Deny, "the host cannot put a call off")),
            (Ask, Substitute(Deny, "the host runs a call that a hook asks about")),
            (Redact, WithNote("the fields of the input are rewritten")),
            (Rewrite, WithNote("the call of a shell or of a patch keeps `command` as a text")),
            (Tools, TOOLS_AS_DENY),
            (Context, FULL),
            (Warn, WARN),
        ],
    ),
    event_row(
        "PermissionRequest",
        Kind::PermissionRequest,
        Call,
        Permission,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, FULL),
            (Ask, Implicit("the host is about to ask")),
            (Allow, FULL),
            (Rewrite, Substitute(Deny, "an answer with another input counts as none")),
            (Warn, WARN),
        ],
    ),
    event_row(
        "PostToolUse",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, WithNote("the reason replaces the result; the call has already run")),
            (Replace, IN_PLACE_OF_RESULT),
            (Redact, IN_PLACE_OF_RESULT),
            (Context, FULL),
            (Warn, WARN),
        ],
    ),
    event_row(
        "UserPromptSubmit",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[
            (Stop, FULL),
            (Deny, WithNote("`codex exec` shows nobody the reason")),
            (Ask, ASK_AS_DENY),
            (Context, FULL),
            (Warn, WARN),
        ],
    ),
    // Neither says what is asked or answered, and no answer to them is used.
    event_row("PreModelRequest", Kind::ModelBefore, Notice("", "", ""), Silent, &[]),
    event_row("PostModelRequest", Kind::ModelAfter, Notice("status", "error", ""), Silent, &[]),
    event_row(
        "Stop",
        Kind::AgentAfter,
        Answer("last_assistant_message"),
        Block,
        &[(Stop, FULL), (Retry, RETRY), (Warn, WARN)],
    ),
    event_row("SubagentStart", Kind::SubagentStart, Notice("agent_type", "", ""), Block, &[(Context, FULL)]),
    event_row(
        "SubagentStop",
        Kind::SubagentAfter,
        Answer("last_assistant_message"),
        Block,
        &[(Stop, FULL), (Retry, RETRY), (Warn, WARN)],
    ),
    event_row("SessionStart", Kind::SessionStart, Notice("source", "", ""), Block, &[(Context, FULL), (Warn, WARN)]),
    event_row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Silent, &[]),
    event_row(
        "PreCompact",
        Kind::ContextCompact,
        Notice("trigger", "", ""),
        Block,
        &[(Deny, WithNote("the host then counts the turn as interrupted")), (Ask, ASK_AS_DENY)],
    ),
    event_row("PostCompact", Kind::ContextCompacted, Notice("trigger", "", ""), Silent, &[]),
    event_row("Interrupt", Kind::AgentFailed, Notice("", "", ""), Silent, &[]),
];
