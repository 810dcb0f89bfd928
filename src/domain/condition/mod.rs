//! The conditions of a rule.
//!
//! A condition either holds for the event as a whole or picks out what it is about: a command, a file, a URL, a
//! passage of a text. What was picked out is the [`Binding`](binding::Binding): later conditions, the exceptions and
//! the messages are about the same thing. So `except` on one command of a line never exempts another.
//!
//! A new condition is a file here and a line in the table below. Everything about it is in its file, as the
//! implementation of [`Condition`].

pub mod binding;
pub mod requirements;
pub mod variable;

mod agent;
mod any;
mod command;
mod does;
mod effects;
mod evaluate;
mod expression;
mod files;
mod gate;
mod git;
mod host;
mod interface;
mod location;
mod loses;
mod matcher;
mod mcp;
mod opaque;
mod outcome;
mod pii;
mod secrets;
mod table;
mod text;
mod tool;
mod urls;

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use agent::{PermissionModes, Subagents};
pub use command::{CommandMatcher, Commands};
pub use does::{ActionName, Actions};
pub use effects::{ProvenArea, ProvenEffects};
use evaluate::is_implied;
pub use files::{Area, FileAccess, Files};
pub use gate::Gates;
pub use git::{Git, PushDestination};
pub use host::Hosts;
pub use interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, GivenCondition, Reference, Selection};
pub use loses::Losses;
pub use matcher::FieldMatcher;
pub use mcp::Mcp;
pub use opaque::OpaqueReasons;
pub use outcome::CallResult;
pub use pii::Pii;
pub use secrets::{SecretField, Secrets};
pub use text::{ContentText, OutputText, PromptText, ResponseText, ShellText, TextMatcher};
pub use tool::Tools;
pub use urls::Urls;

use crate::domain::facts::location::Location;
use crate::domain::text::template::Expression;

// The order is the order of evaluation. Conditions on the event as a whole are first: they are cheap, and evaluated
// once. Conditions on bindings are last.
table::conditions! {
    /// The host is one of these.
    host: Hosts,
    /// The tool is one of these: a neutral kind (`shell`, `write`, …) or a host's own name, with
    /// `*` for any part of it.
    tool: Tools,
    /// The tool belongs to one of these MCP servers.
    mcp: Mcp,
    /// The event comes from a subagent of one of these kinds; `*` for any.
    subagent: Subagents,
    /// The host's permission mode is one of these.
    permission_mode: PermissionModes,
    /// One of these commands would run, in any spelling or wrapper.
    command: Commands,
    /// One of these files is accessed, by any tool.
    files: Files,
    /// One of these URLs is fetched, by any tool.
    urls: Urls,
    /// One of these actions happens, by any tool: `send`, `history`, `environment`, `dump`.
    does: Actions,
    /// The text of a shell command doesn't show what it does, for one of these reasons.
    opaque: OpaqueReasons,
    /// The whole shell command matches.
    shell: ShellText,
    /// The text that the call writes matches.
    content: ContentText,
    /// The prompt matches.
    prompt: PromptText,
    /// The tool's result matches.
    output: OutputText,
    /// The agent's or the model's answer matches.
    response: ResponseText,
    /// A text of the event contains a secret.
    secrets: Secrets,
    /// A text of the event contains personal data.
    pii: Pii,
    /// One of these sets of conditions matches; the other conditions apply to what it matched.
    any: Vec<Conditions>,
    /// The repository has this state, or the command pushes there: `{pushes_to: main}`.
    git: Git,
    /// Something without another copy would be lost: changes, files, commits.
    loses: Losses,
    /// The call is proven to do no more than this: `{only: [read], within: [project]}`.
    effects: ProvenEffects,
    /// The command runs `here`, or `elsewhere`: on another machine or in a container.
    r#where: Location,
    /// The result of the call, including the matched command: `ok` or `failed`.
    outcome: CallResult,
    /// Gates have this state: `{tests: open}`.
    gate: Gates,
    /// Fields of the event match, by dotted path; `native.` is the host's payload.
    r#match: BTreeMap<String, FieldMatcher>,
    /// This expression is true.
    r#if: Expression,
}

/// Returns whether a name matches a pattern in which `*` matches any part.
fn is_wildcard_match(pattern: &str, name: &str) -> bool {
    if pattern.contains(['*', '?', '{', '[']) { fast_glob::glob_match(pattern, name) } else { pattern == name }
}
