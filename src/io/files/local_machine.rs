//! The machine as a judgment looks at it: where paths lead, and what scripts hold.
//!
//! A file is opened only when it is an ordinary one, and never read beyond the bound: what somebody
//! puts in the way must not hold up the hook.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::{expand, symlink, tree};
use crate::domain::facts::loss::{Change, Loss};
use crate::domain::facts::proof::{Checkout, ProgramLocation, RevisionFiles, TreeFilter};
use crate::domain::facts::repository::{Divergence, RepositoryState, UnknownRepository};
use crate::domain::facts::script::FileSystem;
use crate::domain::shell::FileContent;
use crate::io::git;
use crate::io::platform::{env_path, program_location};

/// This machine.
#[derive(Debug, Clone, Copy)]
pub struct LocalMachine;

/// How programs for the machine begin, and archives.
const MAGIC: &[&[u8]] = &[
    b"\x7fELF",
    b"MZ\x90\0",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
    b"!<arch>",
    b"PK\x03\x04",
];

/// Directories in which reading a file may wait, or change something.
const SPECIAL_DIRECTORIES: &[&str] = &["/dev/", "/proc/", "/sys/"];

impl FileSystem for LocalMachine {
    fn real_path(&self, path: &str) -> Option<String> {
        symlink::resolve(path)
    }

    fn read(&self, path: &str, most: usize) -> FileContent {
        if SPECIAL_DIRECTORIES.iter().any(|start| path.starts_with(start)) {
            return FileContent::Unreadable;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return FileContent::Unreadable,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return FileContent::Unreadable,
            Err(_) => return FileContent::Missing,
        }
        read_content(path, most).unwrap_or(FileContent::Unreadable)
    }

    fn expand(&self, pattern: &str) -> Option<Vec<String>> {
        // A path with a drive is none of this machine where there are no drives.
        let is_foreign = !pattern.starts_with('/') && std::path::MAIN_SEPARATOR == '/';
        if is_foreign || SPECIAL_DIRECTORIES.iter().any(|start| pattern.starts_with(start)) {
            return None;
        }
        expand::expand(pattern)
    }

    fn path_variable(&self, name: &str) -> Option<String> {
        env_path(name)
    }

    fn repository(&self, directory: &str) -> Result<Option<RepositoryState>, UnknownRepository> {
        git::state::read(Path::new(directory)).map_err(|error| UnknownRepository(error.to_string()))
    }

    fn divergence(&self, directory: &str) -> Result<Option<Divergence>, UnknownRepository> {
        git::state::divergence(Path::new(directory)).map_err(|error| UnknownRepository(error.to_string()))
    }

    fn is_absent(&self, path: &str) -> bool {
        let is_missing = |path: &Path| {
            let error = fs::symlink_metadata(path).err();
            error.is_some_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
        };
        let path = Path::new(path);
        // A directory that cannot be read says nothing about what is in it.
        let above = path.ancestors().skip(1).find(|directory| !is_missing(directory));
        let is_readable =
            |directory: &Path| fs::metadata(directory).is_ok_and(|it| it.is_file()) || fs::read_dir(directory).is_ok();
        is_missing(path) && above.is_some_and(is_readable)
    }

    fn is_directory(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn walk(&self, directory: &str, filter: &TreeFilter, most: usize) -> Option<Vec<String>> {
        tree::walk(directory, filter, most)
    }

    fn program(&self, name: &str) -> ProgramLocation {
        program_location(name)
    }

    fn checkout(&self, directory: &str) -> Option<Checkout> {
        git::checkout::checkout(Path::new(directory)).ok()
    }

    fn head_commit(&self, directory: &str) -> Option<String> {
        git::checkout::head_commit(Path::new(directory)).ok().flatten()
    }

    fn changed_since(&self, directory: &str, commit: &str, is_chosen: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
        git::checkout::changed_since(Path::new(directory), commit, is_chosen).ok()
    }

    fn revision_files(&self, directory: &str, revision: &str) -> RevisionFiles {
        git::checkout::revision_files(Path::new(directory), revision)
    }

    fn losses(&self, change: &Change) -> Vec<Loss> {
        git::loss::losses(change)
    }
}

fn read_content(path: &str, most: usize) -> std::io::Result<FileContent> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Ok(FileContent::Unreadable);
    }
    let is_large = usize::try_from(metadata.len()).is_ok_and(|length| length > most);
    let bound = if is_large { 512 } else { most.saturating_add(1) };
    let mut bytes = Vec::new();
    file.take(u64::try_from(bound).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    Ok(if is_binary(&bytes) {
        FileContent::Binary
    } else if is_large || bytes.len() > most {
        FileContent::TooLarge
    } else {
        // A shell steps over zero bytes behind the first line.
        bytes.retain(|byte| *byte != 0);
        FileContent::Text(String::from_utf8_lossy(&bytes).into_owned())
    })
}

/// Returns whether a file is no text, as a shell tells it: by its beginning.
fn is_binary(bytes: &[u8]) -> bool {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    MAGIC.iter().any(|magic| bytes.starts_with(magic)) || (!bytes.starts_with(b"#!") && first.contains(&0))
}

#[cfg(test)]
mod tests {
    use super::{LocalMachine, is_binary, read_content};
    use crate::domain::facts::script::FileSystem;
    use crate::domain::shell::FileContent;

    #[test]
    fn programs_are_told_from_texts_as_a_shell_does() {
        for (bytes, program) in [
            (&b"\x7fELF\x02"[..], true),
            (b"ls\0\nls", true),
            (b"ls\nrm\0 x", false),
            (b"#!/bin/sh\0\nls", false),
            (b"", false),
        ] {
            assert_eq!(is_binary(bytes), program, "{bytes:?}");
        }
    }

    #[test]
    fn only_ordinary_files_are_read_and_only_so_far() {
        let path = std::env::temp_dir().join(format!("ruleward-machine-{}", std::process::id()));
        let text = path.to_str().unwrap();
        std::fs::write(&path, b"ls \xff\nrm\0 x\n").unwrap();
        assert_eq!(read_content(text, 64).unwrap(), FileContent::Text("ls \u{fffd}\nrm x\n".into()));
        assert_eq!(LocalMachine.read(text, 4), FileContent::TooLarge);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(LocalMachine.read(text, 4), FileContent::Missing);
        let directory = std::env::temp_dir();
        assert_eq!(LocalMachine.read(directory.to_str().unwrap(), 4), FileContent::Unreadable);
        assert_eq!(LocalMachine.read("/dev/zero", 4), FileContent::Unreadable);
    }

    #[test]
    fn only_what_is_certainly_not_there_is_absent() {
        let directory = std::env::temp_dir().join(format!("ruleward-absent-{}", std::process::id()));
        let path = |name: &str| directory.join(name).to_str().unwrap().to_owned();
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(path("a"), "").unwrap();
        let found = ["a", "b", "a/b", "b/c", "."].map(|name| LocalMachine.is_absent(&path(name)));
        std::fs::remove_dir_all(&directory).unwrap();
        assert_eq!(found, [false, true, true, true, false]);
    }
}
