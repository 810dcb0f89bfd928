//! Command lines in documents of keys and values: JSON with comments, YAML and TOML.

use serde_json::Value;

use super::is_part;
use crate::domain::shell::quote;

/// A notation of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Json,
    Yaml,
    Toml,
}

/// The keys whose values are command lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    /// Paths of keys, from the root or, with `**/`, from anywhere; `*` is any part of a key. Lists are no part of it.
    pub(super) paths: &'static [&'static str],
    /// Whether a list is the words of one command, and not a command in each entry.
    pub(super) is_argv: bool,
}

/// The depth to which documents are followed.
const MAX_DEPTH: usize = 24;

/// Returns the command lines of a document with the lines that they are in. A text that is only a part of a document
/// is read line by line.
pub(super) fn lines(text: &str, notation: Notation, keys: Keys) -> Vec<(usize, String)> {
    let document = match notation {
        Notation::Json => parse_json(text),
        Notation::Yaml => serde_yaml::from_str::<Value>(text).ok(),
        Notation::Toml => basic_toml::from_str::<Value>(text).ok(),
    };
    match document {
        Some(document @ (Value::Object(_) | Value::Array(_))) => {
            let mut found = Vec::new();
            collect(&document, &mut Vec::new(), keys, &mut found);
            found.into_iter().map(|line| (line_of(text, &line), line)).collect()
        }
        _ if notation == Notation::Json => scan_pairs(text, keys),
        _ => scan(text, keys),
    }
}

/// Returns the command lines of a part of a JSON document, by the keys alone: `"key": "value"`, several in a line.
fn scan_pairs(text: &str, keys: Keys) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut rest = line;
        let mut key = None;
        while let Some((literal, behind)) = next_string(rest) {
            let is_key = behind.trim_start().starts_with(':');
            match key.take().filter(|key: &String| !is_key && keys.may_end_with(key)) {
                Some(_) => found.push((at + 1, literal)),
                None => key = is_key.then_some(literal),
            }
            rest = behind;
        }
    }
    found
}

/// Returns the next string of JSON in a text, and what is behind it.
fn next_string(text: &str) -> Option<(String, &str)> {
    let start = text.find('"')?;
    let inside = text.get(start + 1..)?;
    let mut is_escaped = false;
    let end = inside.find(|character: char| {
        let ends = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        ends
    })?;
    let literal = text.get(start..start + end + 2)?;
    let value = serde_json::from_str(literal).unwrap_or_else(|_| inside.get(..end).unwrap_or_default().to_owned());
    Some((value, inside.get(end + 1..)?))
}

fn collect<'v>(value: &'v Value, path: &mut Vec<&'v str>, keys: Keys, found: &mut Vec<String>) {
    if path.len() > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) if keys.include(path) => found.push(text.clone()),
        Value::Array(items) if keys.is_argv && keys.include(path) => {
            let words: Vec<String> = items.iter().filter_map(Value::as_str).map(quote).collect();
            found.push(words.join(" "));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, path, keys, found)),
        Value::Object(entries) => {
            for (key, value) in entries {
                path.push(key);
                collect(value, path, keys, found);
                path.pop();
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl Keys {
    fn include(self, path: &[&str]) -> bool {
        self.paths.iter().any(|pattern| {
            let (pattern, is_anywhere) = pattern.strip_prefix("**/").map_or((*pattern, false), |rest| (rest, true));
            let parts: Vec<&str> = pattern.split('/').collect();
            let fits = parts.len() == path.len() || (is_anywhere && parts.len() < path.len());
            fits && parts.iter().rev().zip(path.iter().rev()).all(|(part, key)| is_part(part, key))
        })
    }

    /// Returns whether a key alone may be the last one of a path. A pattern for any key says too little for that.
    fn may_end_with(self, key: &str) -> bool {
        self.paths.iter().any(|pattern| {
            let last = pattern.rsplit('/').next().unwrap_or(pattern);
            last != "*" && is_part(last, key)
        })
    }
}

/// Reads JSON in which comments and commas at the end may be.
pub(super) fn parse_json(text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_comments(text))).ok()
}

/// Returns JSON without comments, and without commas in front of a closing bracket.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match (character, rest.peek()) {
            ('"', _) => {
                out.push('"');
                while let Some(inner) = rest.next() {
                    out.push(inner);
                    match inner {
                        '\\' => out.extend(rest.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while rest.next_if(|character| *character != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut before = ' ';
                for inner in rest.by_ref().skip(1) {
                    if (before, inner) == ('*', '/') {
                        break;
                    }
                    before = inner;
                }
            }
            ('}' | ']', _) => {
                let end = out.trim_end().len();
                if out.get(..end).is_some_and(|text| text.ends_with(',')) {
                    out.truncate(end - 1);
                }
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

/// Returns the command lines of a part of a document, by the keys alone.
fn scan(text: &str, keys: Keys) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let bare = line.trim_start().trim_start_matches("- ").trim_start();
        let Some((key, value)) = bare.split_once([':', '=']) else { continue };
        if !keys.may_end_with(key.trim().trim_matches(['"', '\''])) {
            continue;
        }
        let value = value.trim().trim_end_matches(',');
        if !matches!(value.trim_start_matches(['|', '>']), "" | "-" | "+") {
            found.push((at + 1, unquoted(value)));
            continue;
        }
        // A block of text, or a list below the key.
        let indent = line.len() - line.trim_start().len();
        while let Some((below, inner)) =
            lines.next_if(|(_, inner)| inner.trim().is_empty() || inner.len() - inner.trim_start().len() > indent)
        {
            found.push((below + 1, unquoted(inner.trim().trim_start_matches("- "))));
        }
    }
    found
}

fn unquoted(value: &str) -> String {
    if let Ok(text) = serde_json::from_str::<String>(value) {
        return text;
    }
    let inner = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
    inner.map_or_else(|| value.to_owned(), |inner| inner.replace("''", "'"))
}

/// Returns the line in which a command line begins, as far as its words show it.
pub(super) fn line_of(text: &str, line: &str) -> usize {
    let first = line.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    // Quotes are escaped in the document.
    let start = first.split(['"', '\\', '\'']).next().unwrap_or_default().trim_end();
    text.lines().position(|line| !start.is_empty() && line.contains(start)).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{Keys, Notation, lines};

    const RUN: Keys = Keys { paths: &["**/run"], is_argv: false };

    #[test]
    fn comments_and_trailing_commas_are_read() {
        let keys = Keys { paths: &["a"], is_argv: true };
        let text = "{\n // x\n \"a\": [\"b\", \"c d\",], /* y */\n}";
        assert_eq!(lines(text, Notation::Json, keys), [(3, "b 'c d'".to_owned())]);
    }

    #[test]
    fn keys_are_found_at_any_depth() {
        let text = "jobs:\n  a:\n    steps:\n      - run: ls\n      - run: |\n          pwd\n          id\n";
        assert_eq!(lines(text, Notation::Yaml, RUN), [(4, "ls".to_owned()), (6, "pwd\nid\n".to_owned())]);
    }

    #[test]
    fn a_part_is_read_by_line() {
        let text = "    x]: [\n    - run: 'it''s'\n      run: |\n        ls\n";
        assert_eq!(lines(text, Notation::Yaml, RUN), [(2, "it's".to_owned()), (4, "ls".to_owned())]);
    }
}
