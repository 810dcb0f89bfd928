//! What one record says. Every text in it was scanned, and what looks like a secret was taken out.

use std::time::SystemTime;

use serde_json::{Map, Value, json};

use super::Event;
use super::read::Decided;
use crate::domain::decide::{Finding, Outcome};
use crate::domain::effect::EffectKind;
use crate::domain::pii;
use crate::domain::ran::Ran;
use crate::domain::rule::Mode;
use crate::domain::secret::{self, Own, Seen};
use crate::domain::verdict::{Verdict, texts};

/// Characters of one text of a payload that are kept.
const MOST_TEXT: usize = 4096;
/// Texts and numbers of a payload that are kept.
const MOST_VALUES: usize = 256;

/// Returns the record of an event.
pub(super) fn of(event: Event<'_>, outcome: &Outcome) -> Map<String, Value> {
    let decision = Decided::of(&outcome.verdict).name();
    let text = |key: &str| event.payload.get(key).and_then(Value::as_str);
    let payload = Value::Object(event.payload.clone());
    let mut seen = Seen::default();
    let mut look = |name: Option<&str>, text: &str| {
        seen.look(&paired(name, text), event.detectors);
        String::new()
    };
    let mut left = MOST_VALUES;
    walked(&payload, &mut left, &mut look);
    let safe = Safe { detectors: event.detectors, session: text("session_id").unwrap_or_default(), seen: &seen };
    let shown = |text: &str| safe.shown(text);
    let (severity, number) = match decision {
        "deny" | "stop" | "retry" => ("WARN", 13),
        "ask" => ("INFO", 10),
        _ => ("INFO", 9),
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
        ("gen_ai.tool.name", json!(text("tool_name"))),
        ("process.working_directory", json!(text("cwd"))),
        ("ruleward.id", json!(event.id.as_str())),
        ("ruleward.moment", json!(event.moment)),
        ("ruleward.event", json!(text("hook_event_name"))),
        ("ruleward.decision", json!(decision)),
        ("ruleward.reason", json!(reason(&outcome.verdict).map(|reason| shown(&reason)))),
        ("ruleward.rules", outcome.findings.iter().map(|finding| rule(finding, safe)).collect()),
        ("ruleward.runs", runs(&outcome.ran, safe)),
        ("ruleward.failures", outcome.failures.iter().map(|failure| json!(shown(&failure.message))).collect()),
        ("ruleward.notes", outcome.verdict.audit.iter().map(|note| json!(shown(&note.text))).collect()),
        ("ruleward.effect", json!(event.effect)),
        ("ruleward.duration_ms", json!((event.took.as_secs_f64() * 1e5).round() / 1e2)),
        ("ruleward.payload", safe.kept(&payload)),
    ];
    fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns the record of an exception that a person has granted.
pub(super) fn granted(id: &str, session: Option<&str>, rules: &[String], text: &str) -> Map<String, Value> {
    let rules: Vec<Value> = rules.iter().map(|rule| json!({ "id": rule })).collect();
    let fields = [
        ("timestamp", json!(humantime::format_rfc3339_millis(SystemTime::now()).to_string())),
        ("severity_text", json!("WARN")),
        ("severity_number", json!(13)),
        ("event.name", json!("ruleward.exception")),
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

fn reason(verdict: &Verdict) -> Option<String> {
    let notes = [&verdict.stop, &verdict.retry, verdict.reasons(), &verdict.defer]
        .into_iter()
        .find(|notes| !notes.is_empty())?;
    Some(texts(notes, "\n"))
}

fn rule(finding: &Finding, safe: Safe<'_>) -> Value {
    json!({
        "id": finding.rule,
        "source": finding.source,
        "severity": finding.severity,
        "mode": if finding.mode == Mode::Monitor { "monitor" } else { "enforce" },
        "effects": finding.effects.iter().map(EffectKind::name).collect::<Vec<_>>(),
        "evidence": finding.evidence.iter().map(|evidence| safe.shown(evidence)).collect::<Vec<_>>(),
        "excusable": finding.excusable,
    })
}

/// Returns what programs were run, and what came of each; nothing, where none was.
fn runs(ran: &[Ran], safe: Safe<'_>) -> Value {
    let one = |ran: &Ran| {
        json!({
            "rule": ran.rule,
            "program": safe.shown(&ran.program),
            "ended": safe.shown(&ran.described()),
            "failure": ran.failure.as_ref().map(|why| safe.shown(why)),
            "effects": ran.effects.iter().map(|effect| effect.name()).collect::<Vec<_>>(),
            "duration_ms": ran.took.as_millis(),
        })
    };
    if ran.is_empty() { Value::Null } else { ran.iter().map(one).collect() }
}

/// Kinds of personal data without which a record could not be read.
const KEPT: &[&str] = &["email", "phone", "ip-address", "ip-private"];

/// Takes out the numbers of cards, accounts and people, wherever they stand.
fn without_numbers(text: &str) -> String {
    let found = pii::scan(text, |kind| !KEPT.contains(&kind.id));
    let values = found.iter().filter_map(|finding| Some((text.get(finding.span.clone())?, finding.kind.id)));
    secret::replace(text, &values.filter(|(value, _)| !value.is_empty()).collect(), &|kind, _| format!("[{kind}]"))
}

/// By what texts are made safe to keep: every detector there is, those of the policy too, and what was
/// seen in the payload.
#[derive(Clone, Copy)]
struct Safe<'a> {
    detectors: &'a Own,
    session: &'a str,
    seen: &'a Seen,
}

impl Safe<'_> {
    /// Returns a text as it may be kept: scanned as a whole, then shortened.
    fn shown(self, text: &str) -> String {
        shortened(self.seen.redacted(text, self.detectors, self.session).as_str())
    }

    /// Returns a payload as it may be kept.
    fn kept(self, payload: &Value) -> Value {
        let mut left = MOST_VALUES;
        walked(payload, &mut left, &mut |_, text| shortened(&self.seen.replaced(text, self.session)))
    }
}

/// Returns a text without numbers of people, and not too long.
fn shortened(text: &str) -> String {
    let safe = without_numbers(text);
    match safe.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}… ({} more bytes)", safe.get(..end).unwrap_or_default(), safe.len() - end),
        None => safe,
    }
}

/// Returns a text with the name that it has: the name may be what gives it away.
fn paired(name: Option<&str>, text: &str) -> String {
    name.map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
}

/// Returns a value with its texts changed, and as many of them as are kept. Where an object pairs a name
/// with a text, `change` is given both.
fn walked(value: &Value, left: &mut usize, change: &mut dyn FnMut(Option<&str>, &str) -> String) -> Value {
    if *left == 0 {
        return json!("… (left out)");
    }
    *left -= 1;
    match value {
        Value::String(text) => json!(change(None, text)),
        Value::Array(values) => values.iter().map(|value| walked(value, left, change)).collect(),
        Value::Object(fields) => {
            let keep = |(name, value): (&String, &Value)| {
                let kept = match value {
                    Value::String(text) => json!(change(Some(name), text)),
                    other => walked(other, left, change),
                };
                (change(None, name), kept)
            };
            Value::Object(fields.iter().map(keep).collect())
        }
        other => other.clone(),
    }
}
