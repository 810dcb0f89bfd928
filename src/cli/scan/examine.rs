//! One text looked through: its findings, in words that are safe to show.

use std::ops::Range;

use super::wanted::Wanted;
use crate::domain::layer::Layer;
use crate::domain::leak::{
    Baseline, BaselineEntry, Fingerprint, Known, Quieting, Reign, Seen, Subject, is_marked, occurrences,
};
use crate::domain::path::Place;
use crate::domain::pii;
use crate::domain::secret::{self, Severity, Tier};

/// A finding, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    /// The file as people name it: from the project's root.
    pub path: String,
    /// Where the value begins and ends, counted from one, columns in characters.
    pub begin: Spot,
    /// The place behind its last character.
    pub end: Spot,
    /// How often the value stands in the file.
    pub count: usize,
    /// Whether it is a secret or personal data.
    pub subject: Subject,
    /// The detector or the kind.
    pub detector: String,
    /// What it is called.
    pub name: String,
    /// How sure it is.
    pub tier: Tier,
    /// What it costs when it is real.
    pub severity: Severity,
    /// What it is, and nothing that would give it away.
    pub masked: String,
    /// Where such a value belongs instead.
    pub advice: String,
    /// By what it is known again.
    pub fingerprint: Fingerprint,
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub column: usize,
}

/// What is said of personal data.
const PERSONAL: &str =
    "Use a made-up value in code, tests and documents, and keep real ones in the data store that is meant for them.";

impl Hit {
    /// Returns the finding as a baseline holds it.
    pub(super) fn as_known(&self) -> BaselineEntry {
        let (path, detector) = (self.path.clone(), self.detector.clone());
        BaselineEntry { path, detector, fingerprint: self.fingerprint.clone(), reason: None }
    }

    /// Returns the name of the severity.
    pub(super) const fn severity_name(&self) -> &'static str {
        match self.severity {
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
            Severity::Critical => "critical",
        }
    }

    /// Returns the name of the tier.
    pub(super) const fn tier_name(&self) -> &'static str {
        self.tier.name()
    }
}

/// Looks through texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Examiner<'a> {
    /// What is looked for.
    pub wanted: &'a Wanted,
    /// What is known to be no leak.
    pub quieting: &'a [(Layer, Quieting)],
    /// The baselines of it.
    pub baselines: &'a [(Layer, Baseline)],
    /// Where paths are read from.
    pub place: &'a Place,
}

impl Examiner<'_> {
    /// Returns the findings of a text that begin or end on lines that are looked at; all lines when none are given.
    /// `file` is absolute and normalised.
    pub(super) fn examine(&self, text: &str, file: &str, lines: Option<&[Range<usize>]>) -> Vec<Hit> {
        let secrets = secret::scan_with(text, &self.wanted.own, |detector| self.wanted.detector(detector));
        let personal = pii::scan(text, |kind| self.wanted.kind(kind));
        let known =
            Known::with_baselines(self.quieting, Reign::Whole, self.place, &|_| Err(String::new()), self.baselines);
        let is_left = |seen: &Seen<'_>| {
            self.wanted.reports(seen, self.place)
                && !(self.wanted.markers && is_marked(seen))
                && !known.excuses(seen, Layer::Managed)
        };
        let path = self.place.shown(file);
        let mut hits = Vec::new();
        for found in &secrets {
            let seen = Seen::secret(found, text, Some(file));
            if is_left(&seen) {
                let (name, severity) = (found.detector.name, found.detector.severity);
                let said = Said { name, severity, masked: found.masked(text), advice: found.detector.advice };
                hits.push((hit(&seen, &path, said), seen.value()));
            }
        }
        for found in &personal {
            let seen = Seen::personal(found, text, Some(file));
            if is_left(&seen) {
                let name = found.kind.name;
                let said = Said { name, severity: Severity::High, masked: found.masked(text), advice: PERSONAL };
                hits.push((hit(&seen, &path, said), seen.value()));
            }
        }
        finished(text, hits, lines)
    }
}

/// What is said of a kind of finding.
struct Said<'a> {
    name: &'a str,
    severity: Severity,
    masked: String,
    advice: &'a str,
}

/// A finding whose place is still in bytes.
struct Raw {
    span: Range<usize>,
    hit: Hit,
}

fn hit(seen: &Seen<'_>, path: &str, said: Said<'_>) -> Raw {
    let nowhere = Spot { line: 1, column: 1 };
    let hit = Hit {
        path: path.to_owned(),
        begin: nowhere,
        end: nowhere,
        count: 1,
        subject: seen.subject,
        detector: seen.id.to_owned(),
        name: said.name.to_owned(),
        tier: seen.tier,
        severity: said.severity,
        masked: said.masked,
        advice: said.advice.to_owned(),
        fingerprint: seen.fingerprint(path),
    };
    Raw { span: seen.span.clone(), hit }
}

/// Puts findings in order, works out their places, and counts them.
fn finished(text: &str, mut hits: Vec<(Raw, &str)>, lines: Option<&[Range<usize>]>) -> Vec<Hit> {
    hits.sort_by_key(|(raw, _)| (raw.span.start, raw.span.end));
    let mut values: Vec<&str> = hits.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values.dedup();
    let counts = occurrences(text, &values);
    let mut walk = Walk { text, at: 0, spot: Spot { line: 1, column: 1 } };
    let mut found = Vec::with_capacity(hits.len());
    for (Raw { span, mut hit }, value) in hits {
        hit.begin = walk.to(span.start);
        hit.end = Walk { ..walk }.to(span.end);
        let count = values.binary_search(&value).ok().and_then(|at| counts.get(at));
        hit.count = count.copied().unwrap_or(1).max(1);
        found.push(hit);
    }
    let touches = |hit: &Hit, lines: &Range<usize>| hit.begin.line < lines.end && hit.end.line >= lines.start;
    found.retain(|hit| lines.is_none_or(|lines| lines.iter().any(|lines| touches(hit, lines))));
    found
}

/// A walk through a text that only goes forward.
#[derive(Clone, Copy)]
struct Walk<'t> {
    text: &'t str,
    at: usize,
    spot: Spot,
}

impl Walk<'_> {
    fn to(&mut self, byte: usize) -> Spot {
        for sign in self.text.get(self.at..byte).unwrap_or_default().chars() {
            if sign == '\n' {
                self.spot = Spot { line: self.spot.line + 1, column: 1 };
            } else {
                self.spot.column += 1;
            }
        }
        self.at = self.at.max(byte);
        self.spot
    }
}
