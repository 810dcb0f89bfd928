//! What a host receives: bytes on two streams and an exit code.

use std::io;

use serde_json::Value;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

/// An answer, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Response {
    /// The exact standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
    /// The exit code.
    pub exit_code: u8,
}

impl Response {
    /// Returns an answer without an opinion.
    pub const fn empty() -> Self {
        Self { stdout: String::new(), stderr: String::new(), exit_code: 0 }
    }

    /// Returns an answer in JSON, in ASCII: a host that decodes pipe chunks one by one would break a
    /// character that is split between two of them.
    pub fn json(value: &Value) -> Self {
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, AsciiFormatter(CompactFormatter));
        let written = serde::Serialize::serialize(value, &mut serializer);
        // A tree of JSON values always serializes; an empty answer would count as no answer.
        debug_assert!(written.is_ok());
        Self { stdout: String::from_utf8(bytes).unwrap_or_default(), ..Self::empty() }
    }

    /// Returns a refusal by exit code.
    pub fn from_exit_code(code: u8, reason: &str) -> Self {
        Self { stdout: String::new(), stderr: format!("{reason}\n"), exit_code: code }
    }

    /// Prevents text on standard error from being read as the answer.
    #[must_use]
    pub(in crate::adapters) fn for_stderr_reader(mut self, reads_stderr: bool) -> Self {
        if reads_stderr && self.stdout.is_empty() && self.exit_code == 0 {
            self.stderr.clear();
        }
        self
    }
}

/// Formats JSON with ASCII-only strings.
struct AsciiFormatter(CompactFormatter);

impl Formatter for AsciiFormatter {
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
