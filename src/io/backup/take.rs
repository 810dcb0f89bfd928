//! Takes backups: copies, and renames when all of it is there.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use super::collect::{Collected, Source, collect};
use super::manifest::{Content, Entry, Header, Manifest, ReferenceEntry, StagedEntry};
use super::{
    BackupError, FILES_DIRECTORY, HEADER_FILE, MANIFEST_FILE, PARTIAL_PREFIX, REFERENCES_FILE, content_path, directory,
    prune, references,
};
use crate::domain::verdict::backup::{BackupReceipt, BackupRequest, BackupStore};
use crate::io::audit::RecordId;
use crate::io::files::{check_ownership, create_private_directory};
use crate::io::platform::Platform;
use crate::io::platform::file::{file_identity, has_other_names, make_file_private};

/// The backups of this machine.
pub struct LocalBackups<'a> {
    /// The machine.
    pub platform: &'a Platform,
    /// Returns how much of a time is left for a backup.
    pub available: &'a dyn Fn(Duration) -> Duration,
}

impl BackupStore for LocalBackups<'_> {
    fn take(&self, request: &BackupRequest<'_>) -> Result<BackupReceipt, String> {
        self.try_take(request).map_err(|error| error.to_string())
    }
}

impl LocalBackups<'_> {
    fn try_take(&self, request: &BackupRequest<'_>) -> Result<BackupReceipt, BackupError> {
        let started = Instant::now();
        let timeout = (self.available)(request.timeout);
        let request = &BackupRequest { timeout, ..*request };
        let found = collect(request, started)?;
        let directory = directory(self.platform).ok_or(BackupError::NoDirectory)?;
        if count(&found) == 0 {
            return Ok(receipt(None, &found));
        }
        let header = Header {
            id: RecordId::new().as_str().to_owned(),
            time: now(),
            keep: request.keep,
            host: request.host.to_owned(),
            session: request.session.map(ToOwned::to_owned),
            call: request.call.map(ToOwned::to_owned),
            about: request.about.to_owned(),
            project: request.project.to_owned(),
            files: count(&found),
            bytes: found.bytes,
            restored: None,
        };
        prune::remove_expired(&directory, found.bytes);
        write(&directory, &header, &found, Some((started, timeout)))?;
        Ok(receipt(Some(header.id), &found))
    }
}

/// Backups that are only measured, for commands that leave no trace.
pub struct MeasuredBackups;

impl BackupStore for MeasuredBackups {
    fn take(&self, request: &BackupRequest<'_>) -> Result<BackupReceipt, String> {
        let found = collect(request, Instant::now()).map_err(|error| error.to_string())?;
        Ok(receipt(None, &found))
    }
}

/// Returns the present time in milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the number of files and references.
fn count(found: &Collected) -> u64 {
    let files = found.sources.iter().filter(|source| !source.metadata.is_dir()).count();
    (files + found.staged.len() + found.references.len()) as u64
}

fn receipt(id: Option<String>, found: &Collected) -> BackupReceipt {
    BackupReceipt { id, files: count(found), bytes: found.bytes, is_inside: found.is_inside }
}

/// Saves files that a restoration is about to replace; returns the backup.
///
/// # Errors
/// Returns why they cannot be saved.
pub(super) fn save_replaced(root: &Path, paths: &[&Path], of: &Header) -> Result<Header, BackupError> {
    let mut found =
        Collected { sources: Vec::new(), staged: Vec::new(), references: Vec::new(), bytes: 0, is_inside: true };
    for path in paths {
        let metadata = fs::symlink_metadata(path).map_err(BackupError::at(*path))?;
        found.bytes = found.bytes.saturating_add(metadata.len());
        found.sources.push(Source { path: path.to_path_buf(), metadata, may_link: false });
    }
    let header = Header {
        id: RecordId::new().as_str().to_owned(),
        time: now(),
        about: format!("ruleward undo {}", of.id),
        files: count(&found),
        bytes: found.bytes,
        restored: Some(of.id.clone()),
        ..of.clone()
    };
    write(root, &header, &found, None)?;
    Ok(header)
}

/// Writes a backup. `limit` is when it began, and how long it may take.
fn write(
    root: &Path,
    header: &Header,
    found: &Collected,
    limit: Option<(Instant, Duration)>,
) -> Result<(), BackupError> {
    create_private_directory(root).map_err(BackupError::at(root))?;
    check_ownership(&root.join(&header.id)).map_err(|error| BackupError::Unknown(error.to_string()))?;
    let partial = root.join(format!("{PARTIAL_PREFIX}{}", header.id));
    let written = write_partial(&partial, header, found, limit).and_then(|()| {
        let complete = root.join(&header.id);
        fs::rename(&partial, &complete).map_err(BackupError::at(complete))
    });
    if written.is_err() {
        prune::remove(&partial);
    } else {
        // Where directories cannot be written through, the system does it in its own time.
        let _synced = File::open(root).and_then(|directory| directory.sync_all());
    }
    written
}

fn write_partial(
    partial: &Path,
    header: &Header,
    found: &Collected,
    limit: Option<(Instant, Duration)>,
) -> Result<(), BackupError> {
    let contents = partial.join(FILES_DIRECTORY);
    create_private_directory(&contents).map_err(BackupError::at(&contents))?;
    let mut manifest = Manifest::default();
    let mut number = 0;
    for source in &found.sources {
        if let Some((_, most)) = limit.filter(|(started, most)| started.elapsed() > *most) {
            return Err(BackupError::TooSlow(most));
        }
        let content = content_of(source, partial, &mut number)?;
        let identity = file_identity(&source.metadata);
        let path = source.path.clone();
        manifest.entries.push(Entry { path, content, mode: identity.mode, modified: identity.modified });
    }
    for (root, file) in &found.staged {
        write_file(&content_path(partial, number), &file.content)?;
        let (root, path, mode) = (root.clone(), file.path.clone(), file.mode);
        manifest.staged.push(StagedEntry { root, path, mode, number });
        number += 1;
    }
    let references = found.references.iter().enumerate();
    let kept = |(number, lost)| references::entry(lost, &header.id, number);
    manifest.references = references.map(kept).collect::<Vec<ReferenceEntry>>();
    if !manifest.references.is_empty() {
        write_json(&partial.join(REFERENCES_FILE), &manifest.references)?;
        manifest.references.iter().try_for_each(references::keep)?;
    }
    write_json(&partial.join(MANIFEST_FILE), &manifest)?;
    write_json(&partial.join(HEADER_FILE), header)
}

/// Returns what a source is, with its content in the backup if it is a file.
fn content_of(source: &Source, partial: &Path, number: &mut u32) -> Result<Content, BackupError> {
    let path = &source.path;
    let kind = source.metadata.file_type();
    if kind.is_dir() {
        return Ok(Content::Directory);
    }
    if kind.is_symlink() {
        let target = fs::read_link(path).map_err(BackupError::at(path))?;
        return target
            .to_str()
            .map(|target| Content::Link(target.to_owned()))
            .ok_or(BackupError::NotText(target.clone()));
    }
    let to = content_path(partial, *number);
    // A file with another name can still be written by that one.
    let linked = source.may_link && !has_other_names(&source.metadata) && fs::hard_link(path, &to).is_ok();
    if !linked {
        fs::copy(path, &to).map_err(BackupError::at(path))?;
    }
    let (before, now) = (file_identity(&source.metadata), fs::symlink_metadata(path).map_err(BackupError::at(path))?);
    let now = file_identity(&now);
    if (before.device, before.inode, before.size, before.modified) != (now.device, now.inode, now.size, now.modified) {
        return Err(BackupError::Changed(path.clone()));
    }
    let content = Content::File { number: *number, size: before.size, linked };
    *number += 1;
    Ok(content)
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), BackupError> {
    let bytes = serde_json::to_vec(value).map_err(|error| BackupError::Unknown(error.to_string()))?;
    write_file(path, &bytes)
}

/// Writes a file for the user alone, through to the disk.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BackupError> {
    let mut options = fs::OpenOptions::new();
    let opened = make_file_private(options.write(true).create_new(true)).open(path);
    let written = opened.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.map_err(BackupError::at(path))
}
