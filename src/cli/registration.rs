//! What `install`, `uninstall` and `doctor` share: which hosts are here, where their settings
//! stand, and what belongs into them.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::adapters::registration::{Caller, Location, Scope, SettingsFile, Standard};
use crate::adapters::{HOSTS, Host, Row};
use crate::domain::kind::{Kind, Moments};
use crate::domain::version::Version;
use crate::io::platform::{Surroundings, System};
use crate::io::{files, process};

/// How long a host may take to say its version.
const VERSION_PATIENCE: Duration = Duration::from_secs(10);

/// The version of Claude Code and its like that starts a hook without a shell.
const DIRECT_SINCE: [u32; 3] = [2, 1, 139];

/// Returns the hosts that are on this machine.
pub(super) fn present(surroundings: &Surroundings) -> Vec<&'static Host> {
    let is_here = |host: &&&'static Host| {
        let files = host.registration.files.iter().filter(|file| file.scope == Scope::User);
        let mut places = files.filter_map(|file| path(surroundings, host, file.at, "").ok());
        process::find(surroundings, host.registration.program).is_some()
            || places.any(|place| Path::new(&place).parent().is_some_and(Path::is_dir))
    };
    HOSTS.iter().filter(is_here).copied().collect()
}

/// Returns the version of a host that is on this machine, by its own word.
pub(super) fn version(surroundings: &Surroundings, host: &Host) -> Option<Version> {
    let program = process::find(surroundings, host.registration.program)?;
    let said = process::run(Command::new(program).arg("--version"), b"", VERSION_PATIENCE).ok()?;
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

/// Returns where a file of a host is here.
pub(super) fn path(surroundings: &Surroundings, host: &Host, at: Location, project: &str) -> Result<String, String> {
    const HOMELESS: &str = "there is no home directory";
    let folder = host.registration.folder;
    match at {
        Location::Home { variable, file } => {
            let named = variable.and_then(|name| surroundings.directory(name)).map(ToOwned::to_owned);
            let home = || surroundings.home.as_deref().map(|home| surroundings.join(home, &[folder]));
            let directory = named.or_else(home).ok_or(HOMELESS)?;
            Ok(surroundings.join(&directory, &[file]))
        }
        Location::Standard { variables, directory, name, file } => {
            let named = variables.iter().find_map(|name| surroundings.directory(name)).map(ToOwned::to_owned);
            let usual = || match directory {
                Standard::Config => surroundings.settings_of(name),
                Standard::Data => surroundings.data_of(name),
            };
            Ok(surroundings.join(&named.or_else(usual).ok_or(HOMELESS)?, &[file]))
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
    let kept = path(surroundings, host, host.registration.bundle.kept, "");
    let hooks = kept.ok().and_then(|folder| files::ending(Path::new(&folder), "hooks.json").ok()).unwrap_or_default();
    hooks.into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
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
