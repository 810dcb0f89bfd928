//! Finds transcripts: those that hosts keep on this machine, or those in files and directories that are named.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::adapters::{TRANSCRIPT_FORMATS, TranscriptDirectory, TranscriptFormat};
use crate::cli::CommandError;
use crate::io::files::{list_recursive, modified_and_size};
use crate::io::platform::Platform;

/// Bytes that tell the format of a file.
const HEAD_BYTES: u64 = 64 << 10;
/// The endings of transcripts.
const ENDINGS: [&str; 2] = [".jsonl", ".json"];

/// A transcript that will be read.
pub(super) struct TranscriptFile {
    pub path: PathBuf,
    pub format: &'static TranscriptFormat,
    pub bytes: u64,
    modified: SystemTime,
}

/// Returns whether a path that was named is a transcript or a directory, and no file of records.
pub(in crate::cli::replay) fn is_transcript(path: &Path) -> bool {
    path.is_dir() || path.is_file() && recognize(path).is_some()
}

/// Returns transcripts that were written since a time, the oldest first.
///
/// # Errors
/// Returns that there are none, or that a path that was named cannot be read.
pub(super) fn find_transcripts(
    paths: &[PathBuf],
    only: Option<&'static TranscriptFormat>,
    since: Option<SystemTime>,
) -> Result<Vec<TranscriptFile>, CommandError> {
    let is_wanted = |format: &TranscriptFormat| only.is_none_or(|only| only.name == format.name);
    let mut files = Vec::new();
    let mut add = |path: PathBuf, format: &'static TranscriptFormat| {
        let Some((modified, bytes)) = modified_and_size(&path) else { return };
        if is_wanted(format) && since.is_none_or(|since| modified >= since) {
            files.push(TranscriptFile { path, format, bytes, modified });
        }
    };
    if paths.is_empty() {
        let platform = Platform::current();
        for format in TRANSCRIPT_FORMATS.iter().filter(|format| is_wanted(format)) {
            for directory in format.directories.iter().filter_map(|directory| location(&platform, directory)) {
                let found = list(Path::new(&directory));
                let is_one = |path: &PathBuf| (format.is_transcript)(&relative_path(path, Path::new(&directory)));
                found.into_iter().filter(is_one).for_each(|path| add(path, format));
            }
        }
    }
    for path in paths {
        if path.is_dir() {
            for path in list(path) {
                if let Some(format) = recognize(&path) {
                    add(path, format);
                }
            }
        } else {
            let format = recognize(path).ok_or_else(|| format!("{}: not a transcript", path.display()))?;
            add(path.clone(), format);
        }
    }
    files.sort_by(|one, other| (one.modified, &one.path).cmp(&(other.modified, &other.path)));
    files.dedup_by(|one, other| one.path == other.path);
    Ok(files)
}

/// Returns a directory of transcripts on this machine.
fn location(platform: &Platform, directory: &TranscriptDirectory) -> Option<String> {
    let (variable, below) = directory.moved;
    match platform.env_dir(variable) {
        Some(moved) => Some(platform.join(moved, below)),
        None => Some(platform.join(platform.home.as_deref()?, directory.in_home)),
    }
}

/// Returns the files of a tree that may be transcripts; those that cannot be listed are left out.
fn list(directory: &Path) -> Vec<PathBuf> {
    ENDINGS.iter().flat_map(|ending| list_recursive(directory, ending).unwrap_or_default()).collect()
}

fn relative_path(path: &Path, directory: &Path) -> String {
    let parts = path.strip_prefix(directory).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Returns the format of a file, by what it begins with.
fn recognize(path: &Path) -> Option<&'static TranscriptFormat> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    // Records of the audit log and payloads have the words of transcripts in them.
    if head.contains("\"ruleward.payload\"") || head.contains("\"hook_event_name\"") {
        return None;
    }
    let without_spaces = head.replace("\": \"", "\":\"");
    TRANSCRIPT_FORMATS.iter().copied().find(|format| (format.recognizes)(&without_spaces))
}
