//! What of a request to the model a policy reads and changes, in neutral words.

/// A value that a field of a request takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A text.
    Text,
    /// A number.
    Number,
}

/// The fields that `rewrite` may change, and what they take.
pub const FIELDS: &[(&str, Takes)] = &[
    ("model", Takes::Text),
    ("temperature", Takes::Number),
    ("top_p", Takes::Number),
    ("top_k", Takes::Number),
    ("max_tokens", Takes::Number),
    ("prompt", Takes::Text),
];
