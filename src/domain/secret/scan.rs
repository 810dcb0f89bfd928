//! The search: keywords first, then what each detector looks for at its keywords, then one finding per value.
//!
//! The time it takes grows with the text and not faster: expressions advance from all their beginnings at once, and
//! every other search looks at a bounded stretch of text.

use std::{
    cell::Cell,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashSet},
    ops::Range,
};

use super::{
    assigned,
    builtin::{Found, Place},
    check::CheckKind,
    decode,
    detector::{Detector, Expression, Shape, Tier},
    entry::Lookalike,
    keyword::{ENCODED, Keywords, Output},
    own::Own,
    placeholder,
    table::{DETECTORS, KEYWORDS},
};

/// A secret in a text.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is a secret of.
    pub detector: &'static Detector,
    /// How sure that is: the detector's tier, or what a proof made of it.
    pub tier: Tier,
    /// Where the value stands, in bytes. Where it was encoded, the encoded piece.
    pub span: Range<usize>,
    /// The line on which the value begins, counted from one.
    pub line: usize,
}

impl Finding {
    /// Returns what tells the finding from others in whatever version of the text: the detector's id and the value.
    ///
    /// It is what a fingerprint is made of, with a key; it is not to be stored itself.
    pub fn identity<'t>(&self, text: &'t str) -> (&'static str, &'t str) {
        (self.detector.id, text.get(self.span.clone()).unwrap_or_default())
    }

    /// Returns words for people: the kind, how long the value is, and its first four bytes if those cannot help a guess.
    ///
    /// `text` is the one that was scanned.
    pub fn masked(&self, text: &str) -> String {
        let name = self.detector.name;
        let value = text.get(self.span.clone()).unwrap_or_default();
        let class = match value.len() {
            0..16 => "under 16 characters",
            16..32 => "16 to 31 characters",
            32..64 => "32 to 63 characters",
            _ => "64 characters or more",
        };
        // A token of these tiers begins with a public prefix or is long enough to spare four characters; a password is not.
        let head = value.get(..4).filter(|_| self.detector.tier >= Tier::Strong && value.len() >= 20);
        head.map_or_else(|| format!("{name} ({class})"), |head| format!("{name} {head}… ({class})"))
    }
}

/// Levels of encoding that are looked through.
const DEPTH: usize = 2;

/// Returns the secrets that the wanted detectors see in the text, in its order.
///
/// Each value is reported once, at its first place; of several detectors that see the same piece of text the best proved
/// has it, and among equals the one that stands first in [`DETECTORS`].
pub fn scan(text: &str, wanted: impl Fn(&Detector) -> bool) -> Vec<Finding> {
    scan_with(text, &Own::default(), wanted)
}

/// Like [`scan`], with the detectors that a policy brings.
pub fn scan_with(text: &str, own: &Own, wanted: impl Fn(&Detector) -> bool) -> Vec<Finding> {
    Searched::default().findings(text, own, &wanted)
}

/// What is known of a text so far. Whoever asks for several kinds of findings of the same text keeps it: the keywords
/// are looked for once, and each detector searches once.
#[derive(Debug, Default)]
pub struct Searched(Option<Level>);

impl Searched {
    /// Returns the same as [`scan_with`]. Text and detectors are the same in every call.
    pub fn findings(&mut self, text: &str, own: &Own, wanted: &dyn Fn(&Detector) -> bool) -> Vec<Finding> {
        let work = Cell::new(0);
        let level = self.0.get_or_insert_with(|| Level::of(text, own, DEPTH));
        numbered(text, level.sightings(text, own, wanted, &work))
    }
}

/// A value that a detector sees.
#[derive(Debug, Clone)]
pub(super) struct Sighting {
    order: usize,
    pub detector: &'static Detector,
    pub tier: Tier,
    pub span: Range<usize>,
}

/// Returns what is seen in a text, one sighting per value, in the order of the text.
#[cfg(test)]
pub(super) fn sightings(
    text: &str,
    own: &Own,
    wanted: &dyn Fn(&Detector) -> bool,
    work: &Cell<usize>,
) -> Vec<Sighting> {
    Level::of(text, own, DEPTH).sightings(text, own, wanted, work)
}

/// A keyword of a detector in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    /// Its place among all detectors, those of the policy behind the bundled ones.
    detector: usize,
    at: usize,
    len: u8,
    least_back: u16,
    most_back: u16,
}

/// A text, or what a piece of it decodes to.
#[derive(Debug)]
struct Level {
    /// Where which detectors are to look, by detector.
    tasks: Vec<Task>,
    /// The detectors that looked, by place among all, and what they saw.
    done: BTreeSet<usize>,
    seen: Vec<Sighting>,
    pieces: Vec<(decode::Piece, Self)>,
}

impl Level {
    fn of(text: &str, own: &Own, depth: usize) -> Self {
        let mut encoded = Vec::new();
        let mut tasks = tasks(text, KEYWORDS, DETECTORS.iter(), 0, &mut encoded);
        if let Some(keywords) = own.keywords() {
            let own = own.detectors().iter().copied();
            tasks.extend(self::tasks(text, &keywords, own, DETECTORS.len(), &mut encoded));
        }
        tasks.sort_unstable();
        tasks.dedup();
        let pieces = if depth > 0 { decode::pieces(text, &encoded) } else { Vec::new() };
        let inner = |piece: decode::Piece| {
            let level = Self::of(&piece.text, own, depth - 1);
            (piece, level)
        };
        let pieces = pieces.into_iter().map(inner).collect();
        Self { tasks, done: BTreeSet::new(), seen: Vec::new(), pieces }
    }

    fn sightings(
        &mut self,
        text: &str,
        own: &Own,
        wanted: &dyn Fn(&Detector) -> bool,
        work: &Cell<usize>,
    ) -> Vec<Sighting> {
        let mut search = Search { text, work, sightings: Vec::new() };
        let mut asked = BTreeSet::new();
        for group in self.tasks.chunk_by(|one, other| one.detector == other.detector) {
            let number = group.first().map_or(0, |task| task.detector);
            let bundled = DETECTORS.get(number);
            let detector = bundled.or_else(|| own.detectors().get(number.checked_sub(DETECTORS.len())?).copied());
            let Some(detector) = detector.filter(|detector| wanted(detector)) else { continue };
            asked.insert(number);
            if self.done.insert(number) {
                search.search(number, detector, group);
            }
        }
        self.seen.extend(search.sightings);
        let mut sightings: Vec<Sighting> =
            self.seen.iter().filter(|sighting| asked.contains(&sighting.order)).cloned().collect();
        for (piece, level) in &mut self.pieces {
            for inner in level.sightings(&piece.text, own, wanted, work) {
                if let Some(span) = piece.outer(&inner.span) {
                    sightings.push(Sighting { span, ..inner });
                }
            }
        }
        distinct(text, sightings)
    }
}

/// Returns where which detectors are to look, and adds where pieces of base64 stand that decode to the beginning of a
/// token.
fn tasks<'d>(
    text: &str,
    keywords: &Keywords<'_>,
    detectors: impl Iterator<Item = &'d Detector>,
    base: usize,
    encoded: &mut Vec<decode::Hint>,
) -> Vec<Task> {
    let bytes = text.as_bytes();
    let detectors: Vec<&Detector> = detectors.collect();
    let each = |(tasks, encoded): &mut (Vec<Task>, Vec<decode::Hint>), hit| {
        for output in keywords.outputs(hit) {
            let Output { detector, len, least_back, most_back } = *output;
            let Some(at) = hit.end.checked_sub(usize::from(len)) else { continue };
            if detector == ENCODED {
                encoded.push(decode::Hint { at, ahead: usize::from(least_back) });
                continue;
            }
            // Most keywords in a text stand inside of words; this is the cheapest place to see that.
            let detector = usize::from(detector);
            let inside = most_back == 0
                && detectors
                    .get(detector)
                    .is_none_or(|it| matches!(it.shape, Shape::Token(_)) && !it.ends.left(bytes, at));
            if !inside {
                tasks.push(Task { detector: base + detector, at, len, least_back, most_back });
            }
        }
    };
    let mut tasks = Vec::new();
    for (found, hints) in keywords.hits(bytes, each) {
        tasks.extend(found);
        encoded.extend(hints);
    }
    tasks
}

struct Search<'a, 't> {
    text: &'t str,
    work: &'a Cell<usize>,
    sightings: Vec<Sighting>,
}

impl Search<'_, '_> {
    fn search(&mut self, order: usize, detector: &'static Detector, tasks: &[Task]) {
        match &detector.shape {
            Shape::Token(expression) => {
                let starts = self.starts(detector, tasks);
                self.match_from(order, detector, expression, starts);
            }
            Shape::Assigned(expression) => {
                let bytes = self.text.as_bytes();
                let given = tasks.iter().filter_map(|task| {
                    let given = assigned::read(bytes, task.at..task.at + usize::from(task.len))?;
                    self.work.set(self.work.get() + given.value.end - given.name.start);
                    Some(given.value.start)
                });
                let mut starts: Vec<usize> = given.collect();
                starts.sort_unstable();
                starts.dedup();
                self.match_from(order, detector, expression, starts);
            }
            Shape::Near(expression, lines) => {
                let starts = self.near(detector, tasks, usize::from(*lines));
                self.match_from(order, detector, expression, starts);
            }
            Shape::Builtin(builtin) => {
                let done = Cell::new(0);
                for task in tasks {
                    let at = task.at..task.at + usize::from(task.len);
                    let place = Place { text: self.text, at, done: &done, work: self.work };
                    for Found { span, tier } in builtin.find(&place) {
                        let value = self.text.get(span.clone()).unwrap_or_default();
                        if !value.is_empty() && !detector.dummies.contains(&value) {
                            self.sightings.push(Sighting { order, detector, tier, span });
                        }
                    }
                }
            }
        }
    }

    /// Returns where tokens may begin at keywords.
    fn starts(&self, detector: &Detector, tasks: &[Task]) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let mut starts: Vec<usize> = Vec::with_capacity(tasks.len());
        let mut reached = 0;
        for task in tasks {
            // What reaches back into an earlier keyword's stretch was listed for that one.
            let first = task.at.saturating_sub(usize::from(task.most_back));
            let last = task.at.checked_sub(usize::from(task.least_back));
            let first = if task.most_back > task.least_back { first.max(reached) } else { first };
            let Some(last) = last.filter(|last| first <= *last) else { continue };
            starts.extend((first..=last).filter(|start| detector.ends.left(bytes, *start)));
            self.work.set(self.work.get() + last + 1 - first);
            if task.most_back > task.least_back {
                reached = last + 1;
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// Returns where values may begin so many lines from a word.
    fn near(&self, detector: &Detector, tasks: &[Task], lines: usize) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let mut starts = Vec::new();
        let mut reached = 0;
        for task in tasks {
            let before = bytes.get(task.at.saturating_sub(NEARBY)..task.at).unwrap_or_default();
            let ends = before.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
            let back = ends.map(|(at, _)| before.len() - at - 1).nth(lines).unwrap_or(before.len());
            let after = bytes.get(task.at..(task.at + NEARBY).min(bytes.len())).unwrap_or_default();
            let ends = after.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let ahead = ends.map(|(at, _)| at).nth(lines).unwrap_or(after.len());
            let first = (task.at - back).max(reached);
            let last = task.at + ahead;
            starts.extend((first..last).filter(|start| detector.ends.left(bytes, *start)));
            self.work.set(self.work.get() + before.len() + after.len());
            reached = reached.max(last);
        }
        starts
    }

    fn match_from(&mut self, order: usize, detector: &'static Detector, expression: &Expression, starts: Vec<usize>) {
        let bytes = self.text.as_bytes();
        let mut work = 0;
        let found = match expression.table() {
            Some(table) => table.matches(bytes, starts, detector.ends, &mut work),
            // An expression beyond the bounds finds every word that stands where it would be tried: too much, not too little.
            None => starts.into_iter().map(|start| start..start + word_len(bytes, start)).collect(),
        };
        self.work.set(self.work.get() + work);
        for span in found {
            let span = self.text.floor_char_boundary(span.start)..self.text.ceil_char_boundary(span.end);
            if let Some(tier) = judged(detector, self.text.get(span.clone()).unwrap_or_default()) {
                self.sightings.push(Sighting { order, detector, tier, span });
            }
        }
    }
}

/// Bytes around a word in which a value is near.
const NEARBY: usize = 1024;

fn word_len(text: &[u8], start: usize) -> usize {
    text.get(start..).unwrap_or_default().iter().take(NEARBY).take_while(|byte| byte.is_ascii_graphic()).count()
}

/// Returns how well a value of a detector's shape is proved; `None` when it is none.
fn judged(detector: &Detector, value: &str) -> Option<Tier> {
    let sample = placeholder::is_placeholder(value) || detector.dummies.contains(&value);
    let flat = detector.entropy.is_some_and(|least| placeholder::entropy(placeholder::body(value)) < f64::from(least));
    if sample || flat {
        return None;
    }
    let Some(check) = detector.check else { return Some(detector.tier) };
    match (check.holds(value), check.kind(), detector.tier) {
        (true, CheckKind::Filter, tier) | (true, CheckKind::Proof, tier @ Tier::Generic) => Some(tier),
        (true, CheckKind::Proof, _) => Some(Tier::Proved),
        (false, CheckKind::Filter, _) | (false, CheckKind::Proof, Tier::Generic) => None,
        (false, CheckKind::Proof, _) => (detector.lookalike == Lookalike::Generic).then_some(Tier::Generic),
    }
}

/// Takes back what a name made of a value that has a form of its own and no proof: of such a token the form says more.
fn doubt(sightings: &mut [Sighting]) {
    let formed = |it: &&Sighting| it.tier == Tier::Generic && matches!(it.detector.shape, Shape::Token(_));
    let formed: BTreeMap<usize, usize> =
        sightings.iter().filter(formed).map(|it| (it.span.start, it.span.end)).collect();
    for sighting in sightings.iter_mut().filter(|it| it.detector.tier == Tier::Generic) {
        let before = formed.range(..sighting.span.end).next_back();
        if before.is_some_and(|(_, end)| *end > sighting.span.start) {
            sighting.tier = Tier::Generic;
        }
    }
}

/// Keeps one sighting per piece of text and per value, the best proved first; returns them in the order of the text.
fn distinct(text: &str, mut sightings: Vec<Sighting>) -> Vec<Sighting> {
    doubt(&mut sightings);
    // Of two that are equally sure the one that names the kind says more.
    let kind = |sighting: &Sighting| Reverse(sighting.detector.tier);
    sightings.sort_by_key(|it| (Reverse(it.tier), kind(it), it.order, it.span.start));
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

/// Attaches line numbers to sightings that are in order.
fn numbered(text: &str, sightings: Vec<Sighting>) -> Vec<Finding> {
    let mut line = 1;
    let mut counted = 0;
    let count = |Sighting { detector, tier, span, .. }: Sighting| {
        line += text.get(counted..span.start).unwrap_or_default().matches('\n').count();
        counted = span.start;
        Finding { detector, tier, span, line }
    };
    sightings.into_iter().map(count).collect()
}
