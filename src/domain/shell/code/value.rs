//! Values of expressions, as far as the code determines them.

use super::Argument;
use crate::domain::shell::script::Word;
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

/// The longest text and list that are kept.
const MAX_TEXT: usize = 1 << 14;
const MAX_LIST: usize = 256;

/// The value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(Word),
    /// A text that the language knows as a path.
    Path(Word),
    List(Vec<Word>),
    /// What has a name: a function, a module, or a variable of which nothing else is known.
    Name(String),
    /// Named values, as in the options of a call.
    Named(Vec<(String, Value)>),
    Unknown,
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(Word { quoted: true, ..Word::known(text) })
    }

    /// Returns how much keeping the value costs.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Text(word) | Self::Path(word) => word.text.len(),
            Self::List(words) => words.iter().map(|word| word.text.len() + 8).sum(),
            Self::Name(name) => name.len(),
            Self::Named(values) => values.iter().map(|(name, value)| name.len() + value.cost()).sum(),
            Self::Unknown => 0,
        }
    }

    pub(super) const fn as_word(&self) -> Option<&Word> {
        match self {
            Self::Text(word) | Self::Path(word) => Some(word),
            _ => None,
        }
    }

    /// Returns the text, if all of it is known.
    pub(super) fn as_known_str(&self) -> Option<&str> {
        self.as_word().filter(|word| word.literal).map(|word| word.text.as_str())
    }

    /// Returns the value as one word; what is unknown is in it as such.
    pub(super) fn to_word(&self) -> Word {
        self.as_word().cloned().unwrap_or_else(|| Word::unknown(SUBSTITUTION_PLACEHOLDER))
    }

    /// Returns the value as the argument of a call.
    pub(super) fn to_argument(&self) -> Argument {
        match self {
            Self::Text(word) | Self::Path(word) => Argument::Text(word.clone()),
            Self::List(words) => Argument::List(words.clone()),
            Self::Named(values) => {
                let list = values.iter().find(|(name, _)| name == "args").map(|(_, value)| value);
                match list {
                    Some(Self::List(words)) => Argument::List(words.clone()),
                    _ => Argument::Unknown,
                }
            }
            Self::Name(_) | Self::Unknown => Argument::Unknown,
        }
    }

    /// Returns two values one after the other.
    pub(super) fn concat(self, other: &Self) -> Self {
        match (self, other) {
            (Self::List(mut words), Self::List(more)) if words.len() + more.len() <= MAX_LIST => {
                words.extend_from_slice(more);
                Self::List(words)
            }
            (Self::Text(word), other) => Self::text_within_limit(concat_words(word, &other.to_word())),
            (Self::Path(word), other) => Self::Path(concat_words(word, &other.to_word())),
            (Self::Unknown | Self::Name(_), Self::Text(word) | Self::Path(word)) => {
                Self::text_within_limit(concat_words(Word::unknown(SUBSTITUTION_PLACEHOLDER), word))
            }
            _ => Self::Unknown,
        }
    }

    /// Returns a path with another below it.
    pub(super) fn join_path(&self, other: &Self) -> Self {
        let (base, name) = (self.to_word(), other.to_word());
        if name.text.starts_with(['/', '~']) {
            return Self::Path(name);
        }
        let head = base.text.trim_end_matches('/');
        let text = format!("{head}/{}", name.text.trim_start_matches("./"));
        if text.len() > MAX_TEXT {
            return Self::Unknown;
        }
        Self::Path(Word { text, literal: base.literal && name.literal, glob: base.glob || name.glob, quoted: true })
    }

    fn text_within_limit(word: Word) -> Self {
        if word.text.len() > MAX_TEXT { Self::Unknown } else { Self::Text(word) }
    }
}

fn concat_words(mut word: Word, more: &Word) -> Word {
    word.text.push_str(&more.text);
    word.literal &= more.literal;
    word.glob |= more.glob;
    word
}

/// Returns the words of a list joined.
pub(super) fn join_words(words: &[Word], separator: &str) -> Value {
    let mut out = Word { quoted: true, ..Word::known("") };
    for (at, word) in words.iter().take(MAX_LIST).enumerate() {
        if at > 0 {
            out.text.push_str(separator);
        }
        out = concat_words(out, word);
    }
    Value::text_within_limit(out)
}

/// Returns the words of a text.
pub(super) fn split_words(word: &Word, separator: Option<&str>) -> Value {
    let word_of = |text: &str| Word { text: text.to_owned(), ..word.clone() };
    let words: Vec<Word> = match separator.filter(|separator| !separator.is_empty()) {
        Some(separator) => word.text.split(separator).take(MAX_LIST).map(word_of).collect(),
        None => word.text.split_whitespace().take(MAX_LIST).map(word_of).collect(),
    };
    Value::List(words)
}

/// Puts values into the places of a format: `%s`, `{}`.
pub(super) fn format_values(format: &Word, values: &[Word]) -> Value {
    let mut values = values.iter();
    let mut out = Word { text: String::new(), ..format.clone() };
    let mut rest = format.text.as_str();
    while let Some(at) = rest.find(['%', '{']) {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.text.push_str(before);
        let length = if behind.starts_with('{') { behind.find('}').map(|at| at + 1) } else { Some(2) };
        let Some(length) = length.filter(|length| *length <= behind.len() && behind.is_char_boundary(*length)) else {
            out.text.push_str(behind);
            return Value::text_within_limit(out);
        };
        out = concat_words(out, &values.next().cloned().unwrap_or_else(|| Word::unknown(SUBSTITUTION_PLACEHOLDER)));
        rest = behind.get(length..).unwrap_or_default();
    }
    out.text.push_str(rest);
    Value::text_within_limit(out)
}
