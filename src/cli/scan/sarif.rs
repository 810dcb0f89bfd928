//! Findings as SARIF 2.1.0, the form that code hosts show beside the code.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::scanner::ScanFinding;
use super::workers::ScanResults;
use crate::cli::output::sarif::{SarifLog, uri};
use crate::domain::allowlist::FindingKind;
use crate::domain::secret::Severity;

/// Returns the findings, each kind as a rule of its own.
pub(super) fn report(scanned: &ScanResults) -> String {
    let kinds: BTreeMap<&str, &ScanFinding> = scanned.findings.iter().map(|hit| (hit.detector.as_str(), hit)).collect();
    let order: Vec<&str> = kinds.keys().copied().collect();
    let notes = scanned.notes.iter().map(|note| ("warning", note));
    let notes = notes.chain(scanned.errors.iter().map(|error| ("error", error)));
    let notifications: Vec<Value> =
        notes.map(|(level, text)| json!({ "level": level, "message": { "text": text } })).collect();
    let log = SarifLog {
        rules: kinds.values().map(|hit| rule_descriptor(hit)).collect(),
        results: scanned.findings.iter().map(|hit| result(hit, &order)).collect(),
        notifications,
        successful: scanned.errors.is_empty(),
    };
    log.render()
}

fn rule_descriptor(hit: &ScanFinding) -> Value {
    let tags = match hit.subject {
        FindingKind::Secret => json!(["security", "secret"]),
        FindingKind::Pii => json!(["security", "privacy"]),
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
            "security-severity": security_severity(hit.severity),
        },
    })
}

fn result(hit: &ScanFinding, order: &[&str]) -> Value {
    let commit = hit.describe_commit().map_or_else(String::new, |commit| format!(", in {commit}"));
    let mut properties = json!({ "encodings": hit.encoding_names() });
    if let (Some(fields), Some(commit)) = (properties.as_object_mut(), &hit.commit) {
        fields.insert("commit".to_owned(), json!(commit.id));
    }
    json!({
        "ruleId": hit.detector,
        "ruleIndex": order.iter().position(|id| *id == hit.detector),
        "level": level(hit.severity),
        "message": { "text": format!("{}{commit}. {}", hit.describe(), hit.advice) },
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
        "properties": properties,
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
const fn security_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "2.0",
        Severity::Medium => "5.0",
        Severity::High => "8.0",
        Severity::Critical => "9.5",
    }
}
