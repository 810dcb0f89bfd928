//! The texts in a JSON value, in order.

use serde_json::{Map, Value};

/// Returns whether an entry of an object is skipped.
pub type SkipEntry = fn(&Map<String, Value>, &str) -> bool;

/// Skips no entry.
pub const SKIP_NONE: SkipEntry = |_, _| false;

/// Bytes from which on the key of an object is a text like others: shorter ones are names, and no detector finds
/// anything in them.
pub const MIN_KEY_TEXT: usize = 20;

/// Visits the texts in a value, in order, except empty ones; long keys of objects are texts, each before its entry.
pub fn visit_strings<'v>(value: &'v Value, skips: SkipEntry, visit: &mut dyn FnMut(&'v str)) {
    match value {
        Value::String(text) if !text.is_empty() => visit(text),
        Value::Array(items) => items.iter().for_each(|item| visit_strings(item, skips, visit)),
        Value::Object(entries) => {
            let texts = entries.iter().filter(|(key, _)| !skips(entries, key));
            texts.for_each(|(key, entry)| {
                if key.len() >= MIN_KEY_TEXT {
                    visit(key);
                }
                visit_strings(entry, skips, visit);
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a value with its texts changed, in the order in which [`visit_strings`] visits them.
#[must_use]
pub fn map_strings(value: &Value, skips: SkipEntry, change: &mut dyn FnMut(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) if !text.is_empty() => change(text).map_or_else(|| value.clone(), Value::String),
        Value::Array(items) => items.iter().map(|item| map_strings(item, skips, change)).collect(),
        Value::Object(entries) => {
            let mut changed = Map::new();
            for (key, entry) in entries {
                if skips(entries, key) {
                    changed.insert(key.clone(), entry.clone());
                    continue;
                }
                let renamed = if key.len() >= MIN_KEY_TEXT { change(key) } else { None };
                let entry = map_strings(entry, skips, change);
                let mut name = renamed.unwrap_or_else(|| key.clone());
                // Two keys may have become the same.
                while changed.contains_key(&name) {
                    name.push('_');
                }
                changed.insert(name, entry);
            }
            Value::Object(changed)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}
