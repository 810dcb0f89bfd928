//! What all rules together come to, and the only merge in the program.
//!
//! Merging is associative and commutative, and a verdict merged with itself is itself: neither the
//! order of files nor of rules can change an answer, nor which reason stands first.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::cache::Cache;
use super::effect::EffectKind;
use super::limit::Limited;
use super::policy::OnError;
use super::redaction::Redactions;
use super::rule::Severity;

/// What becomes of the action, from the mildest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// The host's own question is skipped.
    Allow,
    /// A person is asked.
    Ask,
    /// The action is refused.
    Deny,
}

impl Decision {
    /// Returns the decision's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A text that a rule gave, ordered so that the gravest stands first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// How grave the rule is; the gravest sorts first.
    pub severity: std::cmp::Reverse<Severity>,
    /// The rule's id.
    pub rule: String,
    /// The text, filled in.
    pub text: String,
}

/// A new value for a field of a tool's input; `Value::Null` takes the field away.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The rule that wants it.
    pub rule: String,
    /// The value.
    pub value: Value,
}

/// The merged answer to one event. The default says nothing at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// Reasons for refusing; any makes the decision a refusal.
    pub deny: BTreeSet<Note>,
    /// Reasons for putting the call off.
    pub defer: BTreeSet<Note>,
    /// Reasons for asking a person.
    pub ask: BTreeSet<Note>,
    /// Reasons for skipping the host's question.
    pub allow: BTreeSet<Note>,
    /// Whether the host is to remember the approval for the session.
    pub remember: bool,
    /// Reasons for ending the loop.
    pub stop: BTreeSet<Note>,
    /// Texts that stand in the place of the output or the answer.
    pub replace: BTreeSet<Note>,
    /// What is taken out of the event's texts.
    pub redact: Redactions,
    /// Reasons for sending the agent back to work.
    pub retry: BTreeSet<Note>,
    /// That the conversation begins anew.
    pub clear_context: BTreeSet<Note>,
    /// What would have sent the agent back once more than it may be.
    pub spent: BTreeSet<EffectKind>,
    /// Answers in the model's place.
    pub respond: BTreeSet<Note>,
    /// On which terms the rules, by their ids, have an earlier answer of the model given again.
    pub cache: BTreeSet<(String, Cache)>,
    /// Limits on the tools that the model may use.
    pub tools: BTreeSet<Limited>,
    /// Texts for the agent.
    pub context: BTreeSet<Note>,
    /// Texts for the person.
    pub warn: BTreeSet<Note>,
    /// Lines for the audit log.
    pub audit: BTreeSet<Note>,
    /// Whether what is refused holds a secret, so that it is better not shown again.
    pub conceals: bool,
    /// Proposals by field of the tool's input, or of the request to the model.
    pub rewrite: BTreeMap<String, Vec<Proposal>>,
}

impl Verdict {
    /// Returns what something that could not be judged comes to.
    pub fn unjudged(on_error: OnError, note: Note) -> Self {
        let mut verdict = Self::default();
        match on_error {
            OnError::Deny => verdict.deny.insert(note),
            OnError::Ask => verdict.ask.insert(note),
            OnError::Allow => verdict.warn.insert(note),
        };
        verdict
    }

    /// Returns what two verdicts come to together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.deny.extend(other.deny);
        self.defer.extend(other.defer);
        self.ask.extend(other.ask);
        self.allow.extend(other.allow);
        self.remember |= other.remember;
        self.stop.extend(other.stop);
        self.replace.extend(other.replace);
        self.redact.extend(other.redact);
        self.retry.extend(other.retry);
        self.clear_context.extend(other.clear_context);
        self.spent.extend(other.spent);
        self.respond.extend(other.respond);
        self.cache.extend(other.cache);
        self.tools.extend(other.tools);
        self.context.extend(other.context);
        self.warn.extend(other.warn);
        self.audit.extend(other.audit);
        self.conceals |= other.conceals;
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

    /// Returns the texts of an effect. A rewrite, a redaction, a limit and a run have none of their own.
    pub fn notes_mut(&mut self, effect: EffectKind) -> &mut BTreeSet<Note> {
        match effect {
            EffectKind::Stop => &mut self.stop,
            EffectKind::Deny => &mut self.deny,
            EffectKind::Defer => &mut self.defer,
            EffectKind::Ask => &mut self.ask,
            EffectKind::Replace => &mut self.replace,
            EffectKind::Retry => &mut self.retry,
            EffectKind::ClearContext => &mut self.clear_context,
            EffectKind::Respond => &mut self.respond,
            EffectKind::Context => &mut self.context,
            EffectKind::Warn => &mut self.warn,
            EffectKind::Allow => &mut self.allow,
            EffectKind::Audit | EffectKind::Rewrite | EffectKind::Redact | EffectKind::Tools | EffectKind::Run => {
                &mut self.audit
            }
        }
    }

    /// Tells whether the verdict asks for an effect.
    pub fn has(&mut self, effect: EffectKind) -> bool {
        match effect {
            EffectKind::Rewrite => !self.rewrite.is_empty(),
            EffectKind::Tools => !self.tools.is_empty(),
            EffectKind::Redact => !self.redact.is_empty(),
            // What came of a run is in the verdict under the effects that it had.
            EffectKind::Run => false,
            _ => !self.notes_mut(effect).is_empty(),
        }
    }

    /// Returns the decision; `None` is no opinion.
    pub fn decision(&self) -> Option<Decision> {
        [(Decision::Deny, &self.deny), (Decision::Ask, &self.ask), (Decision::Allow, &self.allow)]
            .into_iter()
            .find_map(|(decision, notes)| (!notes.is_empty()).then_some(decision))
    }

    /// Returns the reasons for the decision, the gravest first.
    pub fn reasons(&self) -> &BTreeSet<Note> {
        match self.decision() {
            Some(Decision::Deny) => &self.deny,
            Some(Decision::Ask) => &self.ask,
            Some(Decision::Allow) | None => &self.allow,
        }
    }

    /// Tells whether nothing is to be said or done.
    pub fn is_silent(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses where two rules want different values for one field: there is no order in which
    /// one of them would be right.
    #[must_use]
    pub fn settled(mut self) -> Self {
        let mut conflicts = BTreeSet::new();
        for (field, proposals) in &self.rewrite {
            let [first, rest @ ..] = proposals.as_slice() else { continue };
            if let Some(other) = rest.iter().find(|other| other.value != first.value) {
                conflicts.insert(Note {
                    severity: std::cmp::Reverse(Severity::High),
                    rule: first.rule.clone(),
                    text: format!(
                        "The rules `{}` and `{}` rewrite `{field}` differently, so the call cannot go ahead.",
                        first.rule, other.rule
                    ),
                });
            }
        }
        self.deny.append(&mut conflicts);
        self
    }
}

/// Returns the texts of notes, each once.
pub fn texts(notes: &BTreeSet<Note>, separator: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for note in notes {
        if !seen.contains(&note.text.as_str()) {
            seen.push(&note.text);
        }
    }
    seen.join(separator)
}
