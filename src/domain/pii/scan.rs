//! The scan: numbers can begin at few places of a text, and formats are tried only there.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::address;
use super::context::TextContext;
use super::kind::{Detection, NumberFormat, PiiKind, SearchKind};
use super::number_pattern::{match_end, may_begin, may_end};
use super::phone;
use super::table::KINDS;

/// Personal data in a text.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: &'static PiiKind,
    /// The span of the value, in bytes.
    pub span: Range<usize>,
    /// The line on which the value begins, counted from one.
    pub line: usize,
    /// Whether only a context word identifies it.
    pub needed_context: bool,
}

impl Finding {
    /// Returns a description for messages: the kind, and the last digits of a long number.
    ///
    /// `text` is the text that was scanned.
    pub fn masked(&self, text: &str) -> String {
        let value = text.get(self.span.clone()).unwrap_or_default();
        let kept = match self.kind.detection {
            Detection::Number(..) if self.kind.id == "credit-card" => 4,
            Detection::Number(..) => 2,
            Detection::BuiltIn(_) => 0,
        };
        match value.get(value.len().saturating_sub(kept)..).filter(|_| kept > 0) {
            Some(end) => format!("{} (ends in {end})", self.kind.name),
            None => self.kind.name.to_owned(),
        }
    }
}

/// Returns the personal data of the wanted kinds in the text, in order.
///
/// Each value is reported once, at its first position. Of several kinds that match the same span, one with a
/// distinctive format wins, then the longest, then the first in [`KINDS`].
pub fn scan(text: &str, wanted: impl Fn(&PiiKind) -> bool) -> Vec<Finding> {
    let kinds = KINDS.iter().filter(|kind| wanted(kind)).enumerate();
    let (numbers, searches): (Vec<_>, Vec<_>) =
        kinds.partition(|(_, kind)| matches!(kind.detection, Detection::Number(..)));
    if numbers.is_empty() && searches.is_empty() {
        return Vec::new();
    }
    let bytes = text.as_bytes();
    let surroundings = OnceCell::new();
    let mut sightings = Vec::new();
    let mut see = |order, kind: &'static PiiKind, seen: Option<MatchSpan>| {
        let Some((span, by_word)) = seen else { return };
        let has_word = || {
            surroundings.get_or_init(|| TextContext::new(text)).has_word_near(kind.context_words, span.start, span.end)
        };
        if !by_word || has_word() {
            sightings.push(FindingCandidate { needed_context: by_word, kind_index: order, kind, span });
        }
    };
    for (at, byte) in bytes.iter().enumerate() {
        let number = (byte.is_ascii_digit() || byte.is_ascii_uppercase()) && may_begin(bytes, at);
        // At most positions no number begins, and most callers want nothing else.
        let numbers = if number { numbers.as_slice() } else { &[] };
        for (order, kind) in searches.iter().chain(numbers) {
            see(
                *order,
                kind,
                match kind.detection {
                    Detection::Number(forms, check) => match_number(forms, check, bytes, at),
                    Detection::BuiltIn(search) => run_search(search, bytes, at),
                },
            );
        }
    }
    deduplicate(text, sightings)
}

/// A span that passed all tests.
struct FindingCandidate {
    needed_context: bool,
    kind_index: usize,
    kind: &'static PiiKind,
    span: Range<usize>,
}

/// A span, and whether a context word must be near it.
type MatchSpan = (Range<usize>, bool);

fn match_number(forms: &[NumberFormat], check: fn(&[u8]) -> bool, text: &[u8], at: usize) -> Option<MatchSpan> {
    let seen = forms.iter().filter_map(|form| {
        let end = match_end(form.pattern, text, at).filter(|end| may_end(text, *end))?;
        let value: Vec<u8> = text.get(at..end)?.iter().copied().filter(|byte| is_significant(*byte)).collect();
        check(&value).then_some((at..end, form.needs_context))
    });
    seen.max_by_key(|(span, by_word)| (span.end, !by_word))
}

/// Returns whether a character belongs to the number itself.
fn is_significant(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'<'
}

fn run_search(search: SearchKind, text: &[u8], at: usize) -> Option<MatchSpan> {
    match search {
        SearchKind::Email => address::email(text, at).map(|span| (span, false)),
        SearchKind::PublicAddress => {
            address::ip_address(text, at, address::NetworkScope::Public).map(|span| (span, false))
        }
        SearchKind::PrivateAddress => {
            address::ip_address(text, at, address::NetworkScope::Private).map(|span| (span, false))
        }
        SearchKind::Phone => phone::phone_number(text, at),
    }
}

/// Keeps one candidate per span and per value, and adds line numbers.
fn deduplicate(text: &str, mut sightings: Vec<FindingCandidate>) -> Vec<Finding> {
    if sightings.is_empty() {
        return Vec::new();
    }
    sightings.sort_by_key(|it| (it.needed_context, Reverse(it.span.len()), it.kind_index, it.span.start));
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let mut kept = Vec::new();
    for sighting in sightings {
        let span = &sighting.span;
        if taken.range(..span.end).next_back().is_none_or(|(_, end)| *end <= span.start) {
            taken.insert(span.start, span.end);
            kept.push(sighting);
        }
    }
    kept.sort_by_key(|sighting| sighting.span.start);
    let mut values = HashSet::new();
    kept.retain(|it| values.insert((it.kind.id, text.get(it.span.clone()).unwrap_or_default())));
    let (mut line, mut counted) = (1, 0);
    let number = |FindingCandidate { needed_context: by_word, kind, span, .. }: FindingCandidate| {
        line += text.get(counted..span.start).unwrap_or_default().matches('\n').count();
        counted = span.start;
        Finding { kind, span, line, needed_context: by_word }
    };
    kept.into_iter().map(number).collect()
}
