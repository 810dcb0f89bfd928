//! Detection of personal data in text: cards, accounts, national numbers, addresses of people and machines.
//!
//! What is looked for is data: one row of [`KINDS`] per kind. A kind's form alone is rarely enough, so a row has a check
//! of its digits where the issuer made one, and words of which one must stand beside a number that many others
//! resemble. Nothing is on unless it is asked for, and nothing here says whose a number is or whether it was issued.

mod address;
mod check;
mod context;
mod kind;
mod kinds;
mod phone;
mod scan;
mod shape;
mod table;
#[cfg(test)]
mod tests;

pub use kind::{Find, Kind};
pub use kinds::Kinds;
pub use scan::{Finding, scan};
pub use table::KINDS;
