//! Base64 and hexadecimal digits.
//!
//! Base64 is decoded leniently, since the input is text of a command or the beginning of a longer value: either
//! alphabet, no padding, and remaining bits are dropped. No crate decodes exactly that.
//! alphabet, no padding, and bits left over are dropped. No crate decodes exactly that.

const BASE64_ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns bytes in base64 with padding.
pub fn encode_base64(bytes: &[u8]) -> String {
    let mut encoded = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let three = [0, 1, 2].map(|index| u32::from(chunk.get(index).copied().unwrap_or_default()));
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | byte);
        for place in 0..4 {
            let symbol =
                usize::try_from(bits >> (18 - 6 * place) & 63).ok().and_then(|index| BASE64_ALPHABET.get(index));
            encoded.push(if place > chunk.len() { '=' } else { symbol.copied().map_or('=', char::from) });
        }
    }
    encoded
}

/// Returns the bytes of base64 symbols without padding; `None` when one belongs to neither alphabet.
pub fn decode_base64(symbols: impl IntoIterator<Item = u8>) -> Option<Vec<u8>> {
    let symbols = symbols.into_iter();
    let mut bytes = Vec::with_capacity(symbols.size_hint().1.unwrap_or_default() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for symbol in symbols {
        bits = (bits << 6 | u32::from(decode_sextet(symbol)?)) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}

const fn decode_sextet(symbol: u8) -> Option<u8> {
    match symbol {
        b'A'..=b'Z' => Some(symbol - b'A'),
        b'a'..=b'z' => Some(symbol - b'a' + 26),
        b'0'..=b'9' => Some(symbol - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// Returns bytes as hexadecimal digits in lower case.
pub fn encode_hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        digits.extend([byte >> 4, byte & 15].iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16)));
    }
    digits
}

/// Returns the bytes of hexadecimal digits in either case; `None` if one is not a digit. An odd last digit is
/// dropped.
pub fn decode_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    pairs.iter().map(|[high, low]| decode_hex_byte(*high, *low)).collect()
}

/// Returns the byte of two hexadecimal digits in either case.
pub fn decode_hex_byte(high: u8, low: u8) -> Option<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    Some(value(high)? << 4 | value(low)?)
}

#[cfg(test)]
mod tests {
    use super::{decode_base64, decode_hex, encode_base64, encode_hex};

    #[test]
    fn base64_is_written_with_padding_and_read_without() {
        for (bytes, encoded) in
            [(&b""[..], ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (b"\xfb\xff\xfe", "+//+")]
        {
            assert_eq!(encode_base64(bytes), encoded);
            assert_eq!(decode_base64(encoded.trim_end_matches('=').bytes()).as_deref(), Some(bytes), "{encoded}");
        }
    }

    #[test]
    fn base64_is_read_in_either_alphabet_and_cut_off() {
        assert_eq!(decode_base64(*b"-__-").as_deref(), Some(&b"\xfb\xff\xfe"[..]));
        assert_eq!(decode_base64(*b"Zm9vZ").as_deref(), Some(&b"foo"[..]));
        for text in ["Zm 9", "Zg==", "Zm9\u{e9}"] {
            assert_eq!(decode_base64(text.bytes()), None, "{text}");
        }
    }

    #[test]
    fn hexadecimal_digits_are_read_in_either_case() {
        assert_eq!(encode_hex(b"\x00\x0f\xa5\xff"), "000fa5ff");
        assert_eq!(decode_hex(b"000fA5fF").as_deref(), Some(&b"\x00\x0f\xa5\xff"[..]));
        assert_eq!(decode_hex(b"726").as_deref(), Some(&b"r"[..]));
        for digits in ["7x", "72x", "+7", "7 2"] {
            assert_eq!(decode_hex(digits.as_bytes()), None, "{digits}");
        }
    }
}
