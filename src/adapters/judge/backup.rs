//! The backups that rules want before a call, as a step of a judgement.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::Judge;
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::facts::Facts;
use crate::domain::policy::effects::backup::{BackupFallback, ReplacedEffect};
use crate::domain::policy::settings::Backups;
use crate::domain::text::duration::MaxAge;
use crate::domain::verdict::backup::{BackupPlan, BackupReceipt, BackupRecord, BackupRequest, amount};
use crate::domain::verdict::note::Note;
use crate::domain::verdict::outcome::Outcome;

/// Characters of a call that the list of backups shows.
const MAX_ABOUT_CHARS: usize = 200;

impl Judge<'_> {
    /// Takes the backups that an outcome asks for, unless the call is refused.
    ///
    /// Where a complete one was taken inside the project, the questions that it replaces are dropped. Where none can
    /// be taken, the effect that the rule names follows.
    pub(super) fn back_up(self, event: &Event<'_>, outcome: &mut Outcome) {
        if outcome.planned_backups.is_empty() || outcome.verdict.is_refusal() || event.kind != Kind::ToolBefore {
            return;
        }
        let plans = std::mem::take(&mut outcome.planned_backups);
        let (known, unknown): (Vec<BackupPlan>, Vec<BackupPlan>) =
            plans.into_iter().partition(|plan| plan.changes.is_ok());
        for plan in &unknown {
            let why = plan.changes.as_ref().err().cloned().unwrap_or_default();
            add_failure(outcome, std::slice::from_ref(plan), &why);
        }
        if known.is_empty() {
            return;
        }
        match self.take(event, &known) {
            Ok(receipt) => {
                let failed: BTreeSet<&str> = unknown.iter().map(|plan| plan.rule.as_str()).collect();
                add_receipt(outcome, &known, &failed, receipt);
            }
            Err(why) => add_failure(outcome, &known, &why),
        }
    }

    /// Takes the backups of a call that was refused, and that an exception has allowed since. A person has decided, so
    /// nothing follows where none can be taken.
    pub(super) fn back_up_waived(self, event: &Event<'_>, outcome: &mut Outcome) {
        if !outcome.planned_backups.is_empty() && !outcome.verdict.is_refusal() {
            for plan in &mut outcome.planned_backups {
                plan.bounds.otherwise = BackupFallback::Allow;
            }
            self.back_up(event, outcome);
        }
    }

    fn take(self, event: &Event<'_>, plans: &[BackupPlan]) -> Result<BackupReceipt, String> {
        let environment = self.environment;
        let is_on = self.policy.backups == Backups::On;
        let store = environment.backups.filter(|_| is_on).ok_or_else(|| "no backups are taken here".to_owned())?;
        let mut changes = Vec::new();
        for change in plans.iter().filter_map(|plan| plan.changes.as_ref().ok()).flatten() {
            if !changes.contains(change) {
                changes.push(change.clone());
            }
        }
        let bounds = plans.iter().map(|plan| &plan.bounds);
        let about = self.about(event);
        store.take(&BackupRequest {
            changes: &changes,
            max_bytes: bounds.clone().map(|it| u64::from(it.max_mb) * 1_000_000).min().unwrap_or_default(),
            max_files: bounds.clone().map(|it| it.max_files).min().unwrap_or_default(),
            timeout: bounds.clone().map(|it| it.timeout).min().unwrap_or_default().duration(),
            keep: bounds.map(|it| it.keep.0).max().unwrap_or_default(),
            host: self.host.name,
            session: event.session.id,
            call: event.call().and_then(|call| call.id),
            about: &about,
            project: environment.paths.project.as_deref().unwrap_or(&environment.paths.cwd),
        })
    }

    /// Returns what the call does: its command line or its file, without the value of any secret.
    fn about(self, event: &Event<'_>) -> String {
        let environment = self.environment;
        let facts =
            Facts::new(event, environment.paths, environment.file_system).with_detectors(&self.policy.detectors);
        let calls = event.calls().iter();
        let command = calls.clone().flat_map(|call| &call.commands).map(|command| command.text.to_string()).next();
        let file = || calls.clone().find_map(|call| Some(format!("{} {}", call.name, call.files.first()?.path)));
        let text = command.or_else(file).unwrap_or_default();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        facts.redact(&line).as_str().chars().take(MAX_ABOUT_CHARS).collect()
    }
}

fn add_receipt(outcome: &mut Outcome, plans: &[BackupPlan], failed: &BTreeSet<&str>, receipt: BackupReceipt) {
    if receipt.files == 0 {
        return;
    }
    let rules: BTreeSet<&str> = plans.iter().map(|plan| plan.rule.as_str()).collect();
    let is_replaced = |plan: &&BackupPlan| plan.bounds.replaces == Some(ReplacedEffect::Ask);
    let replaced: BTreeSet<&str> = plans.iter().filter(is_replaced).map(|plan| plan.rule.as_str()).collect();
    if receipt.is_inside {
        let questions = outcome.verdict.notes.take(EffectKind::Ask);
        let is_left = |note: &Note| !replaced.contains(note.rule.as_str()) || failed.contains(note.rule.as_str());
        outcome.verdict.notes.extend(EffectKind::Ask, questions.into_iter().filter(is_left));
    }
    if let (Some(id), Some(first)) = (&receipt.id, plans.iter().max_by_key(|plan| plan.severity)) {
        let keep = MaxAge(plans.iter().map(|plan| plan.bounds.keep.0).max().unwrap_or_default());
        let note = Note {
            severity: Reverse(first.severity),
            rule: first.rule.clone(),
            text: receipt_text(id, &receipt, keep),
        };
        outcome.verdict.notes.insert(EffectKind::Context, note);
    }
    outcome
        .backups
        .push(BackupRecord { rules: rules.into_iter().map(ToOwned::to_owned).collect(), result: Ok(receipt) });
}

/// Returns what the agent is told of a backup.
fn receipt_text(id: &str, receipt: &BackupReceipt, keep: MaxAge) -> String {
    format!(
        "ruleward keeps a backup of what this call deletes or replaces ({}) for {}. If it was a mistake, ask the user to run `ruleward undo {id}` in a terminal, which restores it; `ruleward undo {id} --dry-run` shows what it holds.",
        amount(receipt.files, receipt.bytes),
        String::from(keep),
    )
}

/// Adds what follows where no backup can be taken. A rule that asks already says why itself.
fn add_failure(outcome: &mut Outcome, plans: &[BackupPlan], why: &str) {
    for plan in plans {
        let Some(effect) = plan.bounds.otherwise.effect() else { continue };
        let asks = |effect| outcome.verdict.notes.of(effect).iter().any(|note| note.rule == plan.rule);
        if effect == EffectKind::Ask && asks(EffectKind::Ask) {
            continue;
        }
        let text = format!("No backup of what this call destroys can be taken: {why}.");
        let note = Note { severity: Reverse(plan.severity), rule: plan.rule.clone(), text };
        outcome.verdict.notes.insert(effect, note);
    }
    let rules: BTreeSet<&str> = plans.iter().map(|plan| plan.rule.as_str()).collect();
    let rules = rules.into_iter().map(ToOwned::to_owned).collect();
    outcome.backups.push(BackupRecord { rules, result: Err(why.to_owned()) });
}
