//! What a hook says, on its way to a verdict.
//!
//! A row of the dialect's host tells what that host makes of each effect at an event; what it does
//! not listen to is passed over here as well.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Circumstances, Misunderstood, Said, Speaker, call};
use crate::adapters::{Host, Row, Support};
use crate::domain::effect::EffectKind;
use crate::domain::event::{Event, Payload};
use crate::domain::limit::{Limited, ToolMode};
use crate::domain::verdict::{Note, Proposal, Verdict};

/// An answer that was taken.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heard {
    /// What it comes to.
    pub verdict: Verdict,
    /// Its fields of which nothing is made, in order.
    pub unused: Vec<String>,
}

/// An answer that is being taken.
#[derive(Debug)]
pub struct Hearing<'a> {
    pub(in crate::adapters) host: &'static Host,
    pub(in crate::adapters) dialect: &'static Host,
    pub(in crate::adapters) row: &'static Row,
    pub(in crate::adapters) event: &'a Event<'a>,
    pub(in crate::adapters) said: Said<'a>,
    pub(in crate::adapters) verdict: Verdict,
    unused: BTreeSet<String>,
    speaker: Speaker<'a>,
    circumstances: Circumstances<'a>,
}

impl<'a> Hearing<'a> {
    pub(super) fn new(
        (host, dialect): (&'static Host, &'static Host),
        row: &'static Row,
        event: &'a Event<'a>,
        (said, speaker): (Said<'a>, Speaker<'a>),
        circumstances: &Circumstances<'a>,
    ) -> Self {
        let verdict = Verdict::default();
        let unused = BTreeSet::new();
        Self { host, dialect, row, event, said, verdict, unused, speaker, circumstances: *circumstances }
    }

    /// Tells whether the hook speaks as the host in use does.
    pub(in crate::adapters) fn is_own(&self) -> bool {
        self.host.name == self.dialect.name
    }

    /// Returns the exit code.
    pub(in crate::adapters) fn exit(&self) -> Result<i32, Misunderstood> {
        self.said.exit.ok_or(Misunderstood::Signal)
    }

    /// Tells whether the dialect's host carries an effect out itself at this event.
    pub(in crate::adapters) fn listens(&self, effect: EffectKind) -> bool {
        matches!(
            self.row.support(effect),
            Some(
                Support::Honoured(_)
                    | Support::With(_)
                    | Support::Since(..)
                    | Support::Shaped(..)
                    | Support::Interactive(..)
                    | Support::Beside(..)
            )
        )
    }

    /// Notes an effect, where the dialect's host listens to it.
    pub(in crate::adapters) fn say(&mut self, effect: EffectKind, text: &str) {
        if self.listens(effect) {
            self.put(effect, text);
        }
    }

    /// Notes an effect.
    pub(in crate::adapters) fn put(&mut self, effect: EffectKind, text: &str) {
        let note = self.note(text);
        self.verdict.notes_mut(effect).insert(note);
    }

    fn note(&self, text: &str) -> Note {
        let text =
            if text.is_empty() { format!("The hook `{}` gave no reason.", self.speaker.rule) } else { text.to_owned() };
        Note { severity: Reverse(self.speaker.severity), rule: self.speaker.rule.to_owned(), text }
    }

    /// Notes the fields of an answer that nothing is made of: all but these.
    pub(in crate::adapters) fn uses(&mut self, fields: &Map<String, Value>, known: &[&str]) {
        let others = fields.keys().filter(|key| !known.contains(&key.as_str()));
        self.unused.extend(others.cloned());
    }

    /// Notes new values of fields.
    pub(in crate::adapters) fn propose(&mut self, changes: impl IntoIterator<Item = (String, Value)>) {
        for (field, value) in changes {
            let proposal = Proposal { rule: self.speaker.rule.to_owned(), value };
            self.verdict.rewrite.insert(field, vec![proposal]);
        }
    }

    /// Notes that the call's input is to be this one, as the hook was told of it.
    pub(in crate::adapters) fn propose_input(&mut self, wanted: &Map<String, Value>) -> Result<(), Misunderstood> {
        let Some(call) = self.event.call() else { return Ok(()) };
        let told = call::told(self.host, self.dialect, call, self.circumstances.place);
        let told = told.map_err(|why| Misunderstood::Unmapped(why.0))?.input;
        let mapping = call::mapping(self.host, self.dialect, call);
        let changes = call::changes(&mapping, call, &told, wanted).map_err(Misunderstood::Unmapped)?;
        self.propose(changes);
        Ok(())
    }

    /// Notes which tools the model may choose from, by the dialect's names.
    pub(in crate::adapters) fn limit(&mut self, mode: ToolMode, names: Option<Vec<&str>>) {
        let own = |name: &str| {
            let other = self.dialect.tool(name).filter(|_| !self.is_own());
            other.and_then(|tool| call::told_as(self.host, tool)).map_or(name, |tool| tool.wire).to_owned()
        };
        let allow = names.map(|names| names.into_iter().map(own).collect());
        let note = self.note(&format!("The hook `{}` limits the tools.", self.speaker.rule));
        self.verdict.tools.insert(Limited { note, mode, allow, deny: Vec::new() });
    }

    /// Tells whether what was said so far holds the action back.
    pub(in crate::adapters) fn holds_back(&mut self) -> bool {
        use EffectKind::{Ask, Defer, Deny, Retry, Stop};
        [Stop, Deny, Defer, Ask, Retry].into_iter().any(|effect| self.verdict.has(effect))
    }

    /// Returns what was said. An agent that was already sent back to work in this turn may end.
    pub(super) fn finish(mut self) -> Heard {
        if matches!(&self.event.payload, Payload::Answer(answer) if answer.again) {
            for effect in [EffectKind::Retry, EffectKind::Context] {
                if self.verdict.has(effect) {
                    self.verdict.notes_mut(effect).clear();
                    self.verdict.spent.insert(effect);
                }
            }
            self.verdict.clear_context.clear();
        }
        Heard { verdict: self.verdict, unused: self.unused.into_iter().collect() }
    }
}

/// Reads an answer that has begun as an object.
pub(in crate::adapters) fn object(text: &str) -> Result<Map<String, Value>, Misunderstood> {
    serde_json::from_str(text).map_err(|error| Misunderstood::Junk(error.to_string()))
}

/// Returns a text of an answer; one of another type is none.
pub(in crate::adapters) fn text_in<'m>(fields: &'m Map<String, Value>, key: &str) -> Option<&'m str> {
    fields.get(key).and_then(Value::as_str)
}
