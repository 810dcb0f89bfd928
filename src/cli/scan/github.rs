//! Findings as annotations of GitHub Actions.

use super::scanner::ScanFinding;
use super::workers::ScanResults;
use crate::cli::output::github_annotations::{AnnotationLevel, annotation};
use crate::domain::secret::Severity;

/// Returns one annotation for each finding, and for each file that could not be read.
pub(super) fn report(scanned: &ScanResults) -> String {
    let findings = scanned.findings.iter().map(finding_annotation);
    let errors = scanned.errors.iter().map(|error| annotation(AnnotationLevel::Error, None, "ruleward scan", error));
    findings.chain(errors).collect()
}

fn finding_annotation(hit: &ScanFinding) -> String {
    let level = match hit.severity {
        Severity::Low => AnnotationLevel::Notice,
        Severity::Medium => AnnotationLevel::Warning,
        Severity::High | Severity::Critical => AnnotationLevel::Error,
    };
    let commit = hit.describe_commit().map_or_else(String::new, |commit| format!(", in {commit}"));
    let message = format!("{}{commit}. {} Fingerprint: {}.", hit.describe(), hit.advice, hit.fingerprint);
    let place = (hit.path.as_str(), Some((hit.begin.line, hit.begin.column)));
    annotation(level, Some(place), &format!("{} ({})", hit.name, hit.detector), &message)
}
