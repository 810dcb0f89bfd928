//! Hooks that stand in a host's settings, as hooks of a policy.
//!
//! Each runs as its host ran it: through the shell of that host, in its dialect, at its events, for
//! what its matcher covers. What has no counterpart is told with the reason, never dropped in silence.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::registration::{Unit, calls};
use super::{Host, Row};
use crate::domain::kind::Kind;
use crate::domain::template::Template;

/// What came of a file of hooks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Adopted {
    /// The hooks, in their order.
    pub hooks: Vec<Hook>,
    /// What was not taken over, or not whole: where it stands, and why.
    pub left: Vec<(String, String)>,
    /// How many entries are ruleward's own.
    pub own: usize,
}

/// A hook of a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// A name for it, which others may have too.
    pub name: String,
    /// The moments.
    pub when: Vec<&'static str>,
    /// How the call has ended that it is for: it is not, or only, for a failed one.
    pub failed: Option<bool>,
    /// What its host's matchers test has to be like this.
    pub matcher: Option<String>,
    /// The words of the call, or one text for `sh`.
    pub run: Program,
    /// Milliseconds that it may take.
    pub timeout: u64,
    /// Whether its failure refuses.
    pub fails_closed: bool,
    /// Whether nobody waits for it.
    pub is_async: bool,
    /// Whether it runs beside the others.
    pub parallel: bool,
    /// Variables that it gets from the environment.
    pub pass: Vec<String>,
    /// Variables that are set for it.
    pub set: BTreeMap<String, String>,
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A text for `sh`.
    Shell(String),
    /// The words of a call.
    Words(Vec<String>),
}

/// The longest time that a hook of a policy is waited for, in milliseconds; what nobody waits for may
/// take longer.
const LONGEST: u64 = 50_000;
const LONGEST_ALONE: u64 = 600_000;

/// Keys of an entry that are taken over, or say nothing of what runs.
const KNOWN: &[&str] =
    &["type", "command", "args", "timeout", "async", "onFailure", "name", "description", "env", "shell"];

/// Keys that change when or how an entry runs, and why it is not taken over with them.
const NARROW: &[(&str, &str)] = &[
    ("if", "it has an `if`: write a hook with that as a condition, such as `command: git push`"),
    ("asyncRewake", "it wakes the agent later (`asyncRewake`), which no hook of a policy can"),
    ("once", "it runs `once` a session, which no hook of a policy does"),
];

/// Returns the host whose events these are; `None` when that cannot be told.
pub fn host_of(hooks: &Map<String, Value>) -> Option<&'static Host> {
    let known = |host: &&&'static Host| hooks.keys().filter(|event| host.row(event).is_some()).count();
    let mut hosts: Vec<_> = ["claude", "gemini"].iter().filter_map(|name| Host::named(name)).collect();
    hosts.sort_by_key(|host| std::cmp::Reverse(known(&host)));
    match hosts.as_slice() {
        [first, second, ..] if known(&first) > known(&second) => Some(first),
        _ => None,
    }
}

/// Takes over the hooks of a file; `root` is the folder of the plugin or extension that it belongs to.
pub fn adopt(host: &'static Host, settings: &Value, root: Option<&str>) -> Adopted {
    let mut adopted = Adopted::default();
    let Some(hooks) = settings.get("hooks").and_then(Value::as_object) else { return adopted };
    for (event, groups) in hooks {
        if host.registration.not_events.contains(&event.as_str()) {
            adopted.left.push((format!("hooks.{event}"), "it is a setting of hooks, and none itself".to_owned()));
            continue;
        }
        let row = host.row(event).filter(|row| !host.registration.never.contains(&row.wire));
        let Some(row) = row else {
            let why = format!("{} has no such event, or none that can be passed on", host.title);
            adopted.left.push((format!("hooks.{event}"), why));
            continue;
        };
        let Some(groups) = groups.as_array() else {
            adopted.left.push((format!("hooks.{event}"), "it is not a list, so its hooks do not run".to_owned()));
            continue;
        };
        for (index, group) in groups.iter().enumerate() {
            let Some(entries) = group.get("hooks").and_then(Value::as_array) else {
                let why = "it is no group with `hooks`, so it does not run".to_owned();
                adopted.left.push((format!("hooks.{event}[{index}]"), why));
                continue;
            };
            for (place, entry) in entries.iter().enumerate() {
                let place = format!("hooks.{event}[{index}].hooks[{place}]");
                if !calls(entry).is_empty() {
                    adopted.own += 1;
                    continue;
                }
                match hook(host, row, group, entry, root) {
                    Ok((hook, without)) => {
                        adopted.hooks.push(hook);
                        let told = without.into_iter().map(|what| (place.clone(), what));
                        adopted.left.extend(told);
                    }
                    Err(why) => adopted.left.push((place, why)),
                }
            }
        }
    }
    adopted
}

fn hook(
    host: &'static Host,
    row: &'static Row,
    group: &Value,
    entry: &Value,
    root: Option<&str>,
) -> Result<(Hook, Vec<String>), String> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    is_runnable(entry)?;
    let command = text("command").ok_or("it has no `command`")?;
    let mut set: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in entry.get("env").and_then(Value::as_object).into_iter().flatten() {
        set.insert(name.clone(), value.as_str().ok_or(format!("its variable `{name}` is not a text"))?.to_owned());
    }
    let line = line(host, entry, command);
    if let Some(root) = root {
        for name in ["CLAUDE_PLUGIN_ROOT", "extensionPath"].into_iter().filter(|name| line.contains(name)) {
            set.insert(name.to_owned(), root.to_owned());
        }
    } else if line.contains("CLAUDE_PLUGIN_ROOT") || line.contains("${extensionPath}") {
        return Err("it names the folder of a plugin, and the file stands in none".to_owned());
    }
    let is_filled = |text: &str| Template::parse(text).map_or(true, |it| !it.names().is_empty()) || text.contains("{%");
    if is_filled(&line) || set.values().any(|value| is_filled(value)) {
        return Err("there is a `{{ … }}` in it, which a policy would fill in".to_owned());
    }
    let mut without: Vec<String> = entry
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .filter(|key| !KNOWN.contains(&key.as_str()))
        .map(|key| format!("taken over without its `{key}`"))
        .collect();
    let timeout = timeout(host, entry, &mut without)?;
    let matcher = matcher(host, row, group)?;
    let known = |name: &String| {
        let by_host = host.dialect.variables.iter().any(|(known, _)| known == name);
        by_host || set.contains_key(name) || USUAL.contains(&name.as_str())
    };
    let pass = variables(&line).into_iter().filter(|name| !known(name)).collect();
    let words = text("command").unwrap_or_default();
    let (when, failed) = moments(host, row);
    let hook = Hook {
        name: text("name").map_or_else(|| name_of(words, row), slug),
        when,
        failed,
        matcher,
        run: if host.registration.shell == "bash" {
            Program::Words(vec!["bash".to_owned(), "-c".to_owned(), line])
        } else {
            Program::Shell(line)
        },
        timeout,
        fails_closed: host.registration.closed_key.is_some_and(|key| text(key) == Some("block")),
        is_async: entry.get("async") == Some(&Value::Bool(true)),
        parallel: group.get("sequential") != Some(&Value::Bool(true)),
        pass,
        set,
    };
    Ok((hook, without))
}

/// Returns the text for a shell that an entry's call is.
fn line(host: &Host, entry: &Value, command: &str) -> String {
    match entry.get("args").and_then(Value::as_array) {
        Some(words) => {
            let words = std::iter::once(command).chain(words.iter().filter_map(Value::as_str));
            words.map(quoted).collect::<Vec<_>>().join(" ")
        }
        None => in_quotes(&command.replace("${/}", "/"), host),
    }
}

/// Says why an entry is nothing that a policy could run.
fn is_runnable(entry: &Value) -> Result<(), String> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    match text("type") {
        Some("command") => {}
        Some(other) => return Err(format!("a hook of type `{other}` is not run by ruleward, only commands are")),
        None => return Err("it has no `type`, so its host does not run it".to_owned()),
    }
    if let Some((_, why)) = NARROW.iter().find(|(key, _)| entry.get(*key).is_some_and(|it| *it != Value::Bool(false))) {
        return Err((*why).to_owned());
    }
    if text("shell").is_some_and(|shell| shell != "bash" && shell != "sh") {
        return Err("it runs in another shell than `sh` and `bash`".to_owned());
    }
    Ok(())
}

/// Returns the moments of an event. Where one host reports a failed call apart and another does not,
/// the hook is for the same calls on both.
fn moments(host: &Host, row: &Row) -> (Vec<&'static str>, Option<bool>) {
    let apart = host.rows_of(Kind::ToolFailed).next().is_some();
    match row.kind {
        Kind::ToolAfter if apart => (vec![Kind::ToolAfter.name()], Some(false)),
        Kind::ToolAfter => (vec![Kind::ToolAfter.name(), Kind::ToolFailed.name()], None),
        Kind::ToolFailed => (vec![Kind::ToolFailed.name(), Kind::ToolAfter.name()], Some(true)),
        kind => (vec![kind.name()], None),
    }
}

fn timeout(host: &Host, entry: &Value, without: &mut Vec<String>) -> Result<u64, String> {
    let longest = if entry.get("async") == Some(&Value::Bool(true)) { LONGEST_ALONE } else { LONGEST };
    // Hosts wait for a minute and more when they are told nothing.
    let Some(timeout) = entry.get("timeout") else { return Ok(longest) };
    let number = timeout.as_f64().filter(|number| *number > 0.0);
    let number = number.ok_or("its `timeout` is not a number above 0, so its host does not run or heed it")?;
    let millis = match host.registration.unit {
        Unit::Seconds => number * 1000.0,
        Unit::Milliseconds => number,
    };
    let millis = format!("{millis:.0}").parse::<u64>().unwrap_or(longest + 1).max(1);
    if millis > longest {
        without.push(format!("its `timeout` is cut to {} s, the longest that is waited for", longest / 1000));
    }
    Ok(millis.min(longest))
}

fn matcher(host: &Host, row: &Row, group: &Value) -> Result<Option<String>, String> {
    let matcher = match group.get("matcher") {
        None => return Ok(None),
        Some(Value::String(matcher)) => matcher,
        Some(_) => return Err("its `matcher` is not a text, so its host does not run it".to_owned()),
    };
    (host.dialect.covers)(row, "", matcher)?;
    Ok(Some(matcher.clone()).filter(|matcher| !matches!(matcher.trim(), "" | "*")))
}

/// Variables that every program gets.
const USUAL: &[&str] =
    &["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ", "PWD", "OLDPWD", "IFS"];

/// Returns the names of variables that a shell text uses and does not set, as far as can be seen.
fn variables(line: &str) -> Vec<String> {
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

/// Puts quotes around the variables that the host puts in as quoted words.
fn in_quotes(line: &str, host: &Host) -> String {
    if host.registration.shell != "bash" {
        return line.to_owned();
    }
    let mut text = String::new();
    let mut quote = None;
    let mut rest = line;
    while let Some(sign) = rest.chars().next() {
        let name = host.dialect.variables.iter().map(|(name, _)| *name).find(|name| {
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

/// Returns a word of a call without a shell as a shell has it; `${NAME}` is still put in.
fn quoted(word: &str) -> String {
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
fn name_of(command: &str, row: &Row) -> String {
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
    use super::{in_quotes, name_of, quoted, variables};
    use crate::adapters::Host;

    #[test]
    fn what_the_host_put_in_quoted_stays_one_word() {
        let gemini = Host::named("gemini").unwrap();
        for (line, expected) in [
            ("$GEMINI_PROJECT_DIR/x.sh", r#""$GEMINI_PROJECT_DIR"/x.sh"#),
            (r#""$GEMINI_PROJECT_DIR/x.sh""#, r#""$GEMINI_PROJECT_DIR/x.sh""#),
            ("'$GEMINI_CWD' $GEMINI_CWDX ${GEMINI_CWD}", "'$GEMINI_CWD' $GEMINI_CWDX ${GEMINI_CWD}"),
        ] {
            assert_eq!(in_quotes(line, gemini), expected);
        }
    }

    #[test]
    fn words_become_text_for_a_shell() {
        assert_eq!(quoted("${CLAUDE_PROJECT_DIR}/a b"), r#""${CLAUDE_PROJECT_DIR}/a b""#);
        assert_eq!(quoted(r#"$x "y" `z`"#), r#""\$x \"y\" \`z\`""#);
    }

    #[test]
    fn variables_of_the_environment_are_found() {
        assert_eq!(variables("A=1 run $TOKEN ${API_KEY:-x} $A $lower $1"), ["TOKEN", "API_KEY"]);
    }

    #[test]
    fn hooks_are_named_after_their_script() {
        let row = Host::named("claude").unwrap().row("PreToolUse").unwrap();
        for (command, name) in [
            ("python3 \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/Block_Rm.py --x", "block-rm"),
            ("jq -r .x >> log", "jq"),
            ("", "pretooluse"),
        ] {
            assert_eq!(name_of(command, row), name, "{command}");
        }
    }
}
