//! The answer to a host: a verdict, degraded to what the host supports and encoded in its format.

pub mod capability;
mod degrade;
pub(super) mod rewrite;

use std::cmp::Reverse;

use super::contract::{Host, PayloadFields, Response};
use crate::domain::effect::EffectKind;
use crate::domain::event::{Event, Notice, Payload, Session};
use crate::domain::policy::settings::AskFallback;
use crate::domain::severity::Severity;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Note;

pub use degrade::{Degradation, HostMode};
pub use rewrite::rewritten_payload;

/// An encoded answer, and the degradations of the verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedVerdict {
    /// The bytes and the exit code.
    pub response: Response,
    /// The effects that were degraded.
    pub degradations: Vec<Degradation>,
}

impl Host {
    /// Encodes a verdict as an answer of the host.
    pub fn answer(&self, event: &Event<'_>, verdict: Verdict, manner: HostMode) -> RenderedVerdict {
        let Some(row) = self.event_row(event.wire_name) else {
            return RenderedVerdict { response: Response::empty(), degradations: degrade::all_dropped(&verdict) };
        };
        let (verdict, losses) = degrade::degrade(row, event, verdict, manner);
        let response = if verdict.is_empty() { Response::empty() } else { (self.render)(row, event, &verdict) };
        RenderedVerdict { response: response.for_stderr_reader(self.reads_stderr), degradations: losses }
    }

    /// Refuses an event that could not be judged, if it can be refused at all; only the event's name
    /// is known. Without a name, refuses in every way that the host understands.
    pub fn refuse(&self, wire: Option<&str>, reason: &str) -> Response {
        let mut verdict = Verdict::default();
        verdict.notes.insert(EffectKind::Deny, note(reason));
        self.answer_without_payload(wire, reason, verdict, AskFallback::Deny)
    }

    /// Asks the user about an event that could not be judged. Where no user can be asked, does the same
    /// as [`Host::refuse`], unless the policy allows the event.
    pub fn ask(&self, wire: Option<&str>, reason: &str, fallback: AskFallback) -> Response {
        let mut verdict = Verdict::default();
        verdict.notes.insert(EffectKind::Ask, note(reason));
        self.answer_without_payload(wire, reason, verdict, fallback)
    }

    fn answer_without_payload(
        &self,
        wire: Option<&str>,
        reason: &str,
        verdict: Verdict,
        ask_fallback: AskFallback,
    ) -> Response {
        let Some(wire) = wire else { return (self.refuse_unknown_event)(reason).for_stderr_reader(self.reads_stderr) };
        let Some(row) = self.event_row(wire).filter(|row| row.support(EffectKind::Deny).is_some()) else {
            return Response::empty();
        };
        let native = PayloadFields::new();
        let event = Event {
            kind: row.kind,
            host: self.name,
            wire_name: row.wire,
            session: Session::default(),
            payload: Payload::Notice(Notice::default()),
            native: &native,
        };
        self.answer(&event, verdict, HostMode { interactive: false, ask_fallback, version: None }).response
    }
}

fn note(text: &str) -> Note {
    Note { severity: Reverse(Severity::Critical), rule: String::new(), text: text.to_owned() }
}
