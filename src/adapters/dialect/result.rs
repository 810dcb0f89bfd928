//! What the texts in a result say, whatever its shape.

use serde_json::Value;

use crate::adapters::output;
use crate::domain::redaction::strings;

/// Returns the texts of a value, a line each; what only says which shape it has is none.
pub(in crate::adapters) fn texts_of(value: &Value) -> String {
    let mut texts = Vec::new();
    strings(value, output::is_structure, &mut |text| texts.push(text.to_owned()));
    texts.join("\n")
}
