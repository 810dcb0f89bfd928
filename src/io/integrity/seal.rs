//! The seal: what every watched path was when nothing was wrong, in one small file that is read at every
//! event.
//!
//! A section holds the paths of one subject (the machine, a host, a project). At an event, three
//! sections are looked at, and the rest of the file is skipped; what is needed only after a change
//! is kept as bytes. Copies of the contents are files beside it, named after their paths.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::entry::{Entry, EntryDetails, Role, Snapshot, key_of, stamp};
use crate::domain::policy::settings::TamperResponse;
use crate::io::files::{self, FileError, digest};

/// The name of the file; a new form has a new name.
const SEAL_FILE: &str = "seal.1";
/// The directory of the copies.
const COPIES: &str = "copies";
/// Bytes that a seal may have.
const MAX_BYTES: u64 = 4 << 20;
/// Projects and hosts that are kept.
const MAX_SECTIONS: usize = 48;

/// What every watched path was.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Seal {
    /// What follows when a call changes something.
    pub response: TamperResponse,
    /// Whether the audit log is written.
    pub records: bool,
    /// What calls have changed and no person has looked at.
    pub pending: Vec<PendingChange>,
    /// The paths by subject, the one used last at the end.
    pub sections: Vec<Section>,
}

/// The watched paths of one subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub key: u64,
    /// Whether other paths may belong to it now.
    pub is_outdated: bool,
    pub entries: Vec<Entry>,
}

/// A change by a call that no person has looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingChange {
    pub path: String,
    pub role: Option<Role>,
    /// What was found and what became of it, for people.
    pub text: String,
    pub is_restored: bool,
    /// What was there before; a directory cannot be put back.
    pub before: KeptVersion,
    /// What the call made of it.
    pub after: KeptVersion,
}

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum KeptVersion {
    /// There was no file.
    Absent,
    /// A file of this name in the directory of the seal, with its permissions.
    File(String, u32),
    /// It could not be kept.
    Unknown,
}

#[derive(Serialize, Deserialize)]
struct StoredSeal<'a> {
    response: TamperResponse,
    records: bool,
    #[serde(borrow)]
    pending: &'a [u8],
    #[serde(borrow)]
    sections: Vec<StoredSection<'a>>,
}

#[derive(Serialize, Deserialize)]
struct StoredSection<'a> {
    key: u64,
    is_outdated: bool,
    #[serde(borrow)]
    entries: &'a [u8],
}

#[derive(Serialize, Deserialize)]
struct StoredEntry<'a> {
    path: &'a str,
    role: Role,
    stamp: u64,
    #[serde(borrow)]
    details: &'a [u8],
}

/// What a quick look at the seal says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum QuickLook {
    /// Tamper detection is off.
    Off,
    /// Nothing has changed, and no change waits for a person.
    Unchanged,
    /// Something has changed, or a person is waited for.
    Differs,
    /// There is no seal.
    Missing,
}

/// Compares the sections of these keys with what is there.
pub(super) fn quick_look(directory: &Path, keys: &[u64]) -> QuickLook {
    let Ok(Some(bytes)) = files::read_private(&directory.join(SEAL_FILE), MAX_BYTES) else { return QuickLook::Missing };
    let Ok(seal) = postcard::from_bytes::<StoredSeal<'_>>(&bytes) else { return QuickLook::Missing };
    if seal.response == TamperResponse::Off {
        return QuickLook::Off;
    }
    let is_unchanged = |key: &u64| {
        let found = seal.sections.iter().find(|section| section.key == *key && !section.is_outdated);
        found.is_some_and(|section| is_section_unchanged(section.entries).unwrap_or(false))
    };
    let is_pending = seal.pending.first().is_some_and(|count| *count > 0);
    if !is_pending && keys.iter().all(is_unchanged) { QuickLook::Unchanged } else { QuickLook::Differs }
}

/// Compares the paths of a section one after the other; `None` when it cannot be read.
fn is_section_unchanged(entries: &[u8]) -> Option<bool> {
    // A list is stored as its length and its entries.
    let (count, mut rest) = postcard::take_from_bytes::<usize>(entries).ok()?;
    for _ in 0..count {
        let (entry, after) = postcard::take_from_bytes::<StoredEntry<'_>>(rest).ok()?;
        if stamp(entry.path, entry.role) != entry.stamp {
            return Some(false);
        }
        rest = after;
    }
    Some(true)
}

impl Seal {
    /// Reads the seal; `None` when there is none that can be read.
    pub(super) fn read(directory: &Path) -> Option<Self> {
        let bytes = files::read_private(&directory.join(SEAL_FILE), MAX_BYTES).ok()??;
        let stored: StoredSeal<'_> = postcard::from_bytes(&bytes).ok()?;
        let pending = postcard::from_bytes(stored.pending).ok()?;
        let sections = stored.sections.iter().map(Section::from_stored).collect::<Option<_>>()?;
        Some(Self { response: stored.response, records: stored.records, pending, sections })
    }

    /// Writes the seal.
    ///
    /// # Errors
    /// Returns what could not be written.
    pub(super) fn write(&mut self, directory: &Path) -> Result<(), FileError> {
        let surplus = self.sections.len().saturating_sub(MAX_SECTIONS);
        self.sections.drain(..surplus);
        let encode = |value: Result<Vec<u8>, postcard::Error>| value.unwrap_or_default();
        let pending = encode(postcard::to_allocvec(&self.pending));
        let bodies: Vec<Vec<u8>> = self.sections.iter().map(Section::encode_entries).collect();
        let of = |(section, entries): (&Section, &_)| -> (u64, bool, Vec<u8>) {
            (section.key, section.is_outdated, Vec::clone(entries))
        };
        let owned: Vec<(u64, bool, Vec<u8>)> = self.sections.iter().zip(&bodies).map(of).collect();
        let sections = owned
            .iter()
            .map(|(key, is_outdated, entries)| StoredSection { key: *key, is_outdated: *is_outdated, entries })
            .collect();
        let stored = StoredSeal { response: self.response, records: self.records, pending: &pending, sections };
        files::write_private(&directory.join(SEAL_FILE), &encode(postcard::to_allocvec(&stored)))
    }

    /// Returns the section of a key.
    pub(super) fn section(&self, key: u64) -> Option<&Section> {
        self.sections.iter().find(|section| section.key == key)
    }

    /// Sets a section.
    pub(super) fn put_section(&mut self, section: Section) {
        self.sections.retain(|other| other.key != section.key);
        self.sections.push(section);
    }
}

impl Section {
    fn from_stored(stored: &StoredSection<'_>) -> Option<Self> {
        let entries: Vec<StoredEntry<'_>> = postcard::from_bytes(stored.entries).ok()?;
        let entry = |stored: StoredEntry<'_>| {
            let details: EntryDetails = postcard::from_bytes(stored.details).ok()?;
            Some(Entry { path: stored.path.to_owned(), role: stored.role, stamp: stored.stamp, details })
        };
        let entries = entries.into_iter().map(entry).collect::<Option<_>>()?;
        Some(Self { key: stored.key, is_outdated: stored.is_outdated, entries })
    }

    fn encode_entries(&self) -> Vec<u8> {
        let details: Vec<Vec<u8>> =
            self.entries.iter().map(|entry| postcard::to_allocvec(&entry.details).unwrap_or_default()).collect();
        let stored: Vec<StoredEntry<'_>> = self
            .entries
            .iter()
            .zip(&details)
            .map(|(entry, details)| StoredEntry { path: &entry.path, role: entry.role, stamp: entry.stamp, details })
            .collect();
        postcard::to_allocvec(&stored).unwrap_or_default()
    }

    /// Seals what is at the paths of a subject.
    pub(super) fn seal(directory: &Path, key: u64, paths: impl IntoIterator<Item = (String, Role)>) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for (path, role) in paths {
            if entries.iter().any(|entry| entry.path == path) {
                continue;
            }
            entries.push(seal_path(directory, &path, role));
            if role == Role::Store {
                let grants = grants_in(&path);
                entries.extend(grants.into_iter().map(|path| seal_path(directory, &path, Role::Grant)));
            }
        }
        Self { key, is_outdated: false, entries }
    }
}

/// Returns the records in a store.
pub(super) fn grants_in(store: &str) -> Vec<String> {
    let found = files::list_directory(Path::new(store), ".json");
    found.into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

/// Seals what is at a path.
pub(super) fn seal_path(directory: &Path, path: &str, role: Role) -> Entry {
    let now = Snapshot::take(path, role);
    keep_copy(directory, &now);
    now.entry
}

/// Keeps a copy of what was looked at. Without one, a change is noticed and cannot be undone.
pub(super) fn keep_copy(directory: &Path, now: &Snapshot) {
    if let Some(content) = &now.content {
        let path = copy_path(directory, &now.entry.path);
        if std::fs::read(&path).ok().as_deref() != Some(content) {
            let _kept = files::write_private(&path, content);
        }
    }
}

/// Returns the copy of what was sealed, if it is still that.
pub(super) fn sealed_content(directory: &Path, entry: &Entry) -> Option<Vec<u8>> {
    let bytes = files::read_private(&copy_path(directory, &entry.path), MAX_BYTES).ok()??;
    (digest::sha256(&bytes) == entry.details.hash).then_some(bytes)
}

fn copy_path(directory: &Path, path: &str) -> PathBuf {
    directory.join(COPIES).join(format!("{:016x}", key_of([path])))
}
