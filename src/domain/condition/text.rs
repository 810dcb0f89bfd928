//! `shell:`, `content:`, `prompt:`, `output:`, `response:` — what a text contains.

#[cfg(test)]
use std::borrow::Cow;
use std::ops::Range;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::binding::{Binding, PassageMatch};
use super::evaluate::is_stricter_pair;
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, RESULT_KINDS, Reference, Selection};
use super::requirements::{Requirement, Requirements};
use crate::domain::event::kind::Kind;
use crate::domain::facts::{Facts, TextField};
use crate::domain::text::pattern::{Pattern, contains_ignore_case};
use crate::domain::text::template::RenderError;

/// Conditions on a text; one of the given keys must match.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "contains")))]
pub struct TextMatcher {
    /// Words or phrases that it contains.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Regular expressions that match part of it.
    #[serde(default)]
    pub regex: Vec<Pattern>,
    /// Whether `contains` ignores case.
    #[serde(default)]
    pub ignore_case: bool,
}

/// Defines a condition for each text of an event that has one: `Type: field, requirement, kinds;`.
macro_rules! text_conditions {
    ($($(#[$doc:meta])* $name:ident: $field:ident, $requirement:ident, $kinds:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
        #[serde(transparent)]
        pub struct $name(pub TextMatcher);

        #[cfg(test)]
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                TextMatcher::schema_name()
            }

            fn schema_id() -> Cow<'static, str> {
                TextMatcher::schema_id()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                TextMatcher::json_schema(generator)
            }
        }

        impl Condition for $name {
            fn spec() -> ConditionSpec {
                ConditionSpec { kinds: Some($kinds), selection: Selection::Text }
            }

            fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
                Ok(self.0.matches(facts, TextField::$field, binding).into())
            }

            fn is_empty(&self) -> bool {
                self.0.contains.is_empty() && self.0.regex.is_empty()
            }

            fn implies(&self, wide: &Self) -> bool {
                self.0.implies(&wide.0)
            }

            fn require(&self, requirements: &mut Requirements) {
                requirements.add(Requirement::$requirement);
            }

            fn for_each_reference(&self, _: &mut dyn FnMut(Reference<'_>)) {}
        }
    )*};
}

text_conditions! {
    /// What the shell text as a whole holds.
    ShellText: Command, Shell, CALL_KINDS;
    /// What the text that a call writes holds.
    ContentText: Content, Content, CALL_KINDS;
    /// What the prompt holds.
    PromptText: Prompt, Prompt, PROMPT_KINDS;
    /// What the output of a tool holds.
    OutputText: Output, Output, RESULT_KINDS;
    /// What the answer of the agent or the model holds.
    ResponseText: Response, Response, RESPONSE_KINDS;
}

/// The kinds of events that have a prompt, including one that a call gives to a sub-agent.
const PROMPT_KINDS: &[Kind] = &[
    Kind::PromptSubmit,
    Kind::PromptExpand,
    Kind::AgentAfter,
    Kind::SubagentAfter,
    Kind::ModelBefore,
    Kind::ModelTools,
    Kind::ModelAfter,
    Kind::ToolBefore,
    Kind::ToolAfter,
    Kind::ToolFailed,
    Kind::ToolBatch,
    Kind::PermissionRequest,
    Kind::PermissionDenied,
];

/// The kinds of events that have an answer.
const RESPONSE_KINDS: &[Kind] = &[Kind::AgentAfter, Kind::SubagentAfter, Kind::ModelAfter];

impl TextMatcher {
    fn matches(&self, facts: &Facts<'_>, place: TextField, binding: &Binding) -> Vec<Binding> {
        let hits = facts.texts(place).into_iter().enumerate().filter_map(|(index, (text, origin))| {
            let at = self.find(text)?;
            let spans = if binding.all_spans { self.find_all(text) } else { Vec::new() };
            Some(PassageMatch {
                field: place,
                origin: origin.to_owned(),
                text_index: index,
                line: line_of(text, at),
                spans,
            })
        });
        hits.map(|passage| Binding { passage: Some(passage), ..binding.clone() }).collect()
    }

    fn implies(&self, wide: &Self) -> bool {
        let Self { contains, regex, ignore_case } = self;
        *ignore_case == wide.ignore_case && is_stricter_pair((contains, regex), (&wide.contains, &wide.regex))
    }

    /// Returns all matches in the text, in order.
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

    /// Returns the byte at which the first match begins.
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

/// Returns the number of the line that contains a byte, counted from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
