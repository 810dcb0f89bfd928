//! What is looked at of a host's settings: is the hook in them, and would the host run it?

use std::path::Path;

use serde_json::Value;

use super::Items;
use crate::adapters::Host;
use crate::adapters::inspect::{Other, Registered, inspect, outlasted};
use crate::cli::registration::{Events, bundles, path, rows};
use crate::domain::kind::{Kind, Moments};
use crate::domain::policy::Policy;
use crate::domain::run::longest_wait;
use crate::io::platform::Surroundings;
use crate::io::settings::Settings;
use crate::io::{files, process};

/// Looks at all settings of a host, and returns the hooks that it would run.
pub(super) fn look(
    surroundings: &Surroundings,
    host: &'static Host,
    project: &str,
    policy: &Policy,
    items: &mut Items,
) -> Vec<Registered> {
    let used = policy.moments();
    let mut live = Vec::new();
    let mut others = Vec::new();
    let (mut found, mut in_settings, mut switched_on) = (0, false, false);
    for (place, comments) in places(surroundings, host, project) {
        let Some(settings) = opened(host, &place, comments, items) else { continue };
        let inspected = inspect(host, &settings);
        in_settings |= comments.is_some() && !inspected.registered.is_empty();
        if comments.is_some() {
            let switch = host.registration.switched_on.and_then(|(key, switch)| settings.get(key)?.get(switch));
            switched_on |= switch == Some(&Value::Bool(true));
            displaced(host, &place, &settings, &inspected.registered, &mut live, items);
        }
        for fault in inspected.faults {
            items.fault(Some(host), &place, fault);
        }
        others.extend(inspected.others.into_iter().map(|other| (place.clone(), other)));
        for hook in inspected.registered {
            found += 1;
            let faults_before = items.0.len();
            for fault in hook.faults.clone() {
                items.fault(Some(host), &place, fault);
            }
            program(surroundings, host, &place, &hook, items);
            let off =
                items.0.get(faults_before..).is_some_and(|new| new.iter().any(|item| item.state == super::State::Bad));
            if !off && !hook.faults.iter().any(|fault| fault.grave) {
                // It is judged, only not for as long as its programs may take.
                patience(host, &place, &hook, policy, items);
                live.push(hook);
            }
        }
    }
    unread(surroundings, host, items);
    let install = format!("`ruleward install {}`", host.name);
    if found == 0 {
        items.bad(Some(host), "not-registered", "ruleward is not registered: nothing is judged", install);
        return live;
    }
    if let Some((key, switch)) = host.registration.switched_on.filter(|_| !switched_on) {
        let what = format!("`{key}.{switch}` is on in no settings file: no hook runs");
        items.bad(Some(host), "hooks-off", what, &install);
    }
    coverage(host, used, &live, &install, items);
    beside(host, used, &others, items);
    if in_settings {
        trust(surroundings, host, project, items);
    }
    live
}

/// Notes the hooks that a settings file takes the place of, by lists of its own without them, at a
/// host where the last list holds.
fn displaced(
    host: &'static Host,
    place: &str,
    settings: &Value,
    registered: &[Registered],
    live: &mut Vec<Registered>,
    items: &mut Items,
) {
    if !host.registration.last_list_holds {
        return;
    }
    let lists = settings.get("hooks").and_then(Value::as_object).into_iter().flatten().filter(|(_, it)| it.is_array());
    for (event, _) in lists {
        let before = live.len();
        live.retain(|hook| hook.event != *event);
        if live.len() < before && registered.iter().all(|hook| hook.event != *event) {
            let what = format!("{place}: `hooks.{event}` takes the place of the list in which ruleward stands");
            let mend = format!("`ruleward install {} --scope extension`, which no settings file displaces", host.name);
            items.bad(Some(host), "displaced", what, mend);
        }
    }
}

/// Returns the files in which a hook may stand; for settings files, whether comments are allowed.
fn places(surroundings: &Surroundings, host: &Host, project: &str) -> Vec<(String, Option<bool>)> {
    let comments = host.registration.comments;
    let settings = host.registration.files.iter().filter_map(|file| path(surroundings, host, file.at, project).ok());
    let mut places: Vec<(String, Option<bool>)> = settings.map(|path| (path, Some(comments))).collect();
    places.extend(bundles(surroundings, host).into_iter().map(|path| (path, None)));
    places
}

fn opened(host: &'static Host, place: &str, comments: Option<bool>, items: &mut Items) -> Option<Value> {
    match Settings::open(Path::new(place), comments.unwrap_or_default()) {
        Ok(settings) => {
            settings.before()?;
            if comments.is_some() {
                items.good(Some(host), "settings", format!("{place} can be read"));
            }
            Some(settings.value())
        }
        Err(why) => {
            items.bad(Some(host), "unreadable-settings", why, "mend the file; until then none of its hooks run");
            None
        }
    }
}

/// Looks at the program that an entry calls.
fn program(surroundings: &Surroundings, host: &'static Host, place: &str, hook: &Registered, items: &mut Items) {
    let Some(program) = hook.words.first() else { return };
    let install = format!("`ruleward install {}`", host.name);
    let at = |what: String| format!("{place}: {what}");
    if !program.contains(['/', '\\']) {
        if process::find(surroundings, program).is_none() {
            items.bad(Some(host), "program-missing", at(format!("`{program}` is not on PATH")), install);
        }
    } else if !Path::new(program).is_absolute() {
        let what = at(format!("`{program}` is a relative path: from another directory it is not found"));
        items.bad(Some(host), "relative-path", what, install);
    } else if !process::is_executable(Path::new(program)) {
        let what = at(format!("{program} is not there, or cannot be run"));
        items.bad(Some(host), "program-missing", what, install);
    }
}

/// Looks whether the host waits for what the policy has run.
fn patience(host: &'static Host, place: &str, hook: &Registered, policy: &Policy, items: &mut Items) {
    let Some(row) = host.row(&hook.event) else { return };
    let wanted = longest_wait(policy.rules.iter().map(|active| &active.rule), row.kind);
    if let Some(fault) = outlasted(host, hook, wanted) {
        items.fault(Some(host), place, fault);
    }
}

/// Looks for hooks in files that the host does not read.
fn unread(surroundings: &Surroundings, host: &'static Host, items: &mut Items) {
    let Some(home) = surroundings.home.as_deref() else { return };
    for name in host.registration.unread {
        let place = surroundings.join(home, &name.split('/').collect::<Vec<_>>());
        let Ok(bytes) = files::ordinary(Path::new(&place)) else { continue };
        let Ok(value) = serde_json::from_slice::<Value>(&bytes) else { continue };
        if !inspect(host, &value).registered.is_empty() {
            let what = format!("{place} holds the hook, and {} never reads hooks there", host.title);
            items.bad(Some(host), "unread-file", what, format!("`ruleward install {}`", host.name));
        }
    }
}

/// Looks whether the hook is registered for all that the policy looks at.
fn coverage(host: &'static Host, used: Moments, live: &[Registered], install: &str, items: &mut Items) {
    let wanted = rows(host, Events::Used, used);
    let missing: Vec<_> = wanted.iter().filter(|row| !live.iter().any(|hook| hook.event == row.wire)).collect();
    let name = |rows: &[&&&crate::adapters::Row]| rows.iter().map(|row| row.wire).collect::<Vec<_>>().join(", ");
    let (calls, others): (Vec<_>, Vec<_>) = missing.iter().partition(|row| row.kind == Kind::ToolBefore);
    if !calls.is_empty() {
        let what = format!("nothing live is registered for {}: no call is refused", name(&calls));
        items.bad(Some(host), "calls-not-covered", what, install);
    }
    if !others.is_empty() {
        let what = format!("the policy has rules for {}, where ruleward is not registered", name(&others));
        items.doubtful(Some(host), "events-not-covered", what, install);
    }
    if missing.is_empty() {
        let events: Vec<&str> = wanted.iter().map(|row| row.wire).collect();
        items.good(
            Some(host),
            "coverage",
            format!("registered for all that the policy looks at: {}", events.join(", ")),
        );
    }
}

/// Looks for hooks of others at events that ruleward answers, where their answers touch.
fn beside(host: &'static Host, used: Moments, others: &[(String, Other)], items: &mut Items) {
    for row in rows(host, Events::Used, used) {
        let touching = host.registration.beside.iter().filter(|beside| beside.events.contains(&row.wire));
        let mut names: Vec<String> = others
            .iter()
            .filter(|(_, other)| other.event == row.wire)
            .map(|(place, other)| format!("`{}` ({place})", other.name))
            .collect();
        names.dedup();
        for beside in touching.filter(|_| !names.is_empty()) {
            let field = if beside.field.is_empty() { String::new() } else { format!(" of `{}`", beside.field) };
            let what = format!("{} answers {} as well{field}: {}", names.join(", "), row.wire, beside.becomes);
            let mend = match beside.so {
                "–" => "nothing, if you know it".to_owned(),
                so => format!("nothing, if you know it; ruleward {so}"),
            };
            items.doubtful(Some(host), "other-hooks", what, mend);
        }
    }
}

/// Looks whether the host trusts the project's folder, where that decides over hooks of settings.
fn trust(surroundings: &Surroundings, host: &'static Host, project: &str, items: &mut Items) {
    let Some(file) = host.registration.trusted_folders else { return };
    let place = path(surroundings, host, file, project).ok();
    let text = place.and_then(|path| files::ordinary(Path::new(&path)).ok()).unwrap_or_default();
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
        let what =
            format!("{} does not trust {project}: in a session there, hooks of settings files do not run", host.title);
        items.doubtful(
            Some(host),
            "untrusted-folder",
            what,
            format!("trust the folder, or `ruleward install {} --scope extension`", host.name),
        );
    }
}
