//! Detection of secrets in text, and redaction of text that is shown.
//!
//! The detection is driven by data: the entries in `policies/detectors`, compiled into constant tables by `generate`,
//! and the custom detectors of a policy. [`scan()`] makes one pass of an automaton over the text, then runs the table
//! or search of each detector where one of its keywords occurs. A text without keywords costs only that pass. Nothing
//! here reads a file or asks a service: a finding says what a value is by its form, never whether it is still valid.
//! Values in base64 or hexadecimal are found when their prefix is recognized, and so are values that escape sequences,
//! invisible characters or HTML entities split; values that were folded, reversed or encrypted are not.

mod assignment;
mod base64;
mod bigram;
pub mod builtin;
pub mod check;
mod checksum;
pub mod compile;
pub mod custom;
pub mod decode;
mod detector;
mod disguise;
#[cfg(test)]
pub(crate) mod generate;
pub mod keyword_automaton;
pub mod matcher;
mod placeholder;
mod redact;
mod scan;
pub mod spec;
mod table;

pub use custom::CustomDetectors;
pub use decode::Encoding;
pub use detector::{Detector, Severity, Tier};
pub use redact::{KnownSecrets, Redacted, Values, occurrences, redact, replace, tag};
pub use scan::{Finding, ScanCache, scan, scan_with};
pub use table::DETECTORS;

#[cfg(test)]
mod tests;
