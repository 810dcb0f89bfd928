//! One named line of a policy: when it looks, what must hold, what follows.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cache::Cache;
use super::condition::Conditions;
use super::effect::{EffectKind, Effects};
use super::example::{Examples, read_written, store_none};
use super::kind::{Kind, Moments};
use super::layer::Layer;
use super::limit::ToolLimit;
use super::literal::Literal;
use super::run::Run;
use super::template::Template;

/// A rule as it stands in a policy.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The name by which people, tests, the audit log and other layers speak of the rule.
    pub id: String,
    /// Why the rule is there, for those who read the policy.
    #[serde(default)]
    pub description: Option<String>,
    /// How grave it is that the rule holds; the gravest reason stands first in an answer.
    #[serde(default)]
    pub severity: Severity,
    /// Whether the rule acts, or only records what it would have done.
    #[serde(default)]
    pub mode: Mode,
    /// Whether a person may let a single call past the rule with `ruleward allow`. Where it is not
    /// said, yes, but for rules of the managed layer.
    #[serde(default)]
    pub exceptions: Option<bool>,
    /// The moments at which the rule looks.
    pub when: Moments,
    /// What must hold; all that is given must.
    #[serde(default)]
    #[schemars(flatten)]
    pub conditions: Conditions,
    /// What must not hold.
    #[serde(default)]
    pub except: Vec<Conditions>,
    /// What follows.
    pub then: Then,
    /// What the rule does to some events, and what it leaves alone. They are checked by
    /// `ruleward test` and `ruleward lint`; the hook has nothing to do with them.
    #[serde(default, serialize_with = "store_none", deserialize_with = "read_written")]
    #[schemars(with = "Examples")]
    pub examples: Examples,
}

impl Rule {
    /// Gives the id of every gate that the rule asks about to `each`.
    pub fn gates(&self, each: &mut dyn FnMut(&str)) {
        self.conditions.gates(each);
        self.except.iter().for_each(|exception| exception.gates(each));
    }

    /// Gives every name that the rule uses in expressions, messages and under `match`, dotted, to `each`.
    pub fn names(&self, each: &mut dyn FnMut(&str)) {
        self.conditions.names(each);
        self.except.iter().for_each(|exception| exception.names(each));
        let values = self.then.rewrite.iter().flat_map(BTreeMap::values).flat_map(Literal::templates);
        let texts = self.then.messages().map(|(_, template)| template);
        let run = self.then.run.iter().flat_map(Run::templates);
        texts.chain(values).chain(run).flat_map(Template::names).for_each(|name| each(name));
    }
}

/// How grave it is that a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Low,
    /// Worth stopping for.
    #[default]
    Medium,
    /// Costs work or trust.
    High,
    /// Cannot be undone.
    Critical,
}

/// Whether a rule acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The effects are carried out.
    #[default]
    Enforce,
    /// What would have happened is recorded, and nothing changes.
    Monitor,
}

/// The effects of a rule.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Then {
    /// Ends the agent's loop, with this reason. On a tool call it refuses the call as well.
    #[serde(default)]
    pub stop: Option<Template>,
    /// Refuses, with this reason for the agent: say what to do instead.
    #[serde(default)]
    pub deny: Option<Template>,
    /// Puts the call off, for this reason: a host that runs without a person ends the run, and the
    /// call is judged again when the run is taken up.
    #[serde(default)]
    pub defer: Option<Template>,
    /// Has a person asked, with this reason.
    #[serde(default)]
    pub ask: Option<Template>,
    /// Puts this text in the place of the whole output or answer.
    #[serde(default)]
    pub replace: Option<Template>,
    /// Takes what the conditions found out of the text: each secret, piece of personal data or
    /// passage is replaced by a placeholder such as `[aws-access-key-id:3f2a]`, or by a text of
    /// your own. Before a call, it changes the call's input.
    #[serde(default)]
    pub redact: Option<Redact>,
    /// Sends the agent back to work, with this reason: once, or as often as `max_retries` says.
    #[serde(default)]
    pub retry: Option<Retry>,
    /// Has the agent begin its conversation anew, beside `retry` or `stop`.
    #[serde(default)]
    pub clear_context: bool,
    /// Gives fields new values; `null` takes a field away. Of a tool's input, `command`, `path`,
    /// `content` and `url` stand for whatever the host calls them; other names are the tool's own.
    /// Of a request to the model, there are `model`, `temperature`, `top_p`, `top_k`, `max_tokens`
    /// and `prompt`, the last message of the user's. Of what a tool server asks a person for, the
    /// names are those of the server's form.
    #[serde(default)]
    pub rewrite: Option<BTreeMap<String, Literal>>,
    /// Answers in the model's place with this text, or with what it has answered to an equal request
    /// before; the model is not asked.
    #[serde(default)]
    pub respond: Option<Respond>,
    /// Limits the tools that the model may use: `none`, a list of what is allowed, or a map. At
    /// `model.tools` the model is told; calls of other tools are refused at `tool.before`.
    #[serde(default)]
    pub tools: Option<ToolLimit>,
    /// Runs a program, and heeds what it says.
    #[serde(default)]
    pub run: Option<Run>,
    /// Tells the agent this.
    #[serde(default)]
    pub context: Option<Template>,
    /// Tells the person this.
    #[serde(default)]
    pub warn: Option<Template>,
    /// Skips the host's own question, for this reason. Never overrides a refusal or another
    /// rule's question.
    #[serde(default)]
    pub allow: Option<Allow>,
    /// Leaves this note in the audit log.
    #[serde(default)]
    pub audit: Option<Template>,
}

impl Rule {
    /// Returns the moments at which the rule is judged: those that it watches, and that of a call
    /// which it may refuse because the model was not to make it.
    pub fn moments(&self) -> Moments {
        let limits = self.then.tools.as_ref().is_some_and(|limit| limit.enforce);
        if limits { self.when.or(Moments::one(Kind::ToolBefore)) } else { self.when }
    }

    /// Tells whether a person may let a call past the rule, when this layer brought it.
    pub fn may_be_excepted(&self, layer: Layer) -> bool {
        self.exceptions.unwrap_or(layer != Layer::Managed)
    }
}

/// What is put in the place of what a rule found.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "with"), example = "[{{ finding.name }}]")]
pub struct Redact {
    /// The placeholder; `{{ finding.id }}`, `{{ finding.name }}` and `{{ finding.tag }}` speak of
    /// what stood there. When not given, `[{{ finding.id }}:{{ finding.tag }}]`: within a session
    /// the same value has the same tag.
    #[serde(default)]
    pub with: Option<Template>,
}

/// That the host's own question is skipped. A text alone is the reason.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "reason"), example = shown_allow())]
pub struct Allow {
    /// Why.
    pub reason: Template,
    /// How long the host is to remember the approval of this very command line, so that it does not ask
    /// again; at `permission.request`. When not given, it asks again, and the rule is judged again.
    #[serde(default)]
    pub remember: Option<Lifetime>,
}

/// How long a host remembers an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lifetime {
    /// Until the session ends.
    Session,
}

fn shown_allow() -> serde_json::Value {
    serde_json::json!({ "reason": "The tests are harmless.", "remember": "session" })
}

/// That the agent is sent back to work. A text alone is the reason.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "reason"), example = shown_retry())]
pub struct Retry {
    /// What is still to be done.
    pub reason: Template,
    /// How often an agent is sent back at most before it may end: 1 when not given, 100 at most. An answer
    /// that nobody sent back begins the count anew.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 100))]
    pub max_retries: u32,
}

impl Retry {
    /// As often as an agent may be sent back at most.
    pub const MOST: u32 = 100;
}

const fn once() -> u32 {
    1
}

fn shown_retry() -> serde_json::Value {
    serde_json::json!({ "reason": "The tests still fail.", "max_retries": 3 })
}

/// An answer in the model's place: a text, or what the model has answered to an equal request before.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "with"), example = "They stand in CONTRIBUTING.md.")]
pub struct Respond {
    /// The answer.
    #[serde(default)]
    pub with: Option<Template>,
    /// Keeps what the model answers, and gives it again to an equal request.
    #[serde(default)]
    pub cache: Option<Cache>,
}

impl Then {
    /// Lists the effects that are messages, with their texts.
    pub fn messages(&self) -> impl Iterator<Item = (EffectKind, &Template)> {
        [
            (EffectKind::Stop, self.stop.as_ref()),
            (EffectKind::Deny, self.deny.as_ref()),
            (EffectKind::Defer, self.defer.as_ref()),
            (EffectKind::Ask, self.ask.as_ref()),
            (EffectKind::Replace, self.replace.as_ref()),
            (EffectKind::Retry, self.retry.as_ref().map(|retry| &retry.reason)),
            (EffectKind::Respond, self.respond.as_ref().and_then(|respond| respond.with.as_ref())),
            (EffectKind::Context, self.context.as_ref()),
            (EffectKind::Warn, self.warn.as_ref()),
            (EffectKind::Allow, self.allow.as_ref().map(|allow| &allow.reason)),
            (EffectKind::Audit, self.audit.as_ref()),
        ]
        .into_iter()
        .filter_map(|(kind, template)| Some((kind, template?)))
    }

    /// Returns the kinds of effect that the rule asks for.
    pub fn effects(&self) -> Effects {
        let mut kinds: Vec<EffectKind> = self.messages().map(|(kind, _)| kind).collect();
        if self.rewrite.is_some() {
            kinds.push(EffectKind::Rewrite);
        }
        if self.tools.is_some() {
            kinds.push(EffectKind::Tools);
        }
        if self.redact.is_some() {
            kinds.push(EffectKind::Redact);
        }
        if self.run.is_some() {
            kinds.push(EffectKind::Run);
        }
        if self.clear_context {
            kinds.push(EffectKind::ClearContext);
        }
        if self.cache().is_some() {
            kinds.push(EffectKind::Respond);
        }
        Effects::of(&kinds)
    }

    /// Returns the terms on which answers of the model are given again, if they are.
    pub fn cache(&self) -> Option<Cache> {
        self.respond.as_ref()?.cache
    }

    /// Takes out the effects that wait for trust, and returns which there were.
    pub fn withhold(&mut self) -> Effects {
        let withheld: Vec<EffectKind> = self.effects().iter().filter(|kind| kind.needs_trust()).collect();
        for kind in &withheld {
            self.clear(*kind);
        }
        Effects::of(&withheld)
    }

    fn clear(&mut self, kind: EffectKind) {
        match kind {
            EffectKind::Stop => self.stop = None,
            EffectKind::Deny => self.deny = None,
            EffectKind::Defer => self.defer = None,
            EffectKind::Ask => self.ask = None,
            EffectKind::Replace => self.replace = None,
            EffectKind::Redact => self.redact = None,
            EffectKind::Retry => self.retry = None,
            EffectKind::ClearContext => self.clear_context = false,
            EffectKind::Rewrite => self.rewrite = None,
            EffectKind::Respond => self.respond = None,
            EffectKind::Tools => self.tools = None,
            EffectKind::Run => self.run = None,
            EffectKind::Context => self.context = None,
            EffectKind::Warn => self.warn = None,
            EffectKind::Allow => self.allow = None,
            EffectKind::Audit => self.audit = None,
        }
    }
}
