//! The return values of functions and methods of other languages, where they matter: paths, texts, modules.

use super::Language;
use super::function_table::{CallKind, FUNCTIONS, MODULES, NameScope};
use super::value::{Value, format_values, join_words, split_words};
use crate::domain::shell::decode;
use crate::domain::shell::script::Word;

/// What represents the module of a method on what a call returned: `f().rm`.
pub(super) const CALL_RESULT: &str = "()";

/// The functions that return their first argument, as far as it matters here.
const IDENTITY_FUNCTIONS: &[&str] = &[
    "expanduser",
    "expandvars",
    "expand_path",
    "abspath",
    "realpath",
    "normpath",
    "resolve",
    "normalize",
    "fspath",
    "str",
    "String",
    "quote",
    "list",
    "tuple",
    "sorted",
    "set",
    "from",
    "bytes",
    "realpathSync",
    "escapeshellarg",
    "escapeshellcmd",
    "Array",
    "absolute_path",
    "to_s",
];

/// The methods that return what they are called on.
const IDENTITY_METHODS: &[&str] = &[
    "expanduser",
    "resolve",
    "absolute",
    "strip",
    "trim",
    "chomp",
    "toString",
    "decode",
    "encode",
    "to_s",
    "as_posix",
    "rstrip",
    "lstrip",
    "trimEnd",
    "trimStart",
    "expand_path",
    "realpath",
    "normalize",
    "valueOf",
    "to_a",
    "to_str",
];

/// Returns what a call by this name does, if it is one of those that count.
pub(super) fn call_kind(path: &str, language: Language) -> Option<CallKind> {
    let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
    let module = module.rsplit('.').next().unwrap_or(module);
    let row = FUNCTIONS.iter().find(|row| row.name == name)?;
    // In Python these run Python and not a shell.
    if language == Language::Python && module.is_empty() && matches!(name, "exec" | "eval") {
        return Some(CallKind::Code);
    }
    let known = match row.scope {
        NameScope::Any => true,
        NameScope::Module if module == CALL_RESULT => matches!(name, "exec" | "spawn" | "rm"),
        NameScope::Module => module.is_empty() || MODULES.contains(&module),
    };
    known.then_some(row.kind)
}

/// Returns what a function returns, or nothing when that is unknown.
pub(super) fn return_value(path: &str, arguments: &[Value]) -> Option<Value> {
    let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
    let module = module.rsplit('.').next().unwrap_or(module);
    let first = arguments.first();
    let known = first.and_then(Value::as_known_str);
    Some(match name {
        "Path" | "PosixPath" | "PurePath" | "Pathname" => join_arguments(arguments),
        "join" | "resolve" | "joinpath" if matches!(module, "path" | "posix" | "File" | "" | "posixpath") => {
            join_arguments(arguments)
        }
        "home" | "homedir" | "userInfo" => Value::Path(Word::known("~")),
        "cwd" | "getcwd" | "pwd" => Value::Path(Word::known(".")),
        "getenv" | "get" | "fetch" if name == "getenv" || matches!(module, "environ" | "env" | "ENV") => {
            environment_value(known?).or_else(|| arguments.get(1).cloned())?
        }
        "glob" | "iglob" | "globSync" | "sync" => Value::Text(Word { glob: true, ..first?.as_word()?.clone() }),
        "split" | "shellsplit" => split_words(arguments.iter().find_map(Value::as_word)?, None),
        "require" | "__import__" | "import_module" | "import" => {
            let module = known?.trim_start_matches("node:");
            Value::Name(module.trim_end_matches("/promises").to_owned())
        }
        "getattr" => match (first?, arguments.get(1)?.as_known_str()?) {
            (Value::Name(module), name) => Value::Name(format!("{module}.{name}")),
            _ => return None,
        },
        "b64decode" | "atob" | "decode_base64" | "base64_decode" | "decode64" | "standard_b64decode"
        | "urlsafe_b64decode" | "strict_decode64" => Value::text(decode::decode_base64_text(known?)?),
        "fromhex" | "unhexlify" | "hex2bin" => Value::text(decode::decode_hex(known?)?),
        "from" if module == "Buffer" => match arguments.get(1).and_then(Value::as_known_str) {
            Some("base64" | "base64url") => Value::text(decode::decode_base64_text(known?)?),
            Some("hex") => Value::text(decode::decode_hex(known?)?),
            _ => first?.clone(),
        },
        "strrev" => Value::text(decode::reverse_lines(known?)),
        "sprintf" | "format" => {
            let values: Vec<Word> = arguments.iter().skip(1).map(Value::to_word).collect();
            format_values(first?.as_word()?, &values)
        }
        "implode" => match (known?, arguments.get(1)?) {
            (separator, Value::List(words)) => join_words(words, separator),
            _ => return None,
        },
        _ if IDENTITY_FUNCTIONS.contains(&name) => first?.clone(),
        _ => return None,
    })
}

/// Returns what a method of a text or a list returns, or nothing when that is unknown.
pub(super) fn method_value(value: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
    let first = arguments.first();
    if IDENTITY_METHODS.contains(&name) {
        return Some(value.clone());
    }
    match (value, name) {
        (Value::Text(word) | Value::Path(word), "split" | "shellsplit") => {
            Some(split_words(word, first.and_then(Value::as_known_str)))
        }
        (Value::Text(word), "format") => {
            Some(format_values(word, &arguments.iter().map(Value::to_word).collect::<Vec<_>>()))
        }
        (Value::Text(word), "join") => match first? {
            Value::List(words) => Some(join_words(words, &word.text)),
            _ => None,
        },
        (Value::List(words), "join") => {
            Some(join_words(words, first.and_then(Value::as_known_str).unwrap_or_default()))
        }
        (Value::List(words), "concat") => Some(Value::List(words.clone()).concat(first?)),
        (Value::Text(_), "concat") => Some(value.clone().concat(first?)),
        (Value::Path(_), "joinpath" | "join" | "glob" | "rglob") => {
            Some(arguments.iter().fold(value.clone(), |path, name| {
                let mut below = path.join_path(name);
                if let Value::Path(word) = &mut below {
                    word.glob |= word.text.contains('*');
                }
                below
            }))
        }
        (Value::Path(_), "iterdir" | "children") => {
            Some(value.join_path(&Value::Text(Word { glob: true, ..Word::known("*") })))
        }
        (Value::Text(_), "lower" | "toLowerCase" | "downcase") => {
            Some(Value::text(value.as_known_str()?.to_lowercase()))
        }
        (Value::Text(_), "upper" | "toUpperCase" | "upcase") => Some(Value::text(value.as_known_str()?.to_uppercase())),
        (Value::Text(_), "reverse") => Some(Value::text(decode::reverse_lines(value.as_known_str()?))),
        (Value::Text(_), "replace" | "replaceAll" | "gsub" | "sub") => {
            let (from, to) = (first?.as_known_str()?, arguments.get(1)?.as_known_str()?);
            let text = value.as_known_str()?;
            (!from.is_empty() && text.len() < 4096 && to.len() < 256).then(|| Value::text(text.replace(from, to)))
        }
        _ => None,
    }
}

/// Returns what a method does to the file that a path names.
pub(super) fn path_method_kind(name: &str, arguments: &[Value]) -> Option<CallKind> {
    Some(match name {
        "read_text" | "read_bytes" | "read" | "readlines" => CallKind::Read,
        "write_text" | "write_bytes" | "touch" | "write" | "mkdir" | "symlink_to" => CallKind::Write,
        "chmod" => CallKind::Mode,
        "unlink" | "rmdir" | "rmtree" | "delete" => CallKind::Delete,
        "rename" | "replace" => CallKind::Move,
        "open" => match arguments.first().and_then(Value::as_known_str) {
            Some(mode) if mode.contains(['w', 'a', 'x', '+']) => CallKind::Write,
            _ => CallKind::Read,
        },
        _ => return None,
    })
}

/// Returns what an element is, by the name of what holds it.
pub(super) fn element_value(path: &str, key: &str) -> Option<Value> {
    let last = path.rsplit('.').next().unwrap_or(path);
    match last {
        "environ" | "env" | "ENV" | "ENVIRON" | "_ENV" | "_SERVER" => environment_value(key),
        "sys" if key == "executable" => Some(Value::text("python3")),
        "process" if key == "execPath" => Some(Value::text("node")),
        _ => None,
    }
}

/// Returns the value of a variable of the environment that paths are written with.
fn environment_value(name: &str) -> Option<Value> {
    match name {
        "HOME" | "USERPROFILE" => Some(Value::Text(Word::known("~"))),
        "PWD" => Some(Value::Text(Word::known("."))),
        _ => None,
    }
}

fn join_arguments(arguments: &[Value]) -> Value {
    let mut parts = arguments.iter();
    let Some(first) = parts.next() else { return Value::Path(Word::known(".")) };
    let start = Value::Path(first.to_word());
    parts.fold(start, |path, part| path.join_path(part))
}
