//! The events of `OpenCode`'s plugin and how each supports each effect. This file is a table.
//!
//! Source: runs of 1.18.33. The names are those of the host's hooks and bus events, except for two: the plugin reports
//! that it was loaded, and a shell command that ended with another exit code than 0 as a failure.

use crate::adapters::contract::AnswerForm::{Block, Silent, Tool};
use crate::adapters::contract::PayloadShape::{Answer, Call, Notice, Prompt, Result};
use crate::adapters::contract::Support::{Substitute, WithNote};
use crate::adapters::contract::table::{ASK_AS_DENY, EffectSupports, FULL, TOOLS_AS_DENY, event_row};
use crate::adapters::contract::{EventRow, Support};
use crate::domain::effect::EffectKind::{Ask, Context, Defer, Deny, Redact, Replace, Rewrite, Stop, Tools, Warn};
use crate::domain::event::kind::Kind;

const STOP_AS_DENY: Support = Substitute(Deny, "the host doesn't end the loop at this event");
const WARN_AS_CONTEXT: Support =
    Substitute(Context, "the host doesn't show it to the user; the model reads it with the result");

const RESULT_EFFECTS: EffectSupports = &[
    (Stop, STOP_AS_DENY),
    (Deny, WithNote("the reason replaces the result; the call has already run")),
    (Replace, FULL),
    (Redact, FULL),
    (Context, WithNote("added after the result")),
    (Warn, WARN_AS_CONTEXT),
];

pub(super) const EVENTS: &[EventRow] = &[
    event_row(
        "tool.execute.before",
        Kind::ToolBefore,
        Call,
        Tool,
        &[
            (Stop, STOP_AS_DENY),
            (Deny, WithNote("runs before the host's own question to the user")),
            (Ask, ASK_AS_DENY),
            (Defer, Substitute(Deny, "the host can't defer a call")),
            (Redact, WithNote("the arguments are changed in place")),
            (Rewrite, WithNote("in place; a plugin that runs later can change the arguments again")),
            (Tools, TOOLS_AS_DENY),
            (Context, WithNote("added after the result of the call, unless the tool itself fails")),
            (Warn, WARN_AS_CONTEXT),
        ],
    ),
    event_row(
        "tool.execute.after",
        Kind::ToolAfter,
        Result { output: "tool_response", failed: false },
        Block,
        RESULT_EFFECTS,
    ),
    event_row(
        "tool.execute.failed",
        Kind::ToolFailed,
        Result { output: "tool_response", failed: true },
        Block,
        RESULT_EFFECTS,
    ),
    event_row(
        "chat.message",
        Kind::PromptSubmit,
        Prompt,
        Block,
        &[
            (Stop, Substitute(Deny, "a denied prompt ends the run")),
            (Deny, WithNote("the run ends with exit code 1, and the reason is in an error message")),
            (Ask, ASK_AS_DENY),
            (Context, WithNote("added after the prompt")),
        ],
    ),
    event_row("session.created", Kind::SessionStart, Notice("", "", ""), Silent, &[]),
    event_row("session.idle", Kind::AgentAfter, Answer("text"), Silent, &[]),
    event_row("plugin.loaded", Kind::SessionSetup, Notice("", "", ""), Silent, &[]),
];
