//! A host's payload as JSON: strict about what would be ambiguous, lenient about what is only odd.
//!
//! A key that stands twice is refused, since the host and the policy might each believe another
//! one. A lone surrogate is what JavaScript writes for half a character; it becomes U+FFFD, which
//! is what the host itself makes of it when the text leaves the process.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The fields of a payload.
pub type Payload = Map<String, Value>;

/// Why a payload cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong, in the host's words.
    pub message: String,
}

impl Unreadable {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unreadable {}

/// Reads a payload.
///
/// # Errors
/// Returns what is wrong: not UTF-8, not JSON, not an object, too deep, or a key that stands twice.
pub fn parse(bytes: &[u8]) -> Result<Payload, Unreadable> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Unreadable::new(format!("the payload is not UTF-8 at byte {}", error.valid_up_to())))?;
    let text = text.trim_start_matches('\u{feff}');
    let value = match strict(text) {
        Err(error) if error.to_string().contains("surrogate") || error.to_string().contains("hex escape") => {
            strict(&without_lone_surrogates(text))
        }
        other => other,
    };
    match value {
        Ok(Value::Object(payload)) => Ok(payload),
        Ok(_) => Err(Unreadable::new("the payload is JSON, but not an object")),
        Err(error) => Err(Unreadable::new(format!("the payload is not valid JSON: {error}"))),
    }
}

fn strict(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Unique.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Replaces each half of a character that stands alone by `\ufffd`.
fn without_lone_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let length = match surrogate(escape) {
            None => escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end),
            Some(unit) => {
                let next = escape.get(6..).and_then(surrogate);
                if unit < 0xDC00 && next.is_some_and(|next| next >= 0xDC00) { 12 } else { 6 }
            }
        };
        let lone = length == 6 && surrogate(escape).is_some();
        out.push_str(if lone { "\\ufffd" } else { escape.get(..length).unwrap_or(escape) });
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Returns the half of a character that an escape at the head of the text stands for.
fn surrogate(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok().filter(|unit| (0xD800..0xE000).contains(unit))
}

/// Returns the name of the event that an unreadable payload seems to be about.
pub fn sniff_event(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let (_, rest) = text.split_once("\"hook_event_name\"")?;
    // Two of them, and there is no telling which the host meant.
    if rest.contains("\"hook_event_name\"") {
        return None;
    }
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    (!name.is_empty()).then_some(name)
}

/// Names a key for people. Where a key is data, it may be anybody's secret.
fn named(key: &str) -> String {
    let is_word = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    if key.len() <= 24 && key.chars().all(is_word) { format!("the key `{key}`") } else { "a key".to_owned() }
}

/// Builds a value in which no key stands twice.
struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
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
                return Err(A::Error::custom(format!("{} stands twice", named(&key))));
            }
            let value = map.next_value_seed(Self)?;
            entries.insert(key, value);
        }
        Ok(Value::Object(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, sniff_event};

    #[test]
    fn lone_surrogates_become_the_replacement_character() {
        for (text, expected) in [
            (r#"{"a":"x\ud800y"}"#, "x\u{fffd}y"),
            (r#"{"a":"\udc00"}"#, "\u{fffd}"),
            (r#"{"a":"\ud83d\ude00 \ud83d"}"#, "\u{1F600} \u{fffd}"),
            (r#"{"a":"\\ud800 \ud800"}"#, "\\ud800 \u{fffd}"),
            (r#"{"a":"\ud800\ud83d\ude00"}"#, "\u{fffd}\u{1F600}"),
        ] {
            let payload = parse(text.as_bytes()).unwrap();
            assert_eq!(payload["a"], expected, "{text}");
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
            let error = parse(text).unwrap_err();
            assert!(error.message.contains(message), "{error}");
        }
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
        assert!(parse(deep.as_bytes()).unwrap_err().message.contains("recursion"));
    }

    #[test]
    fn the_event_of_a_broken_payload_is_guessed() {
        assert_eq!(sniff_event(b"{\"x\": \"\xff\", \"hook_event_name\" : \"PreToolUse\","), Some("PreToolUse".into()));
        assert_eq!(sniff_event(b"{"), None);
    }
}
