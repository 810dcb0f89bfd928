//! Verdicts that want one thing.

use std::cmp::Reverse;

use ruleward::domain::effect::EffectKind;
use ruleward::domain::limit::{ToolLimit, ToolMode};
use ruleward::domain::redaction::Stretch;
use ruleward::domain::rule::Severity;
use ruleward::domain::verdict::{Note, Proposal, Verdict};
use serde_json::json;

/// Returns a verdict with one effect in it.
pub(crate) fn only(effect: EffectKind) -> Verdict {
    let mut verdict = Verdict::default();
    let text = format!("the {effect} text");
    let note = Note { severity: Reverse(Severity::Medium), rule: "rule".into(), text };
    if effect == EffectKind::Rewrite {
        // One for a call, one for a request to the model: whatever the event does not have is passed over.
        for (field, value) in [("command", json!("rewritten")), ("temperature", json!(0.2))] {
            let proposal = Proposal { rule: "rule".into(), value };
            verdict.rewrite.insert(field.into(), vec![proposal]);
        }
    } else if effect == EffectKind::Tools {
        let limit = ToolLimit { mode: ToolMode::None, ..ToolLimit::default() };
        verdict.tools.insert(limit.limited(note));
    } else if effect == EffectKind::Redact {
        verdict.redact.insert(Stretch { text: 0, start: 0, end: 4 }, Note { text: "[taken]".into(), ..note });
    } else {
        verdict.notes_mut(effect).insert(note);
    }
    verdict
}
