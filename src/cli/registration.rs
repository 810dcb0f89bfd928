//! What `install`, `uninstall` and `doctor` share: which hosts are here, where their settings
//! are, and what belongs into them.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::adapters::registration::plugin::parse_plugin;
use crate::adapters::registration::{BaseDirectory, ConfigLocation, HookCommand, SettingsFile, SettingsScope};
use crate::adapters::{EventRow, HOSTS, Host};
use crate::domain::event::kind::{Kind, KindSet};
use crate::domain::text::version::Version;
use crate::io::platform::{OsFamily, Platform};
use crate::io::{files, process, settings};

/// How long a host may take to say its version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the hosts that are on this machine.
pub(super) fn installed_hosts(surroundings: &Platform) -> Vec<&'static Host> {
    let is_here = |host: &&&'static Host| {
        let files = host.registration.files.iter().filter(|file| file.scope == SettingsScope::User);
        let mut places = files.filter_map(|file| resolve_location(surroundings, host, file.location, "").ok());
        process::find_in_path(surroundings, host.registration.program).is_some()
            // A plugin is in a folder of its own, which may not be there yet.
            || places.any(|place| {
                let above = if host.registration.plugin.is_some() { 2 } else { 1 };
                Path::new(&place).ancestors().nth(above).is_some_and(Path::is_dir)
            })
    };
    HOSTS.iter().filter(is_here).copied().collect()
}

/// Returns the version of a host that is on this machine, by its own word.
pub(super) fn installed_version(surroundings: &Platform, host: &Host) -> Option<Version> {
    let program = process::find_in_path(surroundings, host.registration.program)?;
    let said = process::run(Command::new(program).arg("--version"), b"", VERSION_TIMEOUT).ok()?;
    Version::in_text(&said.stdout)
}

/// Returns the settings file of a scope.
pub(super) fn settings_file(host: &Host, scope: SettingsScope) -> Result<&'static SettingsFile, String> {
    let files = host.registration.files;
    files.iter().find(|file| file.scope == scope).ok_or_else(|| {
        let known: Vec<&str> = files.iter().map(|file| file.scope.name()).collect();
        format!("{} has no `{}` settings; it has {}", host.title, scope.name(), known.join(", "))
    })
}

/// Returns where a file of a host is here.
pub(super) fn resolve_location(
    surroundings: &Platform,
    host: &Host,
    at: ConfigLocation,
    project: &str,
) -> Result<String, String> {
    const HOMELESS: &str = "no home directory";
    let folder = host.registration.config_dir;
    match at {
        ConfigLocation::Home { variable, file } => {
            let named = variable.and_then(|name| surroundings.env_dir(name)).map(ToOwned::to_owned);
            let home = || surroundings.home.as_deref().map(|home| surroundings.join(home, &[folder]));
            let directory = named.or_else(home).ok_or(HOMELESS)?;
            Ok(surroundings.join(&directory, &[file]))
        }
        ConfigLocation::BaseDirectory { variables, directory, name, file } => {
            let named = variables.iter().find_map(|name| surroundings.env_dir(name)).map(ToOwned::to_owned);
            let usual = || match directory {
                BaseDirectory::Config => surroundings.config_dir(name),
                BaseDirectory::Data => surroundings.data_dir(name),
                BaseDirectory::XdgConfig => {
                    let set = surroundings.env_dir("XDG_CONFIG_HOME").map(ToOwned::to_owned);
                    let usual = || surroundings.home.as_deref().map(|home| surroundings.join(home, &[".config"]));
                    set.or_else(usual).map(|config| surroundings.join(&config, &[name]))
                }
            };
            Ok(surroundings.join(&named.or_else(usual).ok_or(HOMELESS)?, &[file]))
        }
        ConfigLocation::Project(file) => Ok(surroundings.join(project, &[folder, file])),
        ConfigLocation::Machine { variable, unix, macos, windows } => {
            let named = variable.and_then(|name| surroundings.env_dir(name));
            let fixed = match surroundings.os {
                OsFamily::Unix => unix,
                OsFamily::MacOs => macos,
                OsFamily::Windows => windows,
            };
            Ok(named.unwrap_or(fixed).to_owned())
        }
    }
}

/// Returns what the text of one of a host's settings files, or of its plugin, says of hooks.
///
/// # Errors
/// Returns why the host runs no hook of it, to be put behind the name of the file.
pub(super) fn parse_registration(host: &Host, text: &str) -> Result<Value, String> {
    if host.registration.plugin.is_some() {
        return parse_plugin(host, text).map_err(|error| format!(" {error}"));
    }
    // Some hosts keep their hooks in JSON, and the rest of their settings in TOML.
    let json = settings::parse_settings(text, host.registration.allows_comments);
    json.or_else(|error| settings::parse_toml_settings(text).ok_or_else(|| error.to_string()))
}

/// Returns the files of hooks that the extensions and plugins of a host bring.
pub(super) fn bundle_hook_files(surroundings: &Platform, host: &Host) -> Vec<String> {
    let Some(bundle) = &host.registration.bundle else { return Vec::new() };
    let kept = resolve_location(surroundings, host, bundle.install_location, "");
    let hooks =
        kept.ok().and_then(|folder| files::list_recursive(Path::new(&folder), "hooks.json").ok()).unwrap_or_default();
    hooks.into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

/// Which events a hook is registered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum EventSelection {
    /// Events that rules in force use, and the start of a session.
    Used,
    /// All events of the host.
    All,
}

/// Returns the rows of the events that a hook is registered for.
pub(super) fn selected_rows(host: &'static Host, events: EventSelection, used: KindSet) -> Vec<&'static EventRow> {
    // When a session starts, a user is told what of a project's policy is not trusted.
    let wanted =
        |row: &&EventRow| events == EventSelection::All || used.contains(row.kind) || row.kind == Kind::SessionStart;
    let known = |row: &&EventRow| !host.registration.excluded_events.contains(&row.wire);
    host.events.iter().filter(wanted).filter(known).collect()
}

/// Returns the path by which the hook is called: as it is found by name where that is the same
/// file, because such a path outlives an update.
pub(super) fn program_path(surroundings: &Platform) -> Result<String, String> {
    let own = std::env::current_exe().map_err(|error| format!("the path of ruleward is unknown: {error}"))?;
    let same = |path: &String| matches!((Path::new(path).canonicalize(), own.canonicalize()), (Ok(one), Ok(two)) if one == two);
    let found =
        process::find_in_path(surroundings, "ruleward").filter(|path| Path::new(path).is_absolute()).filter(same);
    let own = found.map_or_else(|| own.into_os_string().into_string(), Ok);
    own.map_err(|path| format!("the path of ruleward is not Unicode: {}", path.display()))
}

/// Returns how a host calls the hook.
pub(super) fn hook_caller<'a>(
    surroundings: &Platform,
    host: &Host,
    program: &'a str,
    arguments: &'a [String],
    version: Option<Version>,
) -> HookCommand<'a> {
    let since = host.registration.exec_form_since;
    let direct = since.is_some_and(|since| version.is_none_or(|version| version >= since));
    HookCommand { program, arguments, is_windows: surroundings.os == OsFamily::Windows, is_direct: direct }
}
