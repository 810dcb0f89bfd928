//! A baseline: the findings that were known when it was written.
//!
//! It contains fingerprints and the information that a reader needs; no value, and no line.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;

/// The version of the format.
const VERSION: u32 = 1;

/// The description in the file, for its readers.
const DESCRIPTION: &str = "Known findings of `ruleward scan`, without values.";

/// A known finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// The file, from the project's root.
    pub path: String,
    /// The detector or the kind of personal data.
    pub detector: String,
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The reason why it stays, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The reason why a file is not a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidBaseline {
    /// The syntax is wrong. The message of the parser is not kept: it quotes the file, which may be any file that an
    /// untrusted policy names.
    Syntax {
        /// The line of the mistake, from 1.
        line: usize,
        /// The column of the mistake, from 1.
        column: usize,
    },
    /// It has another version.
    Version(u32),
}

impl fmt::Display for InvalidBaseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { line, column } => write!(f, "it is not a baseline: line {line}, column {column}"),
            Self::Version(version) => write!(f, "its version is {version}, but this ruleward supports {VERSION}"),
        }
    }
}

impl std::error::Error for InvalidBaseline {}

/// The known findings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Fingerprint, BaselineEntry>);

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    #[serde(default)]
    about: String,
    findings: Vec<BaselineEntry>,
}

impl Baseline {
    /// Returns a baseline of these findings.
    pub fn from_entries(entries: impl IntoIterator<Item = BaselineEntry>) -> Self {
        Self(entries.into_iter().map(|entry| (entry.fingerprint.clone(), entry)).collect())
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, InvalidBaseline> {
        let syntax = |error: serde_json::Error| InvalidBaseline::Syntax { line: error.line(), column: error.column() };
        let written: BaselineFile = serde_json::from_str(text).map_err(syntax)?;
        if written.version != VERSION {
            return Err(InvalidBaseline::Version(written.version));
        }
        Ok(Self::from_entries(written.findings))
    }

    /// Returns the baseline as it is written to a file, sorted by path.
    pub fn to_json(&self) -> String {
        let mut findings: Vec<BaselineEntry> = self.0.values().cloned().collect();
        findings.sort();
        let written = BaselineFile { version: VERSION, about: DESCRIPTION.into(), findings };
        // It only contains strings and numbers, which JSON can always represent.
        serde_json::to_string_pretty(&written).unwrap_or_default() + "\n"
    }

    /// Returns whether a finding is known.
    pub fn contains(&self, fingerprint: &Fingerprint) -> bool {
        self.0.contains_key(fingerprint)
    }

    /// Copies the reasons that another baseline gives for the same findings.
    pub fn copy_reasons_from(&mut self, of: &Self) {
        for (fingerprint, entry) in &mut self.0 {
            entry.reason = of.0.get(fingerprint).and_then(|known| known.reason.clone());
        }
    }

    /// Returns how many findings are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    #[test]
    fn errors_quote_nothing_of_the_file() {
        for (text, message) in [
            ("{\n  \"token\": \"x\"}", "it is not a baseline: line 2, column 9"),
            (r#"{"version":7,"findings":[]}"#, "its version is 7, but this ruleward supports 1"),
        ] {
            assert_eq!(Baseline::parse(text).unwrap_err().to_string(), message);
        }
    }
}
