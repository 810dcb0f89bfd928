//! What users have agreed to since the last session: lines that the next session reports and takes away.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::io::files::{self, FileAction, FileError};
use crate::io::platform::Platform;

/// The file of the lines.
const FILE: &str = "granted.txt";
/// Bytes of it that are read.
const MAX_BYTES: u64 = 64 << 10;
/// Lines that are reported; there are more only if a user agreed to many things.
const MAX_LINES: usize = 5;

/// Adds a line for the next session.
///
/// # Errors
/// Returns what could not be written.
pub fn announce(platform: &Platform, text: &str) -> Result<(), FileError> {
    let Some(path) = path(platform) else { return Ok(()) };
    let at = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
    let line = format!("{at} {}\n", text.replace(['\r', '\n'], " "));
    let failed = |error| FileError::on(FileAction::Write, &path)(error);
    path.parent().map_or(Ok(()), files::create_private_directory).map_err(failed)?;
    files::append_private(&path).and_then(|mut file| file.write_all(line.as_bytes())).map_err(failed)
}

/// Returns what was agreed to since this was last called, in one text. Of any number of sessions that begin at once,
/// one gets it.
pub fn take(platform: &Platform) -> Option<String> {
    let path = path(platform)?;
    let taken = path.with_extension(format!("{}.taken", std::process::id()));
    std::fs::rename(&path, &taken).ok()?;
    let bytes = files::read_private(&taken, MAX_BYTES).ok().flatten();
    // What is left of it is reported by nobody; the audit log has it.
    let _left = std::fs::remove_file(&taken);
    summary(&String::from_utf8(bytes?).ok()?)
}

fn summary(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines.get(lines.len().saturating_sub(MAX_LINES)..)?;
    let more = lines.len() - shown.len();
    let more = if more == 0 { String::new() } else { format!(" (and {more} more: see `ruleward log`)") };
    (!shown.is_empty()).then(|| format!("since the last session: {}{more}", shown.join("; ")))
}

fn path(platform: &Platform) -> Option<PathBuf> {
    platform.state_dir().map(|directory| Path::new(&directory).join(FILE))
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn the_youngest_lines_are_told() {
        assert_eq!(summary(""), None);
        assert_eq!(summary("a\nb\n").as_deref(), Some("since the last session: a; b"));
        let many = summary("1\n2\n3\n4\n5\n6\n7\n").unwrap();
        assert_eq!(many, "since the last session: 3; 4; 5; 6; 7 (and 2 more: see `ruleward log`)");
    }
}
