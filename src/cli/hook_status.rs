//! Whether the host would still run the hook: the variable `guard` of policies.
//!
//! Determined only when a rule uses it, from the current settings files: the settings that a running
//! session uses are known only to the host.

use crate::adapters::judge::HookStatusQuery;
use crate::adapters::registration::inspect::{RegisteredHook, inspect};
use crate::cli::registration::{
    EventSelection, bundle_hook_files, parse_registration, resolve_location, selected_rows,
};
use crate::domain::event::kind::Kind;
use crate::domain::facts::hook_status::HookStatus;
use crate::domain::facts::script::FileSystem;
use crate::domain::shell::FileContent;
use crate::io::files::local_machine::LocalMachine;
use crate::io::platform::Platform;

/// Settings of more than so many bytes are nobody's.
const MAX_BYTES: usize = 4 << 20;

/// Checks the settings of this machine, and files that the host was given on its command line.
pub(super) fn inspect_machine(looked: &HookStatusQuery<'_>, given: &[String]) -> HookStatus {
    let surroundings = Platform::current();
    let mut bundled = bundle_hook_files(&surroundings, looked.host);
    bundled.extend_from_slice(given);
    inspect_settings(looked, &surroundings, &LocalMachine, &bundled)
}

/// Checks settings, and the files of hooks that extensions bring or the host was given.
pub(super) fn inspect_settings(
    looked: &HookStatusQuery<'_>,
    surroundings: &Platform,
    machine: &dyn FileSystem,
    bundled: &[String],
) -> HookStatus {
    let host = looked.host;
    let project = looked.project.unwrap_or_default();
    let own = host
        .registration
        .files
        .iter()
        .filter_map(|file| resolve_location(surroundings, host, file.location, project).ok());
    let (mut found, mut is_off) = (false, false);
    let mut standing = HookStatus::default();
    let mut live: Vec<RegisteredHook> = Vec::new();
    for place in own.chain(bundled.iter().cloned()) {
        let value = match machine.read(&place, MAX_BYTES) {
            FileContent::Missing => continue,
            FileContent::Text(text) => parse_registration(host, &text),
            FileContent::Binary | FileContent::TooLarge | FileContent::Unreadable => Err(" cannot be read".to_owned()),
        };
        let inspected = match value {
            Ok(value) => inspect(host, &value),
            Err(why) => {
                standing.faults.push(format!("{place}{why}: its hooks don't run"));
                continue;
            }
        };
        let grave = inspected.issues.iter().filter(|fault| fault.is_critical);
        standing.faults.extend(grave.map(|fault| format!("{place}: {}", fault.message)));
        is_off |= inspected.issues.iter().any(|fault| fault.id == "hooks-off");
        found |= !inspected.hooks.is_empty();
        if inspected.issues.iter().all(|fault| fault.id != "dropped-file") {
            live.extend(inspected.hooks.into_iter().filter(is_unconditional));
        }
    }
    // It runs now, so it is registered: by what no file says, unless the files have just changed.
    if !found && looked.kind != Kind::ConfigChange {
        standing.is_broken = is_off;
        return standing;
    }
    let missing: Vec<_> = selected_rows(host, EventSelection::Used, looked.watched_kinds)
        .into_iter()
        .filter(|row| !live.iter().any(|hook| hook.event == row.wire))
        .collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|row| row.wire).collect();
        standing.faults.push(format!("ruleward is not registered, or only in part, for {}", names.join(", ")));
    }
    standing.is_broken = is_off || missing.iter().any(|row| row.kind == Kind::ToolBefore || row.kind == looked.kind);
    standing
}

/// Returns whether the host would run an entry for all that happens.
fn is_unconditional(hook: &RegisteredHook) -> bool {
    hook.issues.iter().all(|fault| !fault.is_critical && fault.id != "narrow-matcher")
}
