//! What Gemini CLI tells a hook of an event that another host reports.
//!
//! Source: the hook code of 0.61.0, and payloads of it. What a shell or a tool server returned is
//! wrapped, and of a shell the exit code stands among the lines.

use serde_json::{Value, json};

use super::{as_text, hearing};
use crate::adapters::dialect::{Circumstances, Dialect, Returned, Variable, Word, expression};
use crate::adapters::json::Payload;
use crate::adapters::{Action, Reads, Row};
use crate::domain::event::Event;
use crate::domain::kind::Kind;

pub(super) const DIALECT: Dialect = Dialect {
    variables: &[
        ("GEMINI_PROJECT_DIR", Variable::Project),
        ("GEMINI_CWD", Variable::Directory),
        ("GEMINI_SESSION_ID", Variable::Session),
        ("CLAUDE_PROJECT_DIR", Variable::Project),
    ],
    absolute: false,
    replaces: true,
    words: WORDS,
    adds,
    reads,
    returns,
    server: |server, tool| ("mcp_context", json!({ "server_name": server, "tool_name": tool })),
    covers,
    hears: hearing::hears,
};

pub(in crate::adapters) const WORDS: &[(Kind, Word, &str)] =
    &[(Kind::SessionEnd, Word::Ended, "exit"), (Kind::Notification, Word::Permission, "ToolPermission")];

pub(in crate::adapters) fn adds(row: &Row, _: &Event<'_>, circumstances: &Circumstances<'_>, payload: &mut Payload) {
    payload.insert("timestamp".into(), json!(circumstances.now.timestamp()));
    if row.kind == Kind::Notification {
        payload.insert("details".into(), json!({}));
    }
}

const WRAPPED: (&str, &str) = ("<untrusted_context>\n", "\n</untrusted_context>");

/// Returns what the model reads of a result, without what the host puts around it.
pub(in crate::adapters) fn reads(action: Option<Action>, result: &Value) -> String {
    if let Some(message) = result.pointer("/error/message").and_then(Value::as_str) {
        return message.to_owned();
    }
    let text = as_text(result.get("llmContent").unwrap_or(result));
    let (before, behind) = WRAPPED;
    let inner = text.strip_prefix(before).and_then(|text| text.strip_suffix(behind)).unwrap_or(&text);
    if action == Some(Action::RunShell) { of_shell(inner) } else { inner.to_owned() }
}

/// Returns what a command printed; its exit code stands before that when it is a bad one.
fn of_shell(text: &str) -> String {
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

pub(in crate::adapters) fn returns(_: &Row, returned: &Returned<'_>) -> Value {
    let Returned { action, text, failed, server, .. } = *returned;
    let (before, behind) = WRAPPED;
    if action == Some(Action::RunShell) {
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

/// Tells what a matcher of the settings covers: of tools it is a regular expression that may match
/// anywhere, of a session's start and end the exact word.
pub(in crate::adapters) fn covers(row: &Row, subject: &str, matcher: &str) -> Result<bool, String> {
    let matcher = matcher.trim();
    if matches!(matcher, "" | "*") {
        return Ok(true);
    }
    match (row.reads, row.kind) {
        (Reads::Call | Reads::Result { .. }, _) => expression(matcher).map(|it| it.is_match(subject)),
        (_, Kind::SessionStart | Kind::SessionEnd | Kind::ContextCompact) => Ok(subject == matcher),
        _ => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{covers, reads};
    use crate::adapters::{Action, Host};

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
            assert_eq!(reads(Some(Action::RunShell), &json!({ "llmContent": text })), expected);
        }
    }

    #[test]
    fn matchers_are_expressions_of_tools_and_words_of_sessions() {
        let host = Host::named("gemini").unwrap();
        for (event, subject, matcher, expected) in [
            ("BeforeTool", "run_shell_command", "shell", true),
            ("BeforeTool", "run_shell_command", "^shell$", false),
            ("BeforeTool", "run_shell_command", " * ", true),
            ("SessionStart", "startup", "startup", true),
            ("SessionStart", "startup", "startup|resume", false),
            ("BeforeAgent", "", "nothing", true),
        ] {
            assert_eq!(covers(host.row(event).unwrap(), subject, matcher), Ok(expected), "{event} {matcher}");
        }
        assert!(covers(host.row("BeforeTool").unwrap(), "x", "(?!x)").is_err());
    }
}
