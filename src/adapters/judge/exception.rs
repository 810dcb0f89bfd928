//! Exceptions that users granted, and how a reason tells of them.

use std::cmp::Reverse;

use super::{BLOCKING_EFFECTS, Judge};
use crate::domain::decide::exception::{blocking_rules, fingerprint};
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::facts::Facts;
use crate::domain::severity::Severity;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Note;
use crate::domain::verdict::outcome::Outcome;

impl Judge<'_> {
    /// Waives what the user granted an exception for. Returns the sealed fingerprint of the call when
    /// something blocks it that an exception may waive.
    pub(super) fn waive(self, event: &Event<'_>, outcome: &mut Outcome) -> Option<String> {
        let environment = self.environment;
        let exceptions = environment.exceptions?;
        let known = outcome.fingerprint.take();
        let rules = blocking_rules(outcome)?;
        // Where only the state blocks a call, its fingerprint was not needed yet.
        let computed = || {
            let facts = Facts::new(event, environment.paths, environment.file_system);
            fingerprint(&facts.with_detectors(&self.policy.detectors))
        };
        let sealed = exceptions.seal(&known.or_else(computed)?)?;
        let granted = exceptions.consume(&rules, &sealed, event.session.id);
        if !granted.is_empty() {
            outcome.verdict.notes.clear(EffectKind::Deny);
            outcome.verdict.notes.clear(EffectKind::Ask);
        }
        for id in granted {
            let text = format!("A person allowed this: exception {id}.");
            let note = Note { severity: Reverse(Severity::High), rule: id, text };
            outcome.verdict.notes.insert(EffectKind::Audit, note);
        }
        Some(sealed)
    }

    /// Returns the verdict with the id of its audit record after the reasons that users will ask about.
    pub(super) fn with_record_id(self, outcome: &Outcome) -> Verdict {
        let mut verdict = outcome.verdict.clone();
        if let Some(id) = &self.environment.record_id {
            let may_waive = self.environment.exceptions.is_some() && blocking_rules(outcome).is_some();
            let allow = if may_waive && verdict.notes.has(EffectKind::Deny) {
                format!("; to allow: ruleward allow {id}")
            } else {
                String::new()
            };
            let reference = format!("(details: ruleward explain {id}{allow})");
            for effect in BLOCKING_EFFECTS.into_iter().filter(|effect| outcome.verdict.notes.has(*effect)) {
                // After the notes of every rule: no rule has such a name.
                let rule = char::MAX.to_string();
                verdict.notes.insert(effect, Note { severity: Reverse(Severity::Low), rule, text: reference.clone() });
            }
        }
        verdict
    }
}
