//! One payload judged: the path that the hook, `check` and `test` share.

use serde_json::Value;

use crate::adapters::{Answer, Host, Manner, Payload, Unreadable, read, rewritten};
use crate::domain::decide::{Outcome, decide};
use crate::domain::event::Event;
use crate::domain::facts::{Facts, Follow};
use crate::domain::path::Place;
use crate::domain::policy::Policy;
use crate::domain::verdict::{Decision, Verdict};

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
}

/// What came of a payload.
pub(super) struct Judged {
    /// The verdict and the rules behind it.
    pub outcome: Outcome,
    /// What the host is told.
    pub answer: Answer,
}

impl Bench<'_> {
    /// Judges a payload.
    pub(super) fn judge(&self, payload: &Payload) -> Result<Judged, Unreadable> {
        let event = read(self.host, payload, &self.policy.arguments)?;
        let mut outcome = decide(self.policy, &Facts::new(&event, self.place, self.follow));
        self.judge_rewritten(payload, &event, &mut outcome)?;
        let answer = self.host.answer(&event, outcome.verdict.clone(), self.manner());
        Ok(Judged { outcome, answer })
    }

    /// Puts a verdict on a payload into the host's words.
    pub(super) fn answer(&self, payload: &Payload, verdict: Verdict) -> Result<Answer, Unreadable> {
        let event = read(self.host, payload, &self.policy.arguments)?;
        Ok(self.host.answer(&event, verdict, self.manner()))
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
        let again = decide(self.policy, &Facts::new(&event, self.place, self.follow));
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
