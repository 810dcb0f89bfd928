//! An observer of the evaluation, to measure the coverage of tests.
//!
//! The evaluator reports the result of each condition; there is no second evaluation. In the hook there is no
//! observer, and nothing is recorded.

/// The identity of a set of conditions within a policy; equal only for the same set in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConditionsId(usize);

impl ConditionsId {
    /// Returns the identity of a set of conditions, from its address in memory.
    pub fn of<T>(conditions: &T) -> Self {
        Self(std::ptr::from_ref(conditions).addr())
    }
}

/// Observes an evaluation.
pub trait Trace {
    /// Reports that a condition, identified by its key, was evaluated for one binding, and whether it held.
    fn condition_evaluated(&self, conditions: ConditionsId, question: &'static str, held: bool);
}
