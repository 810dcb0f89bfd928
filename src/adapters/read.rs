//! A host's payload as a neutral event, by that host's rows.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::arguments::Names;
use super::json::{Payload as Fields, Unreadable};
use super::output;
use super::table::{READ, WRITE};
use super::{Arg, Host, Reads, Role, Talk, llxprt, request};
use crate::domain::event::{Answer, Event, Notice, Payload, Session, Subagent};
use crate::domain::kind::Kind;
use crate::domain::redaction::strings;
use crate::domain::shell::{Dialect, patched_files};
use crate::domain::tool::{AgentCall, Arguments, CommandText, Mcp, NamedFile, Outcome, Passage, ToolCall, ToolKind};

/// Reads a payload.
///
/// # Errors
/// Returns what is missing of what a judgement needs.
pub fn read<'a>(host: &'static Host, fields: &'a Fields, arguments: &Arguments) -> Result<Event<'a>, Unreadable> {
    let wire = text(fields, "hook_event_name")?.ok_or_else(|| Unreadable::new("`hook_event_name` is missing"))?;
    let row = host.row(wire);
    let payload = match row.map(|row| row.reads) {
        Some(Reads::Call) => Payload::Tools(vec![call(host, fields, fields, arguments, None)?]),
        Some(Reads::Result { output, failed }) => {
            Payload::Tools(vec![call(host, fields, fields, arguments, Some((output, failed)))?])
        }
        Some(Reads::Batch) => Payload::Tools(batch(host, fields, arguments)?),
        Some(Reads::Prompt) => {
            Payload::Prompt(text(fields, "prompt")?.ok_or_else(|| Unreadable::new("`prompt` is missing"))?)
        }
        Some(Reads::Answer(key)) => Payload::Answer(Answer {
            prompt: optional(fields, "prompt"),
            text: optional(fields, key),
            again: fields.get("stop_hook_active").and_then(Value::as_bool).unwrap_or_default(),
        }),
        Some(Reads::Model(Talk::Messages)) => Payload::Model(request::read(fields)),
        Some(Reads::Model(Talk::Blocks)) => Payload::Model(llxprt::blocks::read(fields)),
        Some(Reads::Notice(subject, message, path)) => Payload::Notice(Notice {
            subject: optional(fields, subject),
            text: optional(fields, message),
            path: optional(fields, path),
        }),
        None => Payload::Notice(Notice::default()),
    };
    Ok(Event {
        kind: row.map_or(Kind::Unknown, |row| row.kind),
        host: host.name,
        wire,
        session: session(fields),
        payload,
        native: fields,
    })
}

fn session(fields: &Fields) -> Session<'_> {
    Session {
        id: optional(fields, "session_id"),
        cwd: optional(fields, "cwd"),
        transcript: optional(fields, "transcript_path"),
        permission_mode: optional(fields, "permission_mode"),
        subagent: optional(fields, "agent_id")
            .map(|id| Subagent { id: Some(id), name: optional(fields, "agent_type").unwrap_or_default() }),
    }
}

fn batch<'a>(host: &Host, fields: &'a Fields, arguments: &Arguments) -> Result<Vec<ToolCall<'a>>, Unreadable> {
    let calls = fields.get("tool_calls").and_then(Value::as_array);
    let calls = calls.ok_or_else(|| Unreadable::new("`tool_calls` is not a list"))?;
    calls
        .iter()
        .map(|entry| match entry {
            Value::Object(entry) => call(host, entry, fields, arguments, Some(("tool_response", false))),
            _ => Err(Unreadable::new("an entry of `tool_calls` is not an object")),
        })
        .collect()
}

fn call<'a>(
    host: &Host,
    entry: &'a Map<String, Value>,
    fields: &'a Fields,
    arguments: &Arguments,
    result: Option<(&str, bool)>,
) -> Result<ToolCall<'a>, Unreadable> {
    let name = text(entry, "tool_name")?.ok_or_else(|| Unreadable::new("`tool_name` is missing"))?;
    let Some(Value::Object(input)) = entry.get("tool_input") else {
        return Err(Unreadable::new(format!("`tool_input` of `{name}` is not an object")));
    };
    let row = host.tool(name);
    let server = if row.is_some() { None } else { (host.server)(name, fields) };
    let kind = match (row, &server) {
        (Some(row), _) => row.kind,
        (None, Some(_)) => ToolKind::Mcp,
        (None, None) => ToolKind::Other,
    };
    let mut call = ToolCall {
        kind,
        name,
        id: optional(entry, "tool_use_id"),
        input,
        commands: Vec::new(),
        files: Vec::new(),
        texts: Vec::new(),
        replaced: Vec::new(),
        urls: Vec::new(),
        mcp: server.map(|(server, tool)| Mcp { server: server.into(), tool: tool.into() }),
        agent: None,
        outcome: None,
    };
    match row {
        Some(row) => row.args.iter().try_for_each(|arg| take(arg, &mut call))?,
        None => Names::with(arguments).sniff(&mut call),
    }
    call.outcome =
        result.map(|(key, failed)| Outcome { running: runs_on(input), ..outcome(kind, entry.get(key), failed) });
    Ok(call)
}

/// Adds to a call what an argument of it says.
fn take<'a>(arg: &Arg, call: &mut ToolCall<'a>) -> Result<(), Unreadable> {
    let mut values = Vec::new();
    collect(&mut values, call.input, arg.key);
    let texts: Vec<&'a str> = values.iter().filter_map(|value| value.as_str()).collect();
    let odd = values.iter().any(|value| !value.is_string() && !value.is_null());
    if arg.required && texts.is_empty() || (odd && matches!(arg.role, Role::Command(_) | Role::Path(_))) {
        return Err(Unreadable::new(format!("`{}` of `{}` is not a text", arg.key, call.name)));
    }
    for text in texts {
        match arg.role {
            Role::Command(dialect) => call.commands.push(CommandText { text: text.into(), dialect, base: None }),
            Role::Base => call.commands.iter_mut().for_each(|command| command.base = Some(text)),
            Role::Path(access) => {
                call.files.push(NamedFile { path: text.into(), access, glob: false });
                // Hosts take white space off a path before they use it.
                let trimmed = text.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
                if trimmed != text {
                    call.files.push(NamedFile { path: trimmed.into(), access, glob: false });
                }
            }
            Role::Paths(access) => call.files.push(NamedFile::maybe_pattern(text, access)),
            Role::PathBelow(key, access) => {
                let base = optional(call.input, key).map(|base| format!("{base}/{text}"));
                let path = base.map_or(Cow::Borrowed(text), Cow::Owned);
                call.files.push(NamedFile { path, ..NamedFile::maybe_pattern(text, access) });
            }
            Role::Patch => {
                let named = patched_files(text).map(|path| NamedFile { path: path.into(), access: WRITE, glob: false });
                call.files.extend(named);
                call.texts.push(Passage { text: text.into(), origin: Cow::Owned(arg.key.to_owned()) });
            }
            Role::Content => call.texts.push(Passage { text: text.into(), origin: Cow::Owned(arg.key.to_owned()) }),
            Role::Replaced => call.replaced.push(text),
            Role::Url => address(text, call),
            Role::UrlsWithin => urls_within(text).for_each(|url| address(url, call)),
            Role::AgentName => call.agent.get_or_insert(AgentCall { name: None, prompt: None }).name = Some(text),
            Role::AgentPrompt => call.agent.get_or_insert(AgentCall { name: None, prompt: None }).prompt = Some(text),
            Role::Purpose
            | Role::Background
            | Role::Everywhere
            | Role::FirstLine
            | Role::LastLine
            | Role::Lines
            | Role::Skill => {}
        }
    }
    Ok(())
}

/// Notes an address that is fetched, or the file that it stands for.
fn address<'a>(text: &'a str, call: &mut ToolCall<'a>) {
    if text.starts_with("file://") {
        call.files.push(NamedFile::maybe_pattern(text, READ));
    } else {
        call.urls.push(text.into());
    }
}

/// Collects the values at a key; `a[].b` leads into each entry of a list.
fn collect<'a>(values: &mut Vec<&'a Value>, entries: &'a Map<String, Value>, key: &str) {
    let (first, rest) = key.split_once("[]").map_or((key, None), |(first, rest)| (first, Some(rest)));
    let Some(value) = entries.get(first) else { return };
    match (rest, value) {
        (Some(""), Value::Array(items)) => values.extend(items),
        (Some(rest), Value::Array(items)) => {
            for item in items.iter().filter_map(Value::as_object) {
                collect(values, item, rest.trim_start_matches('.'));
            }
        }
        (_, value) => values.push(value),
    }
}

/// Returns the addresses in a free text.
fn urls_within(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|character: char| character.is_whitespace() || "\"'<>(){}`,".contains(character));
    // A bracket belongs to an address of numbers (`http://[::1]/`) and otherwise to the text around.
    let whole = |word: &&str| word.contains("://[");
    let pieces = words.flat_map(move |word| {
        word.split(['[', ']'].as_slice()).filter(move |_| !whole(&word)).chain(Some(word).filter(whole))
    });
    pieces.filter(|word| word.contains("://")).map(|word| word.trim_end_matches(['.', ';', '!', '?']))
}

/// Arguments that leave a call running in the background, on some host.
const BACKGROUND: &[&str] = &["run_in_background", "is_background"];

/// Tells whether a call that has returned goes on in the background.
fn runs_on(input: &Map<String, Value>) -> bool {
    BACKGROUND.iter().any(|key| input.get(*key) == Some(&Value::Bool(true)))
}

fn outcome(kind: ToolKind, output: Option<&Value>, failed: bool) -> Outcome<'_> {
    let mut texts = Vec::new();
    let error = output.and_then(|output| output.get("error")).is_some_and(|error| error.as_str() != Some(""));
    if let Some(output) = output {
        // What an edit returns is the file as it was and as it is: nothing new that left the file.
        if !matches!(kind, ToolKind::Write | ToolKind::Edit) {
            for part in output::shown(output) {
                strings(part, output::is_structure, &mut |text| texts.push(Cow::Borrowed(text)));
            }
        }
    }
    let exited_badly = kind == ToolKind::Shell && texts.iter().any(|text| reports_failure(text));
    Outcome { ok: !failed && !error && !exited_badly, running: false, output: texts }
}

/// Tells whether a shell tool's text ends with a bad exit code, where the host says so in no field.
fn reports_failure(text: &str) -> bool {
    let codes = text.lines().rev().take(8).filter_map(|line| line.strip_prefix("Exit Code: "));
    codes.filter_map(|code| code.trim().parse::<i64>().ok()).any(|code| code != 0)
}

fn text<'a>(fields: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, Unreadable> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Unreadable::new(format!("`{key}` is not a text"))),
    }
}

pub(super) fn optional<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}

/// Returns the server and its own name of the tool behind `mcp__<server>__<tool>`, where the host may
/// say apart which server it is: either name may have the separator in it.
pub(super) fn server_and_tool(name: &str, server: Option<&str>) -> Option<(String, String)> {
    let rest = name.strip_prefix("mcp__")?;
    let by_server = server.and_then(|server| Some((server, rest.strip_prefix(server)?.strip_prefix("__")?)));
    let (server, tool) = by_server.or_else(|| rest.split_once("__")).unwrap_or((rest, ""));
    Some((server.to_owned(), tool.to_owned()))
}

/// Returns the name that such a host gives the tool of a server.
pub(super) fn server_tool(server: &str, tool: &str) -> String {
    format!("mcp__{server}__{tool}")
}

/// The dialect of most hosts' shell tools.
pub(super) const SHELL: Role = Role::Command(Dialect::Posix);
