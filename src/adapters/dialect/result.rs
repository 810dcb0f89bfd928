//! Extracts the texts of a result, regardless of its shape.

use serde_json::Value;

use crate::adapters::payload::output;
use crate::domain::event::strings::visit_strings;

/// Returns the texts of a value, one per line, without fields that only describe its shape.
pub(in crate::adapters) fn joined_texts(value: &Value) -> String {
    let mut texts = Vec::new();
    visit_strings(value, output::is_structural_field, &mut |text| texts.push(text.to_owned()));
    texts.join("\n")
}
