//! What a host shows of a piece of an answer, as one with the pieces before it.

use std::cmp::Reverse;

use crate::domain::rule::Severity;
use crate::domain::verdict::{Note, Verdict};

/// What is shown of a piece of an answer.
pub(super) enum Shown {
    /// What the verdict makes of the piece alone.
    AsJudged,
    /// All of it.
    Unchanged,
    /// Another text.
    Instead(String),
}

impl Shown {
    /// Returns what the host is told of a verdict.
    pub(super) fn told(self, mut verdict: Verdict) -> Verdict {
        if matches!(self, Self::AsJudged) {
            return verdict;
        }
        verdict.redact.clear();
        verdict.replace.clear();
        if let Self::Instead(text) = self {
            verdict.replace.insert(Note { severity: Reverse(Severity::Low), rule: String::new(), text });
        }
        verdict
    }
}
