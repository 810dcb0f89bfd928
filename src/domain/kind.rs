//! The moments of an agent's loop, in neutral words.
//!
//! A kind is named `subject.moment`. Policies, schema, documents and the audit log all read the
//! one table here; how a host calls a moment is that host's business. The table also says which
//! effects a moment can carry on any host: a rule that asks for another one is refused when the
//! policy is loaded.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::effect::{
    EffectKind::{
        Allow, Ask, Audit, ClearContext, Context, Defer, Deny, Redact, Replace, Respond, Retry, Rewrite, Run, Stop,
        Tools, Warn,
    },
    Effects,
};
use super::suggest;

/// One neutral moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A tool is about to run.
    ToolBefore,
    /// A tool has run.
    ToolAfter,
    /// A tool call has failed, on hosts that report that apart.
    ToolFailed,
    /// Several tool calls of one turn are done.
    ToolBatch,
    /// The host is about to ask a person for permission.
    PermissionRequest,
    /// The host itself refused a call.
    PermissionDenied,
    /// A prompt is on its way to the model.
    PromptSubmit,
    /// A command is about to expand into a prompt.
    PromptExpand,
    /// A request is on its way to the model.
    ModelBefore,
    /// The tools that the model may choose from are being settled.
    ModelTools,
    /// The model answered, in whole or in a chunk.
    ModelAfter,
    /// The model is about to be switched.
    ModelSwitch,
    /// The model has been switched.
    ModelSwitched,
    /// The agent is done with its answer.
    AgentAfter,
    /// The agent's turn ended in an error.
    AgentFailed,
    /// A sub-agent starts.
    SubagentStart,
    /// A sub-agent is done with its answer.
    SubagentAfter,
    /// A session starts.
    SessionStart,
    /// A session ends.
    SessionEnd,
    /// The host prepares a project.
    SessionSetup,
    /// The context is about to be compacted.
    ContextCompact,
    /// The context has been compacted.
    ContextCompacted,
    /// The host notifies the person.
    Notification,
    /// A task was created.
    TaskCreated,
    /// A task is about to be marked as done.
    TaskCompleted,
    /// A teammate is about to go idle.
    TeammateIdle,
    /// A tool server asks the person for input.
    ElicitationRequest,
    /// The person answered a tool server.
    ElicitationResult,
    /// A settings file changed.
    ConfigChange,
    /// An instruction file was loaded.
    InstructionsLoaded,
    /// The working directory changed.
    CwdChanged,
    /// A directory was added to the workspace.
    DirectoryAdded,
    /// A watched file changed.
    FileChanged,
    /// A worktree is about to be made.
    WorktreeCreate,
    /// A worktree is about to be removed.
    WorktreeRemove,
    /// A piece of an answer is about to be shown.
    MessageDisplay,
    /// An event that this build does not know.
    Unknown,
}

/// What the table says of one kind.
#[derive(Debug)]
pub struct Moment {
    /// The kind itself.
    pub kind: Kind,
    /// Its name in policies.
    pub name: &'static str,
    /// What happens then, for documents and editors.
    pub about: &'static str,
    /// The effects that some host can carry out then.
    pub effects: Effects,
}

const fn moment(kind: Kind, name: &'static str, effects: &[super::effect::EffectKind], about: &'static str) -> Moment {
    // A program can be run whenever something happens: that is nothing a host has to carry out.
    Moment { kind, name, about, effects: Effects::of(effects).with(Run) }
}

/// Every moment. A position in this list is the kind's bit in [`Moments`].
pub const MOMENTS: &[Moment] = &[
    moment(
        Kind::ToolBefore,
        "tool.before",
        &[Stop, Deny, Defer, Ask, Allow, Redact, Rewrite, Tools, Context, Warn, Audit],
        "a tool is about to run",
    ),
    moment(Kind::ToolAfter, "tool.after", &[Stop, Deny, Replace, Redact, Context, Warn, Audit], "a tool has run"),
    moment(
        Kind::ToolFailed,
        "tool.failed",
        &[Stop, Deny, Replace, Redact, Context, Warn, Audit],
        "a tool call has failed (hosts that report it apart)",
    ),
    moment(
        Kind::ToolBatch,
        "tool.batch",
        &[Stop, Deny, Replace, Redact, Context, Warn, Audit],
        "the tool calls of one turn are done",
    ),
    moment(
        Kind::PermissionRequest,
        "permission.request",
        &[Stop, Deny, Ask, Allow, Rewrite, Warn, Audit],
        "the host is about to ask a person for permission",
    ),
    moment(Kind::PermissionDenied, "permission.denied", &[Retry, Audit], "the host itself refused a call"),
    moment(
        Kind::PromptSubmit,
        "prompt.submit",
        &[Stop, Deny, Ask, Context, Warn, Audit],
        "a prompt is on its way to the model",
    ),
    moment(
        Kind::PromptExpand,
        "prompt.expand",
        &[Stop, Deny, Ask, Context, Warn, Audit],
        "a command is about to expand into a prompt",
    ),
    moment(
        Kind::ModelBefore,
        "model.before",
        &[Stop, Deny, Ask, Rewrite, Respond, Warn, Audit],
        "a request is on its way to the model",
    ),
    moment(
        Kind::ModelTools,
        "model.tools",
        &[Tools, Audit],
        "the tools that the model may choose from are being settled",
    ),
    moment(
        Kind::ModelAfter,
        "model.after",
        &[Stop, Deny, Replace, Redact, Warn, Audit],
        "the model answered, in whole or in a chunk",
    ),
    moment(Kind::ModelSwitch, "model.switch", &[Deny, Ask, Allow, Warn, Audit], "the model is about to be switched"),
    moment(Kind::ModelSwitched, "model.switched", &[Context, Audit], "the model has been switched"),
    moment(
        Kind::AgentAfter,
        "agent.after",
        &[Stop, Retry, ClearContext, Context, Warn, Audit],
        "the agent is done with its answer",
    ),
    moment(Kind::AgentFailed, "agent.failed", &[Audit], "the agent's turn ended in an error"),
    moment(Kind::SubagentStart, "subagent.start", &[Context, Audit], "a sub-agent starts"),
    moment(
        Kind::SubagentAfter,
        "subagent.after",
        &[Stop, Retry, Context, Warn, Audit],
        "a sub-agent is done with its answer",
    ),
    moment(Kind::SessionStart, "session.start", &[Context, Warn, Audit], "a session starts"),
    moment(Kind::SessionEnd, "session.end", &[Warn, Audit], "a session ends"),
    moment(Kind::SessionSetup, "session.setup", &[Audit], "the host prepares a project"),
    moment(Kind::ContextCompact, "context.compact", &[Deny, Ask, Warn, Audit], "the context is about to be compacted"),
    moment(Kind::ContextCompacted, "context.compacted", &[Audit], "the context has been compacted"),
    moment(Kind::Notification, "notification", &[Warn, Audit], "the host notifies the person"),
    moment(Kind::TaskCreated, "task.created", &[Deny, Ask, Audit], "a task was created"),
    moment(Kind::TaskCompleted, "task.completed", &[Deny, Ask, Audit], "a task is about to be marked as done"),
    moment(Kind::TeammateIdle, "teammate.idle", &[Stop, Retry, Audit], "a teammate is about to go idle"),
    moment(
        Kind::ElicitationRequest,
        "elicitation.request",
        &[Deny, Ask, Allow, Rewrite, Audit],
        "a tool server asks the person for input",
    ),
    moment(
        Kind::ElicitationResult,
        "elicitation.result",
        &[Deny, Ask, Rewrite, Audit],
        "the person answered a tool server",
    ),
    moment(Kind::ConfigChange, "config.change", &[Deny, Ask, Audit], "a settings file changed"),
    moment(Kind::InstructionsLoaded, "instructions.loaded", &[Audit], "an instruction file was loaded"),
    moment(Kind::CwdChanged, "cwd.changed", &[Audit], "the working directory changed"),
    moment(Kind::DirectoryAdded, "directory.added", &[Audit], "a directory was added to the workspace"),
    moment(Kind::FileChanged, "file.changed", &[Audit], "a watched file changed"),
    moment(Kind::WorktreeCreate, "worktree.create", &[Deny, Ask, Audit], "a worktree is about to be made"),
    moment(Kind::WorktreeRemove, "worktree.remove", &[Deny, Ask, Audit], "a worktree is about to be removed"),
    moment(
        Kind::MessageDisplay,
        "message.display",
        &[Replace, Redact, Audit],
        "a piece of an answer is about to be shown",
    ),
    moment(Kind::Unknown, "unknown", &[Audit], "an event that this build does not know"),
];

impl Kind {
    /// Returns what the table says of the kind.
    pub fn moment(self) -> Option<&'static Moment> {
        MOMENTS.iter().find(|moment| moment.kind == self)
    }

    /// Returns the kind's name in policies.
    pub fn name(self) -> &'static str {
        self.moment().map_or("unknown", |moment| moment.name)
    }

    /// Returns the kind of a name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        MOMENTS.iter().find(|moment| moment.name == name).map(|moment| moment.kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The moments that a rule watches: `tool.before`, a list of names, `tool.*`, or `any`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moments(pub(crate) u64);

impl Moments {
    /// Every moment.
    const ANY: Self = Self((1 << MOMENTS.len()) - 1);

    /// Returns the set of one kind.
    pub fn one(kind: Kind) -> Self {
        Self(MOMENTS.iter().position(|moment| moment.kind == kind).map_or(0, |bit| 1 << bit))
    }

    /// Returns the moments that can carry an effect.
    pub fn carrying(effect: super::effect::EffectKind) -> Self {
        let carriers = MOMENTS.iter().filter(|moment| moment.effects.contains(effect));
        carriers.map(|moment| Self::one(moment.kind)).fold(Self::default(), Self::or)
    }

    /// Tells whether the set holds a kind.
    pub fn contains(self, kind: Kind) -> bool {
        self.0 & Self::one(kind).0 != 0
    }

    /// Tells whether the sets share a kind.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the set of what is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Tells whether the set holds every moment.
    pub const fn is_any(self) -> bool {
        self.0 == Self::ANY.0
    }

    /// Lists the moments in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = &'static Moment> {
        MOMENTS.iter().enumerate().filter(move |(bit, _)| self.0 & (1 << bit) != 0).map(|(_, moment)| moment)
    }

    /// Reads one name, a `subject.*` group, or `any`.
    ///
    /// # Errors
    /// Returns a message that names the nearest known moment.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "any" {
            return Ok(Self::ANY);
        }
        let group = text.strip_suffix(".*").map(|subject| format!("{subject}."));
        let bits = MOMENTS
            .iter()
            .enumerate()
            .filter(|(_, moment)| group.as_ref().map_or(moment.name == text, |prefix| moment.name.starts_with(prefix)))
            .fold(0, |bits, (bit, _)| bits | 1 << bit);
        if bits != 0 {
            return Ok(Self(bits));
        }
        Err(suggest::among("moment", text, MOMENTS.iter().map(|moment| moment.name)))
    }
}

impl Serialize for Moments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter().map(|moment| moment.name))
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Moments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return u64::deserialize(deserializer).map(Self);
        }
        Vec::<MomentName>::deserialize(deserializer)
            .map(|names| Self(names.iter().fold(0, |bits, name| bits | name.0.0)))
    }
}

/// One entry of `when`, so that an error points at the entry and not at the list.
struct MomentName(Moments);

impl<'de> Deserialize<'de> for MomentName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Moments::parse(&text).map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for Moments {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moments".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut names: Vec<String> = vec!["any".into()];
        for moment in MOMENTS {
            if let Some((subject, _)) = moment.name.split_once('.') {
                let group = format!("{subject}.*");
                if !names.contains(&group) {
                    names.push(group);
                }
            }
            names.push(moment.name.into());
        }
        json_schema!({
            "description": "The moments that the rule watches.",
            "type": "array",
            "items": { "type": "string", "enum": names },
            "minItems": 1,
        })
    }
}
