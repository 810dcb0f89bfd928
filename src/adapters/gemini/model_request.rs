//! Reads and changes requests to the model in the stable format of Gemini CLI's hooks.
//!
//! Source: the hook translator of 0.61.0. A message is a text; other parts of the conversation
//! (calls, results, system prompt) are not included. Messages are matched by position.
//! The four parameters of `config` are set together: a parameter that is not given is dropped.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::adapters::contract::{Chunk, ModelFormat, PayloadFields};
use crate::adapters::payload::json::str_field;
use crate::domain::event::{Message, ModelCall, Usage};
use crate::domain::verdict::Proposal;

/// The key of the request in the payload.
pub(super) const REQUEST_KEY: &str = "llm_request";

/// The key of the model's answer in the payload.
pub(super) const RESPONSE_KEY: &str = "llm_response";

/// Parameters under their neutral names, and the host's.
pub(super) const CONFIG_KEYS: &[(&str, &str)] =
    &[("temperature", "temperature"), ("top_p", "topP"), ("top_k", "topK"), ("max_tokens", "maxOutputTokens")];

/// Requests of `messages` with a `role` and a `content`; a response has a `text`.
pub(super) const FORMAT: ModelFormat = ModelFormat {
    request_key: REQUEST_KEY,
    response_key: RESPONSE_KEY,
    read: read_model_call,
    compose_request,
    compose_response,
    encode_request,
    rewrite_request,
};

/// The text directly before the first prompt in its message.
const PREAMBLE_END: &str = "</session_context>";
const PREAMBLE_START: &str = "<session_context>";

/// Reads a call of the model.
fn read_model_call(fields: &PayloadFields) -> ModelCall<'_> {
    let request = fields.get(REQUEST_KEY);
    let messages = request.and_then(|request| request.get("messages")).and_then(Value::as_array).into_iter().flatten();
    let config = request.and_then(|request| request.get("config")).and_then(Value::as_object);
    let response = fields.get(RESPONSE_KEY);
    ModelCall {
        model: request.and_then(|request| request.get("model")).and_then(Value::as_str),
        config: CONFIG_KEYS.iter().filter_map(|(name, key)| Some((*name, config?.get(*key)?))).collect(),
        messages: messages.filter_map(Value::as_object).map(message).collect(),
        response: response.and_then(|response| response.get("text")).and_then(Value::as_str).map(Into::into),
        usage: usage(response.and_then(|response| response.get("usageMetadata"))),
    }
}

fn message(fields: &Map<String, Value>) -> Message<'_> {
    let role = str_field(fields, "role");
    let whole = str_field(fields, "content").unwrap_or_default();
    let (preamble, text) = split_preamble(whole);
    Message { role, by_model: role == Some("model"), preamble, text }
}

/// Splits the host's preamble from the first prompt.
fn split_preamble(whole: &str) -> (Option<&str>, &str) {
    let end = whole.starts_with(PREAMBLE_START).then(|| whole.find(PREAMBLE_END)).flatten();
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

fn compose_request(text: &str) -> Value {
    json!({ "model": "model", "messages": [{ "role": "user", "content": text }],
        "config": { "temperature": 1, "topP": 0.95, "topK": 64 } })
}

fn compose_response(text: &str) -> Value {
    let candidate = json!({ "content": { "role": "model", "parts": [text] }, "finishReason": "STOP", "index": 0 });
    json!({ "text": text, "candidates": [candidate] })
}

fn encode_request(model: &ModelCall<'_>) -> Value {
    let encode = |message: &Message<'_>| {
        let role = if message.by_model { "model" } else { "user" };
        json!({ "role": role, "content": message.whole_text() })
    };
    let messages: Vec<Value> = model.messages.iter().map(encode).collect();
    json!({ "model": model.model.unwrap_or_default(), "messages": messages, "config": {} })
}

/// Returns the whole request with the proposed changes; `None` when nothing changes.
pub(in crate::adapters) fn rewrite_request(
    request: &Map<String, Value>,
    proposals: &BTreeMap<String, Vec<Proposal>>,
) -> Option<Map<String, Value>> {
    let mut changed = request.clone();
    for (field, proposals) in proposals {
        let Some(Proposal { value, .. }) = proposals.first() else { continue };
        if let Some((_, key)) = CONFIG_KEYS.iter().find(|(name, _)| name == field) {
            set_or_remove(changed.entry("config").or_insert_with(|| json!({})).as_object_mut()?, key, value);
        } else if field == "prompt" {
            set_prompt(&mut changed, value.as_str()?);
        } else if field == "model" {
            set_or_remove(&mut changed, field, value);
        }
    }
    (changed != *request).then_some(changed)
}

fn set_or_remove(fields: &mut Map<String, Value>, key: &str, value: &Value) {
    if value.is_null() {
        fields.remove(key);
    } else {
        fields.insert(key.to_owned(), value.clone());
    }
}

/// Replaces the text of the last message that is not the model's, after the host's preamble.
fn set_prompt(request: &mut Map<String, Value>, text: &str) {
    let messages = request.get_mut("messages").and_then(Value::as_array_mut);
    let mut messages = messages.into_iter().flatten().rev().filter_map(Value::as_object_mut);
    let Some(last) = messages.find(|message| str_field(message, "role") != Some("model")) else { return };
    let preamble = split_preamble(str_field(last, "content").unwrap_or_default()).0.unwrap_or_default();
    let content = format!("{preamble}{text}");
    last.insert("content".into(), json!(content));
}

/// Returns the changed fields of a request: only these are sent, since there can be many messages.
pub(super) fn changed_fields(request: &Map<String, Value>, changed: &Map<String, Value>) -> Map<String, Value> {
    changed
        .iter()
        .filter(|(key, value)| request.get(*key) != Some(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns an answer that replaces the model's.
pub(super) fn synthetic_response(text: &str) -> Value {
    let content = json!({ "role": "model", "parts": [text] });
    json!({ "text": text, "candidates": [{ "content": content, "finishReason": "STOP", "index": 0 }] })
}

/// Returns whether there is a text in the model's answer.
pub(super) fn has_response_text(fields: &PayloadFields) -> bool {
    response_text(fields).is_some_and(|text| !text.is_empty())
}

fn response_text(fields: &PayloadFields) -> Option<&str> {
    fields.get(RESPONSE_KEY)?.get("text")?.as_str()
}

/// Returns the chunk of an answer that the payload holds. The chunks of one answer share the request.
pub(super) fn chunk(fields: &PayloadFields) -> Option<Chunk> {
    let reason = fields.get(RESPONSE_KEY).and_then(|response| response.pointer("/candidates/0/finishReason"));
    Some(Chunk {
        stream_id: fields.get(REQUEST_KEY)?.to_string(),
        text: response_text(fields)?.to_owned(),
        is_first: false,
        is_last: reason.is_some_and(|reason| !reason.is_null()),
    })
}

/// The text before the date in the host's preamble.
const DATE_PREFIX: &str = "Today's date is ";

/// Returns the request without the date that the host adds. Nothing else differs between equal requests.
pub(super) fn canonical_request(fields: &PayloadFields) -> Option<String> {
    let mut request = fields.get(REQUEST_KEY)?.clone();
    let messages = request.get_mut("messages").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten().filter_map(Value::as_object_mut) {
        let whole = str_field(message, "content").unwrap_or_default();
        let (Some(preamble), text) = split_preamble(whole) else { continue };
        let lines = preamble.lines().filter(|line| !line.starts_with(DATE_PREFIX));
        let content = lines.chain([text]).collect::<Vec<_>>().join("\n");
        message.insert("content".into(), json!(content));
    }
    Some(request.to_string())
}

/// Returns the payload with another text of the model's answer.
pub(super) fn with_text(fields: &PayloadFields, text: &str) -> PayloadFields {
    let mut fields = fields.clone();
    let response = with_response_text(fields.get(RESPONSE_KEY), text);
    fields.insert(RESPONSE_KEY.into(), response);
    fields
}

/// Returns an answer of the model with another text. Only the text is kept: the host would turn its
/// thoughts into text as well.
pub(super) fn with_response_text(response: Option<&Value>, text: &str) -> Value {
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

    use super::{changed_fields, rewrite_request};
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
        rewrite_request(&request, &proposals).map_or(Value::Null, |changed| changed_fields(&request, &changed).into())
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
        let content =
            rewrite_request(&request, &proposals).and_then(|it| it.get("messages")?.pointer("/0/content").cloned());
        assert_eq!(content, Some(json!("<session_context>x</session_context>bye")));
    }
}
