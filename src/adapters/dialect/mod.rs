//! Hooks that were written for another host: encoding events for them and decoding their answers.
//!
//! A hook receives an event in its own dialect and answers in it. Both directions use the tables of
//! the two hosts: events are matched by their neutral kind, tools by their action, arguments by their
//! role. What a host's contract ignores is ignored here too; what the host would tolerate as an error
//! of the hook is reported as an error, so that the policy decides what follows.

mod answer;
mod call;
pub mod native;
mod payload;
mod result;

use std::borrow::Cow;
use std::fmt;

use regex::Regex;
use serde_json::Value;

use crate::adapters::contract::InvalidMatcher;
use crate::adapters::contract::{EventRow, Host, PayloadFields};
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;

pub use crate::adapters::contract::{
    AnswerDecoder, Attribution, Dialect, EncodeContext, EncodedResult, EnvValue, HookOutput, InvalidAnswer,
    SubjectMeaning,
};
pub use answer::HookAnswer;
pub(super) use answer::parse_object;
pub use call::equivalent_tool;
pub(super) use result::joined_texts;

/// Compiles the regular expression of a matcher.
pub(super) fn matcher_regex(matcher: &str) -> Result<Regex, InvalidMatcher> {
    Regex::new(matcher).map_err(|source| InvalidMatcher::new(matcher, source))
}

/// The input of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookInput<'a> {
    /// Its standard input.
    pub stdin: Cow<'a, [u8]>,
    /// The environment variables that its host would set.
    pub env: Vec<(&'static str, String)>,
}

/// An event that cannot be encoded in a dialect without loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedEvent(pub String);

impl fmt::Display for UnsupportedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnsupportedEvent {}

/// Returns whether a dialect has an event of a kind.
pub fn has_event(dialect: &Host, kind: Kind) -> bool {
    kind != Kind::Unknown
        && dialect.has_command_hooks()
        && (hook_rows(dialect, kind).next().is_some() || failure_row(kind, false, dialect).is_some())
}

/// Returns the dialect's row of an event; `None` when its host has no such event.
pub fn event_row(dialect: &'static Host, event: &Event<'_>) -> Option<&'static EventRow> {
    if !dialect.has_command_hooks() {
        return None;
    }
    if event.host == dialect.name {
        return dialect.event_row(event.wire_name);
    }
    let failed = event.calls().iter().any(|call| call.result.as_ref().is_some_and(|outcome| !outcome.is_ok));
    failure_row(event.kind, failed, dialect).or_else(|| hook_rows(dialect, event.kind).next())
}

/// Returns the rows of a kind of event for which hooks are registered.
fn hook_rows(dialect: &Host, kind: Kind) -> impl Iterator<Item = &'static EventRow> {
    let excluded = dialect.registration.excluded_events;
    dialect.event_rows(kind).filter(move |row| !excluded.contains(&row.wire))
}

/// Returns the row of a call's result where the dialect has a separate event for failures and the host
/// does not, or the other way round.
fn failure_row(kind: Kind, failed: bool, dialect: &Host) -> Option<&'static EventRow> {
    let other = match kind {
        Kind::ToolAfter if failed => Kind::ToolFailed,
        Kind::ToolFailed if dialect.event_rows(Kind::ToolFailed).next().is_none() => Kind::ToolAfter,
        _ => return None,
    };
    dialect.event_rows(other).next()
}

/// Returns whether a matcher, as written in settings of the dialect's host, covers an event.
///
/// # Errors
/// Returns what is wrong with the matcher.
pub fn matches_event(
    host: &'static Host,
    dialect: &'static Host,
    event: &Event<'_>,
    matcher: &str,
) -> Result<bool, InvalidMatcher> {
    let Some(row) = event_row(dialect, event) else { return Ok(false) };
    (dialect.dialect.matches)(row, &payload::matcher_subject(host, dialect, row, event), matcher)
}

/// Encodes an event for a hook in its dialect. Returns `None` when that host has no such event: the
/// hook does not run.
///
/// # Errors
/// Returns the part of the event that the dialect cannot express, if omitting it would hide it.
pub fn encode<'a>(
    host: &'static Host,
    event: &Event<'_>,
    dialect: &'static Host,
    circumstances: &EncodeContext<'a>,
) -> Result<Option<HookInput<'a>>, UnsupportedEvent> {
    let Some(row) = event_row(dialect, event) else { return Ok(None) };
    let stdin = if host.name == dialect.name {
        circumstances.raw.map_or_else(|| Cow::Owned(payload_bytes(event.native)), Cow::Borrowed)
    } else {
        Cow::Owned(payload_bytes(&payload::encode_payload(host, dialect, row, event, circumstances)?))
    };
    Ok(Some(HookInput { stdin, env: env_variables(dialect, event, circumstances) }))
}

fn payload_bytes(payload: &PayloadFields) -> Vec<u8> {
    format!("{}\n", Value::Object(payload.clone())).into_bytes()
}

fn env_variables(dialect: &Host, event: &Event<'_>, circumstances: &EncodeContext<'_>) -> Vec<(&'static str, String)> {
    let place = circumstances.place;
    let value = |variable: EnvValue| match variable {
        EnvValue::Project => place.project.clone().or_else(|| Some(place.cwd.clone())),
        EnvValue::WorkingDir => Some(place.cwd.clone()),
        EnvValue::Session => event.session.id.map(ToOwned::to_owned),
        EnvValue::Fixed(text) => Some(text.to_owned()),
    };
    dialect.dialect.env.iter().filter_map(|(name, variable)| Some((*name, value(*variable)?))).collect()
}

/// Decodes a hook's output as the dialect's host would.
///
/// # Errors
/// Returns why it is not an answer; the policy decides what follows.
pub fn decode<'a>(
    host: &'static Host,
    event: &'a Event<'a>,
    dialect: &'static Host,
    (said, speaker): (HookOutput<'a>, Attribution<'a>),
    circumstances: &EncodeContext<'a>,
) -> Result<HookAnswer, InvalidAnswer> {
    let Some(row) = event_row(dialect, event) else { return Ok(HookAnswer::default()) };
    let mut hearing = AnswerDecoder::new((host, dialect), row, event, (said, speaker), circumstances);
    (dialect.dialect.decode)(&mut hearing)?;
    Ok(hearing.finish())
}
