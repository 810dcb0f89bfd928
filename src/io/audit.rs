//! The record that rules ask for: JSON Lines, append only, without any secret.
//!
//! A line is written when a rule says `audit:`, and when a rule on trial (`mode: monitor`) held.
//! One write per line keeps lines of parallel hooks apart. A record that cannot be written never
//! changes an answer.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use super::files;
use super::platform::Surroundings;
use super::policy::discover;
use crate::domain::decide::Outcome;
use crate::domain::effect::EffectKind;
use crate::domain::rule::Mode;
use crate::domain::secret::{Own, Redacted};
use crate::domain::verdict::Decision;

/// Returns the file that records go to.
pub fn path(surroundings: &Surroundings) -> Option<PathBuf> {
    discover::state_directory(surroundings).map(|directory| surroundings.join(&directory, &["audit.jsonl"]).into())
}

/// Writes a line when a rule asks for one.
///
/// # Errors
/// Returns what could not be written, for people.
pub fn record(
    surroundings: &Surroundings,
    host: &str,
    payload: &Map<String, Value>,
    outcome: &Outcome,
) -> Result<(), String> {
    let monitored = outcome.findings.iter().any(|finding| finding.mode == Mode::Monitor);
    if outcome.verdict.audit.is_empty() && !monitored {
        return Ok(());
    }
    let Some(path) = path(surroundings) else { return Err("there is no directory for the audit log".into()) };
    let failed = |error: std::io::Error| format!("{} could not be written: {error}", path.display());
    // A pipe or a device there could keep the hook waiting.
    if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
        return Err(format!("{} is no file", path.display()));
    }
    if let Some(directory) = path.parent() {
        files::create_private_directory(directory).map_err(failed)?;
    }
    let mut line = entry(host, payload, outcome).to_string();
    line.push('\n');
    let mut file = files::append_private(&path).map_err(failed)?;
    file.write_all(line.as_bytes()).map_err(failed)
}

fn entry(host: &str, payload: &Map<String, Value>, outcome: &Outcome) -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let rules: Vec<Value> = outcome
        .findings
        .iter()
        .map(|finding| {
            json!({
                "id": finding.rule,
                "source": finding.source,
                "mode": if finding.mode == Mode::Monitor { "monitor" } else { "enforce" },
                "effects": finding.effects.iter().map(EffectKind::name).collect::<Vec<_>>(),
                "evidence": finding.evidence,
            })
        })
        .collect();
    let session = payload.get("session_id").and_then(Value::as_str).unwrap_or_default();
    let shown = |text: &str| Redacted::in_session(text, &Own::default(), session).to_string();
    json!({
        "time_unix_ms": u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
        "host": host,
        "event": payload.get("hook_event_name"),
        "session": payload.get("session_id"),
        "cwd": payload.get("cwd"),
        "tool": payload.get("tool_name"),
        "decision": outcome.verdict.decision().map(Decision::name),
        "rules": rules,
        "notes": outcome.verdict.audit.iter().map(|note| shown(&note.text)).collect::<Vec<_>>(),
    })
}
