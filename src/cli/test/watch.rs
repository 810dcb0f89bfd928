//! Running again whenever a file changes.
//!
//! Files are looked at twice a second rather than waited for: there are few of them, it works on
//! every file system and in every container, and editors that replace files confuse nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::io::files;

/// How often files are looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// What tells one state of the files from another.
#[derive(PartialEq)]
pub(super) struct FileSnapshot(BTreeMap<PathBuf, Option<(SystemTime, u64)>>);

impl FileSnapshot {
    /// Returns the state of the YAML files at and below some paths.
    pub(super) fn take(paths: &[PathBuf]) -> Self {
        let below = paths.iter().flat_map(|path| files::list_recursive(path, ".yaml").unwrap_or_default());
        Self(below.map(|path| (path.clone(), files::modified_and_size(&path))).collect())
    }

    /// Waits until something is another than it was.
    pub(super) fn wait_for_change(self, paths: &[PathBuf]) {
        while Self::take(paths) == self {
            thread::sleep(POLL_INTERVAL);
        }
    }
}
