//! How a hook is registered with Gemini CLI.
//!
//! Sources: the settings schema and the hook runner of 0.61.0; runs of it. `timeout` counts
//! milliseconds. The command is run by bash, or PowerShell on Windows; variables in any string
//! of the settings are expanded when they are read. In a folder that is not trusted, entries of
//! settings files do not run, those of an extension do.

use serde_json::{Value, json};

use crate::adapters::contract::{
    Bundle, BundleVariable, ConfigLocation, EventRow, HookCommand, HookImport, Registration, RegistrationIssue,
    SettingsFile, SettingsScope, TimeoutUnit,
};
use crate::adapters::registration::{HOST_TIMEOUT_SECS, ruleward_calls, shell_command};

pub(super) const REGISTRATION: Registration = Registration {
    program: "gemini",
    config_dir: ".gemini",
    allows_comments: true,
    files: &[
        SettingsFile {
            scope: SettingsScope::User,
            location: ConfigLocation::Home { variable: None, file: "settings.json" },
        },
        SettingsFile { scope: SettingsScope::Project, location: ConfigLocation::Project("settings.json") },
        SettingsFile {
            scope: SettingsScope::Managed,
            location: ConfigLocation::Machine {
                variable: Some("GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
                unix: "/etc/gemini-cli/settings.json",
                macos: "/Library/Application Support/GeminiCli/settings.json",
                windows: r"C:\ProgramData\gemini-cli\settings.json",
            },
        },
    ],
    further_settings: &[],
    later_list_overrides: false,
    excluded_events: &[],
    // Keys of earlier versions; they have no effect any more.
    non_event_keys: &["enabled", "disabled", "notifications"],
    timeout_unit: TimeoutUnit::Milliseconds,
    fail_closed: None,
    exec_form_since: None,
    enable_switch: None,
    settings_issues,
    shell: "bash",
    trusted_folders: Some(ConfigLocation::Home { variable: None, file: "trustedFolders.json" }),
    consent: None,
    env_markers: &["GEMINI_CLI"],
    package: "gemini-cli",
    disabling_variables: &[],
    ignored_files: &[".gemini/hooks.json", ".gemini/hooks/hooks.json"],
    hook_entry,
    hook_import: Some(HookImport {
        bundle_variables: &[
            BundleVariable { name: "CLAUDE_PLUGIN_ROOT", reference: "CLAUDE_PLUGIN_ROOT" },
            BundleVariable { name: "extensionPath", reference: "${extensionPath}" },
        ],
    }),
    bundle: Some(Bundle {
        kind: "extension",
        install_location: ConfigLocation::Home { variable: None, file: "extensions" },
        is_auto_discovered: true,
        manifest: || ("gemini-extension.json", json!({ "name": "ruleward", "version": env!("CARGO_PKG_VERSION") })),
        hooks: "hooks/hooks.json",
    }),
    plugin: None,
    coexistence: super::coexistence::COEXISTENCE,
};

pub(in crate::adapters) fn hook_entry(_: &EventRow, caller: &HookCommand<'_>) -> Value {
    json!({
        "name": "ruleward",
        "type": "command",
        "command": shell_command(caller),
        "timeout": HOST_TIMEOUT_SECS * 1000,
    })
}

fn settings_issues(settings: &Value) -> Vec<RegistrationIssue> {
    let mut faults = Vec::new();
    if settings.pointer("/hooksConfig/enabled").is_some_and(|value| *value != Value::Bool(true)) {
        let what = "`hooksConfig.enabled` is off, so no hooks run";
        faults.push(RegistrationIssue::critical("hooks-off", what, "remove `hooksConfig.enabled`"));
    }
    faults.extend(disabled_hook_issues(settings));
    if let Some(hooks) = settings.get("hooks").and_then(Value::as_object) {
        for key in ["enabled", "disabled"].into_iter().filter(|key| hooks.contains_key(*key)) {
            let what = format!("`hooks.{key}` has no effect in this version");
            faults.push(RegistrationIssue::minor("old-key", what, format!("use `hooksConfig.{key}`, or remove it")));
        }
    }
    faults
}

/// Finds entries that disable this program's hooks by name.
pub(in crate::adapters) fn disabled_hook_issues(settings: &Value) -> Vec<RegistrationIssue> {
    let disabled = settings.pointer("/hooksConfig/disabled").and_then(Value::as_array);
    let names = disabled.into_iter().flatten().filter_map(Value::as_str);
    let ours = names.filter(|name| *name == "ruleward" || !ruleward_calls(&json!({ "command": name })).is_empty());
    ours.map(|name| {
        let what = format!("`hooksConfig.disabled` contains {name:?}, so that hook doesn't run");
        RegistrationIssue::critical("hooks-off", what, format!("remove {name:?} from `hooksConfig.disabled`"))
    })
    .collect()
}
