//! Detection of secrets in text, and the form in which their neighbourhood may be shown.
//!
//! What is looked for is data: the entries in `policies/detectors`, compiled into constant tables when the program is
//! built, and those that a policy brings. How it is looked for is [`scan()`]: one pass of an automaton over the text,
//! then each detector's own table or search where one of its keywords stands. A text without keywords costs that pass
//! and nothing else. Nothing here reads a file or asks a service: a finding says what a value is by its form, never
//! whether it still works. Values in base64 or hexadecimal are seen where their beginning gives them away; values that
//! were split, reversed or encrypted are not.

mod assigned;
mod base64;
mod bigram;
pub mod builtin;
pub mod check;
mod checksum;
pub mod compile;
pub mod decode;
mod detector;
pub mod entry;
pub mod expression;
pub mod keyword;
pub mod own;
mod placeholder;
mod redact;
mod scan;
mod table;

pub use detector::{Detector, Severity, Tier};
pub use own::Own;
pub use redact::{Redacted, Seen, Values, occurrences, redact, replace, tag};
pub use scan::{Finding, Searched, scan, scan_with};
pub use table::DETECTORS;

#[cfg(test)]
mod tests;
