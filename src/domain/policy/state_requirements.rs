//! The state that a policy needs, and the kinds of events at which it needs it.

use super::Policy;
use super::counter::{Counter, CounterSet};
use super::gate::{self, ActiveGate};
use super::rule::Rule;
use crate::domain::condition::Conditions;
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::{EVENT_SPECS, Kind, KindSet};
use crate::domain::facts::proof::Effect;
use crate::domain::layer::Layer;
use crate::domain::scope::{Scope, Scopes};
use crate::domain::text::duration::GateDuration;

/// The state that a policy needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StateRequirements {
    /// The counters that are used.
    pub counters: CounterSet,
    /// For each scope, the kinds of events at which it is used.
    scope_kinds: [KindSet; Scope::ALL.len()],
    /// The kinds of events at which an answer is changed piece by piece.
    stream_kinds: KindSet,
    /// The kinds of events at which the number of retries is needed.
    retry_kinds: KindSet,
    /// Whether answers of the model are cached.
    caches_answers: bool,
    /// Whether a rule asks for a proof that compares with the commit that the session began with.
    compares_with_start: bool,
}

/// The kinds of events at which the commit is remembered that a session began with.
const START_KINDS: [Kind; 3] = [Kind::SessionStart, Kind::ToolBefore, Kind::PermissionRequest];

/// Returns whether a rule asks for a proof of what the project's own tools do.
fn compares_with_start(rule: &Rule) -> bool {
    let asks = |it: &Conditions| it.effects.as_ref().is_some_and(|effects| effects.only.contains(&Effect::Build));
    rule.conditions.has_in_any_branch(&asks)
}

/// The kinds of events of an exchange with the model, from the prompt to the end of the agent's turn.
const EXCHANGE_KINDS: [Kind; 7] = [
    Kind::PromptSubmit,
    Kind::ModelBefore,
    Kind::ModelAfter,
    Kind::ToolBefore,
    Kind::ToolAfter,
    Kind::ToolFailed,
    Kind::AgentAfter,
];

/// Returns the kinds of events at which a rule changes an answer that arrives in pieces.
fn stream_kinds(rule: &Rule) -> KindSet {
    let effects = rule.then.effects();
    let changes = effects.contains(EffectKind::Redact) || effects.contains(EffectKind::Replace);
    let pieces = [Kind::ModelAfter, Kind::MessageDisplay].into_iter();
    let watched = pieces.filter(|kind| changes && rule.kinds().contains(*kind));
    watched.map(KindSet::one).fold(KindSet::default(), KindSet::union)
}

/// Returns the kinds of events at which a rule needs the number of retries. After an answer the host reports whether
/// there was one, which is enough for a limit of one.
fn retry_kinds(rule: &Rule) -> KindSet {
    let Some(retry) = &rule.then.retry else { return KindSet::default() };
    let answers = [Kind::AgentAfter, Kind::SubagentAfter].into_iter().filter(|_| retry.max_retries > 1);
    let watched = answers.chain([Kind::TeammateIdle]).filter(|kind| rule.kinds().contains(*kind));
    watched.map(KindSet::one).fold(KindSet::default(), KindSet::union)
}

/// Returns whether a rule depends on state.
pub fn needs_state(rule: &Rule) -> bool {
    let mut remembers =
        stream_kinds(rule).union(retry_kinds(rule)) != KindSet::default() || rule.then.cache().is_some();
    remembers |= compares_with_start(rule);
    rule.for_each_gate(&mut |_| remembers = true);
    rule.for_each_name(&mut |name| {
        let mut one = CounterSet::default();
        one.add_name(name);
        remembers |= name.split('.').next() == Some("gate") || Scope::ALL.into_iter().any(|scope| one.has_scope(scope));
    });
    remembers
}

impl StateRequirements {
    /// Returns the requirements of a policy. Compiled rules that are not decoded need no state.
    pub fn of(policy: &Policy) -> Self {
        let mut uses = Self::default();
        for active in &policy.rules {
            uses.add_rule(&active.rule, active.layer, &policy.gates);
        }
        for active in &policy.gates {
            uses.add_gate(active, &policy.gates);
        }
        uses
    }

    /// Returns the scopes that are needed at a kind of event.
    pub fn scopes_at(&self, kind: Kind) -> Scopes {
        let named = Scope::ALL.into_iter().zip(&self.scope_kinds).filter(|(_, moments)| moments.contains(kind));
        let needed =
            named.fold(self.counters.scopes_counting_at(kind), |scopes, (scope, _)| scopes.or(Scopes::one(scope)));
        let of_session = self.needs_stream_at(kind)
            || self.needs_retries_at(kind)
            || self.needs_exchange_at(kind)
            || self.needs_start_commit_at(kind);
        let needed = if of_session { needed.or(Scopes::one(Scope::Session)) } else { needed };
        // The position in the reports of tokens is part of the session's state.
        let reports = self.counters.has_tokens() && !needed.is_empty();
        if reports { needed.or(Scopes::one(Scope::Session)) } else { needed }
    }

    /// Returns whether an answer is changed piece by piece at a kind of event.
    pub fn needs_stream_at(&self, kind: Kind) -> bool {
        self.stream_kinds.contains(kind)
    }

    /// Returns whether the number of retries is needed at a kind of event.
    pub fn needs_retries_at(&self, kind: Kind) -> bool {
        self.retry_kinds.contains(kind)
    }

    /// Returns whether a kind of event belongs to an exchange with the model whose answer may be cached.
    pub fn needs_exchange_at(&self, kind: Kind) -> bool {
        self.caches_answers && EXCHANGE_KINDS.contains(&kind)
    }

    /// Returns whether the commit that the session began with is remembered or compared with at a kind of event.
    pub fn needs_start_commit_at(&self, kind: Kind) -> bool {
        self.compares_with_start && START_KINDS.contains(&kind)
    }

    /// Returns the kinds of events at which state is needed.
    pub fn kinds(&self) -> KindSet {
        let needed = EVENT_SPECS.iter().filter(|moment| !self.scopes_at(moment.kind).is_empty());
        needed.map(|moment| KindSet::one(moment.kind)).fold(KindSet::default(), KindSet::union)
    }

    fn add_gate(&mut self, active: &ActiveGate, gates: &[ActiveGate]) {
        let scope = active.gate.scope.state_scope();
        for transition in active.gate.transitions() {
            self.add_scope_kinds(scope, transition.when);
            self.add_rule(&transition.to_rule(active.gate.id.clone()), active.layer, gates);
            match transition.r#for {
                Some(GateDuration::Turns(_)) => self.counters.add_counter(scope, Counter::Turns),
                Some(GateDuration::Calls(_)) => self.counters.add_counter(scope, Counter::Calls),
                Some(GateDuration::Seconds(_)) | None => {}
            }
        }
    }

    fn add_rule(&mut self, rule: &Rule, speaker: Layer, gates: &[ActiveGate]) {
        self.stream_kinds = self.stream_kinds.union(stream_kinds(rule));
        self.retry_kinds = self.retry_kinds.union(retry_kinds(rule));
        self.caches_answers |= rule.then.cache().is_some();
        self.compares_with_start |= compares_with_start(rule);
        rule.for_each_gate(&mut |id| {
            if let Some(active) = gate::resolve(gates, id, speaker) {
                self.add_scope_kinds(active.gate.scope.state_scope(), rule.kinds());
            }
        });
        rule.for_each_name(&mut |name| {
            let mut one = CounterSet::default();
            one.add_name(name);
            self.counters.add_name(name);
            for scope in Scope::ALL.into_iter().filter(|scope| one.has_scope(*scope)) {
                self.add_scope_kinds(scope, rule.kinds());
            }
            self.add_gate_counters(name, gates);
        });
    }

    /// Adds the counters that `gate.turns` and similar names use, in the scope of each gate.
    fn add_gate_counters(&mut self, name: &str, gates: &[ActiveGate]) {
        let Some(rest) = name.strip_prefix("gate") else { return };
        let named = Counter::from_name(rest.trim_start_matches('.'));
        for scope in gates.iter().map(|active| active.gate.scope.state_scope()) {
            for counter in [Counter::Turns, Counter::Calls, Counter::Seconds] {
                if rest.is_empty() || named == Some(counter) {
                    self.counters.add_counter(scope, counter);
                }
            }
        }
    }

    fn add_scope_kinds(&mut self, scope: Scope, when: KindSet) {
        for (known, moments) in Scope::ALL.into_iter().zip(&mut self.scope_kinds) {
            if known == scope {
                *moments = moments.union(when);
            }
        }
    }
}
