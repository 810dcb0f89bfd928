//! Files of lines, and standard input, in blocks of whole lines: for whoever reads millions of them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{FileAction, FileError};

/// Bytes that a block has about.
const BLOCK_SIZE: usize = 1 << 20;
/// Bytes that one line may have.
const MAX_LINE_BYTES: usize = 128 << 20;

/// Whole lines of one file.
#[derive(Debug)]
pub struct LineBlock {
    /// The position of the file among those that are read.
    pub file: usize,
    /// The number of its first line, counted from 1.
    pub line: usize,
    /// The lines.
    pub bytes: Vec<u8>,
}

/// Reads files in order, `-` as standard input, and hands over their lines until `take` says that it
/// is enough.
///
/// # Errors
/// Returns what could not be read: also a line of more than 128 MiB.
pub fn read_blocks(paths: &[PathBuf], mut take: impl FnMut(LineBlock) -> bool) -> Result<(), FileError> {
    for (file, path) in paths.iter().enumerate() {
        let failed = FileError::on(FileAction::Read, path);
        let mut reader: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(File::open(path).map_err(failed)?)
        };
        let mut rest: Vec<u8> = Vec::new();
        let mut line = 1;
        loop {
            let before = rest.len();
            let limit = u64::try_from(BLOCK_SIZE).unwrap_or(u64::MAX);
            let is_end = reader.by_ref().take(limit).read_to_end(&mut rest).map_err(failed)? == 0;
            let ended = rest.iter().skip(before).rposition(|byte| *byte == b'\n').map(|at| before + at + 1);
            let cut = if is_end { Some(rest.len()) } else { ended };
            if let Some(cut) = cut.filter(|cut| *cut > 0) {
                let next = rest.split_off(cut);
                let bytes = std::mem::replace(&mut rest, next);
                let lines = bytes.split(|byte| *byte == b'\n').count().saturating_sub(1);
                if !take(LineBlock { file, line, bytes }) {
                    return Ok(());
                }
                line += lines;
            }
            if is_end {
                break;
            }
            if rest.len() > MAX_LINE_BYTES {
                return Err(FileError::LongLine { path: path.clone(), line, limit: MAX_LINE_BYTES >> 20 });
            }
        }
    }
    Ok(())
}

/// Returns how many bytes files have together; `None` when one of them is no ordinary file.
pub fn total_size(paths: &[PathBuf]) -> Option<u64> {
    let one = |path: &PathBuf| path.metadata().ok().filter(std::fs::Metadata::is_file).map(|it| it.len());
    paths.iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_SIZE, LineBlock, read_blocks, total_size};

    #[test]
    fn every_line_comes_once_and_whole() {
        let path = std::env::temp_dir().join(format!("ruleward-lines-{}", std::process::id()));
        let long = "x".repeat(BLOCK_SIZE + 7);
        let text = format!("a\n\n{long}\n{}last", "line\n".repeat(BLOCK_SIZE / 4));
        std::fs::write(&path, &text).unwrap();
        let paths = [path.clone(), path.clone()];
        let mut read = String::new();
        let mut seen: Vec<(usize, usize)> = Vec::new();
        read_blocks(&paths, |LineBlock { file, line, bytes }| {
            read.push_str(std::str::from_utf8(&bytes).unwrap());
            seen.push((file, line));
            true
        })
        .unwrap();
        assert_eq!(read, format!("{text}{text}"));
        assert!(seen.contains(&(0, 1)) && seen.contains(&(1, 1)) && seen.len() > 4, "{seen:?}");
        let (_, last) = seen.last().unwrap();
        assert!(*last > 4 && *last <= text.lines().count(), "{last}");
        assert_eq!(total_size(&paths), Some(2 * text.len() as u64));
        let mut taken = 0;
        read_blocks(&paths, |_| {
            taken += 1;
            false
        })
        .unwrap();
        assert_eq!(taken, 1);
        std::fs::remove_file(&path).unwrap();
        assert!(read_blocks(&paths, |_| true).is_err());
    }
}
