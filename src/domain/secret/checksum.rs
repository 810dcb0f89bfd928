//! The checksums that vendors build into their tokens.
//!
//! They were designed for scanners: a token with a valid checksum was issued, with a chance of error of one in 2³².

const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// CRC-32 as in ZIP and Ethernet.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    // The bitwise form needs no table, which would not pay off for the forty bytes of one token.
    let feed = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    };
    !bytes.iter().fold(!0, feed)
}

/// Returns whether the last six characters are the sum of those before, in base 62 with digits, capitals and small letters.
///
/// GitHub and npm write their tokens so; `body` is what follows the prefix.
pub(super) fn ends_in_base62_crc(body: &str) -> bool {
    split_suffix(body, 6)
        .is_some_and(|(content, sum)| parse_number(sum, BASE62) == Some(u64::from(crc32(content.as_bytes()))))
}

/// Returns whether the last six characters are the sum of all before, in base 62 with digits, small letters and capitals.
///
/// Apify writes its tokens so.
pub(super) fn ends_in_lowercase_first_base62_crc(token: &str) -> bool {
    let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    split_suffix(token, 6)
        .is_some_and(|(content, sum)| parse_number(sum, digits) == Some(u64::from(crc32(content.as_bytes()))))
}

/// Returns whether the part after the last underscore is the sum of all before it, in base 62.
///
/// Synapse, the server of Matrix, writes its tokens so.
pub(super) fn ends_in_base62_crc_of_all(token: &str) -> bool {
    token.rsplit_once('_').is_some_and(|(content, sum)| {
        sum.len() == 6 && parse_number(sum, BASE62) == Some(u64::from(crc32(content.as_bytes())))
    })
}

/// Returns whether `payload.version.` is followed by the payload's length in two characters and the sum of all before
/// in seven.
///
/// GitLab uses this format for routable tokens; the length leaves the prefix out.
pub(super) fn ends_in_base36_crc(token: &str) -> bool {
    let digits = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let Some((content, sum)) = split_suffix(token, 7) else { return false };
    let Some((_, len)) = content.rsplit_once('.') else { return false };
    let payload = content.split_once('-').and_then(|(_, rest)| rest.split('.').next()).unwrap_or_default();
    parse_number(len, digits) == u64::try_from(payload.len()).ok()
        && parse_number(sum, digits) == Some(u64::from(crc32(content.as_bytes())))
}

/// Returns a text without its last characters, and these.
fn split_suffix(text: &str, signs: usize) -> Option<(&str, &str)> {
    text.len().checked_sub(signs).and_then(|at| text.split_at_checked(at))
}

/// Returns the number that is written with these digits; `None` when it is not, or too large.
fn parse_number(written: &str, digits: &[u8]) -> Option<u64> {
    let base = u64::try_from(digits.len()).ok()?;
    let value = |sign: u8| digits.iter().position(|digit| *digit == sign).and_then(|at| u64::try_from(at).ok());
    written.bytes().try_fold(0_u64, |number, sign| number.checked_mul(base)?.checked_add(value(sign)?))
}

/// Returns whether the part after the last underscore is the sum of all before it, in hexadecimal, lowest byte first.
///
/// Grafana writes its service account tokens so.
pub(super) fn ends_in_hex_crc(token: &str) -> bool {
    token.rsplit_once('_').is_some_and(|(content, sum)| {
        u32::from_str_radix(sum, 16).is_ok_and(|value| value.swap_bytes() == crc32(content.as_bytes()))
    })
}

/// Returns whether the last eight characters are the sum of what is after the first underscore, in hexadecimal.
///
/// Cloudflare writes its tokens so, and Zuplo with an underscore before the sum, which is not summed.
pub(super) fn ends_in_hex_crc_of_body(token: &str) -> bool {
    let body = token.split_once('_').and_then(|(_, body)| split_suffix(body, 8));
    body.is_some_and(|(content, sum)| {
        let content = content.strip_suffix('_').unwrap_or(content);
        u32::from_str_radix(sum, 16) == Ok(crc32(content.as_bytes()))
    })
}

/// Returns whether the part after the last `=` is the sum of all before it, that sign included, in hexadecimal.
///
/// Atlassian writes its tokens so.
pub(super) fn ends_in_hex_crc_after_equals(token: &str) -> bool {
    split_suffix(token, 8).is_some_and(|(content, sum)| {
        content.ends_with('=') && u32::from_str_radix(sum, 16) == Ok(crc32(content.as_bytes()))
    })
}

/// Returns whether a text in capitals, `PREFIX1…`, is a valid Bech32 string (BIP 173).
pub(super) fn is_bech32(text: &str) -> bool {
    const ALPHABET: &str = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
    const GENERATORS: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let feed = |sum: u32, value: u32| {
        let top = sum >> 25;
        let shifted = (sum & 0x01ff_ffff) << 5 ^ value;
        GENERATORS.iter().enumerate().filter(|(bit, _)| top >> bit & 1 == 1).fold(shifted, |sum, (_, term)| sum ^ term)
    };
    let Some((prefix, data)) = text.rsplit_once('1') else { return false };
    // The rules of the sum are stated over lower-case letters.
    let small = || prefix.bytes().map(|sign| u32::from(sign.to_ascii_lowercase()));
    let expanded = small().map(|sign| sign >> 5).chain([0]).chain(small().map(|sign| sign & 31));
    let sum = expanded.fold(1, feed);
    let mut values = data.chars().map(|sign| ALPHABET.find(sign).and_then(|value| u32::try_from(value).ok()));
    values.try_fold(sum, |sum, value| Some(feed(sum, value?))) == Some(1)
}
