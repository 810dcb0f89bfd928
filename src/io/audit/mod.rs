//! The record of what was decided: JSON Lines, append only, without any secret.
//!
//! One object per event, under names of OpenTelemetry where it has them, so that any collector of
//! log files ships it. `entry` makes the object, `chain` puts it into the file so that nobody can
//! change the past unseen, `read` finds it again. A record that cannot be written never changes an
//! answer.

mod chain;
mod entry;
mod read;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

use super::platform::Surroundings;
use super::policy::discover;
use crate::domain::decide::Outcome;
use crate::domain::policy::AuditLevel;
use crate::domain::rule::Mode;
use crate::domain::secret::Own;

pub use chain::{Broken, Verified, verify};
pub use read::{Decided, Entry, about, entries, files, follow};

/// The letters of an id: none that is easily taken for another.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// What is known of an event besides what was decided.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// The record's name.
    pub id: &'a Id,
    /// The host.
    pub host: &'a str,
    /// The neutral moment.
    pub moment: &'a str,
    /// What the host sent.
    pub payload: &'a Map<String, Value>,
    /// The detectors of secrets that the policy brings.
    pub detectors: &'a Own,
    /// How long the judgement took.
    pub took: Duration,
    /// The hash of what was done, when a person may let it pass.
    pub effect: Option<&'a str>,
}

/// The name of a record: eight letters and digits, as good as never given twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Id(String);

impl Id {
    /// Makes a new name.
    pub fn new() -> Self {
        // Every state of this kind is seeded by the system's source of randomness.
        let mut bits = RandomState::new().build_hasher().finish();
        let mut text = String::with_capacity(8);
        for _ in 0..8 {
            let letter = usize::try_from(bits & 31).ok().and_then(|at| LETTERS.get(at)).copied().unwrap_or(b'0');
            text.push(char::from(letter));
            bits >>= 5;
        }
        Self(text)
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Id {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the file that records go to.
pub fn path(surroundings: &Surroundings) -> Option<PathBuf> {
    discover::state_directory(surroundings).map(|directory| surroundings.join(&directory, &["audit.jsonl"]).into())
}

/// Tells whether an event is to be recorded.
pub fn is_wanted(level: AuditLevel, outcome: &Outcome) -> bool {
    let on_trial = || outcome.findings.iter().any(|finding| finding.mode == Mode::Monitor);
    match level {
        AuditLevel::Off => false,
        AuditLevel::Rules => !outcome.verdict.audit.is_empty() || on_trial(),
        AuditLevel::Decisions => !outcome.verdict.is_silent() || !outcome.ran.is_empty() || on_trial(),
        AuditLevel::Everything => true,
    }
}

/// Records an event.
///
/// # Errors
/// Returns what could not be written, for people.
pub fn record(surroundings: &Surroundings, event: Event<'_>, outcome: &Outcome) -> Result<(), String> {
    let Some(path) = path(surroundings) else { return Err("there is no directory for the audit log".into()) };
    chain::append(&path, entry::of(event, outcome))
}

/// Records that a person has granted an exception; `text` says what for, without secrets.
///
/// # Errors
/// Returns what could not be written, for people.
pub fn granted(
    surroundings: &Surroundings,
    id: &str,
    session: Option<&str>,
    rules: &[String],
    text: &str,
) -> Result<(), String> {
    let Some(path) = path(surroundings) else { return Err("there is no directory for the audit log".into()) };
    chain::append(&path, entry::granted(id, session, rules, text))
}

#[cfg(test)]
mod tests {
    use super::Id;

    #[test]
    fn ids_are_short_and_differ() {
        let ids: Vec<Id> = (0..100).map(|_| Id::new()).collect();
        assert!(
            ids.iter()
                .all(|id| id.as_str().len() == 8 && id.as_str().bytes().all(|byte| super::LETTERS.contains(&byte)))
        );
        assert!(ids.iter().enumerate().all(|(at, id)| !ids[..at].contains(id)));
    }
}
