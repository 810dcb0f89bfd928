//! How Claude Code is told of its hook.
//!
//! Sources: the settings reference; runs of 2.1.329. A settings file that is not strict JSON is
//! dropped as a whole and nothing is said. `timeout` counts seconds. With `args` the program is
//! started without a shell (2.1.139); `onFailure` on the entry makes a failing hook refuse
//! (2.1.295), where the event can be refused.

use serde_json::{Value, json};

use crate::adapters::Row;
use crate::adapters::inspect::Fault;
use crate::adapters::registration::{
    Bundle, Caller, Location, PATIENCE, Registration, Scope, SettingsFile, Unit, can_refuse, shell_text,
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
    last_list_holds: false,
    // A hook there has to make the worktree itself; its standard output is taken for a path.
    never: &["WorktreeCreate"],
    not_events: &[],
    unit: Unit::Seconds,
    closed_key: Some("onFailure"),
    switched_on: None,
    switches,
    shell: "sh",
    trusted_folders: None,
    marks: &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
    off_switches: &[("CLAUDE_CODE_SIMPLE", "Claude Code runs without any hooks, as with `--bare`")],
    // It looks like a settings file and is not one.
    unread: &[".claude.json", ".claude/hooks.json", ".claude/hooks/hooks.json"],
    entry,
    bundle: Bundle {
        kind: "plugin",
        kept: Location::Home { variable: Some("CLAUDE_CONFIG_DIR"), file: "plugins" },
        found_there: false,
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
    beside: super::beside::BESIDE,
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

/// What a key must be, or the host drops the whole file and says nothing.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Text,
    Number,
    Texts,
    Object,
    OneOf(&'static [&'static str]),
}

const SHAPES: &[(&str, Shape)] = &[
    ("/model", Shape::Text),
    ("/cleanupPeriodDays", Shape::Number),
    ("/env", Shape::Object),
    ("/permissions", Shape::Object),
    ("/permissions/allow", Shape::Texts),
    ("/permissions/ask", Shape::Texts),
    ("/permissions/deny", Shape::Texts),
    (
        "/permissions/defaultMode",
        Shape::OneOf(&["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto", "delegate"]),
    ),
];

fn switches(settings: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, shape) in SHAPES {
        let Some(value) = settings.pointer(path) else { continue };
        let (fits, wanted) = match shape {
            Shape::Text => (value.is_string(), "a text".to_owned()),
            Shape::Number => (value.is_number(), "a number".to_owned()),
            Shape::Texts => {
                (value.as_array().is_some_and(|it| it.iter().all(Value::is_string)), "a list of texts".to_owned())
            }
            Shape::Object => (value.is_object(), "an object".to_owned()),
            Shape::OneOf(names) => {
                (value.as_str().is_some_and(|it| names.contains(&it)), format!("one of {}", names.join(", ")))
            }
        };
        if !fits {
            let key = path.trim_start_matches('/').replace('/', ".");
            let what = format!("`{key}` is not {wanted}: Claude Code drops the whole file, with every hook in it");
            faults.push(Fault::grave("dropped-file", what, format!("mend `{key}`")));
        }
    }
    let is_on = |key: &str| settings.get(key).is_some_and(|value| *value != Value::Bool(false));
    if is_on("disableAllHooks") {
        let what = "`disableAllHooks` turns off the hooks of every settings file";
        faults.push(Fault::grave("hooks-off", what, "take `disableAllHooks` out"));
    }
    if is_on("allowManagedHooksOnly") {
        let what = "`allowManagedHooksOnly`: only hooks of the machine's own settings run";
        faults.push(Fault::light("managed-only", what, "`ruleward install claude --scope managed`"));
    }
    faults
}
