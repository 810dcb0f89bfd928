//! A payload as a host would send it, from a description in neutral words.
//!
//! `check` and policy tests say what happens; here it becomes what each host would report, so that
//! they go through the same reader as the hook.

use serde_json::{Map, Value, json};

use super::json::Payload as Fields;
use super::llxprt::blocks;
use super::{Host, Reads, Role, Row, Talk, ToolRow};
use crate::domain::event::{Event, Payload};
use crate::domain::example::Described;
use crate::domain::kind::{Kind, MOMENTS};
use crate::domain::suggest;
use crate::domain::tool::{ToolCall, ToolKind};

/// An event in neutral words.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The moment.
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
    /// Whether the agent was sent back to work before it gave the answer.
    pub again: bool,
    /// What a tool returned.
    pub output: Option<String>,
    /// A tool server and its own name of the tool.
    pub mcp: Option<(String, String)>,
    /// More arguments of the tool, by its own names.
    pub input: Map<String, Value>,
    /// The subject of a moment without a shape of its own.
    pub subject: Option<String>,
    /// The sub-agent that acts.
    pub subagent: Option<String>,
    /// The host's permission mode.
    pub permission_mode: Option<String>,
    /// The directory that the host works in.
    pub cwd: String,
}

impl Asked {
    /// Returns a description in which nothing is said but the moment and the place.
    pub fn at(kind: Kind, cwd: &str) -> Self {
        Self {
            kind,
            tool: None,
            command: None,
            path: None,
            content: None,
            url: None,
            prompt: None,
            response: None,
            again: false,
            output: None,
            mcp: None,
            input: Map::new(),
            subject: None,
            subagent: None,
            permission_mode: None,
            cwd: cwd.to_owned(),
        }
    }

    /// Returns a described event, which takes place in a directory unless it says otherwise.
    ///
    /// # Errors
    /// Returns that its moment does not exist.
    pub fn described(event: &Described, cwd: &str) -> Result<Self, String> {
        let name = event.when.as_deref().unwrap_or("tool.before");
        let kind = Kind::from_name(name).ok_or_else(|| {
            suggest::among("moment", name, MOMENTS.iter().map(|moment| moment.name)).replace('\n', "; ")
        })?;
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
            again: event.again,
            output: event.output,
            mcp,
            input,
            subject: event.subject,
            subagent: event.subagent,
            permission_mode: event.permission_mode,
            cwd: event.cwd.unwrap_or_else(|| cwd.to_owned()),
        })
    }

    /// Returns the description of an event, as far as neutral words reach.
    pub fn of(event: &Event<'_>) -> Self {
        let mut asked = Self::at(event.kind, event.session.cwd.unwrap_or_default());
        asked.permission_mode = event.session.permission_mode.map(ToOwned::to_owned);
        asked.subagent = event.session.subagent.as_ref().map(|agent| agent.name.to_owned());
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        match &event.payload {
            Payload::Tools(calls) => {
                if let Some(call) = calls.first() {
                    asked.describe(call);
                }
            }
            Payload::Prompt(text) => asked.prompt = Some((*text).to_owned()),
            Payload::Answer(answer) => {
                asked.prompt = owned(answer.prompt);
                asked.response = owned(answer.text);
                asked.again = answer.again;
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

    fn describe(&mut self, call: &ToolCall<'_>) {
        self.tool = Some(call.kind.name().to_owned());
        self.command = call.commands.first().map(|command| command.text.to_string());
        self.path = call.files.first().map(|file| file.path.to_string());
        self.content = call.texts.first().map(|text| text.text.to_string());
        self.url = call.urls.first().map(ToString::to_string);
        self.prompt = call.agent.as_ref().and_then(|agent| agent.prompt).map(ToOwned::to_owned);
        self.output = call.outcome.as_ref().map(|outcome| outcome.output.join("\n"));
        if let Some(mcp) = &call.mcp {
            self.mcp = Some((mcp.server.to_string(), mcp.tool.to_string()));
            self.input.clone_from(call.input);
        }
    }

    /// Returns the kind of tool that is meant, also when only an argument tells.
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

/// Returns the payload; `None` when the host has no such moment.
pub fn compose(host: &Host, asked: &Asked) -> Option<Fields> {
    let row = host.rows_of(asked.kind).next()?;
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
    match row.reads {
        Reads::Prompt => put("prompt", json!(asked.prompt.as_deref().unwrap_or_default())),
        Reads::Answer(key) => {
            put("stop_hook_active", json!(asked.again));
            put("message_id", json!("message"));
            put("final", json!(true));
            put("prompt", json!(asked.prompt.as_deref().unwrap_or_default()));
            put(key, json!(asked.response.as_deref().unwrap_or_default()));
        }
        Reads::Model(talk) => {
            put("llm_request", request(talk, asked.prompt.as_deref().unwrap_or_default()));
            if let Some(text) = &asked.response {
                put("llm_response", response(talk, text));
            }
        }
        Reads::Notice(subject, text, path) => {
            put(subject, json!(asked.subject.as_deref().unwrap_or_default()));
            put(text, json!(asked.prompt.as_deref().or(asked.content.as_deref()).unwrap_or_default()));
            put(path, json!(asked.path.as_deref().unwrap_or_default()));
        }
        Reads::Call | Reads::Result { .. } | Reads::Batch => put_call(host, row, asked, &mut payload),
    }
    Some(payload)
}

fn request(talk: Talk, text: &str) -> Value {
    match talk {
        Talk::Messages => json!({ "model": "model", "messages": [{ "role": "user", "content": text }],
            "config": { "temperature": 1, "topP": 0.95, "topK": 64 } }),
        Talk::Blocks => json!({ "contents": [blocks::content("human", text)], "tools": [] }),
    }
}

pub(super) fn response(talk: Talk, text: &str) -> Value {
    match talk {
        Talk::Messages => {
            let candidate =
                json!({ "content": { "role": "model", "parts": [text] }, "finishReason": "STOP", "index": 0 });
            json!({ "text": text, "candidates": [candidate] })
        }
        Talk::Blocks => blocks::content("ai", text),
    }
}

fn put_call(host: &Host, row: &Row, asked: &Asked, payload: &mut Fields) {
    let kind = asked.tool_kind();
    let own = asked.tool.as_deref().and_then(|name| host.tool(name));
    let tool = own.or_else(|| host.tools.iter().find(|tool| tool.kind == kind));
    let name = match (&asked.mcp, tool, &asked.tool) {
        (Some((server, tool)), ..) => (host.server_tool)(server, tool),
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
    call.insert("tool_input".into(), Value::Object(input(known, asked)));
    let output = asked.output.as_deref().unwrap_or_default();
    match row.reads {
        Reads::Result { output: key, failed: true } => {
            call.insert(key.into(), json!(output));
        }
        Reads::Result { output: key, failed: false } => {
            call.insert(key.into(), (host.returned)(output));
        }
        _ => {}
    }
    if row.reads == Reads::Batch {
        payload.insert("tool_calls".into(), json!([call]));
    } else {
        payload.extend(call);
    }
}

/// Tells whether a role is the one that is looked for.
type Means = fn(&Role) -> bool;

/// Returns the arguments under the tool's own names, or under plain ones for a tool of no table.
fn input(tool: Option<&ToolRow>, asked: &Asked) -> Map<String, Value> {
    let mut input = Map::new();
    let key = |is: fn(&Role) -> bool, plain: &'static str| {
        let args = tool.map(|tool| tool.args).unwrap_or_default();
        args.iter().find(|arg| is(&arg.role) && !arg.key.contains("[]")).map_or(plain, |arg| arg.key)
    };
    let given: [(&Option<String>, Means, &'static str); 5] = [
        (&asked.command, |role| matches!(role, Role::Command(_)), "command"),
        (&asked.path, |role| matches!(role, Role::Path(_)), "path"),
        (&asked.content, |role| matches!(role, Role::Content), "content"),
        (&asked.url, |role| matches!(role, Role::Url | Role::UrlsWithin), "url"),
        (&asked.prompt, |role| matches!(role, Role::AgentPrompt), "prompt"),
    ];
    for (value, is, plain) in given {
        if let Some(value) = value {
            input.insert(key(is, plain).to_owned(), json!(value));
        }
    }
    input.extend(asked.input.clone());
    input
}
