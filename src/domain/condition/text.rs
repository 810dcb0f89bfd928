//! `content:`, `prompt:`, `output:`, `response:` — what a text is like.

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
        let hits = facts.texts(place).into_iter().filter_map(|(text, origin)| {
            let at = self.find(text)?;
            Some(PassageAt { place, origin: origin.to_owned(), line: line_of(text, at) })
        });
        hits.map(|passage| Focus { passage: Some(passage), ..focus.clone() }).collect()
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
