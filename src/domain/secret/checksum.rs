//! The checksums that vendors build into their tokens.
//!
//! They were meant for scanners: a token whose sum holds was issued, short of one chance in four thousand million.

/// CRC-32 as in ZIP and Ethernet.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    // A table would be built or loaded for the forty bytes of one token; the bitwise form needs none.
    let feed = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    };
    !bytes.iter().fold(!0, feed)
}

/// Whether the last six signs are the sum of those before, in base 62 with digits, capitals and small letters.
///
/// GitHub and npm write their tokens so; `body` is what follows the prefix.
pub(super) fn ends_in_base62_crc(body: &str) -> bool {
    let Some((content, sum)) = body.len().checked_sub(6).and_then(|at| body.split_at_checked(at)) else { return false };
    let digit = |sign: u8| match sign {
        b'0'..=b'9' => Some(sign - b'0'),
        b'A'..=b'Z' => Some(sign - b'A' + 10),
        b'a'..=b'z' => Some(sign - b'a' + 36),
        _ => None,
    };
    let value = sum.bytes().try_fold(0_u64, |value, sign| Some(value * 62 + u64::from(digit(sign)?)));
    value == Some(u64::from(crc32(content.as_bytes())))
}

/// Whether the part behind the last underscore is the sum of all before it, in hexadecimal, lowest byte first.
///
/// Grafana writes its service account tokens so.
pub(super) fn ends_in_hex_crc(token: &str) -> bool {
    token.rsplit_once('_').is_some_and(|(content, sum)| {
        u32::from_str_radix(sum, 16).is_ok_and(|value| value.swap_bytes() == crc32(content.as_bytes()))
    })
}

/// Whether a text in capitals, `PREFIX1…`, is a valid Bech32 string (BIP 173).
pub(super) fn is_bech32(text: &str) -> bool {
    const ALPHABET: &str = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
    const GENERATORS: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let feed = |sum: u32, value: u32| {
        let top = sum >> 25;
        let shifted = (sum & 0x01ff_ffff) << 5 ^ value;
        GENERATORS.iter().enumerate().filter(|(bit, _)| top >> bit & 1 == 1).fold(shifted, |sum, (_, term)| sum ^ term)
    };
    let Some((prefix, data)) = text.rsplit_once('1') else { return false };
    // The rules of the sum are stated over small letters.
    let small = || prefix.bytes().map(|sign| u32::from(sign.to_ascii_lowercase()));
    let expanded = small().map(|sign| sign >> 5).chain([0]).chain(small().map(|sign| sign & 31));
    let sum = expanded.fold(1, feed);
    let mut values = data.chars().map(|sign| ALPHABET.find(sign).and_then(|value| u32::try_from(value).ok()));
    values.try_fold(sum, |sum, value| Some(feed(sum, value?))) == Some(1)
}
