//! The file of records: one line each, chained by hashes, safe under hooks that run at once.
//!
//! A line ends in the SHA-256 of itself, which holds the hash of the line before. Whoever changes,
//! takes out or moves a line breaks the chain at that place; who cuts off the end changes the last
//! hash, which `verify` prints so that it can be kept elsewhere.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use super::mirror;
use crate::io::files::{self, FileAction, FileError, digest};

/// Bytes after which a new file is started.
const MAX_BYTES: u64 = 16 << 20;
/// Older files that are kept.
pub(super) const MAX_FILES: usize = 8;
/// How long a hook waits for others that write.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// What is before the hash at the end of a line.
const HASH_FIELD: &str = ",\"ruleward.chain.hash\":\"";
/// The key of the hash of the line before.
const PREVIOUS_HASH_KEY: &str = "ruleward.chain.previous";
/// What the first line of all has in the place of the hash before it.
const GENESIS_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Appends a record to a file, and to its copy where there is a place for one.
///
/// # Errors
/// Returns what could not be written.
pub(super) fn append(path: &Path, copy: Option<&Path>, mut record: Map<String, Value>) -> Result<(), FileError> {
    let failed = FileError::on(FileAction::Write, path);
    // A pipe or a device there could keep the hook waiting.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(FileError::NotRegular(path.to_owned()));
    }
    if let Some(directory) = path.parent() {
        files::create_private_directory(directory).map_err(failed)?;
    }
    let _held = files::lock(&path.with_extension("lock"), LOCK_TIMEOUT)?;
    let mut file = files::append_private(path).map_err(failed)?;
    let end = read_tail(path).map_err(failed)?;
    record.insert(PREVIOUS_HASH_KEY.to_owned(), Value::String(end.hash.clone()));
    let mut line = hashed_line(&record);
    let mut before = file.metadata().map_err(failed)?.len();
    if before + line.len() as u64 > MAX_BYTES && !end.is_empty {
        rotate(path).map_err(failed)?;
        file = files::append_private(path).map_err(failed)?;
        before = 0;
        // Where this fails, the copy differs from the log, which is reported.
        let _begun_anew = copy.map(fs::remove_file);
    } else if end.is_truncated {
        // A writer was ended in the middle of its line; it stays for people to see.
        line.insert(0, '\n');
    }
    file.write_all(line.as_bytes()).map_err(failed)?;
    // The record is there; a copy that falls behind is completed with the next one.
    let _copied = copy.map(|copy| mirror::extend(copy, path, before, &line));
    Ok(())
}

/// How a file of records ends.
struct ChainTail {
    hash: String,
    is_empty: bool,
    is_truncated: bool,
}

/// Checks the end of the records; of the file before, when the present one has none.
fn read_tail(path: &Path) -> std::io::Result<ChainTail> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    if size == 0 {
        let older = rotated_path(path, 1);
        let hash = if older.is_file() { read_tail(&older)?.hash } else { GENESIS_HASH.to_owned() };
        return Ok(ChainTail { hash, is_empty: true, is_truncated: false });
    }
    // The seal is the end of a line, so that little of a file of any size is read.
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(size.saturating_sub(1024)))?;
    file.read_to_end(&mut tail)?;
    let text = String::from_utf8_lossy(&tail);
    let is_cut = !text.ends_with('\n');
    let seal = text.rfind(HASH_FIELD).and_then(|at| text.get(at + HASH_FIELD.len()..)?.get(..64));
    Ok(ChainTail { hash: seal.unwrap_or(GENESIS_HASH).to_owned(), is_empty: false, is_truncated: is_cut })
}

/// Returns the path of an older file, 1 for the youngest of them.
pub(super) fn rotated_path(path: &Path, age: usize) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{age}"));
    path.with_file_name(name)
}

fn rotate(path: &Path) -> std::io::Result<()> {
    for age in (1..MAX_FILES).rev() {
        let from = rotated_path(path, age);
        if from.is_file() {
            fs::rename(from, rotated_path(path, age + 1))?;
        }
    }
    fs::rename(path, rotated_path(path, 1))
}

fn hashed_line(record: &Map<String, Value>) -> String {
    let text = Value::Object(record.clone()).to_string();
    let body = text.strip_suffix('}').unwrap_or(&text);
    let hash = digest::sha256(body.as_bytes());
    format!("{body}{HASH_FIELD}{hash}\"}}\n")
}

/// What a look at the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainReport {
    /// How many records there are.
    pub records: usize,
    /// The hash of the last record.
    pub last_hash: String,
    /// Whether the oldest record is the first that was ever written.
    pub is_complete: bool,
    /// Where the chain is broken.
    pub breaks: Vec<ChainBreak>,
}

/// A place where the chain is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainBreak {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: &'static str,
}

/// Follows the chain through files, the oldest first.
///
/// # Errors
/// Returns which file could not be read.
pub fn verify(files: &[PathBuf]) -> Result<ChainReport, FileError> {
    let mut found =
        ChainReport { records: 0, last_hash: GENESIS_HASH.to_owned(), is_complete: true, breaks: Vec::new() };
    for file in files {
        let bytes = fs::read(file).map_err(FileError::on(FileAction::Read, file))?;
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = String::from_utf8_lossy(line);
            if !line.is_empty() {
                verify_line(&line, file, number + 1, &mut found);
            }
        }
    }
    Ok(found)
}

fn verify_line(line: &str, file: &Path, number: usize, found: &mut ChainReport) {
    let mut broken = |what| found.breaks.push(ChainBreak { file: file.to_owned(), line: number, message: what });
    let Some((body, seal)) = line.rsplit_once(HASH_FIELD) else {
        broken("it is not a complete record");
        return;
    };
    let is_first = found.records == 0;
    found.records += 1;
    let claimed = seal.strip_suffix("\"}").unwrap_or_default();
    if claimed != digest::sha256(body.as_bytes()) {
        broken("it was changed after it was written");
    }
    let whole: Option<Value> = serde_json::from_str(&format!("{body}}}")).ok();
    let previous =
        whole.as_ref().and_then(|record| record.get(PREVIOUS_HASH_KEY)).and_then(Value::as_str).unwrap_or_default();
    if is_first {
        found.is_complete = previous == GENESIS_HASH;
    } else if previous != found.last_hash {
        broken("the record before it was changed, moved or removed");
    }
    claimed.clone_into(&mut found.last_hash);
}
