//! The checks that entries name: a table of what must hold for a value beyond its shape.
//!
//! A proof shows that a value was issued: a valid checksum, or an inner structure that decodes. A filter rejects
//! values that only have the shape. Both see only the value.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{base64, checksum, placeholder};

macro_rules! checks {
    ($($(#[doc = $about:literal])+ $check:ident, $kind:ident, $holds:expr;)*) => {
        /// A condition on a value in addition to its format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
        #[cfg_attr(test, derive(JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum Check {
            $($(#[doc = $about])+ $check,)*
        }

        impl Check {
            /// Every check.
            pub const ALL: &[Self] = &[$(Self::$check,)*];

            /// Returns whether the value passes.
            pub fn holds(self, value: &str) -> bool {
                let holds: fn(&str) -> bool = match self { $(Self::$check => $holds,)* };
                holds(value)
            }

            /// Returns what a pass means.
            pub const fn kind(self) -> CheckKind {
                match self { $(Self::$check => CheckKind::$kind,)* }
            }
        }
    };
}

/// What it means that a check holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckKind {
    /// The value was issued: the finding is proved. One that fails is what the entry's `lookalike` says.
    Proof,
    /// The value may be one. What fails is none.
    Filter,
}

checks! {
    /// The last six signs are the CRC-32 of those behind the last `_`, in base 62 with digits, capitals, small letters.
    Crc32Base62, Proof, |value| checksum::ends_in_base62_crc(value.rsplit('_').next().unwrap_or_default());
    /// The part after the last `_` is the CRC-32 of everything before it, in hexadecimal, lowest
    /// byte first.
    Crc32Hex, Proof, checksum::ends_in_hex_crc;
    /// The last six signs are the CRC-32 of all before them, the prefix included, in base 62 with digits, small letters,
    /// capitals.
    Crc32Base62Lower, Proof, checksum::ends_in_lowercase_first_base62_crc;
    /// The six characters after the last `_` are the CRC-32 of everything before it, in base 62
    /// with digits, uppercase and lowercase letters.
    Crc32Base62All, Proof, checksum::ends_in_base62_crc_of_all;
    /// The last eight characters are the CRC-32 of the part after the first `_`, in hexadecimal; an
    /// `_` before them is ignored.
    Crc32HexBody, Proof, checksum::ends_in_hex_crc_of_body;
    /// The part after the last `=` is the CRC-32 of everything before it, including that character,
    /// in uppercase hexadecimal.
    Crc32Equals, Proof, checksum::ends_in_hex_crc_after_equals;
    /// `payload.version.sum`: two signs that give the length of the payload, then seven that are the CRC-32 of all
    /// before, both in base 36.
    Crc32Base36, Proof, checksum::ends_in_base36_crc;
    /// Bech32 (BIP 173).
    Bech32, Proof, |value| checksum::is_bech32(&value.to_ascii_uppercase());
    /// A JSON web token: the header is JSON with an algorithm, the claims are JSON, and it is not the one of every
    /// tutorial. What stands before the first `eyJ` is left aside.
    Jwt, Proof, is_jwt;
    /// A JSON web token that bears the role which stands above all rules of access to a table.
    JwtServiceRole, Proof, |value| is_jwt(value) && claims_contain(value, "\"role\":\"service_role\"");
    /// A JSON web token for an account of a service in Kubernetes.
    JwtKubernetes, Proof, |value| is_jwt(value) && claims_contain(value, "kubernetes");
    /// A macaroon of version 2 with the package index's name, behind a prefix that ends in `-`.
    Macaroon, Proof, is_macaroon;
    /// The part behind the first `_` is a JSON object in base64.
    Base64Json, Proof, |value| {
        value.split('_').nth(1).is_some_and(|part| base64::is_json_object_with_keys(part, &[]))
    };
    /// From the first `eyJ` on to the next `.` there is a JSON object in base64.
    EncodedJson, Proof, |value| {
        let part = value.find("eyJ").and_then(|at| value.get(at..)?.split('.').next());
        part.is_some_and(|part| base64::is_json_object_with_keys(part, &[]))
    };
    /// The part before the first `.` is a number of 17 to 20 digits in base64.
    Snowflake, Proof, is_snowflake_id;
    /// Capitals, small letters and digits.
    Mixed, Filter, placeholder::has_mixed_classes;
    /// What follows the prefix up to the first `-` is not made of words.
    Issued, Filter, |value| {
        let body = value.split_once('-').map_or(value, |(_, body)| body);
        !body.split(['-', '_']).all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()))
    };
    /// Letters and digits alternate as only a random source makes them.
    Random, Filter, placeholder::looks_random;
}

fn is_jwt(value: &str) -> bool {
    // `"sub":"1234567890"`, as on the page where users try out tokens, and `{"some":"payload"}` of a library's guide.
    if value.contains("eyJzdWIiOiIxMjM0NTY3ODkwIi") || value.contains(".eyJzb21lIjoicGF5bG9hZCJ9.") {
        return false;
    }
    let token = value.find("eyJ").and_then(|at| value.get(at..)).unwrap_or_default();
    let mut parts = token.split('.');
    let (header, claims) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    base64::is_json_object_with_keys(header, &["alg"]) && base64::is_json_object_with_keys(claims, &[])
}

fn claims_contain(token: &str, words: &str) -> bool {
    let claims = token.split('.').nth(1).and_then(base64::decode).and_then(|bytes| String::from_utf8(bytes).ok());
    claims.is_some_and(|claims| claims.contains(words))
}

fn is_macaroon(value: &str) -> bool {
    // Version 2, field 1 (location) of eight bytes, then field 2 (identifier).
    let head = b"\x02\x01\x08pypi.org\x02";
    let macaroon = value.split_once('-').and_then(|(_, body)| base64::decode(body));
    macaroon.is_some_and(|bytes| bytes.starts_with(head))
}

fn is_snowflake_id(value: &str) -> bool {
    let number = value.split('.').next().and_then(base64::decode).unwrap_or_default();
    (17..=20).contains(&number.len()) && number.iter().all(u8::is_ascii_digit)
}
