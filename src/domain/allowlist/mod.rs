//! Suppression of findings, of secrets and of personal data alike.
//!
//! A finding is suppressed by an entry of an allowlist, by a marker beside it, in a path where weak findings do not
//! count, or by a baseline of known findings. Which rules a suppression applies to follows from the
//! [layers](super::layer).

mod baseline;
mod detected_value;
mod entry;
mod fingerprint;
mod marker;
mod occurrences;
mod suppression;

pub use baseline::{Baseline, BaselineEntry, InvalidBaseline};
pub use detected_value::{DetectedValue, FindingKind};
pub use entry::AllowEntry;
pub use fingerprint::{Entropy, Fingerprint, InvalidFingerprint};
pub use marker::has_inline_marker;
pub use occurrences::count_occurrences;
pub use suppression::{Authority, ReadError, ReadFile, Suppression, Suppressions, is_suppressed};
