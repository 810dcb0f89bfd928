//! Reads a host's payload as a neutral event, using the host's tables.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::arguments::ArgumentSniffer;
use super::json::{PayloadError, str_field};
use super::output;
use crate::adapters::contract::table::{DELETE, MOVE, READ, WRITE};
use crate::adapters::contract::{Arg, ArgRole, Host, PayloadFields, PayloadShape};
use crate::domain::event::kind::Kind;
use crate::domain::event::strings::visit_strings;
use crate::domain::event::tool::{
    Accesses, AgentCall, ArgumentNames, CommandText, McpTool, NamedFile, TextSegment, ToolCall, ToolKind, ToolResult,
};
use crate::domain::event::{AgentAnswer, Event, Notice, Payload, Session, Subagent};
use crate::domain::shell::patched_files;
use crate::domain::text::patch::{self, FileChange, ReplacedPart};

/// Reads a payload.
///
/// # Errors
/// Returns what is missing for an evaluation.
pub fn read_event<'a>(
    host: &'static Host,
    fields: &'a PayloadFields,
    arguments: &ArgumentNames,
) -> Result<Event<'a>, PayloadError> {
    let wire = checked_str_field(fields, "hook_event_name")?.ok_or(PayloadError::MissingField("hook_event_name"))?;
    let row = host.event_row(wire);
    let payload = match row.map(|row| row.payload) {
        Some(PayloadShape::Call) => Payload::Tools(vec![call(host, fields, fields, arguments, None)?]),
        Some(PayloadShape::Result { output, failed }) => {
            Payload::Tools(vec![call(host, fields, fields, arguments, Some((output, failed)))?])
        }
        Some(PayloadShape::Batch) => Payload::Tools(batch(host, fields, arguments)?),
        Some(PayloadShape::Prompt) => {
            Payload::Prompt(checked_str_field(fields, "prompt")?.ok_or(PayloadError::MissingField("prompt"))?)
        }
        Some(PayloadShape::Answer(key)) => Payload::Answer(AgentAnswer {
            prompt: str_field(fields, "prompt"),
            text: str_field(fields, key),
            is_retry: fields.get("stop_hook_active").and_then(Value::as_bool).unwrap_or_default(),
        }),
        Some(PayloadShape::Model(format)) => Payload::Model((format.read)(fields)),
        Some(PayloadShape::Notice(subject, message, path)) => Payload::Notice(Notice {
            subject: str_field(fields, subject),
            text: str_field(fields, message),
            path: str_field(fields, path),
        }),
        None => Payload::Notice(Notice::default()),
    };
    Ok(Event {
        kind: row.map_or(Kind::Unknown, |row| row.kind),
        host: host.name,
        wire_name: wire,
        session: session(fields),
        payload,
        native: fields,
    })
}

fn session(fields: &PayloadFields) -> Session<'_> {
    Session {
        id: str_field(fields, "session_id"),
        cwd: str_field(fields, "cwd"),
        transcript: str_field(fields, "transcript_path"),
        permission_mode: str_field(fields, "permission_mode"),
        subagent: str_field(fields, "agent_id")
            .map(|id| Subagent { id: Some(id), name: str_field(fields, "agent_type").unwrap_or_default() }),
    }
}

fn batch<'a>(
    host: &Host,
    fields: &'a PayloadFields,
    arguments: &ArgumentNames,
) -> Result<Vec<ToolCall<'a>>, PayloadError> {
    let calls = fields.get("tool_calls").and_then(Value::as_array);
    let calls = calls.ok_or_else(|| wrong_type("tool_calls", None, "a list"))?;
    calls
        .iter()
        .map(|entry| match entry {
            Value::Object(entry) => call(host, entry, fields, arguments, Some(("tool_response", false))),
            _ => Err(PayloadError::InvalidBatchEntry),
        })
        .collect()
}

fn call<'a>(
    host: &Host,
    entry: &'a Map<String, Value>,
    fields: &'a PayloadFields,
    arguments: &ArgumentNames,
    result: Option<(&str, bool)>,
) -> Result<ToolCall<'a>, PayloadError> {
    let name = checked_str_field(entry, "tool_name")?.ok_or(PayloadError::MissingField("tool_name"))?;
    let Some(Value::Object(input)) = entry.get("tool_input") else {
        return Err(wrong_type("tool_input", Some(name), "an object"));
    };
    let row = host.tool(name);
    let server = if row.is_some() { None } else { (host.parse_server_tool)(name, fields) };
    let kind = match (row, &server) {
        (Some(row), _) => row.kind,
        (None, Some(_)) => ToolKind::Mcp,
        (None, None) => ToolKind::Other,
    };
    let mut call = ToolCall {
        kind,
        name,
        id: str_field(entry, "tool_use_id"),
        input,
        commands: Vec::new(),
        files: Vec::new(),
        texts: Vec::new(),
        replaced_texts: Vec::new(),
        urls: Vec::new(),
        mcp: server.map(|(server, tool)| McpTool { server: server.into(), tool: tool.into() }),
        agent: None,
        result: None,
    };
    match row {
        Some(row) => row.args.iter().try_for_each(|arg| apply_arg(arg, &mut call))?,
        None => ArgumentSniffer::new(arguments).infer(&mut call),
    }
    call.result = result.map(|(key, failed)| ToolResult {
        is_running: runs_in_background(input),
        ..outcome(kind, entry.get(key), failed)
    });
    Ok(call)
}

/// Adds the meaning of an argument to a call.
fn apply_arg<'a>(arg: &Arg, call: &mut ToolCall<'a>) -> Result<(), PayloadError> {
    let mut values = Vec::new();
    collect_values(&mut values, call.input, arg.key);
    let texts: Vec<&'a str> = values.iter().filter_map(|value| value.as_str()).collect();
    let odd = values.iter().any(|value| !value.is_string() && !value.is_null());
    if arg.required && texts.is_empty() || (odd && matches!(arg.role, ArgRole::Command(_) | ArgRole::Path(_))) {
        return Err(wrong_type(arg.key, Some(call.name), "a string"));
    }
    for text in texts {
        match arg.role {
            ArgRole::Command(dialect) => call.commands.push(CommandText { text: text.into(), dialect, base: None }),
            ArgRole::WorkingDir => call.commands.iter_mut().for_each(|command| command.base = Some(text)),
            ArgRole::Path(access) => {
                call.files.push(NamedFile { path: text.into(), access, is_glob: false });
                // Hosts trim white space from a path before they use it.
                let trimmed = text.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
                if trimmed != text {
                    call.files.push(NamedFile { path: trimmed.into(), access, is_glob: false });
                }
            }
            ArgRole::Globs(access) => {
                call.files.push(NamedFile { path: plain_glob(text), ..NamedFile::from_possible_glob(text, access) });
            }
            ArgRole::GlobBelow(key, access) => {
                let base = str_field(call.input, key).map(|base| format!("{base}/{}", plain_glob(text)));
                let path = base.map_or_else(|| plain_glob(text), Cow::Owned);
                call.files.push(NamedFile { path, ..NamedFile::from_possible_glob(text, access) });
            }
            ArgRole::Patch => apply_patch_text(arg.key, text, call),
            ArgRole::Content => {
                call.texts.push(TextSegment { text: text.into(), origin: Cow::Owned(arg.key.to_owned()) });
            }
            ArgRole::OldText => call.replaced_texts.push(text.into()),
            ArgRole::Url => add_url(text, call),
            ArgRole::EmbeddedUrls => embedded_urls(text).for_each(|url| add_url(url, call)),
            ArgRole::AgentName => call.agent.get_or_insert(AgentCall { name: None, prompt: None }).name = Some(text),
            ArgRole::AgentPrompt => {
                call.agent.get_or_insert(AgentCall { name: None, prompt: None }).prompt = Some(text);
            }
            ArgRole::Description
            | ArgRole::Background
            | ArgRole::ReplaceAll
            | ArgRole::FirstLine
            | ArgRole::LastLine
            | ArgRole::LineCount
            | ArgRole::Skill => {}
        }
    }
    Ok(())
}

/// Adds the files that a patch changes, and its new and its removed text.
fn apply_patch_text<'a>(key: &'static str, patch: &'a str, call: &mut ToolCall<'a>) {
    let file = |path: &'a str, access: Accesses| NamedFile { path: path.into(), access, is_glob: false };
    let origin = || Cow::Borrowed(key);
    if !patch::is_patch(patch) {
        call.files.extend(patched_files(patch).map(|path| file(path, WRITE)));
        call.texts.push(TextSegment { text: patch.into(), origin: origin() });
        return;
    }
    for change in patch::file_changes(patch) {
        match change {
            FileChange::Add { path, content } => {
                call.files.push(file(path, WRITE));
                call.texts.push(TextSegment { text: content.into(), origin: origin() });
            }
            FileChange::Update { path, moved_to, parts } => {
                call.files.push(file(path, if moved_to.is_some() { MOVE } else { WRITE }));
                call.files.extend(moved_to.map(|target| file(target, WRITE)));
                for ReplacedPart { removed, added } in parts {
                    call.texts.push(TextSegment { text: added.into(), origin: origin() });
                    call.replaced_texts.push(removed.into());
                }
            }
            FileChange::Delete { path } => call.files.push(file(path, DELETE)),
        }
    }
}

/// Adds an address that is fetched, or the file that it names.
fn add_url<'a>(text: &'a str, call: &mut ToolCall<'a>) {
    if text.starts_with("file://") {
        call.files.push(NamedFile::from_possible_glob(text, READ));
    } else {
        call.urls.push(text.into());
    }
}

/// Collects the values at a key; `a[].b` means `b` in each entry of the list `a`.
fn collect_values<'a>(values: &mut Vec<&'a Value>, entries: &'a Map<String, Value>, key: &str) {
    let (first, rest) = key.split_once("[]").map_or((key, None), |(first, rest)| (first, Some(rest)));
    let Some(value) = entries.get(first) else { return };
    match (rest, value) {
        (Some(""), Value::Array(items)) => values.extend(items),
        (Some(rest), Value::Array(items)) => {
            for item in items.iter().filter_map(Value::as_object) {
                collect_values(values, item, rest.trim_start_matches('.'));
            }
        }
        (_, value) => values.push(value),
    }
}

/// Returns the addresses in a free text.
fn embedded_urls(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|character: char| character.is_whitespace() || "\"'<>(){}`,".contains(character));
    // A bracket belongs to a numeric address (`http://[::1]/`) and otherwise to the surrounding text.
    let whole = |word: &&str| word.contains("://[");
    let pieces = words.flat_map(move |word| {
        word.split(['[', ']'].as_slice()).filter(move |_| !whole(&word)).chain(Some(word).filter(whole))
    });
    pieces.filter(|word| word.contains("://")).map(|word| word.trim_end_matches(['.', ';', '!', '?']))
}

/// Arguments that run a call in the background, on some host.
const BACKGROUND_ARGS: &[&str] = &["run_in_background", "is_background"];

/// Returns whether a call that has returned continues in the background.
fn runs_in_background(input: &Map<String, Value>) -> bool {
    BACKGROUND_ARGS.iter().any(|key| input.get(*key) == Some(&Value::Bool(true)))
}

fn outcome(kind: ToolKind, output: Option<&Value>, failed: bool) -> ToolResult<'_> {
    let mut texts = Vec::new();
    let error = output.and_then(|output| output.get("error")).is_some_and(|error| error.as_str() != Some(""));
    if let Some(output) = output {
        // The result of an edit is the file before and after: nothing new leaves the file.
        if !matches!(kind, ToolKind::Write | ToolKind::Edit) {
            for part in output::model_visible(output) {
                visit_strings(part, output::is_structural_field, &mut |text| texts.push(Cow::Borrowed(text)));
            }
        }
    }
    let exited_badly = kind == ToolKind::Shell && texts.iter().any(|text| reports_failure(text));
    ToolResult { is_ok: !failed && !error && !exited_badly, is_running: false, output: texts }
}

/// Returns whether a shell tool's text ends with a non-zero exit code, if the host has no field for it.
fn reports_failure(text: &str) -> bool {
    let codes = text.lines().rev().take(8).filter_map(|line| line.strip_prefix("Exit Code: "));
    codes.filter_map(|code| code.trim().parse::<i64>().ok()).any(|code| code != 0)
}

fn wrong_type(field: &str, tool: Option<&str>, expected: &'static str) -> PayloadError {
    PayloadError::WrongType { field: field.to_owned(), tool: tool.map(ToOwned::to_owned), expected }
}

fn checked_str_field<'a>(fields: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, PayloadError> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(wrong_type(key, None, "a string")),
    }
}

/// Returns a pattern without its extended parts, which any text takes the place of: `!(*.test).go` becomes `*.go`.
fn plain_glob(pattern: &str) -> Cow<'_, str> {
    let mut plain = Cow::Borrowed(pattern);
    while let Some(start) = ["!(", "@(", "+(", "?(", "*("].iter().filter_map(|open| plain.find(open)).min() {
        let Some(length) = plain.get(start..).and_then(|rest| rest.find(')')) else { break };
        plain.to_mut().replace_range(start..=start + length, "*");
    }
    plain
}
