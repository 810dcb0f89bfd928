//! What is taken out of the texts of an event, and what stands there instead.
//!
//! The places are counted in the texts that a redaction may change at the moment, in the order of
//! [`texts`]. What stood there is not kept: a verdict holds no value of a secret.

mod find;
mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::{Map, Value};

use super::event::{Event, Payload};
use super::kind::Kind;
use super::verdict::Note;

pub use find::of;
pub use stream::{Step, Stream};

/// A stretch of one of the texts, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Which text, by position.
    pub text: usize,
    /// Where it begins.
    pub start: usize,
    /// Where it ends; beyond the beginning.
    pub end: usize,
}

/// What is taken out, with the placeholders that rules want there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redactions(BTreeMap<Stretch, BTreeSet<Note>>);

impl Redactions {
    /// Adds a stretch and what a rule wants in its place.
    pub fn insert(&mut self, stretch: Stretch, placeholder: Note) {
        if stretch.start < stretch.end {
            self.0.entry(stretch).or_default().insert(placeholder);
        }
    }

    /// Adds what others take out.
    pub fn extend(&mut self, other: Self) {
        for (stretch, placeholders) in other.0 {
            self.0.entry(stretch).or_default().extend(placeholders);
        }
    }

    /// Tells whether nothing is taken out.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the rules that take something out.
    pub fn rules(&self) -> BTreeSet<&str> {
        self.0.values().flatten().map(|note| note.rule.as_str()).collect()
    }

    /// Returns how many places change: stretches that overlap are one.
    pub fn places(&self) -> usize {
        let texts: BTreeSet<usize> = self.0.keys().map(|stretch| stretch.text).collect();
        texts.into_iter().map(|text| self.merged(text).len()).sum()
    }

    /// Returns how many places change, for people: `1 place`, `2 places`.
    pub fn places_in_words(&self) -> String {
        match self.places() {
            1 => "1 place".to_owned(),
            several => format!("{several} places"),
        }
    }

    /// Returns a text of the event without what is taken out; `None` when all of it stays.
    pub fn apply(&self, index: usize, text: &str) -> Option<String> {
        let merged = self.merged(index);
        if merged.is_empty() {
            return None;
        }
        let mut shown = String::with_capacity(text.len());
        let mut copied = 0;
        for (span, placeholder) in merged {
            // What does not fit the text is widened until it does: nothing may be left standing.
            let start = text.floor_char_boundary(span.start).max(copied);
            shown.push_str(text.get(copied..start).unwrap_or_default());
            shown.push_str(placeholder);
            copied = text.ceil_char_boundary(span.end);
        }
        shown.push_str(text.get(copied..).unwrap_or_default());
        Some(shown)
    }

    /// Returns what is taken out of a text, in order, without overlaps.
    pub fn spans(&self, index: usize) -> Vec<Range<usize>> {
        self.merged(index).into_iter().map(|(span, _)| span).collect()
    }

    /// Returns what is taken out of a part of a text, counted from where the part begins.
    #[must_use]
    pub fn within(&self, index: usize, part: &Range<usize>) -> Self {
        let mut within = Self::default();
        let inside = |(stretch, _): &(&Stretch, _)| stretch.text == index;
        for (stretch, placeholders) in self.0.iter().filter(inside) {
            let (start, end) = (stretch.start.max(part.start), stretch.end.min(part.end));
            for placeholder in placeholders.iter().filter(|_| start < end) {
                let stretch = Stretch { text: index, start: start - part.start, end: end - part.start };
                within.insert(stretch, placeholder.clone());
            }
        }
        within
    }

    /// Returns the stretches of a text, those that overlap as one with the placeholder of the gravest rule.
    fn merged(&self, index: usize) -> Vec<(Range<usize>, &str)> {
        let first = Stretch { text: index, start: 0, end: 0 };
        let mut merged: Vec<(Range<usize>, &Note)> = Vec::new();
        for (stretch, placeholders) in self.0.range(first..).take_while(|(stretch, _)| stretch.text == index) {
            let Some(note) = placeholders.first() else { continue };
            match merged.last_mut() {
                Some((span, known)) if stretch.start < span.end => {
                    span.end = span.end.max(stretch.end);
                    *known = (*known).min(note);
                }
                _ => merged.push((stretch.start..stretch.end, note)),
            }
        }
        merged.into_iter().map(|(span, note)| (span, note.text.as_str())).collect()
    }
}

/// Returns the texts of an event that a redaction may change, in order.
pub fn texts<'e>(event: &'e Event<'_>) -> Vec<&'e str> {
    match (event.kind, &event.payload) {
        (Kind::ToolBefore, Payload::Tools(calls)) => {
            let mut texts = Vec::new();
            for call in calls {
                call.input.values().for_each(|value| strings(value, NOTHING, &mut |text| texts.push(text)));
            }
            texts
        }
        (_, Payload::Tools(calls)) => {
            let outcomes = calls.iter().filter_map(|call| call.outcome.as_ref());
            outcomes.flat_map(|outcome| &outcome.output).map(AsRef::as_ref).collect()
        }
        (_, Payload::Model(model)) => model.response.as_deref().into_iter().collect(),
        (_, Payload::Answer(answer)) => answer.text.into_iter().collect(),
        (_, Payload::Prompt(_) | Payload::Notice(_)) => Vec::new(),
    }
}

/// Tells of an entry of an object that it is no text, whatever its value is.
pub type Skips = fn(&Map<String, Value>, &str) -> bool;

/// Leaves nothing out.
pub const NOTHING: Skips = |_, _| false;

/// Visits the texts in a value, in order. Empty ones are none.
pub fn strings<'v>(value: &'v Value, skips: Skips, visit: &mut dyn FnMut(&'v str)) {
    match value {
        Value::String(text) if !text.is_empty() => visit(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, skips, visit)),
        Value::Object(entries) => {
            let texts = entries.iter().filter(|(key, _)| !skips(entries, key));
            texts.for_each(|(_, entry)| strings(entry, skips, visit));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a value with its texts changed, in the order in which [`strings`] visits them.
#[must_use]
pub fn with_strings(value: &Value, skips: Skips, change: &mut dyn FnMut(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) if !text.is_empty() => change(text).map_or_else(|| value.clone(), Value::String),
        Value::Array(items) => items.iter().map(|item| with_strings(item, skips, change)).collect(),
        Value::Object(entries) => {
            let changed = entries.iter().map(|(key, entry)| {
                let kept = skips(entries, key);
                (key.clone(), if kept { entry.clone() } else { with_strings(entry, skips, change) })
            });
            Value::Object(changed.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}
