//! A tool call in the words of another host, and a changed one back in those of the host in use.
//!
//! Tools are the same when they do the same, arguments when they mean the same. An argument that
//! means nothing in particular keeps its name.

use serde_json::{Map, Value, json};

use super::Unspeakable;
use crate::adapters::{Arg, Host, Role, ToolRow};
use crate::domain::path::Place;
use crate::domain::tool::ToolCall;

/// A call as a dialect tells it.
pub(super) struct Told {
    /// The tool's name.
    pub(super) name: String,
    /// Its arguments.
    pub(super) input: Map<String, Value>,
}

/// How the arguments of one tool become those of another.
pub(super) enum Mapping {
    /// They are the same.
    Same,
    /// From the host's tool to the dialect's.
    Between(&'static ToolRow, &'static ToolRow),
}

/// Returns the dialect's name of a host's tool; `None` when it has no tool that does the same.
pub fn told_as(dialect: &'static Host, tool: &ToolRow) -> Option<&'static ToolRow> {
    let action = tool.action?;
    dialect.tools.iter().find(|other| other.action == Some(action))
}

/// Returns how a call's arguments are told.
pub(super) fn mapping(host: &'static Host, dialect: &'static Host, call: &ToolCall<'_>) -> Mapping {
    let tools = host.tool(call.name).and_then(|from| Some((from, told_as(dialect, from)?)));
    match tools {
        Some((from, to)) if host.name != dialect.name && gives_all(from, to, call.input) => Mapping::Between(from, to),
        _ => Mapping::Same,
    }
}

/// Tells whether what the other tool cannot be called without is there.
fn gives_all(from: &ToolRow, to: &ToolRow, input: &Map<String, Value>) -> bool {
    let mut required = to.args.iter().filter(|arg| arg.required);
    required.all(|arg| from.args.iter().any(|own| same(own.role, arg.role) && input.contains_key(own.key)))
}

/// Returns the dialect's name of a call's tool.
pub(super) fn name(dialect: &Host, mapping: &Mapping, call: &ToolCall<'_>) -> String {
    match (mapping, &call.mcp) {
        (Mapping::Between(_, to), _) => to.wire.to_owned(),
        (Mapping::Same, Some(mcp)) => (dialect.server_tool)(&mcp.server, &mcp.tool),
        (Mapping::Same, None) => call.name.to_owned(),
    }
}

/// Tells a call.
pub(super) fn told(
    host: &'static Host,
    dialect: &'static Host,
    call: &ToolCall<'_>,
    place: &Place,
) -> Result<Told, Unspeakable> {
    if host.name == dialect.name {
        return Ok(Told { name: call.name.to_owned(), input: call.input.clone() });
    }
    let mapping = mapping(host, dialect, call);
    let name = name(dialect, &mapping, call);
    let Mapping::Between(from, to) = mapping else { return Ok(Told { name, input: call.input.clone() }) };
    let mut input = Map::new();
    for (key, value) in call.input {
        let Some(arg) = from.args.iter().find(|arg| arg.key == key) else {
            if !to.args.iter().any(|arg| arg.key == key) {
                input.insert(key.clone(), value.clone());
            }
            continue;
        };
        match (arg.role, to.args.iter().find(|other| same(other.role, arg.role))) {
            (Role::UrlsWithin, Some(other)) if other.role == Role::Url => {
                input.insert(other.key.to_owned(), json!(only_address(call)?));
                input.insert(key.clone(), value.clone());
            }
            (Role::Url, Some(other)) if other.role == Role::UrlsWithin => {
                let words = [value.as_str(), call.input.get(other.key).and_then(Value::as_str)];
                let words: Vec<&str> = words.into_iter().flatten().collect();
                input.insert(other.key.to_owned(), json!(words.join(" ")));
            }
            (Role::Path(_), Some(other)) if dialect.dialect.absolute && arg.required => {
                let path = value.as_str().map(|path| place.resolve(path, None));
                input.insert(other.key.to_owned(), path.map_or_else(|| value.clone(), Value::from));
            }
            // Lines are counted below; a directory is told as that of the event.
            (Role::FirstLine | Role::LastLine | Role::Lines, _) | (Role::Base, None) => {}
            (_, Some(other)) => {
                input.entry(other.key).or_insert_with(|| value.clone());
            }
            (_, None) => {
                input.insert(key.clone(), value.clone());
            }
        }
    }
    Span::of(from, call.input).write(to, &mut input);
    Ok(Told { name, input })
}

/// Returns the one address of a call. A tool that takes one would hide the others from a hook that
/// looks at its argument.
fn only_address(call: &ToolCall<'_>) -> Result<String, Unspeakable> {
    match call.urls.as_slice() {
        [] => Ok(String::new()),
        [only] => Ok(only.to_string()),
        several => Err(Unspeakable(format!("the call fetches {} addresses, and its tool takes one", several.len()))),
    }
}

/// Tells whether two roles mean the same, whatever is done with it.
fn same(one: Role, other: Role) -> bool {
    match (one, other) {
        (Role::Url | Role::UrlsWithin, Role::Url | Role::UrlsWithin) => true,
        _ => std::mem::discriminant(&one) == std::mem::discriminant(&other),
    }
}

/// The lines of a file that a call reads.
#[derive(Debug, Default, PartialEq, Eq)]
struct Span {
    first: Option<u64>,
    count: Option<u64>,
}

impl Span {
    fn of(tool: &ToolRow, input: &Map<String, Value>) -> Self {
        let number = |role: Role| {
            let arg = tool.args.iter().find(|arg| arg.role == role)?;
            input.get(arg.key)?.as_u64()
        };
        let first = number(Role::FirstLine);
        let until = number(Role::LastLine).map(|last| (last + 1).saturating_sub(first.unwrap_or(1)));
        Self { first, count: number(Role::Lines).or(until) }
    }

    fn write(&self, tool: &ToolRow, input: &mut Map<String, Value>) {
        for arg in tool.args {
            let number = match arg.role {
                Role::FirstLine => self.first,
                Role::Lines => self.count,
                Role::LastLine => self.count.map(|count| (self.first.unwrap_or(1) + count).saturating_sub(1)),
                _ => None,
            };
            if let Some(number) = number {
                input.insert(arg.key.to_owned(), json!(number));
            }
        }
    }
}

/// Returns the new values of the host's arguments, when a hook has changed the call that it was told
/// of; `Null` takes an argument away.
///
/// # Errors
/// Returns which argument the host's tool does not have.
pub(super) fn changes(
    mapping: &Mapping,
    call: &ToolCall<'_>,
    told: &Map<String, Value>,
    wanted: &Map<String, Value>,
) -> Result<Vec<(String, Value)>, String> {
    let mut keys: Vec<&String> = told.keys().chain(wanted.keys()).collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| told.get(*key) != wanted.get(*key));
    let mut changes = Vec::new();
    for key in keys {
        let value = wanted.get(key).cloned().unwrap_or(Value::Null);
        match mapping {
            Mapping::Same => changes.push((key.clone(), value)),
            Mapping::Between(from, to) => changes.extend(back(from, to, call, told, key, value)?),
        }
    }
    if let Mapping::Between(from, to) = mapping {
        let span = Span::of(to, wanted);
        if span != Span::of(to, told) {
            let mut lines = Map::new();
            span.write(from, &mut lines);
            for arg in from.args.iter().filter(|arg| is_line(arg.role)) {
                let value = lines.remove(arg.key).unwrap_or(Value::Null);
                if call.input.get(arg.key).unwrap_or(&Value::Null) != &value {
                    changes.push((arg.key.to_owned(), value));
                }
            }
        }
    }
    Ok(changes)
}

const fn is_line(role: Role) -> bool {
    matches!(role, Role::FirstLine | Role::LastLine | Role::Lines)
}

/// Returns what a changed argument of the dialect's tool is to the host's; nothing where lines are
/// counted otherwise.
fn back(
    from: &ToolRow,
    to: &ToolRow,
    call: &ToolCall<'_>,
    told: &Map<String, Value>,
    key: &str,
    value: Value,
) -> Result<Option<(String, Value)>, String> {
    let missing = || Err(format!("it sets `{key}`, and `{}` has no such argument", call.name));
    let Some(arg) = to.args.iter().find(|arg| arg.key == key) else {
        return if call.input.contains_key(key) { Ok(Some((key.to_owned(), value))) } else { missing() };
    };
    if is_line(arg.role) {
        return Ok(None);
    }
    let mut own = from.args.iter().filter(|own| same(own.role, arg.role));
    let given: Option<&Arg> = own.clone().find(|own| call.input.contains_key(own.key));
    let Some(own) = given.or_else(|| own.next()) else {
        // It went under its own name.
        return if call.input.contains_key(key) { Ok(Some((key.to_owned(), value))) } else { missing() };
    };
    if own.role == arg.role || !matches!(own.role, Role::Url | Role::UrlsWithin) {
        return Ok(Some((own.key.to_owned(), value)));
    }
    let (Some(before), Some(text), Some(now)) =
        (told.get(key).and_then(Value::as_str), call.input.get(own.key).and_then(Value::as_str), value.as_str())
    else {
        return missing();
    };
    if own.role == Role::UrlsWithin && text.contains(before) {
        return Ok(Some((own.key.to_owned(), json!(text.replace(before, now)))));
    }
    Err(format!("it changes `{key}`, and `{}` takes its addresses otherwise", call.name))
}
