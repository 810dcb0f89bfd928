//! Reads records: from files, the oldest first, or as they are written.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::chain::{MAX_FILES, rotated_path};
use crate::domain::effect::EffectKind;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::backup::amount;
use crate::io::files::{FileAction, FileError};

/// How often a file is looked at for new records.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The decision on an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuditDecision {
    /// Nothing was decided.
    None,
    /// The host's question was skipped.
    Allow,
    /// A user was asked.
    Ask,
    /// The call was put off.
    Defer,
    /// The agent was sent back to work.
    Retry,
    /// It was refused.
    Deny,
    /// The agent's loop was ended.
    Stop,
}

impl AuditDecision {
    /// Every one, the mildest first.
    pub const ALL: [Self; 7] = [Self::None, Self::Allow, Self::Ask, Self::Defer, Self::Retry, Self::Deny, Self::Stop];

    /// Returns what a verdict comes to.
    pub fn from_verdict(verdict: &Verdict) -> Self {
        let mut strictest_first =
            [Self::Stop, Self::Retry, Self::Deny, Self::Defer, Self::Ask, Self::Allow].into_iter();
        let is_made = |decision: &Self| decision.effect().is_some_and(|effect| verdict.notes.has(effect));
        strictest_first.find(is_made).unwrap_or(Self::None)
    }

    /// Returns the one of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decided| decided.name() == name)
    }

    /// Returns the effect that leads to it.
    pub const fn effect(self) -> Option<EffectKind> {
        match self {
            Self::None => None,
            Self::Allow => Some(EffectKind::Allow),
            Self::Ask => Some(EffectKind::Ask),
            Self::Defer => Some(EffectKind::Defer),
            Self::Retry => Some(EffectKind::Retry),
            Self::Deny => Some(EffectKind::Deny),
            Self::Stop => Some(EffectKind::Stop),
        }
    }

    /// Returns its name in records.
    pub const fn name(self) -> &'static str {
        match self.effect() {
            Some(effect) => effect.name(),
            None => "none",
        }
    }
}

/// A record.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRecord(Value);

impl AuditRecord {
    /// Reads a line; none when it is not a complete record.
    pub fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        value.get("ruleward.id")?.as_str()?;
        Some(Self(value))
    }

    /// Returns the whole record.
    pub const fn value(&self) -> &Value {
        &self.0
    }

    /// Returns the payload that was judged, without secrets.
    pub fn payload(&self) -> &Value {
        self.0.get("ruleward.payload").unwrap_or(&Value::Null)
    }

    /// Returns the record's name.
    pub fn id(&self) -> &str {
        self.text("ruleward.id")
    }

    /// Returns the host.
    pub fn host(&self) -> &str {
        self.text("gen_ai.agent.name")
    }

    /// Returns the session; empty when there is none.
    pub fn session(&self) -> &str {
        self.text("gen_ai.conversation.id")
    }

    /// Returns the neutral kind.
    pub fn kind(&self) -> &str {
        self.text("ruleward.moment")
    }

    /// Returns the directory that the host worked in.
    pub fn cwd(&self) -> &str {
        self.text("process.working_directory")
    }

    /// Returns the time as written: RFC 3339, in UTC.
    pub fn timestamp(&self) -> &str {
        self.text("timestamp")
    }

    /// Returns the time.
    pub fn system_time(&self) -> Option<SystemTime> {
        humantime::parse_rfc3339(self.timestamp()).ok()
    }

    /// Returns the host's own name of the tool; empty when there is none.
    pub fn tool(&self) -> &str {
        self.text("gen_ai.tool.name")
    }

    /// Returns the reason that was given.
    pub fn reason(&self) -> &str {
        self.text("ruleward.reason")
    }

    /// Returns the hash of what was done, when a user may let it pass.
    pub fn effect_hash(&self) -> Option<&str> {
        self.0.get("ruleward.effect").and_then(Value::as_str)
    }

    /// Returns how long the judgment took, in milliseconds.
    pub fn duration_ms(&self) -> f64 {
        self.0.get("ruleward.duration_ms").and_then(Value::as_f64).unwrap_or_default()
    }

    /// Returns what became of the event.
    pub fn decision(&self) -> AuditDecision {
        AuditDecision::from_name(self.text("ruleward.decision")).unwrap_or(AuditDecision::None)
    }

    /// Returns the rules that held.
    pub fn rules(&self) -> &[Value] {
        self.0.get("ruleward.rules").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the names of the rules that held.
    pub fn rule_ids(&self) -> impl Iterator<Item = &str> {
        self.rules().iter().filter_map(|rule| rule.get("id")?.as_str())
    }

    /// Returns what was backed up before the event, or why nothing was, a line each.
    pub fn backups(&self) -> Vec<String> {
        let records = self.0.get("ruleward.backups").and_then(Value::as_array).into_iter().flatten();
        let line = |record: &Value| {
            let number = |key: &str| record.get(key).and_then(Value::as_u64).unwrap_or_default();
            let text = |key: &str| record.get(key).and_then(Value::as_str);
            if let Some(why) = text("failure") {
                format!("no backup: {why}")
            } else {
                let id = text("id").unwrap_or_default();
                format!("backup {id} ({})", amount(number("files"), number("bytes")))
            }
        };
        records.map(line).collect()
    }

    /// Returns what the event was about, in one line.
    pub fn summary(&self) -> String {
        payload_summary(self.payload())
    }

    fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Returns what a payload is about, in one line.
pub fn payload_summary(payload: &Value) -> String {
    let input = payload.get("tool_input");
    let of_input = |key: &str| input.and_then(|input| input.get(key)).and_then(Value::as_str);
    let keys = ["command", "file_path", "path", "notebook_path", "url", "pattern", "query", "prompt"];
    let found = keys.into_iter().find_map(of_input).or_else(|| payload.get("prompt").and_then(Value::as_str));
    found.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the files of records that are there, the oldest first.
pub fn log_files(path: &Path) -> Vec<PathBuf> {
    let older = (1..=MAX_FILES).rev().map(|age| rotated_path(path, age));
    older.chain([path.to_owned()]).filter(|path| path.is_file()).collect()
}

/// Reads the records of a file in order. A line that is no record is left out.
///
/// # Errors
/// Returns that the file could not be read.
pub fn read_records(path: &Path) -> Result<impl Iterator<Item = AuditRecord>, FileError> {
    let file = File::open(path).map_err(FileError::on(FileAction::Read, path))?;
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    Ok(lines.filter_map(|line| AuditRecord::parse(&String::from_utf8_lossy(&line))))
}

/// Hands over records as they are written, until `take` says that it is enough.
pub fn follow_records(path: &Path, mut take: impl FnMut(AuditRecord) -> bool) {
    let mut at = path.metadata().map_or(0, |metadata| metadata.len());
    let mut rest = Vec::new();
    loop {
        thread::sleep(POLL_INTERVAL);
        let size = path.metadata().map_or(0, |metadata| metadata.len());
        if size < at {
            // A new file was started.
            at = 0;
            rest.clear();
        }
        let Ok(mut file) = File::open(path) else { continue };
        if file.seek(SeekFrom::Start(at)).is_err() || file.read_to_end(&mut rest).is_err() {
            continue;
        }
        at = file.stream_position().unwrap_or(size);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            let entry = AuditRecord::parse(String::from_utf8_lossy(&line).trim_end());
            if entry.is_some_and(|entry| !take(entry)) {
                return;
            }
        }
    }
}
