//! Detection of secrets in text, and the form in which their neighbourhood may be shown.
//!
//! What is looked for is data: one row of [`DETECTORS`] per kind of credential. How it is looked for is [`scan()`],
//! and a row says nothing about it beyond its keywords and its pattern, so that the search may change under the rows.
//! Nothing here reads a file or asks a service: a finding says what a value is by its form, never whether it still works.
//! Values that were encoded, split or reversed are not seen.

mod assignment;
mod base64;
pub mod builtin;
pub mod check;
mod checksum;
pub mod compile;
mod detector;
mod detectors;
pub mod entry;
mod key_block;
mod keyword;
mod placeholder;
mod redact;
mod scan;
mod url;
mod verify;

pub use detector::{Candidate, Check, Detector, Severity, Tier, Window};
pub use detectors::DETECTORS;
pub use redact::{Redacted, redact};
pub use scan::{Finding, scan};

#[cfg(test)]
mod tests;
