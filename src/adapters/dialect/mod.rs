//! Hooks that were written for another host: what that host would tell them, and what they answer.
//!
//! A hook is told of an event in the words of its own dialect and answers in them. Both ways go by
//! the tables of the two hosts: events by their neutral moment, tools by what they do, arguments by
//! what they mean. What a host's contract ignores is ignored here too; what it would let pass as an
//! error of the hook is told apart as one, so that the policy says what follows.

mod answer;
mod call;
mod payload;
mod result;

use std::borrow::Cow;
use std::fmt;

use regex::Regex;
use serde_json::{Map, Value};

use super::json::Payload;
use super::{Action, Host, Row};
use crate::domain::event::Event;
use crate::domain::kind::Kind;
use crate::domain::path::Place;
use crate::domain::rule::Severity;
use crate::domain::state::Time;

pub use answer::{Heard, Hearing};
pub(super) use answer::{object, text_in};
pub use call::told_as;
pub(super) use result::texts_of;

/// Reads a regular expression of a matcher. Those of hosts are JavaScript's, which know a few things more.
pub(super) fn expression(matcher: &str) -> Result<Regex, String> {
    Regex::new(matcher).map_err(|_| format!("the matcher `{matcher}` is a regular expression that cannot be read here"))
}

/// How hooks of a host are spoken with.
#[derive(Debug)]
pub struct Dialect {
    /// The environment variables that it sets for hooks, and what they hold.
    pub variables: &'static [(&'static str, Variable)],
    /// Whether its tools for files name them by absolute paths.
    pub absolute: bool,
    /// Whether the reason of a refused result takes the result's place.
    pub replaces: bool,
    /// Words for the subject of an event that other hosts have other words for.
    pub words: &'static [(Kind, Word, &'static str)],
    /// Adds what the host says besides, of an event that another host reports.
    pub(super) adds: fn(&Row, &Event<'_>, &Circumstances<'_>, &mut Payload),
    /// Returns what the model reads of a result.
    pub(super) reads: fn(Option<Action>, &Value) -> String,
    /// Returns a result in the shape of the tool that does this.
    pub(super) returns: fn(&Row, &Returned<'_>) -> Value,
    /// Returns the key and the value under which the host tells a tool's server.
    pub(super) server: fn(&str, &str) -> (&'static str, Value),
    /// Tells whether a matcher of the host's settings covers an event, by what matchers test of it.
    pub(super) covers: fn(&Row, &str, &str) -> Result<bool, String>,
    /// Takes what a hook said for an answer.
    pub(super) hears: fn(&mut Hearing<'_>) -> Result<(), Misunderstood>,
}

/// What an environment variable holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// The root of the project.
    Project,
    /// The directory that the host works in.
    Directory,
    /// The id of the session.
    Session,
    /// Always this.
    Fixed(&'static str),
}

/// What hosts have different words for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// A session that ends in the usual way.
    Ended,
    /// A person is asked for permission.
    Permission,
}

/// A result of a call, to be put into a host's shape.
#[derive(Debug, Clone, Copy)]
pub struct Returned<'a> {
    /// What the tool does, where that is known.
    pub action: Option<Action>,
    /// The arguments of the call, in the words of the host that the result is for.
    pub input: &'a Map<String, Value>,
    /// What the model reads of it.
    pub text: &'a str,
    /// Whether the call failed.
    pub failed: bool,
    /// Whether the tool is one of a tool server.
    pub server: bool,
}

/// What surrounds an event.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The payload as it came, where there is one: to a hook of the host in use it goes on unchanged.
    pub raw: Option<&'a [u8]>,
    /// Where paths start from, and the project.
    pub place: &'a Place,
    /// When it happens.
    pub now: Time,
}

/// What a hook is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speech<'a> {
    /// What stands on its standard input.
    pub stdin: Cow<'a, [u8]>,
    /// The environment variables that its host would set.
    pub env: Vec<(&'static str, String)>,
}

/// What a hook said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    /// On standard output.
    pub stdout: &'a str,
    /// On standard error.
    pub stderr: &'a str,
    /// Its exit code; none when a signal ended it.
    pub exit: Option<i32>,
}

/// Who speaks: what is said is told as the words of this rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speaker<'a> {
    /// The id.
    pub rule: &'a str,
    /// How grave its words are.
    pub severity: Severity,
}

/// An event that cannot be told in a dialect as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unspeakable(pub String);

impl fmt::Display for Unspeakable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unspeakable {}

/// Why what a hook said is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misunderstood {
    /// It ended with an exit code that the contract takes for an error of the hook.
    Exit(i32),
    /// A signal ended it.
    Signal,
    /// It began an answer that cannot be read.
    Junk(String),
    /// It wants something that cannot be done here.
    Unmapped(String),
}

impl fmt::Display for Misunderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "it ended with exit code {code}"),
            Self::Signal => f.write_str("a signal ended it"),
            Self::Junk(what) => write!(f, "its answer cannot be read: {what}"),
            Self::Unmapped(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Misunderstood {}

/// Tells whether a dialect has an event for a moment.
pub fn has(dialect: &Host, kind: Kind) -> bool {
    kind != Kind::Unknown && (dialect.rows_of(kind).next().is_some() || told_apart(kind, false, dialect).is_some())
}

/// Returns the dialect's row of an event; `None` when its host has no such event.
pub fn row(dialect: &'static Host, event: &Event<'_>) -> Option<&'static Row> {
    if event.host == dialect.name {
        return dialect.row(event.wire);
    }
    let failed = event.calls().iter().any(|call| call.outcome.as_ref().is_some_and(|outcome| !outcome.ok));
    told_apart(event.kind, failed, dialect).or_else(|| dialect.rows_of(event.kind).next())
}

/// Returns the row of a call's result where the dialect tells failures apart and the host does not, or
/// the other way round.
fn told_apart(kind: Kind, failed: bool, dialect: &Host) -> Option<&'static Row> {
    let other = match kind {
        Kind::ToolAfter if failed => Kind::ToolFailed,
        Kind::ToolFailed if dialect.rows_of(Kind::ToolFailed).next().is_none() => Kind::ToolAfter,
        _ => return None,
    };
    dialect.rows_of(other).next()
}

/// Tells whether a matcher, as the settings of the dialect's host have it, covers an event.
///
/// # Errors
/// Returns what is wrong with the matcher.
pub fn covers(host: &'static Host, dialect: &'static Host, event: &Event<'_>, matcher: &str) -> Result<bool, String> {
    let Some(row) = row(dialect, event) else { return Ok(false) };
    (dialect.dialect.covers)(row, &payload::subject(host, dialect, row, event), matcher)
}

/// Tells a hook of an event in the words of its dialect. `None` when that host has no such event: the
/// hook does not run.
///
/// # Errors
/// Returns what of the event the dialect has no words for, where leaving it out would hide it.
pub fn speech<'a>(
    host: &'static Host,
    event: &Event<'_>,
    dialect: &'static Host,
    circumstances: &Circumstances<'a>,
) -> Result<Option<Speech<'a>>, Unspeakable> {
    let Some(row) = row(dialect, event) else { return Ok(None) };
    let stdin = if host.name == dialect.name {
        circumstances.raw.map_or_else(|| Cow::Owned(bytes(event.native)), Cow::Borrowed)
    } else {
        Cow::Owned(bytes(&payload::payload(host, dialect, row, event, circumstances)?))
    };
    Ok(Some(Speech { stdin, env: variables(dialect, event, circumstances) }))
}

fn bytes(payload: &Payload) -> Vec<u8> {
    format!("{}\n", Value::Object(payload.clone())).into_bytes()
}

fn variables(dialect: &Host, event: &Event<'_>, circumstances: &Circumstances<'_>) -> Vec<(&'static str, String)> {
    let place = circumstances.place;
    let value = |variable: Variable| match variable {
        Variable::Project => place.project.clone().or_else(|| Some(place.cwd.clone())),
        Variable::Directory => Some(place.cwd.clone()),
        Variable::Session => event.session.id.map(ToOwned::to_owned),
        Variable::Fixed(text) => Some(text.to_owned()),
    };
    dialect.dialect.variables.iter().filter_map(|(name, variable)| Some((*name, value(*variable)?))).collect()
}

/// Takes what a hook said for an answer, as the dialect's host would.
///
/// # Errors
/// Returns why it is none; what follows is the policy's to say.
pub fn understood<'a>(
    host: &'static Host,
    event: &'a Event<'a>,
    dialect: &'static Host,
    (said, speaker): (Said<'a>, Speaker<'a>),
    circumstances: &Circumstances<'a>,
) -> Result<Heard, Misunderstood> {
    let Some(row) = row(dialect, event) else { return Ok(Heard::default()) };
    let mut hearing = Hearing::new((host, dialect), row, event, (said, speaker), circumstances);
    (dialect.dialect.hears)(&mut hearing)?;
    Ok(hearing.finish())
}
