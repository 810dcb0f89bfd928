//! What must be there for a rule to hold at all.
//!
//! Most rules of a large policy have nothing to do with most events. A guard says so without the
//! rule being read: it is never wrong when it says no, and a yes means only that the rule has to be
//! judged.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::condition::{CommandLike, Conditions, Files, Location, Matcher, SecretPlace, Secrets};
use super::facts::{Facts, TextPlace};
use super::kind::Moments;
use super::pattern::{Pattern, has_odd};
use super::rule::Rule;
use super::shell::{Borne, DeedKind, OpaqueReason, Sign};
use super::tool::Accesses;

/// A cheap and necessary condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    pub(crate) when: Moments,
    pub(crate) needs: Needs,
}

/// What some conditions need of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Needs {
    pub(crate) things: u16,
    /// Signs of which a command must bear one; none when it need not.
    pub(crate) signs: Cow<'static, [Sign]>,
    /// What must be done with some file.
    pub(crate) accesses: Accesses,
    /// What must be done besides, a bit for each kind.
    pub(crate) deeds: u8,
    /// Why something must be unknown, a bit for each reason.
    pub(crate) reasons: u16,
    /// Where a secret must be, a bit for each place; none when there need be none.
    pub(crate) secrets: u8,
    /// Of these, one must be there; none when there are no branches.
    pub(crate) any: Cow<'static, [Needs]>,
}

/// Things of an event that a condition looks at, each a bit of [`Needs::things`].
#[derive(Debug, Clone, Copy)]
enum Need {
    Command,
    Files,
    Urls,
    Does,
    Opaque,
    Elsewhere,
    Shell,
    Content,
    Prompt,
    Output,
    Response,
    Mcp,
    Subagent,
    /// A command that is reached through another.
    Via,
    /// A character in a command that no plain text has.
    OddCommand,
    /// One in the name of a file.
    OddPath,
}

/// An event as guards look at it.
#[derive(Debug)]
pub struct Glance<'e, 'a> {
    facts: &'e Facts<'a>,
    moment: Moments,
    borne: OnceCell<Borne>,
    content: OnceCell<bool>,
    secrets: [OnceCell<bool>; SecretPlace::ALL.len()],
}

impl<'e, 'a> Glance<'e, 'a> {
    /// Looks at an event.
    pub fn of(facts: &'e Facts<'a>) -> Self {
        let moment = Moments::one(facts.event.kind);
        Self { facts, moment, borne: OnceCell::new(), content: OnceCell::new(), secrets: Default::default() }
    }

    /// Tells whether a rule that looks at some moments looks at this one.
    pub const fn is_at(&self, moments: Moments) -> bool {
        moments.meets(self.moment)
    }

    fn borne(&self) -> &Borne {
        self.borne.get_or_init(|| Borne::by(self.facts.commands()))
    }

    fn has_text(&self, place: TextPlace) -> bool {
        !self.facts.texts(place).is_empty()
    }

    /// Tells whether a text at one of the places, each a bit, holds what any detector takes for a secret.
    fn has_secret(&self, places: u8) -> bool {
        let wanted = |at: usize| places & (1 << at) != 0;
        SecretPlace::ALL
            .iter()
            .zip(&self.secrets)
            .enumerate()
            .any(|(at, (place, known))| wanted(at) && *known.get_or_init(|| Secrets::may_find(*place, self.facts)))
    }
}

impl Guard {
    /// Returns the guard of a rule.
    pub fn of(rule: &Rule) -> Self {
        Self { when: rule.moments(), needs: Needs::of(&rule.conditions) }
    }

    /// Returns the moments at which the rule looks.
    pub const fn moments(&self) -> Moments {
        self.when
    }

    /// Tells whether the rule may hold.
    pub fn may_hold(&self, event: &Glance<'_, '_>) -> bool {
        event.is_at(self.when) && self.needs.may_hold(event)
    }
}

impl Needs {
    fn of(conditions: &Conditions) -> Self {
        let fields = conditions.r#match.as_ref();
        let asks = |field: &str, what: &dyn Fn(&Matcher) -> bool| fields.and_then(|it| it.get(field)).is_some_and(what);
        let is_odd = |it: &Matcher| !it.regex.is_empty() && it.regex.iter().all(Pattern::is_odd);
        let given = [
            (Need::Command, conditions.command.is_some()),
            (Need::Files, conditions.files.is_some()),
            (Need::Urls, conditions.urls.is_some()),
            (Need::Does, conditions.does.is_some()),
            (Need::Opaque, conditions.opaque.is_some()),
            (Need::Elsewhere, conditions.r#where == Some(Location::Elsewhere)),
            (Need::Shell, conditions.shell.is_some()),
            (Need::Content, conditions.content.is_some()),
            (Need::Prompt, conditions.prompt.is_some()),
            (Need::Output, conditions.output.is_some()),
            (Need::Response, conditions.response.is_some()),
            (Need::Mcp, conditions.mcp.is_some()),
            (Need::Subagent, conditions.subagent.is_some()),
            (Need::Via, asks("command.via", &|it| !it.contains.is_empty())),
            (Need::OddCommand, asks("command.text", &is_odd)),
            (Need::OddPath, asks("file.absolute", &is_odd)),
        ];
        let deeds = DeedKind::NAMES.map(|(kind, _)| kind);
        let wanted = |kind: &DeedKind| conditions.does.as_ref().is_some_and(|does| does.is_about(*kind));
        let reasons = |reason: &OpaqueReason| conditions.opaque.as_ref().is_some_and(|it| it.is_about(*reason));
        Self {
            things: given.iter().filter(|(_, given)| *given).fold(0, |things, (need, _)| things | 1 << *need as u16),
            signs: signs(conditions).into(),
            accesses: conditions.files.as_ref().map_or(Accesses::ANY, Files::accesses),
            deeds: deeds.into_iter().filter(wanted).fold(0, |bits, kind| bits | 1 << kind as u8),
            reasons: OpaqueReason::ALL.into_iter().filter(reasons).fold(0, |bits, reason| bits | 1 << reason as u16),
            secrets: conditions.secrets.as_ref().map_or(0, Secrets::places),
            any: conditions.any.iter().flatten().map(Needs::of).collect(),
        }
    }

    fn may_hold(&self, event: &Glance<'_, '_>) -> bool {
        let facts = event.facts;
        self.has(Need::Mcp, || facts.event.calls().iter().any(|call| call.mcp.is_some()))
            && self.has(Need::Subagent, || facts.event.session.subagent.is_some())
            && self.has(Need::Command, || self.bears_sign(event))
            && self.has(Need::Content, || *event.content.get_or_init(|| event.has_text(TextPlace::Content)))
            && self.has(Need::Prompt, || event.has_text(TextPlace::Prompt))
            && self.has(Need::Output, || event.has_text(TextPlace::Output))
            && self.has(Need::Response, || event.has_text(TextPlace::Response))
            && self.has(Need::Shell, || event.has_text(TextPlace::Command))
            && self.has(Need::Elsewhere, || facts.commands().any(|command| command.elsewhere))
            && self.has(Need::Opaque, || facts.opaque().iter().any(|it| self.reasons & (1 << it.reason as u16) != 0))
            && self.has(Need::Does, || facts.deeds().iter().any(|deed| self.deeds & (1 << deed.kind as u8) != 0))
            && self.has(Need::Files, || facts.files().iter().any(|file| file.access.meets(self.accesses)))
            && self.has(Need::Urls, || !facts.urls().is_empty())
            && self.has(Need::Via, || facts.commands().any(|command| !command.via.is_empty()))
            && self.has(Need::OddCommand, || {
                facts.commands().flat_map(|command| &command.words).any(|word| has_odd(&word.text))
            })
            && self.has(Need::OddPath, || facts.files().iter().any(|file| has_odd(&file.path)))
            && (self.secrets == 0 || event.has_secret(self.secrets))
            && (self.any.is_empty() || self.any.iter().any(|branch| branch.may_hold(event)))
    }

    fn has(&self, need: Need, is_there: impl FnOnce() -> bool) -> bool {
        self.things & (1 << need as u16) == 0 || is_there()
    }

    fn bears_sign(&self, event: &Glance<'_, '_>) -> bool {
        let borne = event.borne();
        if self.signs.is_empty() { !borne.is_empty() } else { self.signs.iter().any(|sign| borne.bear(sign)) }
    }
}

/// Returns the signs of which a command must bear one; nothing when it need not.
fn signs(conditions: &Conditions) -> Vec<Sign> {
    let mut all: Vec<Sign> =
        conditions.command.iter().flat_map(|commands| &commands.0).flat_map(CommandLike::signs).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A rule that is decoded when it is needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Packed {
    /// The rule's id.
    pub id: Cow<'static, str>,
    /// The pack it stands in.
    pub source: Cow<'static, str>,
    /// What must be there for it to hold.
    pub guard: Guard,
    /// The rule, encoded.
    pub(crate) rule: Cow<'static, [u8]>,
}

impl Packed {
    /// Packs a rule that stands in a pack or file.
    ///
    /// # Errors
    /// Returns why it cannot be stored.
    pub fn new(rule: &Rule, source: &str) -> Result<Self, String> {
        let encoded = postcard::to_allocvec(rule).map_err(|error| error.to_string())?;
        let (id, source) = (rule.id.clone().into(), source.to_owned().into());
        Ok(Self { id, source, guard: Guard::of(rule), rule: encoded.into() })
    }

    /// Returns the rule.
    ///
    /// # Errors
    /// Returns that the bytes are not a rule's.
    pub fn rule(&self) -> Result<Rule, String> {
        postcard::from_bytes(&self.rule).map_err(|error| error.to_string())
    }
}
