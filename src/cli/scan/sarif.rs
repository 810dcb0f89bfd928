//! Findings as SARIF 2.1.0, the form that code hosts show beside the code.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::examine::Hit;
use super::work::Scanned;
use crate::domain::leak::Subject;
use crate::domain::secret::Severity;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Returns the findings, each kind as a rule of its own.
pub(super) fn report(scanned: &Scanned) -> String {
    let kinds: BTreeMap<&str, &Hit> = scanned.hits.iter().map(|hit| (hit.detector.as_str(), hit)).collect();
    let order: Vec<&str> = kinds.keys().copied().collect();
    let notes = scanned.notes.iter().map(|note| ("warning", note));
    let notes = notes.chain(scanned.errors.iter().map(|error| ("error", error)));
    let notifications: Vec<Value> =
        notes.map(|(level, text)| json!({ "level": level, "message": { "text": text } })).collect();
    let report = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "ruleward",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": kinds.values().map(|hit| rule(hit)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": scanned.errors.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": scanned.hits.iter().map(|hit| result(hit, &order)).collect::<Vec<_>>(),
        }],
    });
    format!("{report:#}\n")
}

fn rule(hit: &Hit) -> Value {
    let tags = match hit.subject {
        Subject::Secret => json!(["security", "secret"]),
        Subject::Personal => json!(["security", "privacy"]),
    };
    json!({
        "id": hit.detector,
        "name": hit.detector,
        "shortDescription": { "text": hit.name },
        "fullDescription": { "text": format!("{} in a file.", hit.name) },
        "help": { "text": hit.advice },
        "defaultConfiguration": { "level": level(hit.severity) },
        "properties": {
            "tags": tags,
            "precision": if hit.tier_name() == "generic" { "medium" } else { "high" },
            "security-severity": score(hit.severity),
        },
    })
}

fn result(hit: &Hit, order: &[&str]) -> Value {
    let times = if hit.count > 1 { format!(", {} times in this file", hit.count) } else { String::new() };
    json!({
        "ruleId": hit.detector,
        "ruleIndex": order.iter().position(|id| *id == hit.detector),
        "level": level(hit.severity),
        "message": { "text": format!("{}{times}. {}", hit.masked, hit.advice) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&hit.path) },
            "region": {
                "startLine": hit.begin.line,
                "startColumn": hit.begin.column,
                "endLine": hit.end.line,
                "endColumn": hit.end.column,
            },
        }}],
        "occurrenceCount": hit.count,
        "fingerprints": { "ruleward/v1": hit.fingerprint },
        "partialFingerprints": { "ruleward/v1": hit.fingerprint },
    })
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "note",
        Severity::Medium => "warning",
        Severity::High | Severity::Critical => "error",
    }
}

/// Returns a severity on the scale of ten that code hosts sort by.
const fn score(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "2.0",
        Severity::Medium => "5.0",
        Severity::High => "8.0",
        Severity::Critical => "9.5",
    }
}

/// Returns a path as a reference: what means something in one, or is no ASCII, stands encoded.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _written = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("a b/é#%.rs"), "a%20b/%C3%A9%23%25.rs");
    }
}
