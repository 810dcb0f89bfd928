//! Findings as one JSON document.

use serde_json::{Value, json};

use super::scanner::ScanFinding;
use super::workers::ScanResults;
use crate::domain::allowlist::FindingKind;

/// Returns the findings and what was not searched.
pub(super) fn report(scanned: &ScanResults) -> String {
    let skipped: Vec<Value> = scanned
        .too_large
        .iter()
        .map(|(path, size)| json!({ "path": path, "bytes": size, "reason": "too large" }))
        .collect();
    let report = json!({
        "version": 1,
        "findings": scanned.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "searched": scanned.scanned_files,
        "binary": scanned.binary,
        "skipped": skipped,
        "errors": scanned.errors,
    });
    format!("{report:#}\n")
}

fn finding_json(hit: &ScanFinding) -> Value {
    let mut finding = json!({
        "path": hit.path,
        "line": hit.begin.line,
        "column": hit.begin.column,
        "end_line": hit.end.line,
        "end_column": hit.end.column,
        "count": hit.count,
        "subject": match hit.subject { FindingKind::Secret => "secret", FindingKind::Pii => "pii" },
        "detector": hit.detector,
        "name": hit.name,
        "tier": hit.tier_name(),
        "severity": hit.severity_name(),
        "masked": hit.masked,
        "advice": hit.advice,
        "fingerprint": hit.fingerprint,
        "encodings": hit.encoding_names(),
    });
    if let (Some(fields), Some(commit)) = (finding.as_object_mut(), &hit.commit) {
        let commit = json!({ "id": commit.id, "author": commit.author, "date": commit.date });
        fields.insert("commit".to_owned(), commit);
    }
    finding
}
