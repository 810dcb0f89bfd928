//! What conditions need of an event, for the prefilter of a rule.
//!
//! Each condition adds its own requirements, which are necessary but not sufficient.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::secrets::{SecretField, Secrets};
use crate::domain::event::kind::KindSet;
use crate::domain::event::tool::Accesses;
use crate::domain::facts::{Facts, TextField};
use crate::domain::shell::{Feature, FeatureSet};
use crate::domain::text::pattern::has_unusual_char;

/// The requirements of conditions on an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirements {
    pub(crate) required: u32,
    /// The features of which a command must have one; empty if it need not.
    pub(crate) features: Cow<'static, [Feature]>,
    /// The accesses of which a file must have one.
    pub(crate) accesses: Accesses,
    /// The kinds of actions of which one must occur, a bit for each.
    pub(crate) actions: u8,
    /// The reasons of which one must make something unknown, a bit for each.
    pub(crate) reasons: u16,
    /// The fields of which one must contain a secret, a bit for each; none if no secret is needed.
    pub(crate) secrets: u8,
    /// The requirements of the branches, of which one must be met; empty if there are no branches.
    pub(crate) any: Cow<'static, [Requirements]>,
}

/// Something that a condition needs of an event, as the number of a bit of [`Requirements`].
#[derive(Debug, Clone, Copy)]
pub enum Requirement {
    /// A command.
    Command,
    /// A file that is touched.
    Files,
    /// A URL that is fetched.
    Urls,
    /// An action.
    Action,
    /// A part of a shell text whose effect is not known.
    Opaque,
    /// A command that runs on another machine.
    Remote,
    /// A shell text.
    Shell,
    /// A text that is written.
    Content,
    /// A prompt.
    Prompt,
    /// An output of a tool.
    Output,
    /// An answer.
    Response,
    /// A call of an MCP server.
    Mcp,
    /// A sub-agent that acts.
    Subagent,
    /// A command that is run through another command.
    Via,
    /// An unusual character in a command.
    UnusualCommand,
    /// An unusual character in the name of a file.
    UnusualPath,
    /// A command that pushes, or may push by an alias.
    Push,
    /// A change that may lose something.
    Loss,
}

/// An event as prefilters see it.
#[derive(Debug)]
pub struct EventSummary<'e, 'a> {
    facts: &'e Facts<'a>,
    kind: KindSet,
    features: OnceCell<FeatureSet>,
    content: OnceCell<bool>,
    secrets: [OnceCell<bool>; SecretField::ALL.len()],
}

impl<'e, 'a> EventSummary<'e, 'a> {
    /// Summarises an event.
    pub fn of(facts: &'e Facts<'a>) -> Self {
        let kind = KindSet::one(facts.event.kind);
        Self { facts, kind, features: OnceCell::new(), content: OnceCell::new(), secrets: Default::default() }
    }

    /// Returns whether a rule that is evaluated at these kinds is evaluated at this event.
    pub const fn is_kind_in(&self, moments: KindSet) -> bool {
        moments.intersects(self.kind)
    }

    fn features(&self) -> &FeatureSet {
        self.features.get_or_init(|| FeatureSet::from_commands(self.facts.commands()))
    }

    fn has_text(&self, place: TextField) -> bool {
        !self.facts.texts(place).is_empty()
    }

    /// Returns whether a text of one of the fields, each a bit, contains what any detector takes for a secret.
    fn has_secret(&self, places: u8) -> bool {
        let wanted = |at: usize| places & (1 << at) != 0;
        SecretField::ALL.iter().zip(&self.secrets).enumerate().any(|(at, (place, known))| {
            wanted(at) && *known.get_or_init(|| Secrets::has_candidates(*place, self.facts))
        })
    }
}

impl Default for Requirements {
    fn default() -> Self {
        Self {
            required: 0,
            features: Cow::Borrowed(&[]),
            accesses: Accesses::ANY,
            actions: 0,
            reasons: 0,
            secrets: 0,
            any: Cow::Borrowed(&[]),
        }
    }
}

impl Requirements {
    /// Adds a requirement.
    pub(super) fn add(&mut self, requirement: Requirement) {
        self.required |= 1 << requirement as u32;
    }

    /// Returns whether the conditions may hold for an event.
    pub fn may_match(&self, event: &EventSummary<'_, '_>) -> bool {
        let facts = event.facts;
        self.satisfies(Requirement::Mcp, || facts.event.calls().iter().any(|call| call.mcp.is_some()))
            && self.satisfies(Requirement::Subagent, || facts.event.session.subagent.is_some())
            && self.satisfies(Requirement::Command, || self.has_feature(event))
            && self
                .satisfies(Requirement::Content, || *event.content.get_or_init(|| event.has_text(TextField::Content)))
            && self.satisfies(Requirement::Prompt, || event.has_text(TextField::Prompt))
            && self.satisfies(Requirement::Output, || event.has_text(TextField::Output))
            && self.satisfies(Requirement::Response, || event.has_text(TextField::Response))
            && self.satisfies(Requirement::Shell, || event.has_text(TextField::Command))
            && self.satisfies(Requirement::Remote, || facts.commands().any(|command| command.is_remote))
            && self.satisfies(Requirement::Opaque, || {
                facts.opaque().iter().any(|it| self.reasons & (1 << it.reason as u16) != 0)
            })
            && self.satisfies(Requirement::Action, || {
                facts.actions().iter().any(|deed| self.actions & (1 << deed.kind as u8) != 0)
            })
            && self.satisfies(Requirement::Files, || {
                facts.files().iter().any(|file| file.access.intersects(self.accesses))
            })
            && self.satisfies(Requirement::Urls, || !facts.urls().is_empty())
            && self.satisfies(Requirement::Via, || facts.commands().any(|command| !command.call_chain.is_empty()))
            && self.satisfies(Requirement::UnusualCommand, || {
                facts.commands().flat_map(|command| &command.words).any(|word| has_unusual_char(&word.text))
            })
            && self
                .satisfies(Requirement::UnusualPath, || facts.files().iter().any(|file| has_unusual_char(&file.path)))
            && self.satisfies(Requirement::Push, || !facts.pushes().is_empty())
            && self.satisfies(Requirement::Loss, || !facts.losses().is_empty())
            && (self.secrets == 0 || event.has_secret(self.secrets))
            && (self.any.is_empty() || self.any.iter().any(|branch| branch.may_match(event)))
    }

    fn satisfies(&self, need: Requirement, is_there: impl FnOnce() -> bool) -> bool {
        self.required & (1 << need as u32) == 0 || is_there()
    }

    fn has_feature(&self, event: &EventSummary<'_, '_>) -> bool {
        let borne = event.features();
        if self.features.is_empty() { !borne.is_empty() } else { self.features.iter().any(|sign| borne.has(sign)) }
    }
}
