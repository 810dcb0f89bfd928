//! A chunk of an answer, changed as one with the chunks before it.

use std::cmp::Reverse;

use super::Judge;
use super::session::Session;
use crate::adapters::{PayloadError, read_event};
use crate::domain::decide::decide;
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::event::Event;
use crate::domain::severity::Severity;
use crate::domain::state::StreamKey;
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Note;
use crate::domain::verdict::outcome::Outcome;
use crate::domain::verdict::redaction::RedactionStream;

/// What the host shows of a chunk of an answer.
pub(super) enum ChunkOutput {
    /// What the verdict makes of the chunk alone.
    FromVerdict,
    /// All of it.
    Unchanged,
    /// Another text.
    Replaced(String),
}

impl ChunkOutput {
    /// Returns the verdict that the host is told.
    pub(super) fn apply(self, mut verdict: Verdict) -> Verdict {
        if matches!(self, Self::FromVerdict) {
            return verdict;
        }
        verdict.redact.clear();
        verdict.notes.clear(EffectKind::Replace);
        if let Self::Replaced(text) = self {
            let note = Note { severity: Reverse(Severity::Low), rule: String::new(), text };
            verdict.notes.insert(EffectKind::Replace, note);
        }
        verdict
    }
}

impl Judge<'_> {
    /// Changes a chunk of an answer as one with what was held back of the chunks before it, and keeps what
    /// the next one needs.
    pub(super) fn redact_chunk(
        self,
        event: &Event<'_>,
        session: &mut Session<'_>,
        outcome: &mut Outcome,
    ) -> Result<ChunkOutput, PayloadError> {
        let Some(streams) = session.streams(event) else { return Ok(ChunkOutput::FromVerdict) };
        let Some(chunk) = (self.host.streaming.chunk)(event.native) else { return Ok(ChunkOutput::FromVerdict) };
        let key = StreamKey::new(event.session.id.unwrap_or_default(), &chunk.stream_id);
        let known = streams.take(&key);
        let stream = if chunk.is_first { RedactionStream::default() } else { known };
        let payload = (self.host.streaming.with_text)(event.native, &stream.pending_text(&chunk.text));
        let whole = read_event(self.host, &payload, &self.policy.arguments)?;
        let suppression = self.suppression();
        let second = decide(self.policy, &self.facts(&whole, &suppression));
        let Verdict { redact, mut notes, .. } = second.verdict;
        let replacement = notes.has(EffectKind::Replace).then(|| notes.join(EffectKind::Replace, "\n"));
        let step = stream.push(&chunk.text, chunk.is_last, &redact, replacement.as_deref());
        if let Some(next) = &step.next {
            streams.put(&key, next, self.environment.state.now);
        }
        outcome.verdict.redact = redact;
        outcome.verdict.notes.clear(EffectKind::Replace);
        outcome.verdict.notes.extend(EffectKind::Replace, notes.take(EffectKind::Replace));
        let changes = |effects: Effects| effects.contains(EffectKind::Redact) || effects.contains(EffectKind::Replace);
        outcome.add_findings(second.findings.into_iter().filter(|finding| changes(finding.effects)));
        Ok(if step.output == chunk.text { ChunkOutput::Unchanged } else { ChunkOutput::Replaced(step.output) })
    }
}
