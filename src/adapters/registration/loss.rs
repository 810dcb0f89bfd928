//! Whether a changed settings file leaves the hook registered as it was.
//!
//! A host writes its settings itself, when a user grants a permission or chooses a model. What counts
//! is only what takes the hook away, or makes it run otherwise.

use serde_json::Value;

use super::inspect::{RegistrationIssue, inspect};
use crate::adapters::contract::{ConfigLocation, Host};

/// Variables that decide where policies and records are looked for, and which programs are run.
const GUARD_VARIABLES: &[&str] = &["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramData", "PATH"];
/// Beginnings of names of such variables.
const GUARD_VARIABLE_PREFIXES: &[&str] = &["XDG_", "LD_", "DYLD_"];

/// Returns how the hook is registered worse than before, after a settings file was changed.
pub fn registration_losses(host: &Host, before: &Value, after: &Value) -> Vec<String> {
    let (old, new) = (inspect(host, before), inspect(host, after));
    let mut lost: Vec<&str> = Vec::new();
    for hook in old.hooks.iter().filter(|hook| !new.hooks.contains(hook)) {
        if !lost.contains(&hook.event.as_str()) {
            lost.push(&hook.event);
        }
    }
    let mut losses = Vec::new();
    if !lost.is_empty() {
        losses.push(format!("the hook was removed or changed at {}", lost.join(", ")));
    }
    let counts = |issue: &&RegistrationIssue| issue.is_critical || issue.id == "managed-only";
    let added = new.issues.iter().filter(counts).filter(|issue| !old.issues.contains(issue));
    losses.extend(added.map(|issue| issue.message.clone()));
    if let Some((key, switch)) = host.registration.enable_switch {
        let is_on = |settings: &Value| settings.get(key).and_then(|it| it.get(switch)) == Some(&Value::Bool(true));
        losses.extend((is_on(before) && !is_on(after)).then(|| format!("`{key}.{switch}` is off, so no hooks run")));
    }
    losses.extend(overriding_events(
        host,
        before,
        after,
        &new.hooks.iter().map(|hook| hook.event.as_str()).collect::<Vec<_>>(),
    ));
    losses
        .extend(changed_variables(host, before, after).into_iter().map(|name| format!("it sets the variable {name}")));
    losses
}

/// Returns the lists of a file that replace those of an earlier one, without the hook in them.
fn overriding_events(host: &Host, before: &Value, after: &Value, registered: &[&str]) -> Vec<String> {
    if !host.registration.later_list_overrides {
        return Vec::new();
    }
    let lists = after.get("hooks").and_then(Value::as_object).into_iter().flatten();
    let is_new = |event: &str| before.get("hooks").and_then(|hooks| hooks.get(event)).is_none();
    lists
        .filter(|(event, list)| list.is_array() && host.event_row(event).is_some() && is_new(event))
        .filter(|(event, _)| !registered.contains(&event.as_str()))
        .map(|(event, _)| format!("its list for {event} replaces that of another file"))
        .collect()
}

/// Returns the variables that a file sets otherwise than before and that the guard goes by.
fn changed_variables(host: &Host, before: &Value, after: &Value) -> Vec<String> {
    let value = |settings: &Value, name: &str| settings.get("env").and_then(|env| env.get(name)).cloned();
    let names = [before, after].into_iter().filter_map(|settings| settings.get("env")?.as_object());
    let mut names: Vec<&String> = names.flat_map(serde_json::Map::keys).collect();
    names.sort();
    names.dedup();
    let matters = |name: &str| {
        let registration = &host.registration;
        let mut own = registration.files.iter().flat_map(|file| location_variables(file.location));
        GUARD_VARIABLES.contains(&name)
            || GUARD_VARIABLE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || registration.disabling_variables.iter().any(|(variable, _)| *variable == name)
            || host.project_vars.contains(&name)
            || own.any(|variable| variable == name)
    };
    names.into_iter().filter(|name| matters(name) && value(before, name) != value(after, name)).cloned().collect()
}

/// Returns the variables that say where a file is.
fn location_variables(location: ConfigLocation) -> Vec<&'static str> {
    match location {
        ConfigLocation::Home { variable, .. } | ConfigLocation::Machine { variable, .. } => {
            variable.into_iter().collect()
        }
        ConfigLocation::BaseDirectory { variables, .. } => variables.to_vec(),
        ConfigLocation::Project(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::registration_losses;
    use crate::adapters::Host;

    fn registered(more: &Value) -> Value {
        let entry = json!({ "type": "command", "command": "/b/ruleward", "args": ["hook", "claude"], "timeout": 60 });
        let mut settings = json!({ "hooks": { "PreToolUse": [{ "hooks": [entry] }] } });
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        settings
    }

    #[test]
    fn what_takes_the_hook_away_is_told_from_what_a_host_writes() {
        let host = Host::by_name("claude").unwrap();
        let before = registered(&json!({ "env": { "A": "1" } }));
        for after in [
            before.clone(),
            registered(&json!({ "env": { "A": "2" }, "permissions": { "allow": ["Bash(ls)"] }, "model": "x" })),
        ] {
            assert_eq!(registration_losses(host, &before, &after), Vec::<String>::new(), "{after}");
        }
        let mut narrowed = before.clone();
        narrowed["hooks"]["PreToolUse"][0]["matcher"] = json!("Read");
        let mut other_program = before.clone();
        other_program["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = json!("/tmp/ruleward");
        for after in [
            json!({}),
            narrowed,
            other_program,
            registered(&json!({ "env": { "A": "1" }, "disableAllHooks": true })),
            registered(&json!({ "env": { "A": "1", "XDG_CONFIG_HOME": "/tmp" } })),
            registered(&json!({ "env": { "A": "1", "CLAUDE_CODE_SIMPLE": "1" } })),
            registered(&json!({ "env": { "A": "1" }, "model": 1 })),
        ] {
            assert_eq!(registration_losses(host, &before, &after).len(), 1, "{after}");
        }
        assert_eq!(registration_losses(host, &json!({}), &json!({ "disableAllHooks": true })).len(), 1);
        let host = Host::by_name("llxprt").unwrap();
        let (on, off) = (json!({ "hooksConfig": { "enabled": true } }), json!({ "hooksConfig": { "enabled": false } }));
        assert!(registration_losses(host, &off, &on).is_empty() && !registration_losses(host, &on, &off).is_empty());
        let list = json!({ "hooks": { "BeforeTool": [] } });
        assert_eq!(registration_losses(host, &json!({}), &list).len(), 1);
    }
}
