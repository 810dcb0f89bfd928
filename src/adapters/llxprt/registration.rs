//! How llxprt-code is told of its hook.
//!
//! Source: the settings schema, the storage paths and the hook runner of 0.11.0. `timeout` counts
//! milliseconds; the command goes through bash, or PowerShell on Windows. Hooks are off unless
//! `hooksConfig.enabled` says otherwise. A later settings file's list for an event takes the place
//! of an earlier one's. In a folder that is not trusted, entries of settings files do not run.

use serde_json::{Value, json};

use crate::adapters::gemini::{disabled_hooks, entry};
use crate::adapters::inspect::Fault;
use crate::adapters::registration::{Bundle, Location, Registration, Scope, SettingsFile, Standard, Unit};

const CONFIG: Location = config("settings.json");

const fn config(file: &'static str) -> Location {
    Location::Standard { variables: &["LLXPRT_CONFIG_HOME"], directory: Standard::Config, name: "llxprt-code", file }
}

pub(super) const REGISTRATION: Registration = Registration {
    program: "llxprt",
    folder: ".llxprt",
    comments: true,
    files: &[
        SettingsFile { scope: Scope::User, at: CONFIG },
        SettingsFile { scope: Scope::Project, at: Location::Project("settings.json") },
        SettingsFile {
            scope: Scope::Managed,
            at: Location::Machine {
                variable: Some("LLXPRT_SYSTEM_SETTINGS_PATH"),
                unix: "/etc/llxprt-code/settings.json",
                macos: "/Library/Application Support/LlxprtCode/settings.json",
                windows: r"C:\ProgramData\llxprt-code\settings.json",
            },
        },
    ],
    last_list_holds: true,
    never: &[],
    not_events: &["enabled", "disabled", "notifications"],
    unit: Unit::Milliseconds,
    closed_key: None,
    switched_on: Some(("hooksConfig", "enabled")),
    switches,
    shell: "bash",
    trusted_folders: Some(config("trustedFolders.json")),
    marks: &["LLXPRT_CODE"],
    off_switches: &[],
    // Where its settings were in former versions; they are copied from there once.
    unread: &[".llxprt/settings.json", ".llxprt/hooks.json", ".llxprt/hooks/hooks.json"],
    entry,
    bundle: Bundle {
        kind: "extension",
        kept: Location::Standard {
            variables: &["LLXPRT_DATA_HOME", "LLXPRT_CONFIG_HOME"],
            directory: Standard::Data,
            name: "llxprt-code",
            file: "extensions",
        },
        found_there: true,
        manifest: || ("llxprt-extension.json", json!({ "name": "ruleward", "version": env!("CARGO_PKG_VERSION") })),
        hooks: "hooks/hooks.json",
    },
    beside: super::beside::BESIDE,
};

fn switches(settings: &Value) -> Vec<Fault> {
    let mut faults = disabled_hooks(settings);
    for key in ["/hooksConfig/enabled", "/tools/enableHooks"] {
        if settings.pointer(key).is_some_and(|value| *value != Value::Bool(true)) {
            let key = key.trim_start_matches('/').replace('/', ".");
            let what = format!("`{key}` is off: no hook runs");
            faults.push(Fault::grave("hooks-off", what, format!("make `{key}` true")));
        }
    }
    faults
}
