//! Redactions: the spans that are removed from the texts of an event, and the placeholders that replace them.
//!
//! A span refers to the texts that a redaction may change at this kind of event, in the order of
//! [`redactable_texts`]. The removed text is not stored: a verdict contains no value of a secret.

mod stream;

use crate::domain::event::strings::SKIP_NONE;
use crate::domain::event::strings::visit_strings;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::note::Note;
use crate::domain::event::kind::Kind;
use crate::domain::event::{Event, Payload};
use crate::domain::text::escape_sequence::style_sequences;

pub use stream::{RedactionStream, StreamStep};

/// A span of one of the texts, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextSpan {
    /// The position of the text.
    pub text: usize,
    /// The start.
    pub start: usize,
    /// The end, greater than the start.
    pub end: usize,
}

/// The spans to remove, with the placeholders of rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redactions(BTreeMap<TextSpan, BTreeSet<Note>>);

impl Redactions {
    /// Adds a span and the placeholder of a rule.
    pub fn insert(&mut self, stretch: TextSpan, placeholder: Note) {
        if stretch.start < stretch.end {
            self.0.entry(stretch).or_default().insert(placeholder);
        }
    }

    /// Adds other redactions.
    pub fn extend(&mut self, other: Self) {
        for (stretch, placeholders) in other.0 {
            self.0.entry(stretch).or_default().extend(placeholders);
        }
    }

    /// Returns whether there are no redactions.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all redactions.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the rules that redact something.
    pub fn rules(&self) -> BTreeSet<&str> {
        self.0.values().flatten().map(|note| note.rule.as_str()).collect()
    }

    /// Returns the number of replaced spans; spans that overlap count as one.
    pub fn place_count(&self) -> usize {
        let texts: BTreeSet<usize> = self.0.keys().map(|stretch| stretch.text).collect();
        texts.into_iter().map(|text| self.merged_spans(text).len()).sum()
    }

    /// Describes the number of replaced spans: `1 place`, `2 places`.
    pub fn describe_places(&self) -> String {
        match self.place_count() {
            1 => "1 place".to_owned(),
            several => format!("{several} places"),
        }
    }

    /// Returns a text of the event after redaction; `None` if it is unchanged.
    pub fn apply(&self, index: usize, text: &str) -> Option<String> {
        let merged = self.merged_spans(index);
        if merged.is_empty() {
            return None;
        }
        let mut shown = String::with_capacity(text.len());
        let mut copied = 0;
        for (span, placeholder) in merged {
            // A span that cuts a character is widened, so that nothing of it remains.
            let start = text.floor_char_boundary(span.start).max(copied);
            shown.push_str(text.get(copied..start).unwrap_or_default());
            shown.push_str(placeholder);
            copied = text.ceil_char_boundary(span.end);
            // What follows keeps the style that it had.
            shown.extend(text.get(start..copied).into_iter().flat_map(style_sequences));
        }
        shown.push_str(text.get(copied..).unwrap_or_default());
        Some(shown)
    }

    /// Returns the spans of a text, in order, without overlaps.
    pub fn spans(&self, index: usize) -> Vec<Range<usize>> {
        self.merged_spans(index).into_iter().map(|(span, _)| span).collect()
    }

    /// Returns the redactions of a part of a text, relative to the start of the part.
    #[must_use]
    pub fn slice(&self, index: usize, part: &Range<usize>) -> Self {
        let mut within = Self::default();
        let inside = |(stretch, _): &(&TextSpan, _)| stretch.text == index;
        for (stretch, placeholders) in self.0.iter().filter(inside) {
            let (start, end) = (stretch.start.max(part.start), stretch.end.min(part.end));
            for placeholder in placeholders.iter().filter(|_| start < end) {
                let stretch = TextSpan { text: index, start: start - part.start, end: end - part.start };
                within.insert(stretch, placeholder.clone());
            }
        }
        within
    }

    /// Merges the overlapping spans of a text, with the placeholder of the most severe rule.
    fn merged_spans(&self, index: usize) -> Vec<(Range<usize>, &str)> {
        let first = TextSpan { text: index, start: 0, end: 0 };
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
pub fn redactable_texts<'e>(event: &'e Event<'_>) -> Vec<&'e str> {
    match (event.kind, &event.payload) {
        (Kind::ToolBefore, Payload::Tools(calls)) => {
            let mut texts = Vec::new();
            for call in calls {
                call.input.values().for_each(|value| visit_strings(value, SKIP_NONE, &mut |text| texts.push(text)));
            }
            texts
        }
        (_, Payload::Tools(calls)) => {
            let outcomes = calls.iter().filter_map(|call| call.result.as_ref());
            outcomes.flat_map(|outcome| &outcome.output).map(AsRef::as_ref).collect()
        }
        (_, Payload::Model(model)) => model.response.as_deref().into_iter().collect(),
        (_, Payload::Answer(answer)) => answer.text.into_iter().collect(),
        (_, Payload::Prompt(_) | Payload::Notice(_)) => Vec::new(),
    }
}
