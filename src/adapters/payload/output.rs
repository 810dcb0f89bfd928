//! Results of tools and answers of the model, with redactions and replacements applied.

use serde_json::{Map, Value, json};

use crate::adapters::contract::{EventRow, PayloadShape};
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::event::strings::map_strings;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::redaction::redactable_texts;

/// Returns the parts of a result that the model sees. Where a host separates them, parts shown only to
/// the user are left out, and for a failed call the model reads the error's message.
pub(in crate::adapters) fn model_visible(output: &Value) -> impl Iterator<Item = &Value> {
    let content = output.get("llmContent");
    let error = content.and_then(|_| output.pointer("/error/message"));
    [content.unwrap_or(output)].into_iter().chain(error)
}

/// Returns whether an entry of a result describes the result's shape, or holds a picture: the host would
/// reject the result if it were changed.
pub(in crate::adapters) fn is_structural_field(entries: &Map<String, Value>, key: &str) -> bool {
    match key {
        "type" | "mode" | "status" | "media_type" | "mimeType" | "base64" => true,
        "data" => entries.contains_key("media_type") || entries.contains_key("mimeType"),
        _ => false,
    }
}

/// Returns the result of the event's call in the host's shape with the verdict's changes; `None` when
/// nothing changes.
pub(in crate::adapters) fn redacted_result(row: &EventRow, event: &Event<'_>, verdict: &Verdict) -> Option<Value> {
    let result = tool_result(row, event).filter(|_| !verdict.redact.is_empty())?;
    let mut index = 0;
    let mut redact = |text: &str| {
        index += 1;
        verdict.redact.apply(index - 1, text)
    };
    let Some(content) = result.get("llmContent") else {
        return Some(map_strings(result, is_structural_field, &mut redact));
    };
    let mut changed = result.clone();
    let content = map_strings(content, is_structural_field, &mut redact);
    let message =
        result.pointer("/error/message").map(|message| map_strings(message, is_structural_field, &mut redact));
    if let Some(place) = changed.get_mut("llmContent") {
        *place = content;
    }
    if let (Some(place), Some(message)) = (changed.pointer_mut("/error/message"), message) {
        *place = message;
    }
    Some(changed)
}

/// Returns the model's answer with the verdict's changes; `None` when nothing changes.
pub(in crate::adapters) fn revised_answer(event: &Event<'_>, verdict: &Verdict) -> Option<String> {
    let text = redactable_texts(event).into_iter().next()?;
    if !verdict.notes.has(EffectKind::Replace) {
        return verdict.redact.apply(0, text);
    }
    Some(verdict.notes.join(EffectKind::Replace, "\n"))
}

/// Returns the result of the event's call.
pub(in crate::adapters) fn tool_result<'e>(row: &EventRow, event: &Event<'e>) -> Option<&'e Value> {
    let PayloadShape::Result { output, .. } = row.payload else { return None };
    event.native.get(output)
}

/// Returns a result of the same shape that contains only another text for the model;
/// `None` when the shape is not known.
pub(in crate::adapters) fn replaced_result(result: &Value, text: &str) -> Option<Value> {
    let blocks = json!([{ "type": "text", "text": text }]);
    Some(match result {
        Value::String(_) => json!(text),
        Value::Array(_) => blocks,
        Value::Object(entries) if is_string(entries, "stdout") => {
            json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false })
        }
        Value::Object(entries) if entries.get("file").is_some_and(Value::is_object) => {
            let path = result.pointer("/file/filePath").cloned().unwrap_or_else(|| json!(""));
            let lines = text.lines().count();
            let file =
                json!({ "filePath": path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines });
            json!({ "type": "text", "file": file })
        }
        Value::Object(entries) if entries.get("filenames").is_some_and(Value::is_array) => {
            let mut found = with_fields(entries, &[("filenames", json!([text])), ("numFiles", json!(1))]);
            if is_string(entries, "content") {
                found = found.as_object().map(|found| with_fields(found, &[("content", json!(text))]))?;
            }
            found
        }
        Value::Object(entries) if is_string(entries, "result") => with_fields(entries, &[("result", json!(text))]),
        Value::Object(entries) if entries.get("content").is_some_and(Value::is_array) => {
            with_fields(entries, &[("content", blocks)])
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    })
}

/// Returns whether [`replaced_result`] knows the shape of a result.
pub(in crate::adapters) fn is_replaceable(result: &Value) -> bool {
    replaced_result(result, "").is_some()
}

fn is_string(entries: &Map<String, Value>, key: &str) -> bool {
    entries.get(key).is_some_and(Value::is_string)
}

fn with_fields(entries: &Map<String, Value>, fields: &[(&str, Value)]) -> Value {
    let mut changed = entries.clone();
    for (key, value) in fields {
        changed.insert((*key).to_owned(), value.clone());
    }
    Value::Object(changed)
}
