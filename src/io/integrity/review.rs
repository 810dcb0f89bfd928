//! What a person does about changes: accepts or discards what calls have changed, and has changes
//! of their own sealed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::entry::{Presence, Role, Snapshot, stamp};
use super::restore::{apply, kept_path};
use super::seal::{KeptVersion, PendingChange, Seal, grants_in, keep_copy, seal_path};
use crate::domain::policy::settings::TamperResponse;
use crate::io::audit::{self, AuditError, IntegrityRecord};
use crate::io::files::{self, FileAction, FileError};
use crate::io::platform::Platform;

/// How long a person's command waits for hooks that compare.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// How the seal is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SealStatus {
    /// There is none yet.
    Missing,
    /// The policy has nothing watched.
    Off,
    /// So many paths are sealed.
    Sealed(usize),
    /// Changes of these paths wait for a person.
    Pending(Vec<String>),
}

/// Returns how the seal is.
pub fn seal_status(platform: &Platform) -> SealStatus {
    let seal = audit::seal_directory(platform).and_then(|directory| Seal::read(&directory));
    match seal {
        None => SealStatus::Missing,
        Some(seal) if !seal.pending.is_empty() => {
            SealStatus::Pending(seal.pending.into_iter().map(|change| change.path).collect())
        }
        Some(seal) if seal.response == TamperResponse::Off => SealStatus::Off,
        Some(seal) => SealStatus::Sealed(seal.sections.iter().map(|section| section.entries.len()).sum()),
    }
}

/// The changes that wait for a person.
#[derive(Debug)]
pub struct Review {
    platform: Platform,
    directory: PathBuf,
    changes: Vec<PendingChange>,
}

/// A change that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedChange {
    /// The path.
    pub path: String,
    /// What was found and what became of it.
    pub text: String,
    /// What was there before, where it is known; empty where there was nothing.
    pub before: Option<String>,
    /// What the call made of it.
    pub after: Option<String>,
}

impl Review {
    /// Returns the changes that wait for a person; `None` when there are none.
    pub fn open(platform: &Platform) -> Option<Self> {
        let directory = audit::seal_directory(platform)?;
        let changes = Seal::read(&directory)?.pending;
        (!changes.is_empty()).then(|| Self { platform: platform.clone(), directory, changes })
    }

    /// Returns the changes.
    pub fn changes(&self) -> Vec<ReviewedChange> {
        let text = |version: &KeptVersion| match version {
            KeptVersion::Absent => Some(String::new()),
            KeptVersion::File(name, _) => {
                let bytes = fs::read(kept_path(&self.directory, name)).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            KeptVersion::Unknown => None,
        };
        let one = |change: &PendingChange| ReviewedChange {
            path: change.path.clone(),
            text: change.text.clone(),
            before: text(&change.before),
            after: text(&change.after),
        };
        self.changes.iter().map(one).collect()
    }

    /// Puts what the calls made in place, or else what was there before, and seals everything as it is then.
    /// Returns what could not be put in place.
    ///
    /// # Errors
    /// Returns that the seal could not be written, or the decision not recorded.
    pub fn finish(&self, is_accepted: bool) -> Result<Vec<String>, ReviewError> {
        let _held = files::lock(&self.directory.join("lock"), LOCK_TIMEOUT).map_err(ReviewError::File)?;
        let mut failures = Vec::new();
        for change in self.changes.iter().filter(|change| change.role.is_some_and(|role| role != Role::Program)) {
            let wanted = if is_accepted { &change.after } else { &change.before };
            // What was restored is there already.
            if !is_accepted && change.is_restored {
                continue;
            }
            if let Err(error) = apply(&self.directory, Path::new(&change.path), wanted) {
                failures.push(format!("{}: {error}", change.path));
            }
        }
        let mut seal = Seal::read(&self.directory).ok_or(ReviewError::NoSeal)?;
        // A change that a hook has found since waits for another look.
        seal.pending.retain(|change| !self.changes.contains(change));
        for section in &mut seal.sections {
            for entry in &mut section.entries {
                *entry = seal_path(&self.directory, &entry.path, entry.role);
            }
            section.entries.retain(|entry| entry.role != Role::Grant || entry.details.presence != Presence::Absent);
            section.is_outdated = true;
        }
        seal.write(&self.directory).map_err(ReviewError::File)?;
        let (kind, text) = if is_accepted {
            (IntegrityRecord::Accepted, "a person accepted the changes made by calls")
        } else {
            (IntegrityRecord::Discarded, "a person discarded the changes made by calls")
        };
        let paths = self.changes.iter().map(|change| json!({ "path": change.path, "change": change.text })).collect();
        audit::record_integrity(&self.platform, kind, None, text, paths).map_err(ReviewError::Audit)?;
        Ok(failures)
    }
}

/// Why a review could not be finished.
#[derive(Debug)]
pub enum ReviewError {
    /// There is no seal any more.
    NoSeal,
    /// The seal could not be written.
    File(FileError),
    /// The decision could not be recorded.
    Audit(AuditError),
}

impl std::fmt::Display for ReviewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSeal => f.write_str("the seal no longer exists"),
            Self::File(error) => error.fmt(f),
            Self::Audit(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReviewError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoSeal => None,
            Self::File(error) => Some(error),
            Self::Audit(error) => Some(error),
        }
    }
}

/// A command by which a person changes what is watched: what differs only after it is the person's.
#[derive(Debug)]
pub struct HumanChange {
    directory: PathBuf,
    /// What differed before; a hook deals with it.
    different: Vec<String>,
}

impl HumanChange {
    /// Notes what differs from the seal before the command; `None` where nothing is sealed.
    pub fn begin(platform: &Platform) -> Option<Self> {
        let directory = audit::seal_directory(platform)?;
        let seal = Seal::read(&directory)?;
        let entries = seal.sections.iter().flat_map(|section| &section.entries);
        let mut different: Vec<String> = entries
            .clone()
            .filter(|entry| stamp(&entry.path, entry.role) != entry.stamp)
            .map(|entry| entry.path.clone())
            .collect();
        let known: Vec<&str> = entries.clone().map(|entry| entry.path.as_str()).collect();
        let stores = entries.filter(|entry| entry.role == Role::Store);
        let added = stores.flat_map(|store| grants_in(&store.path)).filter(|path| !known.contains(&path.as_str()));
        different.extend(added);
        Some(Self { directory, different })
    }

    /// Seals what the command has changed.
    ///
    /// # Errors
    /// Returns what could not be written.
    pub fn finish(self) -> Result<(), FileError> {
        let _held = files::lock(&self.directory.join("lock"), LOCK_TIMEOUT)?;
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let mut seal =
            Seal::read(&self.directory).ok_or_else(|| FileError::on(FileAction::Read, &self.directory)(missing()))?;
        for section in &mut seal.sections {
            let stores: Vec<String> = section
                .entries
                .iter()
                .filter(|entry| entry.role == Role::Store)
                .map(|entry| entry.path.clone())
                .collect();
            for path in stores.iter().flat_map(|store| grants_in(store)) {
                let is_known = section.entries.iter().any(|entry| entry.path == path);
                if !is_known && !self.different.contains(&path) {
                    section.entries.push(seal_path(&self.directory, &path, Role::Grant));
                }
            }
            for entry in &mut section.entries {
                if stamp(&entry.path, entry.role) != entry.stamp && !self.different.contains(&entry.path) {
                    let now = Snapshot::take(&entry.path, entry.role);
                    keep_copy(&self.directory, &now);
                    *entry = now.entry;
                }
            }
            section.entries.retain(|entry| entry.role != Role::Grant || entry.details.presence != Presence::Absent);
            section.is_outdated = true;
        }
        seal.write(&self.directory)
    }
}
