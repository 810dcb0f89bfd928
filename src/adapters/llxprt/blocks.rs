//! A call of the model in the format of llxprt-code's hooks: contents of a speaker in blocks.
//!
//! Source: `IContent` and the model hooks of 0.11.0. Nothing is translated: tool calls are among the
//! blocks, model and parameters are not sent.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::adapters::contract::{ModelFormat, PayloadFields};
use crate::adapters::gemini::model_request::rewrite_request;
use crate::adapters::payload::json::str_field;
use crate::domain::event::{Message, ModelCall, Usage};

/// Requests of `contents` with a `speaker` and `blocks`; a response is one of these.
pub(super) const FORMAT: ModelFormat = ModelFormat {
    request_key: "llm_request",
    response_key: "llm_response",
    read: read_model_call,
    compose_request: |text| json!({ "contents": [text_content("human", text)], "tools": [] }),
    compose_response: |text| text_content("ai", text),
    encode_request,
    rewrite_request,
};

/// Reads a call of the model.
fn read_model_call(fields: &PayloadFields) -> ModelCall<'_> {
    let contents = fields.get("llm_request").and_then(|request| request.get("contents")).and_then(Value::as_array);
    let response = fields.get("llm_response").and_then(Value::as_object);
    ModelCall {
        model: None,
        config: Vec::new(),
        messages: contents.into_iter().flatten().filter_map(Value::as_object).flat_map(text_messages).collect(),
        response: response.map(|response| joined_text(&text_messages(response))),
        usage: Usage::default(),
    }
}

/// Returns a content with one text.
fn text_content(speaker: &str, text: &str) -> Value {
    json!({ "speaker": speaker, "blocks": [{ "type": "text", "text": text }] })
}

fn encode_request(model: &ModelCall<'_>) -> Value {
    let encode =
        |message: &Message<'_>| text_content(if message.by_model { "ai" } else { "human" }, &message.whole_text());
    let contents: Vec<Value> = model.messages.iter().map(encode).collect();
    json!({ "contents": contents, "tools": [] })
}

/// Returns the texts among the blocks of a content.
fn text_messages(content: &Map<String, Value>) -> Vec<Message<'_>> {
    let role = str_field(content, "speaker");
    let blocks = content.get("blocks").and_then(Value::as_array).into_iter().flatten();
    let texts = blocks.filter_map(|block| block.get("text")?.as_str());
    texts.map(|text| Message { role, by_model: role == Some("ai"), preamble: None, text }).collect()
}

/// Returns the joined text of several messages.
fn joined_text<'a>(pieces: &[Message<'a>]) -> Cow<'a, str> {
    match pieces {
        [only] => Cow::Borrowed(only.text),
        several => Cow::Owned(several.iter().map(|piece| piece.text).collect()),
    }
}
