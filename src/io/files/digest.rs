//! Hashes of contents, as text.

use sha2::{Digest, Sha256};

use crate::domain::text::encoding::encode_hex;

/// Returns the SHA-256 of bytes: 64 hexadecimal digits in lower case.
pub fn sha256(bytes: &[u8]) -> String {
    encode_hex(&Sha256::digest(bytes))
}
