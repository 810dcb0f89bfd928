//! Detection of personal data in text: cards, accounts, national numbers, e-mail and IP addresses.
//!
//! The detection is driven by data: one row of [`KINDS`] per kind. A kind's format alone is rarely enough, so a row
//! has
//! a check of its digits where the issuer defines one, and context words for numbers that look like many others.
//! Nothing is enabled by default, and no finding says whose a number is or whether it was issued.

mod address;
mod check;
mod context;
mod filter;
mod kind;
mod number_pattern;
mod passport;
mod phone;
mod scan;
mod table;
#[cfg(test)]
mod tests;

pub use filter::PiiFilter;
pub use kind::{Detection, PiiKind};
pub use scan::{Finding, scan};
pub use table::KINDS;
