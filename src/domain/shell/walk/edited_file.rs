//! What commands put into files whose lines a tool runs later: `npm pkg set`, `jq`, `yq`, `sed -i`.

use serde_json::{Map, Value, json};

use super::{Invocation, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::deferred::{deferred_lines, is_deferred_file};
use crate::domain::shell::script::{Dialect, Word};

/// The most keys in a path of an assignment.
const MAX_KEYS: usize = 16;

impl Walker {
    /// Walks what a tool runs later of the text that a command puts into a file.
    pub(super) fn walk_edited_files(&mut self, program: &str, call: &Invocation) {
        let (path, text) = match program {
            "npm" | "pnpm" | "yarn" | "bun" => {
                let Some(text) = package_settings(&call.words) else { return };
                ("package.json".to_owned(), vec![text])
            }
            "jq" | "gojq" | "jaq" | "yq" | "sed" | "gsed" | "perl" => {
                let operand = |word: &&Word| !word.text.starts_with('-') && is_deferred_file(&word.text);
                let Some(path) = call.words.iter().skip(1).rev().find(operand) else { return };
                let texts = match program {
                    "sed" | "gsed" | "perl" => replacements(&call.words),
                    _ => assignments(&call.words).into_iter().map(|document| document.to_string()).collect(),
                };
                (path.text.clone(), texts)
            }
            _ => return,
        };
        for text in text {
            self.walk_deferred_lines(&path, &deferred_lines(&path, &text));
        }
    }
}

/// Returns what a package runs by itself from now on: `npm pkg set scripts.postinstall=x`.
fn package_settings(words: &[Word]) -> Option<String> {
    let mut words = words.iter().skip(1).map(|word| word.text.as_str()).filter(|word| !word.starts_with('-'));
    let scripts: Map<String, Value> = match (words.next()?, words.next()?) {
        ("pkg", "set") => {
            let set = words.filter_map(|word| word.strip_prefix("scripts.")?.split_once('='));
            set.map(|(name, value)| (name.to_owned(), value.into())).collect()
        }
        ("set-script", name) => [(name.to_owned(), words.next()?.into())].into_iter().collect(),
        _ => return None,
    };
    Some(json!({ "scripts": scripts }).to_string())
}

/// Returns the documents that the assignments of a filter make: `.scripts.postinstall = "x"`, `.scripts += {…}`.
fn assignments(words: &[Word]) -> Vec<Value> {
    let arguments = arguments::parse(words, Dialect::Posix, &["--arg", "--argjson"]);
    let named = words.windows(3).filter(|three| three.first().is_some_and(|word| word.text == "--arg"));
    let named: Vec<(&str, &str)> =
        named.filter_map(|three| Some((three.get(1)?.text.as_str(), three.get(2)?.text.as_str()))).collect();
    let mut found = Vec::new();
    for filter in words.iter().skip(1).filter(|word| word.text.starts_with(['.', '(']) && word.text.contains('=')) {
        let text = filter.text.as_str();
        for (at, _) in text.match_indices('=') {
            let before = text.get(..at).unwrap_or_default().trim_end_matches(['|', '+', '*', '/']).trim_end();
            let behind = text.get(at + 1..).unwrap_or_default().trim_start();
            let Some(keys) = key_path(before) else { continue };
            let value = match behind.strip_prefix('$') {
                Some(name) => named.iter().find(|(known, _)| name.starts_with(known)).map(|(_, value)| (*value).into()),
                None => leading_value(behind.strip_prefix(". + ").unwrap_or(behind)),
            };
            let nest = |value: Value| keys.iter().rev().fold(value, |inner, key| json!({ key.as_str(): inner }));
            found.extend(value.map(nest));
        }
    }
    // A filter that is no word of the line is not known.
    if arguments.operands.is_empty() { Vec::new() } else { found }
}

/// Returns the keys of the path that a text ends in: `.a."b-c"[0].d`.
fn key_path(text: &str) -> Option<Vec<String>> {
    let is_part = |character: char| character.is_alphanumeric() || "_-.\"'[]$@:".contains(character);
    let start = text.rfind(|character| !is_part(character)).map_or(0, |at| at + 1);
    let path = text.get(start..)?.strip_prefix('.')?;
    let parts = path.split(['.', '[', ']', '"', '\'']).filter(|part| !part.is_empty());
    let keys: Vec<String> =
        parts.filter(|part| part.parse::<usize>().is_err()).map(ToOwned::to_owned).take(MAX_KEYS).collect();
    (!keys.is_empty()).then_some(keys)
}

/// Returns the string, the list or the object that a text begins with.
fn leading_value(text: &str) -> Option<Value> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next()?.ok().filter(|value| value.is_string() || value.is_object() || value.is_array())
}

/// Returns the texts that an editor of streams puts into a file in place: `s/x/text/`, `a text`, `$a text`.
fn replacements(words: &[Word]) -> Vec<String> {
    let in_place = words.iter().skip(1).any(|word| {
        let letters = word.text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        letters.is_some_and(|letters| letters.contains('i')) || word.text.starts_with("--in-place")
    });
    if !in_place {
        return Vec::new();
    }
    let mut found = Vec::new();
    for word in words.iter().skip(1).filter(|word| !word.text.starts_with('-') || word.text.starts_with("-e")) {
        let script = word.text.trim_start_matches("-e");
        // The address in front of a command: `/x/`, `3`, `$`.
        for (at, command) in script.char_indices().filter(|(_, character)| matches!(character, 's' | 'a' | 'i' | 'c')) {
            let before = script.get(..at).unwrap_or_default().trim_end();
            let is_start = before.is_empty()
                || before.ends_with(['/', ';', '{', '\n', '}', '$', ','])
                || before.ends_with(|c: char| c.is_ascii_digit());
            let behind = script.get(at + 1..).unwrap_or_default();
            match behind.chars().next().filter(|_| is_start) {
                Some(delimiter) if command == 's' && !delimiter.is_alphanumeric() && !delimiter.is_whitespace() => {
                    let mut parts =
                        split_at_delimiter(behind.get(delimiter.len_utf8()..).unwrap_or_default(), delimiter);
                    found.extend(parts.nth(1));
                    break;
                }
                Some('\\' | ' ') if command != 's' => {
                    let text = behind.trim_start_matches(['\\', '\n', ' ']);
                    found.push(text.replace("\\n", "\n"));
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

/// Returns the parts of a text between delimiters, with what is escaped in them.
fn split_at_delimiter(text: &str, delimiter: char) -> impl Iterator<Item = String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let Some(part) = parts.last_mut() else { break };
        match character {
            '\\' => match characters.next() {
                Some('n') => part.push('\n'),
                Some('t') => part.push('\t'),
                Some(escaped) if escaped == delimiter || matches!(escaped, '&' | '/' | '"') => part.push(escaped),
                Some(escaped) => part.extend(['\\', escaped]),
                None => {}
            },
            character if character == delimiter => parts.push(String::new()),
            character => part.push(character),
        }
    }
    parts.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{assignments, package_settings, replacements};
    use crate::domain::shell::script::Word;

    fn words(texts: &[&str]) -> Vec<Word> {
        texts.iter().map(|text| Word::known(*text)).collect()
    }

    #[test]
    fn assignments_of_a_filter_become_documents() {
        for (line, expected) in [
            (vec!["jq", ".scripts.postinstall=\"a b\"", "f"], vec![r#"{"scripts":{"postinstall":"a b"}}"#]),
            (vec!["jq", ".scripts[\"pre-x\"] |= \"y\"", "f"], vec![r#"{"scripts":{"pre-x":"y"}}"#]),
            (vec!["jq", ".scripts += {\"a\":\"b\"} | .x = 1", "f"], vec![r#"{"scripts":{"a":"b"}}"#]),
            (
                vec!["jq", "--arg", "c", "run it", ".scripts.prepare = $c", "f"],
                vec![r#"{"scripts":{"prepare":"run it"}}"#],
            ),
            (vec!["yq", "-i", ".jobs.a.steps[0].run = \"z\"", "f"], vec![r#"{"jobs":{"a":{"steps":{"run":"z"}}}}"#]),
            (vec!["jq", ".scripts | keys", "f"], vec![]),
            (vec!["jq", "select(.a == \"b\")", "f"], vec![]),
        ] {
            let found: Vec<String> = assignments(&words(&line)).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{line:?}");
        }
    }

    #[test]
    fn replacements_are_unescaped() {
        for (line, expected) in [
            (vec!["sed", "-i", r"s#a#b\/c#g", "f"], vec!["b/c"]),
            (vec!["sed", "-i", "-e", r"3s/a/x\ny/", "f"], vec!["x\ny"]),
            (vec!["sed", "-i", r"/a/a\  run: x", "f"], vec!["run: x"]),
            (vec!["sed", "-i.bak", "$a eval x", "f"], vec!["eval x"]),
            (vec!["perl", "-pi", "-e", "s|a|b|", "f"], vec!["b"]),
            (vec!["sed", "s/a/b/", "f"], vec![]),
        ] {
            assert_eq!(replacements(&words(&line)), expected, "{line:?}");
        }
    }

    #[test]
    fn scripts_are_set_by_package_managers() {
        for line in [vec!["npm", "pkg", "set", "scripts.prepare=x"], vec!["npm", "set-script", "prepare", "x"]] {
            assert_eq!(package_settings(&words(&line)).as_deref(), Some(r#"{"scripts":{"prepare":"x"}}"#));
        }
        assert_eq!(package_settings(&words(&["npm", "install"])), None);
    }
}
