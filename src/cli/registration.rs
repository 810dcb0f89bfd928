//! What `install`, `uninstall` and `doctor` share: which hosts are here, where their settings
//! stand, and what belongs into them.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::adapters::registration::{Caller, Location, Scope, SettingsFile};
use crate::adapters::{HOSTS, Host, Row};
use crate::domain::kind::{Kind, Moments};
use crate::io::platform::{Surroundings, System};
use crate::io::{files, process};

/// How long a host may take to say its version.
const VERSION_PATIENCE: Duration = Duration::from_secs(10);

/// The version of Claude Code and its like that starts a hook without a shell.
const DIRECT_SINCE: [u32; 3] = [2, 1, 139];

/// A version, as far as its numbers go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub [u32; 3]);

impl Version {
    /// Reads the first thing in a text that looks like a version.
    pub(super) fn in_text(text: &str) -> Option<Self> {
        text.split(|character: char| !character.is_ascii_digit() && character != '.').find_map(|word| {
            let mut numbers = word.split('.').map(str::parse::<u32>);
            let three = [numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?];
            Some(Self(three))
        })
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// Returns the hosts that are on this machine.
pub(super) fn present(surroundings: &Surroundings) -> Vec<&'static Host> {
    let is_here = |host: &&&'static Host| {
        let folder = surroundings.home.as_deref().map(|home| surroundings.join(home, &[host.registration.folder]));
        process::find(surroundings, host.registration.program).is_some()
            || folder.is_some_and(|it| Path::new(&it).is_dir())
    };
    HOSTS.iter().filter(is_here).copied().collect()
}

/// Returns the version of a host that is on this machine, by its own word.
pub(super) fn version(surroundings: &Surroundings, host: &Host) -> Option<Version> {
    let program = process::find(surroundings, host.registration.program)?;
    let said = process::run(Command::new(program).arg("--version"), "", VERSION_PATIENCE).ok()?;
    Version::in_text(&said.stdout)
}

/// Returns the settings file of a scope.
pub(super) fn settings_file(host: &Host, scope: Scope) -> Result<&'static SettingsFile, String> {
    let files = host.registration.files;
    files.iter().find(|file| file.scope == scope).ok_or_else(|| {
        let known: Vec<&str> = files.iter().map(|file| file.scope.name()).collect();
        format!("{} has no `{}` settings; it has {}", host.title, scope.name(), known.join(", "))
    })
}

/// Returns where a settings file is here.
pub(super) fn path(
    surroundings: &Surroundings,
    host: &Host,
    file: &SettingsFile,
    project: &str,
) -> Result<String, String> {
    let folder = host.registration.folder;
    match file.at {
        Location::Home { variable, file } => {
            let named = variable.and_then(|name| surroundings.directory(name)).map(ToOwned::to_owned);
            let home = || surroundings.home.as_deref().map(|home| surroundings.join(home, &[folder]));
            let directory = named.or_else(home).ok_or("there is no home directory")?;
            Ok(surroundings.join(&directory, &[file]))
        }
        Location::Project(file) => Ok(surroundings.join(project, &[folder, file])),
        Location::Machine { variable, unix, macos, windows } => {
            let named = variable.and_then(|name| surroundings.directory(name));
            let fixed = match surroundings.system {
                System::Unix => unix,
                System::MacOs => macos,
                System::Windows => windows,
            };
            Ok(named.unwrap_or(fixed).to_owned())
        }
    }
}

/// Returns the files of hooks that the extensions and plugins of a host bring.
pub(super) fn bundles(surroundings: &Surroundings, host: &Host) -> Vec<String> {
    let home = surroundings.home.as_deref().map(|home| surroundings.join(home, &[host.registration.folder]));
    let folders =
        home.into_iter().flat_map(|home| ["extensions", "plugins"].map(|folder| surroundings.join(&home, &[folder])));
    let hooks = folders.flat_map(|folder| files::ending(Path::new(&folder), "hooks.json").unwrap_or_default());
    hooks.map(|path| path.to_string_lossy().into_owned()).collect()
}

/// Which events a hook is registered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Events {
    /// Those at which a rule of the policy in force looks, and the start of a session.
    Used,
    /// All that the host has.
    All,
}

/// Returns the rows of the events that a hook is registered for.
pub(super) fn rows(host: &'static Host, events: Events, used: Moments) -> Vec<&'static Row> {
    // When a session starts, a person is told what of a project's policy is not trusted.
    let wanted = |row: &&Row| events == Events::All || used.contains(row.kind) || row.kind == Kind::SessionStart;
    let known = |row: &&Row| !host.registration.never.contains(&row.wire);
    host.rows.iter().filter(wanted).filter(known).collect()
}

/// Returns the path by which the hook is called: as it is found by name where that is the same
/// file, because such a path outlives an update.
pub(super) fn own_path(surroundings: &Surroundings) -> Result<String, String> {
    let own = std::env::current_exe().map_err(|error| format!("ruleward cannot find itself: {error}"))?;
    let same = |path: &String| matches!((Path::new(path).canonicalize(), own.canonicalize()), (Ok(one), Ok(two)) if one == two);
    let found = process::find(surroundings, "ruleward").filter(|path| Path::new(path).is_absolute()).filter(same);
    let own = found.map_or_else(|| own.into_os_string().into_string(), Ok);
    own.map_err(|path| format!("the path of ruleward is not Unicode: {}", path.display()))
}

/// Returns how a host calls the hook.
pub(super) fn caller<'a>(
    surroundings: &Surroundings,
    program: &'a str,
    arguments: &'a [String],
    version: Option<Version>,
) -> Caller<'a> {
    let direct = version.is_none_or(|version| version >= Version(DIRECT_SINCE));
    Caller { program, arguments, windows: surroundings.system == System::Windows, direct }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        assert_eq!(Version::in_text("2.1.329 (Claude Code)"), Some(Version([2, 1, 329])));
        assert_eq!(Version::in_text("0.61.0\n"), Some(Version([0, 61, 0])));
        assert_eq!(Version::in_text("v1.2.3-beta.4"), Some(Version([1, 2, 3])));
        assert_eq!(Version::in_text("no version 1.2"), None);
    }
}
