//! Files as text, whatever is in them.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::io::files::{FileAction, FileError};

/// Bytes at the beginning by which a file is taken for text or not.
const SNIFF_BYTES: usize = 8 << 10;

/// What was found where a text was wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// Text. Bytes that are no characters stand as U+FFFD, and lines are where they were.
    Text(String),
    /// Something that is no text.
    Binary,
    /// More than was allowed: the size in bytes.
    TooLarge(u64),
}

/// Reads a file of at most so many bytes.
///
/// # Errors
/// Returns why it cannot be read.
pub fn read_text(path: &Path, most: u64) -> Result<FileContent, FileError> {
    let failed = FileError::on(FileAction::Read, path);
    let metadata = path.metadata().map_err(failed)?;
    // Reading anything but a regular file might block or never end.
    if !metadata.is_file() {
        return Err(FileError::NotRegular(path.to_owned()));
    }
    if metadata.len() > most {
        return Ok(FileContent::TooLarge(metadata.len()));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(decode_text(bytes, most))
}

/// Reads bytes as text: UTF-8, or UTF-16 where a mark at the beginning says so.
pub fn decode_text(bytes: Vec<u8>, most: u64) -> FileContent {
    if bytes.len() as u64 > most {
        return FileContent::TooLarge(bytes.len() as u64);
    }
    let wide = |read: fn([u8; 2]) -> u16| {
        let units = bytes.get(2..).unwrap_or_default().as_chunks::<2>().0.iter().map(|two| read(*two));
        char::decode_utf16(units).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => FileContent::Text(wide(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => FileContent::Text(wide(u16::from_be_bytes)),
        _ if bytes.get(..SNIFF_BYTES).unwrap_or(&bytes).contains(&0) => FileContent::Binary,
        _ => FileContent::Text(
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{FileContent, decode_text};

    #[test]
    fn what_is_text_is_read() {
        for (bytes, expected) in [
            (&b"a\xffb\nc"[..], FileContent::Text("a\u{fffd}b\nc".into())),
            (b"\xff\xfea\0b\0", FileContent::Text("ab".into())),
            (b"\xfe\xff\0a\0b", FileContent::Text("ab".into())),
            (b"PK\x03\x04\0\0", FileContent::Binary),
            (b"", FileContent::Text(String::new())),
            (b"123456789", FileContent::TooLarge(9)),
        ] {
            assert_eq!(decode_text(bytes.to_vec(), 8), expected);
        }
    }
}
