//! How a hook is registered with Codex.
//!
//! Source: runs of 0.169.0. `hooks.json` is strict JSON with the keys `hooks` and `description`; one mistake in it and
//! none of its hooks run. `timeout` counts whole seconds; the command is run by a shell. A hook runs only after the
//! user has trusted its exact definition, except those of the machine's own settings; one that is not trusted is
//! skipped without a word. So an entry has nothing that differs from one version of ruleward to the next.

use serde_json::{Value, json};

use crate::adapters::contract::{
    Bundle, BundleVariable, ConfigLocation, EventRow, HookCommand, HookImport, Registration, RegistrationIssue,
    SettingsFile, SettingsScope, TimeoutUnit,
};
use crate::adapters::registration::{HOST_TIMEOUT_SECS, shell_command};
use crate::domain::event::kind::Kind;

const HOME_VARIABLE: Option<&str> = Some("CODEX_HOME");

pub(super) const REGISTRATION: Registration = Registration {
    program: "codex",
    config_dir: ".codex",
    allows_comments: false,
    files: &[
        SettingsFile {
            scope: SettingsScope::User,
            location: ConfigLocation::Home { variable: HOME_VARIABLE, file: "hooks.json" },
        },
        SettingsFile { scope: SettingsScope::Project, location: ConfigLocation::Project("hooks.json") },
        SettingsFile {
            scope: SettingsScope::Managed,
            location: ConfigLocation::Machine {
                variable: None,
                unix: "/etc/codex/hooks.json",
                macos: "/etc/codex/hooks.json",
                windows: r"C:\ProgramData\OpenAI\Codex\hooks.json",
            },
        },
    ],
    // They hold the switch for hooks, and may hold hooks as well.
    further_settings: &[
        ConfigLocation::Home { variable: HOME_VARIABLE, file: "config.toml" },
        ConfigLocation::Project("config.toml"),
        machine_file("/etc/codex/config.toml", r"C:\ProgramData\OpenAI\Codex\config.toml"),
        machine_file("/etc/codex/managed_config.toml", r"C:\ProgramData\OpenAI\Codex\managed_config.toml"),
        machine_file("/etc/codex/requirements.toml", r"C:\ProgramData\OpenAI\Codex\requirements.toml"),
    ],
    later_list_overrides: false,
    // Their payloads say nothing of the request, and their answers are not used.
    excluded_events: &["PreModelRequest", "PostModelRequest"],
    non_event_keys: &["state"],
    timeout_unit: TimeoutUnit::Seconds,
    fail_closed: None,
    exec_form_since: None,
    enable_switch: None,
    settings_issues,
    shell: "sh",
    trusted_folders: None,
    consent: Some(
        "Codex skips a hook that you have not trusted, and says nothing: start `codex` once, and trust the hooks that it shows",
    ),
    env_markers: &["CODEX_SANDBOX", "CODEX_THREAD_ID"],
    package: "@openai",
    disabling_variables: &[],
    // These look like settings files but are not read.
    ignored_files: &[".codex/settings.json", ".codex/hooks/hooks.json"],
    hook_entry,
    hook_import: Some(HookImport {
        bundle_variables: &[BundleVariable { name: "CLAUDE_PLUGIN_ROOT", reference: "CLAUDE_PLUGIN_ROOT" }],
    }),
    bundle: Some(Bundle {
        kind: "plugin",
        install_location: ConfigLocation::Home { variable: HOME_VARIABLE, file: "plugins" },
        is_auto_discovered: false,
        manifest: || {
            let manifest = json!({
                "name": "ruleward-guard",
                "version": env!("CARGO_PKG_VERSION"),
                "description": env!("CARGO_PKG_DESCRIPTION"),
            });
            (".codex-plugin/plugin.json", manifest)
        },
        hooks: "hooks/hooks.json",
    }),
    plugin: None,
    coexistence: super::coexistence::COEXISTENCE,
};

/// The timeout in seconds that the host has at the end of a session; it warns of a longer one.
const SESSION_END_TIMEOUT_SECS: u64 = 3;

fn hook_entry(row: &EventRow, caller: &HookCommand<'_>) -> Value {
    let timeout = if row.kind == Kind::SessionEnd { SESSION_END_TIMEOUT_SECS } else { HOST_TIMEOUT_SECS };
    json!({ "type": "command", "command": shell_command(caller), "timeout": timeout })
}

const fn machine_file(unix: &'static str, windows: &'static str) -> ConfigLocation {
    ConfigLocation::Machine { variable: None, unix, macos: unix, windows }
}

/// The keys of `hooks.json`. `config.toml` and its relatives have others, and no `hooks` at all in most cases.
const ROOT_KEYS: &[&str] = &["hooks", "description"];
/// The types of handlers.
const HANDLER_TYPES: &[&str] = &["command", "prompt", "agent", "mcp_tool", "http"];

fn settings_issues(settings: &Value) -> Vec<RegistrationIssue> {
    let mut faults = Vec::new();
    let dropped = |what: String, help: String| {
        RegistrationIssue::critical(
            "dropped-file",
            format!("{what}: Codex drops the whole file, with every hook in it"),
            help,
        )
    };
    if settings.pointer("/features/hooks") == Some(&json!(false)) {
        let what = "`features.hooks` is false: no hook runs";
        faults.push(RegistrationIssue::critical("hooks-off", what, "take `features.hooks` out"));
    }
    if settings.get("allow_managed_hooks_only") == Some(&json!(true)) {
        let what = "`allow_managed_hooks_only`: only hooks of the machine's own settings run";
        faults.push(RegistrationIssue::minor("managed-only", what, "`ruleward install codex --scope managed`"));
    }
    let hooks = settings.get("hooks").and_then(Value::as_object).into_iter().flatten();
    let groups = hooks.filter_map(|(_, groups)| groups.as_array()).flatten();
    let entries = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
    for entry in entries.clone() {
        if let Some(kind) = entry.get("type").and_then(Value::as_str).filter(|kind| !HANDLER_TYPES.contains(kind)) {
            faults.push(dropped(format!("`type: {kind}` is no type of hook"), "write `command`".to_owned()));
        }
        if let Some(timeout) = entry.get("timeout").filter(|timeout| timeout.as_u64().is_none()) {
            faults
                .push(dropped(format!("`timeout: {timeout}` is not a whole number"), "write whole seconds".to_owned()));
        }
    }
    // A file of hooks has nothing else; one of settings has tables under `hooks` in the place of lists, or none.
    if entries.count() > 0 && settings.get("features").is_none() && settings.get("model").is_none() {
        let others = settings.as_object().into_iter().flatten().filter(|(key, _)| !ROOT_KEYS.contains(&key.as_str()));
        faults.extend(
            others.map(|(key, _)| dropped(format!("`{key}` is no key of `hooks.json`"), format!("take `{key}` out"))),
        );
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::settings_issues;

    fn ids(settings: &Value) -> Vec<&'static str> {
        settings_issues(settings).iter().map(|issue| issue.id).collect()
    }

    #[test]
    fn what_drops_a_file_of_hooks_is_found() {
        let file = |entry: Value| json!({ "hooks": { "PreToolUse": [{ "hooks": [entry] }] } });
        let good = json!({ "type": "command", "command": "x", "timeout": 60 });
        assert_eq!(ids(&file(good.clone())), Vec::<&str>::new());
        assert_eq!(ids(&file(json!({ "type": "command", "command": "x", "timeout": 1.5 }))), ["dropped-file"]);
        assert_eq!(ids(&file(json!({ "type": "command", "command": "x", "timeout": "60" }))), ["dropped-file"]);
        assert_eq!(ids(&file(json!({ "type": "shell", "command": "x" }))), ["dropped-file"]);
        let mut with_schema = file(good);
        with_schema["$schema"] = json!("https://example.org");
        assert_eq!(ids(&with_schema), ["dropped-file"]);
    }

    #[test]
    fn switches_of_the_settings_are_found() {
        assert_eq!(ids(&json!({ "model": "m", "features": { "hooks": false } })), ["hooks-off"]);
        assert_eq!(ids(&json!({ "allow_managed_hooks_only": true })), ["managed-only"]);
        assert_eq!(ids(&json!({ "model": "m", "features": { "hooks": true } })), Vec::<&str>::new());
    }
}
