//! One payload judged: the path that the hook, `check` and `test` share.

use std::cmp::Reverse;

use super::hosts::Here;
use super::trust;
use crate::adapters::{Answer, Host, Manner, Payload, Unreadable, read, rewritten_payload};
use crate::domain::decide::{Outcome, decide};
use crate::domain::event::Event;
use crate::domain::exception::{essence, in_the_way};
use crate::domain::facts::Facts;
use crate::domain::kind::Kind;
use crate::domain::leak::{Known, Reader, Reign};
use crate::domain::path::Place;
use crate::domain::policy::{OnError, Policy};
use crate::domain::rule::Severity;
use crate::domain::scripts::Machine;
use crate::domain::verdict::{Decision, Note, Verdict};
use crate::domain::witness::Witness;
use crate::io::exceptions::Desk;
use crate::io::files;
use crate::io::machine::ThisMachine;
use crate::io::policy::load::Loaded;

/// What a judgement goes by, besides the payload.
pub(super) struct Bench<'a> {
    /// The host that asks.
    pub host: &'static Host,
    /// The policy in force.
    pub policy: &'a Policy,
    /// Where paths are read from.
    pub place: &'a Place,
    /// Where links lead, and what scripts hold.
    pub machine: &'a dyn Machine,
    /// Reads what is known to be no leak, and the files that findings are in.
    pub read: Reader<'a>,
    /// What is wrong with the policy, if something is; it has its own word in every verdict.
    pub broken: Option<String>,
    /// What a person is told when a session starts.
    pub notice: Option<String>,
    /// The name of the record, which stands behind a reason so that people find it.
    pub stamp: Option<String>,
    /// Where exceptions are asked for, if they count.
    pub desk: Option<&'a Desk>,
    /// Who is told what the evaluator sees.
    pub witness: Option<&'a dyn Witness>,
}

/// What came of a payload.
pub(super) struct Judged {
    /// The verdict and the rules behind it.
    pub outcome: Outcome,
    /// What the host is told.
    pub answer: Answer,
    /// The hash of what was done, when something stood in its way that a person may lift.
    pub effect: Option<String>,
}

impl<'a> Bench<'a> {
    /// Returns what a judgement on this machine goes by.
    pub(super) fn here(host: &'static Host, here: &'a Here) -> Self {
        Self {
            host,
            policy: &here.loaded.policy,
            place: &here.place,
            machine: &ThisMachine,
            read: &files::text,
            broken: broken(&here.loaded),
            notice: trust::notice(&here.loaded),
            stamp: None,
            desk: None,
            witness: None,
        }
    }
}

impl Bench<'_> {
    /// Judges a payload.
    pub(super) fn judge(&self, payload: &Payload) -> Result<Judged, Unreadable> {
        let event = read(self.host, payload, &self.policy.arguments)?;
        let mut outcome = self.decide(&event);
        self.judge_rewritten(&event, &mut outcome)?;
        if let Some(why) = &self.broken {
            let verdict = std::mem::take(&mut outcome.verdict);
            outcome.verdict = verdict.and(for_error(self.policy.on_error, why));
        }
        if let Some(witness) = self.witness {
            witness.judged(&outcome);
        }
        let effect = self.excuse(&event, &mut outcome);
        if let Some(notice) = self.notice.as_ref().filter(|_| event.kind == Kind::SessionStart) {
            let text = format!("ruleward: {notice}");
            outcome.verdict.warn.insert(Note { severity: Reverse(Severity::High), rule: String::new(), text });
        }
        let answer = self.host.answer(&event, self.stamped(&outcome), self.manner());
        Ok(Judged { outcome, answer, effect })
    }

    /// Puts the stamp behind the reasons of what people will ask about.
    fn stamped(&self, outcome: &Outcome) -> Verdict {
        let mut verdict = outcome.verdict.clone();
        if let Some(id) = &self.stamp {
            let refused = !verdict.deny.is_empty() && self.desk.is_some() && in_the_way(outcome).is_some();
            let allow =
                if refused { format!("; a person may let it pass: ruleward allow {id}") } else { String::new() };
            let stamp = format!("(ruleward explain {id}{allow})");
            for notes in [&mut verdict.deny, &mut verdict.ask, &mut verdict.stop] {
                if !notes.is_empty() {
                    // Behind every rule's: there is no rule of such a name.
                    let rule = char::MAX.to_string();
                    notes.insert(Note { severity: Reverse(Severity::Low), rule, text: stamp.clone() });
                }
            }
        }
        verdict
    }

    /// Lets pass what a person has granted an exception for, and returns the hash of what was done
    /// when there is something that a person may lift.
    fn excuse(&self, event: &Event<'_>, outcome: &mut Outcome) -> Option<String> {
        let desk = self.desk?;
        let rules = in_the_way(outcome)?;
        let essence = essence(&Facts::new(event, self.place, self.machine).with_detectors(&self.policy.detectors));
        let effect = desk.seal(&essence).ok()?;
        let granted = desk.take(&rules, &effect, event.session.id).unwrap_or_default();
        if !granted.is_empty() {
            outcome.verdict.deny.clear();
            outcome.verdict.ask.clear();
        }
        for id in granted {
            let text = format!("A person let this pass: exception {id}.");
            let note = Note { severity: Reverse(Severity::High), rule: id, text };
            outcome.verdict.audit.insert(note);
        }
        Some(effect)
    }

    fn decide(&self, event: &Event<'_>) -> Outcome {
        let known = Known::new(&self.policy.quieting, Reign::Layered, self.place, self.read);
        let facts = Facts::new(event, self.place, self.machine).with_witness(self.witness);
        decide(self.policy, &facts.with_known(&known).with_detectors(&self.policy.detectors))
    }

    fn manner(&self) -> Manner {
        Manner { interactive: self.policy.interactive, ask_fallback: self.policy.ask_fallback }
    }

    /// Holds a changed call or request to the same rules: what a rule makes of a call may be what another
    /// one refuses.
    fn judge_rewritten(&self, event: &Event<'_>, outcome: &mut Outcome) -> Result<(), Unreadable> {
        if outcome.verdict.decision() == Some(Decision::Deny) {
            return Ok(());
        }
        let Some(changed) = rewritten_payload(self.host, event, &outcome.verdict) else { return Ok(()) };
        let event = read(self.host, &changed, &self.policy.arguments)?;
        let again = self.decide(&event);
        let Verdict { mut deny, ask, stop, redact, .. } = again.verdict;
        // What a redaction finds in the changed call would have to be changed once more, and so on.
        let once_more = Verdict { redact, ..Verdict::default() };
        if rewritten_payload(self.host, &event, &once_more).is_some() {
            deny.extend(once_more.redact.rules().into_iter().map(unsettled));
        }
        let stricter = Verdict { deny, ask, stop, ..Verdict::default() };
        outcome.verdict = std::mem::take(&mut outcome.verdict).and(stricter);
        for finding in again.findings {
            if !outcome.findings.contains(&finding) {
                outcome.findings.push(finding);
            }
        }
        Ok(())
    }
}

/// Returns why a call is refused that still holds what a rule takes out.
fn unsettled(rule: &str) -> Note {
    let text = format!("What the rule `{rule}` takes out of this call is still there after the call was changed.");
    Note { severity: Reverse(Severity::High), rule: rule.to_owned(), text }
}

/// Returns what is wrong with a policy, if something makes it unusable.
pub(super) fn broken(loaded: &Loaded) -> Option<String> {
    let error = loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    Some(format!("the policy has an error, {error}; a person can see all of them with `ruleward lint`"))
}

/// Returns what is said of something that could not be judged.
pub(super) fn unjudged(on_error: OnError, why: &str) -> String {
    let so = match on_error {
        OnError::Deny => "so it is refused",
        OnError::Ask => "so a person is asked",
        OnError::Allow => "and lets it go ahead, as the policy's `on_error` says",
    };
    format!("ruleward could not judge this, {so}: {why}")
}

/// Returns what an error in the policy comes to.
fn for_error(on_error: OnError, why: &str) -> Verdict {
    let text = unjudged(on_error, why);
    Verdict::unjudged(on_error, Note { severity: Reverse(Severity::Critical), rule: String::new(), text })
}
