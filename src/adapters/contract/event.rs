//! The events of a host: how payloads are read, how answers are encoded, and how each effect is supported.

use super::ModelFormat;
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::Kind;

/// One event of a host.
#[derive(Debug)]
pub struct EventRow {
    /// The host's name for it.
    pub wire: &'static str,
    /// The neutral kind of the event.
    pub kind: Kind,
    /// The shape of its payload.
    pub payload: PayloadShape,
    /// The form of its answer.
    pub answer: AnswerForm,
    /// How the host supports each effect; an effect that is not listed is dropped.
    pub effects: &'static [(EffectKind, Support)],
}

impl EventRow {
    /// Returns how the host supports an effect; `None` when it is dropped.
    pub fn support(&self, effect: EffectKind) -> Option<Support> {
        self.effects.iter().find(|(kind, _)| *kind == effect).map(|(_, support)| *support)
    }
}

/// How a host supports an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It is supported; the first version that does, if known.
    Full(&'static str),
    /// It is supported, with a remark.
    WithNote(&'static str),
    /// It is supported from this version on, with a remark.
    Since(&'static str, &'static str),
    /// The host does it by default when no answer is given.
    Implicit(&'static str),
    /// Another effect is sent instead; the reason.
    Substitute(EffectKind, &'static str),
    /// It is supported when a user is present at the host; otherwise another effect is sent.
    Interactive(EffectKind, &'static str),
    /// It is supported if the shape of the tool's result is known; otherwise another effect is sent.
    KnownShape(EffectKind, &'static str),
    /// It is supported together with another effect; otherwise a third is sent.
    Combined(EffectKind, EffectKind, &'static str),
}

/// How an event's payload is read. The strings are keys of the payload.
#[derive(Debug, Clone, Copy)]
pub enum PayloadShape {
    /// A call that is about to run.
    Call,
    /// A call that has run, with its result.
    Result {
        /// The key of the tool's result.
        output: &'static str,
        /// Whether the event itself means that the call failed.
        failed: bool,
    },
    /// The calls of a turn.
    Batch,
    /// A prompt.
    Prompt,
    /// The agent's answer, with the key of its text.
    Answer(&'static str),
    /// A call of the model.
    Model(&'static ModelFormat),
    /// Any other event: the keys of the subject, the text and the path; "" for none.
    Notice(&'static str, &'static str, &'static str),
}

/// The form of an answer; each host's encoder knows the forms of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// Decision, reason, context, input and message under the names of the tool event.
    Tool,
    /// An answer to the host's own question.
    Permission,
    /// A block with a reason, and a context.
    Block,
    /// A choice of tools: a mode and names, or nothing at all.
    ToolChoice,
    /// A switch of the model.
    Switch,
    /// An answer to a request for input.
    Decline,
    /// The exit code refuses, standard error holds the reason.
    ExitCode,
    /// The model may try again.
    TryAgain,
    /// Another text is shown.
    Display,
    /// No answer is ever sent.
    Silent,
}
