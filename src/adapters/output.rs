//! What a tool returned or the model answered, with what rules take out of it or put in its place.

use serde_json::{Map, Value, json};

use super::{Reads, Row};
use crate::domain::event::Event;
use crate::domain::redaction::{texts, with_strings};
use crate::domain::verdict::{self, Verdict};

/// Returns the parts of a result that the model sees. Where a host keeps them apart, what is shown
/// to the person alone is no part, and of a failed call the model reads the error's message.
pub(super) fn shown(output: &Value) -> impl Iterator<Item = &Value> {
    let content = output.get("llmContent");
    let error = content.and_then(|_| output.pointer("/error/message"));
    [content.unwrap_or(output)].into_iter().chain(error)
}

/// Tells of an entry of a result that it says what shape the result has, or holds a picture: nobody reads
/// it, and a host would not take the result with another word there.
pub(super) fn is_structure(entries: &Map<String, Value>, key: &str) -> bool {
    match key {
        "type" | "mode" | "status" | "media_type" | "mimeType" | "base64" => true,
        "data" => entries.contains_key("media_type") || entries.contains_key("mimeType"),
        _ => false,
    }
}

/// Returns the result of the event's call in the host's shape, as the verdict would have it; `None`
/// when nothing changes.
pub(super) fn redacted(row: &Row, event: &Event<'_>, verdict: &Verdict) -> Option<Value> {
    let result = result(row, event).filter(|_| !verdict.redact.is_empty())?;
    let mut index = 0;
    let mut redact = |text: &str| {
        index += 1;
        verdict.redact.apply(index - 1, text)
    };
    let Some(content) = result.get("llmContent") else { return Some(with_strings(result, is_structure, &mut redact)) };
    let mut changed = result.clone();
    let content = with_strings(content, is_structure, &mut redact);
    let message = result.pointer("/error/message").map(|message| with_strings(message, is_structure, &mut redact));
    if let Some(place) = changed.get_mut("llmContent") {
        *place = content;
    }
    if let (Some(place), Some(message)) = (changed.pointer_mut("/error/message"), message) {
        *place = message;
    }
    Some(changed)
}

/// Returns the model's answer as the verdict would have it; `None` when nothing changes.
pub(super) fn answer(event: &Event<'_>, verdict: &Verdict) -> Option<String> {
    let text = texts(event).into_iter().next()?;
    if verdict.replace.is_empty() {
        return verdict.redact.apply(0, text);
    }
    Some(verdict::texts(&verdict.replace, "\n"))
}

/// Returns what the event's call returned.
pub(super) fn result<'e>(row: &Row, event: &Event<'e>) -> Option<&'e Value> {
    let Reads::Result { output, .. } = row.reads else { return None };
    event.native.get(output)
}

/// Returns a result of the same shape in which the model reads another text and nothing else;
/// `None` when the shape is not known.
pub(super) fn replaced(result: &Value, text: &str) -> Option<Value> {
    let blocks = json!([{ "type": "text", "text": text }]);
    Some(match result {
        Value::String(_) => json!(text),
        Value::Array(_) => blocks,
        Value::Object(entries) if is_text(entries, "stdout") => {
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
            let mut found = with(entries, &[("filenames", json!([text])), ("numFiles", json!(1))]);
            if is_text(entries, "content") {
                found = found.as_object().map(|found| with(found, &[("content", json!(text))]))?;
            }
            found
        }
        Value::Object(entries) if is_text(entries, "result") => with(entries, &[("result", json!(text))]),
        Value::Object(entries) if entries.get("content").is_some_and(Value::is_array) => {
            with(entries, &[("content", blocks)])
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    })
}

/// Tells whether [`replaced`] knows the shape of a result.
pub(super) fn is_replaceable(result: &Value) -> bool {
    replaced(result, "").is_some()
}

fn is_text(entries: &Map<String, Value>, key: &str) -> bool {
    entries.get(key).is_some_and(Value::is_string)
}

fn with(entries: &Map<String, Value>, fields: &[(&str, Value)]) -> Value {
    let mut changed = entries.clone();
    for (key, value) in fields {
        changed.insert((*key).to_owned(), value.clone());
    }
    Value::Object(changed)
}
