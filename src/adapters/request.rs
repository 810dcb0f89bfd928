//! A request to the model in the stable shape of Gemini CLI's hooks: read, and changed.
//!
//! Source: the hook translator of 0.61.0. A message is a text; what else stands in the
//! conversation (calls, results, system prompt) is not shown. Messages are matched by position.
//! The four parameters of `config` are set together: one that is not given is lost.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Piece;
use super::json::Payload as Fields;
use super::read::optional;
use crate::domain::event::{Message, ModelCall, Usage};
use crate::domain::verdict::Proposal;

/// The key of the request in the payload.
pub(super) const REQUEST: &str = "llm_request";

/// The key of the model's answer in the payload.
pub(super) const RESPONSE: &str = "llm_response";

/// Parameters under their neutral names, and the host's.
pub(super) const CONFIG: &[(&str, &str)] =
    &[("temperature", "temperature"), ("top_p", "topP"), ("top_k", "topK"), ("max_tokens", "maxOutputTokens")];

/// What stands before the first prompt in its message, without anything between.
const PREAMBLE_END: &str = "</session_context>";
const PREAMBLE: &str = "<session_context>";

/// Reads a call of the model.
pub(super) fn read(fields: &Fields) -> ModelCall<'_> {
    let request = fields.get(REQUEST);
    let messages = request.and_then(|request| request.get("messages")).and_then(Value::as_array).into_iter().flatten();
    let config = request.and_then(|request| request.get("config")).and_then(Value::as_object);
    let response = fields.get(RESPONSE);
    ModelCall {
        model: request.and_then(|request| request.get("model")).and_then(Value::as_str),
        config: CONFIG.iter().filter_map(|(name, key)| Some((*name, config?.get(*key)?))).collect(),
        messages: messages.filter_map(Value::as_object).map(message).collect(),
        response: response.and_then(|response| response.get("text")).and_then(Value::as_str).map(Into::into),
        usage: usage(response.and_then(|response| response.get("usageMetadata"))),
    }
}

fn message(fields: &Map<String, Value>) -> Message<'_> {
    let role = optional(fields, "role");
    let whole = optional(fields, "content").unwrap_or_default();
    let (preamble, text) = split(whole);
    Message { role, by_model: role == Some("model"), preamble, text }
}

/// Parts the host's own words before the first prompt from the prompt.
fn split(whole: &str) -> (Option<&str>, &str) {
    let end = whole.starts_with(PREAMBLE).then(|| whole.find(PREAMBLE_END)).flatten();
    end.and_then(|end| whole.split_at_checked(end + PREAMBLE_END.len()))
        .map_or((None, whole), |(preamble, text)| (Some(preamble), text))
}

fn usage(counts: Option<&Value>) -> Usage {
    let count = |key: &str| counts.and_then(|counts| counts.get(key)).and_then(Value::as_u64);
    Usage {
        prompt: count("promptTokenCount"),
        output: count("candidatesTokenCount"),
        total: count("totalTokenCount"),
        cached: count("cachedContentTokenCount"),
    }
}

/// Returns the whole request as the proposals would have it; `None` when nothing changes.
pub(super) fn rewritten(
    request: &Map<String, Value>,
    proposals: &BTreeMap<String, Vec<Proposal>>,
) -> Option<Map<String, Value>> {
    let mut changed = request.clone();
    for (field, proposals) in proposals {
        let Some(Proposal { value, .. }) = proposals.first() else { continue };
        if let Some((_, key)) = CONFIG.iter().find(|(name, _)| name == field) {
            set(changed.entry("config").or_insert_with(|| json!({})).as_object_mut()?, key, value);
        } else if field == "prompt" {
            reword(&mut changed, value.as_str()?);
        } else if field == "model" {
            set(&mut changed, field, value);
        }
    }
    (changed != *request).then_some(changed)
}

fn set(fields: &mut Map<String, Value>, key: &str, value: &Value) {
    if value.is_null() {
        fields.remove(key);
    } else {
        fields.insert(key.to_owned(), value.clone());
    }
}

/// Gives the last message that is not the model's another text, behind what the host puts first.
fn reword(request: &mut Map<String, Value>, text: &str) {
    let messages = request.get_mut("messages").and_then(Value::as_array_mut);
    let mut messages = messages.into_iter().flatten().rev().filter_map(Value::as_object_mut);
    let Some(last) = messages.find(|message| optional(message, "role") != Some("model")) else { return };
    let preamble = split(optional(last, "content").unwrap_or_default()).0.unwrap_or_default();
    let content = format!("{preamble}{text}");
    last.insert("content".into(), json!(content));
}

/// Returns of a changed request what has to be sent: what did not change is left to the host, and
/// messages can be many.
pub(super) fn difference(request: &Map<String, Value>, changed: &Map<String, Value>) -> Map<String, Value> {
    changed
        .iter()
        .filter(|(key, value)| request.get(*key) != Some(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns an answer in the model's place.
pub(super) fn response(text: &str) -> Value {
    let content = json!({ "role": "model", "parts": [text] });
    json!({ "text": text, "candidates": [{ "content": content, "finishReason": "STOP", "index": 0 }] })
}

/// Tells whether there is a text in the model's answer.
pub(super) fn has_text(fields: &Fields) -> bool {
    text(fields).is_some_and(|text| !text.is_empty())
}

fn text(fields: &Fields) -> Option<&str> {
    fields.get(RESPONSE)?.get("text")?.as_str()
}

/// Returns the piece of an answer that the payload holds. Those of one answer have the request in common.
pub(super) fn piece(fields: &Fields) -> Option<Piece> {
    let reason = fields.get(RESPONSE).and_then(|response| response.pointer("/candidates/0/finishReason"));
    Some(Piece {
        common: fields.get(REQUEST)?.to_string(),
        text: text(fields)?.to_owned(),
        is_first: false,
        is_last: reason.is_some_and(|reason| !reason.is_null()),
    })
}

/// Where the day stands in what the host puts before the first prompt.
const DAY: &str = "Today's date is ";

/// Returns the request without the day that the host puts into it. Nothing else in it tells one from an equal
/// one.
pub(super) fn essence(fields: &Fields) -> Option<String> {
    let mut request = fields.get(REQUEST)?.clone();
    let messages = request.get_mut("messages").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten().filter_map(Value::as_object_mut) {
        let whole = optional(message, "content").unwrap_or_default();
        let (Some(preamble), text) = split(whole) else { continue };
        let lines = preamble.lines().filter(|line| !line.starts_with(DAY));
        let content = lines.chain([text]).collect::<Vec<_>>().join("\n");
        message.insert("content".into(), json!(content));
    }
    Some(request.to_string())
}

/// Returns the payload with another text of the model's answer.
pub(super) fn with_text(fields: &Fields, text: &str) -> Fields {
    let mut fields = fields.clone();
    let response = reworded(fields.get(RESPONSE), text);
    fields.insert(RESPONSE.into(), response);
    fields
}

/// Returns an answer of the model with another text. Nothing but the text is left of what it said: the host
/// makes text of its thoughts as well.
pub(super) fn reworded(response: Option<&Value>, text: &str) -> Value {
    let mut changed = response.and_then(Value::as_object).cloned().unwrap_or_default();
    let candidate = response.and_then(|response| response.pointer("/candidates/0")).and_then(Value::as_object);
    let mut candidate = candidate.cloned().unwrap_or_default();
    candidate.insert("content".into(), json!({ "role": "model", "parts": [text] }));
    changed.insert("text".into(), json!(text));
    changed.insert("candidates".into(), json!([candidate]));
    Value::Object(changed)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Map, Value, json};

    use super::{difference, rewritten};
    use crate::domain::verdict::Proposal;

    fn request() -> Map<String, Value> {
        let messages = json!([
            { "role": "user", "content": "<session_context>\nhere\n</session_context>first" },
            { "role": "model", "content": "answer" },
            { "role": "user", "content": "second" },
            { "role": "model", "content": "calling" },
        ]);
        let config = json!({ "temperature": 1, "topP": 0.95, "topK": 64 });
        let request = json!({ "model": "big", "messages": messages, "config": config });
        request.as_object().cloned().unwrap()
    }

    fn changed(field: &str, value: Value) -> Value {
        let request = request();
        let proposals = BTreeMap::from([(field.to_owned(), vec![Proposal { rule: "rule".into(), value }])]);
        rewritten(&request, &proposals).map_or(Value::Null, |changed| difference(&request, &changed).into())
    }

    #[test]
    fn only_what_changed_is_sent_and_parameters_together() {
        assert_eq!(changed("model", json!("small")), json!({ "model": "small" }));
        assert_eq!(
            changed("temperature", json!(0)),
            json!({ "config": { "temperature": 0, "topP": 0.95, "topK": 64 } })
        );
        assert_eq!(changed("top_k", Value::Null), json!({ "config": { "temperature": 1, "topP": 0.95 } }));
        assert_eq!(changed("model", json!("big")), Value::Null);
    }

    #[test]
    fn the_prompt_is_the_last_message_of_the_user_and_all_keep_their_places() {
        let messages = changed("prompt", json!("short"));
        assert_eq!(messages.pointer("/messages/2/content"), Some(&json!("short")));
        assert_eq!(messages.pointer("/messages/3/content"), Some(&json!("calling")));
    }

    #[test]
    fn what_the_host_puts_before_the_first_prompt_stays() {
        let mut request = request();
        request.insert(
            "messages".into(),
            json!([{ "role": "user", "content": "<session_context>x</session_context>hi" }]),
        );
        let proposals =
            BTreeMap::from([("prompt".to_owned(), vec![Proposal { rule: "r".into(), value: json!("bye") }])]);
        let content = rewritten(&request, &proposals).and_then(|it| it.get("messages")?.pointer("/0/content").cloned());
        assert_eq!(content, Some(json!("<session_context>x</session_context>bye")));
    }
}
