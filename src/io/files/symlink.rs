//! Where a path really leads.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::io::platform::file::PATHS_ARE_EXACT;

/// Returns where an absolute path leads when a link is in between, also for a file that is not
/// there yet: then its nearest directory that is there is followed.
pub fn resolve(path: &str) -> Option<String> {
    if PATHS_ARE_EXACT && is_link_free(Path::new(path)) {
        return None;
    }
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

/// Returns whether no part of a normalised path is a link, as far as there are such files. To ask for
/// each part once costs a third of following the path and then each of its directories.
fn is_link_free(path: &Path) -> bool {
    let mut parts: Vec<&Path> = path.ancestors().collect();
    parts.pop();
    for part in parts.into_iter().rev() {
        match fs::read_link(part) {
            Err(error) if error.kind() == ErrorKind::InvalidInput => {}
            Err(error) => return error.kind() == ErrorKind::NotFound,
            Ok(_) => return false,
        }
    }
    true
}
