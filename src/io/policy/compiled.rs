//! The form in which bundled packs are stored: read and checked by the tests, decoded at run time.
//!
//! Bytes of a form that is no longer this one fail the tests, which make them again; so they carry no version.

use serde::{Deserialize, Serialize};

use crate::domain::allowlist::Suppressions;
use crate::domain::event::tool::ArgumentNames;
use crate::domain::layer::Layer;
use crate::domain::policy::gate::Gate;
use crate::domain::policy::part::{Disable, PolicyPart};
use crate::domain::policy::prefilter::CompiledRule;
use crate::domain::policy::rule::Rule;
use crate::domain::policy::settings::Settings;
use crate::domain::policy::state_requirements::needs_state;
use crate::domain::secret::spec::DetectorSpec;

/// A file's worth of policy, without the layer that it will belong to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredPart {
    source: String,
    settings: Settings,
    quieting: Suppressions,
    arguments: ArgumentNames,
    detectors: Vec<DetectorSpec>,
    disable: Vec<Disable>,
    rules: Vec<Rule>,
    gates: Vec<Gate>,
}

impl StoredPart {
    /// Returns a part as it is stored.
    pub fn from_part(part: PolicyPart) -> Self {
        let PolicyPart {
            source,
            settings,
            suppressions: quieting,
            arguments,
            detectors,
            disable,
            rules,
            gates,
            // A bundled pack names none, and no hook asks for those of a file.
            terminals: _,
            layer: _,
            compiled_rules: _,
        } = part;
        Self { source, settings, quieting, arguments, detectors, disable, rules, gates }
    }

    /// Returns the name of the pack.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the part as one of a layer.
    pub fn into_part(self, layer: Layer) -> PolicyPart {
        let Self { source, settings, quieting, arguments, detectors, disable, rules, gates } = self;
        PolicyPart {
            layer,
            source,
            settings,
            suppressions: quieting,
            arguments,
            terminals: Vec::new(),
            detectors,
            rules,
            compiled_rules: Vec::new(),
            gates,
            disable,
        }
    }
}

/// Packs the rules of one part, each to be decoded by itself.
///
/// # Errors
/// Returns what cannot be stored.
pub fn compile_rules(rules: &[Rule], source: &str) -> Result<Vec<CompiledRule>, String> {
    rules.iter().map(|rule| CompiledRule::encode(rule, source).map_err(|error| error.to_string())).collect()
}

impl StoredPart {
    /// Packs the rules of the part.
    ///
    /// # Errors
    /// Returns what cannot be stored.
    pub fn compiled_rules(&self) -> Result<Vec<CompiledRule>, String> {
        if !self.gates.is_empty() || self.rules.iter().any(needs_state) {
            return Err(format!("{}: bundled rules that always apply can't depend on state", self.source));
        }
        compile_rules(&self.rules, &self.source)
    }
}

/// Puts parts into bytes.
///
/// # Errors
/// Returns what cannot be stored.
pub fn encode(parts: &[StoredPart]) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(parts)
}

/// Takes parts out of bytes.
///
/// # Errors
/// Returns that the bytes are not what [`encode`] gave.
pub fn decode(bytes: &[u8]) -> Result<Vec<StoredPart>, postcard::Error> {
    postcard::from_bytes(bytes)
}
