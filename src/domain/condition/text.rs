//! `content:`, `prompt:`, `output:`, `response:` — what a text is like.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::facts::{Facts, TextPlace};
use crate::domain::focus::{Focus, PassageAt};
use crate::domain::pattern::{Pattern, contains_ignore_case};

/// What a text holds; one of all that is given is enough.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-shorthand" = "contains"))]
pub struct Text {
    /// Words or phrases that stand in it.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Regular expressions that match in it.
    #[serde(default)]
    pub regex: Vec<Pattern>,
    /// Whether the letter case of `contains` is ignored.
    #[serde(default)]
    pub ignore_case: bool,
}

impl Text {
    pub(super) fn narrow(&self, facts: &Facts<'_>, place: TextPlace, focus: &Focus) -> Vec<Focus> {
        let hits = facts.texts(place).into_iter().enumerate().filter_map(|(index, (text, origin))| {
            let at = self.find(text)?;
            let spans = if focus.every_place { self.find_all(text) } else { Vec::new() };
            Some(PassageAt { place, origin: origin.to_owned(), text: index, line: line_of(text, at), spans })
        });
        hits.map(|passage| Focus { passage: Some(passage), ..focus.clone() }).collect()
    }

    /// Returns all that is like this in the text, in order.
    fn find_all(&self, text: &str) -> Vec<Range<usize>> {
        let folded = self.ignore_case.then(|| text.to_ascii_lowercase());
        let words = self.contains.iter().filter(|word| !word.is_empty()).flat_map(|word| {
            let (text, word) =
                folded.as_deref().map_or_else(|| (text, word.clone()), |it| (it, word.to_ascii_lowercase()));
            text.match_indices(&word).map(|(at, word)| at..at + word.len()).collect::<Vec<_>>()
        });
        let mut found: Vec<_> = words.chain(self.regex.iter().flat_map(|pattern| pattern.find_all(text))).collect();
        found.retain(|span| !span.is_empty());
        found.sort_unstable_by_key(|span| (span.start, span.end));
        found
    }

    /// Returns the byte at which the text first is like this.
    fn find(&self, text: &str) -> Option<usize> {
        let words = self.contains.iter().filter_map(|word| {
            if self.ignore_case {
                contains_ignore_case(text, &word.to_ascii_lowercase())
                    .then(|| text.to_ascii_lowercase().find(&word.to_ascii_lowercase()).unwrap_or_default())
            } else {
                text.find(word.as_str())
            }
        });
        words.chain(self.regex.iter().filter_map(|pattern| pattern.find(text).map(|found| found.start))).min()
    }
}

/// Returns the number of the line in which a byte stands, counted from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
