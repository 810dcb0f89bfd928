//! The verdict: what all rules together come to for one event, and the only merge in the program.
//!
//! The merge is associative, commutative and idempotent: neither the order of files nor of rules changes an answer,
//! or which reason comes first.

pub mod backup;
pub mod limit;
pub mod note;
pub mod notes;
pub mod outcome;
pub mod plan;
pub mod redaction;
pub mod run_record;

use note::Decision;
use note::Note;
use notes::Notes;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::domain::effect::EffectKind;
use crate::domain::effect::spec::EffectForm;
use crate::domain::policy::cache::CachePolicy;
use crate::domain::severity::OnError;
use crate::domain::severity::Severity;
use limit::ToolLimitNote;
use redaction::Redactions;

/// A new value for a field of a tool's input; `Value::Null` removes the field.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The rule that wants it.
    pub rule: String,
    /// The value.
    pub value: Value,
}

/// The merged verdict on one event. The default has no effect.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// The notes of the effects; a note of a refusal makes the decision a refusal.
    pub notes: Notes,
    /// Whether the host remembers the approval for the session.
    pub remember_approval: bool,
    /// What is redacted in the event's texts.
    pub redact: Redactions,
    /// The effects that would have sent the agent back more often than allowed.
    pub exhausted: BTreeSet<EffectKind>,
    /// The cache policies for the model's answers, with the ids of their rules.
    pub cache: BTreeSet<(String, CachePolicy)>,
    /// Limits on the tools that the model may use.
    pub tools: BTreeSet<ToolLimitNote>,
    /// Whether the refused input contains a secret and should not be shown again.
    pub has_secret: bool,
    /// The proposals for each field of the tool's input, or of the request to the model.
    pub rewrite: BTreeMap<String, Vec<Proposal>>,
}

impl Verdict {
    /// Returns the verdict for something that could not be judged.
    pub fn from_error(on_error: OnError, note: Note) -> Self {
        let effect = match on_error {
            OnError::Deny => EffectKind::Deny,
            OnError::Ask => EffectKind::Ask,
            OnError::Allow => EffectKind::Warn,
        };
        Self::from_note(effect, note)
    }

    /// Returns the verdict with one note.
    pub fn from_note(effect: EffectKind, note: Note) -> Self {
        let mut verdict = Self::default();
        verdict.notes.insert(effect, note);
        verdict
    }

    /// Merges two verdicts.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.notes.merge(other.notes);
        self.remember_approval |= other.remember_approval;
        self.redact.extend(other.redact);
        self.exhausted.extend(other.exhausted);
        self.cache.extend(other.cache);
        self.tools.extend(other.tools);
        self.has_secret |= other.has_secret;
        for (field, proposals) in other.rewrite {
            let known = self.rewrite.entry(field).or_default();
            for proposal in proposals {
                if !known.contains(&proposal) {
                    known.push(proposal);
                }
            }
            known.sort_by_cached_key(|proposal| (proposal.rule.clone(), proposal.value.to_string()));
        }
        self
    }

    /// Returns whether the verdict asks for an effect.
    pub fn has_effect(&self, effect: EffectKind) -> bool {
        let has_value = match effect.form() {
            EffectForm::Fields => !self.rewrite.is_empty(),
            EffectForm::ToolLimits => !self.tools.is_empty(),
            EffectForm::Redactions => !self.redact.is_empty(),
            // The outcome of a run is in the verdict under the effects that it had.
            EffectForm::Text | EffectForm::Flag(_) | EffectForm::Program | EffectForm::Backup => false,
        };
        has_value || self.notes.has(effect)
    }

    /// Returns the decision; `None` if there is none.
    pub fn decision(&self) -> Option<Decision> {
        [Decision::Deny, Decision::Ask, Decision::Allow].into_iter().find(|decision| self.notes.has(decision.effect()))
    }

    /// Returns the reasons for the decision, the most severe first.
    pub fn reasons(&self) -> &BTreeSet<Note> {
        self.notes.of(self.decision().map_or(EffectKind::Allow, Decision::effect))
    }

    /// Returns whether the verdict refuses the action, so that the user is not asked.
    pub fn is_refusal(&self) -> bool {
        self.notes.has_any(&[EffectKind::Deny, EffectKind::Stop])
    }

    /// Returns whether the verdict has no effect.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses the action if two rules want different values for one field, since no order of the rules would be
    /// right.
    #[must_use]
    pub fn with_conflicts_denied(mut self) -> Self {
        let mut conflicts = BTreeSet::new();
        for (field, proposals) in &self.rewrite {
            let [first, rest @ ..] = proposals.as_slice() else { continue };
            if let Some(other) = rest.iter().find(|other| other.value != first.value) {
                conflicts.insert(Note {
                    severity: std::cmp::Reverse(Severity::High),
                    rule: first.rule.clone(),
                    text: format!(
                        "The rules `{}` and `{}` rewrite `{field}` differently, so the call is denied.",
                        first.rule, other.rule
                    ),
                });
            }
        }
        self.notes.extend(EffectKind::Deny, conflicts);
        self
    }
}

/// Returns the texts of notes, each once.
pub fn join_texts(notes: &BTreeSet<Note>, separator: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for note in notes {
        if !seen.contains(&note.text.as_str()) {
            seen.push(&note.text);
        }
    }
    seen.join(separator)
}
