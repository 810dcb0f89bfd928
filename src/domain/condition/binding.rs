//! Bindings: what a rule picked out of an event, for its later conditions, its exceptions and its messages.

use std::fmt;
use std::ops::Range;

use crate::domain::facts::loss::LossKind;
use crate::domain::facts::memory::GateView;
use crate::domain::facts::{CommandIndex, Facts, TextField};
use crate::domain::layer::Layer;

/// What a rule picked out of an event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Binding {
    /// The layer that the rule comes from.
    pub layer: Layer,
    /// Whether every match in a text is needed, and not only the first.
    pub all_spans: bool,
    /// A command.
    pub command: Option<CommandIndex>,
    /// A file, by position in the facts.
    pub file: Option<usize>,
    /// The path that was matched, where the file is a pattern.
    pub matched_path: Option<String>,
    /// An address, by position in the facts.
    pub url: Option<usize>,
    /// An action, by position in the facts.
    pub action: Option<usize>,
    /// A part of a shell text whose effect is not known, by position in the facts.
    pub opaque: Option<usize>,
    /// A push, by position in the facts.
    pub push: Option<usize>,
    /// What would be lost.
    pub loss: Option<LossMatch>,
    /// A passage of a text.
    pub passage: Option<PassageMatch>,
    /// A secret.
    pub secret: Option<SecretMatch>,
    /// Personal data.
    pub pii: Option<PiiMatch>,
    /// The view of a gate.
    pub gate: Option<GateView>,
}

/// A change that loses something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossMatch {
    /// The change, by position in the facts.
    pub fact: usize,
    /// The kinds that the rule asks about.
    pub kinds: Vec<LossKind>,
}

/// A passage of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageMatch {
    /// The field that contains the text.
    pub field: TextField,
    /// The argument it came from.
    pub origin: String,
    /// The position of the text among those of the field.
    pub text_index: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// All spans that the rule picks out in the text, in order; only if every match is needed.
    pub spans: Vec<Range<usize>>,
}

impl PassageMatch {
    /// Returns the first passage that the rule picks out.
    pub fn value<'f>(&self, facts: &'f Facts<'_>) -> Option<&'f str> {
        let (text, _) = *facts.texts(self.field).get(self.text_index)?;
        Some(slice_on_char_boundaries(text, self.spans.first()?))
    }
}

/// Returns a part of a text, widened to whole characters.
pub(crate) fn slice_on_char_boundaries<'t>(text: &'t str, span: &Range<usize>) -> &'t str {
    text.get(text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end)).unwrap_or_default()
}

/// A value that was found. It can be searched for elsewhere, and is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SensitiveValue(String);

impl SensitiveValue {
    /// Wraps a value.
    pub fn new(value: &str) -> Self {
        Self(value.to_owned())
    }

    /// Returns the value.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SensitiveValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Found(..)")
    }
}

/// A secret, described so that it is safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretMatch {
    /// The detector's id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The advice where such a value belongs instead.
    pub advice: &'static str,
    /// The tier: `generic`, `paired`, `strong`, `proved`.
    pub tier: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// The masked value: its beginning, which does not disclose it.
    pub masked: String,
    /// The argument it came from.
    pub origin: String,
    /// The value itself.
    pub value: SensitiveValue,
}

/// Personal data, described so that it is safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PiiMatch {
    /// The kind's id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// The masked value: its kind, and the last digits of a long number.
    pub masked: String,
    /// The argument it came from.
    pub origin: String,
    /// The value itself.
    pub value: SensitiveValue,
}
