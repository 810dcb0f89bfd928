//! What functions and methods of other languages return, where that matters: paths, texts, modules.

use super::Language;
use super::table::{CALLS, MODULES, Meaning, Scope};
use super::value::{Value, formatted, joined, split};
use crate::domain::shell::decode;
use crate::domain::shell::script::Word;

/// What stands for the module of a method on what a call returned: `f().rm`.
pub(super) const RETURNED: &str = "()";

/// The functions that return their first argument, for what is looked at here.
const SAME: &[&str] = &[
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
const SAME_METHODS: &[&str] = &[
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
pub(super) fn meaning(path: &str, language: Language) -> Option<Meaning> {
    let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
    let module = module.rsplit('.').next().unwrap_or(module);
    let row = CALLS.iter().find(|row| row.name == name)?;
    // In Python these run Python and not a shell.
    if language == Language::Python && module.is_empty() && matches!(name, "exec" | "eval") {
        return Some(Meaning::Code);
    }
    let known = match row.scope {
        Scope::Any => true,
        Scope::Module if module == RETURNED => matches!(name, "exec" | "spawn" | "rm"),
        Scope::Module => module.is_empty() || MODULES.contains(&module),
    };
    known.then_some(row.meaning)
}

/// Returns what a function returns, nothing when that is not known.
pub(super) fn returned(path: &str, arguments: &[Value]) -> Option<Value> {
    let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
    let module = module.rsplit('.').next().unwrap_or(module);
    let first = arguments.first();
    let known = first.and_then(Value::known);
    Some(match name {
        "Path" | "PosixPath" | "PurePath" | "Pathname" => path_of(arguments),
        "join" | "resolve" | "joinpath" if matches!(module, "path" | "posix" | "File" | "" | "posixpath") => {
            path_of(arguments)
        }
        "home" | "homedir" | "userInfo" => Value::Path(Word::known("~")),
        "cwd" | "getcwd" | "pwd" => Value::Path(Word::known(".")),
        "getenv" | "get" | "fetch" if name == "getenv" || matches!(module, "environ" | "env" | "ENV") => {
            variable(known?).or_else(|| arguments.get(1).cloned())?
        }
        "glob" | "iglob" | "globSync" | "sync" => Value::Text(Word { glob: true, ..first?.as_word()?.clone() }),
        "split" | "shellsplit" => split(arguments.iter().find_map(Value::as_word)?, None),
        "require" | "__import__" | "import_module" | "import" => {
            let module = known?.trim_start_matches("node:");
            Value::Name(module.trim_end_matches("/promises").to_owned())
        }
        "getattr" => match (first?, arguments.get(1)?.known()?) {
            (Value::Name(module), name) => Value::Name(format!("{module}.{name}")),
            _ => return None,
        },
        "b64decode" | "atob" | "decode_base64" | "base64_decode" | "decode64" | "standard_b64decode"
        | "urlsafe_b64decode" | "strict_decode64" => Value::text(decode::base64_text(known?)?),
        "fromhex" | "unhexlify" | "hex2bin" => Value::text(decode::hexadecimal(known?)?),
        "from" if module == "Buffer" => match arguments.get(1).and_then(Value::known) {
            Some("base64" | "base64url") => Value::text(decode::base64_text(known?)?),
            Some("hex") => Value::text(decode::hexadecimal(known?)?),
            _ => first?.clone(),
        },
        "strrev" => Value::text(decode::reversed(known?)),
        "sprintf" | "format" => {
            let values: Vec<Word> = arguments.iter().skip(1).map(Value::word).collect();
            formatted(first?.as_word()?, &values)
        }
        "implode" => match (known?, arguments.get(1)?) {
            (separator, Value::List(words)) => joined(words, separator),
            _ => return None,
        },
        _ if SAME.contains(&name) => first?.clone(),
        _ => return None,
    })
}

/// Returns what a method of a text or a list returns, nothing when that is not known.
pub(super) fn method(value: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
    let first = arguments.first();
    if SAME_METHODS.contains(&name) {
        return Some(value.clone());
    }
    match (value, name) {
        (Value::Text(word) | Value::Path(word), "split" | "shellsplit") => {
            Some(split(word, first.and_then(Value::known)))
        }
        (Value::Text(word), "format") => Some(formatted(word, &arguments.iter().map(Value::word).collect::<Vec<_>>())),
        (Value::Text(word), "join") => match first? {
            Value::List(words) => Some(joined(words, &word.text)),
            _ => None,
        },
        (Value::List(words), "join") => Some(joined(words, first.and_then(Value::known).unwrap_or_default())),
        (Value::List(words), "concat") => Some(Value::List(words.clone()).followed(first?)),
        (Value::Text(_), "concat") => Some(value.clone().followed(first?)),
        (Value::Path(_), "joinpath" | "join" | "glob" | "rglob") => {
            Some(arguments.iter().fold(value.clone(), |path, name| {
                let mut below = path.below(name);
                if let Value::Path(word) = &mut below {
                    word.glob |= word.text.contains('*');
                }
                below
            }))
        }
        (Value::Path(_), "iterdir" | "children") => {
            Some(value.below(&Value::Text(Word { glob: true, ..Word::known("*") })))
        }
        (Value::Text(_), "lower" | "toLowerCase" | "downcase") => Some(Value::text(value.known()?.to_lowercase())),
        (Value::Text(_), "upper" | "toUpperCase" | "upcase") => Some(Value::text(value.known()?.to_uppercase())),
        (Value::Text(_), "reverse") => Some(Value::text(decode::reversed(value.known()?))),
        (Value::Text(_), "replace" | "replaceAll" | "gsub" | "sub") => {
            let (from, to) = (first?.known()?, arguments.get(1)?.known()?);
            let text = value.known()?;
            (!from.is_empty() && text.len() < 4096 && to.len() < 256).then(|| Value::text(text.replace(from, to)))
        }
        _ => None,
    }
}

/// Returns what a method does to the file that a path names.
pub(super) fn path_method(name: &str, arguments: &[Value]) -> Option<Meaning> {
    Some(match name {
        "read_text" | "read_bytes" | "read" | "readlines" => Meaning::Read,
        "write_text" | "write_bytes" | "touch" | "write" | "mkdir" | "symlink_to" => Meaning::Write,
        "chmod" => Meaning::Mode,
        "unlink" | "rmdir" | "rmtree" | "delete" => Meaning::Delete,
        "rename" | "replace" => Meaning::Move,
        "open" => match arguments.first().and_then(Value::known) {
            Some(mode) if mode.contains(['w', 'a', 'x', '+']) => Meaning::Write,
            _ => Meaning::Read,
        },
        _ => return None,
    })
}

/// Returns what an element is, by the name of what holds it.
pub(super) fn element(path: &str, key: &str) -> Option<Value> {
    let last = path.rsplit('.').next().unwrap_or(path);
    match last {
        "environ" | "env" | "ENV" | "_ENV" | "_SERVER" => variable(key),
        _ => None,
    }
}

/// Returns the value of a variable of the environment that paths are told by.
fn variable(name: &str) -> Option<Value> {
    match name {
        "HOME" | "USERPROFILE" => Some(Value::Text(Word::known("~"))),
        "PWD" => Some(Value::Text(Word::known("."))),
        _ => None,
    }
}

fn path_of(arguments: &[Value]) -> Value {
    let mut parts = arguments.iter();
    let Some(first) = parts.next() else { return Value::Path(Word::known(".")) };
    let start = Value::Path(first.word());
    parts.fold(start, |path, part| path.below(part))
}
