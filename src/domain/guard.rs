//! What must be there for a rule to hold at all.
//!
//! Most rules of a large policy have nothing to do with most events. A guard says so without the
//! rule being read: it is never wrong when it says no, and a yes means only that the rule has to be
//! judged.

use serde::{Deserialize, Serialize};

use super::condition::{CommandLike, Conditions, Files, Location};
use super::facts::{Facts, TextPlace};
use super::kind::Moments;
use super::rule::Rule;
use super::shell::{Command, DeedKind, Dialect, OpaqueReason};
use super::tool::Accesses;

/// A cheap and necessary condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard<'g> {
    when: Moments,
    #[serde(borrow)]
    needs: Needs<'g>,
}

/// What some conditions need of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Needs<'g> {
    things: u16,
    /// Programs of which one must run; none when any may.
    #[serde(borrow)]
    programs: Vec<&'g str>,
    /// Words of which a command must have one; none when it need not.
    #[serde(borrow)]
    words: Vec<&'g str>,
    /// What must be done with some file.
    accesses: Accesses,
    /// What must be done besides, a bit for each kind.
    deeds: u8,
    /// Why something must be unknown, a bit for each reason.
    reasons: u16,
    /// Of these, one must be there; none when there are no branches.
    #[serde(borrow)]
    any: Vec<Needs<'g>>,
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
}

impl<'g> Guard<'g> {
    /// Returns the guard of a rule.
    pub fn of(rule: &'g Rule) -> Self {
        Self { when: rule.moments(), needs: Needs::of(&rule.conditions) }
    }

    /// Returns the moments at which the rule looks.
    pub const fn moments(&self) -> Moments {
        self.when
    }

    /// Tells whether the rule may hold.
    pub fn may_hold(&self, facts: &Facts<'_>) -> bool {
        self.when.contains(facts.event.kind) && self.needs.may_hold(facts)
    }
}

impl<'g> Needs<'g> {
    fn of(conditions: &'g Conditions) -> Self {
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
        ];
        let deeds = DeedKind::NAMES.map(|(kind, _)| kind);
        let wanted = |kind: &DeedKind| conditions.does.as_ref().is_some_and(|does| does.is_about(*kind));
        let reasons = |reason: &OpaqueReason| conditions.opaque.as_ref().is_some_and(|it| it.is_about(*reason));
        Self {
            things: given.iter().filter(|(_, given)| *given).fold(0, |things, (need, _)| things | 1 << *need as u16),
            programs: of_patterns(conditions, CommandLike::programs),
            words: of_patterns(conditions, CommandLike::words),
            accesses: conditions.files.as_ref().map_or(Accesses::ANY, Files::accesses),
            deeds: deeds.into_iter().filter(wanted).fold(0, |bits, kind| bits | 1 << kind as u8),
            reasons: OpaqueReason::ALL.into_iter().filter(reasons).fold(0, |bits, reason| bits | 1 << reason as u16),
            any: conditions.any.iter().flatten().map(Needs::of).collect(),
        }
    }

    fn may_hold(&self, facts: &Facts<'_>) -> bool {
        self.has(Need::Mcp, || facts.event.calls().iter().any(|call| call.mcp.is_some()))
            && self.has(Need::Subagent, || facts.event.session.subagent.is_some())
            && self.has(Need::Content, || !facts.texts(TextPlace::Content).is_empty())
            && self.has(Need::Prompt, || !facts.texts(TextPlace::Prompt).is_empty())
            && self.has(Need::Output, || !facts.texts(TextPlace::Output).is_empty())
            && self.has(Need::Response, || !facts.texts(TextPlace::Response).is_empty())
            && self.has(Need::Shell, || !facts.texts(TextPlace::Command).is_empty())
            && self.has(Need::Command, || facts.commands().next().is_some())
            && self.runs_program(facts)
            && self.has_words(facts)
            && self.has(Need::Elsewhere, || facts.commands().any(|command| command.elsewhere))
            && self.has(Need::Opaque, || facts.opaque().iter().any(|it| self.reasons & (1 << it.reason as u16) != 0))
            && self.has(Need::Does, || facts.deeds().iter().any(|deed| self.deeds & (1 << deed.kind as u8) != 0))
            && self.has(Need::Files, || facts.files().iter().any(|file| file.access.meets(self.accesses)))
            && self.has(Need::Urls, || !facts.urls().is_empty())
            && (self.any.is_empty() || self.any.iter().any(|branch| branch.may_hold(facts)))
    }

    fn has(&self, need: Need, is_there: impl FnOnce() -> bool) -> bool {
        self.things & (1 << need as u16) == 0 || is_there()
    }

    fn has_words(&self, facts: &Facts<'_>) -> bool {
        let is_there = |text: &str| self.words.iter().any(|word| word.eq_ignore_ascii_case(text));
        // In the oldest dialect an option may look like an operand of a pattern.
        let has = |command: &Command| {
            command.dialect == Dialect::Cmd || command.args().iter().any(|word| is_there(&word.text))
        };
        self.words.is_empty() || facts.commands().any(has)
    }

    fn runs_program(&self, facts: &Facts<'_>) -> bool {
        self.programs.is_empty()
            || facts.commands().any(|command| {
                let names = [command.program(), name_of(command.written_program())];
                self.programs.iter().any(|known| names.iter().any(|name| name_of(known).eq_ignore_ascii_case(name)))
            })
    }
}

/// Returns what patterns need one of; nothing when some pattern needs none.
fn of_patterns<'r>(conditions: &'r Conditions, needed: fn(&'r CommandLike) -> Vec<&'r str>) -> Vec<&'r str> {
    let mut all = Vec::new();
    for pattern in conditions.command.iter().flat_map(|commands| &commands.0) {
        let one_of = needed(pattern);
        if one_of.is_empty() {
            return Vec::new();
        }
        all.extend(one_of);
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn name_of(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

/// A rule that is decoded when it is needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Packed<'p> {
    /// The rule's id.
    pub id: &'p str,
    /// The pack it stands in.
    pub source: &'p str,
    /// What must be there for it to hold.
    #[serde(borrow)]
    pub guard: Guard<'p>,
    rule: &'p [u8],
}

impl<'p> Packed<'p> {
    /// Packs a rule whose encoded form is given.
    pub fn new(rule: &'p Rule, source: &'p str, encoded: &'p [u8]) -> Self {
        Self { id: &rule.id, source, guard: Guard::of(rule), rule: encoded }
    }

    /// Puts a rule into the form that [`Packed::rule`] reads.
    ///
    /// # Errors
    /// Returns why it cannot be stored.
    pub fn encode(rule: &Rule) -> Result<Vec<u8>, String> {
        postcard::to_allocvec(rule).map_err(|error| error.to_string())
    }

    /// Returns the rule.
    ///
    /// # Errors
    /// Returns that the bytes are not a rule's.
    pub fn rule(&self) -> Result<Rule, String> {
        postcard::from_bytes(self.rule).map_err(|error| error.to_string())
    }
}
