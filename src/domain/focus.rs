//! What a rule picked out of an event: what its later questions, its exceptions and its messages
//! speak of.

use super::facts::{CommandAt, TextPlace};
use super::layer::Layer;

/// What a rule speaks of in an event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Focus {
    /// The layer that brought the rule.
    pub speaker: Layer,
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
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageAt {
    /// Where the text stands.
    pub place: TextPlace,
    /// The argument it came from.
    pub origin: String,
    /// The line, counted from 1.
    pub line: usize,
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
}
