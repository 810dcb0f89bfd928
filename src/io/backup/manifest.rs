//! What a backup says of itself.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What a backup is about.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Header {
    /// Its id.
    pub id: String,
    /// When it was taken, in milliseconds since 1970.
    pub time: u64,
    /// How many seconds it is kept.
    pub keep: u64,
    /// The host whose call it is about.
    pub host: String,
    /// The session, if it is known.
    pub session: Option<String>,
    /// The host's id of the call, if it is known.
    pub call: Option<String>,
    /// What the call does.
    pub about: String,
    /// The project's directory.
    pub project: String,
    /// The number of files and references in it.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// The backup whose restoration replaced what is in this one.
    pub restored: Option<String>,
}

/// What is in a backup.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct Manifest {
    /// Files, links and directories; a directory is before what is in it.
    pub entries: Vec<Entry>,
    /// What only the index of a repository has.
    pub staged: Vec<StagedEntry>,
    /// References.
    pub references: Vec<ReferenceEntry>,
}

/// A file, a link or a directory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Entry {
    /// The absolute path; no directory in it was a link.
    pub path: PathBuf,
    /// What it is.
    pub content: Content,
    /// The permissions, as the platform numbers them.
    pub mode: u32,
    /// When it was last written, in nanoseconds since 1970.
    pub modified: i64,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// A directory.
    Directory,
    /// A symbolic link, with its target.
    Link(String),
    /// A file.
    File {
        /// The number of its content.
        number: u32,
        /// Its size in bytes.
        size: u64,
        /// Whether the content is the file itself under a second name.
        linked: bool,
    },
}

/// A file as the index has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct StagedEntry {
    /// The root of the working tree.
    pub root: PathBuf,
    /// The path from there, with slashes.
    pub path: String,
    /// The mode in the index.
    pub mode: u32,
    /// The number of its content.
    pub number: u32,
}

/// A reference, and the one that keeps its object.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct ReferenceEntry {
    /// The directory of git's files.
    pub git_dir: PathBuf,
    /// The root of the working tree.
    pub root: PathBuf,
    /// Its full name, or `HEAD`.
    pub name: String,
    /// The object that it led to.
    pub object: String,
    /// The full name of the reference that keeps the object.
    pub kept: String,
}
