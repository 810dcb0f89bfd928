//! A finding as those see it who may excuse it.

use std::ops::Range;

use super::fingerprint::{Fingerprint, Guess};
use crate::domain::pii;
use crate::domain::secret::{self, Tier};

/// What a finding is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A credential.
    Secret,
    /// Personal data.
    Personal,
}

/// Bytes from which on a token's random part is too long to be guessed.
const LONG: usize = 20;

/// A finding in a text, with the value.
#[derive(Debug, Clone)]
pub struct Seen<'a> {
    /// What it is of.
    pub subject: Subject,
    /// The detector or the kind of personal data.
    pub id: &'a str,
    /// How sure it is.
    pub tier: Tier,
    /// The text it stands in.
    pub text: &'a str,
    /// Where the value stands, in bytes.
    pub span: Range<usize>,
    /// The file that the text is of or goes into: absolute and normalised. `None` where there is no such file, or
    /// more than one.
    pub file: Option<&'a str>,
}

impl<'a> Seen<'a> {
    /// Returns a secret as it was found.
    pub fn secret(found: &'a secret::Finding, text: &'a str, file: Option<&'a str>) -> Self {
        let (id, tier) = (found.detector.id, found.tier);
        Self { subject: Subject::Secret, id, tier, text, span: found.span.clone(), file }
    }

    /// Returns personal data as it was found.
    pub fn personal(found: &'a pii::Finding, text: &'a str, file: Option<&'a str>) -> Self {
        let tier = if found.by_word { Tier::Paired } else { Tier::Strong };
        Self { subject: Subject::Personal, id: found.kind.id, tier, text, span: found.span.clone(), file }
    }

    /// Returns the value.
    pub fn value(&self) -> &'a str {
        self.text.get(self.span.clone()).unwrap_or_default()
    }

    /// Returns the fingerprint of the finding in a file, by the path that people know it by.
    pub fn fingerprint(&self, path: &str) -> Fingerprint {
        let random = self.subject == Subject::Secret && self.tier >= Tier::Strong && self.value().len() >= LONG;
        Fingerprint::of(self.id, path, self.value(), if random { Guess::Hopeless } else { Guess::Feasible })
    }
}
