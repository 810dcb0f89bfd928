//! Cells of notebooks: Python with lines for the shell in between.

use serde_json::Value;

use super::document::line_of;
use super::source::inline;
use crate::domain::shell::quote;

/// Returns the cells of a notebook as shell text. A text that is no notebook is the source of one cell.
pub(super) fn lines(text: &str) -> Vec<(usize, String)> {
    let document = serde_json::from_str::<Value>(text).ok();
    let Some(cells) = document.as_ref().and_then(|document| document.get("cells")).and_then(Value::as_array) else {
        return vec![(1, cell(strings(text).as_deref().unwrap_or(text), "python"))];
    };
    let language = document.as_ref().and_then(|it| it.pointer("/metadata/kernelspec/language"));
    let language = language.and_then(Value::as_str).unwrap_or("python");
    let codes = cells.iter().filter(|cell| cell.get("cell_type").and_then(Value::as_str) == Some("code"));
    let sources = codes.filter_map(|cell| match cell.get("source")? {
        Value::String(source) => Some(source.clone()),
        Value::Array(lines) => Some(lines.iter().filter_map(Value::as_str).collect()),
        _ => None,
    });
    sources.map(|source| (line_of(text, &source), cell(&source, language))).collect()
}

/// Returns the source in a part of a notebook: lines that are strings of JSON.
fn strings(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|line| !matches!(*line, "" | "[" | "]" | "],"));
    lines.map(|line| serde_json::from_str::<String>(line.trim_end_matches(',')).ok()).collect()
}

/// Returns the shell text that does what a cell does.
pub(crate) fn cell(source: &str, language: &str) -> String {
    match language.to_ascii_lowercase().as_str() {
        "python" | "python3" | "ipython" | "" => python_cell(source),
        "bash" | "sh" | "shell" | "zsh" => source.to_owned(),
        "javascript" | "js" | "node" | "typescript" | "ts" => inline("node -e", source),
        "ruby" => inline("ruby -e", source),
        "perl" => inline("perl -e", source),
        "php" => inline("php -r", source),
        _ => String::new(),
    }
}

fn python_cell(source: &str) -> String {
    let source = source.trim_start_matches(['\n', '\r']);
    if let Some(magic) = source.strip_prefix("%%") {
        let (head, body) = magic.split_once('\n').unwrap_or((magic, ""));
        let mut words = head.split_whitespace();
        let name = words.next().unwrap_or_default();
        let argument = words.find(|word| !word.starts_with('-')).unwrap_or_default();
        return match name {
            "bash" | "sh" | "!" | "sx" | "system" => body.to_owned(),
            "script" => cell(body, argument),
            "writefile" | "file" => format!("printf %s {} > {}", quote(body), quote(argument)),
            "javascript" | "js" | "html" | "HTML" | "svg" | "SVG" | "latex" | "markdown" | "R" => String::new(),
            "sql" => statement(head.strip_prefix("sql").unwrap_or_default(), body),
            "ruby" | "perl" => cell(body, name),
            // Others measure or capture what the cell does.
            _ => python_cell(body),
        };
    }
    let mut shell = Vec::new();
    let mut python = Vec::new();
    for line in source.lines() {
        match shell_line(line) {
            Some(text) => {
                shell.push(text);
                // A block with only such a line in it still needs a line.
                let indent = line.len() - line.trim_start().len();
                python.push(format!("{}pass", line.get(..indent).unwrap_or_default()));
            }
            None => python.push(line.to_owned()),
        }
    }
    let code = python.join("\n");
    for (call, _) in code.match_indices("get_ipython()") {
        shell.extend(code.get(call..).and_then(magic_call));
    }
    if python.iter().any(|line| !matches!(line.trim(), "" | "pass")) {
        shell.push(inline("python3 -c", &code));
    }
    shell.join("\n")
}

/// Returns the shell text that gives a statement to a database. Connections, options and names of results may be in
/// front of it, or in the line above it.
fn statement(head: &str, body: &str) -> String {
    let text = if body.trim().is_empty() { head } else { body };
    let is_option = |word: &str| word.contains("://") || word.starts_with(['-', '@', '$', '{']) || word == "<<";
    let mut rest = text.trim();
    while let Some((word, behind)) = rest.split_once(char::is_whitespace).filter(|(word, _)| is_option(word)) {
        rest = if word.starts_with("--") {
            behind.split_once(char::is_whitespace).map_or("", |(_, rest)| rest)
        } else {
            behind
        }
        .trim_start();
    }
    if rest.is_empty() { String::new() } else { format!("psql -c {}", quote(rest)) }
}

/// Returns the shell text of a line that is not Python: `!ls`, `x = !ls`, `%cd y`.
fn shell_line(line: &str) -> Option<String> {
    let line = line.trim();
    if let Some(command) = line.strip_prefix('!') {
        return Some(command.trim_start_matches('!').trim_start().to_owned());
    }
    if let Some(magic) = line.strip_prefix('%') {
        return Some(magic_line(magic).unwrap_or_default());
    }
    let (name, value) = line.split_once('=')?;
    let value = value.trim_start();
    let is_name = name.trim().chars().all(|c| c.is_alphanumeric() || "_,. []".contains(c));
    match value.strip_prefix('!') {
        Some(command) if is_name => Some(command.to_owned()),
        _ => value.strip_prefix('%').filter(|_| is_name).and_then(magic_line),
    }
}

/// Returns the shell text of a magic; `None` if it runs nothing.
fn magic_line(magic: &str) -> Option<String> {
    let (name, rest) = magic.split_once(char::is_whitespace).unwrap_or((magic, ""));
    match name {
        "sx" | "sc" | "system" => Some(rest.to_owned()),
        "cd" | "pip" | "conda" | "mamba" | "uv" | "rm" | "mv" | "cp" | "cat" | "mkdir" | "rmdir" | "ls" => {
            Some(format!("{name} {rest}"))
        }
        "run" if rest.contains("://") => Some(format!("curl {rest} | python3")),
        "run" => Some(format!("python3 {rest}")),
        "env" | "set_env" if rest.contains('=') => Some(format!("export {rest}")),
        "load" => Some(format!("cat {rest}")),
        "sql" => Some(statement("", rest)),
        _ => None,
    }
}

/// Returns the shell text of a call: `get_ipython().system('ls')`, `get_ipython().run_cell_magic('bash', '', 'ls')`.
fn magic_call(text: &str) -> Option<String> {
    let rest = text.strip_prefix("get_ipython().")?;
    let (name, rest) = rest.split_once('(')?;
    let mut arguments = Vec::new();
    let mut rest = rest.get(..rest.find('\n').unwrap_or(rest.len()))?;
    while let Some(at) = rest.find(['\'', '"']) {
        let fence = rest.get(at..=at)?;
        let (inside, behind) = rest.get(at + 1..)?.split_once(fence)?;
        arguments.push(inside.replace("\\n", "\n"));
        rest = behind;
    }
    match (name, arguments.as_slice()) {
        ("system" | "getoutput" | "system_raw" | "system_piped", [command, ..]) => Some(command.clone()),
        ("run_line_magic" | "magic", [name, rest @ ..]) => magic_line(&format!("{name} {}", rest.join(" "))),
        ("run_cell_magic", [name, line, body, ..]) => Some(python_cell(&format!("%%{name} {line}\n{body}"))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, lines};

    #[test]
    fn lines_for_the_shell_are_found_in_a_cell() {
        for (source, expected) in [
            ("!ls -l", "ls -l"),
            ("!!ls", "ls"),
            ("x = !ls", "ls"),
            ("%sx ls", "ls"),
            ("%cd a\n!ls", "cd a\nls"),
            ("%%bash\nls\npwd", "ls\npwd"),
            ("%%script bash\nls", "ls"),
            ("%%time\n!ls", "ls"),
            ("%matplotlib inline", ""),
            ("%%writefile a/b\nx", "printf %s x > a/b"),
            ("x = 1", "python3 -c 'x = 1'"),
            ("a != b", "python3 -c 'a != b'"),
            ("%%html\n<b>", ""),
        ] {
            assert_eq!(cell(source, "python"), expected, "{source}");
        }
        assert!(cell("get_ipython().system('ls')", "python").starts_with("ls\n"));
        assert!(cell("get_ipython().run_cell_magic('bash', '', 'ls')", "python").starts_with("ls\n"));
    }

    #[test]
    fn cells_of_code_are_read_from_a_notebook() {
        let text = r#"{"cells": [{"cell_type": "markdown", "source": ["!a"]}, {"cell_type": "code", "source": ["!b\n", "!c"]}]}"#;
        assert_eq!(lines(text), [(1, "b\nc".to_owned())]);
    }
}
