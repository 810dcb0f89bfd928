//! How often agents were sent back to work, to enforce `max_retries`.
//!
//! An answer that was not sent back starts the count again. If a host does not report that (a teammate that goes
//! idle), the count starts again each time nothing is held against the agent. If an agent was sent back and the count
//! is not known, the limit counts as reached.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::State;
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::Kind;
use crate::domain::event::{Event, Payload};
use crate::domain::time::Time;
use crate::domain::verdict::Verdict;

/// The greatest number of agents that are stored per session.
const MAX_AGENTS: usize = 32;

/// The counts of the agents of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RetryCounts(BTreeMap<String, RetryCount>);

/// The count of one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct RetryCount {
    times: u32,
    seen: Time,
}

/// Returns how often the agent of an event was sent back since it received its task; `None` if that is not known,
/// which counts as often enough for any limit.
pub fn retry_count(event: &Event<'_>, state: Option<&State>) -> Option<u32> {
    let kept = || state.and_then(|state| state.session.returns.0.get(&agent_key(event))).map(|returned| returned.times);
    match (&event.payload, event.kind) {
        (Payload::Answer(answer), _) if !answer.is_retry => Some(0),
        // Without state, the host itself reports that it was sent back at least once.
        (Payload::Answer(_), _) => kept().map(|times| times.max(1)),
        (_, Kind::TeammateIdle) => state.filter(|state| !state.is_lost).map(|_| kept().unwrap_or_default()),
        _ => Some(0),
    }
}

impl RetryCounts {
    /// Records the outcome of an event at which an agent may be sent back.
    pub(super) fn record(&mut self, event: &Event<'_>, before: Option<u32>, verdict: &Verdict, now: Time) {
        let goes_on = verdict.notes.has(EffectKind::Retry) || verdict.notes.has(EffectKind::Context);
        let agent = agent_key(event);
        match before {
            Some(times) if goes_on => {
                self.0.insert(agent, RetryCount { times: times.saturating_add(1), seen: now });
            }
            // Another hook may send the agent back.
            Some(times) if event.kind != Kind::TeammateIdle => {
                self.0.insert(agent, RetryCount { times, seen: now });
            }
            Some(_) | None => {
                self.0.remove(&agent);
            }
        }
        while self.0.len() > MAX_AGENTS {
            let oldest = self.0.iter().min_by_key(|(_, returned)| returned.seen).map(|(agent, _)| agent.clone());
            oldest.map(|agent| self.0.remove(&agent));
        }
    }
}

/// Returns the key of the agent of an event, within its session.
fn agent_key(event: &Event<'_>) -> String {
    let id = match (&event.payload, &event.session.subagent) {
        (Payload::Notice(notice), _) => notice.subject,
        (_, Some(agent)) => agent.id.or(Some(agent.name)),
        (_, None) => None,
    };
    format!("{} {}", event.kind.name(), id.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use serde_json::Map;

    use super::{MAX_AGENTS, State, retry_count};
    use crate::domain::effect::EffectKind;
    use crate::domain::event::kind::Kind;
    use crate::domain::event::{AgentAnswer, Event, Notice, Payload, Session};
    use crate::domain::severity::Severity;
    use crate::domain::time::Time;
    use crate::domain::verdict::Verdict;
    use crate::domain::verdict::note::Note;

    /// Returns how often the agent is sent back by a rule that always does so, at most `most` times.
    fn times(payload: impl Fn(u32) -> Payload<'static>, kind: Kind, most: u32) -> u32 {
        let native = Map::new();
        let mut state = State::default();
        for round in 0..20 {
            let payload = payload(round);
            let event =
                Event { kind, host: "claude", wire_name: "", session: Session::default(), payload, native: &native };
            let before = retry_count(&event, Some(&state));
            let mut verdict = Verdict::default();
            if before.is_some_and(|times| times < most) {
                let note = Note { severity: Reverse(Severity::Low), rule: "r".into(), text: "Go on.".into() };
                verdict.notes.insert(EffectKind::Retry, note);
            }
            state.session.returns.record(&event, before, &verdict, Time(u64::from(round)));
            if !verdict.notes.has(EffectKind::Retry) {
                return round;
            }
        }
        20
    }

    #[test]
    fn it_comes_to_an_end_at_every_bound() {
        let answer = |round| Payload::Answer(AgentAnswer { prompt: None, text: None, is_retry: round > 0 });
        let idle = |_| Payload::Notice(Notice { subject: Some("mate"), ..Notice::default() });
        for most in 0..5 {
            assert_eq!(times(answer, Kind::AgentAfter, most), most);
            assert_eq!(times(idle, Kind::TeammateIdle, most), most);
        }
    }

    #[test]
    fn what_nobody_remembers_is_enough() {
        let native = Map::new();
        let event = |kind, payload| Event {
            kind,
            host: "claude",
            wire_name: "",
            session: Session::default(),
            payload,
            native: &native,
        };
        let again = event(Kind::AgentAfter, Payload::Answer(AgentAnswer { prompt: None, text: None, is_retry: true }));
        let idle = event(Kind::TeammateIdle, Payload::Notice(Notice::default()));
        let lost = State { is_lost: true, ..State::default() };
        for state in [None, Some(&lost)] {
            assert_eq!(retry_count(&again, state), None);
            assert_eq!(retry_count(&idle, state), None);
        }
    }

    #[test]
    fn agents_that_are_gone_are_forgotten() {
        let native = Map::new();
        let names: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let mut state = State::default();
        for (name, now) in names.iter().zip(0..) {
            let payload = Payload::Notice(Notice { subject: Some(name), ..Notice::default() });
            let session = Session::default();
            let event =
                Event { kind: Kind::TeammateIdle, host: "claude", wire_name: "", session, payload, native: &native };
            let mut verdict = Verdict::default();
            verdict.notes.insert(
                EffectKind::Retry,
                Note { severity: Reverse(Severity::Low), rule: "r".into(), text: "Go on.".into() },
            );
            state.session.returns.record(&event, Some(0), &verdict, Time(now));
        }
        assert_eq!(state.session.returns.0.len(), MAX_AGENTS);
    }
}
