//! The exceptions that a user has granted: a small file for each, in the user's own directory.
//!
//! A file is taken by renaming it, which of any number of hooks exactly one can do. What a call does
//! enters as a hash under a key of this machine alone, so that neither a grant nor the audit log
//! tells what was in it. Nothing here is opened unless something was refused or asked.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::domain::decide::exception::Exceptions;
use crate::io::audit::RecordId;
use crate::io::files::{self, FileError, digest};
use crate::io::platform::Platform;
use crate::io::trust;

/// Bytes that a grant may have.
const MAX_BYTES: u64 = 1 << 20;
/// The version of the grants' form.
const VERSION: u32 = 1;
/// The ending of the grants' names.
const FILE_SUFFIX: &str = ".json";
/// The name of the key.
const KEY_FILE: &str = "key";
/// Digits of a hash that are kept.
const HASH_DIGITS: usize = 32;

/// An exception.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    version: u32,
    /// Its name.
    pub id: String,
    /// When it was granted: RFC 3339, in UTC.
    pub at: String,
    /// When it ends; never when there is no time.
    pub until: Option<String>,
    /// Whether it is good for one call.
    pub once: bool,
    /// The session that it is good for; any when there is none.
    pub session: Option<String>,
    /// The rules that it lifts.
    pub rules: Vec<String>,
    /// The hashes of what it lets pass, one for each host that would report it differently.
    pub effects: Vec<String>,
    /// What that is, in words without secrets.
    pub about: String,
}

/// How long and how often an exception holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantScope {
    /// How long; for good when there is no time.
    pub duration: Option<Duration>,
    /// Whether for one call.
    pub once: bool,
    /// The one session, if it is for one.
    pub session: Option<String>,
}

impl Grant {
    /// Returns a new exception.
    pub fn new(span: GrantScope, rules: Vec<String>, effects: Vec<String>, about: String) -> Self {
        let now = SystemTime::now();
        let until = span.duration.map(|time| now.checked_add(time).unwrap_or(now));
        let text = |time| humantime::format_rfc3339_seconds(time).to_string();
        Self {
            version: VERSION,
            id: RecordId::new().as_str().to_owned(),
            at: text(now),
            until: until.map(text),
            once: span.once,
            session: span.session,
            rules,
            effects,
            about,
        }
    }

    /// Returns whether it was granted later than now: the clock was set back, and when it ends cannot be known.
    fn is_in_future(&self) -> bool {
        humantime::parse_rfc3339(&self.at).map_or(true, |at| at > SystemTime::now())
    }

    /// Returns whether it holds for every call of every session.
    const fn is_lasting(&self) -> bool {
        !self.once && self.session.is_none()
    }

    /// Returns whether its time is over.
    pub fn is_expired(&self) -> bool {
        let ended = |until: &String| humantime::parse_rfc3339(until).map_or(true, |until| until < SystemTime::now());
        self.until.as_ref().is_some_and(ended)
    }
}

/// Why an exception cannot be used or kept.
#[derive(Debug)]
pub enum ExceptionError {
    /// The store may have come with the project.
    InsideProject(PathBuf),
    /// A file of the store could not be read or written.
    File(FileError),
    /// The key is not there, although it was just made.
    MissingKey(PathBuf),
    /// The key has not the length of one.
    CorruptKey(PathBuf),
    /// The exception is not JSON of the right form.
    Corrupt {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The exception is of another version.
    NotOurs(PathBuf),
    /// The exception was granted later than now, by this clock.
    InFuture(PathBuf),
    /// An exception could not be put into JSON.
    NotEncoded(serde_json::Error),
}

impl fmt::Display for ExceptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InsideProject(path) => write!(f, "{} is in the project that it applies to", path.display()),
            Self::File(error) => error.fmt(f),
            Self::MissingKey(path) => write!(f, "{} is not there", path.display()),
            Self::CorruptKey(path) => write!(f, "{} is not whole", path.display()),
            Self::Corrupt { path, source } => write!(f, "{} is damaged: {source}", path.display()),
            Self::NotOurs(path) => write!(f, "{} was not written by this ruleward", path.display()),
            Self::InFuture(path) => write!(f, "{} has a date in the future", path.display()),
            Self::NotEncoded(error) => error.fmt(f),
        }
    }
}

impl Error for ExceptionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Corrupt { source, .. } => Some(source),
            Self::NotEncoded(error) => Some(error),
            Self::InsideProject(_)
            | Self::MissingKey(_)
            | Self::CorruptKey(_)
            | Self::NotOurs(_)
            | Self::InFuture(_) => None,
        }
    }
}

/// Where exceptions are kept and asked for.
#[derive(Debug, Clone)]
pub struct ExceptionStore {
    directory: PathBuf,
    project: Option<String>,
    home: Option<String>,
}

impl Exceptions for ExceptionStore {
    fn seal(&self, fingerprint: &str) -> Option<String> {
        self.effect_hash(fingerprint).ok()
    }

    fn consume(&self, rules: &BTreeSet<&str>, sealed: &str, session: Option<&str>) -> Vec<String> {
        self.consume_for(rules, sealed, session).unwrap_or_default()
    }
}

/// The exceptions that hold for every call of every session. They are not used up.
#[derive(Debug, Clone)]
pub struct LastingExceptions(ExceptionStore);

impl LastingExceptions {
    /// Returns those of a store; `None` when it has none.
    pub fn of(store: ExceptionStore) -> Option<Self> {
        let exists = store.list().0.iter().any(Grant::is_lasting);
        exists.then_some(Self(store))
    }
}

impl Exceptions for LastingExceptions {
    fn seal(&self, fingerprint: &str) -> Option<String> {
        self.0.seal(fingerprint)
    }

    fn consume(&self, rules: &BTreeSet<&str>, sealed: &str, _: Option<&str>) -> Vec<String> {
        let needed = self.0.needed_grants(rules, sealed, Grant::is_lasting);
        needed.unwrap_or_default().into_iter().map(|(_, grant)| grant.id).collect()
    }
}

impl ExceptionStore {
    /// Returns the exception store for what happens in a project; `None` when the user has no directory.
    pub fn open(surroundings: &Platform, project: Option<&str>) -> Option<Self> {
        let directory = trust::state_subdirectory(surroundings, "exceptions")?;
        Some(Self { directory, project: project.map(ToOwned::to_owned), home: surroundings.home.clone() })
    }

    /// Returns the hash of what a call does, under the key of this machine.
    ///
    /// # Errors
    /// Returns why there is no key, or none that can be trusted.
    pub fn effect_hash(&self, essence: &str) -> Result<String, ExceptionError> {
        if trust::is_inside_project(&self.directory, self.project.as_deref(), self.home.as_deref()) {
            return Err(ExceptionError::InsideProject(self.directory.clone()));
        }
        let inner = digest::sha256(essence.as_bytes());
        let mut outer = digest::sha256(format!("{}{inner}", self.load_or_create_key()?).as_bytes());
        outer.truncate(HASH_DIGITS);
        Ok(outer)
    }

    /// Uses the exceptions that lift these rules for a call, and returns their names; `None` when
    /// there are none, or another call has been faster.
    pub fn consume_for(&self, rules: &BTreeSet<&str>, effect: &str, session: Option<&str>) -> Option<Vec<String>> {
        let is_usable = |grant: &Grant| grant.session.as_deref().is_none_or(|wanted| Some(wanted) == session);
        let needed = self.needed_grants(rules, effect, is_usable)?;
        needed.into_iter().map(|(path, grant)| (!grant.once || consume_file(&path)).then_some(grant.id)).collect()
    }

    /// Returns the usable exceptions that together lift these rules for a call; `None` when there are none.
    fn needed_grants(
        &self,
        rules: &BTreeSet<&str>,
        effect: &str,
        is_usable: impl Fn(&Grant) -> bool,
    ) -> Option<Vec<(PathBuf, Grant)>> {
        let mut grants = self.read_grants().0;
        grants.retain(|(_, grant)| grant.effects.iter().any(|known| known == effect) && is_usable(grant));
        // What can be used again is used first.
        grants.sort_by(|(_, one), (_, other)| {
            (one.once, &one.until, &one.id).cmp(&(other.once, &other.until, &other.id))
        });
        let mut left = rules.clone();
        let needed: Vec<(PathBuf, Grant)> = grants
            .into_iter()
            .filter(|(_, grant)| {
                let number = left.len();
                left.retain(|rule| !grant.rules.iter().any(|lifted| lifted == rule));
                left.len() < number
            })
            .collect();
        (!needed.is_empty() && left.is_empty()).then_some(needed)
    }

    /// Keeps an exception.
    ///
    /// # Errors
    /// Returns what could not be written.
    pub fn save(&self, grant: &Grant) -> Result<(), ExceptionError> {
        let text = serde_json::to_string(grant).map_err(ExceptionError::NotEncoded)?;
        let path = self.directory.join(format!("{}{FILE_SUFFIX}", grant.id));
        files::write_private(&path, text.as_bytes()).map_err(ExceptionError::File)
    }

    /// Takes an exception back. Returns false when there is none of that name.
    pub fn revoke(&self, id: &str) -> bool {
        let found = self.read_grants().0.into_iter().find(|(_, grant)| grant.id == id);
        found.is_some_and(|(path, _)| consume_file(&path))
    }

    /// Returns the exceptions that hold, and why some files are not trusted.
    pub fn list(&self) -> (Vec<Grant>, Vec<ExceptionError>) {
        let (grants, doubts) = self.read_grants();
        let mut grants: Vec<Grant> = grants.into_iter().map(|(_, grant)| grant).collect();
        grants.sort_by(|one, other| one.until.cmp(&other.until));
        (grants, doubts)
    }

    /// Reads what is there. What is over goes.
    fn read_grants(&self) -> (Vec<(PathBuf, Grant)>, Vec<ExceptionError>) {
        let (mut grants, mut doubts) = (Vec::new(), Vec::new());
        if !self.directory.is_dir() {
            return (grants, doubts);
        }
        for path in files::list_recursive(&self.directory, FILE_SUFFIX).unwrap_or_default() {
            match read_grant(&path) {
                Ok(Some(grant)) if grant.is_expired() => {
                    consume_file(&path);
                }
                Ok(Some(grant)) if grant.until.is_some() && grant.is_in_future() => {
                    doubts.push(ExceptionError::InFuture(path));
                }
                Ok(Some(grant)) => grants.push((path, grant)),
                Ok(None) => {}
                Err(why) => doubts.push(why),
            }
        }
        (grants, doubts)
    }

    /// Returns the key, and makes it first if need be.
    fn load_or_create_key(&self) -> Result<String, ExceptionError> {
        let path = self.directory.join(KEY_FILE);
        if let Some(key) = files::read_private(&path, 1024).map_err(ExceptionError::File)? {
            return parse_key(&path, key);
        }
        let fresh = random_hex();
        files::write_private(&path, fresh.as_bytes()).map_err(ExceptionError::File)?;
        // Another hook may have been faster.
        let kept = files::read_private(&path, 1024).map_err(ExceptionError::File)?;
        let kept = kept.ok_or_else(|| ExceptionError::MissingKey(path.clone()))?;
        parse_key(&path, kept)
    }
}

/// Reads a key.
fn parse_key(path: &Path, key: Vec<u8>) -> Result<String, ExceptionError> {
    let key = String::from_utf8(key).ok().filter(|key| key.len() == 64);
    key.ok_or_else(|| ExceptionError::CorruptKey(path.to_owned()))
}

/// Takes a file away. Of several that try, one succeeds.
fn consume_file(path: &Path) -> bool {
    let aside = path.with_extension(format!("{}.used", std::process::id()));
    let mine = std::fs::rename(path, &aside).is_ok();
    if mine {
        // It means nothing under this name; that it could not be removed changes nothing.
        let _left = std::fs::remove_file(&aside);
    }
    mine
}

fn read_grant(path: &Path) -> Result<Option<Grant>, ExceptionError> {
    let Some(text) = files::read_private(path, MAX_BYTES).map_err(ExceptionError::File)? else { return Ok(None) };
    let grant: Grant =
        serde_json::from_slice(&text).map_err(|source| ExceptionError::Corrupt { path: path.to_owned(), source })?;
    if grant.version != VERSION {
        return Err(ExceptionError::NotOurs(path.to_owned()));
    }
    Ok(Some(grant))
}

/// Returns 64 hexadecimal digits that nobody can guess.
fn random_hex() -> String {
    // Its keys come from the system's source of randomness.
    let state = RandomState::new();
    let part = |number: u8| {
        let mut hasher = state.build_hasher();
        hasher.write_u8(number);
        format!("{:016x}", hasher.finish())
    };
    (0..4).map(part).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use super::{ExceptionStore, Grant, GrantScope};

    fn desk() -> ExceptionStore {
        let name = format!("ruleward-desk-{}-{:?}", std::process::id(), std::thread::current().id());
        let directory = std::env::temp_dir().join(name);
        let _gone = std::fs::remove_dir_all(&directory);
        ExceptionStore { directory, project: None, home: None }
    }

    fn grant(rules: &[&str], once: bool, session: Option<&str>, seconds: u64) -> Grant {
        let span =
            GrantScope { duration: Some(Duration::from_secs(seconds)), once, session: session.map(ToOwned::to_owned) };
        let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
        Grant::new(span, rules, vec!["e".into()], String::new())
    }

    fn rules<'r>(rules: &[&'r str]) -> BTreeSet<&'r str> {
        rules.iter().copied().collect()
    }

    #[test]
    fn seals_are_of_this_machine() {
        let (one, other) =
            (desk(), ExceptionStore { directory: desk().directory.with_extension("2"), project: None, home: None });
        assert_eq!(one.effect_hash("1").unwrap(), one.effect_hash("1").unwrap());
        assert_ne!(one.effect_hash("1").unwrap(), one.effect_hash("2").unwrap());
        assert_ne!(one.effect_hash("1").unwrap(), other.effect_hash("1").unwrap());
        for desk in [one, other] {
            std::fs::remove_dir_all(desk.directory).unwrap();
        }
    }

    #[test]
    fn what_is_granted_is_what_passes() {
        let desk = desk();
        let take = |wanted: &[&str], effect: &str, session| desk.consume_for(&rules(wanted), effect, session).is_some();
        assert!(!take(&["a"], "e", None));
        desk.save(&grant(&["a"], true, None, 60)).unwrap();
        assert!(!take(&["a", "b"], "e", None), "it does not lift all");
        assert!(!take(&["a"], "f", None), "it is for something else");
        assert!(take(&["a"], "e", Some("s")));
        assert!(!take(&["a"], "e", None), "it was for one call");

        desk.save(&grant(&["a"], false, Some("s"), 60)).unwrap();
        assert!(!take(&["a"], "e", Some("t")) && take(&["a"], "e", Some("s")) && take(&["a"], "e", Some("s")));
        desk.save(&grant(&["b"], true, None, 60)).unwrap();
        assert!(take(&["a", "b"], "e", Some("s")), "two lift more than one");
        assert!(take(&["a"], "e", Some("s")) && !take(&["a", "b"], "e", Some("s")));

        let over = Grant { until: Some("2020-01-01T00:00:00Z".into()), ..grant(&["c"], false, None, 60) };
        desk.save(&over).unwrap();
        assert!(!take(&["c"], "e", None));
        assert_eq!(desk.list().0.len(), 1, "what is over is gone");
        let id = desk.list().0[0].id.clone();
        assert!(desk.revoke(&id) && !desk.revoke(&id) && !take(&["a"], "e", Some("s")));
        std::fs::remove_dir_all(&desk.directory).unwrap();
    }

    #[test]
    fn one_of_many_gets_what_is_for_one() {
        let desk = desk();
        desk.save(&grant(&["a"], true, None, 60)).unwrap();
        let took = std::thread::scope(|scope| {
            let all: Vec<_> =
                (0..16).map(|_| scope.spawn(|| desk.consume_for(&rules(&["a"]), "e", None).is_some())).collect();
            all.into_iter().map(|one| one.join().unwrap()).filter(|took| *took).count()
        });
        assert_eq!(took, 1);
        std::fs::remove_dir_all(&desk.directory).unwrap();
    }
}
