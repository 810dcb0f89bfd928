//! Degrades effects that a host cannot carry out as requested: always to the safer side, according to
//! the host's row, and never silently.

use std::collections::BTreeSet;

use crate::adapters::contract::{EventRow, Support};
use crate::adapters::payload::output;
use crate::domain::effect::EffectKind;
use crate::domain::effect::spec::{EffectForm, VersionFallback};
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::ToolKind;
use crate::domain::policy::settings::AskFallback;
use crate::domain::severity::Severity;
use crate::domain::text::version::Version;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Note;

/// The host mode: how the host is used, as far as it does not report that itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostMode {
    /// Whether a user is present at the host.
    pub interactive: bool,
    /// What replaces a question when no user can be asked.
    pub ask_fallback: AskFallback,
    /// The host's version, if known; otherwise the version whose contract the tables describe.
    pub version: Option<Version>,
}

/// An effect that was not sent to the host as requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degradation {
    /// The effect.
    pub effect: EffectKind,
    /// The effect that was sent instead; `None` when it was dropped.
    pub substitute: Option<EffectKind>,
    /// The reason.
    pub reason: &'static str,
}

const UNSUPPORTED: &str = "this host doesn't support it at this moment";
const RETRIES_EXHAUSTED: &str = "the agent was already sent back the maximum number of times";

/// Returns the part of a verdict that can be sent to the host, and the degradations.
pub(super) fn degrade(
    row: &EventRow,
    event: &Event<'_>,
    mut verdict: Verdict,
    manner: HostMode,
) -> (Verdict, Vec<Degradation>) {
    let mut losses = Vec::new();
    verdict.notes.clear(EffectKind::Audit);
    clear_superseded(row, &mut verdict);
    let idle = std::mem::take(&mut verdict.exhausted).into_iter();
    losses.extend(idle.map(|effect| Degradation {
        effect,
        substitute: None,
        reason: row.support(effect).map_or(UNSUPPORTED, |_| RETRIES_EXHAUSTED),
    }));
    for effect in EffectKind::ALL {
        if !verdict.has_effect(effect) {
            continue;
        }
        let mut support = row.support(effect);
        let mut lost = UNSUPPORTED;
        if let Some(known) = support.filter(|known| is_unsupported_version(manner, *known)) {
            support = support_before_version(row, effect, known);
            lost = UNSUPPORTED_VERSION;
        }
        let sent = match support {
            Some(Support::Full(_) | Support::WithNote(_) | Support::Since(..) | Support::Implicit(_)) => continue,
            Some(Support::Combined(other, ..)) if verdict.has_effect(other) && !verdict.is_refusal() => continue,
            Some(Support::KnownShape(..)) if output::tool_result(row, event).is_some_and(output::is_replaceable) => {
                continue;
            }
            // A stop is not a refusal of this effect: the host clears with either.
            Some(Support::Combined(..))
                if effect == EffectKind::ClearContext && verdict.notes.has(EffectKind::Stop) =>
            {
                continue;
            }
            Some(Support::Interactive(..)) if manner.interactive && !is_mcp_call(event) => continue,
            Some(
                Support::Substitute(to, why)
                | Support::KnownShape(to, why)
                | Support::Interactive(to, why)
                | Support::Combined(_, to, why),
            ) => {
                let answered = effect == EffectKind::Ask && to == EffectKind::Deny;
                let open = answered && manner.ask_fallback == AskFallback::Allow;
                Degradation { effect, substitute: Some(if open { EffectKind::Warn } else { to }), reason: why }
            }
            None => Degradation { effect, substitute: None, reason: lost },
        };
        apply_degradation(&mut verdict, &sent);
        losses.push(sent);
    }
    clear_superseded(row, &mut verdict);
    (verdict, losses)
}

const UNSUPPORTED_VERSION: &str = "this version of the host doesn't support it yet";

/// Returns whether the host has a version that does not support something yet.
fn is_unsupported_version(manner: HostMode, support: Support) -> bool {
    let since = Version::in_text(support.since());
    matches!((manner.version, since), (Some(version), Some(since)) if version < since)
}

/// Returns what replaces an effect at a version that does not support it yet; `None` when it is
/// dropped. Refusals are sent anyway: a wrong version must not disable the guard.
fn support_before_version(row: &EventRow, effect: EffectKind, support: Support) -> Option<Support> {
    match effect.spec().version_fallback {
        VersionFallback::Sent => Some(support),
        VersionFallback::Substitute(other) => {
            row.support(other).map(|_| Support::Substitute(other, UNSUPPORTED_VERSION))
        }
        VersionFallback::Lost => None,
    }
}

/// Removes what a refusal makes irrelevant, so that its reason is not hidden among questions.
fn clear_superseded(row: &EventRow, verdict: &mut Verdict) {
    if verdict.is_refusal() {
        for effect in EffectKind::ALL.into_iter().filter(|effect| effect.spec().dropped_on_refusal) {
            let _dropped = take_effect(verdict, effect, "");
        }
        // A redaction of a tool's result, or of an answer, is kept together with a refusal.
        if row.kind == Kind::ToolBefore {
            verdict.redact.clear();
        }
    }
    verdict.remember_approval &= verdict.notes.has(EffectKind::Allow);
}

/// Returns the degradations of a verdict at an event that the host's tables do not know.
pub(super) fn all_dropped(verdict: &Verdict) -> Vec<Degradation> {
    let lost = EffectKind::ALL.into_iter().filter(|effect| *effect != EffectKind::Audit && verdict.has_effect(*effect));
    lost.map(|effect| Degradation { effect, substitute: None, reason: "this version doesn't have the event" }).collect()
}

fn apply_degradation(verdict: &mut Verdict, loss: &Degradation) {
    let mut moved = take_effect(verdict, loss.effect, loss.reason);
    if (loss.effect, loss.substitute) == (EffectKind::Ask, Some(EffectKind::Deny)) {
        moved = deny_questions(moved);
    }
    if let Some(to) = loss.substitute {
        verdict.notes.extend(to, moved);
    }
}

/// Removes an effect from a verdict and returns it as notes; where it has no text, the note is the reason.
fn take_effect(verdict: &mut Verdict, effect: EffectKind, reason: &str) -> BTreeSet<Note> {
    let mut notes = verdict.notes.take(effect);
    match effect.form() {
        EffectForm::Text | EffectForm::Flag(_) | EffectForm::Program | EffectForm::Backup => {}
        EffectForm::Fields => {
            let proposals = std::mem::take(&mut verdict.rewrite).into_values().flatten();
            notes.extend(proposals.map(|proposal| degraded_note(&proposal.rule, "changes this call", reason)));
        }
        EffectForm::Redactions => {
            let redactions = std::mem::take(&mut verdict.redact);
            let rules = redactions.rules().into_iter();
            notes.extend(rules.map(|rule| degraded_note(rule, "removes something from this text", reason)));
        }
        EffectForm::ToolLimits => {
            notes.extend(std::mem::take(&mut verdict.tools).into_iter().map(|limit| limit.note));
        }
    }
    notes
}

/// Turns questions into a reason that makes sense to an agent whose call is refused.
fn deny_questions(mut questions: BTreeSet<Note>) -> BTreeSet<Note> {
    if let Some(first) = questions.pop_first() {
        let text = format!("The user has to decide this, but can't be asked here. {}", first.text);
        questions.insert(Note { text, ..first });
    }
    questions
}

fn degraded_note(rule: &str, what: &str, why: &str) -> Note {
    let text = format!("The rule `{rule}` {what}, which is not possible here: {why}.");
    Note { severity: std::cmp::Reverse(Severity::High), rule: rule.to_owned(), text }
}

fn is_mcp_call(event: &Event<'_>) -> bool {
    event.calls().iter().any(|call| call.kind == ToolKind::Mcp)
}
