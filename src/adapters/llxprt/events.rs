//! The events of llxprt-code and what each makes of each effect. This file is a table.
//!
//! Source: the hook code of 0.11.0; its package was not to be had for a run. The names are those of
//! Gemini CLI, the answers are taken differently: nothing said at a tool ends the loop, messages
//! reach the model instead of the person, and nobody is ever asked.

use crate::adapters::Form::{Block, Choice, Silent, Tool};
use crate::adapters::Reads::{Answer, Call, Model, Notice, Prompt, Result};
use crate::adapters::Row;
use crate::adapters::Support::{self, As, Unsaid, With};
use crate::adapters::Talk::Blocks;
use crate::adapters::table::{NOBODY_ASKS, NOT_AMONG, YES, row};
use crate::domain::effect::EffectKind::{
    Ask, Context, Defer, Deny, Redact, Replace, Respond, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::kind::Kind;

const STOP_AS_DENY: Support = As(Deny, "the host does not end the loop at this event");
const TOLD_TO_THE_MODEL: Support = As(Context, "the host shows the person nothing; the model reads it with the result");
const UNCHANGED: &str = "when the host cannot build the changed call it runs the unchanged one";
const AS_ERROR: Support = With("the model reads the text as that of an error");
const NAMES_ALONE: Support =
    With("names of tools hold, a mode alone does not; calls of other tools are refused at `tool.before`");
const IN_THE_RESULT: Support = With("stands behind the result of the call");

pub(super) const ROWS: &[Row] = &[
    row(
        "BeforeTool",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, With("comes after the host's own question to the person")),
            (Ask, NOBODY_ASKS),
            (Defer, As(Deny, "the host cannot put a call off")),
            (Redact, As(Deny, UNCHANGED)),
            (Rewrite, As(Deny, UNCHANGED)),
            (Tools, NOT_AMONG),
            (Context, IN_THE_RESULT),
            (Warn, TOLD_TO_THE_MODEL),
        ],
    ),
    row(
        "AfterTool",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, With("the reason replaces the result; the call has already run")),
            (Replace, AS_ERROR),
            (Redact, AS_ERROR),
            (Context, IN_THE_RESULT),
            (Warn, TOLD_TO_THE_MODEL),
        ],
    ),
    row(
        "BeforeAgent",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[(Stop, YES), (Deny, YES), (Ask, NOBODY_ASKS), (Context, YES)],
    ),
    row(
        "AfterAgent",
        Kind::AgentAfter,
        Answer("prompt_response"),
        Block,
        &[
            (Stop, Unsaid("the agent is at its end, and anything said would send it on")),
            (Retry, With("once a prompt, after the first answer of the model even if that only called tools")),
        ],
    ),
    row(
        "BeforeModel",
        Kind::ModelBefore,
        Model(Blocks),
        Block,
        &[
            (Stop, YES),
            (Deny, With("the reason is shown as the answer")),
            (Ask, NOBODY_ASKS),
            (Rewrite, As(Deny, "the host takes neither a model nor parameters from a hook")),
            (Respond, As(Deny, "the host shows the reason of a refusal as the answer")),
        ],
    ),
    row(
        "AfterModel",
        Kind::ModelAfter,
        Model(Blocks),
        Block,
        &[
            (Stop, With("in the conversation; not in calls of the model beside it")),
            (
                Deny,
                With("the reason stands in the place of the chunk; not in calls of the model beside the conversation"),
            ),
            (Replace, As(Deny, "the reason of a refusal stands in the place of the chunk")),
            (Redact, As(Deny, "a changed chunk would have to be in another shape than the one that the hook is told")),
        ],
    ),
    row("BeforeToolSelection", Kind::ModelTools, Model(Blocks), Choice, &[(Tools, NAMES_ALONE)]),
    row("SessionStart", Kind::SessionStart, Notice("source", "", ""), Block, &[(Context, YES), (Warn, YES)]),
    row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Silent, &[]),
    row("PreCompress", Kind::ContextCompact, Notice("trigger", "", ""), Silent, &[]),
    row("Notification", Kind::Notification, Notice("notification_type", "message", ""), Silent, &[]),
];
