//! Events in neutral words, and those that a rule gives as examples of itself.
//!
//! Examples document a rule and test it. They are no part of what the rule does, so the form in
//! which rules are stored has none of them.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serializer};
use serde_json::{Map, Value};

use super::effect::EffectKind;

/// An event in neutral words. A text alone is a shell command line.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "command"))]
pub struct Described {
    /// The moment; `tool.before` when not given.
    #[serde(default)]
    pub when: Option<String>,
    /// The tool: a neutral kind, or a host's own name.
    #[serde(default)]
    pub tool: Option<String>,
    /// Shell text that the call runs.
    #[serde(default)]
    pub command: Option<String>,
    /// The file that the call or the moment names.
    #[serde(default)]
    pub path: Option<String>,
    /// The text that the call writes.
    #[serde(default)]
    pub content: Option<String>,
    /// The address that the call fetches.
    #[serde(default)]
    pub url: Option<String>,
    /// The prompt.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The answer.
    #[serde(default)]
    pub response: Option<String>,
    /// Whether the agent was sent back to work before it gave the answer.
    #[serde(default)]
    pub again: bool,
    /// What the tool returned.
    #[serde(default)]
    pub output: Option<String>,
    /// The tool of a tool server.
    #[serde(default)]
    pub mcp: Option<ServerTool>,
    /// More arguments of the tool, by its own names.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// The subject of a moment without a shape of its own: a source, a reason, a trigger.
    #[serde(default)]
    pub subject: Option<String>,
    /// The sub-agent that acts.
    #[serde(default)]
    pub subagent: Option<String>,
    /// The host's permission mode.
    #[serde(default)]
    pub permission_mode: Option<String>,
    /// The directory that the host works in; the project when not given.
    #[serde(default)]
    pub cwd: Option<String>,
}

/// A tool of a tool server.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerTool {
    /// The server's name.
    pub server: String,
    /// Its own name of the tool.
    pub tool: String,
    /// The arguments.
    #[serde(default)]
    pub input: Map<String, Value>,
}

/// What a rule does to some events, and what it leaves alone. `ruleward test` and `ruleward lint`
/// hold the rule to it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = shown())]
pub struct Examples {
    /// What the rule refuses: command lines, or events as in tests.
    #[serde(default)]
    pub deny: Vec<Described>,
    /// What the rule puts off.
    #[serde(default)]
    pub defer: Vec<Described>,
    /// What the rule has a person asked about.
    #[serde(default)]
    pub ask: Vec<Described>,
    /// What the rule has nothing to say about.
    #[serde(default)]
    pub pass: Vec<Described>,
    /// What the rule approves.
    #[serde(default)]
    pub allow: Vec<Described>,
    /// What the rule ends the loop for.
    #[serde(default)]
    pub stop: Vec<Described>,
    /// What the rule sends the agent back to work for.
    #[serde(default)]
    pub retry: Vec<Described>,
    /// What the rule has the conversation begun anew for.
    #[serde(default)]
    pub clear_context: Vec<Described>,
    /// What the rule changes the input of.
    #[serde(default)]
    pub rewrite: Vec<Described>,
    /// What the rule answers in the model's place.
    #[serde(default)]
    pub respond: Vec<Described>,
    /// What the rule limits the tools at.
    #[serde(default)]
    pub tools: Vec<Described>,
    /// What the rule puts another text in the place of.
    #[serde(default)]
    pub replace: Vec<Described>,
    /// What the rule takes something out of.
    #[serde(default)]
    pub redact: Vec<Described>,
    /// What the rule runs its program at.
    #[serde(default)]
    pub run: Vec<Described>,
    /// What the rule tells the agent something about.
    #[serde(default)]
    pub context: Vec<Described>,
    /// What the rule tells the person something about.
    #[serde(default)]
    pub warn: Vec<Described>,
    /// What the rule leaves a note about.
    #[serde(default)]
    pub audit: Vec<Described>,
}

fn shown() -> Value {
    serde_json::json!({
        "deny": ["rm -rf ~", { "tool": "write", "path": ".env", "content": "A=1" }],
        "pass": ["rm -rf target"],
    })
}

/// What an example shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// The rule has this effect.
    Effect(EffectKind),
    /// The rule does not hold.
    Pass,
}

impl Showing {
    /// Returns what the examples under a key show.
    pub fn of_key(key: &str) -> Option<Self> {
        let effect = EffectKind::ALL.into_iter().find(|effect| effect.name() == key);
        effect.map(Self::Effect).or_else(|| (key == "pass").then_some(Self::Pass))
    }

    /// Returns the key under which such examples stand.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Effect(effect) => effect.name(),
            Self::Pass => "pass",
        }
    }
}

impl Examples {
    /// Returns the examples that show something.
    pub fn of(&self, showing: Showing) -> &[Described] {
        match showing {
            Showing::Pass => &self.pass,
            Showing::Effect(EffectKind::Stop) => &self.stop,
            Showing::Effect(EffectKind::Deny) => &self.deny,
            Showing::Effect(EffectKind::Defer) => &self.defer,
            Showing::Effect(EffectKind::Ask) => &self.ask,
            Showing::Effect(EffectKind::Replace) => &self.replace,
            Showing::Effect(EffectKind::Redact) => &self.redact,
            Showing::Effect(EffectKind::Retry) => &self.retry,
            Showing::Effect(EffectKind::ClearContext) => &self.clear_context,
            Showing::Effect(EffectKind::Rewrite) => &self.rewrite,
            Showing::Effect(EffectKind::Respond) => &self.respond,
            Showing::Effect(EffectKind::Tools) => &self.tools,
            Showing::Effect(EffectKind::Run) => &self.run,
            Showing::Effect(EffectKind::Context) => &self.context,
            Showing::Effect(EffectKind::Warn) => &self.warn,
            Showing::Effect(EffectKind::Allow) => &self.allow,
            Showing::Effect(EffectKind::Audit) => &self.audit,
        }
    }
}

impl Described {
    /// Says what happens, in one line.
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

/// Leaves examples out of a stored rule.
pub(super) fn store_none<S: Serializer>(_: &Examples, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

/// Reads examples where they are written, and none from a stored rule.
pub(super) fn read_written<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Examples, D::Error> {
    if deserializer.is_human_readable() {
        return Examples::deserialize(deserializer);
    }
    <()>::deserialize(deserializer).map(|()| Examples::default())
}
