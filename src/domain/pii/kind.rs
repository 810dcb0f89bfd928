//! The row type of the table of kinds, and what its columns mean.

/// A kind of personal data and how it is detected.
#[derive(Debug)]
pub struct PiiKind {
    /// The id in policies: kebab-case and unique.
    pub id: &'static str,
    /// What it is, as a noun phrase for messages.
    pub name: &'static str,
    /// How it is found.
    pub detection: Detection,
    /// Context words, in lower case, of which one must be near a number that many others resemble.
    pub context_words: &'static [&'static str],
    /// Texts that hold one value each.
    pub positive: &'static [&'static str],
    /// Similar texts without a value.
    pub negative: &'static [&'static str],
}

/// How a kind is found.
#[derive(Debug, Clone, Copy)]
pub enum Detection {
    /// A number in one of these formats whose letters and digits pass the check.
    Number(&'static [NumberFormat], fn(&[u8]) -> bool),
    /// A built-in search.
    BuiltIn(SearchKind),
}

/// A search that no format can describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// An address of a machine in the public Internet.
    PublicAddress,
    /// An address of a machine in a private network.
    PrivateAddress,
}

/// The format of a number.
#[derive(Debug, Clone, Copy)]
pub struct NumberFormat {
    /// `9` is a digit, `A` a capital letter, `X` either, `M` also `<` as filler; `_` is a space, a hyphen or nothing,
    /// the same throughout; anything else is literal.
    pub pattern: &'static str,
    /// Whether a context word must be near.
    pub needs_context: bool,
}

/// Returns a format that identifies its kind by itself.
pub(super) const fn distinctive(shape: &'static str) -> NumberFormat {
    NumberFormat { pattern: shape, needs_context: false }
}

/// Returns a format that needs a context word.
pub(super) const fn ambiguous(shape: &'static str) -> NumberFormat {
    NumberFormat { pattern: shape, needs_context: true }
}
