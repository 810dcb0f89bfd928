//! What arguments of tools hold in another notation: JSON in a text, a file as an address, code of another language.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::domain::event::tool::name_words;
use crate::domain::shell::deferred::notebook;
use crate::domain::shell::{Dialect, quote};

/// The longest text that is read as JSON.
const MAX_JSON_BYTES: usize = 64 << 10;

/// The names of arguments that hold the content of something, normalized. JSON in them is that content.
const CONTENT_NAMES: &[&str] = &[
    "content",
    "contents",
    "text",
    "body",
    "newtext",
    "oldtext",
    "newstring",
    "oldstring",
    "newstr",
    "oldstr",
    "filetext",
    "message",
    "description",
    "title",
    "prompt",
    "comment",
    "patch",
    "diff",
    "markdown",
    "html",
    "css",
    "snippet",
];

/// The names of arguments that say which language code is in, normalized.
const LANGUAGE_NAMES: &[&str] = &["language", "lang", "runtime", "interpreter", "kernel", "shell"];

/// Returns the JSON object or list that a text is, if an argument of that name may hold arguments in turn.
pub(super) fn parse_json_text(name: &str, text: &str) -> Option<Value> {
    let trimmed = text.trim();
    let looks_like =
        (trimmed.starts_with('{') && trimmed.ends_with('}')) || (trimmed.starts_with('[') && trimmed.ends_with(']'));
    if !looks_like || text.len() > MAX_JSON_BYTES || CONTENT_NAMES.contains(&name) {
        return None;
    }
    serde_json::from_str(trimmed).ok()
}

/// Returns the path of a file that is written as an address: `file:///tmp/a%20b`.
pub(super) fn file_of_address(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_at_checked(5)?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let rest = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest),
        None => rest,
    };
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let path = percent_decoded(path);
    // The drive of Windows is behind a slash: `file:///C:/x`.
    let drive = path.strip_prefix('/').filter(|path| path.get(1..3).is_some_and(|colon| colon.starts_with(":/")));
    Some(drive.unwrap_or(&path).to_owned())
}

/// Returns whether a text that may be an address is a path.
pub(super) fn is_path(text: &str) -> bool {
    ["/", "~/", "./", "../"].iter().any(|start| text.starts_with(start)) && !text.starts_with("//")
}

/// Returns a text with its percent escapes resolved.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Words that name a language or what runs it, with the language of its cells.
const LANGUAGES: &[(&[&str], &str)] = &[
    (&["bash", "sh", "shell", "zsh", "terminal"], "bash"),
    (&["python", "python3", "py", "ipython", "jupyter", "notebook", "e2b", "ide", "cell", "pandas"], "python"),
    (&["javascript", "js", "node", "nodejs", "typescript", "ts", "deno", "bun"], "javascript"),
    (&["ruby"], "ruby"),
    (&["perl"], "perl"),
    (&["php"], "php"),
    (&["applescript", "osascript"], "applescript"),
];

/// Words in the names of tools that run code in a page of a browser.
const BROWSER_WORDS: &[&str] = &["browser", "puppeteer", "playwright", "chrome", "page", "selenium"];

/// Returns the shell text that runs code of the language which its tool or the arguments beside it name; `None` where
/// that is not known.
pub(super) fn code_command(tool: &str, entries: &Map<String, Value>, code: &str) -> Option<String> {
    let words: Vec<String> = languages_named(entries).chain(name_words(tool)).collect();
    let is_in_page = is_page_script(tool);
    // Code beside a page runs in the program that drives the browser.
    if is_in_page && !words.iter().any(|word| word == "run") {
        return None;
    }
    let named = words.iter().find_map(|word| LANGUAGES.iter().find(|(names, _)| names.contains(&word.as_str())));
    let language = named.map(|(_, language)| *language).or_else(|| is_in_page.then_some("javascript"))?;
    if language == "applescript" {
        return Some(format!("osascript -e {}", quote(code)));
    }
    Some(notebook::cell(code, language)).filter(|line| !line.is_empty())
}

/// Returns whether a tool runs its script in a page of a browser.
pub(super) fn is_page_script(tool: &str) -> bool {
    name_words(tool).iter().any(|word| BROWSER_WORDS.contains(&word.as_str()))
}

fn languages_named(entries: &Map<String, Value>) -> impl Iterator<Item = String> {
    let said =
        entries.iter().filter(|(key, _)| LANGUAGE_NAMES.contains(&super::arguments::normalized_name(key).as_str()));
    said.filter_map(|(_, value)| value.as_str()).flat_map(name_words)
}

/// Returns the shell that reads a command line.
pub(super) fn dialect(tool: &str, entries: &Map<String, Value>) -> Dialect {
    let is_named =
        |names: &[&str]| languages_named(entries).chain(name_words(tool)).any(|word| names.contains(&word.as_str()));
    if is_named(&["powershell", "pwsh"]) {
        Dialect::PowerShell
    } else if languages_named(entries).any(|word| word == "cmd") {
        Dialect::Cmd
    } else {
        Dialect::Posix
    }
}

/// Returns the shell text of what is typed into a terminal, where Python may run as well as a shell.
pub(super) fn typed_command(text: &str) -> String {
    const STATEMENTS: &[&str] = &["import", "from", "def", "class", "with", "async", "lambda"];
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_python = (first.contains('(') && !first.starts_with(['(', '$'])) || STATEMENTS.contains(&first);
    if is_python || words.next() == Some("=") { notebook::cell(text, "python") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{code_command, file_of_address, parse_json_text};

    #[test]
    fn files_may_be_written_as_addresses() {
        for (text, path) in [
            ("file:///root/%2Eclaude/settings%2Ejson", Some("/root/.claude/settings.json")),
            ("file://localhost/etc/passwd", Some("/etc/passwd")),
            ("FILE:/etc/x?y#z", Some("/etc/x")),
            ("file:README%2Emd", Some("README.md")),
            ("file:///C:/x/y", Some("C:/x/y")),
            ("file:///a%zzb", Some("/a%zzb")),
            ("https://example.org/a", None),
        ] {
            assert_eq!(file_of_address(text).as_deref(), path, "{text}");
        }
    }

    #[test]
    fn json_in_a_text_is_read_unless_it_is_content() {
        assert!(parse_json_text("payload", r#" {"command": "ls"} "#).is_some());
        assert!(parse_json_text("payload", "[1, 2]").is_some());
        assert!(parse_json_text("content", r#"{"command": "ls"}"#).is_none());
        assert!(parse_json_text("payload", "{not json}").is_none());
    }

    #[test]
    fn code_is_run_by_the_language_that_is_named() {
        let input = json!({ "language": "python" });
        let none = json!({});
        let (input, none) = (input.as_object().unwrap(), none.as_object().unwrap());
        assert_eq!(code_command("run", input, "print(1)").as_deref(), Some("python3 -c 'print(1)'"));
        assert_eq!(code_command("execute_bash", none, "ls -l").as_deref(), Some("ls -l"));
        assert_eq!(code_command("run", none, "x"), None);
    }
}
