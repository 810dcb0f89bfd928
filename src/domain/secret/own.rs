//! Detectors that a policy brings: they cost nothing until one of their keywords occurred.

use std::sync::{Arc, OnceLock};

use super::{
    compile::{self, KeywordTable, Rows, keyword_table},
    detector::{Detector, Expression, Shape, Tier},
    entry::{Entry, advice},
    expression::Table,
    keyword::{Keywords, Output},
};

/// An expression whose table is made when it is first needed.
#[derive(Debug)]
pub(super) struct Lazy {
    entry: Entry,
    rows: OnceLock<Option<Rows>>,
}

impl Expression {
    /// Returns the table; `None` for an expression that grew beyond the bounds.
    pub(super) fn table(&self) -> Option<Table<'_>> {
        match self {
            Self::Ready(table) => Some(*table),
            Self::Lazy(lazy) => {
                let rows = lazy.rows.get_or_init(|| compile::rows(&lazy.entry).ok().flatten());
                rows.as_ref().map(Table::from)
            }
        }
    }
}

/// The detectors that a policy brings.
#[derive(Debug, Clone, Default)]
pub struct Own(Option<Arc<Set>>);

#[derive(Debug)]
struct Set {
    entries: Vec<Entry>,
    detectors: Vec<&'static Detector>,
    keywords: OnceLock<Option<KeywordTable>>,
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

impl Own {
    /// Returns the detectors that entries describe; entries that were found to make no sense are left out.
    ///
    /// A policy is read once in the life of a process, and findings speak of its detectors to the end of it: they are
    /// never given back.
    pub fn new(entries: Vec<Entry>) -> Self {
        if entries.is_empty() {
            return Self(None);
        }
        let detectors = entries.iter().filter_map(detector).map(|detector| &*Box::leak(Box::new(detector))).collect();
        Self(Some(Arc::new(Set { entries, detectors, keywords: OnceLock::new() })))
    }

    /// Returns the entries.
    pub fn entries(&self) -> &[Entry] {
        self.0.as_ref().map(|set| set.entries.as_slice()).unwrap_or_default()
    }

    /// Returns the detectors.
    pub fn detectors(&self) -> &[&'static Detector] {
        self.0.as_ref().map(|set| set.detectors.as_slice()).unwrap_or_default()
    }

    pub(super) fn keywords(&self) -> Option<Keywords<'_>> {
        let set = self.0.as_ref()?;
        set.keywords.get_or_init(|| set.table()).as_ref().map(KeywordTable::as_keywords)
    }
}

impl Set {
    fn table(&self) -> Option<KeywordTable> {
        let listed = self.detectors.iter().zip(0_u16..).flat_map(|(detector, number)| {
            let entry = self.entries.iter().find(|entry| entry.id == detector.id);
            let keywords = entry.and_then(|entry| compile::keywords(entry).ok()).unwrap_or_default();
            keywords.into_iter().filter_map(move |keyword| Some((keyword.text.clone(), output(number, &keyword)?)))
        });
        keyword_table::build(&listed.collect::<Vec<_>>()).ok()
    }
}

/// Returns what the automaton says where a keyword ends.
pub fn output(detector: u16, keyword: &compile::Keyword) -> Option<Output> {
    Some(Output {
        detector,
        len: u8::try_from(keyword.text.len()).ok()?,
        least_back: u16::try_from(keyword.least_back).ok()?,
        most_back: u16::try_from(keyword.most_back).ok()?,
    })
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn detector(entry: &Entry) -> Option<Detector> {
    let lazy = || Expression::Lazy(Box::new(Lazy { entry: entry.clone(), rows: OnceLock::new() }));
    let shape = match (&entry.token, &entry.assigned, &entry.near, entry.builtin) {
        (Some(_), None, None, None) => Shape::Token(lazy()),
        (None, Some(_), None, None) => Shape::Assigned(lazy()),
        (None, None, Some(near), None) => Shape::Near(lazy(), near.lines),
        _ => return None,
    };
    let dummies: Vec<&'static str> = entry.dummies.iter().map(|dummy| leaked(dummy)).collect();
    Some(Detector {
        id: leaked(&entry.id),
        name: leaked(&entry.name),
        tier: Tier::from(entry.tier),
        severity: entry.severity,
        advice: leaked(advice(&entry.advice)?),
        shape,
        ends: entry.ends,
        check: entry.check,
        lookalike: entry.lookalike,
        entropy: entry.entropy,
        dummies: Box::leak(dummies.into_boxed_slice()),
    })
}
