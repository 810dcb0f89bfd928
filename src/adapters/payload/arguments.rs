//! Infers the roles of arguments of tools that are in no table, from the arguments' names.
//!
//! Tool servers name their arguments freely; these are common names, and a policy may add its own
//! under `arguments:`. Where a name does not show what is done with a file, every access is assumed:
//! a rule that protects the file holds.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{embedded, server_command};
use crate::domain::event::strings::MIN_KEY_TEXT;
use crate::domain::event::tool::{Accesses, ArgumentNames, CommandText, NamedFile, TextSegment, ToolCall, name_words};
use crate::domain::shell::{Access, Dialect, quote};

/// The depth to which arguments are inspected.
const MAX_DEPTH: usize = 8;

// Names are compared without case and separators: `filePath`, `file_path` and `FILEPATH` are equal.
const COMMAND_NAMES: &[&str] = &[
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
    "exec",
    "cli",
    "commandtext",
    "shellscript",
    "clicommand",
    "shellcmd",
    "bashcommand",
    "fullcommand",
    "commandtoexecute",
];
const CODE_NAMES: &[&str] = &[
    "code",
    "sourcecode",
    "snippet",
    "codesnippet",
    "cellsource",
    "source",
    "script",
    "js",
    "javascript",
    "python",
    "expression",
];
/// Names of arguments that a running terminal or interpreter reads.
const INPUT_NAMES: &[&str] = &["input", "keys", "text", "data", "keystrokes"];
/// Words in the names of tools that type into a terminal.
const TERMINAL_WORDS: &[&str] = &["terminal", "process", "tmux", "pane", "session", "keys", "iterm", "pty", "repl"];
const TYPING_WORDS: &[&str] = &["send", "write", "interact", "input", "type"];
const ARGUMENT_LIST_NAMES: &[&str] = &["args", "arguments", "params", "parameters"];
const WORKING_DIR_NAMES: &[&str] = &["cwd", "workdir", "workingdir", "workingdirectory"];
const PATH_NAMES: &[&str] = &[
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
    "attachments",
    "attachmentpaths",
];
const URL_NAMES: &[&str] = &["url", "urls", "uri", "uris", "endpoint", "href", "link", "address", "loc"];

/// The common names, and those that a policy adds.
pub(super) struct ArgumentSniffer<'p> {
    custom: &'p ArgumentNames,
}

/// The roles of arguments, as far as they are inferred.
#[derive(Default)]
struct Roles<'a> {
    commands: Vec<CommandText<'a>>,
    files: Vec<NamedFile<'a>>,
    texts: Vec<TextSegment<'a>>,
    urls: Vec<Cow<'a, str>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    Command,
    Path,
    Url,
    Content,
}

impl<'p> ArgumentSniffer<'p> {
    pub(in crate::adapters) fn new(custom: &'p ArgumentNames) -> Self {
        Self { custom }
    }

    fn classify(&self, key: &str) -> ArgumentKind {
        let plain = normalized_name(key);
        let among =
            |own: &[String], known: &[&str]| own.iter().any(|name| name == key) || known.contains(&plain.as_str());
        if among(&self.custom.command, COMMAND_NAMES) {
            ArgumentKind::Command
        } else if among(&self.custom.path, PATH_NAMES) {
            ArgumentKind::Path
        } else if among(&self.custom.url, URL_NAMES) {
            ArgumentKind::Url
        } else {
            ArgumentKind::Content
        }
    }

    /// Adds the inferred roles of a call's arguments to the call.
    pub(in crate::adapters) fn infer(&self, call: &mut ToolCall<'_>) {
        let tool = call.mcp.as_ref().map_or(call.name, |mcp| mcp.tool.as_ref());
        let mut roles = Roles::default();
        let server = call.mcp.as_ref().map_or("", |mcp| mcp.server.as_ref());
        if let Some(line) = server_command::command_line(server, tool, call.input) {
            let base = ["path", "repo_path", "directory", "cwd", "dir"];
            let base = base.iter().find_map(|name| call.input.get(*name)?.as_str());
            roles.commands.push(command_text(Cow::Owned(line), base));
            // The path is where the program works, and what it does there is its command.
            self.walk(call.input, (&format!("{server} {tool}"), Accesses::of(&[Access::Read])), &mut roles, MAX_DEPTH);
            roles.files.clear();
        } else {
            self.walk(call.input, (&format!("{server} {tool}"), infer_access(tool)), &mut roles, MAX_DEPTH);
        }
        call.commands.extend(roles.commands);
        call.files.extend(roles.files);
        call.texts.extend(roles.texts);
        call.urls.extend(roles.urls);
    }

    fn walk<'a>(&self, entries: &'a Map<String, Value>, tool: (&str, Accesses), roles: &mut Roles<'a>, depth: usize) {
        let named = |names: &[&str]| {
            entries.iter().find(|(key, _)| names.contains(&normalized_name(key).as_str())).map(|(_, value)| value)
        };
        let base = named(WORKING_DIR_NAMES).and_then(Value::as_str);
        for (key, value) in entries {
            if key.len() >= MIN_KEY_TEXT {
                roles.texts.push(TextSegment { text: Cow::Borrowed(key), origin: Cow::Borrowed("key") });
            }
            let name = normalized_name(key);
            let code = value.as_str().filter(|_| CODE_NAMES.contains(&name.as_str()));
            let code = code.and_then(|code| embedded::code_command(tool.0, entries, code));
            let is_code = code.is_some();
            roles.commands.extend(code.map(|line| command_text(Cow::Owned(line), base)));
            if let (Value::String(text), true) = (value, INPUT_NAMES.contains(&name.as_str()) && is_typing(tool.0)) {
                roles.commands.push(command_text(Cow::Owned(embedded::typed_command(text)), base));
            }
            match self.classify(key) {
                ArgumentKind::Command if is_code || embedded::is_page_script(tool.0) => {
                    roles.texts.extend(
                        value
                            .as_str()
                            .map(|text| TextSegment { text: Cow::Borrowed(text), origin: Cow::Borrowed(key) }),
                    );
                }
                ArgumentKind::Command => {
                    let texts = command_texts(value, named(ARGUMENT_LIST_NAMES));
                    let dialect = embedded::dialect(tool.0, entries);
                    roles.commands.extend(texts.into_iter().map(|text| CommandText { text, dialect, base }));
                    self.walk_nested(key, value, tool, roles, depth);
                }
                ArgumentKind::Path => {
                    // A map of files has their paths as keys.
                    if let Value::Object(files) = value {
                        let paths = files.keys().map(|path| NamedFile::from_possible_glob(path, tool.1));
                        roles.files.extend(paths);
                    }
                    self.apply(key, value, tool, roles, depth);
                }
                ArgumentKind::Url | ArgumentKind::Content => self.apply(key, value, tool, roles, depth),
            }
        }
    }

    fn apply<'a>(&self, key: &'a str, value: &'a Value, tool: (&str, Accesses), roles: &mut Roles<'a>, depth: usize) {
        match value {
            Value::String(text) => {
                self.apply_text(key, text, tool.1, roles);
                self.apply_json(key, text, tool, roles, depth);
            }
            Value::Array(_) | Value::Object(_) => self.walk_nested(key, value, tool, roles, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn walk_nested<'a>(
        &self,
        key: &'a str,
        value: &'a Value,
        tool: (&str, Accesses),
        roles: &mut Roles<'a>,
        depth: usize,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.apply(key, item, tool, roles, depth)),
            Value::Object(entries) => self.walk(entries, tool, roles, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Adds the roles of arguments that are JSON in a text.
    fn apply_json(&self, key: &str, text: &str, tool: (&str, Accesses), roles: &mut Roles<'_>, depth: usize) {
        let name = normalized_name(key);
        let is_own_text = self.custom.content.iter().any(|own| own == key);
        let Some(value) = embedded::parse_json_text(&name, text).filter(|_| !is_own_text) else { return };
        let mut inner = Roles::default();
        if let (ArgumentKind::Command, Value::Array(_)) = (self.classify(key), &value) {
            inner.commands.extend(command_texts(&value, None).into_iter().map(|text| command_text(text, None)));
        }
        self.walk_nested(key, &value, tool, &mut inner, depth);
        roles.extend_owned(inner);
    }

    fn apply_text<'a>(&self, key: &'a str, text: &'a str, access: Accesses, roles: &mut Roles<'a>) {
        let meaning = self.classify(key);
        // A name that a policy counts as text is text in addition to its other meaning.
        if meaning == ArgumentKind::Content || self.custom.content.iter().any(|name| name == key) {
            roles.texts.push(TextSegment { text: Cow::Borrowed(text), origin: Cow::Borrowed(key) });
        }
        match (meaning, embedded::file_of_address(text)) {
            (ArgumentKind::Path | ArgumentKind::Url, Some(path)) => {
                let is_glob = path.contains(['*', '?', '[', '{']);
                roles.files.push(NamedFile { path: Cow::Owned(path), access, is_glob });
            }
            (ArgumentKind::Path, None) => roles.files.push(NamedFile::from_possible_glob(text, access)),
            (ArgumentKind::Url, None) if embedded::is_path(text) => {
                roles.files.push(NamedFile::from_possible_glob(text, access));
            }
            (ArgumentKind::Url, None) => roles.urls.push(Cow::Borrowed(text)),
            (ArgumentKind::Command | ArgumentKind::Content, _) => {}
        }
    }
}

impl Roles<'_> {
    /// Adds the roles of arguments that do not live as long.
    fn extend_owned(&mut self, other: Roles<'_>) {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        self.commands.extend(other.commands.into_iter().map(|command| {
            // The directory is kept as a part of the text.
            let text = match command.base {
                Some(base) => format!("cd {} && {}", quote(base), command.text),
                None => command.text.into_owned(),
            };
            CommandText { text: Cow::Owned(text), dialect: command.dialect, base: None }
        }));
        self.files.extend(other.files.into_iter().map(|file| NamedFile {
            path: own(file.path),
            access: file.access,
            is_glob: file.is_glob,
        }));
        self.texts
            .extend(other.texts.into_iter().map(|text| TextSegment { text: own(text.text), origin: own(text.origin) }));
        self.urls.extend(other.urls.into_iter().map(own));
    }
}

fn command_text<'a>(text: Cow<'a, str>, base: Option<&'a str>) -> CommandText<'a> {
    CommandText { text, dialect: Dialect::Posix, base }
}

/// Returns a name without case and separators.
pub(super) fn normalized_name(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the shell texts that an argument may mean: a text, with its separate arguments if any; for a
/// list, its words as one command, and each entry that is a command line itself.
fn command_texts<'a>(value: &'a Value, arguments: Option<&'a Value>) -> Vec<Cow<'a, str>> {
    let behind = arguments.map(quoted_words).filter(|words| !words.is_empty());
    match value {
        Value::String(text) => match behind {
            Some(words) => vec![Cow::Owned(format!("{text} {}", words.join(" ")))],
            None => vec![Cow::Borrowed(text)],
        },
        Value::Array(items) => {
            let line = quoted_words(value).join(" ");
            let lines = items.iter().filter_map(Value::as_str).filter(|item| item.contains(char::is_whitespace));
            let nested = items.iter().filter(|item| item.is_array()).flat_map(|item| command_texts(item, None));
            let behind = behind.map(|words| format!(" {}", words.join(" "))).unwrap_or_default();
            std::iter::once(Cow::Owned(line + &behind)).chain(lines.map(Cow::Borrowed)).chain(nested).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// Returns the words of a list, quoted for a shell, or a text as it is.
fn quoted_words(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        other => other.as_array().into_iter().flatten().filter_map(Value::as_str).map(quote).collect(),
    }
}

/// Returns whether a tool types into a running terminal or interpreter.
fn is_typing(tool: &str) -> bool {
    let words = name_words(tool);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    has(TERMINAL_WORDS) && has(TYPING_WORDS)
}

/// Accesses of a tool whose name does not tell. One that deletes or moves says so.
const UNKNOWN_ACCESS: Accesses =
    Accesses::of(&[Access::Read, Access::Write, Access::Mode, Access::Link, Access::Execute]);

/// Infers from a tool's name how it accesses its files.
fn infer_access(tool: &str) -> Accesses {
    const WORDS: &[(&[&str], Accesses)] = &[
        (
            &[
                "delete", "remove", "rm", "rmdir", "unlink", "trash", "destroy", "erase", "wipe", "purge", "clean",
                "clear", "prune", "nuke", "discard", "del", "shred",
            ],
            Accesses::of(&[Access::Delete]),
        ),
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
        .map_or(UNKNOWN_ACCESS, |(_, accesses)| *accesses)
}

#[cfg(test)]
mod tests {
    use super::{Access, Accesses, infer_access};

    #[test]
    fn names_tell_what_is_done_with_a_file() {
        for (tool, accesses) in [
            ("read_file", Accesses::of(&[Access::Read])),
            ("writeFile", Accesses::of(&[Access::Write])),
            ("fs.delete", Accesses::of(&[Access::Delete])),
            ("frobnicate", super::UNKNOWN_ACCESS),
        ] {
            assert_eq!(infer_access(tool), accesses, "{tool}");
        }
    }
}
