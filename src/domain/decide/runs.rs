//! Which parts of a program's verdict count.

use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::state::{State, retry_count};
use crate::domain::verdict::Verdict;
use crate::domain::verdict::plan::RunPlan;

/// Returns the part of a run's verdict that counts: only a trusted layer can approve, and a hook that never agrees
/// does not keep the agent running forever.
pub fn effective_verdict(planned: &RunPlan, event: &Event<'_>, state: Option<&State>, mut verdict: Verdict) -> Verdict {
    if !planned.layer.is_trusted() {
        verdict.notes.clear(EffectKind::Allow);
    }
    if retry_count(event, state).is_none_or(|times| times > 0) {
        for effect in EffectKind::ALL.into_iter().filter(|effect| effect.spec().continues_turn) {
            if !verdict.notes.take(effect).is_empty() {
                verdict.exhausted.insert(effect);
            }
        }
    }
    verdict
}
