//! What a rule picked out of an event: what its later questions, its exceptions and its messages
//! speak of.

use std::fmt;
use std::ops::Range;

use super::facts::{CommandAt, Facts, TextPlace};
use super::layer::Layer;
use super::state::Standing;

/// What a rule speaks of in an event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Focus {
    /// The layer that brought the rule.
    pub speaker: Layer,
    /// Whether every place in a text counts, and not only that there is one.
    pub every_place: bool,
    /// A command.
    pub command: Option<CommandAt>,
    /// A file, by position in the facts.
    pub file: Option<usize>,
    /// An address, by position in the facts.
    pub url: Option<usize>,
    /// Something that is done, by position in the facts.
    pub deed: Option<usize>,
    /// A place whose effect is not known, by position in the facts.
    pub opaque: Option<usize>,
    /// A place in a text.
    pub passage: Option<PassageAt>,
    /// A secret.
    pub secret: Option<SecretAt>,
    /// Personal data.
    pub pii: Option<PersonalAt>,
    /// How a gate stands.
    pub gate: Option<Standing>,
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageAt {
    /// Where the text stands.
    pub place: TextPlace,
    /// The argument it came from.
    pub origin: String,
    /// The text, by position among those of the place.
    pub text: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// All that the rule picks out in the text, in order; only where every place counts.
    pub spans: Vec<Range<usize>>,
}

impl PassageAt {
    /// Returns the first text that the rule picks out.
    pub fn value<'f>(&self, facts: &'f Facts<'_>) -> Option<&'f str> {
        let (text, _) = *facts.texts(self.place).get(self.text)?;
        Some(widened(text, self.spans.first()?))
    }
}

/// Returns a piece of a text, with the whole of the characters that it only has a part of.
pub(super) fn widened<'t>(text: &'t str, span: &Range<usize>) -> &'t str {
    text.get(text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end)).unwrap_or_default()
}

/// A value that was found. It is there to be looked for elsewhere, and shows itself to nobody.
#[derive(Clone, PartialEq, Eq)]
pub struct Found(String);

impl Found {
    /// Keeps a value.
    pub fn new(value: &str) -> Self {
        Self(value.to_owned())
    }

    /// Returns the value.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Found(..)")
    }
}

/// A secret, in words that are safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretAt {
    /// The detector's id.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Where such a value belongs instead.
    pub advice: &'static str,
    /// How well it is proved: `generic`, `paired`, `strong`, `proved`.
    pub tier: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// Its beginning, and nothing that would give it away.
    pub masked: String,
    /// The argument it came from.
    pub origin: String,
    /// The value itself.
    pub value: Found,
}

/// Personal data, in words that are safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalAt {
    /// The kind's id.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// Its kind, and of a long number its last digits.
    pub masked: String,
    /// The argument it came from.
    pub origin: String,
    /// The value itself.
    pub value: Found,
}
