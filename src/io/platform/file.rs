//! Files: permissions, owners, and when two names are one file.

use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

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

/// Returns whether everybody may write in a directory, where the system has such a thing.
#[cfg(unix)]
pub fn is_writable_by_all(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.mode() & 0o002 != 0)
}

/// Elsewhere this is not asked.
#[cfg(not(unix))]
pub fn is_writable_by_all(_: &Path) -> bool {
    false
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

/// Returns whether a file has more than one name, where the system tells.
#[cfg(unix)]
pub fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

/// Elsewhere `std` does not tell, so a file may have one.
#[cfg(not(unix))]
pub fn has_other_names(_: &Metadata) -> bool {
    true
}

/// Returns permissions, as [`set_mode`] has them, with that of the owner to write.
pub const fn writable_mode(mode: u32) -> u32 {
    if cfg!(unix) { mode | 0o200 } else { mode & !2 }
}

/// What tells whether a file is still the same one, unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    /// The device.
    pub device: u64,
    /// The number of the file on the device.
    pub inode: u64,
    /// The size in bytes.
    pub size: u64,
    /// The kind of file and its permissions.
    pub mode: u32,
    /// When the content was last changed, in nanoseconds since 1970.
    pub modified: i64,
    /// When the file was last changed in any way; no program can set this time.
    pub changed: i64,
}

/// Returns what tells whether a file is still the same one.
#[cfg(unix)]
pub fn file_identity(metadata: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt as _;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    FileIdentity {
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.len(),
        mode: metadata.mode(),
        modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
    }
}

/// Elsewhere files have no number, and the time of their last change is that of their content.
#[cfg(not(unix))]
pub fn file_identity(metadata: &Metadata) -> FileIdentity {
    let modified = modified_nanoseconds(metadata);
    let mode = u32::from(metadata.is_dir()) | u32::from(metadata.permissions().readonly()) << 1;
    FileIdentity { device: 0, inode: 0, size: metadata.len(), mode, modified, changed: modified }
}

/// Returns when the content of a file was last changed, in nanoseconds since 1970.
pub fn modified_nanoseconds(metadata: &Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default()
}

/// Whether the system numbers files, and knows when one was changed in any way.
pub const HAS_FILE_NUMBERS: bool = cfg!(unix);

/// Returns the path that some bytes are; `None` where paths are text and the bytes are none.
#[cfg(unix)]
pub fn path_from_bytes(bytes: &[u8]) -> Option<std::path::PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(std::ffi::OsStr::from_bytes(bytes).into())
}

/// Elsewhere paths are text.
#[cfg(not(unix))]
pub fn path_from_bytes(bytes: &[u8]) -> Option<std::path::PathBuf> {
    std::str::from_utf8(bytes).ok().map(Into::into)
}

/// Returns the bytes of a name, where names are bytes, and its text elsewhere.
#[cfg(unix)]
pub fn name_bytes(name: &std::ffi::OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    name.as_bytes().to_vec()
}

/// Elsewhere names are text.
#[cfg(not(unix))]
pub fn name_bytes(name: &std::ffi::OsStr) -> Vec<u8> {
    name.to_string_lossy().into_owned().into_bytes()
}

/// Looks at many files below one directory. Files of one directory that follow each other cost the least.
#[cfg(unix)]
pub struct StatReader {
    root: rustix::fd::OwnedFd,
    directory: Vec<u8>,
    /// The directory, open; `None` if it does not exist.
    opened: Option<rustix::fd::OwnedFd>,
}

#[cfg(unix)]
impl StatReader {
    /// Opens the directory.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn new(root: &Path) -> io::Result<Self> {
        let root = rustix::fs::open(root, Self::FLAGS, rustix::fs::Mode::empty())?;
        Ok(Self { root, directory: Vec::new(), opened: None })
    }

    const FLAGS: rustix::fs::OFlags =
        rustix::fs::OFlags::RDONLY.union(rustix::fs::OFlags::DIRECTORY).union(rustix::fs::OFlags::CLOEXEC);

    /// Returns what tells whether a file is still the same one, and follows no link; `None` if it does not exist.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn identity(&mut self, path: &[u8]) -> io::Result<Option<FileIdentity>> {
        use rustix::io::Errno;
        let (directory, name) = match path.iter().rposition(|byte| *byte == b'/') {
            Some(at) => (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default()),
            None => (&[][..], path),
        };
        if self.directory != directory {
            let opened = rustix::fs::openat(&self.root, directory, Self::FLAGS, rustix::fs::Mode::empty());
            self.opened = match opened {
                Ok(opened) => Some(opened),
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => None,
                Err(error) => return Err(error.into()),
            };
            directory.clone_into(&mut self.directory);
        }
        let at = match &self.opened {
            _ if directory.is_empty() => &self.root,
            Some(opened) => opened,
            None => return Ok(None),
        };
        match rustix::fs::statat(at, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(identity_of_stat(&stat))),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(unix)]
#[allow(
    clippy::useless_conversion,
    clippy::unnecessary_cast,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::allow_attributes,
    reason = "the fields have other types on other systems"
)]
fn identity_of_stat(stat: &rustix::fs::Stat) -> FileIdentity {
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    FileIdentity {
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        size: stat.st_size as u64,
        mode: u32::from(stat.st_mode),
        modified: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        changed: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
    }
}

/// Looks at many files below one directory.
#[cfg(not(unix))]
pub struct StatReader {
    root: std::path::PathBuf,
}

#[cfg(not(unix))]
impl StatReader {
    /// Names the directory.
    ///
    /// # Errors
    /// None here.
    pub fn new(root: &Path) -> io::Result<Self> {
        Ok(Self { root: root.to_owned() })
    }

    /// Returns what tells whether a file is still the same one, and follows no link; `None` if it does not exist.
    ///
    /// # Errors
    /// Returns the system's error, or that the name is no text.
    pub fn identity(&mut self, path: &[u8]) -> io::Result<Option<FileIdentity>> {
        let path = path_from_bytes(path).ok_or_else(|| io::Error::other("the name is no text"))?;
        match fs::symlink_metadata(self.root.join(path)) {
            Ok(metadata) => Ok(Some(file_identity(&metadata))),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Sets the permissions of a file to those of an identity.
///
/// # Errors
/// Returns the system's error.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode & 0o7777);
    #[cfg(not(unix))]
    let permissions = {
        let mut permissions = fs::metadata(path)?.permissions();
        permissions.set_readonly(mode & 2 != 0);
        permissions
    };
    fs::set_permissions(path, permissions)
}

/// Lets the owner read, write and enter a directory.
///
/// # Errors
/// Returns the system's error.
pub fn grant_owner_access(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mode = file_identity(&fs::symlink_metadata(directory)?).mode;
        set_mode(directory, mode | 0o700)
    }
    #[cfg(not(unix))]
    fs::metadata(directory).map(drop)
}

/// Makes a symbolic link to a file.
///
/// # Errors
/// Returns the system's error.
pub fn make_file_link(target: &str, link: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link);
    #[cfg(windows)]
    return std::os::windows::fs::symlink_file(target, link);
    #[cfg(not(any(unix, windows)))]
    return Err(io::Error::other(format!("{} cannot link to {target}", link.display())));
}
