//! Answers of the model that are cached: what an event means for them, and their lookup.
//!
//! Where the cache cannot be used, the model is asked.

use std::cmp::Reverse;

use super::{Judge, StateContext};
use crate::adapters::rewritten_payload;
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::policy::cache::CachePolicy;
use crate::domain::secret::Redacted;
use crate::domain::severity::Severity;
use crate::domain::state::keys::StateKeys;
use crate::domain::state::{AnswerKey, CachedAnswer, Exchange};
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Note;
use crate::domain::verdict::outcome::Outcome;

/// What is to be done about the answers that are kept, once an event is judged.
pub(super) enum CacheAction {
    /// Nothing.
    Skip,
    /// The answer to a request is looked for, on these terms.
    Lookup(AnswerKey, CachePolicy),
    /// An answer is kept.
    Save(CachedAnswer),
}

impl Judge<'_> {
    /// Follows the exchange with the model by one event.
    pub(super) fn track_exchange(self, event: &Event<'_>, exchange: &mut Exchange, outcome: &Outcome) -> CacheAction {
        let verdict = &outcome.verdict;
        match event.kind {
            Kind::ToolBefore => {
                exchange.record_tool(&event.native.get("tool_input").map(ToString::to_string).unwrap_or_default());
            }
            Kind::ToolAfter | Kind::ToolFailed => exchange.record_tool(&tool_result_text(event)),
            Kind::ModelBefore => return self.track_request(event, exchange, verdict),
            Kind::ModelAfter => self.track_response(event, exchange, verdict),
            Kind::AgentAfter if !verdict.notes.has(EffectKind::Retry) && !verdict.notes.has(EffectKind::Stop) => {
                return exchange.finish().map_or(CacheAction::Skip, CacheAction::Save);
            }
            _ => exchange.discard(),
        }
        CacheAction::Skip
    }

    fn track_request(self, event: &Event<'_>, exchange: &mut Exchange, verdict: &Verdict) -> CacheAction {
        exchange.discard();
        let terms = verdict.cache.iter().map(|(_, cache)| *cache).reduce(CachePolicy::strictest);
        let answered = verdict.decision().is_some()
            || verdict.notes.has(EffectKind::Stop)
            || verdict.notes.has(EffectKind::Respond);
        let Some(cache) = terms.filter(|_| !answered) else { return CacheAction::Skip };
        let changed = rewritten_payload(self.host, event, verdict);
        let Some(request) = (self.host.streaming.canonical_request)(changed.as_ref().unwrap_or(event.native)) else {
            return CacheAction::Skip;
        };
        let key = exchange.key(&request);
        exchange.expect_answer(&key, cache);
        CacheAction::Lookup(key, cache)
    }

    fn track_response(self, event: &Event<'_>, exchange: &mut Exchange, verdict: &Verdict) {
        let changed =
            !verdict.redact.is_empty() || verdict.notes.has(EffectKind::Replace) || verdict.notes.has(EffectKind::Deny);
        let piece =
            (self.host.streaming.chunk)(event.native).filter(|_| !changed && !verdict.notes.has(EffectKind::Stop));
        let (Some(piece), Some(request)) = (piece, (self.host.streaming.canonical_request)(event.native)) else {
            return exchange.discard();
        };
        let whole = exchange.add_chunk(&exchange.key(&request), &piece.text, piece.is_last);
        let holds_secret = |text: &String| {
            let shown: String = Redacted::in_session(text, &self.policy.detectors, "").into();
            shown != *text
        };
        if whole.is_some_and(|text| holds_secret(&text)) {
            exchange.discard();
        }
    }

    /// Answers a request as it was answered before, or keeps an answer.
    pub(super) fn apply_cache(self, action: CacheAction, keys: &StateKeys, outcome: &mut Outcome) {
        let StateContext { store, now, .. } = self.environment.state;
        let owner = |cache: &CachePolicy| {
            let scope = cache.scope.state_scope();
            format!("{} {}", scope.name(), keys.get(scope))
        };
        match action {
            CacheAction::Skip => {}
            CacheAction::Save(answer) => {
                // An answer that is not kept is asked for again.
                let _kept = store.cache_answer(&owner(&answer.policy), &answer, now);
            }
            CacheAction::Lookup(key, cache) => {
                let body = store.cached_answer(&owner(&cache), &key.name(), now).ok().flatten();
                let rules: Vec<String> = outcome.verdict.cache.iter().map(|(rule, _)| rule.clone()).collect();
                if let Some(text) = body.and_then(|body| key.open(&body)) {
                    let rule = rules.first().cloned().unwrap_or_default();
                    outcome
                        .verdict
                        .notes
                        .insert(EffectKind::Respond, Note { severity: Reverse(Severity::Medium), rule, text });
                } else {
                    // A rule that had nothing to say has not acted.
                    let only = Effects::of(&[EffectKind::Respond]);
                    outcome.findings.retain(|finding| finding.effects != only || !rules.contains(&finding.rule));
                }
            }
        }
    }
}

/// Returns what a tool has returned, whatever the host calls it.
fn tool_result_text(event: &Event<'_>) -> String {
    let keys = ["tool_response", "error", "tool_input"];
    keys.iter().filter_map(|key| event.native.get(*key)).map(ToString::to_string).collect()
}
