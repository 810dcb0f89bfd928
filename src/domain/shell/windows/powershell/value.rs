//! What expressions come to: texts, tables and blocks of code.

use std::ops::Range;

use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

/// The most texts that one value has.
const MAX_TEXTS: usize = 32;

/// The longest text that is put together, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// The value of an expression. A list and a variable with one of several values are the same here: what is done with
/// it is done with each.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    /// The texts; none for `$null`.
    pub(super) words: Vec<Word>,
    /// Why its text is unknown, when it would be run as code.
    pub(super) origin: Option<OpaqueReason>,
    /// The entries of a table, by their names.
    pub(super) entries: Vec<(String, Self)>,
    /// Where the code of a block is.
    pub(super) block: Option<Range<usize>>,
}

impl Value {
    /// Returns a text that is known.
    pub(super) fn known(text: impl Into<String>) -> Self {
        Self::of(Word { quoted: true, ..Word::known(text) })
    }

    /// Returns a value of which only a description is known.
    pub(super) fn unknown(text: impl Into<String>) -> Self {
        Self::of(Word { quoted: true, ..Word::unknown(text) })
    }

    /// Returns what some command prints.
    pub(super) fn output() -> Self {
        Self::unknown(SUBSTITUTION_PLACEHOLDER)
    }

    pub(super) fn of(word: Word) -> Self {
        Self { words: vec![word], ..Self::default() }
    }

    pub(super) fn list(words: Vec<Word>) -> Self {
        Self { words, ..Self::default() }
    }

    pub(super) fn with_origin(self, origin: Option<OpaqueReason>) -> Self {
        Self { origin: origin.or(self.origin), ..self }
    }

    /// Returns the only text, when it is known.
    pub(super) fn text(&self) -> Option<&str> {
        match self.words.as_slice() {
            [word] if word.literal => Some(&word.text),
            _ => None,
        }
    }

    /// Returns the texts as one word, with a separator between them.
    pub(super) fn join(&self, separator: &str) -> Word {
        let texts: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        Word {
            text: texts.join(separator),
            literal: self.words.iter().all(|word| word.literal),
            glob: false,
            quoted: true,
        }
    }

    /// Adds the texts of another value.
    pub(super) fn extend(&mut self, other: Self) {
        self.origin = self.origin.or(other.origin);
        for word in other.words {
            if self.words.len() < MAX_TEXTS {
                self.words.push(word);
            }
        }
        self.entries.extend(other.entries);
    }

    /// Adds the texts of another value that are not among its own.
    pub(super) fn merge(&mut self, other: Self) {
        let words = other.words.iter().filter(|word| !self.words.contains(word)).cloned().collect();
        self.extend(Self { words, ..other });
    }

    /// Puts texts after each of its own.
    pub(super) fn append(&mut self, other: &Self) {
        self.origin = self.origin.or(other.origin);
        let empty = [Word { quoted: true, ..Word::known("") }];
        let ends = if other.words.is_empty() { &empty } else { other.words.as_slice() };
        let starts = if self.words.is_empty() { &empty } else { self.words.as_slice() };
        let length: usize = starts.iter().map(|word| word.text.len()).sum::<usize>() * ends.len()
            + ends.iter().map(|word| word.text.len()).sum::<usize>() * starts.len();
        if starts.len() * ends.len() > MAX_TEXTS || length > MAX_TEXT {
            self.words = vec![Word { quoted: true, ..Word::unknown(SUBSTITUTION_PLACEHOLDER) }];
            return;
        }
        let both = |start: &Word, end: &Word| Word {
            text: format!("{}{}", start.text, end.text),
            literal: start.literal && end.literal,
            glob: start.glob || end.glob,
            quoted: start.quoted || end.quoted,
        };
        self.words = starts.iter().flat_map(|start| ends.iter().map(move |end| both(start, end))).collect();
    }

    /// Returns the value with a function applied to each known text; a text that has no result is unknown.
    pub(super) fn map(self, change: impl Fn(&str) -> Option<String>) -> Self {
        let each = |word: Word| match change(&word.text) {
            Some(text) if word.literal => Word { text, ..word },
            _ => Word { text: SUBSTITUTION_PLACEHOLDER.to_owned(), literal: false, ..word },
        };
        Self { words: self.words.into_iter().map(each).collect(), ..self }
    }

    /// Returns the value of an entry of a table.
    pub(super) fn entry(&self, name: &str) -> Option<&Self> {
        self.entries.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}
