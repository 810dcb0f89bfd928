//! Signs that a host has loaded its plugin: one file for each host, which says when it did so last.
//!
//! A host that cannot load a plugin runs without it and says nothing, so that a missing sign is all there is to see.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::io::files::{self, FileError};
use crate::io::platform::Platform;
use crate::io::trust::state_subdirectory;

/// The directory of the signs.
const DIRECTORY: &str = "heartbeats";

/// Records that a host has just loaded its plugin in a directory.
///
/// # Errors
/// Returns what could not be written.
pub fn record(platform: &Platform, host: &str, cwd: &str) -> Result<(), FileError> {
    path(platform, host).map_or(Ok(()), |path| files::write_private(&path, format!("{cwd}\n").as_bytes()))
}

/// Returns when a host loaded its plugin last.
pub fn last(platform: &Platform, host: &str) -> Option<SystemTime> {
    files::modified_and_size(&path(platform, host)?).map(|(time, _)| time)
}

fn path(platform: &Platform, host: &str) -> Option<PathBuf> {
    state_subdirectory(platform, DIRECTORY).map(|directory| directory.join(host))
}
