//! Redaction: text from which secrets are removed.
//!
//! A value is replaced wherever it occurs, even where no detector would find it: the context that reveals it in one
//! place may be missing in another.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::{
        Bound::{Excluded, Included, Unbounded},
        Range,
    },
};

use super::custom::CustomDetectors;
use super::scan::{Finding, scan_with};

/// Text that is safe to show, to store and to send.
///
/// It can only be made by scanning, so that a value of this type is the proof that the text was scanned.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Redacted(String);

impl Redacted {
    /// Scans the text with every bundled detector and replaces the values found.
    pub fn from_text(text: &str) -> Self {
        Self::in_session(text, &CustomDetectors::default(), "")
    }

    /// Scans the text with every detector, custom ones included. Within a session the same value has the same
    /// placeholder.
    pub fn in_session(text: &str, own: &CustomDetectors, session: &str) -> Self {
        KnownSecrets::default().redact(text, own, session)
    }

    /// Returns the redacted text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Redacted> for String {
    fn from(redacted: Redacted) -> Self {
        redacted.0
    }
}

/// Values found in related texts: the context that reveals a value in one of them may be missing in the others, so it
/// is removed from all.
#[derive(Debug, Default)]
pub struct KnownSecrets(BTreeMap<String, &'static str>);

impl KnownSecrets {
    /// Adds what every detector finds in a text.
    pub fn scan(&mut self, text: &str, own: &CustomDetectors) {
        self.add(text, &scan_with(text, own, |_| true));
    }

    /// Adds findings in a text.
    pub fn add(&mut self, text: &str, findings: &[Finding]) {
        self.0.extend(values(text, findings).into_iter().map(|(value, id)| (value.to_owned(), id)));
    }

    /// Adds a value that is no secret by any detector; `id` is what stands in its place.
    pub fn add_value(&mut self, value: &str, id: &'static str) {
        if !value.trim().is_empty() {
            self.0.insert(value.to_owned(), id);
        }
    }

    /// Scans another text, and replaces what is found in it or was found before.
    pub fn redact(&self, text: &str, own: &CustomDetectors, session: &str) -> Redacted {
        let findings = scan_with(text, own, |_| true);
        let mut values = values(text, &findings);
        values.extend(self.secret_values());
        Redacted(replace_with_placeholders(text, &values, session))
    }

    /// Replaces known values in a text that was scanned.
    pub fn redact_known(&self, text: &str, session: &str) -> String {
        replace_with_placeholders(text, &self.secret_values().collect(), session)
    }

    fn secret_values(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.0.iter().map(|(value, id)| (value.as_str(), *id))
    }
}

/// Returns the text with a placeholder such as `[aws-access-key-id:3f2a]` for each occurrence of each value found.
///
/// The same value has the same placeholder everywhere, so that a reader can still see which values are equal.
/// `findings` belong to this text; spans that do not fit it are ignored.
pub fn redact(text: &str, findings: &[Finding]) -> String {
    replace_with_placeholders(text, &values(text, findings), "")
}

fn values<'t>(text: &'t str, findings: &[Finding]) -> Values<'t> {
    findings
        .iter()
        .filter_map(|finding| Some((text.get(finding.span.clone())?, finding.detector.id)))
        .filter(|(value, _)| !value.is_empty())
        .collect()
}

fn replace_with_placeholders(text: &str, values: &Values<'_>, session: &str) -> String {
    replace(text, values, &|id, value| placeholder(id, value, session))
}

/// Returns the text with each occurrence of each value replaced, in one pass.
///
/// `instead` takes the data of the value, and the value. No value is empty.
pub fn replace(text: &str, values: &Values<'_>, instead: &dyn Fn(&str, &str) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut copied = 0;
    for (span, value, id) in occurrences(text, values) {
        shown.push_str(text.get(copied..span.start).unwrap_or_default());
        shown.push_str(&instead(id, value));
        copied = span.end;
    }
    shown.push_str(text.get(copied..).unwrap_or_default());
    shown
}

/// The values to remove, each with its data: by default the id of its detector.
pub type Values<'t, T = &'static str> = BTreeMap<&'t str, T>;

/// Returns the occurrences of values, in order, each with the value and its data. Overlapping occurrences are merged.
pub fn occurrences<'t, T: Copy + Ord>(text: &str, values: &Values<'t, T>) -> Vec<(Range<usize>, &'t str, T)> {
    let heads: BTreeSet<char> = values.keys().filter_map(|value| value.chars().next()).collect();
    let mut found: Vec<(Range<usize>, &'t str, T)> = Vec::new();
    let mut settled = 0;
    for (at, head) in text.char_indices() {
        if at < settled || !heads.contains(&head) {
            continue;
        }
        let Some((len, value, id)) = text.get(at..).and_then(|rest| longest_match(values, rest)) else { continue };
        let end = at + len;
        // A long comparison is not repeated, which would be quadratic for a repetitive text.
        settled = if len >= MIN_PARTIAL_MATCH { end } else { settled };
        match found.last_mut() {
            Some((last, ..)) if at < last.end => last.end = last.end.max(end),
            _ => found.push((at..end, value, id)),
        }
    }
    found
}

/// Bytes after which a value counts as repeated even if it breaks off, as keys do in a shortened display.
const MIN_PARTIAL_MATCH: usize = 64;

/// Returns how much of the text's beginning is a value, and which.
///
/// In the order of strings, the value that shares most with the text is one of its two neighbours.
fn longest_match<'t, T: Copy + Ord>(values: &Values<'t, T>, text: &str) -> Option<(usize, &'t str, T)> {
    let before = values.range::<str, _>((Unbounded, Included(text))).next_back();
    let after = values.range::<str, _>((Excluded(text), Unbounded)).next();
    let nearest =
        before.into_iter().chain(after).map(|(value, id)| (common_prefix_len(value, text), *value, *id)).max()?;
    if nearest.0 >= MIN_PARTIAL_MATCH { Some(nearest) } else { longest_prefix(values, text) }
}

/// Returns the longest value with which the text begins.
///
/// A value that begins the text sorts before it, and between the two there are only strings that begin with that value
/// too. So the nearest value before the text either is the answer or bounds its length.
fn longest_prefix<'t, T: Copy>(values: &Values<'t, T>, text: &str) -> Option<(usize, &'t str, T)> {
    let mut bound = text;
    loop {
        let (value, id) = values.range::<str, _>((Unbounded, Included(bound))).next_back()?;
        if text.starts_with(value) {
            return Some((value.len(), value, *id));
        }
        bound = text.get(..common_prefix_len(value, text))?;
    }
}

/// Returns the length of the common prefix of two texts.
fn common_prefix_len(a: &str, b: &str) -> usize {
    a.floor_char_boundary(a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count())
}

fn placeholder(id: &str, value: &str, session: &str) -> String {
    format!("[{id}:{}]", tag(value, session))
}

/// Returns 16 bits of a hash of the session and the value.
///
/// They distinguish the values of one text and are too few to confirm a guess: of every 65,536 guesses one matches.
/// The session is mixed in so that tags of one value from many sessions cannot be combined, and a record does not show
/// that two sessions had the same value.
pub fn tag(value: &str, session: &str) -> String {
    let feed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let salted = session.bytes().chain([0xff]).fold(0xcbf2_9ce4_8422_2325, feed);
    let hash = value.bytes().fold(salted, feed);
    let mixed = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    format!("{:04x}", mixed >> 48)
}
