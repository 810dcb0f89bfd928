//! One payload judged: the path that the hook, `check` and `test` share.

use std::cmp::Reverse;

use serde_json::Value;

use crate::adapters::{Answer, Host, Manner, Payload, Unreadable, read, rewritten};
use crate::domain::decide::{Outcome, decide};
use crate::domain::event::Event;
use crate::domain::facts::{Facts, Follow};
use crate::domain::path::Place;
use crate::domain::policy::{OnError, Policy};
use crate::domain::rule::Severity;
use crate::domain::verdict::{Decision, Note, Verdict};
use crate::io::policy::load::Loaded;

/// What a judgement goes by, besides the payload.
pub(super) struct Bench<'a> {
    /// The host that asks.
    pub host: &'static Host,
    /// The policy in force.
    pub policy: &'a Policy,
    /// Where paths are read from.
    pub place: &'a Place,
    /// Follows links.
    pub follow: Follow<'a>,
    /// What is wrong with the policy, if something is; it has its own word in every verdict.
    pub broken: Option<String>,
}

/// What came of a payload.
pub(super) struct Judged {
    /// The verdict and the rules behind it.
    pub outcome: Outcome,
    /// What the host is told.
    pub answer: Answer,
}

impl Bench<'_> {
    fn facts<'e>(&'e self, event: &'e Event<'e>) -> Facts<'e> {
        Facts::new(event, self.place, self.follow).with_detectors(&self.policy.detectors)
    }

    /// Judges a payload.
    pub(super) fn judge(&self, payload: &Payload) -> Result<Judged, Unreadable> {
        let event = read(self.host, payload, &self.policy.arguments)?;
        let mut outcome = decide(self.policy, &self.facts(&event));
        self.judge_rewritten(payload, &event, &mut outcome)?;
        if let Some(why) = &self.broken {
            let verdict = std::mem::take(&mut outcome.verdict);
            outcome.verdict = verdict.and(for_error(self.policy.on_error, why));
        }
        let answer = self.host.answer(&event, outcome.verdict.clone(), self.manner());
        Ok(Judged { outcome, answer })
    }

    fn manner(&self) -> Manner {
        Manner { interactive: self.policy.interactive, ask_fallback: self.policy.ask_fallback }
    }

    /// Holds a changed call to the same rules: what a rule makes of a call may be what another
    /// one refuses.
    fn judge_rewritten(&self, payload: &Payload, event: &Event<'_>, outcome: &mut Outcome) -> Result<(), Unreadable> {
        if outcome.verdict.rewrite.is_empty() || outcome.verdict.decision() == Some(Decision::Deny) {
            return Ok(());
        }
        let Some(input) = rewritten(self.host, event, &outcome.verdict.rewrite) else { return Ok(()) };
        let mut changed = payload.clone();
        changed.insert("tool_input".into(), Value::Object(input));
        let event = read(self.host, &changed, &self.policy.arguments)?;
        let again = decide(self.policy, &self.facts(&event));
        let Verdict { deny, ask, stop, .. } = again.verdict;
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
