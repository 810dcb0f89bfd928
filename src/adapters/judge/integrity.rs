//! Whether calls have changed what the guard depends on, as a step of a judgement.

use std::cmp::Reverse;

use super::Judge;
use crate::adapters::contract::ToolAction;
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::{ToolCall, ToolKind};
use crate::domain::integrity::{CallId, Finding, Moment, Phase};
use crate::domain::severity::Severity;
use crate::domain::verdict::note::Note;
use crate::domain::verdict::outcome::Outcome;

impl Judge<'_> {
    /// Refuses an event after a call has changed what the guard depends on. No exception lifts it.
    pub(super) fn check_integrity(self, event: &Event<'_>, outcome: &mut Outcome) {
        let Some(check) = self.environment.integrity else { return };
        let Some(phase) = phase_of(event.kind) else { return };
        let call = event.call().and_then(|call| call.id);
        let moment = Moment {
            phase,
            call: CallId { session: event.session.id.unwrap_or_default(), call },
            acts: event.calls().iter().any(|call| self.may_change_files(call)),
            is_refused: outcome.verdict.is_refusal(),
        };
        let (effect, text) = match check.check(&moment) {
            None => return,
            Some(Finding::Refusal(text)) if matches!(phase, Phase::Begin | Phase::End | Phase::BatchEnd) => {
                (EffectKind::Deny, text)
            }
            Some(Finding::Refusal(text) | Finding::Warning(text)) => (EffectKind::Warn, format!("ruleward: {text}")),
        };
        let note = Note { severity: Reverse(Severity::Critical), rule: String::new(), text };
        outcome.verdict.notes.insert(effect, note);
    }

    /// Returns whether a call may change files: one that only reads, or waits for a person or another agent,
    /// does not.
    fn may_change_files(self, call: &ToolCall<'_>) -> bool {
        match call.kind {
            ToolKind::Shell | ToolKind::Write | ToolKind::Edit | ToolKind::Mcp => true,
            ToolKind::Other => self.host.tool(call.name).and_then(|tool| tool.action).is_none_or(|action| {
                !matches!(
                    action,
                    ToolAction::AskPerson
                        | ToolAction::EnterPlan
                        | ToolAction::ExitPlan
                        | ToolAction::NoteTasks
                        | ToolAction::UseSkill
                        | ToolAction::ReadResource
                )
            }),
            ToolKind::Read | ToolKind::Search | ToolKind::Fetch | ToolKind::WebSearch | ToolKind::Agent => false,
        }
    }
}

/// Returns what a kind of event means for the calls that are running; `None` where nothing is compared.
const fn phase_of(kind: Kind) -> Option<Phase> {
    match kind {
        Kind::ToolBefore => Some(Phase::Begin),
        Kind::ToolAfter | Kind::ToolFailed => Some(Phase::End),
        Kind::ToolBatch => Some(Phase::BatchEnd),
        Kind::AgentAfter | Kind::AgentFailed => Some(Phase::TurnEnd),
        Kind::PromptSubmit | Kind::SessionStart | Kind::SessionEnd => Some(Phase::Boundary),
        _ => None,
    }
}
