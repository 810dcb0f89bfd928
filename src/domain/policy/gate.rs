//! Gates: named switches that earlier events open and close.
//!
//! A gate is only a definition; its status is part of the [state](crate::domain::state). Its rules are ordinary rules
//! with a condition on its status. Closed is the strict side: transitions that close a gate are applied before the
//! rules are evaluated, those that open it only afterwards, and if one event does both, the gate is closed.

use crate::domain::facts::memory::GateStatus;
use crate::domain::text::duration::GateDuration;
#[cfg(test)]
use std::borrow::Cow;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::effects::RuleEffects;
use super::rule::Rule;
use crate::domain::condition::Conditions;
use crate::domain::event::kind::KindSet;
use crate::domain::layer::Layer;
use crate::domain::scope::Scope;
use crate::domain::severity::{Mode, Severity};
use crate::domain::text::template::Template;

/// A gate.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The id by which rules (`gate: {id: open}`) and tests refer to the gate.
    pub id: String,
    /// The purpose of the gate, for readers of the policy.
    #[serde(default)]
    pub description: Option<String>,
    /// The initial state.
    #[serde(default)]
    pub starts: GateStatus,
    /// Its scope: one gate per session, project or agent (each subagent has its own).
    #[serde(default)]
    pub scope: GateScope,
    /// `file`: one gate for each file that the conditions match. A change that matches no file
    /// applies to all files.
    #[serde(default)]
    pub per: Option<GatePartition>,
    /// What opens it, if the event was not denied. Opening an open gate restarts its time.
    #[serde(default)]
    pub opens: Vec<Transition>,
    /// What closes it, before rules are evaluated.
    #[serde(default)]
    pub closes: Vec<Transition>,
    /// Rules that only apply while it is closed. Their `id` is optional.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<GateRule>"))]
    pub while_closed: Vec<Rule>,
    /// Rules that only apply while it is open. Their `id` is optional.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<GateRule>"))]
    pub while_open: Vec<Rule>,
}

/// What changes a gate.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// The moments of the change.
    pub when: KindSet,
    /// Conditions; all given ones must match.
    #[serde(default)]
    #[cfg_attr(test, schemars(flatten))]
    pub conditions: Conditions,
    /// Exceptions.
    #[serde(default)]
    pub except: Vec<Conditions>,
    /// How long it lasts: `30m`, `10 turns`, `5 calls` (default: permanently).
    #[serde(default)]
    pub r#for: Option<GateDuration>,
    /// Whom to notify.
    #[serde(default)]
    pub then: TransitionMessages,
}

/// Whom to notify if a gate changes.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TransitionMessages {
    /// Tells the agent this.
    #[serde(default)]
    pub context: Option<Template>,
    /// Tells the user this.
    #[serde(default)]
    pub warn: Option<Template>,
    /// Adds this note to the audit log.
    #[serde(default)]
    pub audit: Option<Template>,
}

/// The scope of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GateScope {
    /// One for each session.
    #[default]
    Session,
    /// One for each project, across sessions and hosts.
    Project,
    /// One for each agent of a session: the main agent and every subagent.
    Subagent,
}

impl GateScope {
    /// Returns the scope of the state that it is stored in.
    pub const fn state_scope(self) -> Scope {
        match self {
            Self::Session | Self::Subagent => Scope::Session,
            Self::Project => Scope::Project,
        }
    }
}

/// What has a separate gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GatePartition {
    /// For each file.
    File,
}

/// A rule of a gate, as it is written.
#[cfg(test)]
struct GateRule;

#[cfg(test)]
impl JsonSchema for GateRule {
    fn schema_name() -> Cow<'static, str> {
        "GateRule".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Rule::json_schema(generator);
        if let Some(required) = schema.get_mut("required").and_then(serde_json::Value::as_array_mut) {
            required.retain(|key| key != "id");
        }
        schema
    }
}

/// A gate in force.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveGate {
    /// The gate.
    pub gate: Gate,
    /// The layer that it comes from.
    pub layer: Layer,
    /// The file or pack that defines it.
    pub source: String,
}

impl ActiveGate {
    /// Returns the key under which it is stored. Gates of one id in several layers are separate.
    pub fn key(&self) -> String {
        format!("{}@{}:{}", self.gate.id, self.layer.name(), self.source)
    }
}

/// Returns the gate that a layer means by an id: its own, or else that of the nearest layer above.
pub fn resolve<'g>(gates: &'g [ActiveGate], id: &str, speaker: Layer) -> Option<&'g ActiveGate> {
    let named = gates.iter().filter(|active| active.gate.id == id && active.layer.can_override(speaker));
    named.min_by_key(|active| active.layer.rank())
}

impl Gate {
    /// Returns the transitions to a status.
    pub fn transitions_to(&self, stand: GateStatus) -> &[Transition] {
        match stand {
            GateStatus::Closed => &self.closes,
            GateStatus::Open => &self.opens,
        }
    }

    /// Lists all transitions.
    pub fn transitions(&self) -> impl Iterator<Item = &Transition> {
        self.opens.iter().chain(&self.closes)
    }

    /// Returns whether it can ever have a status.
    pub fn can_reach(&self, stand: GateStatus) -> bool {
        let is_way = |transition: &Transition| {
            let needed = transition.conditions.gate.as_ref().and_then(|gates| gates.0.get(&self.id));
            needed != Some(&stand)
        };
        let runs_out = || self.transitions_to(stand.opposite()).iter().any(|transition| transition.r#for.is_some());
        self.starts == stand || self.transitions_to(stand).iter().any(is_way) || runs_out()
    }
}

impl Transition {
    /// Returns the transition as a rule with this id, which is how it is judged and reported.
    pub fn to_rule(&self, id: String) -> Rule {
        let TransitionMessages { context, warn, audit } = self.then.clone();
        Rule {
            id,
            description: None,
            severity: Severity::default(),
            mode: Mode::Enforce,
            when: self.when,
            conditions: self.conditions.clone(),
            except: self.except.clone(),
            then: RuleEffects { context, warn, audit, ..RuleEffects::default() },
            exceptions: None,
            examples: super::example::Examples::default(),
        }
    }
}
