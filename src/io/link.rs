//! Where a path really leads.

use std::fs;
use std::path::Path;

/// Returns where an absolute path leads when a link stands in between, also for a file that is not
/// there yet: then its nearest directory that is there is followed.
pub fn follow(path: &str) -> Option<String> {
    let mut existing = Path::new(path);
    let mut missing = Vec::new();
    let real = loop {
        if let Ok(real) = fs::canonicalize(existing) {
            break real;
        }
        missing.push(existing.file_name()?);
        existing = existing.parent()?;
    };
    let full = missing.into_iter().rev().fold(real, |path, part| path.join(part));
    let real = full.to_str()?.trim_start_matches(r"\\?\").replace('\\', "/");
    (real != path).then_some(real)
}
