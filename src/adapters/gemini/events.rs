//! The events of Gemini CLI and what each makes of each effect. This file is a table.
//!
//! Source: the hook code of 0.61.0 and runs of it.

use crate::adapters::Form::{Block, Choice, Tool};
use crate::adapters::Reads::{Answer, Call, Model, Notice, Prompt, Result};
use crate::adapters::Support::{As, Beside, Interactive, With};
use crate::adapters::Talk::Messages;
use crate::adapters::table::{NOBODY_ASKS, NOT_AMONG, YES, row};
use crate::adapters::{Row, Support};
use crate::domain::effect::EffectKind::{
    Ask, ClearContext, Context, Defer, Deny, Redact, Replace, Respond, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::kind::Kind;

/// Any answer changes the request, so only a mode that restricts the model is told.
const TOLD: Support = With(
    "the mode and names of tools are told to the model, which is not held to them; calls of other tools are refused at `tool.before`",
);

/// The hook is not shown the calls of tools in a chunk.
const A_CHUNK: &str = "only what is shown: the history keeps the original, which the model reads again; thoughts and calls of tools in a changed chunk are lost, and one without a text is never changed";

pub(super) const ROWS: &[Row] = &[
    row(
        "BeforeTool",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, With("inside a sub-agent it only refuses the call")),
            (Deny, YES),
            (Defer, As(Deny, "the host cannot put a call off")),
            (
                Ask,
                Interactive(
                    Deny,
                    "without a person at the host a question ends or hangs it, and for trusted tool servers it is ignored",
                ),
            ),
            (Redact, With("the fields of the input are rewritten")),
            (Rewrite, YES),
            (Tools, NOT_AMONG),
            (Warn, YES),
        ],
    ),
    row(
        "AfterTool",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        &[
            (Stop, With("inside a sub-agent it only replaces the result")),
            (Deny, With("the reason replaces the result; the call has already run")),
            (Replace, With("the model reads the text as that of an error")),
            (
                Redact,
                With(
                    "the model reads the text as that of an error, which says that it is none; parts that are no text are left out",
                ),
            ),
            (Context, With("lost when the tool failed or the call is refused")),
            (Warn, YES),
        ],
    ),
    row(
        "BeforeAgent",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[(Stop, YES), (Deny, YES), (Ask, NOBODY_ASKS), (Context, YES), (Warn, YES)],
    ),
    row(
        "AfterAgent",
        Kind::AgentAfter,
        Answer("prompt_response"),
        Block,
        &[
            (Stop, YES),
            (Retry, With("once a turn, or as often as `max_retries` says: the host itself knows no end")),
            (ClearContext, Beside(Retry, Warn, "the host clears the conversation only when it goes on or stops")),
            (Warn, YES),
        ],
    ),
    row(
        "BeforeModel",
        Kind::ModelBefore,
        Model(Messages),
        Block,
        &[
            (Stop, YES),
            (Deny, YES),
            (Ask, NOBODY_ASKS),
            (Rewrite, With("for this request only: the conversation keeps what it was, so it is changed each time")),
            (Respond, With("sent as a refusal with an answer, so the person also reads that the request was blocked")),
            (Warn, YES),
        ],
    ),
    row(
        "AfterModel",
        Kind::ModelAfter,
        Model(Messages),
        Block,
        &[
            (Stop, YES),
            (Deny, As(Stop, "a refused chunk is shown and its tool calls run, so the loop is ended instead")),
            (Replace, With(A_CHUNK)),
            (Redact, With(A_CHUNK)),
            (Warn, YES),
        ],
    ),
    row("BeforeToolSelection", Kind::ModelTools, Model(Messages), Choice, &[(Tools, TOLD)]),
    row(
        "SessionStart",
        Kind::SessionStart,
        Notice("source", "", ""),
        Block,
        &[(Context, With("lost after the conversation was cleared")), (Warn, YES)],
    ),
    row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Block, &[(Warn, YES)]),
    row("PreCompress", Kind::ContextCompact, Notice("trigger", "", ""), Block, &[(Warn, YES)]),
    row("Notification", Kind::Notification, Notice("notification_type", "message", ""), Block, &[(Warn, YES)]),
];
