//! An event of an agent, as a typed value.
//!
//! An event borrows from the host's payload, which stays available as a whole as [`Event::native`]: what has no field
//! here is not lost, only not typed.

pub mod kind;
pub mod request;
pub mod strings;
pub mod tool;

use std::borrow::Cow;

use serde_json::{Map, Value};

use kind::Kind;
use tool::ToolCall;

/// A neutral event.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    /// The kind of event.
    pub kind: Kind,
    /// The name of the host that reports it.
    pub host: &'static str,
    /// The host's own name of the kind of event.
    pub wire_name: &'a str,
    /// The conversation that it belongs to.
    pub session: Session<'a>,
    /// What the event is about.
    pub payload: Payload<'a>,
    /// The payload as the host sent it.
    pub native: &'a Map<String, Value>,
}

/// The host's data on the conversation.
#[derive(Debug, Clone, Default)]
pub struct Session<'a> {
    /// The host's id.
    pub id: Option<&'a str>,
    /// The directory that the host works in now.
    pub cwd: Option<&'a str>,
    /// The file that the conversation is written to.
    pub transcript: Option<&'a str>,
    /// The host's permission mode, by its own name.
    pub permission_mode: Option<&'a str>,
    /// The sub-agent that acts, if it is not the main one.
    pub subagent: Option<Subagent<'a>>,
}

/// A sub-agent.
#[derive(Debug, Clone)]
pub struct Subagent<'a> {
    /// The host's id.
    pub id: Option<&'a str>,
    /// Its kind.
    pub name: &'a str,
}

/// What an event is about.
#[derive(Debug, Clone)]
pub enum Payload<'a> {
    /// Tool calls: one, or those of a batch.
    Tools(Vec<ToolCall<'a>>),
    /// A prompt.
    Prompt(&'a str),
    /// An agent's answer.
    Answer(AgentAnswer<'a>),
    /// A request to the model, and its response where there is one.
    Model(ModelCall<'a>),
    /// Anything that is not one of these.
    Notice(Notice<'a>),
}

/// An agent's finished answer.
#[derive(Debug, Clone)]
pub struct AgentAnswer<'a> {
    /// The prompt that the agent answers, if the host reports it.
    pub prompt: Option<&'a str>,
    /// The answer.
    pub text: Option<&'a str>,
    /// Whether a hook has already sent the agent back to work in this turn.
    pub is_retry: bool,
}

/// A call of the model.
#[derive(Debug, Clone)]
pub struct ModelCall<'a> {
    /// The model's name.
    pub model: Option<&'a str>,
    /// The parameters of the request, by the names of [`REQUEST_FIELDS`](request::REQUEST_FIELDS).
    pub config: Vec<(&'static str, &'a Value)>,
    /// The messages of the request, in order.
    pub messages: Vec<Message<'a>>,
    /// The text of the response.
    pub response: Option<Cow<'a, str>>,
    /// The tokens that the call has used, as far as the host reports them.
    pub usage: Usage,
}

/// The tokens of a call of the model. For an answer in chunks, the last chunk has them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// The tokens of the request.
    pub prompt: Option<u64>,
    /// The tokens of the response.
    pub output: Option<u64>,
    /// The sum.
    pub total: Option<u64>,
    /// The tokens of the request that the model's service had cached.
    pub cached: Option<u64>,
}

/// The payload of an event that has no type of its own.
#[derive(Debug, Clone, Default)]
pub struct Notice<'a> {
    /// What the host's matchers test: a source, a reason, a trigger, a name.
    pub subject: Option<&'a str>,
    /// A text that belongs to it.
    pub text: Option<&'a str>,
    /// A file or directory that it names.
    pub path: Option<&'a str>,
}

/// A message of a request to the model.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    /// The role of the author, by the host's name.
    pub role: Option<&'a str>,
    /// Whether the model is the author.
    pub by_model: bool,
    /// The text that the host puts before it.
    pub preamble: Option<&'a str>,
    /// The text.
    pub text: &'a str,
}

impl Message<'_> {
    /// Returns the text with the host's preamble.
    pub fn whole_text(&self) -> String {
        format!("{}{}", self.preamble.unwrap_or_default(), self.text)
    }
}

impl<'a> ModelCall<'a> {
    /// Returns the last message that is not the model's own.
    pub fn prompt(&self) -> Option<&Message<'a>> {
        self.messages.iter().rev().find(|message| !message.by_model)
    }

    /// Returns the messages that the model has not answered yet. Earlier ones were judged when they were first sent.
    pub fn new_messages(&self) -> &[Message<'a>] {
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

    /// Returns the one tool call of the event; `None` for a batch and for other kinds of events.
    pub fn call(&self) -> Option<&ToolCall<'a>> {
        match self.calls() {
            [call] => Some(call),
            _ => None,
        }
    }
}
