//! One text looked through: its findings, in words that are safe to show.

use std::ops::Range;
use std::sync::Arc;

use super::scope::ScanScope;
use crate::domain::allowlist::{
    Authority, Baseline, BaselineEntry, DetectedValue, FindingKind, Fingerprint, Suppression, Suppressions,
    count_occurrences, has_inline_marker,
};
use crate::domain::layer::Layer;
use crate::domain::pii;
use crate::domain::secret::{self, Encoding, Severity, Tier};
use crate::domain::text::path::PathContext;
use crate::io::scan::history::Commit;

/// A finding, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScanFinding {
    /// The file as people name it: from the project's root.
    pub path: String,
    /// Where the value begins and ends, counted from one, columns in characters.
    pub begin: TextPosition,
    /// The place behind its last character.
    pub end: TextPosition,
    /// How often the value is in the file.
    pub count: usize,
    /// Whether it is a secret or personal data.
    pub subject: FindingKind,
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
    /// How the value is encoded in the file, the outermost encoding first.
    pub encodings: Vec<Encoding>,
    /// The commit that brought it, in the history of a repository.
    pub commit: Option<Arc<Commit>>,
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextPosition {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub column: usize,
}

/// What is said of personal data.
const PII_ADVICE: &str =
    "Use a fictitious value in code, tests and documents, and keep real ones in the data store for them.";

impl ScanFinding {
    /// Returns the finding as a baseline holds it.
    pub(super) fn to_baseline_entry(&self) -> BaselineEntry {
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

    /// Returns the names of the encodings.
    pub(super) fn encoding_names(&self) -> Vec<&'static str> {
        self.encodings.iter().map(|encoding| encoding.name()).collect()
    }

    /// Returns the masked value with how often and in which encoding it is in the file.
    pub(super) fn describe(&self) -> String {
        let times = if self.count > 1 { format!(", {} times in this file", self.count) } else { String::new() };
        let encodings = match self.encoding_names().join(" in ") {
            none if none.is_empty() => none,
            names => format!(", in {names}"),
        };
        format!("{}{encodings}{times}", self.masked)
    }

    /// Returns the commit in words: `commit 1a2b3c4d5e of 2025-04-01 by Ada`.
    pub(super) fn describe_commit(&self) -> Option<String> {
        let Commit { id, author, date } = self.commit.as_deref()?;
        Some(format!("commit {} of {date} by {author}", id.get(..10).unwrap_or(id)))
    }

    /// Returns the name of the tier.
    pub(super) const fn tier_name(&self) -> &'static str {
        self.tier.name()
    }
}

/// Looks through texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileScanner<'a> {
    /// What is looked for.
    pub scope: &'a ScanScope,
    /// What is known to be no leak.
    pub suppressions: &'a [(Layer, Suppressions)],
    /// The baselines of it.
    pub baselines: &'a [(Layer, Baseline)],
    /// Where paths are read from.
    pub place: &'a PathContext,
}

impl FileScanner<'_> {
    /// Returns the findings of a text that begin or end on lines that are looked at; all lines when none are given.
    /// `file` is absolute and normalised.
    pub(super) fn scan_text(&self, text: &str, file: &str, lines: Option<&[Range<usize>]>) -> Vec<ScanFinding> {
        self.report(&self.detect(text), text, file, lines)
    }

    /// Returns everything that detectors find in a text, whatever its file.
    pub(super) fn detect(&self, text: &str) -> Detected {
        Detected {
            secrets: secret::scan_with(text, &self.scope.custom_detectors, |detector| {
                self.scope.includes_detector(detector)
            }),
            personal: pii::scan(text, |kind| self.scope.includes_pii_kind(kind)),
        }
    }

    /// Returns the findings among what was detected in a text.
    pub(super) fn report(
        &self,
        detected: &Detected,
        text: &str,
        file: &str,
        lines: Option<&[Range<usize>]>,
    ) -> Vec<ScanFinding> {
        let known = Suppression::with_baselines(
            self.suppressions,
            Authority::All,
            self.place,
            &|_| Err("".into()),
            self.baselines,
        );
        let is_left = |seen: &DetectedValue<'_>| {
            self.scope.is_reportable(seen, self.place)
                && !(self.scope.honors_markers && has_inline_marker(seen))
                && !known.suppresses(seen, Layer::Managed)
        };
        let path = self.place.display(file);
        let mut hits = Vec::new();
        for found in &detected.secrets {
            let seen = DetectedValue::from_secret(found, text, Some(file));
            if is_left(&seen) {
                let (name, severity) = (found.detector.name, found.detector.severity);
                let said = FindingText { name, severity, masked: found.masked(text), advice: found.detector.advice };
                let mut hit = new_finding(&seen, &path, said);
                hit.finding.encodings.clone_from(&found.encodings);
                hits.push((hit, seen.value()));
            }
        }
        for found in &detected.personal {
            let seen = DetectedValue::from_pii(found, text, Some(file));
            if is_left(&seen) {
                let name = found.kind.name;
                let said =
                    FindingText { name, severity: Severity::High, masked: found.masked(text), advice: PII_ADVICE };
                hits.push((new_finding(&seen, &path, said), seen.value()));
            }
        }
        locate_findings(text, hits, lines)
    }
}

/// What detectors find in a text.
#[derive(Debug)]
pub(super) struct Detected {
    secrets: Vec<secret::Finding>,
    personal: Vec<pii::Finding>,
}

impl Detected {
    /// Returns whether nothing was found.
    pub(super) const fn is_empty(&self) -> bool {
        self.secrets.is_empty() && self.personal.is_empty()
    }
}

/// What is said of a kind of finding.
struct FindingText<'a> {
    name: &'a str,
    severity: Severity,
    masked: String,
    advice: &'a str,
}

/// A finding whose place is still in bytes.
struct UnplacedFinding {
    span: Range<usize>,
    finding: ScanFinding,
}

fn new_finding(seen: &DetectedValue<'_>, path: &str, said: FindingText<'_>) -> UnplacedFinding {
    let nowhere = TextPosition { line: 1, column: 1 };
    let hit = ScanFinding {
        path: path.to_owned(),
        begin: nowhere,
        end: nowhere,
        count: 1,
        subject: seen.kind,
        detector: seen.id.to_owned(),
        name: said.name.to_owned(),
        tier: seen.tier,
        severity: said.severity,
        masked: said.masked,
        advice: said.advice.to_owned(),
        fingerprint: seen.fingerprint(path),
        encodings: Vec::new(),
        commit: None,
    };
    UnplacedFinding { span: seen.span.clone(), finding: hit }
}

/// Puts findings in order, works out their places, and counts them.
fn locate_findings(
    text: &str,
    mut hits: Vec<(UnplacedFinding, &str)>,
    lines: Option<&[Range<usize>]>,
) -> Vec<ScanFinding> {
    hits.sort_by_key(|(raw, _)| (raw.span.start, raw.span.end));
    let mut values: Vec<&str> = hits.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values.dedup();
    let counts = count_occurrences(text, &values);
    let mut walk = PositionTracker { text, offset: 0, position: TextPosition { line: 1, column: 1 } };
    let mut found = Vec::with_capacity(hits.len());
    for (UnplacedFinding { span, finding: mut hit }, value) in hits {
        hit.begin = walk.advance_to(span.start);
        hit.end = PositionTracker { ..walk }.advance_to(span.end);
        let count = values.binary_search(&value).ok().and_then(|at| counts.get(at));
        hit.count = count.copied().unwrap_or(1).max(1);
        found.push(hit);
    }
    let touches = |hit: &ScanFinding, lines: &Range<usize>| hit.begin.line < lines.end && hit.end.line >= lines.start;
    found.retain(|hit| lines.is_none_or(|lines| lines.iter().any(|lines| touches(hit, lines))));
    found
}

/// A walk through a text that only goes forward.
#[derive(Clone, Copy)]
struct PositionTracker<'t> {
    text: &'t str,
    offset: usize,
    position: TextPosition,
}

impl PositionTracker<'_> {
    fn advance_to(&mut self, byte: usize) -> TextPosition {
        for sign in self.text.get(self.offset..byte).unwrap_or_default().chars() {
            if sign == '\n' {
                self.position = TextPosition { line: self.position.line + 1, column: 1 };
            } else {
                self.position.column += 1;
            }
        }
        self.offset = self.offset.max(byte);
        self.position
    }
}
