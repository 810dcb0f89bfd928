//! The versions of a file in the history of a repository.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::fresh_lines::FreshLines;
use super::scanner::{FileScanner, ScanFinding};
use crate::io::scan::history::{Commit, FileHistory};
use crate::io::scan::objects::ObjectReader;
use crate::io::scan::text::{FileContent, decode_text};

/// What all threads share.
#[derive(Debug, Default)]
pub(super) struct SharedHistory {
    /// Where git is run.
    pub root: String,
    /// The commits that versions refer to.
    pub commits: Vec<Arc<Commit>>,
    /// Objects in which no detector finds anything. A copy under another path has nothing either.
    clean: Mutex<HashSet<String>>,
}

impl SharedHistory {
    /// Creates it for a repository.
    pub(super) fn new(root: String, commits: Vec<Commit>) -> Self {
        Self { root, commits: commits.into_iter().map(Arc::new).collect(), clean: Mutex::default() }
    }

    fn is_clean(&self, object: &str) -> bool {
        self.clean.lock().is_ok_and(|clean| clean.contains(object))
    }

    fn add_clean(&self, object: &str) {
        if let Ok(mut clean) = self.clean.lock() {
            clean.insert(object.to_owned());
        }
    }
}

/// What came of the versions of a file.
#[derive(Debug, Default)]
pub(super) struct ScannedVersions {
    pub findings: Vec<ScanFinding>,
    pub scanned: usize,
    pub binary: usize,
    /// The size of the largest version that is larger than allowed.
    pub too_large: Option<u64>,
    pub errors: Vec<String>,
}

/// Scans the versions of a file, the oldest first. A value is reported once, with the commit that brought it.
pub(super) fn scan_versions(
    file: &FileHistory,
    path: &str,
    shared: &SharedHistory,
    reader: &mut ObjectReader,
    scanner: &FileScanner<'_>,
    (max_size, done): (u64, &AtomicUsize),
) -> ScannedVersions {
    let mut outcome = ScannedVersions::default();
    if let [only] = file.versions.as_slice()
        && shared.is_clean(&only.object)
    {
        outcome.scanned = 1;
        done.fetch_add(1, Ordering::Relaxed);
        return outcome;
    }
    let mut lines = FreshLines::default();
    let mut reported = HashSet::new();
    // Whether no detector found anything in any version so far.
    let mut is_clean = true;
    let names: Vec<&str> = file.versions.iter().map(|version| version.object.as_str()).collect();
    let mut versions = file.versions.iter();
    let read = reader.read_each(&names, max_size, |content| {
        done.fetch_add(1, Ordering::Relaxed);
        let Some(version) = versions.next() else { return };
        let text = match content {
            Ok(Ok(bytes)) => match decode_text(bytes, max_size) {
                FileContent::Text(text) => text,
                FileContent::Binary => return outcome.binary += 1,
                FileContent::TooLarge(size) => return outcome.too_large = outcome.too_large.max(Some(size)),
            },
            Ok(Err(size)) => return outcome.too_large = outcome.too_large.max(Some(size)),
            Err(error) => return outcome.errors.push(error.to_string()),
        };
        outcome.scanned += 1;
        let fresh = lines.keep_fresh(&text);
        if shared.is_clean(&version.object) {
            return;
        }
        if let Some(fresh) = fresh {
            let detected = scanner.detect(&fresh);
            is_clean = is_clean && detected.is_empty();
            for mut finding in scanner.report(&detected, &fresh, path, None) {
                if reported.insert((finding.detector.clone(), finding.fingerprint.clone())) {
                    finding.commit = shared.commits.get(version.commit).cloned();
                    outcome.findings.push(finding);
                }
            }
        }
        if is_clean {
            shared.add_clean(&version.object);
        }
    });
    outcome.errors.extend(read.err().map(|error| error.to_string()));
    outcome
}
