//! The kinds of events, in neutral terms.
//!
//! A kind is named `subject.moment`. Policies, schema, documents and the audit log all read the one table here; each
//! host maps its own names to it. The table also tells which effects a kind can have on any host: a rule that asks
//! for another one is rejected when the policy is loaded.

use std::fmt;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::domain::effect::EffectKind::{
    Allow, Ask, Audit, Backup, ClearContext, Context, Defer, Deny, Redact, Replace, Respond, Retry, Rewrite, Run, Stop,
    Tools, Warn,
};
use crate::domain::effect::Effects;
use crate::domain::text::suggest::UnknownWord;

/// One kind of event.
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
    /// The host is about to ask the user for permission.
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
    /// The host notifies the user.
    Notification,
    /// A task was created.
    TaskCreated,
    /// A task is about to be marked as done.
    TaskCompleted,
    /// A teammate is about to go idle.
    TeammateIdle,
    /// An MCP server asks the user for input.
    ElicitationRequest,
    /// The user answered an MCP server.
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

/// The row of one kind in the table.
#[derive(Debug)]
pub struct EventSpec {
    /// The kind itself.
    pub kind: Kind,
    /// Its name in policies.
    pub name: &'static str,
    /// The description, for documents and editors.
    pub description: &'static str,
    /// The effects that some host can carry out.
    pub effects: Effects,
}

const fn event_spec(
    kind: Kind,
    name: &'static str,
    effects: &[crate::domain::effect::EffectKind],
    about: &'static str,
) -> EventSpec {
    // A program can be run at every kind of event, since that does not depend on the host.
    EventSpec { kind, name, description: about, effects: Effects::of(effects).with(Run) }
}

/// Every kind of event. A position in this list is the kind's bit in [`KindSet`].
pub const EVENT_SPECS: &[EventSpec] = &[
    event_spec(
        Kind::ToolBefore,
        "tool.before",
        &[Stop, Deny, Defer, Ask, Allow, Redact, Rewrite, Tools, Backup, Context, Warn, Audit],
        "a tool is about to run",
    ),
    event_spec(Kind::ToolAfter, "tool.after", &[Stop, Deny, Replace, Redact, Context, Warn, Audit], "a tool has run"),
    event_spec(
        Kind::ToolFailed,
        "tool.failed",
        &[Stop, Deny, Replace, Redact, Context, Warn, Audit],
        "a tool call has failed (on hosts that report it separately)",
    ),
    event_spec(
        Kind::ToolBatch,
        "tool.batch",
        &[Stop, Deny, Replace, Redact, Context, Warn, Audit],
        "the tool calls of one turn have finished",
    ),
    event_spec(
        Kind::PermissionRequest,
        "permission.request",
        &[Stop, Deny, Ask, Allow, Rewrite, Warn, Audit],
        "the host is about to ask the user for permission",
    ),
    event_spec(Kind::PermissionDenied, "permission.denied", &[Retry, Audit], "the host itself denied a call"),
    event_spec(
        Kind::PromptSubmit,
        "prompt.submit",
        &[Stop, Deny, Ask, Context, Warn, Audit],
        "the user has sent a prompt",
    ),
    event_spec(
        Kind::PromptExpand,
        "prompt.expand",
        &[Stop, Deny, Ask, Context, Warn, Audit],
        "a command is about to expand into a prompt",
    ),
    event_spec(
        Kind::ModelBefore,
        "model.before",
        &[Stop, Deny, Ask, Rewrite, Respond, Warn, Audit],
        "a request is about to be sent to the model",
    ),
    event_spec(Kind::ModelTools, "model.tools", &[Tools, Audit], "the tools for the model are being selected"),
    event_spec(
        Kind::ModelAfter,
        "model.after",
        &[Stop, Deny, Replace, Redact, Warn, Audit],
        "the model has answered, completely or with a chunk",
    ),
    event_spec(
        Kind::ModelSwitch,
        "model.switch",
        &[Deny, Ask, Allow, Warn, Audit],
        "the model is about to be switched",
    ),
    event_spec(Kind::ModelSwitched, "model.switched", &[Context, Audit], "the model has been switched"),
    event_spec(
        Kind::AgentAfter,
        "agent.after",
        &[Stop, Retry, ClearContext, Context, Warn, Audit],
        "the agent has finished its answer",
    ),
    event_spec(Kind::AgentFailed, "agent.failed", &[Audit], "the agent's turn ended in an error"),
    event_spec(Kind::SubagentStart, "subagent.start", &[Context, Audit], "a subagent starts"),
    event_spec(
        Kind::SubagentAfter,
        "subagent.after",
        &[Stop, Retry, Context, Warn, Audit],
        "a subagent has finished its answer",
    ),
    event_spec(Kind::SessionStart, "session.start", &[Context, Warn, Audit], "a session starts"),
    event_spec(Kind::SessionEnd, "session.end", &[Warn, Audit], "a session ends"),
    event_spec(Kind::SessionSetup, "session.setup", &[Audit], "the host sets up a project"),
    event_spec(
        Kind::ContextCompact,
        "context.compact",
        &[Deny, Ask, Warn, Audit],
        "the context is about to be compacted",
    ),
    event_spec(Kind::ContextCompacted, "context.compacted", &[Audit], "the context has been compacted"),
    event_spec(Kind::Notification, "notification", &[Warn, Audit], "the host notifies the user"),
    event_spec(Kind::TaskCreated, "task.created", &[Deny, Ask, Audit], "a task was created"),
    event_spec(Kind::TaskCompleted, "task.completed", &[Deny, Ask, Audit], "a task is about to be marked as complete"),
    event_spec(Kind::TeammateIdle, "teammate.idle", &[Stop, Retry, Audit], "a teammate is about to go idle"),
    event_spec(
        Kind::ElicitationRequest,
        "elicitation.request",
        &[Deny, Ask, Allow, Rewrite, Audit],
        "an MCP server asks the user for input",
    ),
    event_spec(
        Kind::ElicitationResult,
        "elicitation.result",
        &[Deny, Ask, Rewrite, Audit],
        "the user has answered an MCP server",
    ),
    event_spec(Kind::ConfigChange, "config.change", &[Deny, Ask, Audit], "a settings file has changed"),
    event_spec(Kind::InstructionsLoaded, "instructions.loaded", &[Audit], "an instruction file was loaded"),
    event_spec(Kind::CwdChanged, "cwd.changed", &[Audit], "the working directory changed"),
    event_spec(Kind::DirectoryAdded, "directory.added", &[Audit], "a directory was added to the workspace"),
    event_spec(Kind::FileChanged, "file.changed", &[Audit], "a watched file changed"),
    event_spec(Kind::WorktreeCreate, "worktree.create", &[Deny, Ask, Audit], "a worktree is about to be created"),
    event_spec(Kind::WorktreeRemove, "worktree.remove", &[Deny, Ask, Audit], "a worktree is about to be removed"),
    event_spec(
        Kind::MessageDisplay,
        "message.display",
        &[Replace, Redact, Audit],
        "a chunk of an answer is about to be shown",
    ),
    event_spec(Kind::Unknown, "unknown", &[Audit], "an event that this version doesn't know"),
];

impl Kind {
    /// Returns the row of the kind.
    pub fn spec(self) -> Option<&'static EventSpec> {
        EVENT_SPECS.iter().find(|moment| moment.kind == self)
    }

    /// Returns the kind's name in policies.
    pub fn name(self) -> &'static str {
        self.spec().map_or("unknown", |moment| moment.name)
    }

    /// Returns the kind of a name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        EVENT_SPECS.iter().find(|moment| moment.name == name).map(|moment| moment.kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kinds of events at which a rule is evaluated: `tool.before`, a list of names, `tool.*`, or `any`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KindSet(pub(crate) u64);

impl KindSet {
    /// Every kind of event.
    const ANY: Self = Self((1 << EVENT_SPECS.len()) - 1);

    /// Returns the set of one kind.
    pub fn one(kind: Kind) -> Self {
        Self(EVENT_SPECS.iter().position(|moment| moment.kind == kind).map_or(0, |bit| 1 << bit))
    }

    /// Returns the kinds of events that can have an effect.
    pub fn supporting(effect: crate::domain::effect::EffectKind) -> Self {
        let carriers = EVENT_SPECS.iter().filter(|moment| moment.effects.contains(effect));
        carriers.map(|moment| Self::one(moment.kind)).fold(Self::default(), Self::union)
    }

    /// Returns whether the set contains a kind.
    pub fn contains(self, kind: Kind) -> bool {
        self.0 & Self::one(kind).0 != 0
    }

    /// Returns whether the sets share a kind.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the union of the sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether the set contains every kind of event.
    pub const fn is_any(self) -> bool {
        self.0 == Self::ANY.0
    }

    /// Lists the kinds of events in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = &'static EventSpec> {
        EVENT_SPECS.iter().enumerate().filter(move |(bit, _)| self.0 & (1 << bit) != 0).map(|(_, moment)| moment)
    }

    /// Reads one name, a `subject.*` group, or `any`.
    ///
    /// # Errors
    /// Returns a message that names the nearest known kind of event.
    pub fn parse(text: &str) -> Result<Self, UnknownWord> {
        if text == "any" {
            return Ok(Self::ANY);
        }
        let group = text.strip_suffix(".*").map(|subject| format!("{subject}."));
        let bits = EVENT_SPECS
            .iter()
            .enumerate()
            .filter(|(_, moment)| group.as_ref().map_or(moment.name == text, |prefix| moment.name.starts_with(prefix)))
            .fold(0, |bits, (bit, _)| bits | 1 << bit);
        if bits != 0 {
            return Ok(Self(bits));
        }
        Err(UnknownWord::among("moment", text, EVENT_SPECS.iter().map(|moment| moment.name)))
    }
}

impl Serialize for KindSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter().map(|moment| moment.name))
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for KindSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return u64::deserialize(deserializer).map(Self);
        }
        Vec::<KindName>::deserialize(deserializer).map(|names| Self(names.iter().fold(0, |bits, name| bits | name.0.0)))
    }
}

/// One entry of `when`, so that an error points at the entry and not at the list.
struct KindName(KindSet);

impl<'de> Deserialize<'de> for KindName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        KindSet::parse(&text).map(Self).map_err(D::Error::custom)
    }
}

#[cfg(test)]
impl JsonSchema for KindSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moments".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut names: Vec<String> = vec!["any".into()];
        for moment in EVENT_SPECS {
            if let Some((subject, _)) = moment.name.split_once('.') {
                let group = format!("{subject}.*");
                if !names.contains(&group) {
                    names.push(group);
                }
            }
            names.push(moment.name.into());
        }
        json_schema!({
            "description": "The moments of the rule.",
            "type": "array",
            "items": { "type": "string", "enum": names },
            "minItems": 1,
        })
    }
}
