//! Hashes of contents, as text.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of bytes: 64 hexadecimal digits in lower case.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing into a text cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}
