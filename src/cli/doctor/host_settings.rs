//! What is looked at of a host's settings: is the hook in them, and would the host run it?

use std::path::Path;

use serde_json::Value;

use super::CheckResults;
use crate::adapters::Host;
use crate::adapters::registration::inspect::{ForeignHook, RegisteredHook, inspect, run_timeout_issue};
use crate::cli::registration::{
    EventSelection, bundle_hook_files, parse_registration, resolve_location, selected_rows,
};
use crate::domain::event::kind::{Kind, KindSet};
use crate::domain::policy::Policy;
use crate::domain::verdict::plan::longest_wait;
use crate::io::platform::Platform;
use crate::io::settings::SettingsDocument;
use crate::io::{files, process};

/// Checks all settings of a host, and returns the hooks that it would run.
pub(super) fn check(
    surroundings: &Platform,
    host: &'static Host,
    project: &str,
    policy: &Policy,
    items: &mut CheckResults,
) -> Vec<RegisteredHook> {
    let used = policy.registered_kinds();
    let mut live = Vec::new();
    let mut others = Vec::new();
    let (mut found, mut in_settings, mut switched_on) = (0, false, false);
    for (place, comments) in settings_files(surroundings, host, project) {
        let Some(settings) = open_settings(host, &place, comments, items) else { continue };
        let inspected = inspect(host, &settings);
        in_settings |= comments.is_some() && !inspected.hooks.is_empty();
        if comments.is_some() {
            let switch = host.registration.enable_switch.and_then(|(key, switch)| settings.get(key)?.get(switch));
            switched_on |= switch == Some(&Value::Bool(true));
            check_displaced(host, &place, &settings, &inspected.hooks, &mut live, items);
        }
        for fault in inspected.issues {
            items.add_fault(Some(host), &place, fault);
        }
        others.extend(inspected.foreign_hooks.into_iter().map(|other| (place.clone(), other)));
        for hook in inspected.hooks {
            found += 1;
            let faults_before = items.0.len();
            for fault in hook.issues.clone() {
                items.add_fault(Some(host), &place, fault);
            }
            check_program(surroundings, host, &place, &hook, items);
            let off = items
                .0
                .get(faults_before..)
                .is_some_and(|new| new.iter().any(|item| item.status == super::CheckStatus::Fault));
            if !off && !hook.issues.iter().any(|fault| fault.is_critical) {
                // It is judged, only not for as long as its programs may take.
                check_timeouts(host, &place, &hook, policy, items);
                live.push(hook);
            }
        }
    }
    check_further_settings(surroundings, host, project, items);
    check_unread_files(surroundings, host, items);
    let install = format!("`ruleward install {}`", host.name);
    if found == 0 {
        items.fail(Some(host), "not-registered", "ruleward is not registered, so no calls are evaluated", install);
        return live;
    }
    if let Some((key, switch)) = host.registration.enable_switch.filter(|_| !switched_on) {
        let what = format!("`{key}.{switch}` is not enabled in any settings file, so no hooks run");
        items.fail(Some(host), "hooks-off", what, &install);
    }
    check_coverage(host, used, &live, &install, items);
    check_coexistence(host, used, &others, items);
    super::plugin::check(surroundings, host, project, &live, items);
    if in_settings {
        check_folder_trust(surroundings, host, project, items);
    }
    live
}

/// Notes the hooks that a settings file takes the place of, by lists of its own without them, at a
/// host where the last list holds.
fn check_displaced(
    host: &'static Host,
    place: &str,
    settings: &Value,
    registered: &[RegisteredHook],
    live: &mut Vec<RegisteredHook>,
    items: &mut CheckResults,
) {
    if !host.registration.later_list_overrides {
        return;
    }
    let lists = settings.get("hooks").and_then(Value::as_object).into_iter().flatten().filter(|(_, it)| it.is_array());
    for (event, _) in lists {
        let before = live.len();
        live.retain(|hook| hook.event != *event);
        if live.len() < before && registered.iter().all(|hook| hook.event != *event) {
            let what = format!("{place}: `hooks.{event}` replaces the list that contains ruleward");
            let mend = format!("`ruleward install {} --scope extension`, which no settings file replaces", host.name);
            items.fail(Some(host), "displaced", what, mend);
        }
    }
}

/// Returns the files in which a hook may be; for settings files, whether comments are allowed.
fn settings_files(surroundings: &Platform, host: &Host, project: &str) -> Vec<(String, Option<bool>)> {
    let comments = host.registration.allows_comments;
    let settings = host
        .registration
        .files
        .iter()
        .filter_map(|file| resolve_location(surroundings, host, file.location, project).ok());
    let mut places: Vec<(String, Option<bool>)> = settings.map(|path| (path, Some(comments))).collect();
    places.extend(bundle_hook_files(surroundings, host).into_iter().map(|path| (path, None)));
    places
}

fn open_settings(host: &'static Host, place: &str, comments: Option<bool>, items: &mut CheckResults) -> Option<Value> {
    if host.registration.plugin.is_some() {
        return super::plugin::read(host, place, items);
    }
    match SettingsDocument::open(Path::new(place), comments.unwrap_or_default()) {
        Ok(settings) => {
            settings.original_text()?;
            if comments.is_some() {
                items.pass(Some(host), "settings", format!("{place} is readable"));
            }
            Some(settings.value())
        }
        Err(why) => {
            items.fail(
                Some(host),
                "unreadable-settings",
                why.to_string(),
                "repair the file; its hooks won't run until you do",
            );
            None
        }
    }
}

/// Checks the program that an entry calls.
fn check_program(
    surroundings: &Platform,
    host: &'static Host,
    place: &str,
    hook: &RegisteredHook,
    items: &mut CheckResults,
) {
    let Some(program) = hook.words.first() else { return };
    let install = format!("`ruleward install {}`", host.name);
    let at = |what: String| format!("{place}: {what}");
    if !program.contains(['/', '\\']) {
        if process::find_in_path(surroundings, program).is_none() {
            items.fail(Some(host), "program-missing", at(format!("`{program}` is not on PATH")), install);
        }
    } else if !Path::new(program).is_absolute() {
        let what = at(format!("`{program}` is a relative path, which isn't found from another directory"));
        items.fail(Some(host), "relative-path", what, install);
    } else if !process::is_executable(Path::new(program)) {
        let what = at(format!("{program} doesn't exist or isn't executable"));
        items.fail(Some(host), "program-missing", what, install);
    }
}

/// Checks whether the host waits for what the policy has run.
fn check_timeouts(host: &'static Host, place: &str, hook: &RegisteredHook, policy: &Policy, items: &mut CheckResults) {
    let Some(row) = host.event_row(&hook.event) else { return };
    let wanted = longest_wait(policy.rules.iter().map(|active| &active.rule), row.kind);
    if let Some(fault) = run_timeout_issue(host, hook, wanted) {
        items.add_fault(Some(host), place, fault);
    }
}

/// Checks whether further files of settings disable hooks.
fn check_further_settings(surroundings: &Platform, host: &'static Host, project: &str, items: &mut CheckResults) {
    for location in host.registration.further_settings {
        let Ok(place) = resolve_location(surroundings, host, *location, project) else { continue };
        let Ok(bytes) = files::read_regular_file(Path::new(&place)) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let Ok(settings) = parse_registration(host, &text) else { continue };
        for fault in
            (host.registration.settings_issues)(&settings).into_iter().filter(|fault| fault.id != "dropped-file")
        {
            items.add_fault(Some(host), &place, fault);
        }
    }
}

/// Checks for hooks in files that the host does not read.
fn check_unread_files(surroundings: &Platform, host: &'static Host, items: &mut CheckResults) {
    let Some(home) = surroundings.home.as_deref() else { return };
    for name in host.registration.ignored_files {
        let place = surroundings.join(home, &name.split('/').collect::<Vec<_>>());
        let Ok(bytes) = files::read_regular_file(Path::new(&place)) else { continue };
        let Ok(value) = serde_json::from_slice::<Value>(&bytes) else { continue };
        if !inspect(host, &value).hooks.is_empty() {
            let what = format!("the hook is in {place}, where {} doesn't read hooks", host.title);
            items.fail(Some(host), "unread-file", what, format!("`ruleward install {}`", host.name));
        }
    }
}

/// Checks whether the hook is registered for all that the policy looks at.
fn check_coverage(
    host: &'static Host,
    used: KindSet,
    live: &[RegisteredHook],
    install: &str,
    items: &mut CheckResults,
) {
    let wanted = selected_rows(host, EventSelection::Used, used);
    let missing: Vec<_> = wanted.iter().filter(|row| !live.iter().any(|hook| hook.event == row.wire)).collect();
    let name = |rows: &[&&&crate::adapters::EventRow]| rows.iter().map(|row| row.wire).collect::<Vec<_>>().join(", ");
    let (calls, others): (Vec<_>, Vec<_>) = missing.iter().partition(|row| row.kind == Kind::ToolBefore);
    if !calls.is_empty() {
        let what = format!("no working hook is registered for {}, so no call is denied", name(&calls));
        items.fail(Some(host), "calls-not-covered", what, install);
    }
    if !others.is_empty() {
        let what = format!("the policy has rules for {}, but ruleward is not registered for them", name(&others));
        items.warn(Some(host), "events-not-covered", what, install);
    }
    if missing.is_empty() {
        let events: Vec<&str> = wanted.iter().map(|row| row.wire).collect();
        items.pass(
            Some(host),
            "coverage",
            format!("registered for all events that the policy uses: {}", events.join(", ")),
        );
    }
}

/// Checks for hooks of others at events that ruleward answers, where their answers touch.
fn check_coexistence(host: &'static Host, used: KindSet, others: &[(String, ForeignHook)], items: &mut CheckResults) {
    for row in selected_rows(host, EventSelection::Used, used) {
        let touching = host.registration.coexistence.iter().filter(|beside| beside.events.contains(&row.wire));
        let mut names: Vec<String> = others
            .iter()
            .filter(|(_, other)| other.event == row.wire)
            .map(|(place, other)| format!("`{}` ({place})", other.name))
            .collect();
        names.dedup();
        for beside in touching.filter(|_| !names.is_empty()) {
            let field = if beside.field.is_empty() { String::new() } else { format!(" of `{}`", beside.field) };
            let what = format!("{} answers {} as well{field}: {}", names.join(", "), row.wire, beside.resolution);
            let mend = match beside.advice {
                "–" => "nothing, if you know this hook".to_owned(),
                so => format!("nothing, if you know this hook; ruleward {so}"),
            };
            items.warn(Some(host), "other-hooks", what, mend);
        }
    }
}

/// Checks whether the host trusts the project's folder, where that decides over hooks of settings.
fn check_folder_trust(surroundings: &Platform, host: &'static Host, project: &str, items: &mut CheckResults) {
    let Some(file) = host.registration.trusted_folders else { return };
    let place = resolve_location(surroundings, host, file, project).ok();
    let text = place.and_then(|path| files::read_regular_file(Path::new(&path)).ok()).unwrap_or_default();
    let folders: Value = serde_json::from_slice(&text).unwrap_or_default();
    let trusted = folders.as_object().is_some_and(|folders| {
        folders.iter().any(|(folder, level)| match level.as_str() {
            Some("TRUST_FOLDER") => Path::new(project).starts_with(folder),
            Some("TRUST_PARENT") => {
                Path::new(folder).parent().is_some_and(|parent| Path::new(project).starts_with(parent))
            }
            _ => false,
        })
    });
    if !trusted {
        let what = format!("{} doesn't trust {project}, so hooks of settings files don't run there", host.title);
        items.warn(
            Some(host),
            "untrusted-folder",
            what,
            format!("trust the folder, or `ruleward install {} --scope extension`", host.name),
        );
    }
}
