//! The search: a number may begin at few places of a text, and only there the forms are tried.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::address;
use super::context::Surroundings;
use super::kind::{Find, Form, Kind, Search};
use super::phone;
use super::shape::{end_of, may_begin, may_end};
use super::table::KINDS;

/// Personal data in a text.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: &'static Kind,
    /// Where the value stands, in bytes.
    pub span: Range<usize>,
    /// The line on which the value begins, counted from one.
    pub line: usize,
    /// Whether only a word beside it gives it away.
    pub by_word: bool,
}

impl Finding {
    /// Returns words for people: the kind, and of a long number its last digits.
    ///
    /// `text` is the one that was searched.
    pub fn masked(&self, text: &str) -> String {
        let value = text.get(self.span.clone()).unwrap_or_default();
        let kept = match self.kind.find {
            Find::Number(..) if self.kind.id == "credit-card" => 4,
            Find::Number(..) => 2,
            Find::Search(_) => 0,
        };
        match value.get(value.len().saturating_sub(kept)..).filter(|_| kept > 0) {
            Some(end) => format!("{} (ends in {end})", self.kind.name),
            None => self.kind.name.to_owned(),
        }
    }
}

/// Returns the personal data of the wanted kinds in the text, in its order.
///
/// Each value is reported once, at its first place. Of several kinds that fit the same piece of text, one that is telling
/// by itself has it, then the longest, then the one that stands first in [`KINDS`].
pub fn scan(text: &str, wanted: impl Fn(&Kind) -> bool) -> Vec<Finding> {
    let kinds = KINDS.iter().filter(|kind| wanted(kind)).enumerate();
    let (numbers, searches): (Vec<_>, Vec<_>) = kinds.partition(|(_, kind)| matches!(kind.find, Find::Number(..)));
    if numbers.is_empty() && searches.is_empty() {
        return Vec::new();
    }
    let bytes = text.as_bytes();
    let surroundings = OnceCell::new();
    let mut sightings = Vec::new();
    let mut see = |order, kind: &'static Kind, seen: Option<Seen>| {
        let Some((span, by_word)) = seen else { return };
        let has_word = || surroundings.get_or_init(|| Surroundings::new(text)).has(kind.words, span.start, span.end);
        if !by_word || has_word() {
            sightings.push(Sighting { by_word, order, kind, span });
        }
    };
    for (at, byte) in bytes.iter().enumerate() {
        let number = (byte.is_ascii_digit() || byte.is_ascii_uppercase()) && may_begin(bytes, at);
        // At most places no number begins, and whoever keeps records asks for nothing else.
        let numbers = if number { numbers.as_slice() } else { &[] };
        for (order, kind) in searches.iter().chain(numbers) {
            see(
                *order,
                kind,
                match kind.find {
                    Find::Number(forms, check) => numbered(forms, check, bytes, at),
                    Find::Search(search) => searched(search, bytes, at),
                },
            );
        }
    }
    finished(text, sightings)
}

/// A piece of text that passed all tests.
struct Sighting {
    by_word: bool,
    order: usize,
    kind: &'static Kind,
    span: Range<usize>,
}

/// A piece of text, and whether a word of its kind must stand near it.
type Seen = (Range<usize>, bool);

fn numbered(forms: &[Form], check: fn(&[u8]) -> bool, text: &[u8], at: usize) -> Option<Seen> {
    let seen = forms.iter().filter_map(|form| {
        let end = end_of(form.shape, text, at).filter(|end| may_end(text, *end))?;
        let value: Vec<u8> = text.get(at..end)?.iter().copied().filter(|byte| is_kept(*byte)).collect();
        check(&value).then_some((at..end, form.needs_word))
    });
    seen.max_by_key(|(span, by_word)| (span.end, !by_word))
}

/// Tells whether a sign is of the number itself.
fn is_kept(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'<'
}

fn searched(search: Search, text: &[u8], at: usize) -> Option<Seen> {
    match search {
        Search::Email => address::email(text, at).map(|span| (span, false)),
        Search::PublicAddress => address::machine(text, at, address::Net::Public).map(|span| (span, false)),
        Search::PrivateAddress => address::machine(text, at, address::Net::Private).map(|span| (span, false)),
        Search::Phone => phone::number(text, at),
    }
}

/// Keeps one sighting per piece of text and per value, and counts lines.
fn finished(text: &str, mut sightings: Vec<Sighting>) -> Vec<Finding> {
    if sightings.is_empty() {
        return Vec::new();
    }
    sightings.sort_by_key(|it| (it.by_word, Reverse(it.span.len()), it.order, it.span.start));
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
    let number = |Sighting { by_word, kind, span, .. }: Sighting| {
        line += text.get(counted..span.start).unwrap_or_default().matches('\n').count();
        counted = span.start;
        Finding { kind, span, line, by_word }
    };
    kept.into_iter().map(number).collect()
}
