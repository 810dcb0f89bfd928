//! How the plugin is registered with `OpenCode`.
//!
//! Source: runs of 1.18.33. The host loads every file of its plugin folders, those of a project without a question. A
//! plugin that it cannot load is skipped, and the tools run; so the plugin reports that it was loaded.

use crate::adapters::contract::{
    BaseDirectory, ConfigLocation, Plugin, Registration, SettingsFile, SettingsScope, TimeoutUnit,
};
use crate::adapters::registration::plugin::hook_entry;

const fn config_location(file: &'static str) -> ConfigLocation {
    ConfigLocation::BaseDirectory { variables: &[], directory: BaseDirectory::XdgConfig, name: "opencode", file }
}

pub(super) const REGISTRATION: Registration = Registration {
    program: "opencode",
    config_dir: ".opencode",
    allows_comments: false,
    files: &[
        SettingsFile { scope: SettingsScope::User, location: config_location("plugins/ruleward.js") },
        SettingsFile { scope: SettingsScope::Project, location: ConfigLocation::Project("plugins/ruleward.js") },
    ],
    further_settings: &[],
    later_list_overrides: false,
    excluded_events: &[],
    non_event_keys: &[],
    timeout_unit: TimeoutUnit::Seconds,
    fail_closed: None,
    exec_form_since: None,
    enable_switch: None,
    settings_issues: |_| Vec::new(),
    shell: "sh",
    trusted_folders: None,
    consent: None,
    env_markers: &["OPENCODE"],
    package: "opencode-ai",
    disabling_variables: &[("OPENCODE_PURE", "OpenCode loads no plugins, as with `--pure`")],
    ignored_files: &[],
    hook_entry,
    hook_import: None,
    bundle: None,
    plugin: Some(Plugin {
        source: include_str!("plugin.js"),
        load_event: "plugin.loaded",
        folders: &[
            config_location("plugins"),
            config_location("plugin"),
            ConfigLocation::Project("plugins"),
            ConfigLocation::Project("plugin"),
        ],
    }),
    coexistence: super::coexistence::COEXISTENCE,
};
