//! The form in which bundled packs are stored: read and checked at build time, decoded at run time.
//!
//! The bytes never leave the program that they were built into, so they carry no version.

use serde::{Deserialize, Serialize};

use crate::domain::gate::Gate;
use crate::domain::guard::Packed;
use crate::domain::leak::Quieting;
use crate::domain::policy::{Disable, Layer, Part, Settings};
use crate::domain::rule::Rule;
use crate::domain::secret::entry::Entry;
use crate::domain::state::remembers;
use crate::domain::tool::Arguments;

/// A file's worth of policy, without the layer that it will belong to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    source: String,
    settings: Settings,
    quieting: Quieting,
    arguments: Arguments,
    detectors: Vec<Entry>,
    disable: Vec<Disable>,
    rules: Vec<Rule>,
    gates: Vec<Gate>,
}

impl Stored {
    /// Returns a part as it is stored.
    pub fn of(part: Part) -> Self {
        let Part { source, settings, quieting, arguments, detectors, disable, rules, gates, layer: _, packed: _ } =
            part;
        Self { source, settings, quieting, arguments, detectors, disable, rules, gates }
    }

    /// Returns the name of the pack.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the part as one of a layer.
    pub fn into_part(self, layer: Layer) -> Part {
        let Self { source, settings, quieting, arguments, detectors, disable, rules, gates } = self;
        Part { layer, source, settings, quieting, arguments, detectors, rules, packed: Vec::new(), gates, disable }
    }
}

/// Packs the rules of one part, each to be decoded by itself.
///
/// # Errors
/// Returns what cannot be stored.
pub fn pack(rules: &[Rule], source: &str) -> Result<Vec<Packed>, String> {
    rules.iter().map(|rule| Packed::new(rule, source)).collect()
}

impl Stored {
    /// Packs the rules of the part.
    ///
    /// # Errors
    /// Returns what cannot be stored.
    pub fn packed(&self) -> Result<Vec<Packed>, String> {
        if !self.gates.is_empty() || self.rules.iter().any(remembers) {
            return Err(format!("{}: what applies by itself cannot go by what was before", self.source));
        }
        pack(&self.rules, &self.source)
    }
}

/// Puts parts into bytes.
///
/// # Errors
/// Returns what cannot be stored.
pub fn encode(parts: &[Stored]) -> Result<Vec<u8>, String> {
    postcard::to_allocvec(parts).map_err(|error| error.to_string())
}

/// Takes parts out of bytes.
///
/// # Errors
/// Returns that the bytes are not what [`encode`] gave.
pub fn decode(bytes: &[u8]) -> Result<Vec<Stored>, String> {
    postcard::from_bytes(bytes).map_err(|error| error.to_string())
}
