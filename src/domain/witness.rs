//! Somebody who is told what the evaluator sees, to measure how far tests reach.
//!
//! There is no second evaluation for that: the one there is says what each question came to. Under
//! the hook nobody listens, and nothing is kept.

use super::condition::Conditions;
use super::decide::Outcome;

/// Who is told.
pub trait Witness {
    /// A question of some conditions, by its key, was asked of one thing, and held or did not.
    fn saw(&self, asked: &Conditions, question: &'static str, held: bool);

    /// An event was judged.
    fn judged(&self, outcome: &Outcome);
}
