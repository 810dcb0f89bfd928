//! Files that a host goes on writing, read from where the last reading ended.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Bytes that are read at once at most; the rest is for the next time.
const MAX_BYTES: u64 = 32 << 20;

/// Returns the whole lines of a file behind an offset, and the offset behind them; nothing when there
/// is nothing new, or no such file. The file may be half written: it is never an error.
pub fn read_new_lines(path: &str, offset: u64) -> Option<(String, u64)> {
    // Reading anything but a regular file might block or never end.
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    if metadata.len() <= offset {
        return None;
    }
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let length = bytes.iter().rposition(|byte| *byte == b'\n')? + 1;
    bytes.truncate(length);
    let read = u64::try_from(length).ok()?;
    Some((String::from_utf8_lossy(&bytes).into_owned(), offset.saturating_add(read)))
}

#[cfg(test)]
mod tests {
    use super::read_new_lines;

    #[test]
    fn only_whole_lines_are_read_and_each_once() {
        let path = std::env::temp_dir().join(format!("ruleward-transcript-{}", std::process::id()));
        let text = path.to_str().unwrap();
        assert_eq!(read_new_lines(text, 0), None);
        std::fs::write(&path, "a\nb\nc").unwrap();
        assert_eq!(read_new_lines(text, 0), Some(("a\nb\n".into(), 4)));
        assert_eq!(read_new_lines(text, 4), None);
        std::fs::write(&path, "a\nb\nc\n").unwrap();
        assert_eq!(read_new_lines(text, 4), Some(("c\n".into(), 6)));
        std::fs::write(&path, "").unwrap();
        assert_eq!(read_new_lines(text, 6), None);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read_new_lines(std::env::temp_dir().to_str().unwrap(), 0), None);
    }
}
