//! Encodes a tool call for another host's dialect, and decodes changes to it for the host in use.
//!
//! Tools correspond when they have the same action, arguments when they have the same role. An argument
//! without a role keeps its name.

use std::fmt;

use serde_json::{Map, Value, json};

use super::UnsupportedEvent;
use crate::adapters::contract::{Arg, ArgRole, Host, ToolRow};
use crate::domain::event::tool::ToolCall;
use crate::domain::text::path::PathContext;

/// A call encoded for a dialect.
pub(super) struct EncodedCall {
    /// The tool's name.
    pub(super) name: String,
    /// Its arguments.
    pub(super) input: Map<String, Value>,
}

/// How the arguments of one tool map to those of another.
pub(super) enum Mapping {
    /// The arguments are the same.
    Identity,
    /// From the host's tool to the dialect's.
    Between(&'static ToolRow, &'static ToolRow),
}

/// Returns the dialect's name for a host's tool; `None` when it has no tool with the same action.
pub fn equivalent_tool(dialect: &'static Host, tool: &ToolRow) -> Option<&'static ToolRow> {
    let action = tool.action?;
    dialect.tools.iter().find(|other| other.action == Some(action))
}

/// Returns how a call's arguments are encoded.
pub(super) fn mapping(host: &'static Host, dialect: &'static Host, call: &ToolCall<'_>) -> Mapping {
    let tools = host.tool(call.name).and_then(|from| Some((from, equivalent_tool(dialect, from)?)));
    match tools {
        Some((from, to)) if host.name != dialect.name && has_required_args(from, to, call.input) => {
            Mapping::Between(from, to)
        }
        _ => Mapping::Identity,
    }
}

/// Returns whether the required arguments of the other tool are present.
fn has_required_args(from: &ToolRow, to: &ToolRow, input: &Map<String, Value>) -> bool {
    let mut required = to.args.iter().filter(|arg| arg.required);
    required.all(|arg| from.args.iter().any(|own| is_same_role(own.role, arg.role) && input.contains_key(own.key)))
}

/// Returns the dialect's name for a call's tool.
pub(super) fn encoded_tool_name(dialect: &Host, mapping: &Mapping, call: &ToolCall<'_>) -> String {
    match (mapping, &call.mcp) {
        (Mapping::Between(_, to), _) => to.wire.to_owned(),
        (Mapping::Identity, Some(mcp)) => (dialect.server_tool_name)(&mcp.server, &mcp.tool),
        (Mapping::Identity, None) => call.name.to_owned(),
    }
}

/// Encodes a call.
pub(super) fn encode_call(
    host: &'static Host,
    dialect: &'static Host,
    call: &ToolCall<'_>,
    place: &PathContext,
) -> Result<EncodedCall, UnsupportedEvent> {
    if host.name == dialect.name {
        return Ok(EncodedCall { name: call.name.to_owned(), input: call.input.clone() });
    }
    let mapping = mapping(host, dialect, call);
    let name = encoded_tool_name(dialect, &mapping, call);
    let Mapping::Between(from, to) = mapping else { return Ok(EncodedCall { name, input: call.input.clone() }) };
    let mut input = Map::new();
    for (key, value) in call.input {
        let Some(arg) = from.args.iter().find(|arg| arg.key == key) else {
            if !to.args.iter().any(|arg| arg.key == key) {
                input.insert(key.clone(), value.clone());
            }
            continue;
        };
        match (arg.role, to.args.iter().find(|other| is_same_role(other.role, arg.role))) {
            (ArgRole::EmbeddedUrls, Some(other)) if other.role == ArgRole::Url => {
                input.insert(other.key.to_owned(), json!(single_url(call)?));
                input.insert(key.clone(), value.clone());
            }
            (ArgRole::Url, Some(other)) if other.role == ArgRole::EmbeddedUrls => {
                let words = [value.as_str(), call.input.get(other.key).and_then(Value::as_str)];
                let words: Vec<&str> = words.into_iter().flatten().collect();
                input.insert(other.key.to_owned(), json!(words.join(" ")));
            }
            (ArgRole::Path(_), Some(other)) if dialect.dialect.uses_absolute_paths && arg.required => {
                let path = value.as_str().map(|path| place.resolve(path, None));
                input.insert(other.key.to_owned(), path.map_or_else(|| value.clone(), Value::from));
            }
            // Lines are computed below; a directory is sent as the event's working directory.
            (ArgRole::FirstLine | ArgRole::LastLine | ArgRole::LineCount, _) | (ArgRole::WorkingDir, None) => {}
            (_, Some(other)) => {
                input.entry(other.key).or_insert_with(|| value.clone());
            }
            (_, None) => {
                input.insert(key.clone(), value.clone());
            }
        }
    }
    LineRange::from_args(from, call.input).write_args(to, &mut input);
    Ok(EncodedCall { name, input })
}

/// Returns the only address of a call. A tool with a single address would hide the others from a hook
/// that reads its argument.
fn single_url(call: &ToolCall<'_>) -> Result<String, UnsupportedEvent> {
    match call.urls.as_slice() {
        [] => Ok(String::new()),
        [only] => Ok(only.to_string()),
        several => Err(UnsupportedEvent(format!("the call fetches {} URLs, but its tool takes one", several.len()))),
    }
}

/// Returns whether two roles have the same meaning, regardless of the access.
fn is_same_role(one: ArgRole, other: ArgRole) -> bool {
    match (one, other) {
        (ArgRole::Url | ArgRole::EmbeddedUrls, ArgRole::Url | ArgRole::EmbeddedUrls) => true,
        _ => std::mem::discriminant(&one) == std::mem::discriminant(&other),
    }
}

/// The lines of a file that a call reads.
#[derive(Debug, Default, PartialEq, Eq)]
struct LineRange {
    first: Option<u64>,
    count: Option<u64>,
}

impl LineRange {
    fn from_args(tool: &ToolRow, input: &Map<String, Value>) -> Self {
        let number = |role: ArgRole| {
            let arg = tool.args.iter().find(|arg| arg.role == role)?;
            input.get(arg.key)?.as_u64()
        };
        let first = number(ArgRole::FirstLine);
        let until = number(ArgRole::LastLine).map(|last| (last + 1).saturating_sub(first.unwrap_or(1)));
        Self { first, count: number(ArgRole::LineCount).or(until) }
    }

    fn write_args(&self, tool: &ToolRow, input: &mut Map<String, Value>) {
        for arg in tool.args {
            let number = match arg.role {
                ArgRole::FirstLine => self.first,
                ArgRole::LineCount => self.count,
                ArgRole::LastLine => self.count.map(|count| (self.first.unwrap_or(1) + count).saturating_sub(1)),
                _ => None,
            };
            if let Some(number) = number {
                input.insert(arg.key.to_owned(), json!(number));
            }
        }
    }
}

/// A change by a hook that has no counterpart in the host's tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UnsupportedChange {
    /// The tool has no such argument.
    UnknownArgument { argument: String, tool: String },
    /// The tool takes addresses within a text, which does not contain the previous address.
    EmbeddedAddress { argument: String, tool: String },
}

impl fmt::Display for UnsupportedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownArgument { argument, tool } => {
                write!(f, "it sets `{argument}`, but `{tool}` has no such argument")
            }
            Self::EmbeddedAddress { argument, tool } => {
                write!(f, "it changes `{argument}`, but `{tool}` takes URLs in another form")
            }
        }
    }
}

impl std::error::Error for UnsupportedChange {}

/// Returns the new values of the host's arguments after a hook has changed the call that was sent to
/// it; `Null` removes an argument.
///
/// # Errors
/// Returns the argument that the host's tool does not have.
pub(super) fn decode_changes(
    mapping: &Mapping,
    call: &ToolCall<'_>,
    told: &Map<String, Value>,
    wanted: &Map<String, Value>,
) -> Result<Vec<(String, Value)>, UnsupportedChange> {
    let mut keys: Vec<&String> = told.keys().chain(wanted.keys()).collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| told.get(*key) != wanted.get(*key));
    let mut changes = Vec::new();
    for key in keys {
        let value = wanted.get(key).cloned().unwrap_or(Value::Null);
        match mapping {
            Mapping::Identity => changes.push((key.clone(), value)),
            Mapping::Between(from, to) => changes.extend(decode_change(from, to, call, told, key, value)?),
        }
    }
    if let Mapping::Between(from, to) = mapping {
        let span = LineRange::from_args(to, wanted);
        if span != LineRange::from_args(to, told) {
            let mut lines = Map::new();
            span.write_args(from, &mut lines);
            for arg in from.args.iter().filter(|arg| is_line_role(arg.role)) {
                let value = lines.remove(arg.key).unwrap_or(Value::Null);
                if call.input.get(arg.key).unwrap_or(&Value::Null) != &value {
                    changes.push((arg.key.to_owned(), value));
                }
            }
        }
    }
    Ok(changes)
}

const fn is_line_role(role: ArgRole) -> bool {
    matches!(role, ArgRole::FirstLine | ArgRole::LastLine | ArgRole::LineCount)
}

/// Returns the host's argument for a changed argument of the dialect's tool; `None` for line ranges,
/// which are handled separately.
fn decode_change(
    from: &ToolRow,
    to: &ToolRow,
    call: &ToolCall<'_>,
    told: &Map<String, Value>,
    key: &str,
    value: Value,
) -> Result<Option<(String, Value)>, UnsupportedChange> {
    let (argument, tool) = (|| key.to_owned(), || call.name.to_owned());
    let missing = || Err(UnsupportedChange::UnknownArgument { argument: argument(), tool: tool() });
    let Some(arg) = to.args.iter().find(|arg| arg.key == key) else {
        return if call.input.contains_key(key) { Ok(Some((key.to_owned(), value))) } else { missing() };
    };
    if is_line_role(arg.role) {
        return Ok(None);
    }
    let mut own = from.args.iter().filter(|own| is_same_role(own.role, arg.role));
    let given: Option<&Arg> = own.clone().find(|own| call.input.contains_key(own.key));
    let Some(own) = given.or_else(|| own.next()) else {
        // It was sent under its own name.
        return if call.input.contains_key(key) { Ok(Some((key.to_owned(), value))) } else { missing() };
    };
    if own.role == arg.role || !matches!(own.role, ArgRole::Url | ArgRole::EmbeddedUrls) {
        return Ok(Some((own.key.to_owned(), value)));
    }
    let (Some(before), Some(text), Some(now)) =
        (told.get(key).and_then(Value::as_str), call.input.get(own.key).and_then(Value::as_str), value.as_str())
    else {
        return missing();
    };
    if own.role == ArgRole::EmbeddedUrls && text.contains(before) {
        return Ok(Some((own.key.to_owned(), json!(text.replace(before, now)))));
    }
    Err(UnsupportedChange::EmbeddedAddress { argument: argument(), tool: tool() })
}
