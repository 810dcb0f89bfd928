//! A part of a policy with the places of what is in it, as one stage of loading hands it to the next.

use std::ops::Range;
use std::sync::Arc;

use super::diagnostic::{Diagnostic, SourceText};
use super::example::LocatedExample;
use super::node::Node;
use crate::domain::policy::part::PolicyPart;

/// A part and where it is.
#[derive(Debug)]
pub struct LoadedPart {
    /// The part.
    pub part: PolicyPart,
    /// The text it was read from; none for a stored one.
    pub source: Option<Arc<SourceText>>,
    /// For each rule, the place of its id.
    pub rule_spans: Vec<Range<usize>>,
    /// For each of its gates, the place of its id.
    pub gate_spans: Vec<Range<usize>>,
    /// The gates that its rules ask about, each with its place.
    pub gate_references: Vec<(String, Range<usize>)>,
    /// For each order to turn rules down, the place of the name.
    pub disable_spans: Vec<Range<usize>>,
    /// The tests that are in the text, unread.
    pub tests: Option<Node>,
    /// The examples of its rules.
    pub examples: Vec<LocatedExample>,
}

impl LoadedPart {
    /// Returns the text that mistakes in the part are in.
    pub(super) fn source_text(&self) -> Arc<SourceText> {
        self.source.clone().unwrap_or_else(|| SourceText::new(self.part.source.clone(), ""))
    }
}

/// The parts of one layer, and the mistakes in them.
#[derive(Debug)]
pub struct CollectedParts {
    /// The parts: a file, then what it extends.
    pub parts: Vec<LoadedPart>,
    /// The mistakes, by file, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}
