//! What is looked at of a plugin: is it the one that this program writes, did the host load it, and what runs after it?

use std::ffi::OsStr;
use std::path::Path;

use serde_json::Value;

use super::CheckResults;
use crate::adapters::Host;
use crate::adapters::registration::inspect::RegisteredHook;
use crate::cli::registration::{parse_registration, resolve_location};
use crate::io::platform::Platform;
use crate::io::{files, heartbeat};

/// Endings of the files that hosts take for plugins.
const ENDINGS: [&str; 2] = [".js", ".ts"];

/// Reads the registration in a plugin; `None` when it doesn't exist, or no registration.
pub(super) fn read(host: &'static Host, place: &str, items: &mut CheckResults) -> Option<Value> {
    let bytes = files::read_regular_file(Path::new(place)).ok()?;
    match parse_registration(host, &String::from_utf8_lossy(&bytes)) {
        Ok(settings) => {
            items.pass(Some(host), "settings", format!("{place} is the plugin of this version"));
            Some(settings)
        }
        Err(why) => {
            let install = format!("`ruleward install {}`", host.name);
            items.fail(Some(host), "changed-plugin", format!("{place}{why}"), install);
            None
        }
    }
}

/// Checks whether the host has loaded the plugin, and for plugins beside it.
pub(super) fn check(
    surroundings: &Platform,
    host: &'static Host,
    project: &str,
    live: &[RegisteredHook],
    items: &mut CheckResults,
) {
    let Some(plugin) = &host.registration.plugin else { return };
    let files = host.registration.files.iter();
    let own: Vec<String> =
        files.filter_map(|file| resolve_location(surroundings, host, file.location, project).ok()).collect();
    if !live.is_empty() {
        check_heartbeat(surroundings, host, &own, items);
    }
    let folders = plugin.folders.iter().filter_map(|at| resolve_location(surroundings, host, *at, project).ok());
    let mut others: Vec<String> = folders
        .flat_map(|folder| ENDINGS.map(|ending| files::list_directory(Path::new(&folder), ending)).concat())
        .map(|path| path.to_string_lossy().into_owned())
        .filter(|path| !own.contains(path))
        .collect();
    others.sort();
    others.dedup();
    if !others.is_empty() {
        let what =
            format!("{}: a plugin that runs after ruleward's can change a call that was allowed", others.join(", "));
        items.warn(Some(host), "other-hooks", what, "nothing, if you know what it does");
    }
}

/// Checks whether the host has loaded the plugin since it was written. Before a host is started for the first time,
/// there can be no sign of it.
fn check_heartbeat(surroundings: &Platform, host: &'static Host, own: &[String], items: &mut CheckResults) {
    let written = own.iter().filter_map(|path| Some((path, files::modified_and_size(Path::new(path))?.0)));
    let Some((path, written)) = written.max_by_key(|(_, written)| *written) else { return };
    let name = Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path);
    if heartbeat::last(surroundings, host.name).is_some_and(|loaded| loaded >= written) {
        items.pass(Some(host), "heartbeat", format!("{} has loaded {name}, and it could start ruleward", host.title));
    } else {
        let what =
            format!("{} has not loaded {name} since it was written: a session before that is not guarded", host.title);
        let remedy = format!("start {} once, and run `ruleward doctor {}` again", host.title, host.name);
        items.warn(Some(host), "heartbeat", what, remedy);
    }
}
