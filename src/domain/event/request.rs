//! The fields of a request to the model that a policy reads and changes.

/// The type of a field of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// A text.
    Text,
    /// A number.
    Number,
}

/// The fields that `rewrite` may change, with their types.
pub const REQUEST_FIELDS: &[(&str, FieldType)] = &[
    ("model", FieldType::Text),
    ("temperature", FieldType::Number),
    ("top_p", FieldType::Number),
    ("top_k", FieldType::Number),
    ("max_tokens", FieldType::Number),
    ("prompt", FieldType::Text),
];
