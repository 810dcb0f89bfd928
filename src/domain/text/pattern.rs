//! Regular expressions that are compiled lazily.
//!
//! When a pattern is read from a policy, a set of words of which every match must contain one is derived from its
//! syntax. For a bundled pack, the words are stored with the pattern, and the expression is only compiled after one
//! of them was found in the text. Matching is linear in the text. Character classes are ASCII unless the pattern
//! itself contains other characters, since the Unicode tables cost a hundred times as much to build.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::{Parser, ParserBuilder};
#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// The greatest number of bytes of one compiled pattern.
const SIZE_LIMIT: usize = 1 << 20;

/// The reason why a text is not a pattern.
#[derive(Debug, Clone, PartialEq)]
pub enum InvalidPattern {
    /// It does not follow the syntax.
    Syntax(Box<regex_syntax::Error>),
    /// It would exceed the size limit when compiled.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// It cannot be compiled.
    Compilation(regex::Error),
}

impl fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The caret of the syntax crate's message would repeat the one of the policy's diagnostic.
            Self::Syntax(error) => match error.as_ref() {
                regex_syntax::Error::Parse(error) => error.kind().fmt(f),
                regex_syntax::Error::Translate(error) => error.kind().fmt(f),
                other => other.fmt(f),
            },
            Self::TooLarge { limit } => {
                write!(f, "the pattern is too large: it compiles to more than {limit} bytes")
            }
            Self::Compilation(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InvalidPattern {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error.as_ref()),
            Self::TooLarge { .. } => None,
            Self::Compilation(error) => Some(error),
        }
    }
}

/// A regular expression of a policy.
#[derive(Debug, Clone, Serialize)]
pub struct Pattern {
    source: String,
    /// Lower-case words of which every match contains one; empty if there are none.
    keywords: Vec<String>,
    /// Bytes of which every match contains one.
    bytes: ByteSet,
    #[serde(skip)]
    compiled: OnceLock<Option<Regex>>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Returns what is wrong with its syntax, in one line.
    pub fn parse(source: &str) -> Result<Self, InvalidPattern> {
        let hir = parser(source).parse(source).map_err(|error| InvalidPattern::Syntax(Box::new(error)))?;
        match build(source) {
            // Its size is only known once it is compiled, so the compiled form is kept.
            Ok(regex) => Ok(Self {
                source: source.to_owned(),
                keywords: required(&hir).unwrap_or_default(),
                bytes: ByteSet::required_words(&hir),
                compiled: Some(regex).into(),
            }),
            Err(regex::Error::CompiledTooBig(limit)) => Err(InvalidPattern::TooLarge { limit }),
            Err(error) => Err(InvalidPattern::Compilation(error)),
        }
    }

    /// Returns the pattern as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the first match.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.regex_for(text)?.find(text.as_bytes()).map(|found| found.range())
    }

    /// Returns all matches.
    pub fn find_all(&self, text: &str) -> Vec<Range<usize>> {
        let regex = self.regex_for(text);
        regex.map(|regex| regex.find_iter(text.as_bytes()).map(|found| found.range()).collect()).unwrap_or_default()
    }

    /// Returns whether every match contains an unusual character; see [`has_unusual_char`].
    pub fn requires_unusual_char(&self) -> bool {
        parser(&self.source).parse(&self.source).is_ok_and(|hir| hir_requires_unusual_char(&hir))
    }

    /// Returns the compiled expression, unless it cannot match in the text.
    fn regex_for(&self, text: &str) -> Option<&Regex> {
        if !self.keywords.is_empty() && !self.keywords.iter().any(|word| contains_ignore_case(text, word)) {
            return None;
        }
        if self.keywords.is_empty() && !self.bytes.is_any_in(text) {
            return None;
        }
        self.compiled.get_or_init(|| build(&self.source).ok()).as_ref()
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct StoredPattern {
            source: String,
            keywords: Vec<String>,
            bytes: ByteSet,
        }
        if deserializer.is_human_readable() {
            let source = Cow::<str>::deserialize(deserializer)?;
            return Self::parse(&source)
                .map_err(|error| D::Error::custom(format!("invalid regular expression: {error}")));
        }
        StoredPattern::deserialize(deserializer).map(|StoredPattern { source, keywords, bytes }| Self {
            source,
            keywords,
            bytes,
            compiled: OnceLock::new(),
        })
    }
}

#[cfg(test)]
impl JsonSchema for Pattern {
    fn schema_name() -> Cow<'static, str> {
        "Pattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "regex", "description": "A regular expression (linear time, no look-around)." })
    }
}

fn parser(source: &str) -> Parser {
    ParserBuilder::new().utf8(false).unicode(is_unicode(source)).build()
}

fn build(source: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(source).unicode(is_unicode(source)).size_limit(SIZE_LIMIT).build()
}

fn is_unicode(source: &str) -> bool {
    !source.is_ascii() || [r"\p", r"\P", r"\u", r"\U", r"\x{", "(?u"].iter().any(|mark| source.contains(mark))
}

/// The greatest number of bytes of a text that is searched byte by byte: a faster search first detects the features
/// of the processor, which in a virtual machine takes longer than the search.
const SHORT_TEXT_BYTES: usize = 4 << 10;

/// Returns whether the text contains the lower-case word in any ASCII case.
pub fn contains_ignore_case(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some((at, rarest)) = word.iter().copied().enumerate().min_by_key(|(_, byte)| frequency_rank(*byte)) else {
        return true;
    };
    let stands_at = |found: usize| {
        let start = found.checked_sub(at);
        let here = start.and_then(|start| text.get(start..start + word.len()));
        here.is_some_and(|here| here.eq_ignore_ascii_case(word))
    };
    if text.len() <= SHORT_TEXT_BYTES {
        let mut places = text.iter().enumerate().filter(|(_, byte)| byte.to_ascii_lowercase() == rarest);
        return places.any(|(found, _)| stands_at(found));
    }
    memchr::memchr2_iter(rarest, rarest.to_ascii_uppercase(), text).any(stands_at)
}

/// Returns how frequent a lower-case byte is in texts and code, as a rank.
fn frequency_rank(byte: u8) -> usize {
    const LETTERS: &[u8] = b"zqjxkwvybghfmpudcl-_.1=0:/ osnriate";
    LETTERS.iter().position(|other| *other == byte).unwrap_or_default()
}

/// The one character beyond ASCII in our own texts, which marks what is not known.
const ELLIPSIS: char = '…';

/// Returns whether a text contains an unusual character, which neither plain ASCII text nor our own texts contain.
pub fn has_unusual_char(text: &str) -> bool {
    // Most texts are decided by their bytes: every byte beyond ASCII counts as unusual there.
    text.bytes().any(|byte| is_unusual_char(char::from(byte))) && text.chars().any(is_unusual_char)
}

const fn is_unusual_char(character: char) -> bool {
    !matches!(character, ' '..='~' | '\t' | '\n' | '\r' | ELLIPSIS)
}

/// Returns whether every match of an expression contains an unusual character.
fn hir_requires_unusual_char(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Capture(capture) => hir_requires_unusual_char(&capture.sub),
        HirKind::Repetition(repetition) => repetition.min > 0 && hir_requires_unusual_char(&repetition.sub),
        HirKind::Alternation(branches) => branches.iter().all(hir_requires_unusual_char),
        HirKind::Concat(parts) => parts.iter().any(hir_requires_unusual_char),
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).is_ok_and(has_unusual_char),
        HirKind::Class(Class::Unicode(class)) => {
            // The ends of a range decide: plain characters are one range, except for a few single ones.
            let holds = |from: char, to: char, one: char| from <= one && one <= to;
            class.iter().all(|range| {
                let (from, to) = (range.start(), range.end());
                let meets_ascii = from <= '~' && to >= ' ';
                !meets_ascii && !['\t', '\n', '\r', ELLIPSIS].into_iter().any(|one| holds(from, to, one))
            })
        }
        // A byte beyond ASCII may be a part of the one character that is not unusual.
        HirKind::Class(Class::Bytes(class)) => class
            .iter()
            .all(|range| range.end() < 0x80 && (range.start()..=range.end()).all(|it| is_unusual_char(char::from(it)))),
        HirKind::Empty | HirKind::Look(_) => false,
    }
}

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct ByteSet([u64; 4]);

impl ByteSet {
    /// Every byte, which is also the set for a match that may be empty.
    const ALL: Self = Self([u64::MAX; 4]);

    fn of(bytes: impl IntoIterator<Item = u8>) -> Self {
        let mut set = Self([0; 4]);
        for byte in bytes {
            if let Some(word) = set.0.get_mut(usize::from(byte >> 6)) {
                *word |= 1 << (byte & 63);
            }
        }
        set
    }

    fn contains(self, byte: u8) -> bool {
        let [first, second, third, last] = self.0;
        let word = match byte >> 6 {
            0 => first,
            1 => second,
            2 => third,
            _ => last,
        };
        word >> (byte & 63) & 1 == 1
    }

    /// Returns whether a text contains one of the bytes; the set of all bytes is in every text, even an empty one.
    fn is_any_in(self, text: &str) -> bool {
        let [first, second, ..] = self.0;
        // A check that a text is ASCII, and a search for few bytes, are much faster than a look at each byte.
        let is_beyond_ascii = first | second == 0;
        if self == Self::ALL || (is_beyond_ascii && text.is_ascii()) {
            return self == Self::ALL;
        }
        let mut held = (u8::MIN..=u8::MAX).filter(|byte| self.contains(*byte));
        let text = text.as_bytes();
        match (held.next(), held.next(), held.next(), held.next()) {
            (None, ..) => false,
            _ if text.len() <= SHORT_TEXT_BYTES => text.iter().any(|byte| self.contains(*byte)),
            (Some(one), None, ..) => memchr::memchr(one, text).is_some(),
            (Some(one), Some(two), None, _) => memchr::memchr2(one, two, text).is_some(),
            (Some(one), Some(two), Some(three), None) => memchr::memchr3(one, two, three, text).is_some(),
            _ => text.iter().any(|byte| self.contains(*byte)),
        }
    }

    fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn union(self, other: Self) -> Self {
        let mut set = self;
        set.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        set
    }

    /// Returns bytes of which every match of the expression contains one.
    fn required_words(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Capture(capture) => Self::required_words(&capture.sub),
            HirKind::Repetition(repetition) if repetition.min > 0 => Self::required_words(&repetition.sub),
            HirKind::Alternation(branches) => branches.iter().map(Self::required_words).fold(Self([0; 4]), Self::union),
            HirKind::Concat(parts) => {
                parts.iter().map(Self::required_words).min_by_key(|set| set.len()).unwrap_or(Self::ALL)
            }
            // A letter or a blank is in most texts; a rarer byte is more selective.
            HirKind::Literal(literal) => literal
                .0
                .iter()
                .min_by_key(|byte| (byte.is_ascii_alphanumeric(), **byte == b' ' || **byte == b'-'))
                .map_or(Self::ALL, |byte| Self::of([*byte])),
            HirKind::Class(Class::Bytes(class)) => Self::of(class.iter().flat_map(|range| range.start()..=range.end())),
            HirKind::Class(Class::Unicode(class)) => {
                class.iter().map(|range| Self::first_bytes(range.start(), range.end())).fold(Self([0; 4]), Self::union)
            }
            HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) => Self::ALL,
        }
    }

    /// Returns the first bytes of the characters in a range.
    fn first_bytes(from: char, to: char) -> Self {
        let first = |character: char| character.encode_utf8(&mut [0; 4]).bytes().next().unwrap_or_default();
        Self::of(first(from)..=first(to))
    }
}

/// Returns words of which every match of the expression contains one, if its syntax has some.
fn required(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Alternation(branches) => {
            let words: Option<Vec<_>> = branches.iter().map(required).collect();
            words.map(|words| words.concat()).filter(|words| words.len() <= 16)
        }
        HirKind::Concat(parts) => required_words_of_sequence(parts),
        HirKind::Literal(_) => literal_text(hir).filter(|text| text.len() >= 3).map(|text| vec![text]),
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) | HirKind::Repetition(_) => None,
    }
}

/// Returns the longest run of fixed characters, or else the words of the most selective part.
fn required_words_of_sequence(parts: &[Hir]) -> Option<Vec<String>> {
    let mut runs = vec![String::new()];
    for part in parts {
        match literal_text(part) {
            Some(text) => runs.last_mut()?.push_str(&text),
            None => runs.push(String::new()),
        }
    }
    let longest = runs.into_iter().max_by_key(String::len).filter(|run| run.len() >= 3);
    longest.map(|run| vec![run]).or_else(|| {
        let inner = parts.iter().filter(|part| literal_text(part).is_none()).filter_map(required);
        inner.max_by_key(|words| words.iter().map(String::len).min())
    })
}

/// Returns the lower-case text that a part always matches, in either case.
fn literal_text(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            text.is_ascii().then(|| text.to_ascii_lowercase())
        }
        HirKind::Class(Class::Unicode(class)) => {
            let characters: Vec<char> = class.iter().flat_map(|range| range.start()..=range.end()).take(3).collect();
            caseless_letter(&characters)
        }
        HirKind::Class(Class::Bytes(class)) => {
            let bytes = class.iter().flat_map(|range| range.start()..=range.end()).take(3);
            caseless_letter(&bytes.map(char::from).collect::<Vec<_>>())
        }
        HirKind::Capture(capture) => literal_text(&capture.sub),
        _ => None,
    }
}

fn caseless_letter(characters: &[char]) -> Option<String> {
    match characters {
        [upper, lower] if upper.is_ascii_uppercase() && upper.to_ascii_lowercase() == *lower => Some(lower.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, has_unusual_char};

    #[test]
    fn what_needs_an_odd_character_is_told_from_its_syntax() {
        for (source, odd) in [
            (r"[\x{202A}-\x{202E}]", true),
            (r"[!-~][\x{200C}-\x{200F}][!-~]", true),
            (r"[\x{01}-\x{08}\x{0B}]", true),
            (r"[\x01-\x08]", true),
            ("[а-я]+", true),
            ("(?:ж|ä)x", true),
            ("(?:ж|a)", false),
            ("ж?", false),
            (r"[\x{2000}-\x{2100}]", false),
            ("x…", false),
            (r"[\x08-\x0A]", false),
            ("[^a]", false),
            (".", false),
        ] {
            assert_eq!(Pattern::parse(source).unwrap().requires_unusual_char(), odd, "{source}");
        }
        for (text, odd) in [("rm $(…)", false), ("a\tb\n", false), ("é", true), ("\u{200B}…", true), ("\u{7}", true)]
        {
            assert_eq!(has_unusual_char(text), odd, "{text:?}");
        }
    }

    #[test]
    fn keywords_are_drawn_from_the_syntax() {
        for (source, keywords) in [
            ("AKIA[0-9A-Z]{16}", vec!["akia"]),
            ("(?i)drop table", vec!["drop table"]),
            (r"\b(?:ghp|gho_)_[a-z]+", vec!["ghp", "gho_"]),
            ("[0-9]+", vec![]),
            ("a?b*", vec![]),
            ("(foo)+bar", vec!["bar"]),
        ] {
            let pattern = Pattern::parse(source).unwrap();
            assert_eq!(pattern.keywords, keywords, "{source}");
        }
    }

    #[test]
    fn bytes_are_drawn_from_the_syntax() {
        for source in ["[\\x{200B}-\\x{200F}]", "[A-Za-z][\u{430}-\u{44f}]", "(?:&&|;)", "!!|[?]x", r"\s\$\{?HO"] {
            let pattern = Pattern::parse(source).unwrap();
            assert!(!pattern.bytes.is_any_in("plain text"), "{source}");
        }
        assert!(Pattern::parse("a*").unwrap().bytes.is_any_in(""));
        assert!(Pattern::parse("x*").unwrap().find("").is_some());
        let pattern = Pattern::parse("[A-Za-z][\u{430}-\u{44f}]").unwrap();
        assert_eq!(pattern.find("a\u{430}"), Some(0..3));
    }

    #[test]
    fn a_match_is_found_in_any_case_that_the_pattern_takes() {
        let pattern = Pattern::parse("(?i)drop table").unwrap();
        assert_eq!(pattern.find("x DROP Table y"), Some(2..12));
        assert_eq!(Pattern::parse("Drop").unwrap().find("drop"), None);
    }

    #[test]
    fn a_huge_pattern_is_refused() {
        let message = Pattern::parse("(?:a{1000}){1000}").unwrap_err().to_string();
        assert_eq!(message, "the pattern is too large: it compiles to more than 1048576 bytes");
    }
}
