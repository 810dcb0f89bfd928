//! Generates the files in `generated` from the entries of the bundled detectors; only part of the tests.
//!
//! It must not use the tables that the program contains: they may be outdated.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::hash::Hash;

use super::compile::aho_corasick::KeywordError;
use super::compile::{self, DetectorError, Dfa, OwnedKeywordAutomaton, aho_corasick, encoded_prefix};
use super::custom::keyword_output;
use super::decode::ESCAPE_HINT;
use super::keyword_automaton::{ENCODED_DETECTOR, KeywordOutput};
use super::spec::{DetectorSpec, advice_text};

/// Why the tables cannot be generated.
#[derive(Debug)]
pub(crate) enum GenerateError {
    /// The entry with this id has an error.
    Detector(String, DetectorError),
    /// A keyword of the entry with this id is too long.
    KeywordTooLong(String),
    /// An encoded form of a keyword is too long.
    EncodedKeywordTooLong,
    /// The automaton of the keywords cannot be built.
    Keywords(KeywordError),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Detector(id, error) => write!(f, "{id}: {error}"),
            Self::KeywordTooLong(id) => write!(f, "{id}: a keyword is too long"),
            Self::EncodedKeywordTooLong => f.write_str("an encoded keyword is too long"),
            Self::Keywords(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GenerateError {}

/// Returns the files, each with its name in the directory.
///
/// # Errors
/// Returns the first entry or keyword that does not fit the tables.
pub(crate) fn generate(entries: &[DetectorSpec]) -> Result<Vec<(&'static str, Vec<u8>)>, GenerateError> {
    let mut tables = Tables::default();
    let mut rows = String::new();
    for entry in entries {
        let table = compile::compile_dfa(entry).map_err(|error| GenerateError::Detector(entry.id.clone(), error))?;
        rows.push_str(&row(entry, &table.map(|table| tables.add(&table)).unwrap_or_default()));
    }
    let OwnedKeywordAutomaton {
        byte_classes,
        transitions,
        first_output_state,
        continuations,
        output_offsets,
        outputs,
        max_keyword_len,
    } = aho_corasick::build(&keywords(entries)?).map_err(GenerateError::Keywords)?;
    let classes = tables.classes.add(byte_classes, 1);
    let source = format!(
        "//! The table of the bundled detectors, made of `policies/detectors`: `RULEWARD_BLESS=1 cargo test` rewrites it.
#![expect(clippy::unreadable_literal, reason = \"nobody reads this\")]

use super::dfa;
use crate::domain::secret::builtin::Builtin;
use crate::domain::secret::check::Check;
use crate::domain::secret::detector::{{Detector, Severity, DetectorPattern, Tier}};
use crate::domain::secret::spec::{{Boundary, FailedProof}};

pub(super) const KEYWORD_CLASSES: usize = {classes};
pub(super) const FIRST_OUTPUT_STATE: u16 = {first_output_state};
pub(super) const MAX_KEYWORD_LEN: usize = {max_keyword_len};

pub(super) static DETECTORS: [Detector; {}] = [
{rows}];
",
        entries.len()
    );
    Ok(vec![
        ("detectors.rs", source.into_bytes()),
        ("keyword-rows.bin", transitions.concat()),
        ("continuations.bin", continuations.concat()),
        ("output-offsets.bin", output_offsets.concat()),
        ("keyword-outputs.bin", outputs.into_iter().flat_map(KeywordOutput::to_bytes).collect::<Vec<_>>().concat()),
        ("columns.bin", tables.classes.list.concat()),
        ("expression-rows.bin", tables.rows.list.iter().flat_map(|rows| rows.concat()).collect()),
    ])
}

/// Returns the keywords of all entries, each with its output.
fn keywords(entries: &[DetectorSpec]) -> Result<Vec<(String, KeywordOutput)>, GenerateError> {
    let mut keywords: Vec<(String, KeywordOutput)> = Vec::new();
    for (entry, number) in entries.iter().zip(0_u16..) {
        let listed =
            compile::extract_keywords(entry).map_err(|error| GenerateError::Detector(entry.id.clone(), error))?;
        for keyword in &listed {
            let output =
                keyword_output(number, keyword).ok_or_else(|| GenerateError::KeywordTooLong(entry.id.clone()))?;
            keywords.push((keyword.text.clone(), output));
        }
        for (text, ahead) in encoded_prefix::encoded_prefixes(entry, &listed) {
            keywords.push((
                text,
                KeywordOutput { detector: ENCODED_DETECTOR, len: 0, min_lookback: ahead, max_lookback: 0 },
            ));
        }
    }
    let escape = KeywordOutput { detector: ENCODED_DETECTOR, len: 0, min_lookback: ESCAPE_HINT, max_lookback: 0 };
    keywords.extend(encoded_prefix::ESCAPE_SEQUENCES.iter().map(|text| ((*text).to_owned(), escape)));
    for (text, output) in &mut keywords {
        if output.detector == ENCODED_DETECTOR {
            output.len = u8::try_from(text.len()).map_err(|_| GenerateError::EncodedKeywordTooLong)?;
        }
    }
    keywords.sort();
    keywords.dedup();
    Ok(keywords)
}

/// Tables of expressions, deduplicated.
#[derive(Default)]
struct Tables {
    classes: Pool<[u8; 256]>,
    rows: Pool<Vec<[u8; 2]>>,
}

impl Tables {
    /// Adds a table; returns the code that refers to it.
    fn add(&mut self, table: &Dfa) -> String {
        let classes = self.classes.add(table.byte_classes, 1);
        let at = self.rows.add(table.transitions.clone(), table.transitions.len());
        format!("dfa({classes}, {}, {}, {at}, {})", table.class_count, table.first_accepting, table.transitions.len())
    }
}

/// A sequence of values in a file, deduplicated.
struct Pool<T> {
    known: HashMap<T, usize>,
    list: Vec<T>,
    len: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { known: HashMap::new(), list: Vec::new(), len: 0 }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    /// Adds a value of some length; returns its offset.
    fn add(&mut self, value: T, len: usize) -> usize {
        *self.known.entry(value).or_insert_with_key(|value| {
            self.list.push(value.clone());
            self.len += len;
            self.len - len
        })
    }
}

/// Returns an entry as a row of the table.
fn row(entry: &DetectorSpec, table: &str) -> String {
    let shape = match (&entry.token, &entry.near, entry.builtin) {
        (Some(_), ..) => format!("DetectorPattern::Token({table})"),
        (_, Some(near), _) => format!("DetectorPattern::Near({table}, {})", near.lines),
        (.., Some(builtin)) => format!("DetectorPattern::Builtin(Builtin::{builtin:?})"),
        _ => format!("DetectorPattern::Assigned({table})"),
    };
    let check = entry.check.map_or_else(|| "None".to_owned(), |check| format!("Some(Check::{check:?})"));
    let entropy = entry.entropy.map_or_else(|| "None".to_owned(), |least| format!("Some({least:?})"));
    let mut row = String::new();
    let _ = writeln!(
        row,
        "    Detector {{ id: {:?}, name: {:?}, tier: Tier::{:?}, severity: Severity::{:?}, advice: {:?}, pattern: {shape}, boundary: Boundary::{:?}, check: {check}, lookalike: FailedProof::{:?}, entropy: {entropy}, dummies: &{:?} }},",
        entry.id,
        entry.name,
        entry.tier,
        entry.severity,
        advice_text(&entry.advice).unwrap_or_default(),
        entry.ends,
        entry.lookalike,
        entry.dummies,
    );
    row
}
