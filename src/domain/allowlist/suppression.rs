//! The suppressions of the layers of a policy, and the rules that they apply to.
//!
//! The baselines that a policy names are only read when a finding needs them.
//!
//! A project's policy only suppresses findings of its own rules. Its baseline also suppresses a value that the file
//! that is written already contains. Such a write adds nothing to the file, so an untrusted baseline can hide what
//! its author already had and never what a user is about to lose.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::error::Error;
use std::fmt;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::detected_value::DetectedValue;
use super::entry::AllowEntry;
use crate::domain::layer::Layer;
use crate::domain::secret::Tier;
use crate::domain::text::path::{Glob, PathContext};

/// Findings of a policy file that are harmless.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Suppressions {
    /// A baseline of known findings, written by `ruleward scan --write-baseline`; relative to the
    /// project's root.
    #[serde(default)]
    pub baseline: Option<String>,
    /// Findings that are known to be harmless.
    #[serde(default)]
    pub allow: Vec<AllowEntry>,
    /// Files in which weak findings don't count: generic and paired detectors, and personal data
    /// that needs a context word. For tests and fixtures.
    #[serde(default)]
    pub lower: Vec<Glob>,
}

impl Suppressions {
    /// Returns whether an entry or a path suppresses a finding.
    pub fn suppresses(&self, seen: &DetectedValue<'_>, place: &PathContext) -> bool {
        is_suppressed(&self.allow, &self.lower, seen, place)
    }
}

/// Returns whether an entry suppresses a finding, or a file in which weak ones do not count.
pub fn is_suppressed(allow: &[AllowEntry], lower: &[Glob], seen: &DetectedValue<'_>, place: &PathContext) -> bool {
    let weak = seen.tier <= Tier::Paired;
    allow.iter().any(|entry| entry.is_match(seen, place))
        || (weak && seen.file.is_some_and(|file| lower.iter().any(|glob| glob.is_match(file, place))))
}

/// The reason why a text file could not be read; the reader has an error type of its own.
pub type ReadError = Box<dyn Error + Send + Sync>;

/// Reads a text file.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<String, ReadError>;

/// The rules that the suppressions of a layer apply to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// The rules of its own and of lower layers: the hook protects the user from a repository that may be untrusted.
    OwnAndLower,
    /// All rules: a user scans a project by that project's own policy.
    All,
}

/// The suppressions of a policy.
pub struct Suppression<'a> {
    suppressions: &'a [(Layer, Suppressions)],
    authority: Authority,
    path_context: &'a PathContext,
    read_file: ReadFile<'a>,
    baselines: OnceCell<Cow<'a, [(Layer, Baseline)]>>,
    errors: OnceCell<Vec<String>>,
}

impl fmt::Debug for Suppression<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Known")
            .field("quieting", &self.suppressions)
            .field("reign", &self.authority)
            .finish_non_exhaustive()
    }
}

impl<'a> Suppression<'a> {
    /// Creates the suppressions of a policy's layers; `read` is only called when there is a finding.
    pub fn new(
        suppressions: &'a [(Layer, Suppressions)],
        authority: Authority,
        path_context: &'a PathContext,
        read_file: ReadFile<'a>,
    ) -> Self {
        Self { suppressions, authority, path_context, read_file, baselines: OnceCell::new(), errors: OnceCell::new() }
    }

    /// Creates the same with baselines that were read before, for several threads to share.
    pub fn with_baselines(
        suppressions: &'a [(Layer, Suppressions)],
        authority: Authority,
        path_context: &'a PathContext,
        read_file: ReadFile<'a>,
        baselines: &'a [(Layer, Baseline)],
    ) -> Self {
        let baselines = OnceCell::from(Cow::Borrowed(baselines));
        Self { suppressions, authority, path_context, read_file, baselines, errors: OnceCell::new() }
    }

    /// Returns the baselines that were read.
    pub fn into_baselines(self) -> Vec<(Layer, Baseline)> {
        self.baselines();
        self.baselines.into_inner().map(Cow::into_owned).unwrap_or_default()
    }

    /// Returns whether a finding of a rule of the layer `speaker` is suppressed.
    pub fn suppresses(&self, seen: &DetectedValue<'_>, speaker: Layer) -> bool {
        let has_say = |layer: Layer| self.authority == Authority::All || layer.can_override(speaker);
        if self
            .suppressions
            .iter()
            .any(|(layer, quieting)| has_say(*layer) && quieting.suppresses(seen, self.path_context))
        {
            return true;
        }
        let Some(file) = seen.file else { return false };
        let fingerprint = seen.fingerprint(&self.path_context.display(file));
        self.baselines().iter().any(|(layer, baseline)| {
            baseline.contains(&fingerprint) && (has_say(*layer) || self.is_in_file(seen, file))
        })
    }

    /// Returns why baselines could not be read. Their findings are then not suppressed.
    pub fn errors(&self) -> &[String] {
        self.baselines();
        self.errors.get().map(Vec::as_slice).unwrap_or_default()
    }

    fn baselines(&self) -> &[(Layer, Baseline)] {
        self.baselines.get_or_init(|| {
            let (mut read, mut troubles) = (Vec::new(), Vec::new());
            for (layer, quieting) in self.suppressions {
                let Some(written) = &quieting.baseline else { continue };
                let path = self.path_context.resolve(written, self.path_context.project.as_deref());
                match (self.read_file)(&path).and_then(|text| Ok(Baseline::parse(&text)?)) {
                    Ok(baseline) => read.push((*layer, baseline)),
                    Err(why) => troubles.push(format!("the baseline {written}: {why}")),
                }
            }
            let _first = self.errors.set(troubles);
            Cow::Owned(read)
        })
    }

    /// Returns whether the file already contains the value.
    fn is_in_file(&self, seen: &DetectedValue<'_>, file: &str) -> bool {
        (self.read_file)(file).is_ok_and(|text| text.contains(seen.value()))
    }
}
