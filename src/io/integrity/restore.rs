//! Puts a file back to what it was, and keeps what it was changed into.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::entry::{Entry, Presence, Role, Snapshot, is_absent};
use super::seal::{KeptVersion, sealed_content};
use crate::io::audit::RecordId;
use crate::io::files;
use crate::io::platform::file::{grant_owner_access, make_file_link, set_mode};

/// The directory of versions that were replaced, in that of the seal.
const KEPT: &str = "kept";

/// Returns the path of a version of this name.
pub(super) fn kept_path(directory: &Path, name: &str) -> PathBuf {
    directory.join(KEPT).join(name)
}

/// The two versions of a changed file.
pub(super) struct Versions {
    pub before: KeptVersion,
    pub after: KeptVersion,
    /// Where what cannot be copied is moved.
    aside: PathBuf,
}

/// Keeps both versions of a changed file under names of their own.
pub(super) fn keep_versions(directory: &Path, sealed: &Entry, now: &Snapshot) -> Versions {
    let id = RecordId::new();
    let keep = |name: String, content: Option<&[u8]>, mode: u32| {
        let Some(content) = content else { return KeptVersion::Unknown };
        match files::write_private(&kept_path(directory, &name), content) {
            Ok(()) => KeptVersion::File(name, mode),
            Err(_) => KeptVersion::Unknown,
        }
    };
    let (before_name, after_name) = (format!("{}.before", id.as_str()), format!("{}.after", id.as_str()));
    let before = match sealed.details.presence {
        Presence::Absent => KeptVersion::Absent,
        _ => keep(before_name, sealed_content(directory, sealed).as_deref(), sealed.details.mode),
    };
    let details = &now.entry.details;
    let after = match details.presence {
        Presence::Absent => KeptVersion::Absent,
        _ => keep(after_name, now.content.as_deref(), details.mode),
    };
    Versions { before, after, aside: kept_path(directory, &format!("{}.aside", id.as_str())) }
}

/// Puts a path back to what was sealed.
///
/// # Errors
/// Returns why that cannot be done.
pub(super) fn restore(directory: &Path, sealed: &Entry, versions: &Versions) -> io::Result<()> {
    let path = Path::new(&sealed.path);
    make_reachable(path);
    match (sealed.role, sealed.details.presence) {
        (Role::Program, _) => Err(io::Error::other("programs are not copied; install it again")),
        (_, Presence::Absent) => files::move_aside(path, &versions.aside),
        (_, Presence::File) => {
            let content =
                sealed_content(directory, sealed).ok_or_else(|| io::Error::other("there is no intact copy of it"))?;
            let target = restore_kind(path, sealed.details.link.as_deref(), &versions.aside)?;
            write_with_mode(&target, &content, sealed.details.mode)
        }
        (_, Presence::Directory | Presence::Other) => Err(io::Error::other("only files are copied")),
    }
}

/// Lets the owner enter the directories above a path.
fn make_reachable(path: &Path) {
    let mut above: Vec<&Path> = path.ancestors().skip(1).collect();
    above.reverse();
    for directory in above {
        let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        let probe = directory.join(".");
        if fs::metadata(probe).is_err_and(|error| is_closed(&error))
            || fs::read_dir(directory).is_err_and(|it| is_closed(&it))
        {
            // Where it is not the user's, the error that follows says so.
            let _opened = grant_owner_access(directory);
        }
    }
}

/// Makes a path a file again, or the link that it was; returns the file that has the content.
fn restore_kind(path: &Path, link: Option<&str>, aside: &Path) -> io::Result<PathBuf> {
    let here = fs::symlink_metadata(path);
    let directory = path.parent().unwrap_or(Path::new("."));
    match (here, link) {
        (Ok(here), None) if here.is_file() => return Ok(path.to_owned()),
        (Ok(here), Some(target))
            if here.is_symlink() && fs::read_link(path).is_ok_and(|it| it == Path::new(target)) => {}
        (Err(error), _) if is_absent(&error) => {
            fs::create_dir_all(directory)?;
            link.map_or(Ok(()), |target| make_file_link(target, path))?;
        }
        (Err(error), _) => return Err(error),
        (Ok(_), _) => {
            files::move_aside(path, aside)?;
            link.map_or(Ok(()), |target| make_file_link(target, path))?;
        }
    }
    let Some(target) = link else { return Ok(path.to_owned()) };
    let target = directory.join(target);
    Ok(fs::canonicalize(&target).unwrap_or(target))
}

/// Writes a file in one step, with these permissions.
fn write_with_mode(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) && fs::read(path).is_ok_and(|it| it == content) {
        return set_mode(path, mode);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.restored", std::process::id()));
    let fresh = path.with_file_name(name);
    let parent = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(parent)
        .and_then(|()| fs::write(&fresh, content))
        .and_then(|()| set_mode(&fresh, mode))
        .and_then(|()| fs::rename(&fresh, path));
    if written.is_err() {
        // It may not even be there; the error that counts is the one above.
        let _gone = fs::remove_file(&fresh);
    }
    written
}

/// Puts a kept version in its place.
///
/// # Errors
/// Returns the system's error, or that it was not kept.
pub(super) fn apply(directory: &Path, path: &Path, version: &KeptVersion) -> io::Result<()> {
    match version {
        KeptVersion::Absent => match fs::remove_file(path) {
            Err(error) if !is_absent(&error) => Err(error),
            _ => Ok(()),
        },
        KeptVersion::File(name, mode) => {
            let content = fs::read(kept_path(directory, name))?;
            let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            write_with_mode(&target, &content, *mode)
        }
        KeptVersion::Unknown => Err(io::Error::other("this version was not stored")),
    }
}
