//! How Gemini CLI is told of its hook.
//!
//! Sources: the settings schema and the hook runner of 0.61.0; runs of it. `timeout` counts
//! milliseconds. The command goes through bash, or PowerShell on Windows; variables in any string
//! of the settings are put in when they are read. In a folder that is not trusted, entries of
//! settings files do not run, those of an extension do.

use serde_json::{Value, json};

use crate::adapters::Row;
use crate::adapters::registration::{
    Bundle, Caller, Location, PATIENCE, Registration, Scope, SettingsFile, shell_text,
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
    never: &[],
    entry,
    bundle: Bundle {
        kind: "extension",
        installed: Some("extensions"),
        manifest: || ("gemini-extension.json", json!({ "name": "ruleward", "version": env!("CARGO_PKG_VERSION") })),
        hooks: "hooks/hooks.json",
    },
};

fn entry(_: &Row, caller: &Caller<'_>) -> Value {
    json!({
        "name": "ruleward",
        "type": "command",
        "command": shell_text(caller),
        "timeout": PATIENCE * 1000,
    })
}
