//! Decodes the output of a hook into a verdict.
//!
//! A row of the dialect's host defines how that host supports each effect at an event; effects that
//! the host ignores are ignored here as well.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{AnswerDecoder, Attribution, EncodeContext, HookOutput, InvalidAnswer, call};
use crate::adapters::contract::{EventRow, Host, Support};
use crate::domain::effect::EffectKind;
use crate::domain::event::{Event, Payload};
use crate::domain::policy::limit::ToolMode;
use crate::domain::verdict::limit::ToolLimitNote;
use crate::domain::verdict::note::Note;
use crate::domain::verdict::{Proposal, Verdict};

/// A decoded answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HookAnswer {
    /// The resulting verdict.
    pub verdict: Verdict,
    /// Its fields that were not used, in order.
    pub unused: Vec<String>,
}

impl<'a> AnswerDecoder<'a> {
    pub(super) fn new(
        (host, dialect): (&'static Host, &'static Host),
        row: &'static EventRow,
        event: &'a Event<'a>,
        (output, attribution): (HookOutput<'a>, Attribution<'a>),
        circumstances: &EncodeContext<'a>,
    ) -> Self {
        let verdict = Verdict::default();
        let unused = BTreeSet::new();
        Self { host, dialect, row, event, output, verdict, unused, attribution, context: *circumstances }
    }

    /// Returns whether the hook uses the protocol of the host in use.
    pub(in crate::adapters) fn is_same_host(&self) -> bool {
        self.host.name == self.dialect.name
    }

    /// Returns the exit code.
    pub(in crate::adapters) fn exit_code(&self) -> Result<i32, InvalidAnswer> {
        self.output.exit_code.ok_or(InvalidAnswer::Signal)
    }

    /// Returns whether the dialect's host itself supports an effect at this event.
    pub(in crate::adapters) fn supports(&self, effect: EffectKind) -> bool {
        matches!(
            self.row.support(effect),
            Some(
                Support::Full(_)
                    | Support::WithNote(_)
                    | Support::Since(..)
                    | Support::KnownShape(..)
                    | Support::Interactive(..)
                    | Support::Combined(..)
            )
        )
    }

    /// Adds an effect, if the dialect's host supports it.
    pub(in crate::adapters) fn add_if_supported(&mut self, effect: EffectKind, text: &str) {
        if self.supports(effect) {
            self.add(effect, text);
        }
    }

    /// Adds an effect.
    pub(in crate::adapters) fn add(&mut self, effect: EffectKind, text: &str) {
        let note = self.note(text);
        self.verdict.notes.insert(effect, note);
    }

    fn note(&self, text: &str) -> Note {
        let text = if text.is_empty() {
            format!("The hook `{}` gave no reason.", self.attribution.rule)
        } else {
            text.to_owned()
        };
        Note { severity: Reverse(self.attribution.severity), rule: self.attribution.rule.to_owned(), text }
    }

    /// Records the unused fields of an answer: all but these.
    pub(in crate::adapters) fn record_unused(&mut self, fields: &Map<String, Value>, known: &[&str]) {
        let others = fields.keys().filter(|key| !known.contains(&key.as_str()));
        self.unused.extend(others.cloned());
    }

    /// Adds new values of fields.
    pub(in crate::adapters) fn propose_rewrites(&mut self, changes: impl IntoIterator<Item = (String, Value)>) {
        for (field, value) in changes {
            let proposal = Proposal { rule: self.attribution.rule.to_owned(), value };
            self.verdict.rewrite.insert(field, vec![proposal]);
        }
    }

    /// Proposes this input for the call, in the encoding that was sent to the hook.
    pub(in crate::adapters) fn propose_input(&mut self, wanted: &Map<String, Value>) -> Result<(), InvalidAnswer> {
        let Some(call) = self.event.call() else { return Ok(()) };
        let told = call::encode_call(self.host, self.dialect, call, self.context.place);
        let told = told.map_err(|why| InvalidAnswer::Unsupported(why.0))?.input;
        let mapping = call::mapping(self.host, self.dialect, call);
        let changes = call::decode_changes(&mapping, call, &told, wanted)
            .map_err(|change| InvalidAnswer::Unsupported(change.to_string()))?;
        self.propose_rewrites(changes);
        Ok(())
    }

    /// Limits the tools that the model may choose from, by the dialect's names.
    pub(in crate::adapters) fn limit_tools(&mut self, mode: ToolMode, names: Option<Vec<&str>>) {
        let own = |name: &str| {
            let other = self.dialect.tool(name).filter(|_| !self.is_same_host());
            other.and_then(|tool| call::equivalent_tool(self.host, tool)).map_or(name, |tool| tool.wire).to_owned()
        };
        let allow = names.map(|names| names.into_iter().map(own).collect());
        let note = self.note(&format!("The hook `{}` limits the tools.", self.attribution.rule));
        self.verdict.tools.insert(ToolLimitNote { note, mode, allow, deny: Vec::new() });
    }

    /// Returns whether the answer so far blocks the action.
    pub(in crate::adapters) fn is_blocking(&self) -> bool {
        use EffectKind::{Ask, Defer, Deny, Retry, Stop};
        [Stop, Deny, Defer, Ask, Retry].into_iter().any(|effect| self.verdict.has_effect(effect))
    }

    /// Returns the decoded answer. An agent that was already sent back to work in this turn may end.
    pub(super) fn finish(mut self) -> HookAnswer {
        if matches!(&self.event.payload, Payload::Answer(answer) if answer.is_retry) {
            for effect in EffectKind::ALL.into_iter().filter(|effect| effect.spec().continues_turn) {
                if self.verdict.has_effect(effect) {
                    self.verdict.notes.clear(effect);
                    self.verdict.exhausted.insert(effect);
                }
            }
            self.verdict.notes.clear(EffectKind::ClearContext);
        }
        HookAnswer { verdict: self.verdict, unused: self.unused.into_iter().collect() }
    }
}

/// Parses an answer that starts as an object.
pub(in crate::adapters) fn parse_object(text: &str) -> Result<Map<String, Value>, InvalidAnswer> {
    serde_json::from_str(text).map_err(|error| InvalidAnswer::Malformed(error.to_string()))
}
