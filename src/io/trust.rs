//! Which projects the user trusts: one record for each, of exactly the texts that were reviewed.
//!
//! A record is in the user's own state directory, named after the project's root, and is
//! trusted only when nobody else can have written it. Whatever differs from what was recorded, in
//! text, in number or in place, is not trusted.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::domain::layer::Trust;
use crate::io::files::{self, FileAction, FileError, digest};
use crate::io::platform::Platform;

/// Bytes that a record may have: the texts of a project's policy files, and a little more.
const MAX_BYTES: u64 = 64 << 20;
/// The version of the records' form.
const VERSION: u32 = 1;
/// The directory of the records.
const DIRECTORY: &str = "trust";
/// The ending of the records' names.
const FILE_SUFFIX: &str = ".json";

/// By what a load goes when it comes to trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TrustBasis {
    /// By what a user has recorded.
    #[default]
    Records,
    /// As if a user had just trusted what is there: to see what that would come to.
    Assumed,
}

/// Whether the user trusts what a project brings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TrustStatus {
    /// There is nothing to trust.
    #[default]
    NotApplicable,
    /// Nobody has looked at it.
    Untrusted,
    /// It was trusted, and has changed since.
    Changed,
    /// It is trusted as it is.
    Trusted,
    /// There is a record that cannot be trusted, and why.
    Invalid(String),
}

impl TrustStatus {
    /// Returns what a layer of the project may do.
    pub const fn trust(&self) -> Trust {
        match self {
            Self::Trusted => Trust::Trusted,
            Self::NotApplicable | Self::Untrusted | Self::Changed | Self::Invalid(_) => Trust::Untrusted,
        }
    }

    /// Returns its name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NotApplicable => "nothing",
            Self::Untrusted => "untrusted",
            Self::Changed => "changed",
            Self::Trusted => "trusted",
            Self::Invalid(_) => "doubtful",
        }
    }
}

/// Why a record of trust cannot be used.
#[derive(Debug)]
pub enum TrustError {
    /// The user has no directory for records.
    NoDirectory,
    /// The record could not be read, written or removed.
    File(FileError),
    /// The record is of another project.
    OtherProject(PathBuf),
    /// The record may have come with the project.
    InsideProject(PathBuf),
    /// The record is not JSON of the right form.
    Corrupt {
        /// The record.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The record is of another version, or was changed.
    NotOurs(PathBuf),
    /// A record could not be put into JSON.
    NotEncoded(serde_json::Error),
}

impl fmt::Display for TrustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDirectory => f.write_str("no directory for trust records"),
            Self::File(error) => error.fmt(f),
            Self::OtherProject(path) => write!(f, "{} is for another project", path.display()),
            Self::InsideProject(path) => write!(f, "{} is in the project that it trusts", path.display()),
            Self::Corrupt { path, source } => write!(f, "{} is damaged: {source}", path.display()),
            Self::NotOurs(path) => write!(f, "{} was not written by this ruleward", path.display()),
            Self::NotEncoded(error) => error.fmt(f),
        }
    }
}

impl Error for TrustError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Corrupt { source, .. } => Some(source),
            Self::NotEncoded(error) => Some(error),
            Self::NoDirectory | Self::OtherProject(_) | Self::InsideProject(_) | Self::NotOurs(_) => None,
        }
    }
}

/// A policy file that a project brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// What was trusted of one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustRecord {
    version: u32,
    /// The project's root, with links followed.
    pub root: String,
    /// When: RFC 3339, in UTC.
    pub at: String,
    /// The policy files, in order.
    pub files: Vec<TrustedFile>,
}

/// A policy file as it was trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustedFile {
    /// Its path, from the root where it is below it.
    pub path: String,
    /// The SHA-256 of its text.
    pub sha256: String,
    /// Its text.
    pub text: String,
}

impl TrustRecord {
    /// Returns the record of texts, as of now.
    pub fn new(root: &str, files: &[ProjectFile<'_>]) -> Self {
        let at = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let one = |file: &ProjectFile<'_>| TrustedFile {
            path: relative_path(root, file.path).to_owned(),
            sha256: digest::sha256(file.text.as_bytes()),
            text: file.text.to_owned(),
        };
        let mut files: Vec<TrustedFile> = files.iter().map(one).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Self { version: VERSION, root: canonical_path(root), at, files }
    }

    /// Returns one hash over all files.
    pub fn fingerprint(&self) -> String {
        let lines: Vec<String> = self.files.iter().map(|file| format!("{}  {}\n", file.sha256, file.path)).collect();
        digest::sha256(lines.concat().as_bytes())
    }

    /// Returns whether these are the texts.
    fn matches(&self, root: &str, files: &[ProjectFile<'_>]) -> bool {
        let holds = |file: &ProjectFile<'_>| {
            let trusted = self.files.iter().find(|trusted| trusted.path == relative_path(root, file.path));
            trusted.is_some_and(|trusted| trusted.text == file.text)
        };
        self.files.len() == files.len() && files.iter().all(holds)
    }
}

/// Returns whether the user trusts what a project brings.
pub fn trust_status(surroundings: &Platform, root: &str, files: &[ProjectFile<'_>]) -> TrustStatus {
    if files.is_empty() {
        return TrustStatus::NotApplicable;
    }
    match load_record(surroundings, root) {
        Ok(Some(record)) if record.matches(root, files) => TrustStatus::Trusted,
        Ok(Some(_)) => TrustStatus::Changed,
        Ok(None) => TrustStatus::Untrusted,
        Err(error) => TrustStatus::Invalid(error.to_string()),
    }
}

/// Returns what was trusted of a project, if something was.
///
/// # Errors
/// Returns why the record cannot be trusted.
pub fn load_record(surroundings: &Platform, root: &str) -> Result<Option<TrustRecord>, TrustError> {
    let Some(path) = record_path(surroundings, root) else { return Ok(None) };
    let Some(record) = read_record(&path)? else { return Ok(None) };
    if record.root != canonical_path(root) {
        return Err(TrustError::OtherProject(path));
    }
    if is_inside_project(&path, Some(root), surroundings.home.as_deref()) {
        return Err(TrustError::InsideProject(path));
    }
    Ok(Some(record))
}

/// Returns a directory of the user's state.
pub fn state_subdirectory(surroundings: &Platform, name: &str) -> Option<PathBuf> {
    surroundings.state_dir().map(|state| surroundings.join(state, &[name]).into())
}

/// Returns whether a project may have brought a file of the user's state itself: the environment
/// says where that is, and a project's own settings may set it.
pub fn is_inside_project(path: &Path, project: Option<&str>, home: Option<&str>) -> bool {
    let Some(root) = project.map(canonical_path).filter(|root| home.map(canonical_path).as_ref() != Some(root)) else {
        return false;
    };
    // The file itself may not be there yet.
    let there = path.ancestors().find_map(|above| files::canonical_path(above).ok());
    there.is_some_and(|there| Path::new(&there).starts_with(root))
}

/// Records that a user trusts a project.
///
/// # Errors
/// Returns what could not be written.
pub fn save_record(surroundings: &Platform, record: &TrustRecord) -> Result<(), TrustError> {
    let path = record_path(surroundings, &record.root).ok_or(TrustError::NoDirectory)?;
    let text = serde_json::to_string(record).map_err(TrustError::NotEncoded)?;
    files::write_private(&path, text.as_bytes()).map_err(TrustError::File)
}

/// Takes trust back. Returns false when there was none.
///
/// # Errors
/// Returns what could not be removed.
pub fn revoke(surroundings: &Platform, root: &str) -> Result<bool, TrustError> {
    let Some(path) = record_path(surroundings, root) else { return Ok(false) };
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(TrustError::File(FileError::on(FileAction::Remove, &path)(error))),
    }
}

/// Returns every record that is there, by root, and why some cannot be trusted.
pub fn all_records(surroundings: &Platform) -> (Vec<TrustRecord>, Vec<TrustError>) {
    let Some(directory) = records_directory(surroundings) else { return (Vec::new(), Vec::new()) };
    let paths = files::list_recursive(&directory, FILE_SUFFIX).unwrap_or_default();
    let (mut records, mut doubts) = (Vec::new(), Vec::new());
    for path in paths {
        match read_record(&path) {
            Ok(record) => records.extend(record),
            Err(why) => doubts.push(why),
        }
    }
    records.sort_by(|one: &TrustRecord, other| one.root.cmp(&other.root));
    (records, doubts)
}

fn read_record(path: &Path) -> Result<Option<TrustRecord>, TrustError> {
    let Some(bytes) = files::read_private(path, MAX_BYTES).map_err(TrustError::File)? else { return Ok(None) };
    let read: Result<TrustRecord, _> = serde_json::from_slice(&bytes);
    let record = read.map_err(|source| TrustError::Corrupt { path: path.to_owned(), source })?;
    let whole = |file: &TrustedFile| file.sha256 == digest::sha256(file.text.as_bytes());
    if record.version != VERSION || !record.files.iter().all(whole) {
        return Err(TrustError::NotOurs(path.to_owned()));
    }
    Ok(Some(record))
}

fn records_directory(surroundings: &Platform) -> Option<PathBuf> {
    state_subdirectory(surroundings, DIRECTORY)
}

fn record_path(surroundings: &Platform, root: &str) -> Option<PathBuf> {
    let hash = digest::sha256(canonical_path(root).as_bytes());
    Some(records_directory(surroundings)?.join(format!("{}{FILE_SUFFIX}", hash.get(..32)?)))
}

/// Returns a path from the root, where it is below it: a project may be reached over a link.
pub fn relative_path<'p>(root: &str, path: &'p str) -> &'p str {
    let rest = path.strip_prefix(root).and_then(|rest| rest.strip_prefix(['/', '\\']));
    rest.unwrap_or(path)
}

/// Returns a path with links followed, or as it is when it leads nowhere.
fn canonical_path(path: &str) -> String {
    files::canonical_path(Path::new(path)).unwrap_or_else(|_| path.to_owned())
}
