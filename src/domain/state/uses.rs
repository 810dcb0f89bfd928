//! What a policy remembers, and at which moments it needs to.

use super::count::{Counted, Counter};
use super::scope::{Scope, Scopes};
use crate::domain::effect::EffectKind;
use crate::domain::gate::{self, ActiveGate, Lasting};
use crate::domain::kind::{Kind, MOMENTS, Moments};
use crate::domain::layer::Layer;
use crate::domain::policy::Policy;
use crate::domain::rule::Rule;

/// What a policy remembers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Uses {
    /// The counters that something goes by.
    pub counted: Counted,
    /// For each scope, the moments at which something speaks of it.
    named: [Moments; Scope::ALL.len()],
    /// The moments at which an answer is changed piece by piece.
    streamed: Moments,
    /// The moments at which it is told how often an agent was sent back.
    returned: Moments,
    /// Whether answers of the model are given again.
    answers: bool,
}

/// The moments of an exchange with the model, from the prompt to the agent's end.
const EXCHANGE: [Kind; 7] = [
    Kind::PromptSubmit,
    Kind::ModelBefore,
    Kind::ModelAfter,
    Kind::ToolBefore,
    Kind::ToolAfter,
    Kind::ToolFailed,
    Kind::AgentAfter,
];

/// Returns the moments at which a rule changes an answer that comes in pieces.
fn streamed(rule: &Rule) -> Moments {
    let effects = rule.then.effects();
    let changes = effects.contains(EffectKind::Redact) || effects.contains(EffectKind::Replace);
    let pieces = [Kind::ModelAfter, Kind::MessageDisplay].into_iter();
    let watched = pieces.filter(|kind| changes && rule.moments().contains(*kind));
    watched.map(Moments::one).fold(Moments::default(), Moments::or)
}

/// Returns the moments at which a rule goes by how often an agent was sent back. After an answer the host says whether
/// it was, which is enough for once.
fn returned(rule: &Rule) -> Moments {
    let Some(retry) = &rule.then.retry else { return Moments::default() };
    let answers = [Kind::AgentAfter, Kind::SubagentAfter].into_iter().filter(|_| retry.max_retries > 1);
    let watched = answers.chain([Kind::TeammateIdle]).filter(|kind| rule.moments().contains(*kind));
    watched.map(Moments::one).fold(Moments::default(), Moments::or)
}

/// Tells whether a rule goes by what was before.
pub fn remembers(rule: &Rule) -> bool {
    let mut remembers = streamed(rule).or(returned(rule)) != Moments::default() || rule.then.cache().is_some();
    rule.gates(&mut |_| remembers = true);
    rule.names(&mut |name| {
        let mut one = Counted::default();
        one.add(name);
        remembers |= name.split('.').next() == Some("gate") || Scope::ALL.into_iter().any(|scope| one.speaks_of(scope));
    });
    remembers
}

impl Uses {
    /// Looks through a policy. Rules that are left packed go by nothing that was before.
    pub fn of(policy: &Policy) -> Self {
        let mut uses = Self::default();
        for active in &policy.rules {
            uses.add(&active.rule, active.layer, &policy.gates);
        }
        for active in &policy.gates {
            uses.add_gate(active, &policy.gates);
        }
        uses
    }

    /// Returns what must be known at a moment; nothing when nothing is remembered.
    pub fn at(&self, kind: Kind) -> Scopes {
        let named = Scope::ALL.into_iter().zip(&self.named).filter(|(_, moments)| moments.contains(kind));
        let needed = named.fold(self.counted.grow_at(kind), |scopes, (scope, _)| scopes.or(Scopes::one(scope)));
        let of_session = self.streams_at(kind) || self.returns_at(kind) || self.answers_at(kind);
        let needed = if of_session { needed.or(Scopes::one(Scope::Session)) } else { needed };
        // How far a session's reports were counted is the session's to know.
        let reports = self.counted.has_tokens() && !needed.is_empty();
        if reports { needed.or(Scopes::one(Scope::Session)) } else { needed }
    }

    /// Tells whether an answer is changed piece by piece at a moment.
    pub fn streams_at(&self, kind: Kind) -> bool {
        self.streamed.contains(kind)
    }

    /// Tells whether it is told at a moment how often an agent was sent back.
    pub fn returns_at(&self, kind: Kind) -> bool {
        self.returned.contains(kind)
    }

    /// Tells whether a moment is one of an exchange with the model of which the answer may be given again.
    pub fn answers_at(&self, kind: Kind) -> bool {
        self.answers && EXCHANGE.contains(&kind)
    }

    /// Returns the moments at which something must be known.
    pub fn moments(&self) -> Moments {
        let needed = MOMENTS.iter().filter(|moment| !self.at(moment.kind).is_empty());
        needed.map(|moment| Moments::one(moment.kind)).fold(Moments::default(), Moments::or)
    }

    fn add_gate(&mut self, active: &ActiveGate, gates: &[ActiveGate]) {
        let scope = active.gate.scope.scope();
        for transition in active.gate.transitions() {
            self.speak_of(scope, transition.when);
            self.add(&transition.as_rule(active.gate.id.clone()), active.layer, gates);
            match transition.r#for {
                Some(Lasting::Turns(_)) => self.counted.add_one(scope, Counter::Turns),
                Some(Lasting::Calls(_)) => self.counted.add_one(scope, Counter::Calls),
                Some(Lasting::Seconds(_)) | None => {}
            }
        }
    }

    fn add(&mut self, rule: &Rule, speaker: Layer, gates: &[ActiveGate]) {
        self.streamed = self.streamed.or(streamed(rule));
        self.returned = self.returned.or(returned(rule));
        self.answers |= rule.then.cache().is_some();
        rule.gates(&mut |id| {
            if let Some(active) = gate::meant(gates, id, speaker) {
                self.speak_of(active.gate.scope.scope(), rule.moments());
            }
        });
        rule.names(&mut |name| {
            let mut one = Counted::default();
            one.add(name);
            self.counted.add(name);
            for scope in Scope::ALL.into_iter().filter(|scope| one.speaks_of(*scope)) {
                self.speak_of(scope, rule.moments());
            }
            self.add_of_gates(name, gates);
        });
    }

    /// Adds the counters that `gate.turns` and its like go by, in whatever scope a gate is.
    fn add_of_gates(&mut self, name: &str, gates: &[ActiveGate]) {
        let Some(rest) = name.strip_prefix("gate") else { return };
        let named = Counter::from_name(rest.trim_start_matches('.'));
        for scope in gates.iter().map(|active| active.gate.scope.scope()) {
            for counter in [Counter::Turns, Counter::Calls, Counter::Seconds] {
                if rest.is_empty() || named == Some(counter) {
                    self.counted.add_one(scope, counter);
                }
            }
        }
    }

    fn speak_of(&mut self, scope: Scope, when: Moments) {
        for (known, moments) in Scope::ALL.into_iter().zip(&mut self.named) {
            if known == scope {
                *moments = moments.or(when);
            }
        }
    }
}
