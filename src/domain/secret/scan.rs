//! The scan: keywords first, then the search of each detector at its keywords, then one finding per value.
//!
//! Its time is linear in the length of the text: expressions advance from all their start positions at once, and every
//! other search looks at a bounded stretch of text.

use std::{
    cell::Cell,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::Range,
};

use super::builtin::{BuiltinMatch, KeywordContext};
use super::check::CheckKind;
use super::custom::CustomDetectors;
use super::decode::Encoding;
use super::detector::{CompiledExpression, Detector, DetectorPattern, Tier};
use super::keyword_automaton::{ENCODED_DETECTOR, KeywordAutomaton, KeywordOutput};
use super::spec::FailedProof;
use super::table::{DETECTORS, KEYWORDS};
use super::{assignment, builtin, decode, disguise, placeholder};

/// A secret in a text.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The detector that found it.
    pub detector: &'static Detector,
    /// The tier: that of the detector, or higher after a proof.
    pub tier: Tier,
    /// The span of the value, in bytes; of an encoded value, the encoded piece.
    pub span: Range<usize>,
    /// The line on which the value begins, counted from one.
    pub line: usize,
    /// How the value is encoded in the text, the outermost encoding first; empty when it is there as it is.
    pub encodings: Vec<Encoding>,
}

impl Finding {
    /// Returns what identifies the finding in any version of the text: the detector's id and the value.
    ///
    /// It is the input of a keyed fingerprint; it must not be stored itself.
    pub fn identity<'t>(&self, text: &'t str) -> (&'static str, &'t str) {
        (self.detector.id, text.get(self.span.clone()).unwrap_or_default())
    }

    /// Returns a description for messages: the kind, the length of the value, and its first four bytes if they do not
    /// help a guess.
    ///
    /// `text` is the text that was scanned.
    pub fn masked(&self, text: &str) -> String {
        let name = self.detector.name;
        let value = text.get(self.span.clone()).unwrap_or_default();
        let class = match value.len() {
            0..16 => "under 16 characters",
            16..32 => "16 to 31 characters",
            32..64 => "32 to 63 characters",
            _ => "64 characters or more",
        };
        // A token of these tiers has a public prefix or is long enough to show four characters; a password is not.
        let head = value.get(..4).filter(|head| head.bytes().all(|byte| byte.is_ascii_graphic()));
        let head = head.filter(|_| self.detector.tier >= Tier::Strong && value.len() >= 20);
        head.map_or_else(|| format!("{name} ({class})"), |head| format!("{name} {head}… ({class})"))
    }
}

/// How many levels of encoding are decoded.
const MAX_DECODE_DEPTH: usize = 2;

/// Returns the secrets that the wanted detectors find in the text, in order.
///
/// Each value is reported once, at its first position; of several detectors that match the same span the best proved
/// wins, and among equals the first in [`DETECTORS`].
pub fn scan(text: &str, wanted: impl Fn(&Detector) -> bool) -> Vec<Finding> {
    scan_with(text, &CustomDetectors::default(), wanted)
}

/// Like [`scan`], with the custom detectors of a policy.
pub fn scan_with(text: &str, own: &CustomDetectors, wanted: impl Fn(&Detector) -> bool) -> Vec<Finding> {
    ScanCache::default().findings(text, own, &wanted)
}

/// Intermediate results for a text. A caller that asks for several kinds of findings of the same text keeps it: the
/// keywords are searched once, and each detector runs once.
#[derive(Debug, Default)]
pub struct ScanCache(Option<ScanLevel>);

impl ScanCache {
    /// Returns the same as [`scan_with`]. Text and detectors must be the same in every call.
    pub fn findings(&mut self, text: &str, own: &CustomDetectors, wanted: &dyn Fn(&Detector) -> bool) -> Vec<Finding> {
        let work = Cell::new(0);
        let level = self.0.get_or_insert_with(|| ScanLevel::new(text, own, MAX_DECODE_DEPTH));
        with_line_numbers(text, level.find_candidates(text, own, wanted, &work))
    }
}

/// A value that a detector found.
#[derive(Debug, Clone)]
pub(super) struct FindingCandidate {
    detector_index: usize,
    pub detector: &'static Detector,
    pub tier: Tier,
    pub span: Range<usize>,
    pub encodings: Vec<Encoding>,
}

/// Returns what is found in a text, one candidate per value, in the order of the text.
#[cfg(test)]
pub(super) fn find_candidates(
    text: &str,
    own: &CustomDetectors,
    wanted: &dyn Fn(&Detector) -> bool,
    work: &Cell<usize>,
) -> Vec<FindingCandidate> {
    ScanLevel::new(text, own, MAX_DECODE_DEPTH).find_candidates(text, own, wanted, work)
}

/// A keyword of a detector in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct KeywordMatch {
    /// Its index among all detectors; custom ones follow the bundled ones.
    detector_index: usize,
    at: usize,
    len: u8,
    min_lookback: u16,
    max_lookback: u16,
}

/// A text, or a decoded piece of it.
#[derive(Debug)]
struct ScanLevel {
    /// The keyword matches, by detector.
    keyword_matches: Vec<KeywordMatch>,
    /// The detectors that ran, by index among all, and what they found.
    searched_detectors: BTreeSet<usize>,
    candidates: Vec<FindingCandidate>,
    decoded: Vec<(decode::DecodedText, Self)>,
}

impl ScanLevel {
    fn new(text: &str, own: &CustomDetectors, depth: usize) -> Self {
        let mut encoded = Vec::new();
        let mut keyword_matches = keyword_matches(text, KEYWORDS, DETECTORS.iter(), 0, &mut encoded);
        if let Some(keywords) = own.keyword_automaton() {
            let own = own.detectors().iter().copied();
            keyword_matches.extend(self::keyword_matches(text, &keywords, own, DETECTORS.len(), &mut encoded));
        }
        keyword_matches.sort_unstable();
        keyword_matches.dedup();
        let mut pieces = Vec::new();
        if depth > 0 {
            pieces = decode::decode_hints(text, &encoded);
            pieces.extend(disguise::plain_pieces(text));
        }
        let inner = |piece: decode::DecodedText| {
            let level = Self::new(&piece.text, own, depth - 1);
            (piece, level)
        };
        let decoded = pieces.into_iter().map(inner).collect();
        Self { keyword_matches, searched_detectors: BTreeSet::new(), candidates: Vec::new(), decoded }
    }

    fn find_candidates(
        &mut self,
        text: &str,
        own: &CustomDetectors,
        wanted: &dyn Fn(&Detector) -> bool,
        work: &Cell<usize>,
    ) -> Vec<FindingCandidate> {
        let mut search = Scanner { text, bytes_scanned: work, candidates: Vec::new() };
        let mut asked = BTreeSet::new();
        for group in self.keyword_matches.chunk_by(|one, other| one.detector_index == other.detector_index) {
            let number = group.first().map_or(0, |task| task.detector_index);
            let bundled = DETECTORS.get(number);
            let detector = bundled.or_else(|| own.detectors().get(number.checked_sub(DETECTORS.len())?).copied());
            let Some(detector) = detector.filter(|detector| wanted(detector)) else { continue };
            asked.insert(number);
            if self.searched_detectors.insert(number) {
                search.run_detector(number, detector, group);
            }
        }
        self.candidates.extend(search.candidates);
        let mut sightings: Vec<FindingCandidate> =
            self.candidates.iter().filter(|sighting| asked.contains(&sighting.detector_index)).cloned().collect();
        for (piece, level) in &mut self.decoded {
            for inner in level.find_candidates(&piece.text, own, wanted, work) {
                if let Some(span) = piece.source_span(&inner.span) {
                    let encodings = [&[piece.encoding], inner.encodings.as_slice()].concat();
                    sightings.push(FindingCandidate { span, encodings, ..inner });
                }
            }
        }
        deduplicate(text, sightings)
    }
}

/// Returns the keyword matches of detectors, and adds hints to encoded token prefixes.
fn keyword_matches<'d>(
    text: &str,
    keywords: &KeywordAutomaton<'_>,
    detectors: impl Iterator<Item = &'d Detector>,
    base: usize,
    encoded: &mut Vec<decode::EncodedHint>,
) -> Vec<KeywordMatch> {
    let bytes = text.as_bytes();
    let detectors: Vec<&Detector> = detectors.collect();
    let each = |(tasks, encoded): &mut (Vec<KeywordMatch>, Vec<decode::EncodedHint>), hit| {
        for output in keywords.outputs(hit) {
            let KeywordOutput { detector, len, min_lookback: least_back, max_lookback: most_back } = *output;
            let Some(at) = hit.end.checked_sub(usize::from(len)) else { continue };
            if detector == ENCODED_DETECTOR {
                encoded.push(decode::EncodedHint { at, group_offset: usize::from(least_back) });
                continue;
            }
            // Most keywords in a text are inside words; this is the cheapest place to check that.
            let detector = usize::from(detector);
            let inside = most_back == 0
                && detectors.get(detector).is_none_or(|it| {
                    matches!(it.pattern, DetectorPattern::Token(_)) && !it.boundary.allows_start(bytes, at)
                });
            if !inside {
                tasks.push(KeywordMatch {
                    detector_index: base + detector,
                    at,
                    len,
                    min_lookback: least_back,
                    max_lookback: most_back,
                });
            }
        }
    };
    let mut tasks = Vec::new();
    for (found, hints) in keywords.find_hits(bytes, each) {
        tasks.extend(found);
        encoded.extend(hints);
    }
    tasks
}

struct Scanner<'a, 't> {
    text: &'t str,
    bytes_scanned: &'a Cell<usize>,
    candidates: Vec<FindingCandidate>,
}

impl Scanner<'_, '_> {
    fn run_detector(&mut self, order: usize, detector: &'static Detector, tasks: &[KeywordMatch]) {
        match &detector.pattern {
            DetectorPattern::Token(expression) => {
                let starts = self.token_starts(detector, tasks);
                self.match_at_starts(order, detector, expression, starts);
            }
            DetectorPattern::Assigned(expression) => {
                let bytes = self.text.as_bytes();
                let given = tasks.iter().filter_map(|task| {
                    let keyword = task.at..task.at + usize::from(task.len);
                    let given = assignment::parse(bytes, keyword.clone())?;
                    if !builtin::names_provider(
                        self.text.get(given.name.clone())?,
                        keyword.start - given.name.start..keyword.end - given.name.start,
                    ) {
                        return None;
                    }
                    self.bytes_scanned.set(self.bytes_scanned.get() + given.value.end - given.name.start);
                    Some(given.value.start)
                });
                let mut starts: Vec<usize> = given.collect();
                starts.sort_unstable();
                starts.dedup();
                self.match_at_starts(order, detector, expression, starts);
            }
            DetectorPattern::Near(expression, lines) => {
                let starts = self.nearby_starts(detector, tasks, usize::from(*lines));
                self.match_at_starts(order, detector, expression, starts);
            }
            DetectorPattern::Builtin(builtin) => {
                let done = Cell::new(0);
                for task in tasks {
                    let at = task.at..task.at + usize::from(task.len);
                    let place = KeywordContext {
                        text: self.text,
                        keyword_span: at,
                        scanned_to: &done,
                        bytes_scanned: self.bytes_scanned,
                    };
                    for BuiltinMatch { span, tier } in builtin.find(&place) {
                        let value = self.text.get(span.clone()).unwrap_or_default();
                        if !value.is_empty() && !is_sample(detector, value) {
                            self.candidates.push(FindingCandidate {
                                detector_index: order,
                                detector,
                                tier,
                                span,
                                encodings: Vec::new(),
                            });
                        }
                    }
                }
            }
        }
    }

    /// Returns where tokens may begin at keywords.
    fn token_starts(&self, detector: &Detector, tasks: &[KeywordMatch]) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let mut starts: Vec<usize> = Vec::with_capacity(tasks.len());
        let mut reached = 0;
        for task in tasks {
            // Positions in an earlier keyword's stretch were listed for that one.
            let first = task.at.saturating_sub(usize::from(task.max_lookback));
            let last = task.at.checked_sub(usize::from(task.min_lookback));
            let first = if task.max_lookback > task.min_lookback { first.max(reached) } else { first };
            let Some(last) = last.filter(|last| first <= *last) else { continue };
            starts.extend((first..=last).filter(|start| detector.boundary.allows_start(bytes, *start)));
            self.bytes_scanned.set(self.bytes_scanned.get() + last + 1 - first);
            if task.max_lookback > task.min_lookback {
                reached = last + 1;
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// Returns where values may begin within a number of lines of a word.
    fn nearby_starts(&self, detector: &Detector, tasks: &[KeywordMatch], lines: usize) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let mut starts = Vec::new();
        let mut reached = 0;
        for task in tasks {
            let before = bytes.get(task.at.saturating_sub(CONTEXT_BYTES)..task.at).unwrap_or_default();
            let ends = before.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
            let back = ends.map(|(at, _)| before.len() - at - 1).nth(lines).unwrap_or(before.len());
            let after = bytes.get(task.at..(task.at + CONTEXT_BYTES).min(bytes.len())).unwrap_or_default();
            let ends = after.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let ahead = ends.map(|(at, _)| at).nth(lines).unwrap_or(after.len());
            let first = (task.at - back).max(reached);
            let last = task.at + ahead;
            starts.extend((first..last).filter(|start| detector.boundary.allows_start(bytes, *start)));
            self.bytes_scanned.set(self.bytes_scanned.get() + before.len() + after.len());
            reached = reached.max(last);
        }
        starts
    }

    fn match_at_starts(
        &mut self,
        order: usize,
        detector: &'static Detector,
        expression: &CompiledExpression,
        starts: Vec<usize>,
    ) {
        let bytes = self.text.as_bytes();
        let mut work = 0;
        let found = match expression.dfa() {
            Some(table) => table.find_matches(bytes, starts, detector.boundary, &mut work),
            // An expression beyond the limits matches every word at which it would be tried: too much, not too little.
            None => starts.into_iter().map(|start| start..start + word_len(bytes, start)).collect(),
        };
        self.bytes_scanned.set(self.bytes_scanned.get() + work);
        for span in found {
            let span = self.text.floor_char_boundary(span.start)..self.text.ceil_char_boundary(span.end);
            if let Some(tier) = grade(detector, self.text.get(span.clone()).unwrap_or_default()) {
                self.candidates.push(FindingCandidate {
                    detector_index: order,
                    detector,
                    tier,
                    span,
                    encodings: Vec::new(),
                });
            }
        }
    }
}

/// How many bytes around a word a value may be.
const CONTEXT_BYTES: usize = 1024;

fn word_len(text: &[u8], start: usize) -> usize {
    text.get(start..).unwrap_or_default().iter().take(CONTEXT_BYTES).take_while(|byte| byte.is_ascii_graphic()).count()
}

/// Returns whether documentation shows the value: that of its own provider, or of any other under the same name.
fn is_sample(detector: &Detector, value: &str) -> bool {
    detector.dummies.contains(&value) || DETECTORS.iter().any(|row| row.dummies.contains(&value))
}

/// Returns the tier of a value of a detector's shape; `None` when it fails a filter.
fn grade(detector: &Detector, value: &str) -> Option<Tier> {
    let flat = detector
        .entropy
        .is_some_and(|least| placeholder::entropy(placeholder::longest_segment(value)) < f64::from(least));
    if flat || is_sample(detector, value) {
        return None;
    }
    if placeholder::is_placeholder(value) {
        // A person may have replaced the value, or may have got it so: what counts or repeats is no word.
        let formed = matches!(detector.pattern, DetectorPattern::Token(_)) && detector.tier >= Tier::Strong;
        let kept = detector.check.is_none_or(|check| check.kind() == CheckKind::Proof || check.holds(value));
        return (formed && kept && placeholder::is_counted(value)).then_some(Tier::Generic);
    }
    let Some(check) = detector.check else { return Some(detector.tier) };
    match (check.holds(value), check.kind(), detector.tier) {
        (true, CheckKind::Filter, tier) | (true, CheckKind::Proof, tier @ Tier::Generic) => Some(tier),
        (true, CheckKind::Proof, _) => Some(Tier::Proved),
        (false, CheckKind::Filter, _) | (false, CheckKind::Proof, Tier::Generic) => None,
        (false, CheckKind::Proof, _) => (detector.lookalike == FailedProof::Generic).then_some(Tier::Generic),
    }
}

/// Demotes a value found by its name that has a token form without proof: the form is more specific.
fn demote_overlapping_generic(sightings: &mut [FindingCandidate]) {
    let formed =
        |it: &&FindingCandidate| it.tier == Tier::Generic && matches!(it.detector.pattern, DetectorPattern::Token(_));
    let formed: BTreeMap<usize, usize> =
        sightings.iter().filter(formed).map(|it| (it.span.start, it.span.end)).collect();
    for sighting in sightings.iter_mut().filter(|it| it.detector.tier == Tier::Generic) {
        let before = formed.range(..sighting.span.end).next_back();
        if before.is_some_and(|(_, end)| *end > sighting.span.start) {
            sighting.tier = Tier::Generic;
        }
    }
}

/// Keeps one candidate per span and per value, the best proved first; returns them in the order of the text.
fn deduplicate(text: &str, mut sightings: Vec<FindingCandidate>) -> Vec<FindingCandidate> {
    demote_overlapping_generic(&mut sightings);
    // Of two equal candidates the more specific kind wins.
    let kind = |sighting: &FindingCandidate| Reverse(sighting.detector.tier);
    sightings.sort_by_key(|it| (Reverse(it.tier), kind(it), it.detector_index, it.span.start));
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let mut values = HashSet::new();
    let mut kept = Vec::new();
    for sighting in sightings {
        let span = sighting.span.clone();
        let free = taken.range(..span.end).next_back().is_none_or(|(_, end)| *end <= span.start);
        if !free {
            continue;
        }
        taken.insert(span.start, span.end);
        if values.insert(text.get(span).unwrap_or_default()) {
            kept.push(sighting);
        }
    }
    kept.sort_by_key(|sighting| sighting.span.start);
    kept
}

/// Attaches line numbers to candidates in order.
fn with_line_numbers(text: &str, sightings: Vec<FindingCandidate>) -> Vec<Finding> {
    let mut line = 1;
    let mut counted = 0;
    let count = |FindingCandidate { detector, tier, span, encodings, .. }: FindingCandidate| {
        line += text.get(counted..span.start).unwrap_or_default().matches('\n').count();
        counted = span.start;
        Finding { detector, tier, span, line, encodings }
    };
    sightings.into_iter().map(count).collect()
}
