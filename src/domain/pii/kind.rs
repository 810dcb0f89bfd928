//! The row type of the table of kinds, and what its columns mean.

/// A kind of personal data and how to know it.
#[derive(Debug)]
pub struct Kind {
    /// Kebab-case and unique; what policies write.
    pub id: &'static str,
    /// What it is, as a noun phrase for people.
    pub name: &'static str,
    /// How it is found.
    pub find: Find,
    /// Words, in lower case, of which one stands near a number that many others resemble.
    pub words: &'static [&'static str],
    /// Texts that hold one value each.
    pub positive: &'static [&'static str],
    /// The nearest texts without one.
    pub negative: &'static [&'static str],
}

/// How a kind is found.
#[derive(Debug, Clone, Copy)]
pub enum Find {
    /// A number of one of these forms whose letters and digits pass the check.
    Number(&'static [Form], fn(&[u8]) -> bool),
    /// A search of its own: from where it may begin, how long the value is.
    Search(Search),
}

/// A search that no form can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// An address of a machine in the public Internet.
    PublicAddress,
    /// An address of a machine in a private network.
    PrivateAddress,
}

/// How a number is written.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// `9` is a digit, `A` a capital letter, `X` either, `M` also `<` for nothing; `_` is a space, a hyphen or nothing, the same throughout;
    /// anything else is itself.
    pub shape: &'static str,
    /// Whether a word of the kind must stand near.
    pub needs_word: bool,
}

/// A form that is telling by itself.
pub(super) const fn clear(shape: &'static str) -> Form {
    Form { shape, needs_word: false }
}

/// A form that needs a word of its kind.
pub(super) const fn beside_word(shape: &'static str) -> Form {
    Form { shape, needs_word: true }
}
