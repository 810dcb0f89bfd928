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
    /// Ends the agent's loop, with this reason. A tool call is denied as well.
    #[serde(default)]
    pub stop: Option<Template>,
    /// Denies the event, with this reason for the agent: say what to do instead.
    #[serde(default)]
    pub deny: Option<Template>,
    /// Defers the call, for this reason: a host without a user ends the run, and the call is
    /// evaluated again when the run continues.
    #[serde(default)]
    pub defer: Option<Template>,
    /// Asks the user, with this reason.
    #[serde(default)]
    pub ask: Option<Template>,
    /// Replaces the whole output or answer with this text.
    #[serde(default)]
    pub replace: Option<Template>,
    /// Redacts what the conditions found: replaces each secret, personal data or passage with a
    /// placeholder such as `[aws-access-key-id:3f2a]`, or with your own text. Before a call, it
    /// changes the call's input.
    #[serde(default)]
    pub redact: Option<Redact>,
    /// Sends the agent back, with this reason: once, or up to `max_retries` times.
    #[serde(default)]
    pub retry: Option<Retry>,
    /// Clears the agent's conversation, with `retry` or `stop`.
    #[serde(default)]
    pub clear_context: bool,
    /// Sets fields to new values; `null` removes a field. For a tool's input, use `command`,
    /// `path`, `content` and `url` on every host, or the tool's own names. For a request to the
    /// model, use `model`, `temperature`, `top_p`, `top_k`, `max_tokens` and `prompt` (the user's
    /// last message). For a form of an MCP server, use the names of the form.
    #[serde(default)]
    pub rewrite: Option<BTreeMap<String, Literal>>,
    /// Answers with this text, or with the model's earlier answer to an equal request; the model is
    /// not called.
    #[serde(default)]
    pub respond: Option<Respond>,
    /// Limits the tools that the model can use: `none`, a list of allowed tools, or a map. The
    /// model is told at `model.tools`; calls of other tools are denied at `tool.before`.
    #[serde(default)]
    pub tools: Option<ToolLimit>,
    /// Runs a program and uses its result.
    #[serde(default)]
    pub run: Option<Run>,
    /// Copies what the call would destroy before it runs, so that `ruleward undo` can restore it; the call then goes
    /// ahead. `{}` has the usual bounds.
    #[serde(default)]
    pub backup: Option<Backup>,
    /// Tells the agent this.
    #[serde(default)]
    pub context: Option<Template>,
    /// Tells the user this.
    #[serde(default)]
    pub warn: Option<Template>,
    /// Skips the host's own question, for this reason. Never overrides a denial or another rule's
    /// question.
    #[serde(default)]
    pub allow: Option<Allow>,
    /// Adds this note to the audit log.
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
            Self::Flag | Self::Redact(_) | Self::Rewrite(_) | Self::Tools(_) | Self::Run(_) | Self::Backup(_) => None,
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
