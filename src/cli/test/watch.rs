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
const PAUSE: Duration = Duration::from_millis(500);

/// What tells one state of the files from another.
#[derive(PartialEq)]
pub(super) struct State(BTreeMap<PathBuf, Option<(SystemTime, u64)>>);

impl State {
    /// Returns the state of the YAML files at and below some paths.
    pub(super) fn of(paths: &[PathBuf]) -> Self {
        let below = paths.iter().flat_map(|path| files::ending(path, ".yaml").unwrap_or_default());
        Self(below.map(|path| (path.clone(), files::stamp(&path))).collect())
    }

    /// Waits until something is another than it was.
    pub(super) fn wait(self, paths: &[PathBuf]) {
        while Self::of(paths) == self {
            thread::sleep(PAUSE);
        }
    }
}
