//! How a hook is registered with a host: its settings files, its entries, and what disables them.

use serde_json::Value;

use super::EventRow;
use crate::domain::text::version::Version;

/// How a hook is registered with a host.
#[derive(Debug)]
pub struct Registration {
    /// The name of the host's program.
    pub program: &'static str,
    /// The directory below the user's home that shows that the host has been used here.
    pub config_dir: &'static str,
    /// Whether its settings files may contain comments; the host drops a whole file that it cannot parse.
    pub allows_comments: bool,
    /// Its settings files.
    pub files: &'static [SettingsFile],
    /// Further files that the host reads settings from, and that can disable hooks.
    pub further_settings: &'static [ConfigLocation],
    /// Whether a later file's list for an event replaces an earlier one's.
    pub later_list_overrides: bool,
    /// Events that are never registered: an empty answer is not neutral there, or no answer is used and the payload
    /// says nothing that a policy could judge.
    pub excluded_events: &'static [&'static str],
    /// Keys of `hooks` that are not events.
    pub non_event_keys: &'static [&'static str],
    /// The unit of `timeout`.
    pub timeout_unit: TimeoutUnit,
    /// How a failing hook can be made to refuse.
    pub fail_closed: Option<FailClosed>,
    /// The first version that starts a hook without a shell, if any does.
    pub exec_form_since: Option<Version>,
    /// The switch, as a key and a nested key, that must be on for hooks to run at all.
    pub enable_switch: Option<(&'static str, &'static str)>,
    /// Finds settings that disable hooks or make the host drop the file.
    pub settings_issues: fn(&Value) -> Vec<RegistrationIssue>,
    /// The shell that runs an entry's text, except on Windows.
    pub shell: &'static str,
    /// The file that lists trusted folders, if hooks of settings files need trust.
    pub trusted_folders: Option<ConfigLocation>,
    /// What a user has to do before the host runs a hook of the user's or the project's settings, if anything.
    pub consent: Option<&'static str>,
    /// Environment variables that its tools set for the processes they start.
    pub env_markers: &'static [&'static str],
    /// The package that contains it, if its program's file is not named after it.
    pub package: &'static str,
    /// Environment variables that disable hooks, and how.
    pub disabling_variables: &'static [(&'static str, &'static str)],
    /// Files below the user's home whose hooks are never read, although users put some there.
    pub ignored_files: &'static [&'static str],
    /// Builds the entry for an event.
    pub hook_entry: fn(&EventRow, &HookCommand<'_>) -> Value,
    /// How a policy runs programs that were written as its hooks; `None` if it cannot.
    pub hook_import: Option<HookImport>,
    /// The extension or plugin folder that distributes the hook, if the host has such a thing.
    pub bundle: Option<Bundle>,
    /// The plugin that starts the hook, where the host has no hooks in its settings: `files` are then the places of
    /// this one file.
    pub plugin: Option<Plugin>,
    /// How the answers of several hooks are combined.
    pub coexistence: &'static [Coexistence],
}

/// How a failing hook can be made to refuse.
#[derive(Debug, Clone, Copy)]
pub struct FailClosed {
    /// The key of an entry that enables it.
    pub key: &'static str,
    /// The first version that reads it.
    pub since: Version,
}

/// Data for importing hooks from a host's settings.
#[derive(Debug)]
pub struct HookImport {
    /// The variables that hold the folder of a plugin or an extension.
    pub bundle_variables: &'static [BundleVariable],
}

/// A variable that holds the folder of a plugin or an extension.
#[derive(Debug)]
pub struct BundleVariable {
    /// Its name.
    pub name: &'static str,
    /// The text in a command that certainly refers to it.
    pub reference: &'static str,
}

/// How the answers of several hooks of one event are combined.
#[derive(Debug)]
pub struct Coexistence {
    /// The host's names of the events; empty for every event.
    pub events: &'static [&'static str],
    /// The field it applies to; "" for the whole answer.
    pub field: &'static str,
    /// How they are combined.
    pub resolution: &'static str,
    /// What ruleward does about it, or a user can do.
    pub advice: &'static str,
}

/// The unit of a host's `timeout`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

impl TimeoutUnit {
    /// Converts a number of this unit to seconds.
    pub fn to_seconds(self, number: f64) -> f64 {
        match self {
            Self::Seconds => number,
            Self::Milliseconds => number / 1000.0,
        }
    }

    /// Returns the largest number that a host's timer supports.
    pub const fn max(self) -> f64 {
        match self {
            Self::Seconds => 2_147_483.0,
            Self::Milliseconds => 2_147_483_647.0,
        }
    }
}

/// One settings file of a host.
#[derive(Debug)]
pub struct SettingsFile {
    /// Its scope.
    pub scope: SettingsScope,
    /// Where it is.
    pub location: ConfigLocation,
}

/// The scope of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsScope {
    /// The user, in every project.
    User,
    /// Everyone who works on the project.
    Project,
    /// The user, in this checkout.
    Local,
    /// Everyone who uses the machine.
    Managed,
}

impl SettingsScope {
    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
        }
    }
}

/// Where a settings file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfigLocation {
    /// In the host's directory below the user's home, or in the directory that a variable names.
    Home {
        /// The variable, if any.
        variable: Option<&'static str>,
        /// The file.
        file: &'static str,
    },
    /// In the host's directory among the system's directories for programs, or in the directory that one
    /// of these variables names.
    BaseDirectory {
        /// The variables; the first one that is set is used.
        variables: &'static [&'static str],
        /// Which of the system's directories.
        directory: BaseDirectory,
        /// The host's directory in it.
        name: &'static str,
        /// The file.
        file: &'static str,
    },
    /// In the host's directory of the project.
    Project(&'static str),
    /// At a fixed path of the machine, or at the path that a variable names.
    Machine {
        /// The variable, if any.
        variable: Option<&'static str>,
        /// The path on Linux and other Unix systems.
        unix: &'static str,
        /// The path on macOS.
        macos: &'static str,
        /// The path on Windows.
        windows: &'static str,
    },
}

/// A kind of directory that systems reserve for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseDirectory {
    /// Configuration.
    Config,
    /// Data.
    Data,
    /// Configuration by the rules of Linux on every system: `$XDG_CONFIG_HOME` or `~/.config`.
    XdgConfig,
}

/// The command line of the hook.
#[derive(Debug, Clone, Copy)]
pub struct HookCommand<'a> {
    /// The program: an absolute path, or a name to look up.
    pub program: &'a str,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Whether the host runs on Windows.
    pub is_windows: bool,
    /// Whether the host starts the program directly instead of through a shell, if it supports both.
    pub is_direct: bool,
}

/// A folder that distributes the hook to others.
#[derive(Debug)]
pub struct Bundle {
    /// The host's word for it: `extension`, `plugin`.
    pub kind: &'static str,
    /// Where the host installs it.
    pub install_location: ConfigLocation,
    /// Whether the host finds it there by itself; otherwise the user adds it with a command of the host.
    pub is_auto_discovered: bool,
    /// The manifest: its path in the folder, and its content.
    pub manifest: fn() -> (&'static str, Value),
    /// The path of the hooks in the folder.
    pub hooks: &'static str,
}

/// A file of a host's own language that starts the hook for each event, and does what it answers.
#[derive(Debug)]
pub struct Plugin {
    /// Its text, with an empty `COMMAND` and `EVENTS`.
    pub source: &'static str,
    /// The event that it reports when the host has loaded it.
    pub load_event: &'static str,
    /// Folders in which the host finds plugins of others; those that run later can change a call that was allowed.
    pub folders: &'static [ConfigLocation],
}

/// A problem of a registration, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationIssue {
    /// Its machine-readable id.
    pub id: &'static str,
    /// Whether it disables the guard or leaves a gap.
    pub is_critical: bool,
    /// What is wrong, and how the host reacts to it.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl RegistrationIssue {
    pub(in crate::adapters) fn critical(id: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, is_critical: true, message: what.into(), help: mend.into() }
    }

    pub(in crate::adapters) fn minor(id: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, is_critical: false, message: what.into(), help: mend.into() }
    }
}
