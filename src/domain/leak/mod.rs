//! What is made of a finding, of a secret or of personal data alike: what excuses it, and by what it is known again.
//!
//! A finding is excused by an entry of an allow-list, by a marker beside it, by a place where weak findings do not
//! count, or by a baseline of what was known before. Who may excuse what follows from the [layers](super::layer).

mod allow;
mod baseline;
mod count;
mod fingerprint;
mod known;
mod marker;
mod seen;

pub use allow::AllowEntry;
pub use baseline::{Baseline, BaselineEntry};
pub use count::occurrences;
pub use fingerprint::{Fingerprint, Guess};
pub use known::{Known, Quieting, Reader, Reign, excused};
pub use marker::is_marked;
pub use seen::{Seen, Subject};
