//! What becomes of an effect that a host cannot carry out as it was meant: the safe side, by the
//! host's row, and never in silence.

use std::collections::BTreeSet;

use super::{Row, Support, output};
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::kind::Kind;
use crate::domain::policy::AskFallback;
use crate::domain::rule::Severity;
use crate::domain::tool::ToolKind;
use crate::domain::verdict::{Decision, Note, Verdict};
use crate::domain::version::Version;

/// How the host is being used, as far as it does not say so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Whether a person sits at the host.
    pub interactive: bool,
    /// What becomes of a question that nobody can be asked.
    pub ask_fallback: AskFallback,
    /// The host's version, where it is known; or else the one whose contract the tables describe.
    pub version: Option<Version>,
}

/// An effect that the host did not get as it was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The effect.
    pub effect: EffectKind,
    /// What was sent in its place; `None` when it is lost.
    pub sent: Option<EffectKind>,
    /// Why.
    pub why: &'static str,
}

const NO_WAY: &str = "this host has no way to carry it out at this moment";
const SPENT: &str = "the agent was already sent back to work as often as it may be";

/// Returns what the host can be told of a verdict, and what it cannot.
pub(super) fn degrade(row: &Row, event: &Event<'_>, mut verdict: Verdict, manner: Manner) -> (Verdict, Vec<Loss>) {
    let mut losses = Vec::new();
    verdict.audit.clear();
    settle(row, &mut verdict);
    let idle = std::mem::take(&mut verdict.spent).into_iter();
    losses.extend(idle.map(|effect| Loss { effect, sent: None, why: row.support(effect).map_or(NO_WAY, |_| SPENT) }));
    for effect in EffectKind::ALL {
        if !verdict.has(effect) {
            continue;
        }
        let mut support = row.support(effect);
        let mut lost = NO_WAY;
        if let Some(known) = support.filter(|known| is_older(manner, *known)) {
            support = in_older(row, effect, known);
            lost = OLDER;
        }
        let sent = match support {
            Some(Support::Honoured(_) | Support::With(_) | Support::Since(..) | Support::Unsaid(_)) => continue,
            Some(Support::Beside(other, ..)) if verdict.has(other) && !refuses(&verdict) => continue,
            Some(Support::Shaped(..)) if output::result(row, event).is_some_and(output::is_replaceable) => continue,
            // A stop is no refusal of this one: the host clears beside either.
            Some(Support::Beside(..)) if effect == EffectKind::ClearContext && !verdict.stop.is_empty() => continue,
            Some(Support::Interactive(..)) if manner.interactive && !is_server_tool(event) => continue,
            Some(
                Support::As(to, why)
                | Support::Shaped(to, why)
                | Support::Interactive(to, why)
                | Support::Beside(_, to, why),
            ) => {
                let answered = effect == EffectKind::Ask && to == EffectKind::Deny;
                let open = answered && manner.ask_fallback == AskFallback::Allow;
                Loss { effect, sent: Some(if open { EffectKind::Warn } else { to }), why }
            }
            None => Loss { effect, sent: None, why: lost },
        };
        convert(&mut verdict, &sent);
        losses.push(sent);
    }
    settle(row, &mut verdict);
    (verdict, losses)
}

const OLDER: &str = "this version of the host does not carry it out yet";

/// Tells whether the host is of a version that does not carry something out yet.
fn is_older(manner: Manner, support: Support) -> bool {
    let since = Version::in_text(support.since());
    matches!((manner.version, since), (Some(version), Some(since)) if version < since)
}

/// Returns what becomes of an effect at a version that does not carry it out yet; `None` when it is
/// lost. What refuses is sent all the same: where a version is made up, the guard stays.
fn in_older(row: &Row, effect: EffectKind, support: Support) -> Option<Support> {
    let instead = |other: EffectKind| row.support(other).map(|_| Support::As(other, OLDER));
    match effect {
        EffectKind::Stop | EffectKind::Deny => Some(support),
        EffectKind::Defer | EffectKind::Ask | EffectKind::Rewrite | EffectKind::Respond | EffectKind::Tools => {
            instead(EffectKind::Deny)
        }
        // A refusal would leave the result where it is.
        EffectKind::Redact | EffectKind::Replace => instead(EffectKind::Stop),
        EffectKind::Retry
        | EffectKind::ClearContext
        | EffectKind::Run
        | EffectKind::Context
        | EffectKind::Warn
        | EffectKind::Allow
        | EffectKind::Audit => None,
    }
}

/// Takes out what a refusal makes idle, so that its reason is not drowned in questions.
fn settle(row: &Row, verdict: &mut Verdict) {
    if refuses(verdict) {
        if row.kind == Kind::ToolBefore {
            verdict.redact.clear();
        }
        verdict.rewrite.clear();
        verdict.respond.clear();
        verdict.allow.clear();
        verdict.defer.clear();
        verdict.ask.clear();
    }
    verdict.remember &= !verdict.allow.is_empty();
}

/// Returns the losses of a verdict at an event that the host's tables do not know.
pub(super) fn all_lost(mut verdict: Verdict) -> Vec<Loss> {
    let lost = EffectKind::ALL.into_iter().filter(|effect| *effect != EffectKind::Audit && verdict.has(*effect));
    lost.map(|effect| Loss { effect, sent: None, why: "the event is not known to this version" }).collect()
}

fn convert(verdict: &mut Verdict, loss: &Loss) {
    let moved = match loss.effect {
        EffectKind::Rewrite => {
            let rules = std::mem::take(&mut verdict.rewrite);
            let rules = rules.values().flatten().map(|proposal| proposal.rule.as_str());
            rules.map(|rule| undone(rule, "changes this call", loss.why)).collect()
        }
        EffectKind::Redact => {
            let redactions = std::mem::take(&mut verdict.redact);
            let rules = redactions.rules().into_iter();
            rules.map(|rule| undone(rule, "takes something out of this text", loss.why)).collect()
        }
        EffectKind::Tools => std::mem::take(&mut verdict.tools).into_iter().map(|limit| limit.note).collect(),
        effect => {
            let taken = std::mem::take(verdict.notes_mut(effect));
            let unanswered = (effect, loss.sent) == (EffectKind::Ask, Some(EffectKind::Deny));
            if unanswered { unasked(taken) } else { taken }
        }
    };
    if let Some(to) = loss.sent {
        verdict.notes_mut(to).extend(moved);
    }
}

/// Turns questions into a reason that makes sense to an agent that is refused.
fn unasked(mut questions: BTreeSet<Note>) -> BTreeSet<Note> {
    if let Some(first) = questions.pop_first() {
        let text = format!("A person has to decide this, and nobody can be asked here. {}", first.text);
        questions.insert(Note { text, ..first });
    }
    questions
}

fn undone(rule: &str, what: &str, why: &str) -> Note {
    let text = format!("The rule `{rule}` {what}, which cannot be done here: {why}.");
    Note { severity: std::cmp::Reverse(Severity::High), rule: rule.to_owned(), text }
}

fn refuses(verdict: &Verdict) -> bool {
    verdict.decision() == Some(Decision::Deny) || !verdict.stop.is_empty()
}

fn is_server_tool(event: &Event<'_>) -> bool {
    event.calls().iter().any(|call| call.kind == ToolKind::Mcp)
}
