//! Answers of the model that are given again: what an event means for them, and the answer itself.
//!
//! A cache is no guard: where it cannot be used, the model is asked.

use std::cmp::Reverse;

use super::judge::Bench;
use crate::adapters::rewritten_payload;
use crate::domain::cache::Cache;
use crate::domain::decide::Outcome;
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::event::Event;
use crate::domain::kind::Kind;
use crate::domain::rule::Severity;
use crate::domain::secret::Redacted;
use crate::domain::state::{AnswerKey, Exchange, KeptAnswer, Keys};
use crate::domain::verdict::{Note, Verdict};

/// What is to be done about the answers that are kept, once an event is judged.
pub(super) enum Cached {
    /// Nothing.
    Nothing,
    /// The answer to a request is looked for, on these terms.
    Wanted(AnswerKey, Cache),
    /// An answer is kept.
    Ended(KeptAnswer),
}

impl Bench<'_> {
    /// Follows the exchange with the model by one event.
    pub(super) fn exchange(&self, event: &Event<'_>, exchange: &mut Exchange, outcome: &Outcome) -> Cached {
        let verdict = &outcome.verdict;
        match event.kind {
            Kind::ToolBefore => {
                exchange.tool(&event.native.get("tool_input").map(ToString::to_string).unwrap_or_default());
            }
            Kind::ToolAfter | Kind::ToolFailed => exchange.tool(&returned(event)),
            Kind::ModelBefore => return self.ask(event, exchange, verdict),
            Kind::ModelAfter => self.hear(event, exchange, verdict),
            Kind::AgentAfter if verdict.retry.is_empty() && verdict.stop.is_empty() => {
                return exchange.end().map_or(Cached::Nothing, Cached::Ended);
            }
            _ => exchange.give_up(),
        }
        Cached::Nothing
    }

    fn ask(&self, event: &Event<'_>, exchange: &mut Exchange, verdict: &Verdict) -> Cached {
        exchange.give_up();
        let terms = verdict.cache.iter().map(|(_, cache)| *cache).reduce(Cache::and);
        let answered = verdict.decision().is_some() || !verdict.stop.is_empty() || !verdict.respond.is_empty();
        let Some(cache) = terms.filter(|_| !answered) else { return Cached::Nothing };
        let changed = rewritten_payload(self.host, event, verdict);
        let Some(request) = (self.host.pieces.request)(changed.as_ref().unwrap_or(event.native)) else {
            return Cached::Nothing;
        };
        let key = exchange.key(&request);
        exchange.ask(&key, cache);
        Cached::Wanted(key, cache)
    }

    fn hear(&self, event: &Event<'_>, exchange: &mut Exchange, verdict: &Verdict) {
        let changed = !verdict.redact.is_empty() || !verdict.replace.is_empty() || !verdict.deny.is_empty();
        let piece = (self.host.pieces.piece)(event.native).filter(|_| !changed && verdict.stop.is_empty());
        let (Some(piece), Some(request)) = (piece, (self.host.pieces.request)(event.native)) else {
            return exchange.give_up();
        };
        let whole = exchange.hear(&exchange.key(&request), &piece.text, piece.is_last);
        let holds_secret = |text: &String| {
            let shown: String = Redacted::in_session(text, &self.policy.detectors, "").into();
            shown != *text
        };
        if whole.is_some_and(|text| holds_secret(&text)) {
            exchange.give_up();
        }
    }

    /// Answers a request as it was answered before, or keeps an answer.
    pub(super) fn answer_again(&self, cached: Cached, keys: &Keys, outcome: &mut Outcome) {
        let keeper = self.memory.keeper;
        let owner = |cache: &Cache| {
            let scope = cache.scope.scope();
            format!("{} {}", scope.name(), keys.get(scope))
        };
        match cached {
            Cached::Nothing => {}
            Cached::Ended(answer) => {
                // An answer that is not kept is asked for again.
                let _kept = keeper.keep_answer(&owner(&answer.cache), &answer, self.memory.now);
            }
            Cached::Wanted(key, cache) => {
                let body = keeper.answer(&owner(&cache), &key.name(), self.memory.now).ok().flatten();
                let rules: Vec<String> = outcome.verdict.cache.iter().map(|(rule, _)| rule.clone()).collect();
                if let Some(text) = body.and_then(|body| key.open(&body)) {
                    let rule = rules.first().cloned().unwrap_or_default();
                    outcome.verdict.respond.insert(Note { severity: Reverse(Severity::Medium), rule, text });
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
fn returned(event: &Event<'_>) -> String {
    let keys = ["tool_response", "error", "tool_input"];
    keys.iter().filter_map(|key| event.native.get(*key)).map(ToString::to_string).collect()
}
