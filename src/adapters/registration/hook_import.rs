//! Imports hooks from a host's settings as hooks of a policy.
//!
//! Each runs as its host ran it: with that host's shell, in its dialect, at its events, for what its
//! matcher covers. Entries without a counterpart are reported with the reason, never dropped silently.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use serde_json::{Map, Value};

use super::{TimeoutUnit, ruleward_calls};
use crate::adapters::contract::InvalidMatcher;
use crate::adapters::contract::{EventRow, Host};
use crate::adapters::original_host;
use crate::domain::event::kind::Kind;
use crate::domain::text::template::Template;

/// The result of importing a file of hooks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportedHooks {
    /// The hooks, in order.
    pub hooks: Vec<ImportedHook>,
    /// What was not imported, or not completely: its location, and the reason.
    pub skipped: Vec<(String, String)>,
    /// The number of entries that are ruleward's own.
    pub own_count: usize,
}

/// A hook of a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedHook {
    /// A name for it, which need not be unique.
    pub name: String,
    /// The kinds of events.
    pub when: Vec<&'static str>,
    /// Whether it runs only for failed calls, or only for successful ones.
    pub failed: Option<bool>,
    /// Its matcher, as written in the host's settings.
    pub matcher: Option<String>,
    /// The words of the command, or one text for `sh`.
    pub program: HookProgram,
    /// The timeout in milliseconds.
    pub timeout: u64,
    /// Whether a failure refuses.
    pub fails_closed: bool,
    /// Whether nobody waits for it.
    pub is_async: bool,
    /// Whether it runs in parallel with the others.
    pub parallel: bool,
    /// Variables that it gets from the environment.
    pub pass_env: Vec<String>,
    /// Variables to set.
    pub set_env: BTreeMap<String, String>,
}

/// The program of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookProgram {
    /// A text for `sh`.
    Shell(String),
    /// The words of a command.
    Words(Vec<String>),
}

/// Why an entry is not imported.
#[derive(Debug, Clone, PartialEq)]
enum UnsupportedHook {
    /// It has no type.
    NoType,
    /// It has a type that no hook of a policy has.
    Type(String),
    /// It has no command.
    NoCommand,
    /// It has a key without a counterpart in policies; the reason.
    Key(&'static str),
    /// It runs in a shell that is not supported.
    Shell,
    /// A variable that it sets is not a text.
    VariableNotText(String),
    /// It uses a plugin's directory but does not belong to a plugin.
    NoPluginDirectory,
    /// It contains text that a policy would read as a template.
    TemplateSyntax,
    /// Its timeout is not a positive number.
    InvalidTimeout,
    /// Its matcher is not a text.
    MatcherNotText,
    /// Its matcher cannot be parsed.
    Matcher(InvalidMatcher),
}

impl fmt::Display for UnsupportedHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoType => f.write_str("it has no `type`, so its host doesn't run it"),
            Self::Type(other) => write!(f, "ruleward doesn't run hooks of type `{other}`, only commands"),
            Self::NoCommand => f.write_str("it has no `command`"),
            Self::Key(reason) => f.write_str(reason),
            Self::Shell => f.write_str("its shell is not `sh` or `bash`"),
            Self::VariableNotText(name) => write!(f, "its variable `{name}` is not a string"),
            Self::NoPluginDirectory => f.write_str("it uses the folder of a plugin, but the file is not in one"),
            Self::TemplateSyntax => f.write_str("it contains `{{ … }}`, which a policy would expand"),
            Self::InvalidTimeout => {
                f.write_str("its `timeout` is not a number above 0, so its host doesn't run it or ignores it")
            }
            Self::MatcherNotText => f.write_str("its `matcher` is not a string, so its host doesn't run it"),
            Self::Matcher(error) => error.fmt(f),
        }
    }
}

impl Error for UnsupportedHook {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Matcher(error) => Some(error),
            _ => None,
        }
    }
}

/// The longest timeout of a hook of a policy, in milliseconds; asynchronous hooks may take longer.
const MAX_TIMEOUT_MS: u64 = 50_000;
const MAX_ASYNC_TIMEOUT_MS: u64 = 600_000;

/// Keys of an entry that are imported, or do not affect what runs.
const SUPPORTED_KEYS: &[&str] =
    &["type", "command", "args", "timeout", "async", "onFailure", "name", "description", "env", "shell"];

/// Keys that change when or how an entry runs, and why such an entry is not imported.
const UNSUPPORTED_KEYS: &[(&str, &str)] = &[
    ("if", "it has an `if`: use a condition in the hook instead, such as `command: git push`"),
    ("asyncRewake", "it wakes the agent later (`asyncRewake`), which hooks of a policy can't"),
    ("once", "it runs `once` per session, which hooks of a policy don't"),
];

/// Returns the host that has most of the events, or, of several, the one in whose directory the file is; `None` when
/// it is ambiguous, and for hosts whose hooks are not imported.
pub fn detect_host(
    hosts: &[&'static Host],
    hooks: &Map<String, Value>,
    by_path: Option<&'static Host>,
) -> Option<&'static Host> {
    let known = |host: &&&'static Host| hooks.keys().filter(|event| host.event_row(event).is_some()).count();
    let hosts: Vec<_> = hosts.iter().copied().filter(|host| host.is_protocol()).collect();
    let most = hosts.iter().map(|host| known(&host)).max().filter(|most| *most > 0)?;
    let fitting: Vec<_> = hosts.into_iter().filter(|host| known(&host) == most).collect();
    by_path.filter(|host| fitting.iter().any(|other| other.name == host.name)).or_else(|| original_host(&fitting))
}

/// Imports the hooks of a file; `root` is the folder of the plugin or extension that it belongs to.
pub fn import_hooks(host: &'static Host, settings: &Value, root: Option<&str>) -> ImportedHooks {
    let mut adopted = ImportedHooks::default();
    let Some(hooks) = settings.get("hooks").and_then(Value::as_object) else { return adopted };
    for (event, groups) in hooks {
        if host.registration.non_event_keys.contains(&event.as_str()) {
            adopted.skipped.push((format!("hooks.{event}"), "it is a setting for hooks, not a hook".to_owned()));
            continue;
        }
        let row = host.event_row(event).filter(|row| !host.registration.excluded_events.contains(&row.wire));
        let Some(row) = row else {
            let why = format!("{} has no such event, or it is not supported", host.title);
            adopted.skipped.push((format!("hooks.{event}"), why));
            continue;
        };
        let Some(groups) = groups.as_array() else {
            adopted.skipped.push((format!("hooks.{event}"), "it is not a list, so its hooks don't run".to_owned()));
            continue;
        };
        for (index, group) in groups.iter().enumerate() {
            let Some(entries) = group.get("hooks").and_then(Value::as_array) else {
                let why = "it is not a group with `hooks`, so it doesn't run".to_owned();
                adopted.skipped.push((format!("hooks.{event}[{index}]"), why));
                continue;
            };
            for (place, entry) in entries.iter().enumerate() {
                let place = format!("hooks.{event}[{index}].hooks[{place}]");
                if !ruleward_calls(entry).is_empty() {
                    adopted.own_count += 1;
                    continue;
                }
                match import_hook(host, row, group, entry, root) {
                    Ok((hook, without)) => {
                        adopted.hooks.push(hook);
                        let told = without.into_iter().map(|what| (place.clone(), what));
                        adopted.skipped.extend(told);
                    }
                    Err(error) => adopted.skipped.push((place, error.to_string())),
                }
            }
        }
    }
    adopted
}

fn import_hook(
    host: &'static Host,
    row: &'static EventRow,
    group: &Value,
    entry: &Value,
    root: Option<&str>,
) -> Result<(ImportedHook, Vec<String>), UnsupportedHook> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    check_runnable(entry)?;
    let command = text("command").ok_or(UnsupportedHook::NoCommand)?;
    let mut set: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in entry.get("env").and_then(Value::as_object).into_iter().flatten() {
        let value = value.as_str().ok_or_else(|| UnsupportedHook::VariableNotText(name.clone()))?;
        set.insert(name.clone(), value.to_owned());
    }
    let line = shell_line(host, entry, command);
    let variables = host.registration.hook_import.as_ref().map(|import| import.bundle_variables).unwrap_or_default();
    if let Some(root) = root {
        for variable in variables.iter().filter(|variable| line.contains(variable.name)) {
            set.insert(variable.name.to_owned(), root.to_owned());
        }
    } else if variables.iter().any(|variable| line.contains(variable.reference)) {
        return Err(UnsupportedHook::NoPluginDirectory);
    }
    let is_filled = |text: &str| Template::parse(text).map_or(true, |it| !it.names().is_empty()) || text.contains("{%");
    if is_filled(&line) || set.values().any(|value| is_filled(value)) {
        return Err(UnsupportedHook::TemplateSyntax);
    }
    let mut without: Vec<String> = entry
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .filter(|key| !SUPPORTED_KEYS.contains(&key.as_str()))
        .map(|key| format!("converted without its `{key}`"))
        .collect();
    let timeout = timeout(host, entry, &mut without)?;
    let matcher = matcher(host, row, group)?;
    let known = |name: &String| {
        let by_host = host.dialect.env.iter().any(|(known, _)| known == name);
        by_host || set.contains_key(name) || COMMON_VARIABLES.contains(&name.as_str())
    };
    let pass = free_variables(&line).into_iter().filter(|name| !known(name)).collect();
    let words = text("command").unwrap_or_default();
    let (when, failed) = kind_names(host, row);
    let hook = ImportedHook {
        name: text("name").map_or_else(|| hook_name(words, row), slug),
        when,
        failed,
        matcher,
        program: if host.registration.shell == "bash" {
            HookProgram::Words(vec!["bash".to_owned(), "-c".to_owned(), line])
        } else {
            HookProgram::Shell(line)
        },
        timeout,
        fails_closed: host.registration.fail_closed.is_some_and(|it| text(it.key) == Some("block")),
        is_async: entry.get("async") == Some(&Value::Bool(true)),
        parallel: group.get("sequential") != Some(&Value::Bool(true)),
        pass_env: pass,
        set_env: set,
    };
    Ok((hook, without))
}

/// Returns an entry's command as shell text.
fn shell_line(host: &Host, entry: &Value, command: &str) -> String {
    match entry.get("args").and_then(Value::as_array) {
        Some(words) => {
            let words = std::iter::once(command).chain(words.iter().filter_map(Value::as_str));
            words.map(quote_word).collect::<Vec<_>>().join(" ")
        }
        None => quote_variables(&command.replace("${/}", "/"), host),
    }
}

/// Checks whether a policy can run an entry.
fn check_runnable(entry: &Value) -> Result<(), UnsupportedHook> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    match text("type") {
        Some("command") => {}
        Some(other) => return Err(UnsupportedHook::Type(other.to_owned())),
        None => return Err(UnsupportedHook::NoType),
    }
    if let Some((_, why)) =
        UNSUPPORTED_KEYS.iter().find(|(key, _)| entry.get(*key).is_some_and(|it| *it != Value::Bool(false)))
    {
        return Err(UnsupportedHook::Key(why));
    }
    if text("shell").is_some_and(|shell| shell != "bash" && shell != "sh") {
        return Err(UnsupportedHook::Shell);
    }
    Ok(())
}

/// Returns the kinds of an event. Where only some hosts have a separate event for failed calls, the
/// hook runs for the same calls on all of them.
fn kind_names(host: &Host, row: &EventRow) -> (Vec<&'static str>, Option<bool>) {
    let apart = host.event_rows(Kind::ToolFailed).next().is_some();
    match row.kind {
        Kind::ToolAfter if apart => (vec![Kind::ToolAfter.name()], Some(false)),
        Kind::ToolAfter => (vec![Kind::ToolAfter.name(), Kind::ToolFailed.name()], None),
        Kind::ToolFailed => (vec![Kind::ToolFailed.name(), Kind::ToolAfter.name()], Some(true)),
        kind => (vec![kind.name()], None),
    }
}

fn timeout(host: &Host, entry: &Value, without: &mut Vec<String>) -> Result<u64, UnsupportedHook> {
    let longest = if entry.get("async") == Some(&Value::Bool(true)) { MAX_ASYNC_TIMEOUT_MS } else { MAX_TIMEOUT_MS };
    // Without a timeout, hosts wait for a minute or more.
    let Some(timeout) = entry.get("timeout") else { return Ok(longest) };
    let number = timeout.as_f64().filter(|number| *number > 0.0);
    let number = number.ok_or(UnsupportedHook::InvalidTimeout)?;
    let millis = match host.registration.timeout_unit {
        TimeoutUnit::Seconds => number * 1000.0,
        TimeoutUnit::Milliseconds => number,
    };
    let millis = format!("{millis:.0}").parse::<u64>().unwrap_or(longest + 1).max(1);
    if millis > longest {
        without.push(format!("its `timeout` is reduced to {} s, the maximum", longest / 1000));
    }
    Ok(millis.min(longest))
}

fn matcher(host: &Host, row: &EventRow, group: &Value) -> Result<Option<String>, UnsupportedHook> {
    let matcher = match group.get("matcher") {
        None => return Ok(None),
        Some(Value::String(matcher)) => matcher,
        Some(_) => return Err(UnsupportedHook::MatcherNotText),
    };
    (host.dialect.matches)(row, "", matcher).map_err(UnsupportedHook::Matcher)?;
    Ok(Some(matcher.clone()).filter(|matcher| !matches!(matcher.trim(), "" | "*")))
}

/// Variables that every program gets.
const COMMON_VARIABLES: &[&str] =
    &["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ", "PWD", "OLDPWD", "IFS"];

/// Returns the variables that a shell text uses and does not set, as far as can be determined.
fn free_variables(line: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, _) in line.match_indices('$') {
        let rest = line.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        let name: String =
            rest.chars().take_while(|sign| sign.is_ascii_uppercase() || "_0123456789".contains(*sign)).collect();
        let whole = rest.chars().nth(name.len()).is_none_or(|sign| !sign.is_ascii_lowercase());
        let is_name = name.starts_with(|sign: char| sign.is_ascii_uppercase()) && whole;
        if is_name && !line.contains(&format!("{name}=")) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Quotes the variables that the host expands as quoted words.
fn quote_variables(line: &str, host: &Host) -> String {
    if host.registration.shell != "bash" {
        return line.to_owned();
    }
    let mut text = String::new();
    let mut quote = None;
    let mut rest = line;
    while let Some(sign) = rest.chars().next() {
        let name = host.dialect.env.iter().map(|(name, _)| *name).find(|name| {
            let behind = rest.strip_prefix('$').and_then(|it| it.strip_prefix(name));
            behind.is_some_and(|it| !it.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '_'))
        });
        if let (Some(name), None) = (name, quote) {
            text.extend(["\"$", name, "\""]);
            rest = rest.get(name.len() + 1..).unwrap_or_default();
            continue;
        }
        match (quote, sign) {
            (None, '"' | '\'') => quote = Some(sign),
            (Some(open), sign) if open == sign => quote = None,
            _ => {}
        }
        text.push(sign);
        rest = rest.get(sign.len_utf8()..).unwrap_or_default();
    }
    text
}

/// Quotes a word of a direct call for a shell; `${NAME}` is still expanded.
fn quote_word(word: &str) -> String {
    let mut text = String::from("\"");
    let mut rest = word;
    while let Some(sign) = rest.chars().next() {
        let variable = rest.starts_with("${") && rest.contains('}');
        if matches!(sign, '"' | '\\' | '`') || sign == '$' && !variable {
            text.push('\\');
        }
        text.push(sign);
        rest = rest.get(sign.len_utf8()..).unwrap_or_default();
    }
    text.push('"');
    text
}

/// Names a hook after its script.
fn hook_name(command: &str, row: &EventRow) -> String {
    let interpreters = ["bash", "sh", "python3", "python", "node", "npx", "uv", "run", "env", "exec"];
    let words = command.split(|sign: char| sign.is_whitespace() || "\"'".contains(sign));
    let mut files = words.filter_map(|word| word.rsplit('/').next()).filter(|word| !word.is_empty());
    let file = files.find(|word| !interpreters.contains(word) && !word.starts_with(['-', '$'])).unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let name = slug(stem);
    if name.is_empty() { slug(row.wire) } else { name }
}

fn slug(text: &str) -> String {
    let signs = text.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' });
    signs.collect::<String>().split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::{free_variables, hook_name, quote_variables, quote_word};
    use crate::adapters::contract::Host;

    #[test]
    fn what_the_host_put_in_quoted_stays_one_word() {
        let gemini = Host::by_name("gemini").unwrap();
        for (line, expected) in [
            ("$GEMINI_PROJECT_DIR/x.sh", r#""$GEMINI_PROJECT_DIR"/x.sh"#),
            (r#""$GEMINI_PROJECT_DIR/x.sh""#, r#""$GEMINI_PROJECT_DIR/x.sh""#),
            ("'$GEMINI_CWD' $GEMINI_CWDX ${GEMINI_CWD}", "'$GEMINI_CWD' $GEMINI_CWDX ${GEMINI_CWD}"),
        ] {
            assert_eq!(quote_variables(line, gemini), expected);
        }
    }

    #[test]
    fn words_become_text_for_a_shell() {
        assert_eq!(quote_word("${CLAUDE_PROJECT_DIR}/a b"), r#""${CLAUDE_PROJECT_DIR}/a b""#);
        assert_eq!(quote_word(r#"$x "y" `z`"#), r#""\$x \"y\" \`z\`""#);
    }

    #[test]
    fn variables_of_the_environment_are_found() {
        assert_eq!(free_variables("A=1 run $TOKEN ${API_KEY:-x} $A $lower $1"), ["TOKEN", "API_KEY"]);
    }

    #[test]
    fn hooks_are_named_after_their_script() {
        let row = Host::by_name("claude").unwrap().event_row("PreToolUse").unwrap();
        for (command, name) in [
            ("python3 \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/Block_Rm.py --x", "block-rm"),
            ("jq -r .x >> log", "jq"),
            ("", "pretooluse"),
        ] {
            assert_eq!(hook_name(command, row), name, "{command}");
        }
    }
}
