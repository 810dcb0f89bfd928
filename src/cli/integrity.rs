//! What of this machine is watched for tampering: the host's settings, the policies, the program and
//! the records that permit something.

use crate::adapters::Host;
use crate::adapters::registration::loss::registration_losses;
use crate::adapters::registration::plugin::is_own_plugin;
use crate::adapters::registration::{ConfigLocation, SettingsFile};
use crate::cli::context::PolicyContext;
use crate::cli::registration::{parse_registration, resolve_location};
use crate::domain::layer::Layer;
use crate::io::integrity::{Role, SectionKeys, SectionPaths, WatchedPath, key_of};
use crate::io::platform::Platform;
use crate::io::policy::discover::candidates;
use crate::io::trust;

/// What a hook is told of where it is registered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Registered<'a> {
    /// The host.
    pub host: &'static Host,
    /// Policies that the hook's command line names.
    pub policies: &'a [String],
    /// Settings files that the host was given on its command line.
    pub settings: &'a [String],
}

/// Variables that decide where the person's files are.
const PLACE_VARIABLES: &[&str] = &["XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA"];

/// Returns the keys of what is watched: whatever decides which paths these are is in them.
pub(super) fn section_keys(platform: &Platform, registered: Registered<'_>, project: Option<&str>) -> SectionKeys {
    let value = |name: &&str| platform.env_var(name).unwrap_or_default();
    let host = registered.host;
    let home = platform.home.as_deref().unwrap_or_default();
    let machine = key_of([home].into_iter().chain(PLACE_VARIABLES.iter().map(value)));
    let variables = host.registration.files.iter().flat_map(|file| match &file.location {
        ConfigLocation::Home { variable, .. } | ConfigLocation::Machine { variable, .. } => variable.as_slice(),
        ConfigLocation::BaseDirectory { variables, .. } => variables,
        ConfigLocation::Project(_) => &[],
    });
    let given = registered.policies.iter().chain(registered.settings).map(String::as_str);
    let host_key = key_of([host.name, home].into_iter().chain(variables.map(value)).chain(given));
    let project = project.map(|project| key_of([host.name, "project", project]));
    SectionKeys { machine, host: host_key, project }
}

/// Returns the paths that are watched.
pub(super) fn section_paths(platform: &Platform, registered: Registered<'_>, here: &PolicyContext) -> SectionPaths {
    let host = registered.host;
    let project = here.place.project.as_deref();
    let mut paths = SectionPaths::default();
    for candidate in candidates(platform, project) {
        let is_project = candidate.layer.is_project();
        let list = if is_project { &mut paths.project } else { &mut paths.machine };
        let role = if is_project { Role::ProjectPolicy } else { Role::Policy };
        list.push(WatchedPath { path: candidate.path, role });
    }
    for file in here.loaded.files.iter().filter(|file| file.source.is_some()) {
        let (list, role) = match file.layer {
            Layer::Project(_) | Layer::Local(_) => (&mut paths.project, Role::ProjectPolicy),
            Layer::CommandLine => (&mut paths.host, Role::Policy),
            Layer::Managed | Layer::User | Layer::Bundled => (&mut paths.machine, Role::Policy),
        };
        list.push(WatchedPath { path: file.name.clone(), role });
    }
    paths.machine.extend(platform.programs.iter().map(|path| WatchedPath { path: path.clone(), role: Role::Program }));
    for name in ["trust", "exceptions"] {
        let store = trust::state_subdirectory(platform, name).map(|path| path.to_string_lossy().into_owned());
        paths.machine.extend(store.map(|path| WatchedPath { path, role: Role::Store }));
    }
    let settings = |path: String| WatchedPath { path, role: Role::Settings };
    let further = host.registration.further_settings.iter().copied();
    for location in host.registration.files.iter().map(|file: &SettingsFile| file.location).chain(further) {
        let is_project = matches!(location, ConfigLocation::Project(_));
        let Some(root) = (if is_project { project } else { Some("") }) else { continue };
        let Ok(path) = resolve_location(platform, host, location, root) else { continue };
        if is_project { &mut paths.project } else { &mut paths.host }.push(settings(path));
    }
    if let Some(bundle) = &host.registration.bundle
        && let Ok(folder) = resolve_location(platform, host, bundle.install_location, "")
    {
        paths.host.push(settings(platform.join(&folder, &["ruleward", bundle.hooks])));
    }
    paths.host.extend(registered.settings.iter().cloned().map(settings));
    paths
}

/// Returns how the hook is registered worse than before, when a settings file was changed.
pub(super) fn settings_losses(host: &Host, before: Option<&[u8]>, after: Option<&[u8]>) -> Vec<String> {
    let empty = || Ok(serde_json::Value::Object(serde_json::Map::new()));
    let parse = |content: Option<&[u8]>| {
        let Some(bytes) = content else { return empty() };
        let text = std::str::from_utf8(bytes).map_err(|_| ())?;
        parse_registration(host, text).map_err(|_| ())
    };
    let is_own = |content: Option<&[u8]>| content.is_some_and(|bytes| is_own_plugin(&String::from_utf8_lossy(bytes)));
    match (parse(before), parse(after)) {
        // The plugin of another version of this program is as good as one of this version; what is made of it is not.
        (Err(()), Err(()) | Ok(_)) if host.registration.plugin.is_some() && is_own(before) && before != after => {
            vec!["the plugin that starts the hook was changed".to_owned()]
        }
        (Ok(before), Ok(after)) => registration_losses(host, &before, &after),
        (Ok(before), Err(())) if !registration_losses(host, &before, &serde_json::Value::Null).is_empty() => {
            vec!["the host can no longer read it, so its hooks don't run".to_owned()]
        }
        _ => Vec::new(),
    }
}
