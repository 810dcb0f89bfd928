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
    "the mode and names of tools are told to the model, which is not held to them; calls of other tools are refused at `tool.before`",
);

/// The hook does not see the tool calls in a chunk.
const DISPLAY_ONLY: &str = "only what is shown: the history keeps the original, which the model reads again; thoughts and calls of tools in a changed chunk are lost, and one without a text is never changed";

pub(super) const EVENTS: &[EventRow] = &[
    event_row(
        "BeforeTool",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, WithNote("inside a sub-agent it only refuses the call")),
            (Deny, FULL),
            (Defer, Substitute(Deny, "the host cannot put a call off")),
            (
                Ask,
                Interactive(
                    Deny,
                    "without a person at the host a question ends or hangs it, and for trusted tool servers it is ignored",
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
            (Stop, WithNote("inside a sub-agent it only replaces the result")),
            (Deny, WithNote("the reason replaces the result; the call has already run")),
            (Replace, WithNote("the model reads the text as that of an error")),
            (
                Redact,
                WithNote(
                    "the model reads the text as that of an error, which says that it is none; parts that are no text are left out",
                ),
            ),
            (Context, WithNote("lost when the tool failed or the call is refused")),
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
            (Retry, WithNote("once a turn, or as often as `max_retries` says: the host itself knows no end")),
            (ClearContext, Combined(Retry, Warn, "the host clears the conversation only when it goes on or stops")),
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
                WithNote("for this request only: the conversation keeps what it was, so it is changed each time"),
            ),
            (
                Respond,
                WithNote("sent as a refusal with an answer, so the person also reads that the request was blocked"),
            ),
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
            (Deny, Substitute(Stop, "a refused chunk is shown and its tool calls run, so the loop is ended instead")),
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
        &[(Context, WithNote("lost after the conversation was cleared")), (Warn, FULL)],
    ),
    event_row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Block, &[(Warn, FULL)]),
    event_row("PreCompress", Kind::ContextCompact, Notice("trigger", "", ""), Block, &[(Warn, FULL)]),
    event_row("Notification", Kind::Notification, Notice("notification_type", "message", ""), Block, &[(Warn, FULL)]),
];
