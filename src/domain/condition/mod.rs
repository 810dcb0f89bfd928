//! The questions that a rule asks of an event.
//!
//! A question either holds for the event as a whole or picks out what it is about: a command, a
//! file, an address, a place in a text. What was picked out is the [`Focus`]: later questions, the
//! exceptions and the messages speak of the same thing. So `except` on one command of a line never
//! excuses another. A new question is a file here, a field of [`Conditions`], and a step in
//! [`Conditions::narrow`].

mod agent;
mod command;
mod does;
mod expression;
mod files;
mod gate;
mod host;
mod location;
mod matcher;
mod mcp;
mod opaque;
mod outcome;
mod pii;
mod secrets;
mod text;
mod tool;
mod urls;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use agent::{PermissionModes, Subagents};
pub use command::{CommandLike, Commands};
pub use does::{Deed, Does};
pub use files::{Area, FileAccess, Files};
pub use gate::Gates;
pub use host::Hosts;
pub use location::Location;
pub use matcher::Matcher;
pub use mcp::Mcp;
pub use opaque::Opaque;
pub use outcome::Ended;
pub use pii::Pii;
pub use secrets::{SecretPlace, Secrets};
pub use text::Text;
pub use tool::Tools;
pub use urls::Urls;

use super::facts::{Facts, TextPlace};
use super::focus::Focus;
use super::template::{Expression, RenderError, Template};

/// Things that one rule looks at on the way; a call with more of them is not judged.
const MOST_FOCI: usize = 1 << 14;

/// What must hold; all that is given must.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// The host is one of these.
    #[serde(default)]
    pub host: Option<Hosts>,
    /// The tool is one of these: a neutral kind (`shell`, `write`, …) or a host's own name, with
    /// `*` for any part of it.
    #[serde(default)]
    pub tool: Option<Tools>,
    /// The tool belongs to one of these tool servers.
    #[serde(default)]
    pub mcp: Option<Mcp>,
    /// A sub-agent of one of these kinds acts; `*` for any.
    #[serde(default)]
    pub subagent: Option<Subagents>,
    /// The host's permission mode is one of these.
    #[serde(default)]
    pub permission_mode: Option<PermissionModes>,
    /// A command like one of these would run, however it is spelled or wrapped.
    #[serde(default)]
    pub command: Option<Commands>,
    /// One of these files is read, written or deleted, by whatever tool.
    #[serde(default)]
    pub files: Option<Files>,
    /// One of these addresses is fetched, by whatever tool.
    #[serde(default)]
    pub urls: Option<Urls>,
    /// One of these things is done, by whatever tool: `send`, `history`, `environment`, `dump`.
    #[serde(default)]
    pub does: Option<Does>,
    /// What a shell text does is not known from it, for one of these reasons.
    #[serde(default)]
    pub opaque: Option<Opaque>,
    /// The command runs `here`, or `elsewhere`: on another machine or in a container.
    #[serde(default)]
    pub r#where: Option<Location>,
    /// The call has ended like this, and with it the command that was picked out: `ok` or `failed`.
    #[serde(default)]
    pub outcome: Option<Ended>,
    /// Gates stand like this: `{tests: open}`.
    #[serde(default)]
    pub gate: Option<Gates>,
    /// The shell text as a whole is like this, whatever the host calls the tool.
    #[serde(default)]
    pub shell: Option<Text>,
    /// The text that the call writes is like this.
    #[serde(default)]
    pub content: Option<Text>,
    /// The prompt is like this.
    #[serde(default)]
    pub prompt: Option<Text>,
    /// What the tool returned is like this.
    #[serde(default)]
    pub output: Option<Text>,
    /// The agent's or the model's answer is like this.
    #[serde(default)]
    pub response: Option<Text>,
    /// A text of the event holds a secret.
    #[serde(default)]
    pub secrets: Option<Secrets>,
    /// A text of the event holds personal data.
    #[serde(default)]
    pub pii: Option<Pii>,
    /// One of these sets of conditions holds; what it picks out is what the rest speaks of.
    #[serde(default)]
    pub any: Option<Vec<Conditions>>,
    /// Fields of the event, by dotted path, are like this; `native.` leads to the host's payload.
    #[serde(default)]
    pub r#match: Option<BTreeMap<String, Matcher>>,
    /// This expression over the event holds.
    #[serde(default)]
    pub r#if: Option<Expression>,
}

/// The question that only joins others.
const BRANCHES: &str = "any";

/// One question after another, each over what the ones before have left.
type Step<'a> = &'a dyn Fn(&Focus) -> Result<Vec<Focus>, RenderError>;

impl Conditions {
    /// Returns what is left of a focus: one entry for each thing of which all that is given holds,
    /// none when something does not hold. Cheap questions come first.
    pub fn narrow(&self, facts: &Facts<'_>, focus: &Focus) -> Result<Vec<Focus>, RenderError> {
        if !self.holds_for_event(facts) {
            return Ok(Vec::new());
        }
        let text = |text: &Option<Text>, place, focus: &Focus| {
            Ok(text.as_ref().map_or_else(|| vec![focus.clone()], |text| text.narrow(facts, place, focus)))
        };
        let steps: [(&'static str, bool, Step<'_>); 18] = [
            ("command", self.command.is_some(), &|focus| {
                Ok(narrow(self.command.as_ref(), focus, |it| it.narrow(facts, focus)))
            }),
            ("files", self.files.is_some(), &|focus| {
                self.files.as_ref().map_or_else(|| Ok(vec![focus.clone()]), |files| files.narrow(facts, focus))
            }),
            ("urls", self.urls.is_some(), &|focus| Ok(narrow(self.urls.as_ref(), focus, |it| it.narrow(facts, focus)))),
            ("does", self.does.is_some(), &|focus| Ok(narrow(self.does.as_ref(), focus, |it| it.narrow(facts, focus)))),
            ("opaque", self.opaque.is_some(), &|focus| {
                Ok(narrow(self.opaque.as_ref(), focus, |it| it.narrow(facts, focus)))
            }),
            ("shell", self.shell.is_some(), &|focus| text(&self.shell, TextPlace::Command, focus)),
            ("content", self.content.is_some(), &|focus| text(&self.content, TextPlace::Content, focus)),
            ("prompt", self.prompt.is_some(), &|focus| text(&self.prompt, TextPlace::Prompt, focus)),
            ("output", self.output.is_some(), &|focus| text(&self.output, TextPlace::Output, focus)),
            ("response", self.response.is_some(), &|focus| text(&self.response, TextPlace::Response, focus)),
            ("secrets", self.secrets.is_some(), &|focus| {
                Ok(narrow(self.secrets.as_ref(), focus, |it| it.narrow(facts, focus)))
            }),
            ("pii", self.pii.is_some(), &|focus| Ok(narrow(self.pii.as_ref(), focus, |it| it.narrow(facts, focus)))),
            (BRANCHES, self.any.is_some(), &|focus| self.branches(facts, focus)),
            ("where", self.r#where.is_some(), &|focus| {
                Ok(narrow(self.r#where.as_ref(), focus, |it| it.narrow(facts, focus)))
            }),
            ("outcome", self.outcome.is_some(), &|focus| {
                keep(focus, self.outcome.is_none_or(|ended| ended.holds(facts, focus)))
            }),
            ("gate", self.gate.is_some(), &|focus| {
                self.gate.as_ref().map_or_else(|| Ok(vec![focus.clone()]), |gates| gates.narrow(facts, focus))
            }),
            ("match", self.r#match.is_some(), &|focus| {
                keep(focus, matcher::all_hold(self.r#match.as_ref(), facts, focus))
            }),
            ("if", self.r#if.is_some(), &|focus| keep(focus, expression::holds(self.r#if.as_ref(), facts, focus)?)),
        ];
        let mut left = vec![focus.clone()];
        for (question, _, step) in steps.iter().filter(|(_, is_asked, _)| *is_asked) {
            let mut next = Vec::new();
            for focus in &left {
                let found = step(focus)?;
                facts.saw(self, question, !found.is_empty());
                next.extend(found);
            }
            // Which of them a later question would pick out is not known, so none can be left out.
            if next.len() > MOST_FOCI {
                return Err(RenderError(format!("more than {MOST_FOCI} things to look at; do less at once")));
            }
            left = next;
            if left.is_empty() {
                break;
            }
        }
        Ok(left)
    }

    /// Tells whether something is true of these conditions or of a branch of theirs.
    pub fn ask(&self, what: &dyn Fn(&Self) -> bool) -> bool {
        what(self) || self.any.iter().flatten().any(|branch| branch.ask(what))
    }

    /// Lists the questions that are asked here, by their keys; not those that stand in the branches of `any`.
    pub fn questions(&self) -> Vec<&'static str> {
        let given = [
            ("host", self.host.is_some()),
            ("tool", self.tool.is_some()),
            ("mcp", self.mcp.is_some()),
            ("subagent", self.subagent.is_some()),
            ("permission_mode", self.permission_mode.is_some()),
            ("command", self.command.is_some()),
            ("files", self.files.is_some()),
            ("urls", self.urls.is_some()),
            ("does", self.does.is_some()),
            ("opaque", self.opaque.is_some()),
            ("shell", self.shell.is_some()),
            ("content", self.content.is_some()),
            ("prompt", self.prompt.is_some()),
            ("output", self.output.is_some()),
            ("response", self.response.is_some()),
            ("secrets", self.secrets.is_some()),
            ("pii", self.pii.is_some()),
            ("where", self.r#where.is_some()),
            ("outcome", self.outcome.is_some()),
            ("gate", self.gate.is_some()),
            ("match", self.r#match.is_some()),
            ("if", self.r#if.is_some()),
        ];
        given.into_iter().filter(|(_, is_asked)| *is_asked).map(|(question, _)| question).collect()
    }

    /// Returns what the branches of `any` leave of a focus, each thing once.
    fn branches(&self, facts: &Facts<'_>, focus: &Focus) -> Result<Vec<Focus>, RenderError> {
        let Some(branches) = &self.any else { return Ok(vec![focus.clone()]) };
        let mut left: Vec<Focus> = Vec::new();
        for branch in branches {
            for found in branch.narrow(facts, focus)? {
                if !left.contains(&found) {
                    left.push(found);
                }
            }
        }
        Ok(left)
    }

    /// Gives every name that the conditions use in expressions and under `match`, dotted, to `each`.
    pub fn names(&self, each: &mut dyn FnMut(&str)) {
        self.r#if.iter().flat_map(Expression::names).for_each(|name| each(name));
        self.r#match.iter().flatten().for_each(|(path, _)| each(path));
        self.files.iter().flat_map(|files| &files.missing).flat_map(Template::names).for_each(|name| each(name));
        self.any.iter().flatten().for_each(|branch| branch.names(each));
    }

    /// Gives the id of every gate that the conditions ask about to `each`.
    pub fn gates(&self, each: &mut dyn FnMut(&str)) {
        self.gate.iter().flat_map(|gates| gates.0.keys()).for_each(|id| each(id));
        self.any.iter().flatten().for_each(|branch| branch.gates(each));
    }

    fn holds_for_event(&self, facts: &Facts<'_>) -> bool {
        let saw = |question, held| facts.saw(self, question, held);
        self.host.as_ref().is_none_or(|it| saw("host", it.holds(facts)))
            && self.tool.as_ref().is_none_or(|it| saw("tool", it.holds(facts)))
            && self.mcp.as_ref().is_none_or(|it| saw("mcp", it.holds(facts)))
            && self.subagent.as_ref().is_none_or(|it| saw("subagent", it.holds(facts)))
            && self.permission_mode.as_ref().is_none_or(|it| saw("permission_mode", it.holds(facts)))
    }
}

fn narrow<T>(condition: Option<&T>, focus: &Focus, step: impl Fn(&T) -> Vec<Focus>) -> Vec<Focus> {
    condition.map_or_else(|| vec![focus.clone()], step)
}

#[expect(clippy::unnecessary_wraps, reason = "it ends a step, and steps can fail")]
fn keep(focus: &Focus, holds: bool) -> Result<Vec<Focus>, RenderError> {
    Ok(if holds { vec![focus.clone()] } else { Vec::new() })
}

/// Tells whether a name is like a pattern in which `*` stands for any part.
fn like(pattern: &str, name: &str) -> bool {
    if pattern.contains(['*', '?', '{', '[']) { fast_glob::glob_match(pattern, name) } else { pattern == name }
}
