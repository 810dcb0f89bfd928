//! Paths of Windows: drives, and the names of directories.
//!
//! Some of it holds on every platform, because a call may name a path of Windows there too: in WSL, in PowerShell, or
//! where it is judged for another machine.

/// How the home directory and directories in it are written, and what they are in it.
pub(super) const HOME_HEADS: &[(&str, &str)] = &[
    ("~", ""),
    ("$HOME", ""),
    ("${HOME}", ""),
    ("%USERPROFILE%", ""),
    ("$env:USERPROFILE", ""),
    ("$USERPROFILE", ""),
    ("${USERPROFILE}", ""),
    ("$HOMEDRIVE$HOMEPATH", ""),
    ("C:/Users/$USERNAME", ""),
    ("$APPDATA", "/AppData/Roaming"),
    ("$LOCALAPPDATA", "/AppData/Local"),
];

/// Returns the letter of a drive at the beginning of a path, and the rest.
pub(super) fn split_drive(path: &str) -> Option<(char, &str)> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    (characters.next() == Some(':')).then_some((letter, characters.as_str()))
}

/// Returns whether a path begins at the root of a drive, which no ordinary path of another platform does.
pub(super) fn has_drive_root(path: &str) -> bool {
    split_drive(path).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with(['/', '\\']))
}

/// Returns an absolute pattern without its drive, when another one names none: that one holds on every disk.
pub(super) fn without_foreign_drive<'p>(pattern: &'p str, other: &str) -> &'p str {
    let is_foreign = has_drive_root(pattern) && !has_drive_root(other);
    pattern.get(if is_foreign { 2 } else { 0 }..).unwrap_or_default()
}

/// Returns the drive of a path in the spelling of the shells that come with git: `/c/Users`.
pub(super) fn split_drive_directory(path: &str) -> Option<(char, &str)> {
    let rest = path.strip_prefix("/cygdrive/").or_else(|| path.strip_prefix('/'))?;
    let mut characters = rest.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    let rest = characters.as_str();
    (rest.is_empty() || rest.starts_with('/')).then_some((letter, rest))
}
