//! A call of the model as llxprt-code tells a hook of it: contents of a speaker in blocks.
//!
//! Source: `IContent` and the model hooks of 0.11.0. Nothing is translated: calls of tools stand
//! among the blocks, model and parameters are not told.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::adapters::json::Payload;
use crate::adapters::read::optional;
use crate::domain::event::{Message, ModelCall, Usage};

/// Reads a call of the model.
pub(in crate::adapters) fn read(fields: &Payload) -> ModelCall<'_> {
    let contents = fields.get("llm_request").and_then(|request| request.get("contents")).and_then(Value::as_array);
    let response = fields.get("llm_response").and_then(Value::as_object);
    ModelCall {
        model: None,
        config: Vec::new(),
        messages: contents.into_iter().flatten().filter_map(Value::as_object).flat_map(said).collect(),
        response: response.map(|response| whole(&said(response))),
        usage: Usage::default(),
    }
}

/// Returns a content that says one text.
pub(in crate::adapters) fn content(speaker: &str, text: &str) -> Value {
    json!({ "speaker": speaker, "blocks": [{ "type": "text", "text": text }] })
}

/// Returns the texts among the blocks of a content.
fn said(content: &Map<String, Value>) -> Vec<Message<'_>> {
    let role = optional(content, "speaker");
    let blocks = content.get("blocks").and_then(Value::as_array).into_iter().flatten();
    let texts = blocks.filter_map(|block| block.get("text")?.as_str());
    texts.map(|text| Message { role, by_model: role == Some("ai"), preamble: None, text }).collect()
}

/// Returns what several pieces say together.
fn whole<'a>(pieces: &[Message<'a>]) -> Cow<'a, str> {
    match pieces {
        [only] => Cow::Borrowed(only.text),
        several => Cow::Owned(several.iter().map(|piece| piece.text).collect()),
    }
}
