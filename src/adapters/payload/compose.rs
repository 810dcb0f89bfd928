//! Composes a host's payload from a description in neutral terms.
//!
//! `check` and policy tests describe an event; here it becomes the payload that each host would send, so
//! that it goes through the same reader as in the hook.

use serde_json::{Map, Value, json};

use crate::adapters::contract::{ArgRole, EventRow, Host, PayloadFields, PayloadShape, ToolRow};
use crate::domain::event::kind::{EVENT_SPECS, Kind};
use crate::domain::event::tool::{ToolCall, ToolKind};
use crate::domain::event::{Event, Payload};
use crate::domain::policy::example::Scenario;
use crate::domain::text::suggest::UnknownWord;

/// An event in neutral terms.
#[derive(Debug, Clone, PartialEq)]
pub struct NeutralEvent {
    /// The kind of event.
    pub kind: Kind,
    /// The tool: a neutral kind or a host's own name.
    pub tool: Option<String>,
    /// Shell text.
    pub command: Option<String>,
    /// The file that a call names.
    pub path: Option<String>,
    /// The text that a call writes.
    pub content: Option<String>,
    /// The address that a call fetches.
    pub url: Option<String>,
    /// A prompt.
    pub prompt: Option<String>,
    /// An answer.
    pub response: Option<String>,
    /// Whether the agent was sent back before it gave the answer.
    pub is_after_retry: bool,
    /// A tool's result.
    pub output: Option<String>,
    /// A tool server and the server's name for the tool.
    pub mcp: Option<(String, String)>,
    /// Additional arguments of the tool, by its own names.
    pub input: Map<String, Value>,
    /// The subject of an event that has no other fields.
    pub subject: Option<String>,
    /// The active subagent.
    pub subagent: Option<String>,
    /// The host's permission mode.
    pub permission_mode: Option<String>,
    /// The working directory of the host.
    pub cwd: String,
}

impl NeutralEvent {
    /// Returns a description with only a kind and a working directory.
    pub fn new(kind: Kind, cwd: &str) -> Self {
        Self {
            kind,
            tool: None,
            command: None,
            path: None,
            content: None,
            url: None,
            prompt: None,
            response: None,
            is_after_retry: false,
            output: None,
            mcp: None,
            input: Map::new(),
            subject: None,
            subagent: None,
            permission_mode: None,
            cwd: cwd.to_owned(),
        }
    }

    /// Returns a described event, which happens in a directory unless the description names another.
    ///
    /// # Errors
    /// Returns an error when its kind does not exist.
    pub fn from_description(event: &Scenario, cwd: &str) -> Result<Self, UnknownWord> {
        let name = event.when.as_deref().unwrap_or("tool.before");
        let known = EVENT_SPECS.iter().map(|moment| moment.name);
        let kind = Kind::from_name(name).ok_or_else(|| UnknownWord::among("moment", name, known))?;
        let event = event.clone();
        let mut input = event.input;
        let mcp = event.mcp.map(|mcp| {
            input.extend(mcp.input);
            (mcp.server, mcp.tool)
        });
        Ok(Self {
            kind,
            tool: event.tool,
            command: event.command,
            path: event.path,
            content: event.content,
            url: event.url,
            prompt: event.prompt,
            response: event.response,
            is_after_retry: event.again,
            output: event.output,
            mcp,
            input,
            subject: event.subject,
            subagent: event.subagent,
            permission_mode: event.permission_mode,
            cwd: event.cwd.unwrap_or_else(|| cwd.to_owned()),
        })
    }

    /// Returns the description of an event, as far as neutral terms can express it.
    pub fn from_event(event: &Event<'_>) -> Self {
        let mut asked = Self::new(event.kind, event.session.cwd.unwrap_or_default());
        asked.permission_mode = event.session.permission_mode.map(ToOwned::to_owned);
        asked.subagent = event.session.subagent.as_ref().map(|agent| agent.name.to_owned());
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        match &event.payload {
            Payload::Tools(calls) => {
                if let Some(call) = calls.first() {
                    asked.fill_call(call);
                }
            }
            Payload::Prompt(text) => asked.prompt = Some((*text).to_owned()),
            Payload::Answer(answer) => {
                asked.prompt = owned(answer.prompt);
                asked.response = owned(answer.text);
                asked.is_after_retry = answer.is_retry;
            }
            Payload::Model(model) => {
                asked.prompt = owned(model.prompt().map(|message| message.text));
                asked.response = owned(model.response.as_deref());
            }
            Payload::Notice(notice) => {
                asked.subject = owned(notice.subject);
                asked.prompt = owned(notice.text);
                asked.path = owned(notice.path);
            }
        }
        asked
    }

    fn fill_call(&mut self, call: &ToolCall<'_>) {
        self.tool = Some(call.kind.name().to_owned());
        self.command = call.commands.first().map(|command| command.text.to_string());
        self.path = call.files.first().map(|file| file.path.to_string());
        self.content = call.texts.first().map(|text| text.text.to_string());
        self.url = call.urls.first().map(ToString::to_string);
        self.prompt = call.agent.as_ref().and_then(|agent| agent.prompt).map(ToOwned::to_owned);
        self.output = call.result.as_ref().map(|outcome| outcome.output.join("\n"));
        if let Some(mcp) = &call.mcp {
            self.mcp = Some((mcp.server.to_string(), mcp.tool.to_string()));
            self.input.clone_from(call.input);
        }
    }

    /// Returns the kind of tool, inferred from an argument if necessary.
    fn tool_kind(&self) -> ToolKind {
        let named = self.tool.as_deref().and_then(|name| ToolKind::NAMES.iter().find(|(_, known)| *known == name));
        match named {
            Some((kind, _)) => *kind,
            None if self.mcp.is_some() => ToolKind::Mcp,
            None if self.command.is_some() => ToolKind::Shell,
            None if self.url.is_some() => ToolKind::Fetch,
            None if self.content.is_some() => ToolKind::Write,
            None if self.path.is_some() => ToolKind::Read,
            None => ToolKind::Other,
        }
    }
}

/// Returns the payload; `None` when the host has no such event.
pub fn compose_payload(host: &Host, asked: &NeutralEvent) -> Option<PayloadFields> {
    let row = host.event_rows(asked.kind).next()?;
    let mut payload = Map::new();
    let mut put = |key: &str, value: Value| {
        if !key.is_empty() {
            payload.insert(key.to_owned(), value);
        }
    };
    put("session_id", json!("00000000-0000-4000-8000-000000000000"));
    put("transcript_path", json!(""));
    put("cwd", json!(asked.cwd));
    put("hook_event_name", json!(row.wire));
    if let Some(mode) = &asked.permission_mode {
        put("permission_mode", json!(mode));
    }
    if let Some(name) = &asked.subagent {
        put("agent_id", json!("agent"));
        put("agent_type", json!(name));
    }
    match row.payload {
        PayloadShape::Prompt => put("prompt", json!(asked.prompt.as_deref().unwrap_or_default())),
        PayloadShape::Answer(key) => {
            put("stop_hook_active", json!(asked.is_after_retry));
            put("message_id", json!("message"));
            put("final", json!(true));
            put("prompt", json!(asked.prompt.as_deref().unwrap_or_default()));
            put(key, json!(asked.response.as_deref().unwrap_or_default()));
        }
        PayloadShape::Model(format) => {
            put(format.request_key, (format.compose_request)(asked.prompt.as_deref().unwrap_or_default()));
            if let Some(text) = &asked.response {
                put(format.response_key, (format.compose_response)(text));
            }
        }
        PayloadShape::Notice(subject, text, path) => {
            put(subject, json!(asked.subject.as_deref().unwrap_or_default()));
            put(text, json!(asked.prompt.as_deref().or(asked.content.as_deref()).unwrap_or_default()));
            put(path, json!(asked.path.as_deref().unwrap_or_default()));
        }
        PayloadShape::Call | PayloadShape::Result { .. } | PayloadShape::Batch => {
            insert_call(host, row, asked, &mut payload);
        }
    }
    Some(payload)
}

fn insert_call(host: &Host, row: &EventRow, asked: &NeutralEvent, payload: &mut PayloadFields) {
    let kind = asked.tool_kind();
    let own = asked.tool.as_deref().and_then(|name| host.tool(name));
    let tool = own.or_else(|| host.tools.iter().find(|tool| tool.kind == kind));
    let name = match (&asked.mcp, tool, &asked.tool) {
        (Some((server, tool)), ..) => (host.server_tool_name)(server, tool),
        (None, Some(tool), Some(name)) if own.is_some() || kind.name() == name => tool.wire.to_owned(),
        (None, _, Some(name)) if kind.name() != name => name.clone(),
        (None, Some(tool), _) => tool.wire.to_owned(),
        (None, None, _) => kind.name().to_owned(),
    };
    if let Some((server, tool)) = &asked.mcp {
        payload.insert("mcp_server".into(), json!({ "name": server }));
        payload.insert("mcp_context".into(), json!({ "server_name": server, "tool_name": tool }));
    }
    let known = if asked.mcp.is_some() { None } else { host.tool(&name) };
    let mut call = Map::new();
    call.insert("tool_name".into(), json!(name));
    call.insert("tool_input".into(), Value::Object(tool_input(known, asked)));
    let output = asked.output.as_deref().unwrap_or_default();
    match row.payload {
        PayloadShape::Result { output: key, failed: true } if !has_result_key(host, key) => {
            call.insert(key.into(), json!(output));
        }
        PayloadShape::Result { output: key, .. } => {
            call.insert(key.into(), (host.tool_result)(output));
        }
        _ => {}
    }
    if matches!(row.payload, PayloadShape::Batch) {
        payload.insert("tool_calls".into(), json!([call]));
    } else {
        payload.extend(call);
    }
}

/// Returns whether a result stands under a key when a call has succeeded: then that of a failed one has the same shape.
fn has_result_key(host: &Host, key: &str) -> bool {
    host.event_rows(Kind::ToolAfter)
        .any(|row| matches!(row.payload, PayloadShape::Result { output, .. } if output == key))
}

/// A test for a role.
type RolePredicate = fn(&ArgRole) -> bool;

/// Returns the arguments under the tool's own names, or under plain ones for a tool of no table.
fn tool_input(tool: Option<&ToolRow>, asked: &NeutralEvent) -> Map<String, Value> {
    let mut input = Map::new();
    let key = |is: fn(&ArgRole) -> bool, plain: &'static str| {
        let args = tool.map(|tool| tool.args).unwrap_or_default();
        args.iter().find(|arg| is(&arg.role) && !arg.key.contains("[]")).map_or(plain, |arg| arg.key)
    };
    let given: [(&Option<String>, RolePredicate, &'static str); 5] = [
        (&asked.command, |role| matches!(role, ArgRole::Command(_)), "command"),
        (&asked.path, |role| matches!(role, ArgRole::Path(_)), "path"),
        (&asked.content, |role| matches!(role, ArgRole::Content), "content"),
        (&asked.url, |role| matches!(role, ArgRole::Url | ArgRole::EmbeddedUrls), "url"),
        (&asked.prompt, |role| matches!(role, ArgRole::AgentPrompt), "prompt"),
    ];
    for (value, is, plain) in given {
        if let Some(value) = value {
            input.insert(key(is, plain).to_owned(), json!(value));
        }
    }
    let patch = tool.and_then(|tool| tool.args.iter().find(|arg| arg.role == ArgRole::Patch && arg.required));
    if let (Some(arg), Some(path)) = (patch, &asked.path) {
        input.retain(|key, _| !matches!(key.as_str(), "path" | "content"));
        let lines = asked.content.as_deref().unwrap_or_default().lines();
        let added: String = lines.flat_map(|line| ["+", line, "\n"]).collect();
        let text = format!("*** Begin Patch\n*** Add File: {path}\n{added}*** End Patch\n");
        input.insert(arg.key.to_owned(), json!(text));
    }
    input.extend(asked.input.clone());
    input
}
