//! How Gemini CLI is told of its hook.
//!
//! Sources: the settings schema and the hook runner of 0.61.0; runs of it. `timeout` counts
//! milliseconds. The command goes through bash, or PowerShell on Windows; variables in any string
//! of the settings are put in when they are read. In a folder that is not trusted, entries of
//! settings files do not run, those of an extension do.

use serde_json::{Value, json};

use crate::adapters::Row;
use crate::adapters::inspect::Fault;
use crate::adapters::registration::{
    Bundle, Caller, Location, PATIENCE, Registration, Scope, SettingsFile, Unit, calls, shell_text,
};

pub(super) const REGISTRATION: Registration = Registration {
    program: "gemini",
    folder: ".gemini",
    comments: true,
    files: &[
        SettingsFile { scope: Scope::User, at: Location::Home { variable: None, file: "settings.json" } },
        SettingsFile { scope: Scope::Project, at: Location::Project("settings.json") },
        SettingsFile {
            scope: Scope::Managed,
            at: Location::Machine {
                variable: Some("GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
                unix: "/etc/gemini-cli/settings.json",
                macos: "/Library/Application Support/GeminiCli/settings.json",
                windows: r"C:\ProgramData\gemini-cli\settings.json",
            },
        },
    ],
    last_list_holds: false,
    never: &[],
    // Where these stood in former versions; they do nothing any more.
    not_events: &["enabled", "disabled", "notifications"],
    unit: Unit::Milliseconds,
    closed_key: None,
    switched_on: None,
    switches,
    shell: "bash",
    trusted_folders: Some(Location::Home { variable: None, file: "trustedFolders.json" }),
    marks: &["GEMINI_CLI"],
    off_switches: &[],
    unread: &[".gemini/hooks.json", ".gemini/hooks/hooks.json"],
    entry,
    bundle: Bundle {
        kind: "extension",
        kept: Location::Home { variable: None, file: "extensions" },
        found_there: true,
        manifest: || ("gemini-extension.json", json!({ "name": "ruleward", "version": env!("CARGO_PKG_VERSION") })),
        hooks: "hooks/hooks.json",
    },
    beside: super::beside::BESIDE,
};

pub(in crate::adapters) fn entry(_: &Row, caller: &Caller<'_>) -> Value {
    json!({
        "name": "ruleward",
        "type": "command",
        "command": shell_text(caller),
        "timeout": PATIENCE * 1000,
    })
}

fn switches(settings: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    if settings.pointer("/hooksConfig/enabled").is_some_and(|value| *value != Value::Bool(true)) {
        let what = "`hooksConfig.enabled` is off: no hook runs";
        faults.push(Fault::grave("hooks-off", what, "take `hooksConfig.enabled` out"));
    }
    faults.extend(disabled_hooks(settings));
    if let Some(hooks) = settings.get("hooks").and_then(Value::as_object) {
        for key in ["enabled", "disabled"].into_iter().filter(|key| hooks.contains_key(*key)) {
            let what = format!("`hooks.{key}` does nothing in this version");
            faults.push(Fault::light("old-key", what, format!("use `hooksConfig.{key}`, or take it out")));
        }
    }
    faults
}

/// Finds entries that switch off this program's hooks by name.
pub(in crate::adapters) fn disabled_hooks(settings: &Value) -> Vec<Fault> {
    let disabled = settings.pointer("/hooksConfig/disabled").and_then(Value::as_array);
    let names = disabled.into_iter().flatten().filter_map(Value::as_str);
    let ours = names.filter(|name| *name == "ruleward" || !calls(&json!({ "command": name })).is_empty());
    ours.map(|name| {
        let what = format!("`hooksConfig.disabled` names {name:?}: that hook does not run");
        Fault::grave("hooks-off", what, format!("take {name:?} out of `hooksConfig.disabled`"))
    })
    .collect()
}
