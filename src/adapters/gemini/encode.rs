//! Encodes an event of another host as Gemini CLI would send it to a hook.
//!
//! Source: the hook code of 0.61.0, and payloads of it. The result of a shell or a tool server is
//! wrapped, and a shell's exit code is one of the lines.

use serde_json::{Value, json};

use super::{content_text, decode};
use crate::adapters::contract::InvalidMatcher;
use crate::adapters::contract::{
    Dialect, EncodeContext, EncodedResult, EnvValue, EventRow, PayloadFields, PayloadShape, SubjectMeaning, ToolAction,
};
use crate::adapters::dialect::matcher_regex;
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;

pub(super) const DIALECT: Dialect = Dialect {
    env: &[
        ("GEMINI_PROJECT_DIR", EnvValue::Project),
        ("GEMINI_CWD", EnvValue::WorkingDir),
        ("GEMINI_SESSION_ID", EnvValue::Session),
        ("CLAUDE_PROJECT_DIR", EnvValue::Project),
    ],
    uses_absolute_paths: false,
    denial_replaces_result: true,
    subjects: SUBJECTS,
    add_fields,
    result_text,
    encode_result,
    encode_server: |server, tool| Some(("mcp_context", json!({ "server_name": server, "tool_name": tool }))),
    matches,
    decode: decode::decode,
};

pub(in crate::adapters) const SUBJECTS: &[(Kind, SubjectMeaning, &str)] = &[
    (Kind::SessionEnd, SubjectMeaning::SessionEnded, "exit"),
    (Kind::Notification, SubjectMeaning::PermissionPrompt, "ToolPermission"),
];

pub(in crate::adapters) fn add_fields(
    row: &EventRow,
    _: &Event<'_>,
    circumstances: &EncodeContext<'_>,
    payload: &mut PayloadFields,
) {
    payload.insert("timestamp".into(), json!(circumstances.now.timestamp()));
    if row.kind == Kind::Notification {
        payload.insert("details".into(), json!({}));
    }
}

const UNTRUSTED_WRAPPER: (&str, &str) = ("<untrusted_context>\n", "\n</untrusted_context>");

/// Returns the text of a result that the model reads, without the host's wrapping.
pub(in crate::adapters) fn result_text(action: Option<ToolAction>, result: &Value) -> String {
    if let Some(message) = result.pointer("/error/message").and_then(Value::as_str) {
        return message.to_owned();
    }
    let text = content_text(result.get("llmContent").unwrap_or(result));
    let (before, behind) = UNTRUSTED_WRAPPER;
    let inner = text.strip_prefix(before).and_then(|text| text.strip_suffix(behind)).unwrap_or(&text);
    if action == Some(ToolAction::RunShell) { shell_output(inner) } else { inner.to_owned() }
}

/// Returns the output of a command, preceded by its exit code if that is not 0.
fn shell_output(text: &str) -> String {
    let Some(text) = text.strip_prefix("Output: ") else { return text.to_owned() };
    let mut lines: Vec<&str> = text.lines().collect();
    let mut code = None;
    while let Some(last) = lines.pop() {
        if let Some(number) = last.strip_prefix("Exit Code: ") {
            code = Some(number);
        } else if !["Process Group PGID: ", "Background PIDs: ", "Signal: ", "Error: "]
            .iter()
            .any(|head| last.starts_with(head))
        {
            lines.push(last);
            break;
        }
    }
    let printed = lines.join("\n");
    let printed = if printed == "(empty)" { String::new() } else { printed };
    code.map_or_else(|| printed.clone(), |code| format!("Exit code {code}\n{printed}"))
}

pub(in crate::adapters) fn encode_result(_: &EventRow, returned: &EncodedResult<'_>) -> Value {
    let EncodedResult { action, text, failed, is_mcp: server, .. } = *returned;
    let (before, behind) = UNTRUSTED_WRAPPER;
    if action == Some(ToolAction::RunShell) {
        let (code, printed) = match text.strip_prefix("Exit code ").and_then(|text| text.split_once('\n')) {
            Some((code, printed)) if failed => (Some(code), printed),
            _ => (failed.then_some("1"), text),
        };
        let code = code.map(|code| format!("\nExit Code: {code}")).unwrap_or_default();
        let content = format!("{before}Output: {printed}{code}{behind}");
        return json!({ "llmContent": content, "returnDisplay": printed });
    }
    if failed {
        return json!({ "llmContent": text, "returnDisplay": text, "error": { "message": text } });
    }
    let content = if server { json!([{ "text": format!("{before}{text}{behind}") }]) } else { json!(text) };
    json!({ "llmContent": content, "returnDisplay": text })
}

/// Returns whether a matcher of the settings covers an event: for tools it is a regular expression that
/// may match anywhere, for a session's start and end the exact word.
pub(in crate::adapters) fn matches(row: &EventRow, subject: &str, matcher: &str) -> Result<bool, InvalidMatcher> {
    let matcher = matcher.trim();
    if matches!(matcher, "" | "*") {
        return Ok(true);
    }
    match (row.payload, row.kind) {
        (PayloadShape::Call | PayloadShape::Result { .. }, _) => matcher_regex(matcher).map(|it| it.is_match(subject)),
        (_, Kind::SessionStart | Kind::SessionEnd | Kind::ContextCompact) => Ok(subject == matcher),
        _ => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{matches, result_text};
    use crate::adapters::contract::{Host, ToolAction};

    #[test]
    fn what_stands_around_an_output_is_taken_off() {
        for (text, expected) in [
            ("<untrusted_context>\nOutput: hi\nProcess Group PGID: 1\n</untrusted_context>", "hi"),
            (
                "<untrusted_context>\nOutput: out\nerr\nExit Code: 3\nProcess Group PGID: 1\n</untrusted_context>",
                "Exit code 3\nout\nerr",
            ),
            ("<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 1\n</untrusted_context>", ""),
            ("something else", "something else"),
        ] {
            assert_eq!(result_text(Some(ToolAction::RunShell), &json!({ "llmContent": text })), expected);
        }
    }

    #[test]
    fn matchers_are_expressions_of_tools_and_words_of_sessions() {
        let host = Host::by_name("gemini").unwrap();
        for (event, subject, matcher, expected) in [
            ("BeforeTool", "run_shell_command", "shell", true),
            ("BeforeTool", "run_shell_command", "^shell$", false),
            ("BeforeTool", "run_shell_command", " * ", true),
            ("SessionStart", "startup", "startup", true),
            ("SessionStart", "startup", "startup|resume", false),
            ("BeforeAgent", "", "nothing", true),
        ] {
            assert_eq!(matches(host.event_row(event).unwrap(), subject, matcher), Ok(expected), "{event} {matcher}");
        }
        assert!(matches(host.event_row("BeforeTool").unwrap(), "x", "(?!x)").is_err());
    }
}
