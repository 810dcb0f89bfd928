//! The outcome of one event: the verdict, and the rules and programs behind it.

use std::cmp::Reverse;

use super::Verdict;
use super::backup::{BackupPlan, BackupRecord};
use super::note::Note;
use super::plan::RunPlan;
use super::run_record::{Exit, RunRecord};
use crate::domain::effect::Effects;
use crate::domain::severity::{Mode, OnError, Severity};

/// The outcome of one event.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The merged verdict.
    pub verdict: Verdict,
    /// The rules that held.
    pub findings: Vec<Finding>,
    /// The rules that could not be evaluated.
    pub errors: Vec<EvaluationError>,
    /// The runs that rules ask for, in the order of the policy.
    pub planned_runs: Vec<RunPlan>,
    /// The records of the runs, if they were carried out.
    pub run_records: Vec<RunRecord>,
    /// The backups that rules ask for.
    pub planned_backups: Vec<BackupPlan>,
    /// The backups that were taken, and those that could not be.
    pub backups: Vec<BackupRecord>,
    /// The fingerprint of what the event does, if a rule blocks it; see `decide::exception`.
    pub fingerprint: Option<String>,
}

/// A rule that held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// The file or pack that defines it.
    pub source: String,
    /// The severity.
    pub severity: Severity,
    /// Whether the rule acts, or is only monitored.
    pub mode: Mode,
    /// The effects of the rule.
    pub effects: Effects,
    /// The evidence, which is safe to show.
    pub evidence: Vec<String>,
    /// Whether a user may waive the rule for a call.
    pub waivable: bool,
}

/// A rule that could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationError {
    /// The rule's id; empty if the error is not about one rule.
    pub rule: String,
    /// The reason.
    pub message: String,
}

impl Outcome {
    /// Merges two outcomes. Errors of the other one count as `on_error` says.
    #[must_use]
    pub fn merge(mut self, other: Self, on_error: OnError) -> Self {
        self.verdict = self.verdict.merge(other.verdict);
        for failure in &other.errors {
            self.verdict = std::mem::take(&mut self.verdict).merge(error_verdict(failure, on_error));
        }
        self.errors.extend(other.errors);
        self.findings.extend(other.findings);
        self.planned_runs.extend(other.planned_runs);
        self.run_records.extend(other.run_records);
        self.planned_backups.extend(other.planned_backups);
        self.backups.extend(other.backups);
        sort_findings(&mut self.findings);
        self
    }
}

/// Sorts findings, the most severe first.
pub fn sort_findings(findings: &mut [Finding]) {
    findings.sort_by(|left, right| {
        (Reverse(left.severity), &left.rule, &left.source).cmp(&(Reverse(right.severity), &right.rule, &right.source))
    });
}

/// Returns the verdict for a rule that could not be evaluated.
pub fn error_verdict(failure: &EvaluationError, on_error: OnError) -> Verdict {
    let text = match failure.rule.as_str() {
        "" => format!("The command could not be evaluated: {}.", failure.message),
        rule => format!("The rule `{rule}` could not be evaluated: {}.", failure.message),
    };
    Verdict::from_error(on_error, Note { severity: Reverse(Severity::High), rule: failure.rule.clone(), text })
}

impl Outcome {
    /// Returns whether programs may have to run, also because a rewritten call may need them.
    pub fn may_need_programs(&self) -> bool {
        !self.planned_runs.is_empty() || !self.verdict.rewrite.is_empty() || !self.verdict.redact.is_empty()
    }

    /// Adds findings that are not present yet.
    pub fn add_findings(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            if !self.findings.contains(&finding) {
                self.findings.push(finding);
            }
        }
    }

    /// Adds the results of runs.
    #[must_use]
    pub fn with_runs(mut self, verdict: Verdict, ran: Vec<RunRecord>) -> Self {
        self.verdict = self.verdict.merge(verdict).with_conflicts_denied();
        self.run_records.extend(ran);
        self
    }

    /// Returns whether blocking runs were skipped because the event was already refused.
    pub fn has_skipped_runs(&self) -> bool {
        self.run_records.iter().any(|ran| ran.exit == Exit::Skipped)
    }
}
