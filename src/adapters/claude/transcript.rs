//! Reads token counts from Claude Code's transcripts.
//!
//! A transcript is JSON Lines. A line of `"type": "assistant"` holds a part of an answer, with the
//! answer's `message.id` and its `message.usage` so far; `input_tokens` does not include tokens read from
//! the cache or written to it.

use serde_json::Value;

use crate::domain::state::{Tokens, TokensUsed};

/// Returns the tokens that a line reports; `None` for most lines.
pub(super) fn tokens_used(line: &str) -> Option<TokensUsed> {
    // Most lines of a transcript are about something else, and some of them are large.
    if !line.contains("\"usage\"") {
        return None;
    }
    let line: Value = serde_json::from_str(line).ok()?;
    if line.get("type").and_then(Value::as_str) != Some("assistant") {
        return None;
    }
    let message = line.get("message")?;
    let usage = message.get("usage")?;
    let number = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or_default();
    let cached = number("cache_read_input_tokens");
    let input = number("input_tokens").saturating_add(number("cache_creation_input_tokens")).saturating_add(cached);
    let tokens = Tokens { input, output: number("output_tokens"), cached };
    Some(TokensUsed { answer: message.get("id").and_then(Value::as_str).unwrap_or_default().to_owned(), tokens })
}

#[cfg(test)]
mod tests {
    use super::tokens_used;
    use crate::domain::state::Tokens;

    #[test]
    fn only_answers_are_counted() {
        let line = r#"{"type":"assistant","message":{"id":"msg_1","usage":{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":100,"output_tokens":7}}}"#;
        let found = tokens_used(line).unwrap();
        assert_eq!((found.answer.as_str(), found.tokens), ("msg_1", Tokens { input: 113, output: 7, cached: 100 }));
        for line in ["", "{", r#"{"type":"user","message":{"usage":{}}}"#, r#"{"usage":1}"#] {
            assert_eq!(tokens_used(line), None, "{line}");
        }
    }
}
