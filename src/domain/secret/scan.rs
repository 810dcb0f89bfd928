//! The search: keywords first, then patterns in windows around them, then checks, then one finding per value.
//!
//! The time it takes grows with the text and not faster: the windows of a detector are merged before its pattern sees
//! them, a pattern goes on behind each value it matched, and a check sees a bounded stretch of the surroundings.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
    ops::Range,
    sync::OnceLock,
};

use regex::bytes::{Regex, RegexBuilder};

use super::{
    detector::{Candidate, Check, Detector, Tier},
    detectors::{DETECTORS, TABLE},
    keyword,
};

/// A secret in a text.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is a secret of, and how sure that is.
    pub detector: &'static Detector,
    /// Where the value stands, in bytes.
    pub span: Range<usize>,
    /// The line on which the value begins, counted from one.
    pub line: usize,
}

impl Finding {
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

/// Returns the secrets that the wanted detectors see in the text, in its order.
///
/// Each value is reported once, at its first place; of several detectors that see the same piece of text the best proved
/// has it, and among equals the one that stands first in [`DETECTORS`].
pub fn scan(text: &str, wanted: impl Fn(&Detector) -> bool) -> Vec<Finding> {
    let mut sightings = Vec::new();
    for (order, (detector, windows)) in DETECTORS.iter().zip(windows(text, wanted)).enumerate() {
        if let Some(pattern) = windows.first().and_then(|_| compiled(order)) {
            let mut search = Search { order, detector, pattern, text, sightings: &mut sightings };
            for window in windows {
                search.run(window);
            }
        }
    }
    let mut spans = distinct(text, sightings);
    spans.sort_by_key(|(_, span)| span.start);
    numbered(text, spans)
}

/// A candidate that passed its detector's check.
struct Sighting {
    order: usize,
    detector: &'static Detector,
    span: Range<usize>,
}

/// Returns, for each detector, the stretches of text in which its pattern is to be tried: in order, without overlap.
fn windows(text: &str, wanted: impl Fn(&Detector) -> bool) -> Vec<Vec<Range<usize>>> {
    let mut all: Vec<Option<Vec<Range<usize>>>> =
        DETECTORS.iter().map(|detector| wanted(detector).then(Vec::new)).collect();
    keyword::each(text.as_bytes(), |order, at| {
        if let (Some(Some(windows)), Some(detector)) = (all.get_mut(order), DETECTORS.get(order)) {
            let end = (at + detector.window.ahead).min(text.len());
            add(windows, at.saturating_sub(detector.window.back)..end);
        }
    });
    all.into_iter().map(|windows| without_cuts(text.as_bytes(), windows.unwrap_or_default())).collect()
}

/// Adds a window, or widens the last one when they meet.
fn add(windows: &mut Vec<Range<usize>>, window: Range<usize>) {
    match windows.last_mut() {
        Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
        _ => windows.push(window),
    }
}

/// Moves the end of each window to the end of the token that stands there.
fn without_cuts(text: &[u8], windows: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut whole: Vec<Range<usize>> = Vec::with_capacity(windows.len());
    for window in windows {
        // A window that begins inside its predecessor's last token must not walk that token again.
        let reached = whole.last().map_or(window.end, |last| last.end.max(window.end));
        let rest = text.get(reached..).unwrap_or_default();
        let token = rest.iter().take_while(|byte| continues_token(**byte)).count();
        add(&mut whole, window.start..reached + token);
    }
    whole
}

fn continues_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.+/=%~".contains(&byte)
}

/// Returns the pattern of a detector, compiled on its first use in this process.
///
/// Patterns are constants, so remembering them is not state; a hook looks at several texts for one event.
fn compiled(order: usize) -> Option<&'static Regex> {
    static PATTERNS: [OnceLock<Option<Regex>>; TABLE.len()] = [const { OnceLock::new() }; TABLE.len()];
    let pattern = DETECTORS.get(order)?.pattern;
    PATTERNS.get(order)?.get_or_init(|| RegexBuilder::new(pattern).unicode(false).build().ok()).as_ref()
}

/// One detector's pattern at work on one text.
struct Search<'a, 't> {
    order: usize,
    detector: &'static Detector,
    pattern: &'static Regex,
    text: &'t str,
    sightings: &'a mut Vec<Sighting>,
}

impl Search<'_, '_> {
    fn run(&mut self, window: Range<usize>) {
        let Some(haystack) = self.text.as_bytes().get(..window.end) else { return };
        let mut groups = self.pattern.capture_locations();
        let mut at = window.start;
        while at <= haystack.len() && self.pattern.captures_read_at(&mut groups, haystack, at).is_some() {
            let Some((start, end)) = (1..groups.len()).find_map(|group| groups.get(group)) else { return };
            // Behind the value and not behind the match: its boundary may be the next one's as well.
            at = end.max(at + 1);
            let span = self.text.floor_char_boundary(start)..self.text.ceil_char_boundary(end);
            if self.passes(&span) {
                self.sightings.push(Sighting { order: self.order, detector: self.detector, span });
            }
        }
    }

    fn passes(&self, span: &Range<usize>) -> bool {
        let Some(check) = self.detector.check else { return true };
        let window = self.detector.window;
        let from = self.text.floor_char_boundary(span.start.saturating_sub(window.back));
        let to = self.text.ceil_char_boundary(span.end.saturating_add(window.ahead));
        let candidate = Candidate {
            value: self.text.get(span.clone()).unwrap_or_default(),
            before: self.text.get(from..span.start).unwrap_or_default(),
            after: self.text.get(span.end..to).unwrap_or_default(),
        };
        check(&candidate) == Check::Secret
    }
}

/// Keeps one sighting per piece of text and per value, the best proved first.
fn distinct(text: &str, mut sightings: Vec<Sighting>) -> Vec<(&'static Detector, Range<usize>)> {
    sightings.sort_by_key(|sighting| (Reverse(sighting.detector.tier), sighting.order, sighting.span.start));
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let mut values = HashSet::new();
    let mut kept = Vec::new();
    for Sighting { detector, span, .. } in sightings {
        let free = taken.range(..span.end).next_back().is_none_or(|(_, end)| *end <= span.start);
        if !free {
            continue;
        }
        taken.insert(span.start, span.end);
        if values.insert(text.get(span.clone()).unwrap_or_default()) {
            kept.push((detector, span));
        }
    }
    kept
}

/// Attaches line numbers to spans that are in order.
fn numbered(text: &str, spans: Vec<(&'static Detector, Range<usize>)>) -> Vec<Finding> {
    let mut line = 1;
    let mut counted = 0;
    let count = |(detector, span): (&'static Detector, Range<usize>)| {
        line += text.get(counted..span.start).unwrap_or_default().matches('\n').count();
        counted = span.start;
        Finding { detector, span, line }
    };
    spans.into_iter().map(count).collect()
}
