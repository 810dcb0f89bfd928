//! Verdicts that want one thing.

use std::cmp::Reverse;

use ruleward::domain::effect::EffectKind;
use ruleward::domain::effect::spec::EffectForm;
use ruleward::domain::policy::limit::{ToolLimit, ToolMode};
use ruleward::domain::severity::Severity;
use ruleward::domain::verdict::note::Note;
use ruleward::domain::verdict::redaction::TextSpan;
use ruleward::domain::verdict::{Proposal, Verdict};
use serde_json::json;

/// Returns a verdict with one effect in it.
pub(crate) fn single_effect(effect: EffectKind) -> Verdict {
    let mut verdict = Verdict::default();
    let text = format!("the {effect} text");
    let note = Note { severity: Reverse(Severity::Medium), rule: "rule".into(), text };
    match effect.form() {
        EffectForm::Text | EffectForm::Flag(_) => verdict.notes.insert(effect, note),
        // A run and a backup have no effect of their own.
        EffectForm::Program | EffectForm::Backup => verdict.notes.insert(EffectKind::Audit, note),
        // One for a call, one for a request to the model: whatever the event does not have is passed over.
        EffectForm::Fields => {
            for (field, value) in [("command", json!("rewritten")), ("temperature", json!(0.2))] {
                let proposal = Proposal { rule: "rule".into(), value };
                verdict.rewrite.insert(field.into(), vec![proposal]);
            }
        }
        EffectForm::ToolLimits => {
            let limit = ToolLimit { mode: ToolMode::None, ..ToolLimit::default() };
            verdict.tools.insert(ruleward::domain::verdict::limit::ToolLimitNote::from_limits(&limit, note));
        }
        EffectForm::Redactions => {
            verdict.redact.insert(TextSpan { text: 0, start: 0, end: 4 }, Note { text: "[taken]".into(), ..note });
        }
    }
    verdict
}
