//! Base64 decoding, as far as credentials with an inner structure need it.

use crate::domain::text::encoding;

/// Returns the bytes of base64 in either alphabet; `None` when a character belongs to neither.
///
/// Padding is optional and leftover bits are dropped, since the decoded text is often the head of a longer one.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    encoding::decode_base64(text.trim_end_matches('=').bytes())
}

/// Returns whether the text decodes to what looks like a JSON object with every key.
pub(super) fn is_json_object_with_keys(text: &str, keys: &[&str]) -> bool {
    decode(text).and_then(|bytes| String::from_utf8(bytes).ok()).is_some_and(|json| {
        json.starts_with('{')
            && json.trim_end().ends_with('}')
            && keys.iter().all(|key| json.contains(&format!("\"{key}\"")))
    })
}
