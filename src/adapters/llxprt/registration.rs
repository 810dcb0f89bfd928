//! How a hook is registered with llxprt-code.
//!
//! Source: the settings schema, the storage paths and the hook runner of 0.11.0. `timeout` counts
//! milliseconds; the command is run by bash, or PowerShell on Windows. Hooks are off unless
//! `hooksConfig.enabled` is set. A later settings file's list for an event replaces an earlier
//! one's. In a folder that is not trusted, entries of settings files do not run.

use serde_json::{Value, json};

use crate::adapters::contract::{
    BaseDirectory, Bundle, ConfigLocation, Registration, RegistrationIssue, SettingsFile, SettingsScope, TimeoutUnit,
};
use crate::adapters::gemini::{disabled_hook_issues, hook_entry};

const CONFIG: ConfigLocation = config_location("settings.json");

const fn config_location(file: &'static str) -> ConfigLocation {
    ConfigLocation::BaseDirectory {
        variables: &["LLXPRT_CONFIG_HOME"],
        directory: BaseDirectory::Config,
        name: "llxprt-code",
        file,
    }
}

pub(super) const REGISTRATION: Registration = Registration {
    program: "llxprt",
    config_dir: ".llxprt",
    allows_comments: true,
    files: &[
        SettingsFile { scope: SettingsScope::User, location: CONFIG },
        SettingsFile { scope: SettingsScope::Project, location: ConfigLocation::Project("settings.json") },
        SettingsFile {
            scope: SettingsScope::Managed,
            location: ConfigLocation::Machine {
                variable: Some("LLXPRT_SYSTEM_SETTINGS_PATH"),
                unix: "/etc/llxprt-code/settings.json",
                macos: "/Library/Application Support/LlxprtCode/settings.json",
                windows: r"C:\ProgramData\llxprt-code\settings.json",
            },
        },
    ],
    further_settings: &[],
    later_list_overrides: true,
    excluded_events: &[],
    non_event_keys: &["enabled", "disabled", "notifications"],
    timeout_unit: TimeoutUnit::Milliseconds,
    fail_closed: None,
    exec_form_since: None,
    enable_switch: Some(("hooksConfig", "enabled")),
    settings_issues,
    shell: "bash",
    trusted_folders: Some(config_location("trustedFolders.json")),
    consent: None,
    env_markers: &["LLXPRT_CODE", "LLXPRT_CLI"],
    package: "llxprt-code",
    disabling_variables: &[],
    // The settings files of earlier versions; they are copied from there once.
    ignored_files: &[".llxprt/settings.json", ".llxprt/hooks.json", ".llxprt/hooks/hooks.json"],
    hook_entry,
    hook_import: None,
    bundle: Some(Bundle {
        kind: "extension",
        install_location: ConfigLocation::BaseDirectory {
            variables: &["LLXPRT_DATA_HOME", "LLXPRT_CONFIG_HOME"],
            directory: BaseDirectory::Data,
            name: "llxprt-code",
            file: "extensions",
        },
        is_auto_discovered: true,
        manifest: || ("llxprt-extension.json", json!({ "name": "ruleward", "version": env!("CARGO_PKG_VERSION") })),
        hooks: "hooks/hooks.json",
    }),
    plugin: None,
    coexistence: super::coexistence::COEXISTENCE,
};

fn settings_issues(settings: &Value) -> Vec<RegistrationIssue> {
    let mut faults = disabled_hook_issues(settings);
    for key in ["/hooksConfig/enabled", "/tools/enableHooks"] {
        if settings.pointer(key).is_some_and(|value| *value != Value::Bool(true)) {
            let key = key.trim_start_matches('/').replace('/', ".");
            let what = format!("`{key}` is off, so no hooks run");
            faults.push(RegistrationIssue::critical("hooks-off", what, format!("set `{key}` to true")));
        }
    }
    faults
}
