//! The arguments of a command, read by its row: an option that the row does not name ends the proof.

use super::row::Row;
use super::{Proved, gap};

/// A word of a command, after the shell's expansions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    /// The text.
    pub(super) text: String,
    /// Whether a part is known only when it runs.
    pub(super) is_computed: bool,
    /// Whether a pattern of file names was expanded to it.
    pub(super) is_expanded: bool,
}

/// What value an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    None,
    Text,
    Number,
    File,
    Directory,
    WorkingDirectory,
    Filter,
    Name,
    Repository,
    TwoTexts,
    Inline,
    Written,
    OneOf(&'static str),
}

/// An option that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GivenOption {
    pub(super) name: String,
    pub(super) kind: ValueKind,
    pub(super) value: Option<String>,
}

/// The arguments of a command.
#[derive(Debug, Default)]
pub(super) struct ParsedArguments {
    pub(super) options: Vec<GivenOption>,
    pub(super) operands: Vec<Argument>,
    /// The number of operands before `--`, if that is there.
    pub(super) separator: Option<usize>,
    /// How many words were read.
    pub(super) read: usize,
}

impl ParsedArguments {
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| names.contains(&option.name.as_str()))
    }

    pub(super) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.options.iter().filter(move |option| option.name == name).filter_map(|option| option.value.as_deref())
    }
}

/// The names of options that a row has.
struct Grammar {
    options: &'static str,
    has_words: bool,
    has_numbers: bool,
    /// Whether every word is an argument.
    is_raw: bool,
}

impl Grammar {
    fn new(row: &Row) -> Self {
        let has = |word: &str| row.options.split_whitespace().any(|known| known == word);
        Self { options: row.options, has_words: has("!words"), has_numbers: has("-#"), is_raw: has("!raw") }
    }

    fn find(&self, name: &str) -> Option<ValueKind> {
        self.options.split_whitespace().find_map(|known| {
            let (own, value) = known.split_once('=').map_or((known, None), |(own, value)| (own, Some(value)));
            (own == name).then_some(match value {
                None => ValueKind::None,
                Some("") => ValueKind::Text,
                Some("N") => ValueKind::Number,
                Some("F") => ValueKind::File,
                Some("D") => ValueKind::Directory,
                Some("C") => ValueKind::WorkingDirectory,
                Some("J") => ValueKind::Filter,
                Some("R") => ValueKind::Name,
                Some("O") => ValueKind::Repository,
                Some("2") => ValueKind::TwoTexts,
                Some("?") => ValueKind::Inline,
                Some("W") => ValueKind::Written,
                Some(words) => ValueKind::OneOf(words),
            })
        })
    }
}

/// Reads the words behind the name of a program. `stop` is the number of operands after which the rest is no argument
/// of this program.
pub(super) fn parse(row: &Row, words: &[Argument], stop: Option<usize>) -> Proved<ParsedArguments> {
    let grammar = Grammar::new(row);
    let mut parsed = ParsedArguments::default();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if stop == Some(parsed.operands.len()) && !word.text.starts_with('-') {
            break;
        }
        at += 1;
        let text = word.text.as_str();
        if grammar.is_raw {
            parsed.operands.push(word.clone());
            continue;
        }
        if text == "--" {
            parsed.separator = Some(parsed.operands.len());
            let rest = words.get(at..).unwrap_or_default();
            parsed.operands.extend(rest.iter().cloned());
            at = words.len();
            break;
        }
        if text.len() < 2 || !text.starts_with('-') {
            parsed.operands.push(word.clone());
            continue;
        }
        if word.is_computed || word.is_expanded {
            return gap(format!("`{text}` may be an option that is not known"));
        }
        read_option(&grammar, text, words, &mut at, &mut parsed.options)?;
    }
    parsed.read = at;
    Ok(parsed)
}

fn read_option(
    grammar: &Grammar,
    text: &str,
    words: &[Argument],
    at: &mut usize,
    options: &mut Vec<GivenOption>,
) -> Proved {
    if grammar.has_numbers && text.len() > 1 && text.bytes().skip(1).all(|byte| byte.is_ascii_digit()) {
        options.push(GivenOption { name: "-#".to_owned(), kind: ValueKind::None, value: None });
        return Ok(());
    }
    let is_long = text.starts_with("--") || grammar.has_words;
    if is_long {
        let (name, inline) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let Some(kind) = grammar.find(name) else { return gap(format!("the option `{name}` is not in the table")) };
        let value = match (kind, inline) {
            (ValueKind::None | ValueKind::Inline, None) => None,
            (ValueKind::None | ValueKind::TwoTexts, Some(_)) => {
                return gap(format!("the option `{name}` takes no such value"));
            }
            (ValueKind::TwoTexts, None) => {
                next_value(name, words, at)?;
                Some(next_value(name, words, at)?)
            }
            (_, Some(value)) => Some(value.to_owned()),
            (_, None) => Some(next_value(name, words, at)?),
        };
        return add(options, name, kind, value);
    }
    for (position, letter) in text.char_indices().skip(1) {
        let name = format!("-{letter}");
        let Some(kind) = grammar.find(&name) else { return gap(format!("the option `{name}` is not in the table")) };
        let behind = text.get(position + letter.len_utf8()..).unwrap_or_default();
        if matches!(kind, ValueKind::None) {
            add(options, &name, kind, None)?;
            continue;
        }
        let value = match kind {
            ValueKind::Inline if behind.is_empty() => None,
            ValueKind::TwoTexts => return gap(format!("the option `{name}` takes no such value")),
            _ if behind.is_empty() => Some(next_value(&name, words, at)?),
            _ => Some(behind.to_owned()),
        };
        return add(options, &name, kind, value);
    }
    Ok(())
}

fn next_value(name: &str, words: &[Argument], at: &mut usize) -> Proved<String> {
    let Some(word) = words.get(*at) else { return gap(format!("the option `{name}` has no value")) };
    *at += 1;
    if word.is_computed || word.is_expanded {
        return gap(format!("the value of the option `{name}` is not known"));
    }
    Ok(word.text.clone())
}

fn add(options: &mut Vec<GivenOption>, name: &str, kind: ValueKind, value: Option<String>) -> Proved {
    let text = value.as_deref().unwrap_or_default();
    let is_number = |text: &str| {
        let digits = text.trim_start_matches(['+', '-']).trim_end_matches(|c: char| c.is_ascii_alphabetic());
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
    };
    match kind {
        ValueKind::Number if !is_number(text) => return gap(format!("`{text}` is no number for `{name}`")),
        ValueKind::OneOf(words) if !words.split('|').any(|word| word == text) => {
            return gap(format!("`{text}` is not in the table for `{name}`"));
        }
        ValueKind::Repository if !is_name(text) || text.matches('/').count() != 1 => {
            return gap(format!("`{text}` is no repository of the configured host"));
        }
        ValueKind::Name if !is_name(text) => return gap(format!("`{text}` is no plain name for `{name}`")),
        _ => {}
    }
    options.push(GivenOption { name: name.to_owned(), kind, value });
    Ok(())
}

/// Returns whether a text is a name that a service has for something, and neither an address nor data.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/@#+-,".contains(c);
    let parts = text.split('/').count();
    !text.is_empty() && text.len() <= 120 && text.chars().all(is_plain) && !text.starts_with(['/', '-']) && parts <= 4
}
