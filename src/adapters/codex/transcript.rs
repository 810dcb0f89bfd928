//! Reads calls of tools from Codex's transcripts.
//!
//! They are JSON Lines in `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`, and in `archived_sessions`. A line is
//! `{"timestamp", "type", "payload"}`: `session_meta` has the session's `id` and `cwd`, `turn_context` the `cwd` from
//! there on, and `response_item` a part of the conversation. Before 0.32 a line was the `payload` itself and the first
//! one had the `id`; the directory was only in the text of a message. A session that is resumed or forked begins with
//! copies of earlier lines, in which a call keeps its `call_id`.
//!
//! Calls are `function_call` (`name`, `arguments` as a text of JSON; with `namespace`, a tool of a tool server),
//! `custom_tool_call` (`name`, `input` as a text) and `local_shell_call` (`action.command`). They are read as the tools
//! under which Codex's hooks report them: `Bash`, `apply_patch` and `mcp__server__tool`.

use serde_json::{Value, json};

use super::HOST;
use crate::adapters::contract::{
    CallContext, RecordReader, TranscriptCall, TranscriptDirectory, TranscriptFormat, text_field,
};
use crate::adapters::payload::mcp_name::mcp_tool_name;
use crate::domain::shell::quote;
use crate::domain::state::{Tokens, TokensUsed};

pub(in crate::adapters) const TRANSCRIPT_FORMAT: TranscriptFormat = TranscriptFormat {
    name: "codex",
    title: "Codex",
    host: &HOST,
    directories: &[
        TranscriptDirectory { moved: ("CODEX_HOME", &["sessions"]), in_home: &[".codex", "sessions"] },
        TranscriptDirectory {
            moved: ("CODEX_HOME", &["archived_sessions"]),
            in_home: &[".codex", "archived_sessions"],
        },
    ],
    is_transcript: |path| {
        path.rsplit('/').next().and_then(|name| name.strip_prefix("rollout-")?.strip_suffix(".jsonl")).is_some()
    },
    recognizes: |text| {
        let has = |word: &str| text.contains(word);
        has("\"session_meta\"") || has("\"response_item\"") || has("\"function_call\"") && has("\"call_id\"")
    },
    list_key: "items",
    project_file: None,
    is_relevant: |line| {
        ["_call\"", "\"session_meta\"", "\"turn_context\"", "<cwd>", "\"instructions\""]
            .iter()
            .any(|it| line.contains(it))
    },
    reader: || Box::new(Reader::default()),
};

/// Tools that run a line of a shell, and the argument that has it.
const SHELL_TOOLS: [(&str, &str); 5] = [
    ("shell", "command"),
    ("container.exec", "command"),
    ("local_shell", "command"),
    ("shell_command", "command"),
    ("exec_command", "cmd"),
];
/// The tool that applies a patch, which shells take for a program as well.
const PATCH_TOOL: &str = "apply_patch";
/// Shells that Codex runs a line in.
const SHELLS: [&str; 3] = ["bash", "sh", "zsh"];

/// Remembers what the lines before have said.
#[derive(Default)]
struct Reader {
    session: String,
    cwd: Option<String>,
}

impl RecordReader for Reader {
    fn read(&mut self, record: &Value, found: &mut Vec<TranscriptCall>) {
        let item = record.get("payload").unwrap_or(record);
        let kind = record.get("type").and_then(Value::as_str);
        match kind {
            Some("session_meta") | None => {
                // The first one is of this session; others were copied from the session it continues.
                if self.session.is_empty() {
                    self.session = text_field(item, "id").unwrap_or_default();
                }
                self.cwd = text_field(item, "cwd").or_else(|| self.cwd.take());
            }
            Some("turn_context") => self.cwd = text_field(item, "cwd").or_else(|| self.cwd.take()),
            Some("event_msg" | "compacted") => {}
            Some(_) => self.read_item(item, text_field(record, "timestamp").as_deref(), found),
        }
    }
}

impl Reader {
    fn read_item(&mut self, item: &Value, time: Option<&str>, found: &mut Vec<TranscriptCall>) {
        let mut call = Call { cwd: self.cwd.clone(), ..Call::default() };
        match item.get("type").and_then(Value::as_str) {
            Some("message") => {
                self.cwd = directory_in_message(item).or_else(|| self.cwd.take());
                return;
            }
            Some("local_shell_call") => {
                let action = item.get("action").unwrap_or(&Value::Null);
                call.enter(text_field(action, "working_directory"));
                call.add_command(action.get("command"));
            }
            Some("custom_tool_call") => {
                let input = text_field(item, "input").unwrap_or_default();
                match text_field(item, "name").unwrap_or_default() {
                    name if name == PATCH_TOOL => call.add_patch(&input),
                    name => call.tools.push((name, json!({ "input": input }))),
                }
            }
            Some("function_call") => {
                let text = item.get("arguments").and_then(Value::as_str).unwrap_or_default();
                let Ok(arguments) = serde_json::from_str::<Value>(text) else { return };
                let server = text_field(item, "namespace");
                call.add_function(&text_field(item, "name").unwrap_or_default(), server, arguments);
            }
            _ => return,
        }
        let id = ["call_id", "id"].iter().find_map(|key| text_field(item, key)).unwrap_or_default();
        let Call { tools, cwd } = call;
        for (position, (tool, input)) in tools.into_iter().enumerate() {
            let (session, time, cwd) = (self.session.clone(), time.map(ToOwned::to_owned), cwd.clone());
            let context = CallContext { id: format!("{id} {position}"), session, time, cwd, agent: None };
            let Value::Object(input) = input else { continue };
            found.push(TranscriptCall::new(&HOST, &context, &tool, input));
        }
    }
}

/// One call of Codex, as the calls that it is read as.
#[derive(Default)]
struct Call {
    tools: Vec<(String, Value)>,
    cwd: Option<String>,
}

impl Call {
    fn add_function(&mut self, name: &str, server: Option<String>, arguments: Value) {
        if let Some(server) = server {
            let server = server.strip_prefix("mcp__").unwrap_or(&server);
            return self.tools.push((mcp_tool_name(server.trim_end_matches("__"), name), arguments));
        }
        if let Some((_, key)) = SHELL_TOOLS.iter().find(|(tool, _)| *tool == name) {
            self.enter(arguments.get("workdir").and_then(Value::as_str).map(ToOwned::to_owned));
            return self.add_command(arguments.get(*key));
        }
        match (name, arguments.get("input").or_else(|| arguments.get("patch")).and_then(Value::as_str)) {
            (PATCH_TOOL, Some(patch)) => self.add_patch(patch),
            _ if name.starts_with("mcp__") => self.tools.push((name.to_owned(), arguments)),
            _ => match name.split_once("__") {
                Some((server, tool)) => self.tools.push((mcp_tool_name(server, tool), arguments)),
                None => self.tools.push((name.to_owned(), arguments)),
            },
        }
    }

    /// Starts in a directory, which may be given from the present one.
    fn enter(&mut self, directory: Option<String>) {
        let Some(directory) = directory.filter(|it| !it.is_empty()) else { return };
        let is_absolute = directory.starts_with(['/', '\\']) || directory.get(1..2) == Some(":");
        self.cwd = match &self.cwd {
            Some(cwd) if !is_absolute => Some(format!("{}/{directory}", cwd.trim_end_matches('/'))),
            _ => Some(directory),
        };
    }

    /// Adds a command, given as a line or as the words of a program.
    fn add_command(&mut self, command: Option<&Value>) {
        let words: Vec<&str> = match command {
            Some(Value::String(line)) => return self.add_line(line),
            Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
            _ => return,
        };
        match words.as_slice() {
            [PATCH_TOOL, patch] => self.add_patch(patch),
            [shell, "-lc" | "-c", line] if SHELLS.contains(&shell.rsplit('/').next().unwrap_or(shell)) => {
                self.add_line(line);
            }
            words => {
                let quoted = words.iter().map(|word| quote(word));
                self.add_line(&quoted.collect::<Vec<_>>().join(" "));
            }
        }
    }

    fn add_line(&mut self, line: &str) {
        self.tools.push(("Bash".to_owned(), json!({ "command": line })));
    }

    fn add_patch(&mut self, patch: &str) {
        self.tools.push((PATCH_TOOL.to_owned(), json!({ "command": patch })));
    }
}

/// Returns the tokens that a line reports; `None` for most lines.
pub(super) fn tokens_used(line: &str) -> Option<TokensUsed> {
    // Most lines of a transcript are about something else, and some of them are large.
    if !line.contains("\"token_count\"") {
        return None;
    }
    let line: Value = serde_json::from_str(line).ok()?;
    if line.pointer("/payload/type").and_then(Value::as_str) != Some("token_count") {
        return None;
    }
    let usage = line.pointer("/payload/info/last_token_usage")?;
    let number = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or_default();
    let tokens = Tokens {
        input: number("input_tokens"),
        output: number("output_tokens"),
        cached: number("cached_input_tokens"),
    };
    // The total so far differs from one report to the next, and not when a report is written twice.
    let total = line.pointer("/payload/info/total_token_usage").map(Value::to_string);
    Some(TokensUsed { answer: total.unwrap_or_default(), tokens })
}

/// Returns the directory that Codex tells the model in a message.
fn directory_in_message(message: &Value) -> Option<String> {
    let parts = message.get("content")?.as_array()?;
    let text = parts.iter().find_map(|part| part.get("text")?.as_str().filter(|text| text.contains("<cwd>")))?;
    if !text.trim_start().starts_with("<environment_context>") {
        return None;
    }
    let (_, rest) = text.split_once("<cwd>")?;
    Some(rest.split_once("</cwd>")?.0.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::tokens_used;
    use crate::domain::state::Tokens;

    #[test]
    fn only_reports_of_tokens_are_counted() {
        let line = r#"{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":30},"last_token_usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":5,"total_tokens":15}}}}"#;
        let found = tokens_used(line).unwrap();
        assert_eq!(found.tokens, Tokens { input: 10, output: 5, cached: 4 });
        assert_ne!(found.answer, "");
        for line in
            ["", "{", r#"{"type":"event_msg","payload":{"type":"token_count","info":null}}"#, r#"{"a":"token_count"}"#]
        {
            assert_eq!(tokens_used(line), None, "{line}");
        }
    }
}
