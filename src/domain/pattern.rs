//! Regular expressions that cost nothing until a word of theirs was seen.
//!
//! When a pattern is read from a policy, the words that every match must contain one of are drawn
//! from its syntax. Of a bundled pack, which was read when the program was built, the expression
//! itself is compiled only after one of them stood in the text.
//! Matching is linear in the text. Character classes are ASCII unless the pattern itself leaves
//! ASCII, since the Unicode tables cost a hundred times as much to build.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::{Parser, ParserBuilder};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// Bytes that one compiled pattern may take.
const SIZE_LIMIT: usize = 1 << 20;

/// A regular expression of a policy.
#[derive(Debug, Clone, Serialize)]
pub struct Pattern {
    source: String,
    /// Lower-case words of which every match holds one; empty when there is no such word.
    keywords: Vec<String>,
    /// Bytes of which every match holds one.
    bytes: Bytes,
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
    pub fn parse(source: &str) -> Result<Self, String> {
        let hir = parser(source).parse(source).map_err(|error| describe(&error))?;
        match build(source) {
            // Its size is only known once it is compiled, so it is kept.
            Ok(regex) => Ok(Self {
                source: source.to_owned(),
                keywords: required(&hir).unwrap_or_default(),
                bytes: Bytes::required(&hir),
                compiled: Some(regex).into(),
            }),
            Err(regex::Error::CompiledTooBig(limit)) => {
                Err(format!("the pattern is too large: compiled it would take more than {limit} bytes"))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the pattern as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns where the pattern first matches.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.regex_for(text)?.find(text.as_bytes()).map(|found| found.range())
    }

    /// Returns all places where the pattern matches.
    pub fn find_all(&self, text: &str) -> Vec<Range<usize>> {
        let regex = self.regex_for(text);
        regex.map(|regex| regex.find_iter(text.as_bytes()).map(|found| found.range()).collect()).unwrap_or_default()
    }

    /// Tells whether every match holds a character that no plain text has; see [`has_odd`].
    pub fn is_odd(&self) -> bool {
        parser(&self.source).parse(&self.source).is_ok_and(|hir| requires_odd(&hir))
    }

    /// Returns the expression, unless it cannot match in the text.
    fn regex_for(&self, text: &str) -> Option<&Regex> {
        if !self.keywords.is_empty() && !self.keywords.iter().any(|word| contains_ignore_case(text, word)) {
            return None;
        }
        if self.keywords.is_empty() && !self.bytes.occur_in(text) {
            return None;
        }
        self.compiled.get_or_init(|| build(&self.source).ok()).as_ref()
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Parsed {
            source: String,
            keywords: Vec<String>,
            bytes: Bytes,
        }
        if deserializer.is_human_readable() {
            let source = Cow::<str>::deserialize(deserializer)?;
            return Self::parse(&source).map_err(|error| D::Error::custom(format!("bad regular expression: {error}")));
        }
        Parsed::deserialize(deserializer).map(|Parsed { source, keywords, bytes }| Self {
            source,
            keywords,
            bytes,
            compiled: OnceLock::new(),
        })
    }
}

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

/// Returns the bare fault: the caret drawing of the syntax crate would repeat the policy's own.
fn describe(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        other => other.to_string(),
    }
}

/// Bytes of a text up to which it is gone through one by one: what is faster asks the processor first
/// what it can do, and in a virtual machine that takes longer than the search.
const SHORT: usize = 4 << 10;

/// Tells whether the text holds the lower-case word in any ASCII case.
pub fn contains_ignore_case(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some((at, rarest)) = word.iter().copied().enumerate().min_by_key(|(_, byte)| frequency(*byte)) else {
        return true;
    };
    let stands_at = |found: usize| {
        let start = found.checked_sub(at);
        let here = start.and_then(|start| text.get(start..start + word.len()));
        here.is_some_and(|here| here.eq_ignore_ascii_case(word))
    };
    if text.len() <= SHORT {
        let mut places = text.iter().enumerate().filter(|(_, byte)| byte.to_ascii_lowercase() == rarest);
        return places.any(|(found, _)| stands_at(found));
    }
    memchr::memchr2_iter(rarest, rarest.to_ascii_uppercase(), text).any(stands_at)
}

/// Returns how often a lower-case byte stands in texts and code, as a rank.
fn frequency(byte: u8) -> usize {
    const LETTERS: &[u8] = b"zqjxkwvybghfmpudcl-_.1=0:/ osnriate";
    LETTERS.iter().position(|other| *other == byte).unwrap_or_default()
}

/// The one character beyond ASCII that stands in texts of ours: in the place of what is not known.
const ELLIPSIS: char = '…';

/// Tells whether a text holds a character that plain ASCII text has not, and that no text of ours has.
pub fn has_odd(text: &str) -> bool {
    // Most texts are settled by their bytes: one beyond ASCII counts as odd there, whatever character it is of.
    text.bytes().any(|byte| is_odd(char::from(byte))) && text.chars().any(is_odd)
}

const fn is_odd(character: char) -> bool {
    !matches!(character, ' '..='~' | '\t' | '\n' | '\r' | ELLIPSIS)
}

/// Tells whether every match of an expression holds an odd character.
fn requires_odd(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Capture(capture) => requires_odd(&capture.sub),
        HirKind::Repetition(repetition) => repetition.min > 0 && requires_odd(&repetition.sub),
        HirKind::Alternation(branches) => branches.iter().all(requires_odd),
        HirKind::Concat(parts) => parts.iter().any(requires_odd),
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).is_ok_and(has_odd),
        HirKind::Class(Class::Unicode(class)) => {
            // Of a range, its ends tell: what is plain lies in one stretch, but for a few single characters.
            let holds = |from: char, to: char, one: char| from <= one && one <= to;
            class.iter().all(|range| {
                let (from, to) = (range.start(), range.end());
                let meets_ascii = from <= '~' && to >= ' ';
                !meets_ascii && !['\t', '\n', '\r', ELLIPSIS].into_iter().any(|one| holds(from, to, one))
            })
        }
        // A byte beyond ASCII may be a part of the one that is not odd.
        HirKind::Class(Class::Bytes(class)) => class
            .iter()
            .all(|range| range.end() < 0x80 && (range.start()..=range.end()).all(|it| is_odd(char::from(it)))),
        HirKind::Empty | HirKind::Look(_) => false,
    }
}

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Bytes([u64; 4]);

impl Bytes {
    /// Every byte, and so the set for a match that may be empty.
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

    fn holds(self, byte: u8) -> bool {
        let [first, second, third, last] = self.0;
        let word = match byte >> 6 {
            0 => first,
            1 => second,
            2 => third,
            _ => last,
        };
        word >> (byte & 63) & 1 == 1
    }

    /// Tells whether one of them stands in a text; of all bytes one always does, even where there is none.
    fn occur_in(self, text: &str) -> bool {
        let [first, second, ..] = self.0;
        // To see that a text is ASCII takes much less than to look at each byte of it, and so does a search for few.
        let is_beyond_ascii = first | second == 0;
        if self == Self::ALL || (is_beyond_ascii && text.is_ascii()) {
            return self == Self::ALL;
        }
        let mut held = (u8::MIN..=u8::MAX).filter(|byte| self.holds(*byte));
        let text = text.as_bytes();
        match (held.next(), held.next(), held.next(), held.next()) {
            (None, ..) => false,
            _ if text.len() <= SHORT => text.iter().any(|byte| self.holds(*byte)),
            (Some(one), None, ..) => memchr::memchr(one, text).is_some(),
            (Some(one), Some(two), None, _) => memchr::memchr2(one, two, text).is_some(),
            (Some(one), Some(two), Some(three), None) => memchr::memchr3(one, two, three, text).is_some(),
            _ => text.iter().any(|byte| self.holds(*byte)),
        }
    }

    fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn or(self, other: Self) -> Self {
        let mut set = self;
        set.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        set
    }

    /// Returns bytes of which every match of the expression holds one.
    fn required(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Capture(capture) => Self::required(&capture.sub),
            HirKind::Repetition(repetition) if repetition.min > 0 => Self::required(&repetition.sub),
            HirKind::Alternation(branches) => branches.iter().map(Self::required).fold(Self([0; 4]), Self::or),
            HirKind::Concat(parts) => parts.iter().map(Self::required).min_by_key(|set| set.len()).unwrap_or(Self::ALL),
            // A letter or a blank is in most texts; what is rarer tells more.
            HirKind::Literal(literal) => literal
                .0
                .iter()
                .min_by_key(|byte| (byte.is_ascii_alphanumeric(), **byte == b' ' || **byte == b'-'))
                .map_or(Self::ALL, |byte| Self::of([*byte])),
            HirKind::Class(Class::Bytes(class)) => Self::of(class.iter().flat_map(|range| range.start()..=range.end())),
            HirKind::Class(Class::Unicode(class)) => {
                class.iter().map(|range| Self::between(range.start(), range.end())).fold(Self([0; 4]), Self::or)
            }
            HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) => Self::ALL,
        }
    }

    /// Returns the first bytes of the characters from one to another.
    fn between(from: char, to: char) -> Self {
        let first = |character: char| character.encode_utf8(&mut [0; 4]).bytes().next().unwrap_or_default();
        Self::of(first(from)..=first(to))
    }
}

/// Returns words of which every match of the expression holds one, if its syntax tells.
fn required(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Alternation(branches) => {
            let words: Option<Vec<_>> = branches.iter().map(required).collect();
            words.map(|words| words.concat()).filter(|words| words.len() <= 16)
        }
        HirKind::Concat(parts) => required_of_sequence(parts),
        HirKind::Literal(_) => fixed(hir).filter(|text| text.len() >= 3).map(|text| vec![text]),
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) | HirKind::Repetition(_) => None,
    }
}

/// Returns the longest run of fixed characters, or else what the most telling part requires.
fn required_of_sequence(parts: &[Hir]) -> Option<Vec<String>> {
    let mut runs = vec![String::new()];
    for part in parts {
        match fixed(part) {
            Some(text) => runs.last_mut()?.push_str(&text),
            None => runs.push(String::new()),
        }
    }
    let longest = runs.into_iter().max_by_key(String::len).filter(|run| run.len() >= 3);
    longest.map(|run| vec![run]).or_else(|| {
        let inner = parts.iter().filter(|part| fixed(part).is_none()).filter_map(required);
        inner.max_by_key(|words| words.iter().map(String::len).min())
    })
}

/// Returns the lower-case text that a part always stands for, in either case.
fn fixed(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            text.is_ascii().then(|| text.to_ascii_lowercase())
        }
        HirKind::Class(Class::Unicode(class)) => {
            let characters: Vec<char> = class.iter().flat_map(|range| range.start()..=range.end()).take(3).collect();
            both_cases(&characters)
        }
        HirKind::Class(Class::Bytes(class)) => {
            let bytes = class.iter().flat_map(|range| range.start()..=range.end()).take(3);
            both_cases(&bytes.map(char::from).collect::<Vec<_>>())
        }
        HirKind::Capture(capture) => fixed(&capture.sub),
        _ => None,
    }
}

fn both_cases(characters: &[char]) -> Option<String> {
    match characters {
        [upper, lower] if upper.is_ascii_uppercase() && upper.to_ascii_lowercase() == *lower => Some(lower.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, has_odd};

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
            assert_eq!(Pattern::parse(source).unwrap().is_odd(), odd, "{source}");
        }
        for (text, odd) in [("rm $(…)", false), ("a\tb\n", false), ("é", true), ("\u{200B}…", true), ("\u{7}", true)]
        {
            assert_eq!(has_odd(text), odd, "{text:?}");
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
            assert!(!pattern.bytes.occur_in("plain text"), "{source}");
        }
        assert!(Pattern::parse("a*").unwrap().bytes.occur_in(""));
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
        assert!(Pattern::parse("(?:a{1000}){1000}").is_err());
    }
}
