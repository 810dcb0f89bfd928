//! Builds one record. Every text in it was scanned, and what looks like a secret was redacted.

use std::time::SystemTime;

use serde_json::{Map, Value, json};

use super::AuditEvent;
use super::read::AuditDecision;
use crate::domain::effect::EffectKind;
use crate::domain::pii;
use crate::domain::secret::{self, CustomDetectors, KnownSecrets};
use crate::domain::severity::Mode;
use crate::domain::verdict::backup::BackupRecord;
use crate::domain::verdict::outcome::{Finding, Outcome};
use crate::domain::verdict::run_record::RunRecord;
use crate::domain::verdict::{Verdict, join_texts};

/// Characters of one text of a payload that are kept.
const MAX_TEXT: usize = 4096;
/// What stands in the place of a value that a rule has taken out.
const REDACTED: &str = "redacted";
/// Texts and numbers of a payload that are kept.
const MAX_VALUES: usize = 256;

/// Returns the record of an event.
pub(super) fn event_record(event: AuditEvent<'_>, outcome: &Outcome) -> Map<String, Value> {
    let decision = AuditDecision::from_verdict(&outcome.verdict);
    let text = |key: &str| event.payload.get(key).and_then(Value::as_str);
    let payload = Value::Object(event.payload.clone());
    let mut seen = KnownSecrets::default();
    let mut look = |name: Option<&str>, text: &str| {
        seen.scan(&with_name(name, text), event.detectors);
        String::new()
    };
    let mut left = MAX_VALUES;
    map_strings(&payload, &mut left, &mut look);
    event.redacted.iter().for_each(|value| seen.add_value(value, REDACTED));
    let safe = Redactor { detectors: event.detectors, session: text("session_id").unwrap_or_default(), seen: &seen };
    let shown = |text: &str| safe.redact(text);
    let (severity, number) = match decision {
        AuditDecision::Deny | AuditDecision::Stop | AuditDecision::Retry => ("WARN", 13),
        AuditDecision::Ask => ("INFO", 10),
        AuditDecision::None | AuditDecision::Allow | AuditDecision::Defer => ("INFO", 9),
    };
    let fields = [
        ("timestamp", json!(humantime::format_rfc3339_millis(SystemTime::now()).to_string())),
        ("severity_text", json!(severity)),
        ("severity_number", json!(number)),
        ("event.name", json!("ruleward.decision")),
        ("service.name", json!("ruleward")),
        ("service.version", json!(env!("CARGO_PKG_VERSION"))),
        ("gen_ai.agent.name", json!(event.host)),
        ("gen_ai.conversation.id", json!(text("session_id"))),
        ("gen_ai.tool.name", json!(text("tool_name").map(shown))),
        ("process.working_directory", json!(text("cwd").map(shown))),
        ("ruleward.id", json!(event.id.as_str())),
        ("ruleward.moment", json!(event.kind)),
        ("ruleward.event", json!(text("hook_event_name"))),
        ("ruleward.decision", json!(decision.name())),
        ("ruleward.reason", json!(reason(&outcome.verdict).map(|reason| shown(&reason)))),
        ("ruleward.rules", outcome.findings.iter().map(|finding| rule_record(finding, safe)).collect()),
        ("ruleward.runs", run_records(&outcome.run_records, safe)),
        ("ruleward.backups", backup_records(&outcome.backups, safe)),
        ("ruleward.failures", outcome.errors.iter().map(|failure| json!(shown(&failure.message))).collect()),
        (
            "ruleward.notes",
            outcome.verdict.notes.of(EffectKind::Audit).iter().map(|note| json!(shown(&note.text))).collect(),
        ),
        ("ruleward.effect", json!(event.effect_hash)),
        ("ruleward.duration_ms", json!((event.duration.as_secs_f64() * 1e5).round() / 1e2)),
        ("ruleward.payload", safe.redact_payload(&payload)),
    ];
    fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns the record of something that a user agreed to.
pub(super) fn grant_record(
    event: &str,
    (id, session, rules): (&str, Option<&str>, &[String]),
    text: &str,
) -> Map<String, Value> {
    let rules: Vec<Value> = rules.iter().map(|rule| json!({ "id": rule })).collect();
    let fields = [
        ("timestamp", json!(humantime::format_rfc3339_millis(SystemTime::now()).to_string())),
        ("severity_text", json!("WARN")),
        ("severity_number", json!(13)),
        ("event.name", json!(event)),
        ("service.name", json!("ruleward")),
        ("service.version", json!(env!("CARGO_PKG_VERSION"))),
        ("gen_ai.conversation.id", json!(session)),
        ("ruleward.id", json!(id)),
        ("ruleward.decision", json!("none")),
        ("ruleward.reason", json!(text)),
        ("ruleward.rules", json!(rules)),
    ];
    fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns the record of a change of what the guard depends on.
pub(super) fn integrity_record(
    (name, (severity, number)): (&str, (&str, u8)),
    session: Option<&str>,
    text: &str,
    changes: Value,
) -> Map<String, Value> {
    let fields = [
        ("timestamp", json!(humantime::format_rfc3339_millis(SystemTime::now()).to_string())),
        ("severity_text", json!(severity)),
        ("severity_number", json!(number)),
        ("event.name", json!(name)),
        ("service.name", json!("ruleward")),
        ("service.version", json!(env!("CARGO_PKG_VERSION"))),
        ("gen_ai.conversation.id", json!(session)),
        ("ruleward.id", json!(super::RecordId::new().as_str())),
        ("ruleward.decision", json!("none")),
        ("ruleward.reason", json!(text)),
        ("ruleward.changes", changes),
    ];
    fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn reason(verdict: &Verdict) -> Option<String> {
    let of = |effect| verdict.notes.of(effect);
    let notes = [of(EffectKind::Stop), of(EffectKind::Retry), verdict.reasons(), of(EffectKind::Defer)]
        .into_iter()
        .find(|notes| !notes.is_empty())?;
    Some(join_texts(notes, "\n"))
}

fn rule_record(finding: &Finding, safe: Redactor<'_>) -> Value {
    json!({
        "id": finding.rule,
        "source": finding.source,
        "severity": finding.severity,
        "mode": if finding.mode == Mode::Monitor { "monitor" } else { "enforce" },
        "effects": finding.effects.iter().map(EffectKind::name).collect::<Vec<_>>(),
        "evidence": finding.evidence.iter().map(|evidence| safe.redact(evidence)).collect::<Vec<_>>(),
        "excusable": finding.waivable,
    })
}

/// Returns what programs were run, and what came of each; nothing, where none was.
fn run_records(ran: &[RunRecord], safe: Redactor<'_>) -> Value {
    let one = |ran: &RunRecord| {
        json!({
            "rule": ran.rule,
            "program": safe.redact(&ran.program),
            "ended": safe.redact(&ran.describe()),
            "failure": ran.failure.as_ref().map(|why| safe.redact(why)),
            "effects": ran.effects.iter().map(|effect| effect.name()).collect::<Vec<_>>(),
            "duration_ms": ran.duration.as_millis(),
        })
    };
    if ran.is_empty() { Value::Null } else { ran.iter().map(one).collect() }
}

/// Returns what backups were taken, and why others were not; nothing, where none was wanted.
fn backup_records(taken: &[BackupRecord], safe: Redactor<'_>) -> Value {
    let one = |record: &BackupRecord| match &record.result {
        Ok(receipt) => {
            json!({ "rules": record.rules, "id": receipt.id, "files": receipt.files, "bytes": receipt.bytes })
        }
        Err(why) => json!({ "rules": record.rules, "failure": safe.redact(why) }),
    };
    if taken.is_empty() { Value::Null } else { taken.iter().map(one).collect() }
}

/// Kinds of personal data without which a record could not be read.
const RETAINED_KINDS: &[&str] = &["email", "phone", "ip-address", "ip-private"];

/// Takes out the numbers of cards, accounts and people, wherever they are.
fn redact_numbers(text: &str) -> String {
    let found = pii::scan(text, |kind| !RETAINED_KINDS.contains(&kind.id));
    let values = found.iter().filter_map(|finding| Some((text.get(finding.span.clone())?, finding.kind.id)));
    secret::replace(text, &values.filter(|(value, _)| !value.is_empty()).collect(), &|kind, _| format!("[{kind}]"))
}

/// By what texts are made safe to keep: every detector there is, those of the policy too, and what was
/// seen in the payload.
#[derive(Clone, Copy)]
struct Redactor<'a> {
    detectors: &'a CustomDetectors,
    session: &'a str,
    seen: &'a KnownSecrets,
}

impl Redactor<'_> {
    /// Returns a text as it may be kept: scanned as a whole, then shortened.
    fn redact(self, text: &str) -> String {
        truncate(self.seen.redact(text, self.detectors, self.session).as_str())
    }

    /// Returns a payload as it may be kept.
    fn redact_payload(self, payload: &Value) -> Value {
        let mut left = MAX_VALUES;
        map_strings(payload, &mut left, &mut |_, text| truncate(&self.seen.redact_known(text, self.session)))
    }
}

/// Returns a text without numbers of people, and not too long.
fn truncate(text: &str) -> String {
    let safe = redact_numbers(text);
    match safe.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}… ({} more bytes)", safe.get(..end).unwrap_or_default(), safe.len() - end),
        None => safe,
    }
}

/// Returns a text with the name that it has: the name may be what gives it away.
fn with_name(name: Option<&str>, text: &str) -> String {
    name.map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
}

/// Returns a value with its texts changed, and as many of them as are kept. Where an object pairs a name
/// with a text, `change` is given both.
fn map_strings(value: &Value, left: &mut usize, change: &mut dyn FnMut(Option<&str>, &str) -> String) -> Value {
    if *left == 0 {
        return json!("… (left out)");
    }
    *left -= 1;
    match value {
        Value::String(text) => json!(change(None, text)),
        Value::Array(values) => values.iter().map(|value| map_strings(value, left, change)).collect(),
        Value::Object(fields) => {
            let keep = |(name, value): (&String, &Value)| {
                let kept = match value {
                    Value::String(text) => json!(change(Some(name), text)),
                    other => map_strings(other, left, change),
                };
                (change(None, name), kept)
            };
            Value::Object(fields.iter().map(keep).collect())
        }
        other => other.clone(),
    }
}
