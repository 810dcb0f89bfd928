//! The names of objects.

use std::fmt;

use super::GitError;

/// The SHA-1 name of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Oid([u8; Oid::LENGTH]);

impl Oid {
    /// The number of bytes.
    pub const LENGTH: usize = 20;

    /// Wraps the bytes of a name.
    pub const fn new(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes)
    }

    /// Reads a name in hexadecimal digits; `None` if the text is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != Self::LENGTH * 2 {
            return None;
        }
        let mut bytes = [0; Self::LENGTH];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            for digit in pair {
                *byte = *byte << 4 | u8::try_from(char::from(*digit).to_digit(16)?).ok()?;
            }
        }
        Some(Self(bytes))
    }

    /// Reads a name at the beginning of some bytes.
    ///
    /// # Errors
    /// Returns that there are too few of them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GitError> {
        bytes.first_chunk().map(|bytes| Self(*bytes)).ok_or(GitError::Malformed("the name of an object"))
    }

    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }

    /// Returns whether it names no object.
    pub fn is_null(&self) -> bool {
        self.0 == [0; Self::LENGTH]
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Oid;

    #[test]
    fn names_are_read_and_written() {
        let text = "00ff10a4b5c6d7e8f90123456789abcdef012345";
        assert_eq!(Oid::parse(text).unwrap().to_string(), text);
        for text in ["", "00ff", "00ff10a4b5c6d7e8f90123456789abcdef01234g", "é0ff10a4b5c6d7e8f90123456789abcdef0123"]
        {
            assert_eq!(Oid::parse(text), None, "{text}");
        }
        assert!(Oid::from_bytes(&[1; 19]).is_err());
        assert!(Oid::from_bytes(&[0; 21]).unwrap().is_null());
    }
}
