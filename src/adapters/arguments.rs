//! What an argument of a tool that no table knows means, by its name.
//!
//! Tool servers name their arguments as they like; these are the names in use, and a policy may
//! add its own under `arguments:`. Where a name does not tell what is done with a file, every
//! access is assumed: a rule that protects it holds.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::domain::shell::{Access, Dialect};
use crate::domain::tool::{Accesses, Arguments, CommandText, NamedFile, Passage, ToolCall, name_words};

/// How deep arguments are looked into.
const MOST_DEPTH: usize = 8;

// Names are compared without case and separators: `filePath`, `file_path` and `FILEPATH` are one.
const COMMAND: &[&str] = &[
    "command",
    "cmd",
    "script",
    "shellcommand",
    "commands",
    "commandline",
    "cmdline",
    "argv",
    "program",
    "executable",
];
const ARGUMENTS: &[&str] = &["args", "arguments", "params", "parameters"];
const BASE: &[&str] = &["cwd", "workdir", "workingdir", "workingdirectory"];
const PATH: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filepath",
    "filepaths",
    "filename",
    "filenames",
    "absolutepath",
    "relativepath",
    "targetfile",
    "notebookpath",
    "dir",
    "directory",
    "dirpath",
    "folder",
    "source",
    "destination",
    "src",
    "dst",
    "dest",
    "sourcepath",
    "destinationpath",
    "oldpath",
    "newpath",
    "target",
    "localpath",
    "outputpath",
    "inputpath",
];
const URL: &[&str] = &["url", "urls", "uri", "uris", "endpoint", "href", "link", "address"];

/// The names in use, and those that a policy adds.
pub(super) struct Names<'p> {
    own: &'p Arguments,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Command,
    Path,
    Url,
    Content,
}

impl<'p> Names<'p> {
    pub(super) fn with(own: &'p Arguments) -> Self {
        Self { own }
    }

    fn meaning(&self, key: &str) -> Meaning {
        let plain = plain(key);
        let among =
            |own: &[String], known: &[&str]| own.iter().any(|name| name == key) || known.contains(&plain.as_str());
        if among(&self.own.command, COMMAND) {
            Meaning::Command
        } else if among(&self.own.path, PATH) {
            Meaning::Path
        } else if among(&self.own.url, URL) {
            Meaning::Url
        } else {
            Meaning::Content
        }
    }

    /// Adds to a call what its arguments seem to mean.
    pub(super) fn sniff(&self, call: &mut ToolCall<'_>) {
        let access = access_by_name(call.mcp.as_ref().map_or(call.name, |mcp| mcp.tool.as_ref()));
        self.walk(call.input, access, call, MOST_DEPTH);
    }

    fn walk<'a>(&self, entries: &'a Map<String, Value>, access: Accesses, call: &mut ToolCall<'a>, depth: usize) {
        let named = |names: &[&str]| {
            entries.iter().find(|(key, _)| names.contains(&plain(key).as_str())).map(|(_, value)| value)
        };
        let base = named(BASE).and_then(Value::as_str);
        for (key, value) in entries {
            match self.meaning(key) {
                Meaning::Command => {
                    let texts = command_texts(value, named(ARGUMENTS));
                    call.commands.extend(texts.into_iter().map(|text| shell_text(text, base)));
                    self.walk_inside(key, value, access, call, depth);
                }
                Meaning::Path => {
                    // A map of files has their paths for keys.
                    if let Value::Object(files) = value {
                        let paths = files.keys().map(|path| NamedFile::maybe_pattern(path, access));
                        call.files.extend(paths);
                    }
                    self.take(key, value, access, call, depth);
                }
                Meaning::Url | Meaning::Content => self.take(key, value, access, call, depth),
            }
        }
    }

    fn take<'a>(&self, key: &'a str, value: &'a Value, access: Accesses, call: &mut ToolCall<'a>, depth: usize) {
        match value {
            Value::String(text) => self.take_text(key, text, access, call),
            Value::Array(_) | Value::Object(_) => self.walk_inside(key, value, access, call, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn walk_inside<'a>(&self, key: &'a str, value: &'a Value, access: Accesses, call: &mut ToolCall<'a>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.take(key, item, access, call, depth)),
            Value::Object(entries) => self.walk(entries, access, call, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn take_text<'a>(&self, key: &'a str, text: &'a str, access: Accesses, call: &mut ToolCall<'a>) {
        let meaning = self.meaning(key);
        // A name that a policy counts as text is text besides; what it means otherwise stays.
        if meaning == Meaning::Content || self.own.content.iter().any(|name| name == key) {
            call.texts.push(Passage { text: Cow::Borrowed(text), origin: Cow::Borrowed(key) });
        }
        match meaning {
            Meaning::Path => call.files.push(NamedFile::maybe_pattern(text, access)),
            Meaning::Url if text.starts_with("file://") => {
                call.files.push(NamedFile::maybe_pattern(text, access));
            }
            Meaning::Url => call.urls.push(Cow::Borrowed(text)),
            Meaning::Command | Meaning::Content => {}
        }
    }
}

fn shell_text<'a>(text: Cow<'a, str>, base: Option<&'a str>) -> CommandText<'a> {
    CommandText { text, dialect: Dialect::Posix, base }
}

/// Returns a name without case and separators.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the shell texts that an argument may stand for: a text, with its separate arguments if there
/// are any; of a list, its words as one command, and each entry that is a line of its own.
fn command_texts<'a>(value: &'a Value, arguments: Option<&'a Value>) -> Vec<Cow<'a, str>> {
    let behind = arguments.map(words).filter(|words| !words.is_empty());
    match value {
        Value::String(text) => match behind {
            Some(words) => vec![Cow::Owned(format!("{text} {}", words.join(" ")))],
            None => vec![Cow::Borrowed(text)],
        },
        Value::Array(items) => {
            let line = words(value).join(" ");
            let lines = items.iter().filter_map(Value::as_str).filter(|item| item.contains(char::is_whitespace));
            let nested = items.iter().filter(|item| item.is_array()).flat_map(|item| command_texts(item, None));
            let behind = behind.map(|words| format!(" {}", words.join(" "))).unwrap_or_default();
            std::iter::once(Cow::Owned(line + &behind)).chain(lines.map(Cow::Borrowed)).chain(nested).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// Returns the words of a list, quoted for a shell, or a text as it is.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        other => other.as_array().into_iter().flatten().filter_map(Value::as_str).map(quote).collect(),
    }
}

fn quote(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./=:@%+,".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Returns what a tool seems to do with the files it is given.
fn access_by_name(tool: &str) -> Accesses {
    const WORDS: &[(&[&str], Accesses)] = &[
        (&["delete", "remove", "rm", "unlink", "trash", "destroy"], Accesses::of(&[Access::Delete])),
        (&["move", "rename", "mv"], Accesses::of(&[Access::Read, Access::Write, Access::Delete, Access::Move])),
        (&["copy", "cp", "sync"], Accesses::of(&[Access::Read, Access::Write])),
        (
            &[
                "write", "create", "edit", "update", "append", "insert", "patch", "put", "save", "set", "replace",
                "apply", "modify",
            ],
            Accesses::of(&[Access::Write]),
        ),
        (
            &[
                "read", "get", "list", "search", "view", "cat", "stat", "find", "show", "open", "grep", "glob", "tree",
                "info",
            ],
            Accesses::of(&[Access::Read]),
        ),
    ];
    let words = name_words(tool);
    WORDS
        .iter()
        .find(|(names, _)| words.iter().any(|word| names.contains(&word.as_str())))
        .map_or(Accesses::ANY, |(_, accesses)| *accesses)
}

#[cfg(test)]
mod tests {
    use super::{Access, Accesses, access_by_name, quote};

    #[test]
    fn names_tell_what_is_done_with_a_file() {
        for (tool, accesses) in [
            ("read_file", Accesses::of(&[Access::Read])),
            ("writeFile", Accesses::of(&[Access::Write])),
            ("fs.delete", Accesses::of(&[Access::Delete])),
            ("frobnicate", Accesses::ANY),
        ] {
            assert_eq!(access_by_name(tool), accesses, "{tool}");
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote("-x=1"), "-x=1");
    }
}
