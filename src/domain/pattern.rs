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
        let mut parser = regex_syntax::ParserBuilder::new().utf8(false).unicode(is_unicode(source)).build();
        let hir = parser.parse(source).map_err(|error| describe(&error))?;
        match build(source) {
            // Its size is only known once it is compiled, so it is kept.
            Ok(regex) => Ok(Self {
                source: source.to_owned(),
                keywords: required(&hir).unwrap_or_default(),
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

    /// Returns the expression, unless it cannot match in the text.
    fn regex_for(&self, text: &str) -> Option<&Regex> {
        if !self.keywords.is_empty() && !self.keywords.iter().any(|word| contains_ignore_case(text, word)) {
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
        }
        if deserializer.is_human_readable() {
            let source = Cow::<str>::deserialize(deserializer)?;
            return Self::parse(&source).map_err(|error| D::Error::custom(format!("bad regular expression: {error}")));
        }
        Parsed::deserialize(deserializer).map(|Parsed { source, keywords }| Self {
            source,
            keywords,
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

/// Tells whether the text holds the lower-case word in any ASCII case.
pub fn contains_ignore_case(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some((first, rest)) = word.split_first() else { return true };
    let mut remaining = text;
    while let Some(at) = remaining.iter().position(|byte| byte.eq_ignore_ascii_case(first)) {
        remaining = remaining.get(at + 1..).unwrap_or_default();
        if remaining.get(..rest.len()).is_some_and(|next| next.eq_ignore_ascii_case(rest)) {
            return true;
        }
    }
    false
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
    use super::Pattern;

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
