//! How a hook is registered with Claude Code.
//!
//! Sources: the settings reference; runs of 2.1.329. A settings file that is not strict JSON is
//! dropped as a whole without a message. `timeout` counts seconds. With `args` the program is
//! started without a shell (2.1.139); `onFailure` on the entry makes a failing hook refuse
//! (2.1.295), where the event can be refused.

use serde_json::{Value, json};

use crate::adapters::contract::{
    Bundle, BundleVariable, ConfigLocation, EventRow, FailClosed, HookCommand, HookImport, Registration,
    RegistrationIssue, SettingsFile, SettingsScope, TimeoutUnit,
};
use crate::adapters::registration::{HOST_TIMEOUT_SECS, can_deny, shell_command};
use crate::domain::text::version::Version;

pub(super) const REGISTRATION: Registration = Registration {
    program: "claude",
    config_dir: ".claude",
    allows_comments: false,
    files: &[
        SettingsFile {
            scope: SettingsScope::User,
            location: ConfigLocation::Home { variable: Some("CLAUDE_CONFIG_DIR"), file: "settings.json" },
        },
        SettingsFile { scope: SettingsScope::Project, location: ConfigLocation::Project("settings.json") },
        SettingsFile { scope: SettingsScope::Local, location: ConfigLocation::Project("settings.local.json") },
        SettingsFile {
            scope: SettingsScope::Managed,
            location: ConfigLocation::Machine {
                variable: None,
                unix: "/etc/claude-code/managed-settings.json",
                macos: "/Library/Application Support/ClaudeCode/managed-settings.json",
                windows: r"C:\Program Files\ClaudeCode\managed-settings.json",
            },
        },
    ],
    // The user's settings for the home directory as a checkout, and what a server of the company sends.
    further_settings: &[
        ConfigLocation::Home { variable: Some("CLAUDE_CONFIG_DIR"), file: "settings.local.json" },
        ConfigLocation::Home { variable: Some("CLAUDE_CONFIG_DIR"), file: "remote-settings.json" },
    ],
    later_list_overrides: false,
    // A hook there has to create the worktree itself; its standard output is read as a path.
    excluded_events: &["WorktreeCreate"],
    non_event_keys: &[],
    timeout_unit: TimeoutUnit::Seconds,
    fail_closed: Some(FailClosed { key: "onFailure", since: Version([2, 1, 295]) }),
    exec_form_since: Some(Version([2, 1, 139])),
    enable_switch: None,
    settings_issues,
    shell: "sh",
    trusted_folders: None,
    consent: None,
    env_markers: &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
    package: "claude-code",
    disabling_variables: &[("CLAUDE_CODE_SIMPLE", "Claude Code runs without hooks, as with `--bare`")],
    // These look like settings files but are not read.
    ignored_files: &[".claude.json", ".claude/hooks.json", ".claude/hooks/hooks.json"],
    hook_entry,
    hook_import: Some(HookImport {
        bundle_variables: &[BundleVariable { name: "CLAUDE_PLUGIN_ROOT", reference: "CLAUDE_PLUGIN_ROOT" }],
    }),
    bundle: Some(Bundle {
        kind: "plugin",
        install_location: ConfigLocation::Home { variable: Some("CLAUDE_CONFIG_DIR"), file: "plugins" },
        is_auto_discovered: false,
        manifest: || {
            let manifest = json!({
                "name": "ruleward-guard",
                "version": env!("CARGO_PKG_VERSION"),
                "description": env!("CARGO_PKG_DESCRIPTION"),
            });
            (".claude-plugin/plugin.json", manifest)
        },
        hooks: "hooks/hooks.json",
    }),
    plugin: None,
    coexistence: super::coexistence::COEXISTENCE,
};

fn hook_entry(row: &EventRow, caller: &HookCommand<'_>) -> Value {
    let mut entry = if caller.is_direct {
        json!({ "type": "command", "command": caller.program, "args": caller.arguments })
    } else {
        json!({ "type": "command", "command": shell_command(caller) })
    };
    if let Some(fields) = entry.as_object_mut() {
        fields.insert("timeout".into(), json!(HOST_TIMEOUT_SECS));
        if can_deny(row) {
            fields.insert("onFailure".into(), json!("block"));
        }
    }
    entry
}

/// The type that a key must have; otherwise the host drops the whole file without a message.
#[derive(Debug, Clone, Copy)]
enum ValueType {
    Text,
    Number,
    Texts,
    Object,
    OneOf(&'static [&'static str]),
}

const SETTING_TYPES: &[(&str, ValueType)] = &[
    ("/model", ValueType::Text),
    ("/cleanupPeriodDays", ValueType::Number),
    ("/env", ValueType::Object),
    ("/permissions", ValueType::Object),
    ("/permissions/allow", ValueType::Texts),
    ("/permissions/ask", ValueType::Texts),
    ("/permissions/deny", ValueType::Texts),
    (
        "/permissions/defaultMode",
        ValueType::OneOf(&["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto", "delegate"]),
    ),
];

fn settings_issues(settings: &Value) -> Vec<RegistrationIssue> {
    let mut faults = Vec::new();
    for (path, shape) in SETTING_TYPES {
        let Some(value) = settings.pointer(path) else { continue };
        let (fits, wanted) = match shape {
            ValueType::Text => (value.is_string(), "a string".to_owned()),
            ValueType::Number => (value.is_number(), "a number".to_owned()),
            ValueType::Texts => {
                (value.as_array().is_some_and(|it| it.iter().all(Value::is_string)), "a list of strings".to_owned())
            }
            ValueType::Object => (value.is_object(), "an object".to_owned()),
            ValueType::OneOf(names) => {
                (value.as_str().is_some_and(|it| names.contains(&it)), format!("one of {}", names.join(", ")))
            }
        };
        if !fits {
            let key = path.trim_start_matches('/').replace('/', ".");
            let what = format!("`{key}` is not {wanted}: Claude Code ignores the whole file and its hooks");
            faults.push(RegistrationIssue::critical("dropped-file", what, format!("fix `{key}`")));
        }
    }
    let is_on = |key: &str| settings.get(key).is_some_and(|value| *value != Value::Bool(false));
    if is_on("disableAllHooks") {
        let what = "`disableAllHooks` disables the hooks of all settings files";
        faults.push(RegistrationIssue::critical("hooks-off", what, "remove `disableAllHooks`"));
    }
    if is_on("allowManagedHooksOnly") {
        let what = "`allowManagedHooksOnly`: only hooks in managed settings run";
        faults.push(RegistrationIssue::minor("managed-only", what, "`ruleward install claude --scope managed`"));
    }
    faults
}
