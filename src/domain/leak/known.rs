//! What the layers of a policy say is no leak, and over whose rules they may say so.
//!
//! The baselines that a policy names are read when a finding needs them, and not before.
//!
//! What a repository brings excuses findings of its own rules alone. Its baseline has one more say: over a value that
//! already stands in the very file that is written. Such a write adds nothing that the file does not hold, so a
//! stranger's baseline can hide what the stranger already had and never what a person is about to lose.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::allow::AllowEntry;
use super::baseline::Baseline;
use super::seen::Seen;
use crate::domain::layer::Layer;
use crate::domain::path::{Glob, Place};
use crate::domain::secret::Tier;

/// What of a policy file's findings are no leaks.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quieting {
    /// A file of findings that are known, as `ruleward scan --write-baseline` makes it; from the project's root.
    #[serde(default)]
    pub baseline: Option<String>,
    /// Findings that are known to be harmless.
    #[serde(default)]
    pub allow: Vec<AllowEntry>,
    /// Files in which weak findings do not count: generic and paired detectors, and personal data that only a word
    /// beside it gives away. For tests and fixtures.
    #[serde(default)]
    pub lower: Vec<Glob>,
}

impl Quieting {
    /// Tells whether an entry or a place excuses a finding.
    pub fn excuses(&self, seen: &Seen<'_>, place: &Place) -> bool {
        excused(&self.allow, &self.lower, seen, place)
    }
}

/// Tells whether an entry excuses a finding, or a file in which weak ones do not count.
pub fn excused(allow: &[AllowEntry], lower: &[Glob], seen: &Seen<'_>, place: &Place) -> bool {
    let weak = seen.tier <= Tier::Paired;
    allow.iter().any(|entry| entry.covers(seen, place))
        || (weak && seen.file.is_some_and(|file| lower.iter().any(|glob| glob.covers(file, place))))
}

/// Reads a text file of the machine: its text, or why it cannot be had.
pub type Reader<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Over whose rules a layer may say that something is no leak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reign {
    /// Over those of its own and of lower layers: an agent is guarded, and what a repository brings is a stranger's.
    Layered,
    /// Over all: somebody looks through a project, by that project's own policy.
    Whole,
}

/// What is known to be no leak.
pub struct Known<'a> {
    quieting: &'a [(Layer, Quieting)],
    reign: Reign,
    place: &'a Place,
    read: Reader<'a>,
    baselines: OnceCell<Cow<'a, [(Layer, Baseline)]>>,
    troubles: OnceCell<Vec<String>>,
}

impl fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Known").field("quieting", &self.quieting).field("reign", &self.reign).finish_non_exhaustive()
    }
}

impl<'a> Known<'a> {
    /// Returns what a policy's layers say; `read` is asked only when there is a finding.
    pub fn new(quieting: &'a [(Layer, Quieting)], reign: Reign, place: &'a Place, read: Reader<'a>) -> Self {
        Self { quieting, reign, place, read, baselines: OnceCell::new(), troubles: OnceCell::new() }
    }

    /// Returns the same with baselines that were read before, for several threads to share.
    pub fn with_baselines(
        quieting: &'a [(Layer, Quieting)],
        reign: Reign,
        place: &'a Place,
        read: Reader<'a>,
        baselines: &'a [(Layer, Baseline)],
    ) -> Self {
        let baselines = OnceCell::from(Cow::Borrowed(baselines));
        Self { quieting, reign, place, read, baselines, troubles: OnceCell::new() }
    }

    /// Returns the baselines, read.
    pub fn into_baselines(self) -> Vec<(Layer, Baseline)> {
        self.baselines();
        self.baselines.into_inner().map(Cow::into_owned).unwrap_or_default()
    }

    /// Tells whether something excuses a finding of a rule that `speaker` brought.
    pub fn excuses(&self, seen: &Seen<'_>, speaker: Layer) -> bool {
        let has_say = |layer: Layer| self.reign == Reign::Whole || layer.governs(speaker);
        if self.quieting.iter().any(|(layer, quieting)| has_say(*layer) && quieting.excuses(seen, self.place)) {
            return true;
        }
        let Some(file) = seen.file else { return false };
        let fingerprint = seen.fingerprint(&self.place.shown(file));
        self.baselines()
            .iter()
            .any(|(layer, baseline)| baseline.holds(&fingerprint) && (has_say(*layer) || self.stands(seen, file)))
    }

    /// Returns why baselines could not be read. What they know is not excused then.
    pub fn troubles(&self) -> &[String] {
        self.baselines();
        self.troubles.get().map(Vec::as_slice).unwrap_or_default()
    }

    fn baselines(&self) -> &[(Layer, Baseline)] {
        self.baselines.get_or_init(|| {
            let (mut read, mut troubles) = (Vec::new(), Vec::new());
            for (layer, quieting) in self.quieting {
                let Some(written) = &quieting.baseline else { continue };
                let path = self.place.resolve(written, self.place.project.as_deref());
                match (self.read)(&path).and_then(|text| Baseline::parse(&text)) {
                    Ok(baseline) => read.push((*layer, baseline)),
                    Err(why) => troubles.push(format!("the baseline {written}: {why}")),
                }
            }
            let _first = self.troubles.set(troubles);
            Cow::Owned(read)
        })
    }

    /// Tells whether the value already stands in the file.
    fn stands(&self, seen: &Seen<'_>, file: &str) -> bool {
        (self.read)(file).is_ok_and(|text| text.contains(seen.value()))
    }
}
