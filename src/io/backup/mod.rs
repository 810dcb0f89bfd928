//! Copies of what calls would destroy, and how people get it back.
//!
//! A backup is a directory in the state directory, which the user alone can enter: `backup.json` says what it is about,
//! `manifest.json` names the paths, and `files` has their contents under numbers. It is made under another name and
//! renamed when it is complete, so that one that was interrupted is never listed.

mod collect;
mod compare;
mod error;
mod manifest;
mod prune;
mod read;
mod references;
mod restore;
mod take;

use std::path::{Path, PathBuf};

use crate::io::platform::Platform;

pub use compare::{Difference, Step, differences};
pub use error::BackupError;
pub use manifest::{Content, Entry, Header, Manifest};
pub use prune::{Pruned, prune};
pub use read::{Backup, backups};
pub use references::restore_references;
pub use restore::{Restored, restore};
pub use take::{LocalBackups, MeasuredBackups};

/// The file that says what a backup is about.
const HEADER_FILE: &str = "backup.json";

/// The file that names what is in a backup.
const MANIFEST_FILE: &str = "manifest.json";

/// The references that were made for a backup, for one that was interrupted.
const REFERENCES_FILE: &str = "references.json";

/// The directory of the contents.
const FILES_DIRECTORY: &str = "files";

/// How the name of a backup begins that is not complete, or that is being removed.
const PARTIAL_PREFIX: &str = ".partial-";

/// Returns the directory of all backups; `None` if the user has none for what the program writes.
pub fn directory(platform: &Platform) -> Option<PathBuf> {
    platform.state_dir().map(|state| platform.join(state, &["backups"]).into())
}

/// Returns the path of a content in the directory of a backup.
fn content_path(directory: &Path, number: u32) -> PathBuf {
    directory.join(FILES_DIRECTORY).join(number.to_string())
}
