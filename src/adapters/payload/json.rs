//! Parses a host's payload as JSON: strict about ambiguity, lenient about harmless oddities.
//!
//! A duplicate key is refused, since the host and the policy might use different ones. A lone
//! surrogate is what JavaScript writes for half a character; it becomes U+FFFD, as it does in the host
//! itself when the text leaves the process.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::adapters::contract::PayloadFields;

/// Why a payload cannot be judged.
#[derive(Debug)]
pub enum PayloadError {
    /// It is not UTF-8.
    NotUtf8 {
        /// The bytes before the first one that is wrong.
        valid_up_to: usize,
    },
    /// It is not JSON, nests too deep or has a key twice.
    InvalidJson(serde_json::Error),
    /// It is JSON, but not an object.
    NotObject,
    /// It has no such field.
    MissingField(&'static str),
    /// A field has the wrong type.
    WrongType {
        /// The field.
        field: String,
        /// The tool of the call, if it has a name.
        tool: Option<String>,
        /// What it should be, such as `a text`.
        expected: &'static str,
    },
    /// An entry of a list of calls is not an object.
    InvalidBatchEntry,
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 { valid_up_to } => write!(f, "the payload is not UTF-8 at byte {valid_up_to}"),
            Self::InvalidJson(error) => write!(f, "the payload is not valid JSON: {error}"),
            Self::NotObject => f.write_str("the payload is JSON, but not an object"),
            Self::MissingField(field) => write!(f, "`{field}` is missing"),
            Self::WrongType { field, tool: Some(tool), expected } => {
                write!(f, "`{field}` of `{tool}` is not {expected}")
            }
            Self::WrongType { field, tool: None, expected } => write!(f, "`{field}` is not {expected}"),
            Self::InvalidBatchEntry => f.write_str("an entry of `tool_calls` is not an object"),
        }
    }
}

impl std::error::Error for PayloadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::InvalidJson(error) => Some(error),
            _ => None,
        }
    }
}

/// Reads a payload.
///
/// # Errors
/// Returns what is wrong: not UTF-8, not JSON, not an object, too deep, or a duplicate key.
pub fn parse_payload(bytes: &[u8]) -> Result<PayloadFields, PayloadError> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| PayloadError::NotUtf8 { valid_up_to: error.valid_up_to() })?;
    let text = text.trim_start_matches('\u{feff}');
    // Lone surrogates are rare, so they are looked for only after parsing has failed.
    let value = parse_strict(text).or_else(|error| match replace_lone_surrogates(text) {
        Some(replaced) => parse_strict(&replaced),
        None => Err(error),
    });
    match value {
        Ok(Value::Object(payload)) => Ok(payload),
        Ok(_) => Err(PayloadError::NotObject),
        Err(error) => Err(PayloadError::InvalidJson(error)),
    }
}

fn parse_strict(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = UniqueKeys.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Returns a text with `\ufffd` for each escape of a lone surrogate; `None` when there is none.
fn replace_lone_surrogates(text: &str) -> Option<String> {
    let mut is_replaced = false;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let length = match leading_surrogate(escape) {
            None => escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end),
            Some(unit) => {
                let next = escape.get(6..).and_then(leading_surrogate);
                if unit < 0xDC00 && next.is_some_and(|next| next >= 0xDC00) { 12 } else { 6 }
            }
        };
        let lone = length == 6 && leading_surrogate(escape).is_some();
        is_replaced |= lone;
        out.push_str(if lone { "\\ufffd" } else { escape.get(..length).unwrap_or(escape) });
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    is_replaced.then_some(out)
}

/// Returns the surrogate that an escape at the start of the text means.
fn leading_surrogate(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok().filter(|unit| (0xD800..0xE000).contains(unit))
}

/// Returns the name of the event that an unreadable payload seems to be about.
pub fn sniff_event(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let (_, rest) = text.split_once("\"hook_event_name\"")?;
    // With two of them, it is unknown which one the host meant.
    if rest.contains("\"hook_event_name\"") {
        return None;
    }
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    (!name.is_empty()).then_some(name)
}

/// Returns a displayable name of a key. Where a key is data, it may be a secret.
fn key_label(key: &str) -> String {
    let is_word = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    if key.len() <= 24 && key.chars().all(is_word) { format!("the key `{key}`") } else { "a key".to_owned() }
}

/// Deserializes a value without duplicate keys.
struct UniqueKeys;

impl<'de> DeserializeSeed<'de> for UniqueKeys {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if entries.contains_key(&key) {
                return Err(A::Error::custom(format!("{} stands twice", key_label(&key))));
            }
            let value = map.next_value_seed(Self)?;
            entries.insert(key, value);
        }
        Ok(Value::Object(entries))
    }
}

/// Returns a text of an object; `None` for a value of another type.
pub(in crate::adapters) fn str_field<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::{PayloadError, parse_payload, replace_lone_surrogates, sniff_event};

    #[test]
    fn lone_surrogates_become_the_replacement_character() {
        for (text, expected) in [
            (r#"{"a":"x\ud800y"}"#, "x\u{fffd}y"),
            (r#"{"a":"\udc00"}"#, "\u{fffd}"),
            (r#"{"a":"\ud83d\ude00 \ud83d"}"#, "\u{1F600} \u{fffd}"),
            (r#"{"a":"\\ud800 \ud800"}"#, "\\ud800 \u{fffd}"),
            (r#"{"a":"\ud800\ud83d\ude00"}"#, "\u{fffd}\u{1F600}"),
        ] {
            let payload = parse_payload(text.as_bytes()).unwrap();
            assert_eq!(payload["a"], expected, "{text}");
        }
    }

    #[test]
    fn only_lone_surrogates_are_replaced() {
        for (text, replaced) in [
            (r#"{"a":"\ud83d"}"#, Some(r#"{"a":"\ufffd"}"#)),
            (r#"{"a":"\ude00"}"#, Some(r#"{"a":"\ufffd"}"#)),
            (r#"{"a":"\uDE00\uD83D"}"#, Some(r#"{"a":"\ufffd\ufffd"}"#)),
            (r#"{"a":"\ud83d\ude00"}"#, None),
            (r#"{"a":"\\ud83d"}"#, None),
            (r#"{"a":"a lone surrogate in a hex escape"}"#, None),
        ] {
            assert_eq!(replace_lone_surrogates(text).as_deref(), replaced, "{text}");
            assert!(parse_payload(text.as_bytes()).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_mistake_beside_the_word_surrogate_stays_a_mistake() {
        for text in [r#"{"surrogate":1,"surrogate":2}"#, r#"{"a":"\u12"}"#, r#"{"a":"\ud83d",}"#] {
            assert!(matches!(parse_payload(text.as_bytes()), Err(PayloadError::InvalidJson(_))), "{text}");
        }
    }

    #[test]
    fn errors_name_the_field_and_its_tool() {
        let wrong = |tool: Option<&str>| PayloadError::WrongType {
            field: "command".to_owned(),
            tool: tool.map(ToOwned::to_owned),
            expected: "a string",
        };
        for (error, message) in [
            (PayloadError::NotUtf8 { valid_up_to: 3 }, "the payload is not UTF-8 at byte 3"),
            (PayloadError::MissingField("prompt"), "`prompt` is missing"),
            (wrong(None), "`command` is not a string"),
            (wrong(Some("Bash")), "`command` of `Bash` is not a string"),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn ambiguous_and_broken_payloads_are_refused() {
        for (text, message) in [
            (&b"{\"a\":1,\"a\":2}"[..], "stands twice"),
            (b"{\"b\":{\"a\":1,\"a\":2}}", "stands twice"),
            (b"[1]", "not an object"),
            (b"{\"a\":1", "not valid JSON"),
            (b"{} {}", "not valid JSON"),
            (b"\xff", "not UTF-8"),
            (b"", "not valid JSON"),
        ] {
            let error = parse_payload(text).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
        assert!(parse_payload(deep.as_bytes()).unwrap_err().to_string().contains("recursion"));
    }

    #[test]
    fn the_event_of_a_broken_payload_is_guessed() {
        assert_eq!(sniff_event(b"{\"x\": \"\xff\", \"hook_event_name\" : \"PreToolUse\","), Some("PreToolUse".into()));
        assert_eq!(sniff_event(b"{"), None);
    }
}
