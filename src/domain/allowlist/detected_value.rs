//! A detected value, as suppressions see it.

use std::ops::Range;

use super::fingerprint::{Entropy, Fingerprint};
use crate::domain::pii;
use crate::domain::secret::{self, Tier};

/// The kind of a detected value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingKind {
    /// A credential.
    Secret,
    /// Personal data.
    Pii,
}

/// The number of bytes from which on the random part of a token is too long to be guessed.
const MIN_RANDOM_BYTES: usize = 20;

/// A detected value in a text.
#[derive(Debug, Clone)]
pub struct DetectedValue<'a> {
    /// The kind.
    pub kind: FindingKind,
    /// The detector or the kind of personal data.
    pub id: &'a str,
    /// The tier.
    pub tier: Tier,
    /// The text that contains it.
    pub text: &'a str,
    /// The position of the value, in bytes.
    pub span: Range<usize>,
    /// The absolute, normalised path of the file that the text comes from or is written to. `None` if there is no
    /// such file, or more than one.
    pub file: Option<&'a str>,
}

impl<'a> DetectedValue<'a> {
    /// Creates it from a match of a secret.
    pub fn from_secret(found: &'a secret::Finding, text: &'a str, file: Option<&'a str>) -> Self {
        let (id, tier) = (found.detector.id, found.tier);
        Self { kind: FindingKind::Secret, id, tier, text, span: found.span.clone(), file }
    }

    /// Creates it from a match of personal data.
    pub fn from_pii(found: &'a pii::Finding, text: &'a str, file: Option<&'a str>) -> Self {
        let tier = if found.needed_context { Tier::Paired } else { Tier::Strong };
        Self { kind: FindingKind::Pii, id: found.kind.id, tier, text, span: found.span.clone(), file }
    }

    /// Returns the value.
    pub fn value(&self) -> &'a str {
        self.text.get(self.span.clone()).unwrap_or_default()
    }

    /// Returns the fingerprint of the value in a file, by the path that users see.
    pub fn fingerprint(&self, path: &str) -> Fingerprint {
        let random =
            self.kind == FindingKind::Secret && self.tier >= Tier::Strong && self.value().len() >= MIN_RANDOM_BYTES;
        Fingerprint::compute(self.id, path, self.value(), if random { Entropy::High } else { Entropy::Low })
    }
}
