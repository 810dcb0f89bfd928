//! Which projects a person trusts: one record for each, of the very texts that were looked at.
//!
//! A record stands in the person's own state directory, named after the project's root, and is
//! believed only when nobody else can have written it. Whatever differs from what was recorded, in
//! text, in number or in place, is not trusted.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::platform::Surroundings;
use super::policy::diagnostic::Source;
use super::policy::discover::state_directory;
use super::{digest, files};
use crate::domain::policy::Trust;

/// Bytes that a record may have: the texts of a project's policy files, and a little more.
const MOST_BYTES: u64 = 64 << 20;
/// The version of the records' form.
const VERSION: u32 = 1;
/// The directory of the records.
const DIRECTORY: &str = "trust";
/// The ending of the records' names.
const ENDING: &str = ".json";

/// By what a load goes when it comes to trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Basis {
    /// By what a person has recorded.
    #[default]
    Records,
    /// As if a person had just trusted what is there: to see what that would come to.
    Supposed,
}

/// How a person stands to what a project brings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Standing {
    /// There is nothing to trust.
    #[default]
    Nothing,
    /// Nobody has looked at it.
    Unknown,
    /// It was trusted, and has changed since.
    Changed,
    /// It is trusted as it stands.
    Trusted,
    /// There is a record that cannot be believed, and why.
    Doubtful(String),
}

impl Standing {
    /// Returns what a layer of the project may do.
    pub const fn trust(&self) -> Trust {
        match self {
            Self::Trusted => Trust::Given,
            Self::Nothing | Self::Unknown | Self::Changed | Self::Doubtful(_) => Trust::Withheld,
        }
    }

    /// Returns its name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Unknown => "untrusted",
            Self::Changed => "changed",
            Self::Trusted => "trusted",
            Self::Doubtful(_) => "doubtful",
        }
    }
}

/// What was trusted of one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    version: u32,
    /// The project's root, with links followed.
    pub root: String,
    /// When: RFC 3339, in UTC.
    pub at: String,
    /// The policy files, in order.
    pub files: Vec<Trusted>,
}

/// A policy file as it was trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trusted {
    /// Its path, from the root where it is below it.
    pub path: String,
    /// The SHA-256 of its text.
    pub sha256: String,
    /// Its text.
    pub text: String,
}

impl Record {
    /// Returns the record of texts, as of now.
    pub fn of(root: &str, sources: &[Arc<Source>]) -> Self {
        let at = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let one = |source: &Arc<Source>| Trusted {
            path: within(root, &source.name).to_owned(),
            sha256: digest::sha256(source.text.as_bytes()),
            text: source.text.clone(),
        };
        let mut files: Vec<Trusted> = sources.iter().map(one).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Self { version: VERSION, root: real(root), at, files }
    }

    /// Returns one hash over all files.
    pub fn fingerprint(&self) -> String {
        let lines: Vec<String> = self.files.iter().map(|file| format!("{}  {}\n", file.sha256, file.path)).collect();
        digest::sha256(lines.concat().as_bytes())
    }

    /// Tells whether these are the texts.
    fn covers(&self, root: &str, sources: &[Arc<Source>]) -> bool {
        let holds = |source: &Arc<Source>| {
            let file = self.files.iter().find(|file| file.path == within(root, &source.name));
            file.is_some_and(|file| file.text == source.text)
        };
        self.files.len() == sources.len() && sources.iter().all(holds)
    }
}

/// Returns how a person stands to what a project brings.
pub fn standing(surroundings: &Surroundings, root: &str, sources: &[Arc<Source>]) -> Standing {
    if sources.is_empty() {
        return Standing::Nothing;
    }
    match record(surroundings, root) {
        Ok(Some(record)) if record.covers(root, sources) => Standing::Trusted,
        Ok(Some(_)) => Standing::Changed,
        Ok(None) => Standing::Unknown,
        Err(why) => Standing::Doubtful(why),
    }
}

/// Returns what was trusted of a project, if something was.
///
/// # Errors
/// Returns why the record cannot be believed, for people.
pub fn record(surroundings: &Surroundings, root: &str) -> Result<Option<Record>, String> {
    let Some(path) = path_of(surroundings, root) else { return Ok(None) };
    let Some(record) = read(&path)? else { return Ok(None) };
    if record.root != real(root) {
        return Err(format!("{} is about another project", path.display()));
    }
    if is_within(&path, Some(root), surroundings.home.as_deref()) {
        return Err(format!("{} lies in the project that it speaks of", path.display()));
    }
    Ok(Some(record))
}

/// Returns a directory of the person's state.
pub fn own_directory(surroundings: &Surroundings, name: &str) -> Option<PathBuf> {
    state_directory(surroundings).map(|state| surroundings.join(&state, &[name]).into())
}

/// Tells whether a project may have brought a file of the person's state itself: the environment
/// says where that is, and a project's own settings may set it.
pub fn is_within(path: &Path, project: Option<&str>, home: Option<&str>) -> bool {
    let Some(root) = project.map(real).filter(|root| home.map(real).as_ref() != Some(root)) else { return false };
    // The file itself may not be there yet.
    let there = path.ancestors().find_map(|above| files::absolute(above).ok());
    there.is_some_and(|there| Path::new(&there).starts_with(root))
}

/// Records that a person trusts a project.
///
/// # Errors
/// Returns what could not be written, for people.
pub fn keep(surroundings: &Surroundings, record: &Record) -> Result<(), String> {
    let path = path_of(surroundings, &record.root).ok_or("there is no directory for records of trust")?;
    let text = serde_json::to_string(record).map_err(|error| error.to_string())?;
    files::write_private(&path, text.as_bytes())
}

/// Takes trust back. Returns false when there was none.
///
/// # Errors
/// Returns what could not be removed, for people.
pub fn revoke(surroundings: &Surroundings, root: &str) -> Result<bool, String> {
    let Some(path) = path_of(surroundings, root) else { return Ok(false) };
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(format!("{} could not be removed: {error}", path.display())),
    }
}

/// Returns every record that is there, by root, and why some cannot be believed.
pub fn all(surroundings: &Surroundings) -> (Vec<Record>, Vec<String>) {
    let Some(directory) = directory(surroundings) else { return (Vec::new(), Vec::new()) };
    let paths = files::ending(&directory, ENDING).unwrap_or_default();
    let (mut records, mut doubts) = (Vec::new(), Vec::new());
    for path in paths {
        match read(&path) {
            Ok(record) => records.extend(record),
            Err(why) => doubts.push(why),
        }
    }
    records.sort_by(|one: &Record, other| one.root.cmp(&other.root));
    (records, doubts)
}

fn read(path: &Path) -> Result<Option<Record>, String> {
    let Some(bytes) = files::read_private(path, MOST_BYTES)? else { return Ok(None) };
    let read: Result<Record, _> = serde_json::from_slice(&bytes);
    let record = read.map_err(|error| format!("{} is not whole: {error}", path.display()))?;
    let whole = |file: &Trusted| file.sha256 == digest::sha256(file.text.as_bytes());
    if record.version != VERSION || !record.files.iter().all(whole) {
        return Err(format!("{} is not what this ruleward wrote", path.display()));
    }
    Ok(Some(record))
}

fn directory(surroundings: &Surroundings) -> Option<PathBuf> {
    own_directory(surroundings, DIRECTORY)
}

fn path_of(surroundings: &Surroundings, root: &str) -> Option<PathBuf> {
    let hash = digest::sha256(real(root).as_bytes());
    Some(directory(surroundings)?.join(format!("{}{ENDING}", hash.get(..32)?)))
}

/// Returns a path from the root, where it is below it: a project may be reached over a link.
pub fn within<'p>(root: &str, path: &'p str) -> &'p str {
    let rest = path.strip_prefix(root).and_then(|rest| rest.strip_prefix(['/', '\\']));
    rest.unwrap_or(path)
}

/// Returns a path with links followed, or as it is when it leads nowhere.
fn real(path: &str) -> String {
    files::absolute(Path::new(path)).unwrap_or_else(|_| path.to_owned())
}
