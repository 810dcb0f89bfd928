//! Gates: what is open or closed, by what happened before.
//!
//! A gate is a definition and nothing more; that it stands open is remembered by [`super::state`].
//! Its rules are ordinary rules that ask how it stands. Closed is the strict side: what closes a
//! gate is heard before the rules look, what opens it only after, and of both in one event the
//! closing stands.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::kind::Moments;
use super::layer::Layer;
use super::rule::{Mode, Rule, Severity, Then};
use super::state::Scope;
use super::template::Template;

/// A gate as it stands in a policy.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The name by which people, rules (`gate: {id: open}`) and tests speak of the gate.
    pub id: String,
    /// Why the gate is there, for those who read the policy.
    #[serde(default)]
    pub description: Option<String>,
    /// How it stands before anything has happened.
    #[serde(default)]
    pub starts: Stand,
    /// How far it reaches: one gate for each session, project or agent (a sub-agent has its own).
    #[serde(default)]
    pub scope: Reach,
    /// Keeps one gate for each file that the conditions pick out: `file`. A change that picks out none
    /// is for all files.
    #[serde(default)]
    pub per: Option<Per>,
    /// What opens it, once the event was not refused; on a gate that is open, it begins anew.
    #[serde(default)]
    pub opens: Vec<Transition>,
    /// What closes it, before the rules look at the event.
    #[serde(default)]
    pub closes: Vec<Transition>,
    /// Rules that look only while it is closed. Their `id` may be left out.
    #[serde(default)]
    #[schemars(with = "Vec<GateRule>")]
    pub while_closed: Vec<Rule>,
    /// Rules that look only while it is open. Their `id` may be left out.
    #[serde(default)]
    #[schemars(with = "Vec<GateRule>")]
    pub while_open: Vec<Rule>,
}

/// What changes how a gate stands.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// The moments at which it is looked for.
    pub when: Moments,
    /// What must hold; all that is given must.
    #[serde(default)]
    #[schemars(flatten)]
    pub conditions: Conditions,
    /// What must not hold.
    #[serde(default)]
    pub except: Vec<Conditions>,
    /// How long it lasts: `30m`, `10 turns`, `5 calls`; for good, when not given.
    #[serde(default)]
    pub r#for: Option<Lasting>,
    /// Who is told of it.
    #[serde(default)]
    pub then: Telling,
}

/// Who is told that a gate changes.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Telling {
    /// Tells the agent this.
    #[serde(default)]
    pub context: Option<Template>,
    /// Tells the person this.
    #[serde(default)]
    pub warn: Option<Template>,
    /// Leaves this note in the audit log.
    #[serde(default)]
    pub audit: Option<Template>,
}

/// How a gate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stand {
    /// Closed, which is the strict side.
    #[default]
    Closed,
    /// Open.
    Open,
}

impl Stand {
    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
        }
    }

    /// Returns the other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Closed => Self::Open,
            Self::Open => Self::Closed,
        }
    }
}

/// How far a gate reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// One for each session.
    #[default]
    Session,
    /// One for each project, whatever session and host.
    Project,
    /// One for each agent of a session: the main one, and every sub-agent.
    Subagent,
}

impl Reach {
    /// Returns where it is remembered.
    pub const fn scope(self) -> Scope {
        match self {
            Self::Session | Self::Subagent => Scope::Session,
            Self::Project => Scope::Project,
        }
    }
}

/// For each of what there is one gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    /// For each file.
    File,
}

/// How long something lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum Lasting {
    /// Seconds.
    Seconds(u64),
    /// Prompts, the present one included.
    Turns(u64),
    /// Tool calls, the present one not included.
    Calls(u64),
}

/// Units of what lasts, and how many seconds each has.
const UNITS: [(&[&str], u64); 4] = [
    (&["s", "second", "seconds"], 1),
    (&["m", "min", "minute", "minutes"], 60),
    (&["h", "hour", "hours"], 60 * 60),
    (&["d", "day", "days"], 24 * 60 * 60),
];

impl TryFrom<String> for Lasting {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let bad = || format!("`{text}` is no time\nwrite `30m`, `2h`, `10 turns` or `5 calls`");
        let (number, unit) = text.split_at(text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len()));
        let number: u64 = number.parse().ok().filter(|number| *number > 0).ok_or_else(bad)?;
        match unit.trim() {
            "turn" | "turns" => Ok(Self::Turns(number)),
            "call" | "calls" => Ok(Self::Calls(number)),
            unit => {
                let known = UNITS.iter().find(|(names, _)| names.contains(&unit)).ok_or_else(bad)?;
                number.checked_mul(known.1).map(Self::Seconds).ok_or_else(bad)
            }
        }
    }
}

impl From<Lasting> for String {
    fn from(lasting: Lasting) -> Self {
        lasting.to_string()
    }
}

impl fmt::Display for Lasting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(number) => write!(f, "{number} turns"),
            Self::Calls(number) => write!(f, "{number} calls"),
            Self::Seconds(seconds) => {
                let whole = UNITS.iter().rev().find(|(_, unit)| seconds % unit == 0);
                let (names, unit) = whole.unwrap_or(&UNITS[0]);
                write!(f, "{}{}", seconds / unit, names.first().unwrap_or(&""))
            }
        }
    }
}

impl JsonSchema for Lasting {
    fn schema_name() -> Cow<'static, str> {
        "Lasting".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[0-9]+ ?[a-z]+$",
            "examples": ["30m", "2h", "10 turns", "5 calls"],
            "description": "A time: `30m`, `2h`, or a number of prompts or tool calls: `10 turns`, `5 calls`.",
        })
    }
}

/// A rule of a gate, as it is written.
struct GateRule;

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
    /// The layer that brought it.
    pub layer: Layer,
    /// The file or pack it stands in.
    pub source: String,
}

impl ActiveGate {
    /// Returns the name under which it is remembered: gates of one id are each their own layer's.
    pub fn key(&self) -> String {
        format!("{}@{}:{}", self.gate.id, self.layer.name(), self.source)
    }
}

/// Returns the gate that a layer means by an id: its own, or else that of the nearest layer above.
pub fn meant<'g>(gates: &'g [ActiveGate], id: &str, speaker: Layer) -> Option<&'g ActiveGate> {
    let named = gates.iter().filter(|active| active.gate.id == id && active.layer.governs(speaker));
    named.min_by_key(|active| active.layer.authority())
}

impl Gate {
    /// Returns what brings the gate to stand so.
    pub fn to(&self, stand: Stand) -> &[Transition] {
        match stand {
            Stand::Closed => &self.closes,
            Stand::Open => &self.opens,
        }
    }

    /// Lists all that changes it.
    pub fn transitions(&self) -> impl Iterator<Item = &Transition> {
        self.opens.iter().chain(&self.closes)
    }

    /// Tells whether it can ever stand so.
    pub fn can_stand(&self, stand: Stand) -> bool {
        let is_way = |transition: &Transition| {
            let needed = transition.conditions.gate.as_ref().and_then(|gates| gates.0.get(&self.id));
            needed != Some(&stand)
        };
        let runs_out = || self.to(stand.other()).iter().any(|transition| transition.r#for.is_some());
        self.starts == stand || self.to(stand).iter().any(is_way) || runs_out()
    }
}

impl Transition {
    /// Returns the transition as a rule of that name, which is how it is judged and told of.
    pub fn as_rule(&self, id: String) -> Rule {
        let Telling { context, warn, audit } = self.then.clone();
        Rule {
            id,
            description: None,
            severity: Severity::default(),
            mode: Mode::Enforce,
            when: self.when,
            conditions: self.conditions.clone(),
            except: self.except.clone(),
            then: Then { context, warn, audit, ..Then::default() },
            exceptions: None,
            examples: super::example::Examples::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lasting;

    #[test]
    fn times_are_read_as_they_are_written() {
        for (text, lasting) in [
            ("30m", Lasting::Seconds(1_800)),
            ("90 seconds", Lasting::Seconds(90)),
            ("2h", Lasting::Seconds(7_200)),
            ("10 turns", Lasting::Turns(10)),
            ("1 call", Lasting::Calls(1)),
        ] {
            let read = Lasting::try_from(text.to_owned()).unwrap();
            assert_eq!(read, lasting, "{text}");
            assert_eq!(Lasting::try_from(read.to_string()), Ok(lasting), "{read}");
        }
        for text in ["", "m", "0m", "10", "10 weeks", "-1m", "99999999999999999999m", "9999999999999999999d"] {
            assert!(Lasting::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
