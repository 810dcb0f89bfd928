//! Members of .NET: methods and properties of types and of objects.
//!
//! What they do to files, processes and the network is listed as the command that does the same.

use super::Reader;
use super::operator;
use super::strings::quoted_word;
use super::value::Value;
use crate::domain::shell::decode;
use crate::domain::shell::script::{OpaqueReason, Word};

/// The beginning of bytes that were decoded, which are kept in the form in which they were written.
const BYTES: &str = "base64:";

impl Reader<'_> {
    /// Returns the value of a method of a type, and lists what it does.
    pub(super) fn call_static(&mut self, kind: &str, member: &str, arguments: &[Value], start: usize) -> Value {
        let method = member.to_ascii_lowercase();
        let kind = kind.rsplit_once("threading.").map_or(kind, |(_, name)| name);
        match kind {
            "io.file" | "io.directory" | "io.fileinfo" | "io.directoryinfo" => {
                return self.call_file_method(kind.contains("directory"), &method, arguments, start);
            }
            "io.path" => return path_method(&method, arguments),
            "environment" => return self.call_environment(&method, arguments, start),
            "diagnostics.process" if method == "start" => self.emit_with("Start-Process", &[], arguments, start),
            "scriptblock" if method == "create" => self.emit_code(arguments, start),
            "powershell" if method == "create" => return Value::unknown("$([powershell])"),
            "convert" if method == "frombase64string" => return bytes(arguments.first()),
            "reflection.assembly" | "appdomain" if method == "load" => {
                let origin = arguments.iter().find_map(|value| value.origin);
                if origin.is_some() {
                    self.emit_code(arguments, start);
                }
            }
            "string" if method == "join" => {
                let mut parts = Value::default();
                for value in arguments.iter().skip(1) {
                    parts.extend(value.clone());
                }
                let separator = arguments.first().and_then(Value::text).unwrap_or_default();
                return Value::of(parts.join(separator)).with_origin(parts.origin);
            }
            "string" if method == "concat" => {
                let mut parts = Value::default();
                for value in arguments {
                    parts.append(value);
                }
                return parts;
            }
            "string" if method == "format" => {
                let mut parts = Value::default();
                for value in arguments.iter().skip(1) {
                    parts.extend(value.clone());
                }
                return arguments
                    .first()
                    .map_or_else(Value::output, |first| Value::of(operator::format(first, &parts)));
            }
            "regex" if method == "unescape" => return arguments.first().cloned().unwrap_or_default(),
            _ => {}
        }
        let mut value = Value::output();
        value.origin = arguments.iter().find_map(|argument| argument.origin);
        value
    }

    fn call_file_method(&mut self, is_directory: bool, method: &str, arguments: &[Value], start: usize) -> Value {
        let path = arguments.first().cloned().unwrap_or_default();
        let is_recursive = arguments.get(1).and_then(Value::text) == Some("$true");
        match method {
            "delete" if is_directory && is_recursive => {
                self.emit_with("Remove-Item", &["-Recurse", "-Force", "-LiteralPath"], &[path], start);
            }
            "delete" => self.emit_with("Remove-Item", &["-LiteralPath"], &[path], start),
            "copy" => self.emit_with("Copy-Item", &[], arguments.get(..2).unwrap_or(arguments), start),
            "move" | "replace" => self.emit_with("Move-Item", &[], arguments.get(..2).unwrap_or(arguments), start),
            "createdirectory" => self.emit_with("New-Item", &["-ItemType", "Directory", "-Path"], &[path], start),
            "getfiles" | "enumeratefiles" | "getdirectories" | "getfilesystementries" => {
                let mut found = path;
                found.append(
                    &arguments
                        .get(1)
                        .cloned()
                        .unwrap_or_else(|| Value::known("*"))
                        .map(|name| Some(format!("/{name}"))),
                );
                found.words.iter_mut().for_each(|word| word.glob = true);
                return found;
            }
            _ if method.starts_with("append") => {
                self.emit_with("Add-Content", &["-Path"], arguments.get(..2).unwrap_or(arguments), start);
            }
            _ if method.starts_with("write") || method.starts_with("create") || method.starts_with("openwrite") => {
                self.emit_with("Set-Content", &["-Path"], arguments.get(..2).unwrap_or(arguments), start);
            }
            _ if method.starts_with("read") || method.starts_with("open") => {
                self.emit_with("Get-Content", &["-Path"], &[path], start);
            }
            _ => {}
        }
        Value::output()
    }

    fn call_environment(&mut self, method: &str, arguments: &[Value], start: usize) -> Value {
        let name = arguments.first().and_then(Value::text).unwrap_or_default().to_lowercase();
        match method {
            "getenvironmentvariable" => self.value_of(&format!("env:{name}")),
            "getenvironmentvariables" => {
                self.emit_with("Get-ChildItem", &["env:"], &[], start);
                Value::output()
            }
            "setenvironmentvariable" => {
                self.emit_with("setx", &[], arguments, start);
                Value::default()
            }
            "getfolderpath" => match name.as_str() {
                "userprofile" => Value::known("~"),
                "applicationdata" => Value::known("~/AppData/Roaming"),
                "localapplicationdata" => Value::known("~/AppData/Local"),
                "desktop" => Value::known("~/Desktop"),
                "mydocuments" | "personal" => Value::known("~/Documents"),
                "startup" => Value::known("~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup"),
                "windows" => Value::known("C:/Windows"),
                "system" => Value::known("C:/Windows/System32"),
                _ => Value::output(),
            },
            "expandenvironmentvariables" => arguments.first().cloned().unwrap_or_default(),
            _ => Value::output(),
        }
    }

    /// Returns the value of a method of an object, and lists what it does.
    pub(super) fn call_method(&mut self, value: Value, name: &str, arguments: &[Value], start: usize) -> Value {
        let method = name.to_ascii_lowercase();
        match method.as_str() {
            "downloadstring" | "downloaddata" | "getstringasync" | "getasync" | "openread"
                if is_address(arguments.first()) =>
            {
                self.emit_with("Invoke-WebRequest", &[], arguments, start);
                return Value::output().with_origin(Some(OpaqueReason::DownloadedCode));
            }
            "downloadfile" | "downloadfileasync" => {
                let (url, path) = (arguments.first().cloned().unwrap_or_default(), arguments.get(1).cloned());
                let mut words = vec![Word::known("Invoke-WebRequest")];
                words.extend(url.words);
                words.push(Word::known("-OutFile"));
                words.extend(path.unwrap_or_default().words);
                self.emit_words(words, None, start);
            }
            "uploadstring" | "uploaddata" | "postasync" | "uploadvalues" => self.emit_upload("-Body", arguments, start),
            "uploadfile" => self.emit_upload("-InFile", arguments, start),
            "delete" if value.words.iter().all(|word| word.text.starts_with("$(")) => {
                let class = value.words.first().map_or("", |word| word.text.trim_matches(['$', '(', ')']));
                self.emit_words(vec![Word::known("Remove-CimInstance"), Word::known(class)], None, start);
            }
            "delete" => {
                let is_recursive = arguments.first().and_then(Value::text) == Some("$true");
                let options: &[&str] = if is_recursive { &["-Recurse", "-LiteralPath"] } else { &["-LiteralPath"] };
                self.emit_with("Remove-Item", options, &[value], start);
                return Value::default();
            }
            "run" | "exec" if !arguments.is_empty() => {
                self.emit_with("cmd", &["/c"], arguments.get(..1).unwrap_or_default(), start);
            }
            "shellexecute" if !arguments.is_empty() => {
                let line: Vec<Value> = arguments.iter().take(2).cloned().collect();
                self.emit_with("Start-Process", &[], &line, start);
            }
            "invokescript" | "addscript" | "invokecommand" | "newscriptblock" => self.emit_code(arguments, start),
            "getstring" => return decoded(arguments.first()),
            "replace" => {
                if let [from, to] = arguments
                    && let (Some(from), Some(to)) = (from.text(), to.text())
                {
                    return value.map(|text| Some(text.replace(from, to)));
                }
            }
            "tolower" | "tolowerinvariant" => return value.map(|text| Some(text.to_lowercase())),
            "toupper" | "toupperinvariant" => return value.map(|text| Some(text.to_uppercase())),
            "trim" => return value.map(|text| Some(text.trim().to_owned())),
            "tostring" | "trimend" | "trimstart" | "clone" | "getenumerator" | "toarray" | "result" | "awaiter" => {
                return value;
            }
            "split" => {
                let separator = arguments.first().cloned().unwrap_or_else(|| Value::known(" "));
                return operator::apply("-split", value, separator.map(|text| Some(text.to_owned())));
            }
            _ => {}
        }
        Value::output().with_origin(value.origin)
    }

    /// Lists code that is made from a text.
    fn emit_code(&mut self, arguments: &[Value], start: usize) {
        let origin = arguments.iter().find_map(|value| value.origin);
        let mut words = vec![Word::known("Invoke-Expression")];
        words.extend(arguments.first().map(|value| value.join("\n")));
        self.emit_words(words, origin, start);
    }

    fn emit_upload(&mut self, option: &str, arguments: &[Value], start: usize) {
        let mut words = vec![Word::known("Invoke-WebRequest")];
        words.extend(arguments.first().map(|url| url.join("")));
        words.extend([Word::known("-Method"), Word::known("Post"), Word::known(option)]);
        words.extend(arguments.last().filter(|_| arguments.len() > 1).map(|data| data.join(" ")));
        self.emit_words(words, None, start);
    }

    /// Lists a command with options and values.
    fn emit_with(&mut self, program: &str, options: &[&str], values: &[Value], start: usize) {
        let mut words = vec![Word::known(program)];
        words.extend(options.iter().map(|option| Word::known(*option)));
        words.extend(values.iter().flat_map(|value| value.words.iter().cloned()));
        self.emit_words(words, values.iter().find_map(|value| value.origin), start);
    }
}

fn is_address(value: Option<&Value>) -> bool {
    value.is_some_and(|value| {
        value.words.iter().any(|word| !word.literal || word.text.contains("://") || word.text.contains('.'))
    })
}

/// Returns the value of a property of a type.
pub(super) fn static_property(kind: &str, member: &str) -> Value {
    match (kind, member.to_ascii_lowercase().as_str()) {
        ("environment", "username") => Value::unknown("$USERNAME"),
        ("environment", "currentdirectory") => Value::known("$PWD"),
        ("environment", "systemdirectory") => Value::known("C:/Windows/System32"),
        ("environment", "newline") => Value::known("\n"),
        ("string", "empty") => Value::known(""),
        _ => Value::unknown(format!("[{kind}]")),
    }
}

/// Returns a value that is turned into another type.
pub(super) fn cast(kind: &str, value: Value) -> Value {
    match kind {
        "char" | "char[]" => {
            let character = |text: &str| {
                let number = match text.strip_prefix("0x") {
                    Some(digits) => u32::from_str_radix(digits, 16).ok(),
                    None => text.parse().ok(),
                };
                match number.and_then(char::from_u32) {
                    Some(character) if text.len() > 1 => Some(character.to_string()),
                    _ => Some(text.to_owned()),
                }
            };
            value.map(character)
        }
        "bool" | "switch" | "void" => Value::output(),
        _ => value,
    }
}

fn path_method(method: &str, arguments: &[Value]) -> Value {
    match method {
        "combine" | "join" => {
            let mut path = Value::default();
            for part in arguments.iter().flat_map(|value| value.words.iter()) {
                let text = part.text.trim_end_matches(['/', '\\']);
                if !path.words.is_empty() {
                    path.append(&Value::known("/"));
                }
                path.append(&Value::of(Word { literal: part.literal, ..quoted_word(text) }));
            }
            path
        }
        "getfullpath" | "normalize" => arguments.first().cloned().unwrap_or_default(),
        "gettemppath" => Value::known("~/AppData/Local/Temp/"),
        "gettempfilename" => Value::known("~/AppData/Local/Temp/tmp.tmp"),
        "getdirectoryname" => arguments
            .first()
            .cloned()
            .unwrap_or_default()
            .map(|path| Some(path.rsplit_once(['/', '\\']).map_or("", |(parent, _)| parent).to_owned())),
        _ => Value::output(),
    }
}

/// Returns the bytes that a text in base64 represents.
fn bytes(text: Option<&Value>) -> Value {
    match text.and_then(Value::text) {
        Some(text) => Value::known(format!("{BYTES}{text}")).with_origin(Some(OpaqueReason::EncodedCode)),
        None => Value::output().with_origin(Some(OpaqueReason::EncodedCode)),
    }
}

/// Returns the text that bytes represent, in the encoding in which they are text.
fn decoded(value: Option<&Value>) -> Value {
    let Some(value) = value else { return Value::output() };
    let Some(bytes) = value.text().and_then(|text| text.strip_prefix(BYTES)) else {
        return Value::output().with_origin(value.origin);
    };
    match decode::decode_base64_utf16(bytes).or_else(|| decode::decode_base64_text(bytes)) {
        Some(text) => Value::known(text),
        None => Value::output().with_origin(Some(OpaqueReason::EncodedCode)),
    }
}
