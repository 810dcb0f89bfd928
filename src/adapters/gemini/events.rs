//! The events of Gemini CLI and how each supports each effect. This file is a table.
//!
//! Source: the hook code of 0.61.0 and runs of it.

use super::model_request;
use crate::adapters::contract::AnswerForm::{Block, Tool, ToolChoice};
use crate::adapters::contract::PayloadShape::{Answer, Call, Model, Notice, Prompt, Result};
use crate::adapters::contract::Support::{Combined, Interactive, Substitute, WithNote};
use crate::adapters::contract::table::{ASK_AS_DENY, FULL, TOOLS_AS_DENY, event_row};
use crate::adapters::contract::{EventRow, Support};
use crate::domain::effect::EffectKind::{
    Ask, ClearContext, Context, Defer, Deny, Redact, Replace, Respond, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::event::kind::Kind;

/// Any answer changes the request, so only a mode that restricts the model is sent.
const ADVISORY_TOOLS: Support = WithNote(
    "the model is told the mode and the names of tools, but may ignore them; calls of other tools are denied at `tool.before`",
);

/// The hook does not see the tool calls in a chunk.
const DISPLAY_ONLY: &str = "only the displayed text: the history keeps the original, which the model reads again; thoughts and tool calls in a changed chunk are lost, and a chunk without text is never changed";

pub(super) const EVENTS: &[EventRow] = &[
    event_row(
        "BeforeTool",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, WithNote("in a subagent, it only denies the call")),
            (Deny, FULL),
            (Defer, Substitute(Deny, "the host can't defer a call")),
            (
                Ask,
                Interactive(
                    Deny,
                    "without a user, a question ends or hangs the host; for trusted MCP servers, it is ignored",
                ),
            ),
            (Redact, WithNote("the fields of the input are rewritten")),
            (Rewrite, FULL),
            (Tools, TOOLS_AS_DENY),
            (Warn, FULL),
        ],
    ),
    event_row(
        "AfterTool",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        &[
            (Stop, WithNote("in a subagent, it only replaces the result")),
            (Deny, WithNote("the reason replaces the result; the call has already run")),
            (Replace, WithNote("the model receives the text as an error")),
            (
                Redact,
                WithNote(
                    "the model receives the text as an error, which states that it is not one; parts that aren't text are omitted",
                ),
            ),
            (Context, WithNote("has no effect if the tool failed or the call is denied")),
            (Warn, FULL),
        ],
    ),
    event_row(
        "BeforeAgent",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[(Stop, FULL), (Deny, FULL), (Ask, ASK_AS_DENY), (Context, FULL), (Warn, FULL)],
    ),
    event_row(
        "AfterAgent",
        Kind::AgentAfter,
        Answer("prompt_response"),
        Block,
        &[
            (Stop, FULL),
            (Retry, WithNote("once per turn, or up to `max_retries` times; the host itself has no limit")),
            (ClearContext, Combined(Retry, Warn, "the host only clears the conversation if it continues or stops")),
            (Warn, FULL),
        ],
    ),
    event_row(
        "BeforeModel",
        Kind::ModelBefore,
        Model(&model_request::FORMAT),
        Block,
        &[
            (Stop, FULL),
            (Deny, FULL),
            (Ask, ASK_AS_DENY),
            (
                Rewrite,
                WithNote("for this request only: the conversation keeps the original, so each request is changed"),
            ),
            (Respond, WithNote("sent as a denial with an answer, so the user also sees that the request was blocked")),
            (Warn, FULL),
        ],
    ),
    event_row(
        "AfterModel",
        Kind::ModelAfter,
        Model(&model_request::FORMAT),
        Block,
        &[
            (Stop, FULL),
            (Deny, Substitute(Stop, "a denied chunk is shown and its tool calls run, so the loop ends instead")),
            (Replace, WithNote(DISPLAY_ONLY)),
            (Redact, WithNote(DISPLAY_ONLY)),
            (Warn, FULL),
        ],
    ),
    event_row(
        "BeforeToolSelection",
        Kind::ModelTools,
        Model(&model_request::FORMAT),
        ToolChoice,
        &[(Tools, ADVISORY_TOOLS)],
    ),
    event_row(
        "SessionStart",
        Kind::SessionStart,
        Notice("source", "", ""),
        Block,
        &[(Context, WithNote("has no effect after the conversation was cleared")), (Warn, FULL)],
    ),
    event_row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Block, &[(Warn, FULL)]),
    event_row("PreCompress", Kind::ContextCompact, Notice("trigger", "", ""), Block, &[(Warn, FULL)]),
    event_row("Notification", Kind::Notification, Notice("notification_type", "message", ""), Block, &[(Warn, FULL)]),
];
