//! How often agents were sent back to work, so that `max_retries` comes to an end.
//!
//! An answer that was not sent back begins the count anew. A host that does not say whether it was
//! (a teammate that goes idle) begins it anew each time nothing is held against the agent. Where an
//! agent was sent back and nobody remembers how often, it is taken for often enough.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::State;
use super::time::Time;
use crate::domain::event::{Event, Payload};
use crate::domain::kind::Kind;
use crate::domain::verdict::Verdict;

/// Agents of one session that are remembered at the same time.
const MOST: usize = 32;

/// How often the agents of a session were sent back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Returns(BTreeMap<String, Returned>);

/// How often one of them was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Returned {
    times: u32,
    seen: Time,
}

/// Returns how often the agent of an event was sent back since it had its task, if that is known;
/// `None` where it is not, which is often enough for anything.
pub fn sent_back(event: &Event<'_>, state: Option<&State>) -> Option<u32> {
    let kept = || state.and_then(|state| state.session.returns.0.get(&agent(event))).map(|returned| returned.times);
    match (&event.payload, event.kind) {
        (Payload::Answer(answer), _) if !answer.again => Some(0),
        // Without memory, once is what the host itself says.
        (Payload::Answer(_), _) => kept().map(|times| times.max(1)),
        (_, Kind::TeammateIdle) => state.filter(|state| !state.is_lost).map(|_| kept().unwrap_or_default()),
        _ => Some(0),
    }
}

impl Returns {
    /// Remembers what came of an event at which an agent may be sent back.
    pub(super) fn note(&mut self, event: &Event<'_>, before: Option<u32>, verdict: &Verdict, now: Time) {
        let goes_on = !verdict.retry.is_empty() || !verdict.context.is_empty();
        let agent = agent(event);
        match before {
            Some(times) if goes_on => {
                self.0.insert(agent, Returned { times: times.saturating_add(1), seen: now });
            }
            // Another hook may send it back.
            Some(times) if event.kind != Kind::TeammateIdle => {
                self.0.insert(agent, Returned { times, seen: now });
            }
            Some(_) | None => {
                self.0.remove(&agent);
            }
        }
        while self.0.len() > MOST {
            let oldest = self.0.iter().min_by_key(|(_, returned)| returned.seen).map(|(agent, _)| agent.clone());
            oldest.map(|agent| self.0.remove(&agent));
        }
    }
}

/// Returns the name of the agent that an event is about, within its session.
fn agent(event: &Event<'_>) -> String {
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

    use super::{MOST, State, sent_back};
    use crate::domain::event::{Answer, Event, Notice, Payload, Session};
    use crate::domain::kind::Kind;
    use crate::domain::rule::Severity;
    use crate::domain::state::Time;
    use crate::domain::verdict::{Note, Verdict};

    /// Returns how often the agent is sent back by a rule that always would, so many times at most.
    fn times(payload: impl Fn(u32) -> Payload<'static>, kind: Kind, most: u32) -> u32 {
        let native = Map::new();
        let mut state = State::default();
        for round in 0..20 {
            let payload = payload(round);
            let event = Event { kind, host: "claude", wire: "", session: Session::default(), payload, native: &native };
            let before = sent_back(&event, Some(&state));
            let mut verdict = Verdict::default();
            if before.is_some_and(|times| times < most) {
                let note = Note { severity: Reverse(Severity::Low), rule: "r".into(), text: "Go on.".into() };
                verdict.retry.insert(note);
            }
            state.session.returns.note(&event, before, &verdict, Time(u64::from(round)));
            if verdict.retry.is_empty() {
                return round;
            }
        }
        20
    }

    #[test]
    fn it_comes_to_an_end_at_every_bound() {
        let answer = |round| Payload::Answer(Answer { prompt: None, text: None, again: round > 0 });
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
            wire: "",
            session: Session::default(),
            payload,
            native: &native,
        };
        let again = event(Kind::AgentAfter, Payload::Answer(Answer { prompt: None, text: None, again: true }));
        let idle = event(Kind::TeammateIdle, Payload::Notice(Notice::default()));
        let lost = State { is_lost: true, ..State::default() };
        for state in [None, Some(&lost)] {
            assert_eq!(sent_back(&again, state), None);
            assert_eq!(sent_back(&idle, state), None);
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
            let event = Event { kind: Kind::TeammateIdle, host: "claude", wire: "", session, payload, native: &native };
            let mut verdict = Verdict::default();
            verdict.retry.insert(Note { severity: Reverse(Severity::Low), rule: "r".into(), text: "Go on.".into() });
            state.session.returns.note(&event, Some(0), &verdict, Time(now));
        }
        assert_eq!(state.session.returns.0.len(), MOST);
    }
}
