//! How Claude Code is told of its hook.
//!
//! Sources: the settings reference; runs of 2.1.329. A settings file that is not strict JSON is
//! dropped as a whole and nothing is said. `timeout` counts seconds. With `args` the program is
//! started without a shell (2.1.139); `onFailure` on the entry makes a failing hook refuse
//! (2.1.295), where the event can be refused.

use serde_json::{Value, json};

use crate::adapters::Row;
use crate::adapters::registration::{
    Bundle, Caller, Location, PATIENCE, Registration, Scope, SettingsFile, can_refuse, shell_text,
};

pub(super) const REGISTRATION: Registration = Registration {
    program: "claude",
    folder: ".claude",
    comments: false,
    files: &[
        SettingsFile {
            scope: Scope::User,
            at: Location::Home { variable: Some("CLAUDE_CONFIG_DIR"), file: "settings.json" },
        },
        SettingsFile { scope: Scope::Project, at: Location::Project("settings.json") },
        SettingsFile { scope: Scope::Local, at: Location::Project("settings.local.json") },
        SettingsFile {
            scope: Scope::Managed,
            at: Location::Machine {
                variable: None,
                unix: "/etc/claude-code/managed-settings.json",
                macos: "/Library/Application Support/ClaudeCode/managed-settings.json",
                windows: r"C:\Program Files\ClaudeCode\managed-settings.json",
            },
        },
    ],
    // A hook there has to make the worktree itself; its standard output is taken for a path.
    never: &["WorktreeCreate"],
    entry,
    bundle: Bundle {
        kind: "plugin",
        installed: None,
        manifest: || {
            let manifest = json!({
                "name": "ruleward-guard",
                "version": env!("CARGO_PKG_VERSION"),
                "description": env!("CARGO_PKG_DESCRIPTION"),
            });
            (".claude-plugin/plugin.json", manifest)
        },
        hooks: "hooks/hooks.json",
    },
};

fn entry(row: &Row, caller: &Caller<'_>) -> Value {
    let mut entry = if caller.direct {
        json!({ "type": "command", "command": caller.program, "args": caller.arguments })
    } else {
        json!({ "type": "command", "command": shell_text(caller) })
    };
    if let Some(fields) = entry.as_object_mut() {
        fields.insert("timeout".into(), json!(PATIENCE));
        if can_refuse(row) {
            fields.insert("onFailure".into(), json!("block"));
        }
    }
    entry
}
