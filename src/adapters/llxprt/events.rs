//! The events of llxprt-code and how each supports each effect. This file is a table.
//!
//! Source: the hook code of 0.11.0; its package was not available for a run. The names are those of
//! Gemini CLI, but answers are interpreted differently: no answer to a tool event ends the loop,
//! messages reach the model instead of the user, and the user is never asked.

use super::blocks;
use crate::adapters::contract::AnswerForm::{Block, Silent, Tool, ToolChoice};
use crate::adapters::contract::EventRow;
use crate::adapters::contract::PayloadShape::{Answer, Call, Model, Notice, Prompt, Result};
use crate::adapters::contract::Support::{self, Implicit, Substitute, WithNote};
use crate::adapters::contract::table::{ASK_AS_DENY, FULL, TOOLS_AS_DENY, event_row};
use crate::domain::effect::EffectKind::{
    Ask, Context, Defer, Deny, Redact, Replace, Respond, Retry, Rewrite, Stop, Tools, Warn,
};
use crate::domain::event::kind::Kind;

const STOP_AS_DENY: Support = Substitute(Deny, "the host doesn't end the loop at this event");
const WARN_AS_CONTEXT: Support =
    Substitute(Context, "the host doesn't show it to the user; the model reads it with the result");
const RUNS_UNCHANGED: &str = "if the host can't build the changed call, it runs the original one";
const RESULT_AS_ERROR: Support = WithNote("the model receives the text as an error");
const TOOL_NAMES_ONLY: Support =
    WithNote("names of tools have an effect, a mode alone doesn't; calls of other tools are denied at `tool.before`");
const APPENDED_TO_RESULT: Support = WithNote("added after the result of the call");

pub(super) const EVENTS: &[EventRow] = &[
    event_row(
        "BeforeTool",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, WithNote("runs after the host's own question to the user")),
            (Ask, ASK_AS_DENY),
            (Defer, Substitute(Deny, "the host can't defer a call")),
            (Redact, Substitute(Deny, RUNS_UNCHANGED)),
            (Rewrite, Substitute(Deny, RUNS_UNCHANGED)),
            (Tools, TOOLS_AS_DENY),
            (Context, APPENDED_TO_RESULT),
            (Warn, WARN_AS_CONTEXT),
        ],
    ),
    event_row(
        "AfterTool",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, WithNote("the reason replaces the result; the call has already run")),
            (Replace, RESULT_AS_ERROR),
            (Redact, RESULT_AS_ERROR),
            (Context, APPENDED_TO_RESULT),
            (Warn, WARN_AS_CONTEXT),
        ],
    ),
    event_row(
        "BeforeAgent",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[(Stop, FULL), (Deny, FULL), (Ask, ASK_AS_DENY), (Context, FULL)],
    ),
    event_row(
        "AfterAgent",
        Kind::AgentAfter,
        Answer("prompt_response"),
        Block,
        &[
            (Stop, Implicit("the agent has finished, and any output would make it continue")),
            (Retry, WithNote("once per prompt, after the model's first answer, even if that only called tools")),
        ],
    ),
    event_row(
        "BeforeModel",
        Kind::ModelBefore,
        Model(&blocks::FORMAT),
        Block,
        &[
            (Stop, FULL),
            (Deny, WithNote("the reason is shown as the answer")),
            (Ask, ASK_AS_DENY),
            (Rewrite, Substitute(Deny, "the host accepts neither a model nor parameters from a hook")),
            (Respond, Substitute(Deny, "the host shows the reason of a denial as the answer")),
        ],
    ),
    event_row(
        "AfterModel",
        Kind::ModelAfter,
        Model(&blocks::FORMAT),
        Block,
        &[
            (Stop, WithNote("in the conversation, but not in other requests to the model")),
            (Deny, WithNote("the reason replaces the chunk; not in requests to the model outside the conversation")),
            (Replace, Substitute(Deny, "the reason of a denial replaces the chunk")),
            (
                Redact,
                Substitute(Deny, "a changed chunk would need another structure than the one that the hook receives"),
            ),
        ],
    ),
    event_row("BeforeToolSelection", Kind::ModelTools, Model(&blocks::FORMAT), ToolChoice, &[(Tools, TOOL_NAMES_ONLY)]),
    event_row("SessionStart", Kind::SessionStart, Notice("source", "", ""), Block, &[(Context, FULL), (Warn, FULL)]),
    event_row("SessionEnd", Kind::SessionEnd, Notice("reason", "", ""), Silent, &[]),
    event_row("PreCompress", Kind::ContextCompact, Notice("trigger", "", ""), Silent, &[]),
    event_row("Notification", Kind::Notification, Notice("notification_type", "message", ""), Silent, &[]),
];
