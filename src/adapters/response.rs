//! What a host receives: bytes on two streams and an exit code.

use std::io;

use serde_json::Value;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

/// An answer, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Response {
    /// Exactly what stands on standard output.
    pub stdout: String,
    /// What stands on standard error.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
}

impl Response {
    /// No opinion.
    pub const fn silence() -> Self {
        Self { stdout: String::new(), stderr: String::new(), exit: 0 }
    }

    /// An answer in JSON, in ASCII: a host that decodes pipe chunks one by one would break a
    /// character that two of them share.
    pub fn json(value: &Value) -> Self {
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Ascii(CompactFormatter));
        let written = serde::Serialize::serialize(value, &mut serializer);
        // A tree of JSON values always serializes into memory; an empty answer would be no answer.
        debug_assert!(written.is_ok());
        Self { stdout: String::from_utf8(bytes).unwrap_or_default(), ..Self::silence() }
    }

    /// A refusal by exit code.
    pub fn exit(code: u8, reason: &str) -> Self {
        Self { stdout: String::new(), stderr: format!("{reason}\n"), exit: code }
    }

    /// Keeps a word on standard error from being taken for the answer.
    #[must_use]
    pub(super) fn for_reader(mut self, reads_stderr: bool) -> Self {
        if reads_stderr && self.stdout.is_empty() && self.exit == 0 {
            self.stderr.clear();
        }
        self
    }
}

/// JSON whose strings are ASCII.
struct Ascii(CompactFormatter);

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.is_ascii() {
            return writer.write_all(fragment.as_bytes());
        }
        let mut units = [0; 2];
        for character in fragment.chars() {
            if character.is_ascii() {
                writer.write_all(&[u8::try_from(character).unwrap_or(b'?')])?;
            } else {
                for unit in character.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + io::Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.0.write_char_escape(writer, escape)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Response;

    #[test]
    fn json_is_ascii_and_reads_back() {
        let value = json!({ "a": "ü \u{1F600} \" \n \u{7f}" });
        let text = Response::json(&value).stdout;
        assert!(text.is_ascii(), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
