//! Custom detectors of a policy: they cost nothing until one of their keywords occurs.

use std::sync::{Arc, OnceLock};

use super::compile::{self, Dfa, OwnedKeywordAutomaton, aho_corasick};
use super::detector::{CompiledExpression, Detector, DetectorPattern, Tier};
use super::keyword_automaton::{KeywordAutomaton, KeywordOutput};
use super::matcher::DfaRef;
use super::spec::{DetectorSpec, advice_text};

/// An expression whose table is compiled when it is first needed.
#[derive(Debug)]
pub(super) struct LazyDfa {
    spec: DetectorSpec,
    dfa: OnceLock<Option<Dfa>>,
}

impl CompiledExpression {
    /// Returns the table; `None` for an expression that exceeds the limits.
    pub(super) fn dfa(&self) -> Option<DfaRef<'_>> {
        match self {
            Self::Static(table) => Some(*table),
            Self::Lazy(lazy) => {
                let rows = lazy.dfa.get_or_init(|| compile::compile_dfa(&lazy.spec).ok().flatten());
                rows.as_ref().map(DfaRef::from)
            }
        }
    }
}

/// The custom detectors of a policy.
#[derive(Debug, Clone, Default)]
pub struct CustomDetectors(Option<Arc<DetectorSet>>);

#[derive(Debug)]
struct DetectorSet {
    specs: Vec<DetectorSpec>,
    detectors: Vec<&'static Detector>,
    keyword_automaton: OnceLock<Option<OwnedKeywordAutomaton>>,
}

impl PartialEq for CustomDetectors {
    fn eq(&self, other: &Self) -> bool {
        self.specs() == other.specs()
    }
}

impl CustomDetectors {
    /// Returns the detectors of entries; invalid entries are left out.
    ///
    /// A policy is read once per process, and findings refer to its detectors until the end of it, so they are never
    /// freed.
    pub fn new(entries: Vec<DetectorSpec>) -> Self {
        if entries.is_empty() {
            return Self(None);
        }
        let detectors =
            entries.iter().filter_map(build_detector).map(|detector| &*Box::leak(Box::new(detector))).collect();
        Self(Some(Arc::new(DetectorSet { specs: entries, detectors, keyword_automaton: OnceLock::new() })))
    }

    /// Returns the entries.
    pub fn specs(&self) -> &[DetectorSpec] {
        self.0.as_ref().map(|set| set.specs.as_slice()).unwrap_or_default()
    }

    /// Returns the detectors.
    pub fn detectors(&self) -> &[&'static Detector] {
        self.0.as_ref().map(|set| set.detectors.as_slice()).unwrap_or_default()
    }

    pub(super) fn keyword_automaton(&self) -> Option<KeywordAutomaton<'_>> {
        let set = self.0.as_ref()?;
        set.keyword_automaton
            .get_or_init(|| set.build_keyword_automaton())
            .as_ref()
            .map(OwnedKeywordAutomaton::as_automaton)
    }
}

impl DetectorSet {
    fn build_keyword_automaton(&self) -> Option<OwnedKeywordAutomaton> {
        let listed = self.detectors.iter().zip(0_u16..).flat_map(|(detector, number)| {
            let entry = self.specs.iter().find(|entry| entry.id == detector.id);
            let keywords = entry.and_then(|entry| compile::extract_keywords(entry).ok()).unwrap_or_default();
            keywords
                .into_iter()
                .filter_map(move |keyword| Some((keyword.text.clone(), keyword_output(number, &keyword)?)))
        });
        aho_corasick::build(&listed.collect::<Vec<_>>()).ok()
    }
}

/// Returns the automaton's output for a keyword.
pub fn keyword_output(detector: u16, keyword: &compile::Keyword) -> Option<KeywordOutput> {
    Some(KeywordOutput {
        detector,
        len: u8::try_from(keyword.text.len()).ok()?,
        min_lookback: u16::try_from(keyword.min_lookback).ok()?,
        max_lookback: u16::try_from(keyword.max_lookback).ok()?,
    })
}

fn leak_str(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn build_detector(entry: &DetectorSpec) -> Option<Detector> {
    let lazy = || CompiledExpression::Lazy(Box::new(LazyDfa { spec: entry.clone(), dfa: OnceLock::new() }));
    let shape = match (&entry.token, &entry.assigned, &entry.near, entry.builtin) {
        (Some(_), None, None, None) => DetectorPattern::Token(lazy()),
        (None, Some(_), None, None) => DetectorPattern::Assigned(lazy()),
        (None, None, Some(near), None) => DetectorPattern::Near(lazy(), near.lines),
        _ => return None,
    };
    let dummies: Vec<&'static str> = entry.dummies.iter().map(|dummy| leak_str(dummy)).collect();
    Some(Detector {
        id: leak_str(&entry.id),
        name: leak_str(&entry.name),
        tier: Tier::from(entry.tier),
        severity: entry.severity,
        advice: leak_str(advice_text(&entry.advice)?),
        pattern: shape,
        boundary: entry.ends,
        check: entry.check,
        lookalike: entry.lookalike,
        entropy: entry.entropy,
        dummies: Box::leak(dummies.into_boxed_slice()),
    })
}
