//! Events in neutral terms, and the examples of a rule.
//!
//! Examples document a rule and test it. They do not affect what the rule does, so compiled rules contain none.

#[cfg(test)]
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serializer};
use serde_json::{Map, Value};

use crate::domain::effect::EffectKind;

/// A neutral event. A string is a shell command.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "command")))]
pub struct Scenario {
    /// The moment (default: `tool.before`).
    #[serde(default)]
    pub when: Option<String>,
    /// The tool: a kind, or a host's tool name.
    #[serde(default)]
    pub tool: Option<String>,
    /// The shell command of the call.
    #[serde(default)]
    pub command: Option<String>,
    /// The file of the call or the event.
    #[serde(default)]
    pub path: Option<String>,
    /// The text that the call writes.
    #[serde(default)]
    pub content: Option<String>,
    /// The URL that the call fetches.
    #[serde(default)]
    pub url: Option<String>,
    /// The prompt.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The answer.
    #[serde(default)]
    pub response: Option<String>,
    /// Whether the agent was sent back before it gave the answer.
    #[serde(default)]
    pub again: bool,
    /// What the tool returned.
    #[serde(default)]
    pub output: Option<String>,
    /// The MCP tool.
    #[serde(default)]
    pub mcp: Option<McpToolScenario>,
    /// Additional arguments of the tool, by its own names.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// The subject of other moments: a source, a reason, a trigger.
    #[serde(default)]
    pub subject: Option<String>,
    /// The active subagent.
    #[serde(default)]
    pub subagent: Option<String>,
    /// The host's permission mode.
    #[serde(default)]
    pub permission_mode: Option<String>,
    /// The host's working directory (default: the project).
    #[serde(default)]
    pub cwd: Option<String>,
}

/// An MCP tool.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpToolScenario {
    /// The server's name.
    pub server: String,
    /// The server's name of the tool.
    pub tool: String,
    /// The arguments.
    #[serde(default)]
    pub input: Map<String, Value>,
}

/// Examples of a rule's effects, and of events for which it does not hold. `ruleward test` and `ruleward lint` check
/// the rule against them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examples(BTreeMap<ExampleOutcome, Vec<Scenario>>);

#[cfg(test)]
fn example() -> Value {
    serde_json::json!({
        "deny": ["rm -rf ~", { "tool": "write", "path": ".env", "content": "A=1" }],
        "pass": ["rm -rf target"],
    })
}

/// What an example shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExampleOutcome {
    /// The rule has this effect.
    Effect(EffectKind),
    /// The rule does not hold.
    Pass,
}

impl ExampleOutcome {
    /// Lists everything that an example can show.
    fn all() -> impl Iterator<Item = Self> {
        EffectKind::ALL.into_iter().map(Self::Effect).chain([Self::Pass])
    }

    /// Returns what the examples under a key show.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::all().find(|outcome| outcome.name() == key)
    }

    /// Returns the key of such examples.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Effect(effect) => effect.name(),
            Self::Pass => "pass",
        }
    }

    /// Returns the description of such examples, for editors.
    #[cfg(test)]
    const fn description(self) -> &'static str {
        match self {
            Self::Effect(effect) => effect.spec().example,
            Self::Pass => "Events that the rule doesn't match.",
        }
    }
}

impl Examples {
    /// Returns the examples of an outcome.
    pub fn of(&self, showing: ExampleOutcome) -> &[Scenario] {
        self.0.get(&showing).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The keys of examples.
static EXAMPLE_KEYS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ExampleOutcome::all().map(ExampleOutcome::name).collect());

/// Fails at the key, so that the error has its position.
impl<'de> Deserialize<'de> for ExampleOutcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        Self::from_key(&key).ok_or_else(|| D::Error::unknown_field(&key, &EXAMPLE_KEYS))
    }
}

impl<'de> Deserialize<'de> for Examples {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Examples", &EXAMPLE_KEYS, ExamplesVisitor)
    }
}

struct ExamplesVisitor;

impl<'de> Visitor<'de> for ExamplesVisitor {
    type Value = Examples;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct Examples")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Examples, A::Error> {
        let mut examples = BTreeMap::new();
        while let Some(showing) = entries.next_key::<ExampleOutcome>()? {
            if examples.insert(showing, entries.next_value()?).is_some() {
                return Err(A::Error::duplicate_field(showing.name()));
            }
        }
        Ok(Examples(examples))
    }
}

#[cfg(test)]
impl JsonSchema for Examples {
    fn schema_name() -> Cow<'static, str> {
        "Examples".into()
    }

    fn schema_id() -> Cow<'static, str> {
        concat!(module_path!(), "::Examples").into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for outcome in ExampleOutcome::all() {
            let mut list = generator.subschema_for::<Vec<Scenario>>();
            list.insert("description".into(), outcome.description().into());
            properties.insert(outcome.name().into(), list.into());
        }
        json_schema!({
            "description": "Events that the rule matches, by effect, and events that it doesn't match. `ruleward test` and `ruleward lint` check them.",
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
            "examples": [example()],
        })
    }
}

impl Scenario {
    /// Describes the event in one line.
    pub fn summary(&self) -> String {
        let parts = [&self.command, &self.path, &self.url, &self.prompt, &self.response, &self.output, &self.subject];
        let tool = self.mcp.as_ref().map(|mcp| format!("{}/{}", mcp.server, mcp.tool)).or_else(|| self.tool.clone());
        let subject = parts.into_iter().flatten().next();
        let text = match (tool, subject) {
            (Some(tool), Some(subject)) if self.command.is_none() => format!("{tool} {subject}"),
            (_, Some(subject)) => subject.clone(),
            (Some(tool), None) => tool,
            (None, None) => self.when.clone().unwrap_or_default(),
        };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Omits examples from a compiled rule.
pub(super) fn serialize_empty<S: Serializer>(_: &Examples, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

/// Reads examples from a policy file, and none from a compiled rule.
pub(super) fn deserialize_examples<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Examples, D::Error> {
    if deserializer.is_human_readable() {
        return Examples::deserialize(deserializer);
    }
    <()>::deserialize(deserializer).map(|()| Examples::default())
}
