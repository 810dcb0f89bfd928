//! The audit log of decisions: append-only JSON Lines without secrets.
//!
//! One object per event, under names of OpenTelemetry where it has them, so that any collector of
//! log files can ship it. `redacted_record` builds the object, `chain` appends it to the file so that
//! changes are detected, `read` reads it back. A record that cannot be written never changes an answer.

mod chain;
mod mirror;
mod read;
mod redacted_record;

use std::error::Error;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::domain::effect::EffectKind;
use crate::domain::policy::settings::AuditLevel;
use crate::domain::secret::CustomDetectors;
use crate::domain::severity::Mode;
use crate::domain::verdict::outcome::Outcome;
use crate::io::files::FileError;
use crate::io::platform::Platform;

pub use chain::{ChainBreak, ChainReport, verify};
pub use mirror::{LogState, MirroredLog, seal_directory};
pub use read::{AuditDecision, AuditRecord, follow_records, log_files, payload_summary, read_records};

/// The letters of an id: none that is easily taken for another.
const ID_ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// What is known of an event besides what was decided.
#[derive(Debug, Clone, Copy)]
pub struct AuditEvent<'a> {
    /// The record's name.
    pub id: &'a RecordId,
    /// The host.
    pub host: &'a str,
    /// The neutral kind of the event.
    pub kind: &'a str,
    /// What the host sent.
    pub payload: &'a Map<String, Value>,
    /// The detectors of secrets that the policy brings.
    pub detectors: &'a CustomDetectors,
    /// The values that rules have taken out of the event's texts.
    pub redacted: &'a [String],
    /// How long the judgment took.
    pub duration: Duration,
    /// The hash of what was done, when a user may let it pass.
    pub effect_hash: Option<&'a str>,
}

/// The name of a record: eight letters and digits, as good as never given twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordId(String);

impl RecordId {
    /// Makes a new name.
    pub fn new() -> Self {
        // Every state of this kind is seeded by the system's source of randomness.
        let mut bits = RandomState::new().build_hasher().finish();
        let mut text = String::with_capacity(8);
        for _ in 0..8 {
            let letter = usize::try_from(bits & 31).ok().and_then(|at| ID_ALPHABET.get(at)).copied().unwrap_or(b'0');
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

impl Default for RecordId {
    fn default() -> Self {
        Self::new()
    }
}

/// Why an event could not be recorded.
#[derive(Debug)]
pub enum AuditError {
    /// The user has no directory for what the program writes.
    NoDirectory,
    /// The file of records could not be written.
    File(FileError),
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDirectory => f.write_str("no directory for the audit log"),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl Error for AuditError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NoDirectory => None,
            Self::File(error) => Some(error),
        }
    }
}

/// Returns the file that records go to.
pub fn log_path(surroundings: &Platform) -> Option<PathBuf> {
    surroundings.state_dir().map(|directory| surroundings.join(directory, &["audit.jsonl"]).into())
}

/// Returns whether an event is to be recorded.
pub fn should_record(level: AuditLevel, outcome: &Outcome) -> bool {
    let on_trial = || outcome.findings.iter().any(|finding| finding.mode == Mode::Monitor);
    match level {
        AuditLevel::Off => false,
        AuditLevel::Rules => outcome.verdict.notes.has(EffectKind::Audit) || on_trial(),
        AuditLevel::Decisions => !outcome.verdict.is_empty() || !outcome.run_records.is_empty() || on_trial(),
        AuditLevel::Everything => true,
    }
}

/// Records an event.
///
/// # Errors
/// Returns what could not be written.
pub fn record_event(surroundings: &Platform, event: AuditEvent<'_>, outcome: &Outcome) -> Result<(), AuditError> {
    append(surroundings, redacted_record::event_record(event, outcome))
}

/// What a user agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantKind {
    /// An exception.
    Exception,
    /// The policy of a project.
    Trust,
    /// A registration that replaces another one.
    Install,
    /// That the hook is taken out.
    Uninstall,
    /// That what was remembered is forgotten.
    StateReset,
}

impl GrantKind {
    /// Returns the name of the event in the log.
    const fn event_name(self) -> &'static str {
        match self {
            Self::Exception => "ruleward.exception",
            Self::Trust => "ruleward.trust",
            Self::Install => "ruleward.install",
            Self::Uninstall => "ruleward.uninstall",
            Self::StateReset => "ruleward.state_reset",
        }
    }
}

/// Records what a user agreed to: its name, the session and the rules that it holds for, and a text without secrets.
///
/// # Errors
/// Returns what could not be written.
pub fn record_grant(
    surroundings: &Platform,
    kind: GrantKind,
    (id, session, rules): (&str, Option<&str>, &[String]),
    text: &str,
) -> Result<(), AuditError> {
    append(surroundings, redacted_record::grant_record(kind.event_name(), (id, session, rules), text))
}

/// A change of something that the guard depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegrityRecord {
    /// It was changed while no call was running, and is accepted.
    Changed,
    /// It was changed by a call.
    Tampered,
    /// The log or the seals were removed while no call was running.
    Lost,
    /// A person accepted what a call had changed.
    Accepted,
    /// A person kept what was there before.
    Discarded,
}

impl IntegrityRecord {
    /// Returns the name of the record.
    const fn name(self) -> &'static str {
        match self {
            Self::Changed => "ruleward.integrity.changed",
            Self::Tampered => "ruleward.integrity.tampered",
            Self::Lost => "ruleward.integrity.lost",
            Self::Accepted => "ruleward.integrity.accepted",
            Self::Discarded => "ruleward.integrity.discarded",
        }
    }

    /// Returns the severity and its number, as OpenTelemetry has them.
    const fn severity(self) -> (&'static str, u8) {
        match self {
            Self::Changed => ("INFO", 9),
            Self::Accepted | Self::Discarded => ("WARN", 13),
            Self::Tampered | Self::Lost => ("FATAL", 21),
        }
    }
}

/// Records a change of what the guard depends on; each of `changes` says what of which file.
///
/// # Errors
/// Returns what could not be written.
pub fn record_integrity(
    surroundings: &Platform,
    kind: IntegrityRecord,
    session: Option<&str>,
    text: &str,
    changes: Value,
) -> Result<(), AuditError> {
    let named = (kind.name(), kind.severity());
    append(surroundings, redacted_record::integrity_record(named, session, text, changes))
}

fn append(surroundings: &Platform, record: Map<String, Value>) -> Result<(), AuditError> {
    let path = log_path(surroundings).ok_or(AuditError::NoDirectory)?;
    let copy = mirror::mirror_path(surroundings);
    chain::append(&path, copy.as_deref(), record).map_err(AuditError::File)
}

#[cfg(test)]
mod tests {
    use super::RecordId;

    #[test]
    fn ids_are_short_and_differ() {
        let ids: Vec<RecordId> = (0..100).map(|_| RecordId::new()).collect();
        assert!(
            ids.iter()
                .all(|id| id.as_str().len() == 8 && id.as_str().bytes().all(|byte| super::ID_ALPHABET.contains(&byte)))
        );
        assert!(ids.iter().enumerate().all(|(at, id)| !ids[..at].contains(id)));
    }
}
