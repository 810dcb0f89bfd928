//! Base64, of either alphabet, as far as credentials carry structure in it.

/// Returns the bytes, or nothing when a sign does not belong to either alphabet.
///
/// Padding is optional and bits left over are dropped, since what is decoded is often the head of something longer.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let mut pending: u32 = 0;
    let mut bits = 0;
    for sign in text.trim_end_matches('=').bytes() {
        pending = (pending << 6 | sextet(sign)?) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(pending >> bits & 0xff).ok()?);
        }
    }
    Some(bytes)
}

fn sextet(sign: u8) -> Option<u32> {
    let value = match sign {
        b'A'..=b'Z' => sign - b'A',
        b'a'..=b'z' => sign - b'a' + 26,
        b'0'..=b'9' => sign - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// Whether the text decodes to something that is written like a JSON object and names every key.
pub(super) fn is_object_with(text: &str, keys: &[&str]) -> bool {
    decode(text).and_then(|bytes| String::from_utf8(bytes).ok()).is_some_and(|json| {
        json.starts_with('{')
            && json.trim_end().ends_with('}')
            && keys.iter().all(|key| json.contains(&format!("\"{key}\"")))
    })
}
