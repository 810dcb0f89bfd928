//! Files: permissions, owners, and when two names are one file.

use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::path::Path;

/// Whether a name is the same file only when it is the same bytes, and a path without links is its
/// own real path.
pub const PATHS_ARE_EXACT: bool = cfg!(target_os = "linux");

/// Why a file may have been written by somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnershipProblem {
    /// It belongs to another user.
    OtherOwner,
    /// Other users may write it.
    WritableByOthers,
}

/// Has a directory be made for the user alone, where the system has such a thing.
pub fn make_directory_private(builder: &mut DirBuilder) -> &mut DirBuilder {
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
    builder
}

/// Has a file be made for the user alone, where the system has such a thing.
pub fn make_file_private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Returns whether the permissions of a file let it be run.
#[cfg(unix)]
pub fn may_execute(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o111 != 0
}

/// Elsewhere no permission says so.
#[cfg(not(unix))]
pub fn may_execute(_: &Metadata) -> bool {
    true
}

/// Returns whether others than the owner may write a file, where the system has such a thing.
pub fn is_writable_by_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| has_shared_write(&metadata))
}

/// Returns whether others than the administrator may change a file, where the system has such a thing.
#[cfg(unix)]
pub fn is_changeable_by_users(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.uid() != 0 || metadata.mode() & 0o002 != 0)
}

/// Elsewhere this is not asked.
#[cfg(not(unix))]
pub fn is_changeable_by_users(_: &Path) -> bool {
    false
}

/// Returns why somebody else than the user may have written something; `None` when nobody else may.
#[cfg(unix)]
pub fn ownership_problem(metadata: &Metadata) -> Option<OwnershipProblem> {
    use std::os::unix::fs::MetadataExt as _;
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Some(OwnershipProblem::OtherOwner);
    }
    has_shared_write(metadata).then_some(OwnershipProblem::WritableByOthers)
}

/// Elsewhere the directories of a user are closed to others by the system itself.
#[cfg(not(unix))]
pub fn ownership_problem(_: &Metadata) -> Option<OwnershipProblem> {
    None
}

#[cfg(unix)]
fn has_shared_write(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o022 != 0
}

#[cfg(not(unix))]
fn has_shared_write(_: &Metadata) -> bool {
    false
}

/// Returns whether what was looked at by name is what was opened.
#[cfg(unix)]
pub fn is_same_file(seen: &Metadata, opened: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (seen.dev(), seen.ino()) == (opened.dev(), opened.ino())
}

/// Elsewhere files have no number that `std` gives out.
#[cfg(not(unix))]
pub fn is_same_file(_: &Metadata, opened: &Metadata) -> bool {
    opened.is_file()
}
