//! A baseline: the findings that were known when it was written.
//!
//! It holds fingerprints and what a reader needs to know what they are of; no value, and no line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;

/// The version of the form.
const VERSION: u32 = 1;

/// What the file says of itself to those who open it.
const ABOUT: &str = "Findings of `ruleward scan` that were known when this was written; no values.";

/// A known finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// The file, from the project's root.
    pub path: String,
    /// The detector or the kind of personal data.
    pub detector: String,
    /// What it is known by.
    pub fingerprint: Fingerprint,
    /// Why it stays, if somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The findings that are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Fingerprint, BaselineEntry>);

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    #[serde(default)]
    about: String,
    findings: Vec<BaselineEntry>,
}

impl Baseline {
    /// Returns a baseline of these findings.
    pub fn of(entries: impl IntoIterator<Item = BaselineEntry>) -> Self {
        Self(entries.into_iter().map(|entry| (entry.fingerprint.clone(), entry)).collect())
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// Returns what is wrong with it, for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        // What is wrong would be said in words of the file, which may be any file that a stranger's policy names.
        let wrong =
            |error: serde_json::Error| format!("it is no baseline: line {}, column {}", error.line(), error.column());
        let written: Written = serde_json::from_str(text).map_err(wrong)?;
        if written.version != VERSION {
            return Err(format!("its version is {}, and this ruleward knows {VERSION}", written.version));
        }
        Ok(Self::of(written.findings))
    }

    /// Returns the baseline as it stands in a file, by path.
    pub fn to_text(&self) -> String {
        let mut findings: Vec<BaselineEntry> = self.0.values().cloned().collect();
        findings.sort();
        let written = Written { version: VERSION, about: ABOUT.into(), findings };
        // Strings and numbers alone: there is nothing in it that JSON cannot say.
        serde_json::to_string_pretty(&written).unwrap_or_default() + "\n"
    }

    /// Tells whether a finding is known.
    pub fn holds(&self, fingerprint: &Fingerprint) -> bool {
        self.0.contains_key(fingerprint)
    }

    /// Takes over the reasons that another baseline gives for the same findings.
    pub fn keep_reasons(&mut self, of: &Self) {
        for (fingerprint, entry) in &mut self.0 {
            entry.reason = of.0.get(fingerprint).and_then(|known| known.reason.clone());
        }
    }

    /// Returns how many findings are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
