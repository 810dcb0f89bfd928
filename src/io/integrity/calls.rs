//! Which calls are running: one empty file for each, made before the call and moved away after it.
//!
//! A change while one of them is there may be the call's; a change while there is none is not. A call
//! that was refused by somebody else never ends; its file goes with the turn, or counts no more after
//! a while.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::SectionKeys;
use super::entry::key_of;
use crate::domain::integrity::CallId;
use crate::domain::text::encoding::encode_hex;
use crate::io::files;
use crate::io::platform::file::{file_identity, modified_nanoseconds};

/// The directory of the files.
const CALLS: &str = "calls";
/// The file of the call that ended last: its content was last changed when the call began, the file
/// itself when it ended.
const ENDED: &str = "ended";
/// How long a call counts as running whose end is not reported.
const MAX_CALL: Duration = Duration::from_mins(15);
/// How long after the end of a call a change counts as the call's: it may have left a process behind.
const GRACE_NANOSECONDS: i64 = 2_000_000_000;
/// By how much the times that the system gives to files may differ.
const SLACK_NANOSECONDS: i64 = 20_000_000;

/// A running call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunningCall {
    name: String,
    began: i64,
}

fn number_text(number: u64) -> String {
    encode_hex(&number.to_be_bytes())
}

/// What stands for the id of a call that has none.
const NO_ID: &str = "----------------";

/// Returns the beginning of a call's name.
fn call_prefix(call: CallId<'_>) -> String {
    let id = call.call.map_or_else(|| NO_ID.to_owned(), |id| number_text(key_of([id])));
    number_text(key_of([call.session])) + &id
}

fn call_name(keys: &SectionKeys, call: CallId<'_>) -> String {
    let sections = [keys.host, keys.project.unwrap_or_default()];
    call_prefix(call) + &encode_hex(&sections.map(u64::to_be_bytes).concat())
}

/// Notes that a call begins. Without the note, a change is taken for a person's as long as no end is reported.
pub(super) fn begin(directory: &Path, keys: &SectionKeys, call: CallId<'_>) {
    let path = directory.join(CALLS).join(call_name(keys, call));
    if fs::File::create(&path).is_err() {
        let _made = files::create_private_directory(&directory.join(CALLS)).and_then(|()| fs::File::create(&path));
    }
}

/// Notes that a call has ended.
pub(super) fn end(directory: &Path, keys: &SectionKeys, call: CallId<'_>) {
    let ended = directory.join(ENDED);
    if fs::rename(directory.join(CALLS).join(call_name(keys, call)), &ended).is_err() {
        // Its beginning was not noted; that it has ended now is.
        let _noted = fs::File::create(ended);
    }
}

/// Notes that all calls of a session have ended.
pub(super) fn end_session(directory: &Path, session: &str) {
    let start = number_text(key_of([session]));
    for path in call_files(directory) {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&start)) {
            let _gone = fs::remove_file(path);
        }
    }
}

fn call_files(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory.join(CALLS)).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Returns the calls that are running. Those of which no end was reported in time are forgotten.
pub(super) fn running(directory: &Path) -> Vec<RunningCall> {
    let mut found = Vec::new();
    for path in call_files(directory) {
        let Ok(metadata) = fs::metadata(&path) else { continue };
        let age = metadata.modified().ok().and_then(|begun| SystemTime::now().duration_since(begun).ok());
        if age.is_some_and(|age| age > MAX_CALL) {
            let _gone = fs::remove_file(&path);
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        found.push(RunningCall { name, began: modified_nanoseconds(&metadata) });
    }
    found
}

impl RunningCall {
    /// Returns whether it is this call.
    pub(super) fn is_call(&self, call: CallId<'_>) -> bool {
        self.name.starts_with(&call_prefix(call))
    }

    /// Returns whether it has ended when the next call begins, also if its end was not reported.
    pub(super) fn is_sequential(&self) -> bool {
        self.name.get(16..32) == Some(NO_ID)
    }

    /// Returns whether a subject was found unchanged when the call began.
    pub(super) fn has_seen(&self, key: u64) -> bool {
        self.name.get(32..).is_some_and(|sections| sections.contains(&number_text(key)))
    }

    /// Returns whether something may have been changed since the call began.
    pub(super) const fn may_have_changed(&self, changed: i64) -> bool {
        changed.saturating_add(SLACK_NANOSECONDS) >= self.began
    }

    /// Returns when it began, in seconds since 1970.
    pub(super) const fn began_seconds(&self) -> i64 {
        self.began / 1_000_000_000
    }
}

/// Returns whether something was changed so soon after the last call that a process may have done it that
/// the call has left behind.
pub(super) fn is_soon_after_a_call(directory: &Path, changed: i64) -> bool {
    let Ok(metadata) = fs::metadata(directory.join(ENDED)) else { return false };
    let ended = file_identity(&metadata).changed;
    changed.saturating_add(SLACK_NANOSECONDS) >= modified_nanoseconds(&metadata) && changed <= ended + GRACE_NANOSECONDS
}
