//! One moment in an agent's loop, as a typed value.
//!
//! An event borrows from the host's payload, which stays reachable whole as [`Event::native`]:
//! what no field here names is not lost, only not typed.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::kind::Kind;
use super::tool::ToolCall;

/// A neutral event.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    /// The moment.
    pub kind: Kind,
    /// The name of the host that reports it.
    pub host: &'static str,
    /// The host's own name of the moment.
    pub wire: &'a str,
    /// The conversation it belongs to.
    pub session: Session<'a>,
    /// What the moment is about.
    pub payload: Payload<'a>,
    /// The payload as the host sent it.
    pub native: &'a Map<String, Value>,
}

/// What the host says of the conversation.
#[derive(Debug, Clone, Default)]
pub struct Session<'a> {
    /// The host's id of it.
    pub id: Option<&'a str>,
    /// The directory the host works in now.
    pub cwd: Option<&'a str>,
    /// The file the conversation is written to.
    pub transcript: Option<&'a str>,
    /// The host's permission mode, in its own word.
    pub permission_mode: Option<&'a str>,
    /// The sub-agent that acts, if it is not the main one.
    pub subagent: Option<Subagent<'a>>,
}

/// A sub-agent.
#[derive(Debug, Clone)]
pub struct Subagent<'a> {
    /// The host's id of it.
    pub id: Option<&'a str>,
    /// Its kind.
    pub name: &'a str,
}

/// What a moment is about.
#[derive(Debug, Clone)]
pub enum Payload<'a> {
    /// Tool calls: one, or those of a batch.
    Tools(Vec<ToolCall<'a>>),
    /// A prompt.
    Prompt(&'a str),
    /// An agent's answer.
    Answer(Answer<'a>),
    /// A request to the model, and its response where there is one.
    Model(ModelCall<'a>),
    /// Anything that is not one of these.
    Notice(Notice<'a>),
}

/// An agent's finished answer.
#[derive(Debug, Clone)]
pub struct Answer<'a> {
    /// What the agent had been asked, where the host says so.
    pub prompt: Option<&'a str>,
    /// What it answered.
    pub text: Option<&'a str>,
    /// Whether a hook has already sent the agent back to work in this turn.
    pub again: bool,
}

/// A call of the model.
#[derive(Debug, Clone)]
pub struct ModelCall<'a> {
    /// The model's name.
    pub model: Option<&'a str>,
    /// How the model is to answer, by the names of [`FIELDS`](super::request::FIELDS).
    pub config: Vec<(&'static str, &'a Value)>,
    /// The messages of the request, the last one last.
    pub messages: Vec<Message<'a>>,
    /// The text of the response.
    pub response: Option<Cow<'a, str>>,
    /// What the call has used, as far as the host says.
    pub usage: Usage,
}

/// The tokens of a call of the model. Of an answer in chunks, the last one tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Those of the request.
    pub prompt: Option<u64>,
    /// Those of the response.
    pub output: Option<u64>,
    /// All of them.
    pub total: Option<u64>,
    /// Those of the request that the model's service had kept.
    pub cached: Option<u64>,
}

/// What there is to say of a moment that has no shape of its own.
#[derive(Debug, Clone, Default)]
pub struct Notice<'a> {
    /// What the host's matchers test: a source, a reason, a trigger, a name.
    pub subject: Option<&'a str>,
    /// A text that goes with it.
    pub text: Option<&'a str>,
    /// A file or directory that it names.
    pub path: Option<&'a str>,
}

/// A message of a request to the model.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    /// Who speaks, in the host's word.
    pub role: Option<&'a str>,
    /// Whether the model itself said it.
    pub by_model: bool,
    /// What the host puts before it of its own.
    pub preamble: Option<&'a str>,
    /// What is said.
    pub text: &'a str,
}

impl<'a> ModelCall<'a> {
    /// Returns the last message that is not the model's own.
    pub fn prompt(&self) -> Option<&Message<'a>> {
        self.messages.iter().rev().find(|message| !message.by_model)
    }

    /// Returns the messages that the model has not answered yet. Those before them were looked at
    /// when they were sent first.
    pub fn unanswered(&self) -> &[Message<'a>] {
        let answered = self.messages.iter().rposition(|message| message.by_model).map_or(0, |last| last + 1);
        self.messages.get(answered..).unwrap_or_default()
    }
}

impl<'a> Event<'a> {
    /// Returns the tool calls that the event is about.
    pub fn calls(&self) -> &[ToolCall<'a>] {
        match &self.payload {
            Payload::Tools(calls) => calls,
            Payload::Prompt(_) | Payload::Answer(_) | Payload::Model(_) | Payload::Notice(_) => &[],
        }
    }

    /// Returns the one tool call of the event; `None` for a batch and for other moments.
    pub fn call(&self) -> Option<&ToolCall<'a>> {
        match self.calls() {
            [call] => Some(call),
            _ => None,
        }
    }
}
