//! The plugin that starts the hook on a host without hooks in its settings: its text as settings, and back.
//!
//! The text of a plugin is fixed except for two lines, which hold JSON: the command line of the hook and the events
//! that it is started for. Whoever reads a registration reads these two lines as the settings of a host with hooks;
//! a text that is anything else is no registration.

use std::fmt;

use serde_json::{Map, Value, json};

use super::{HOST_TIMEOUT_SECS, HookCommand};
use crate::adapters::contract::{EventRow, Host};

const COMMAND_LINE: &str = "const COMMAND = ";
const EVENTS_LINE: &str = "const EVENTS = ";

/// The words that the first line of every plugin of this program contains, in any version of it.
const MARK: &str = "ruleward";

/// Why a text is not the plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluginError {
    /// It is a plugin of somebody else.
    Foreign,
    /// It was changed, or another version of this program wrote it.
    Changed,
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Foreign => "is not a plugin of ruleward",
            Self::Changed => "is not the plugin that this version of ruleward writes",
        })
    }
}

impl std::error::Error for PluginError {}

/// Returns the text of a host's plugin; `None` for a host that has hooks in its settings.
pub fn plugin_text(host: &Host, caller: &HookCommand<'_>, rows: &[&EventRow]) -> Option<String> {
    let words: Vec<&str> = std::iter::once(caller.program).chain(caller.arguments.iter().map(String::as_str)).collect();
    let events: Vec<&str> = rows.iter().map(|row| row.wire).collect();
    Some(fill(host.registration.plugin.as_ref()?.source, &json!(words), &json!(events)))
}

/// Returns the registration in the text of a host's plugin, in the shape of settings with hooks.
///
/// # Errors
/// Returns why the text is not the plugin that this program would write.
pub fn parse_plugin(host: &Host, text: &str) -> Result<Value, PluginError> {
    if !is_own_plugin(text) {
        return Err(PluginError::Foreign);
    }
    let source = host.registration.plugin.as_ref().map(|plugin| plugin.source).ok_or(PluginError::Foreign)?;
    let (command, events) = (value_of(text, COMMAND_LINE), value_of(text, EVENTS_LINE));
    let (Some(Value::Array(words)), Some(Value::Array(events))) = (command, events) else {
        return Err(PluginError::Changed);
    };
    if fill(source, &json!(words), &json!(events)) != text {
        return Err(PluginError::Changed);
    }
    let Some((program, arguments)) = words.split_first() else { return Err(PluginError::Changed) };
    let entry = entry(program, &json!(arguments));
    let hooks: Map<String, Value> = events
        .iter()
        .filter_map(Value::as_str)
        .map(|event| (event.to_owned(), json!([{ "hooks": [entry.clone()] }])))
        .collect();
    Ok(json!({ "hooks": hooks }))
}

/// Returns the entry that settings with hooks would have for an event.
pub(in crate::adapters) fn hook_entry(_: &EventRow, caller: &HookCommand<'_>) -> Value {
    entry(&json!(caller.program), &json!(caller.arguments))
}

fn entry(program: &Value, arguments: &Value) -> Value {
    json!({ "type": "command", "command": program, "args": arguments, "timeout": HOST_TIMEOUT_SECS })
}

/// Returns whether this program wrote a plugin, in whatever version.
pub fn is_own_plugin(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with("//") && line.contains(MARK))
}

/// Returns the value that a line assigns.
fn value_of(text: &str, line: &str) -> Option<Value> {
    serde_json::from_str(text.lines().find_map(|text| text.strip_prefix(line))?).ok()
}

fn fill(source: &str, command: &Value, events: &Value) -> String {
    let mut text = String::with_capacity(source.len() + 200);
    for line in source.lines() {
        let value =
            [(COMMAND_LINE, command), (EVENTS_LINE, events)].into_iter().find(|(head, _)| line.starts_with(head));
        match value {
            Some((head, value)) => text.extend([head, &value.to_string(), "\n"]),
            None => text.extend([line, "\n"]),
        }
    }
    text
}
