//! Files that commands read and write for people.

pub mod digest;
mod error;
mod expand;
pub mod json_records;
pub mod lines;
pub mod local_machine;
pub mod symlink;
mod tree;

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

pub use error::{FileAction, FileError, UntrustedReason};

use crate::io::platform::file::{is_same_file, make_directory_private, make_file_private, ownership_problem};

/// Writes a new file, with its directory. Returns false, and changes nothing, when it is there.
///
/// # Errors
/// Returns what could not be written.
pub fn create_new(path: &Path, text: &str) -> Result<bool, FileError> {
    let failed = FileError::on(FileAction::Write, path);
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

/// Writes a file in one step, with its directory: readers see the old text or the new one. A link
/// stays a link, and the permissions stay what they were.
///
/// # Errors
/// Returns what could not be written.
pub fn write_atomic(path: &Path, text: &str) -> Result<(), FileError> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let fresh = target.with_file_name(name);
    let written = fs::create_dir_all(target.parent().unwrap_or(Path::new(".")))
        .and_then(|()| fs::write(&fresh, text))
        .and_then(|()| match fs::metadata(&target) {
            Ok(metadata) => fs::set_permissions(&fresh, metadata.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::File::open(&fresh)?.sync_all())
        .and_then(|()| fs::rename(&fresh, &target));
    if written.is_err() {
        // It may not even be there; the error that counts is the one above.
        let _gone = fs::remove_file(&fresh);
    }
    written.map_err(FileError::on(FileAction::Write, path))
}

/// Removes files of a directory, and the directories that become empty by it.
///
/// # Errors
/// Returns what could not be removed.
pub fn remove_files(directory: &Path, names: &[&str]) -> Result<(), FileError> {
    for name in names {
        let path = directory.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(FileError::on(FileAction::Remove, &path)(error));
            }
            _ => {}
        }
        let above = path.ancestors().skip(1).take_while(|above| above.starts_with(directory));
        for above in above {
            if fs::remove_dir(above).is_err() {
                break;
            }
        }
    }
    Ok(())
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// Returns what could not be read.
pub fn read_or_stdin(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs::read(path).map(|content| bytes = content)
    };
    read.map(|()| bytes).map_err(FileError::on(FileAction::Read, path))
}

/// Bytes of a file that somebody else keeps.
const MAX_BYTES: u64 = 16 << 20;

/// Reads a file that somebody else keeps: a host's settings, a list of findings.
///
/// # Errors
/// Returns the system's error, or that it is not a file or larger than 16 MiB.
pub fn read_regular_file(path: &Path) -> std::io::Result<Vec<u8>> {
    // Reading anything but a regular file might block or never end.
    if !fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("it is larger than {} MiB", MAX_BYTES >> 20);
        return Err(std::io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads a file of text that somebody else keeps.
///
/// # Errors
/// Returns why it cannot be read.
pub fn read_text(path: &str) -> Result<String, FileError> {
    let bytes = read_regular_file(Path::new(path)).map_err(FileError::on(FileAction::Read, Path::new(path)))?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Lists the files of a directory tree whose names end like this, in order.
///
/// # Errors
/// Returns what could not be listed.
pub fn list_recursive(path: &Path, ending: &str) -> Result<Vec<PathBuf>, FileError> {
    let metadata = fs::metadata(path).map_err(FileError::on(FileAction::Read, path))?;
    if metadata.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut left = vec![path.to_owned()];
    while let Some(directory) = left.pop() {
        let entries = fs::read_dir(&directory).map_err(FileError::on(FileAction::List, &directory))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let kind = entry.file_type().map_err(FileError::on(FileAction::Read, &path))?;
            if kind.is_dir() {
                left.push(path);
            } else if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns when a file was last written, and its size; `None` when it doesn't exist.
pub fn modified_and_size(path: &Path) -> Option<(std::time::SystemTime, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Lists the files right in a directory whose names end like this, in order; none where it cannot be listed.
pub fn list_directory(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ending));
    let mut found: Vec<_> = entries.filter(|path| named(path) && path.is_file()).collect();
    found.sort();
    found
}

/// Returns a directory as an absolute path, with links followed.
///
/// # Errors
/// Returns that it doesn't exist.
pub fn canonical_path(path: &Path) -> Result<String, FileError> {
    let real = fs::canonicalize(path).map_err(FileError::on(FileAction::Access, path))?;
    let text = real.to_string_lossy();
    Ok(text.strip_prefix(r"\\?\").unwrap_or(&text).to_owned())
}

/// Returns the directory that the program runs in, as the system has it.
pub fn current_directory() -> Option<String> {
    Some(std::env::current_dir().ok()?.to_string_lossy().into_owned())
}

/// Makes a directory, and those above it, for the user alone where the system has such a thing.
///
/// # Errors
/// Returns the system's error.
pub fn create_private_directory(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    make_directory_private(builder.recursive(true)).create(path)
}

/// Opens a file to append to, for the user alone where the system has such a thing.
///
/// # Errors
/// Returns the system's error.
pub fn append_private(path: &Path) -> std::io::Result<fs::File> {
    let mut options = OpenOptions::new();
    make_file_private(options.append(true).create(true)).open(path)
}

/// Makes an empty file of its own among those that nobody needs for long, which the user alone can read.
pub fn create_temporary() -> std::io::Result<(fs::File, PathBuf)> {
    let name = RandomState::new().build_hasher().finish();
    let path = std::env::temp_dir().join(format!("ruleward-{name:016x}"));
    let mut options = fs::File::options();
    make_file_private(options.read(true).write(true).create_new(true)).open(&path).map(|file| (file, path))
}

/// Writes a file that the user alone may read and write, in one step, with its directory. What
/// was at the path, a link as well, gives way to it.
///
/// # Errors
/// Returns what could not be written.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let fresh = path.with_file_name(name);
    let written = create_private_directory(path.parent().unwrap_or(Path::new(".")))
        .and_then(|()| {
            let mut options = OpenOptions::new();
            make_file_private(options.write(true).create_new(true)).open(&fresh)
        })
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&fresh, path));
    if written.is_err() {
        // It may not even be there; the error that counts is the one above.
        let _gone = fs::remove_file(&fresh);
    }
    written.map_err(FileError::on(FileAction::Write, path))
}

/// Moves a file to another directory, also one on another device.
///
/// # Errors
/// Returns the system's error.
pub fn move_aside(path: &Path, to: &Path) -> std::io::Result<()> {
    create_private_directory(to.parent().unwrap_or(Path::new(".")))?;
    match fs::rename(path, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {
            fs::copy(path, to)?;
            fs::remove_file(path)
        }
        moved => moved,
    }
}

/// Reads a file that nobody but the user can have written: an ordinary file, no link, the
/// user's own, in a directory of which the same is true. `None` when it doesn't exist.
///
/// # Errors
/// Returns why it cannot be trusted.
pub fn read_private(path: &Path, most: u64) -> Result<Option<Vec<u8>>, FileError> {
    let failed = FileError::on(FileAction::Read, path);
    let seen = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !seen.is_file() {
        return Err(FileError::untrusted(path, UntrustedReason::NotRegular));
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    check_owner(directory, &fs::symlink_metadata(directory).map_err(failed)?)?;
    let file = fs::File::open(path).map_err(failed)?;
    let opened = file.metadata().map_err(failed)?;
    if !is_same_file(&seen, &opened) {
        return Err(FileError::untrusted(path, UntrustedReason::Replaced));
    }
    check_owner(path, &opened)?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(FileError::untrusted(path, UntrustedReason::TooLarge));
    }
    Ok(Some(bytes))
}

/// Checks that nobody but the user may have written a file, or put it in the place of another; also
/// where there is none yet.
///
/// # Errors
/// Returns why it cannot be trusted.
pub fn check_ownership(path: &Path) -> Result<(), FileError> {
    for path in [path, path.parent().unwrap_or(Path::new("."))] {
        if let Ok(metadata) = fs::metadata(path) {
            check_owner(path, &metadata)?;
        }
    }
    Ok(())
}

/// Checks that nobody but the user may have written something.
fn check_owner(path: &Path, metadata: &fs::Metadata) -> Result<(), FileError> {
    let problem = ownership_problem(metadata).map(UntrustedReason::Ownership);
    problem.map_or(Ok(()), |problem| Err(FileError::untrusted(path, problem)))
}

/// Waits for the right to a thing that a lock file stands for; it goes when the returned file does.
///
/// # Errors
/// Returns that the file cannot be opened, or that others held it for all that time.
pub fn lock(path: &Path, patience: Duration) -> Result<fs::File, FileError> {
    let file = append_private(path).map_err(FileError::on(FileAction::Open, path))?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(fs::TryLockError::WouldBlock) if begun.elapsed() < patience => thread::sleep(Duration::from_millis(1)),
            Err(source) => return Err(FileError::Locked { path: path.to_owned(), source }),
        }
    }
}

/// Returns whether a file can be appended to, or made, without changing anything that is there.
///
/// # Errors
/// Returns what is in the way.
pub fn check_appendable(path: &Path) -> Result<(), FileError> {
    let failed = FileError::on(FileAction::Access, path);
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(FileError::NotRegular(path.to_owned()));
    }
    if path.exists() {
        return append_private(path).map(drop).map_err(failed);
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    create_private_directory(directory).map_err(failed)?;
    let trial = path.with_extension(format!("{}.trial", std::process::id()));
    append_private(&trial).map_err(failed)?;
    fs::remove_file(&trial).map_err(failed)
}
