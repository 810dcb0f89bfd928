//! The effects of a rule: the map under `then`.
//!
//! Each effect has a field of its own type; the types of those with more than a text have a file each.
//! [`RuleEffects::get`] and `clear` map every [`EffectKind`] to its field, so that a new effect does not compile
//! without one.

pub mod allow;
pub mod backup;
pub mod redact;
pub mod respond;
pub mod retry;

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cache::CachePolicy;
use super::limit::ToolLimit;
use super::run::Run;
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::text::literal::Literal;
use crate::domain::text::template::Template;
use allow::Allow;
use backup::Backup;
use redact::Redact;
use respond::Respond;
use retry::Retry;

/// The effects of a rule.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleEffects {
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
    /// Copies what the call would destroy before it runs, so that `ruleward undo` can restore it; the call then goes
    /// ahead. `{}` has the usual bounds.
    #[serde(default)]
    pub backup: Option<Backup>,
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

/// The parameters of one effect.
#[derive(Debug, Clone, Copy)]
pub enum RuleEffect<'r> {
    /// A text.
    Text(&'r Template),
    /// No parameters.
    Flag,
    /// A text that sends the agent back to work.
    Retry(&'r Retry),
    /// A text or cached answers of the model.
    Respond(&'r Respond),
    /// A reason for skipping the host's question.
    Allow(&'r Allow),
    /// The placeholder for what was found.
    Redact(&'r Redact),
    /// New values of fields.
    Rewrite(&'r BTreeMap<String, Literal>),
    /// A limit on the tools.
    Tools(&'r ToolLimit),
    /// A program.
    Run(&'r Run),
    /// The bounds of a backup.
    Backup(&'r Backup),
}

impl<'r> RuleEffect<'r> {
    /// Returns the text of the effect, if it has one.
    pub fn message(self) -> Option<&'r Template> {
        match self {
            Self::Text(text) => Some(text),
            Self::Retry(retry) => Some(&retry.reason),
            Self::Respond(respond) => respond.with.as_ref(),
            Self::Allow(allow) => Some(&allow.reason),
            Self::Flag | Self::Redact(_) | Self::Rewrite(_) | Self::Tools(_) | Self::Run(_) | Self::Backup(_) => {
                None
            },
        }
    }
}

impl RuleEffects {
    /// Returns the parameters of an effect; `None` if the rule does not ask for it.
    pub fn get(&self, kind: EffectKind) -> Option<RuleEffect<'_>> {
        match kind {
            EffectKind::Stop => self.stop.as_ref().map(RuleEffect::Text),
            EffectKind::Deny => self.deny.as_ref().map(RuleEffect::Text),
            EffectKind::Defer => self.defer.as_ref().map(RuleEffect::Text),
            EffectKind::Ask => self.ask.as_ref().map(RuleEffect::Text),
            EffectKind::Replace => self.replace.as_ref().map(RuleEffect::Text),
            EffectKind::Redact => self.redact.as_ref().map(RuleEffect::Redact),
            EffectKind::Retry => self.retry.as_ref().map(RuleEffect::Retry),
            EffectKind::ClearContext => self.clear_context.then_some(RuleEffect::Flag),
            EffectKind::Rewrite => self.rewrite.as_ref().map(RuleEffect::Rewrite),
            EffectKind::Respond => self.respond.as_ref().filter(|it| !it.is_empty()).map(RuleEffect::Respond),
            EffectKind::Tools => self.tools.as_ref().map(RuleEffect::Tools),
            EffectKind::Run => self.run.as_ref().map(RuleEffect::Run),
            EffectKind::Backup => self.backup.as_ref().map(RuleEffect::Backup),
            EffectKind::Context => self.context.as_ref().map(RuleEffect::Text),
            EffectKind::Warn => self.warn.as_ref().map(RuleEffect::Text),
            EffectKind::Allow => self.allow.as_ref().map(RuleEffect::Allow),
            EffectKind::Audit => self.audit.as_ref().map(RuleEffect::Text),
        }
    }

    /// Lists the effects that the rule asks for, in the order of the effects.
    pub fn iter(&self) -> impl Iterator<Item = (EffectKind, RuleEffect<'_>)> {
        EffectKind::ALL.into_iter().filter_map(|kind| Some((kind, self.get(kind)?)))
    }

    /// Lists the effects that are messages, with their texts.
    pub fn messages(&self) -> impl Iterator<Item = (EffectKind, &Template)> {
        self.iter().filter_map(|(kind, effect)| Some((kind, effect.message()?)))
    }

    /// Returns the kinds of effect that the rule asks for.
    pub fn effects(&self) -> Effects {
        self.iter().fold(Effects::default(), |kinds, (kind, _)| kinds.with(kind))
    }

    /// Returns the cache policy for the model's answers, if there is one.
    pub fn cache(&self) -> Option<CachePolicy> {
        self.respond.as_ref()?.cache
    }

    /// Removes and returns the effects that need trust.
    pub fn take_untrusted(&mut self) -> Effects {
        let mut withheld = Effects::default();
        for kind in self.effects().iter().filter(|kind| kind.needs_trust()) {
            self.clear(kind);
            withheld = withheld.with(kind);
        }
        withheld
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
            EffectKind::Backup => self.backup = None,
            EffectKind::Context => self.context = None,
            EffectKind::Warn => self.warn = None,
            EffectKind::Allow => self.allow = None,
            EffectKind::Audit => self.audit = None,
        }
    }
}
