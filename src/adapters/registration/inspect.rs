//! Finds problems of a registration: settings that a host would drop, entries that it would not run,
//! not wait for, or whose answers it would ignore.
//!
//! Works on settings as values; reading files, finding programs and running them is done elsewhere.
//! How a host reacts to a mistake is documented in its contract and was observed in runs.

use core::time::Duration;

use serde_json::Value;

use super::{DEFAULT_DEADLINE_SECS, MAX_DEADLINE_SECS, TimeoutUnit, can_deny, ruleward_calls};
use crate::adapters::contract::Host;

pub use crate::adapters::contract::RegistrationIssue;
use crate::domain::text::suggest;

/// A hook of ruleward in a settings file.
#[derive(Debug, Clone, PartialEq)]
pub struct RegisteredHook {
    /// The host's name of the event.
    pub event: String,
    /// The entry.
    pub entry: Value,
    /// The words of the command: the program as written, then its arguments.
    pub words: Vec<String>,
    /// The problems found.
    pub issues: Vec<RegistrationIssue>,
}

/// A hook that is not ruleward's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignHook {
    /// The host's name of the event.
    pub event: String,
    /// Its display name: its name, otherwise its command.
    pub name: String,
}

/// The result of inspecting a settings file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inspection {
    /// The hooks of ruleward.
    pub hooks: Vec<RegisteredHook>,
    /// The hooks of others.
    pub foreign_hooks: Vec<ForeignHook>,
    /// Other problems of the file.
    pub issues: Vec<RegistrationIssue>,
}

/// Inspects the settings of a host.
pub fn inspect(host: &Host, settings: &Value) -> Inspection {
    let mut found = Inspection { issues: (host.registration.settings_issues)(settings), ..Inspection::default() };
    let Some(hooks) = settings.get("hooks") else { return found };
    let Some(events) = hooks.as_object() else {
        let mend = "make it an object of events, or run `ruleward install` to rewrite it";
        found.issues.push(RegistrationIssue::critical(
            "hooks-shape",
            "`hooks` is not an object, so no hooks of the file run",
            mend,
        ));
        return found;
    };
    for (event, groups) in events {
        let Some(groups) = groups.as_array() else {
            if !host.registration.non_event_keys.contains(&event.as_str()) {
                let what = format!("`hooks.{event}` is not a list, so its hooks don't run");
                found.issues.push(RegistrationIssue::critical(
                    "event-shape",
                    what,
                    "make it a list of groups with `hooks`",
                ));
            }
            continue;
        };
        for group in groups {
            inspect_group(host, event, group, &mut found);
        }
    }
    for event in duplicate_events(&found.hooks) {
        let what = format!("ruleward is registered more than once for {event}, so it runs and asks several times");
        found.issues.push(RegistrationIssue::minor(
            "registered-twice",
            what,
            format!("`ruleward install {}` fixes this", host.name),
        ));
    }
    found
}

fn inspect_group(host: &Host, event: &str, group: &Value, found: &mut Inspection) {
    let Some(entries) = group.get("hooks").and_then(Value::as_array) else {
        if !ruleward_calls(group).is_empty() {
            let what = format!(
                "`hooks.{event}` contains the hook itself instead of a group with `hooks`, so the host doesn't run it"
            );
            found.issues.push(RegistrationIssue::critical(
                "flat-entry",
                what,
                format!("`ruleward install {}`", host.name),
            ));
        }
        return;
    };
    if group.get("matcher").is_some_and(Value::is_array) {
        let what = format!("a `matcher` of `hooks.{event}` is a list, so the host ignores the whole file");
        found.issues.push(RegistrationIssue::critical("matcher-list", what, "join the names with `|`"));
    }
    for entry in entries {
        if entry.get("type").and_then(Value::as_str).is_none() {
            let what =
                format!("an entry of `hooks.{event}` has no `type`, so the host ignores it, and possibly others");
            found.issues.push(RegistrationIssue::critical("entry-type", what, "add a `type`, such as `command`"));
        }
        let calls = ruleward_calls(entry);
        if calls.is_empty() {
            let name = ["name", "command", "url", "prompt", "tool"].iter().find_map(|key| entry.get(key)?.as_str());
            let name = name.unwrap_or("a hook without a name").to_owned();
            found.foreign_hooks.push(ForeignHook { event: event.to_owned(), name });
        }
        for words in calls {
            let Some(named) = words.get(1).filter(|word| *word == "hook").and_then(|_| words.get(2)) else { continue };
            let mut faults = entry_issues(host, event, group, entry);
            if named != host.name {
                let what = format!("for {event} it runs `hook {named}`, but this is {}", host.title);
                faults.push(RegistrationIssue::critical(
                    "wrong-host",
                    what,
                    format!("`ruleward install {}`", host.name),
                ));
            }
            found.hooks.push(RegisteredHook {
                event: event.to_owned(),
                entry: entry.clone(),
                words: words.clone(),
                issues: faults,
            });
        }
    }
}

/// Returns the problems of one entry.
fn entry_issues(host: &Host, event: &str, group: &Value, entry: &Value) -> Vec<RegistrationIssue> {
    let again = format!("`ruleward install {}`", host.name);
    let mut faults = Vec::new();
    let mut add = |fault: Option<RegistrationIssue>| faults.extend(fault);
    let row = host.event_row(event);
    add(row.is_none().then(|| {
        let known = host.events.iter().map(|row| row.wire);
        let near = suggest::nearest(event, known).map(|near| format!(", did you mean {near}?")).unwrap_or_default();
        RegistrationIssue::critical("unknown-event", format!("{} has no event {event}{near}", host.title), &again)
    }));
    add(host.registration.excluded_events.contains(&event).then(|| {
        RegistrationIssue::critical(
            "never-event",
            format!("{event} is not for this hook: the host interprets any answer differently, or ignores it"),
            &again,
        )
    }));
    add(matcher_issue(event, group, &again));
    add(entry.get("if").map(|condition| {
        RegistrationIssue::critical(
            "entry-if",
            format!("`if: {condition}` hides calls from ruleward"),
            "remove `if`; the policy decides",
        )
    }));
    for key in ["async", "asyncRewake"] {
        add((entry.get(key) == Some(&Value::Bool(true))).then(|| {
            RegistrationIssue::critical(
                "async-entry",
                format!("`{key}` at {event}: the host does not wait for the answer"),
                format!("remove `{key}`"),
            )
        }));
    }
    add(timeout_issue(host, event, entry, &again));
    if let Some(key) = host.registration.fail_closed.map(|setting| setting.key).filter(|_| row.is_some_and(can_deny)) {
        let misplaced = group.get(key).is_some();
        add((entry.get(key).and_then(Value::as_str) != Some("block")).then(|| {
            let hint = if misplaced { "; it has no effect on the group" } else { "" };
            RegistrationIssue::minor(
                "fails-open",
                format!("{event} has no `{key}: block`, so calls proceed if the hook can't run{hint}"),
                &again,
            )
        }));
    }
    faults
}

/// Returns an issue when a group covers only some events.
fn matcher_issue(event: &str, group: &Value, again: &str) -> Option<RegistrationIssue> {
    let matcher = group.get("matcher")?.as_str()?.trim();
    if matches!(matcher, "" | "*" | ".*") {
        return None;
    }
    let what = format!("`matcher: {matcher:?}` at {event}: calls that it doesn't match are not evaluated");
    Some(RegistrationIssue::minor(
        "narrow-matcher",
        what,
        format!("{again} registers for all calls; the policy decides"),
    ))
}

/// Returns an issue when the host's timeout is shorter than the hook's own deadline.
fn timeout_issue(host: &Host, event: &str, entry: &Value, again: &str) -> Option<RegistrationIssue> {
    let given = entry.get("timeout")?;
    let unit = host.registration.timeout_unit;
    let wrong = |what: String| Some(RegistrationIssue::critical("timeout", what, again));
    let Some(number) = given.as_f64() else {
        return wrong(format!("`timeout: {given}` at {event} is not a number, so the host ignores the hook"));
    };
    let seconds = unit.to_seconds(number);
    let (name, other) = match unit {
        TimeoutUnit::Seconds => ("seconds", "milliseconds"),
        TimeoutUnit::Milliseconds => ("milliseconds", "seconds"),
    };
    if number <= 0.0 || number > unit.max() {
        return wrong(format!("`timeout: {given}` at {event}: the host stops waiting at once, and the call proceeds"));
    }
    let deadline = deadline_seconds(entry);
    if seconds <= deadline {
        return wrong(format!(
            "`timeout: {given}` at {event} is in {name}: the host stops waiting before the hook's own deadline of {deadline} s, and the call proceeds; did you mean {other}?"
        ));
    }
    (seconds > 600.0).then(|| {
        let what = format!("`timeout: {given}` at {event} is in {name}; did you mean {other}?");
        RegistrationIssue::minor("timeout-unit", what, again)
    })
}

/// Returns an issue when the host's timeout is shorter than the time that a policy's programs may take at a
/// hook's event.
pub fn run_timeout_issue(host: &Host, hook: &RegisteredHook, wanted: Duration) -> Option<RegistrationIssue> {
    let given = hook.entry.get("timeout")?;
    let seconds = host.registration.timeout_unit.to_seconds(given.as_f64()?);
    let deadline = deadline_seconds(&hook.entry);
    let latest = (deadline + wanted.as_secs_f64()).min(f64::from(MAX_DEADLINE_SECS).max(deadline));
    // A timeout that is too short in any case is already reported.
    if wanted.is_zero() || seconds > latest || hook.issues.iter().any(|fault| fault.id == "timeout") {
        return None;
    }
    let closed = host.registration.fail_closed.is_some_and(|it| hook.entry.get(it.key) == Some(&"block".into()));
    let so = if closed { "refuses" } else { "proceeds without an answer" };
    let what = format!(
        "`timeout: {given}` at {}: the policy's programs may take {} s, but the host {so} before that",
        hook.event,
        wanted.as_secs_f64()
    );
    Some(RegistrationIssue {
        id: "short-timeout",
        is_critical: !closed,
        message: what,
        help: format!("`ruleward install {}`", host.name),
    })
}

fn deadline_seconds(entry: &Value) -> f64 {
    let words = ruleward_calls(entry).into_iter().flatten().collect::<Vec<_>>();
    let at = words.iter().position(|word| word == "--deadline").and_then(|at| words.get(at + 1));
    let inline = words.iter().find_map(|word| word.strip_prefix("--deadline="));
    at.map(String::as_str).or(inline).and_then(|text| text.parse().ok()).unwrap_or(f64::from(DEFAULT_DEADLINE_SECS))
}

/// Returns the events that have more than one entry.
fn duplicate_events(registered: &[RegisteredHook]) -> Vec<String> {
    let mut events: Vec<&String> = registered.iter().map(|hook| &hook.event).collect();
    events.sort();
    let mut twice: Vec<String> = events
        .windows(2)
        .filter_map(|pair| pair.first().filter(|_| pair.first() == pair.last()))
        .map(|it| (*it).clone())
        .collect();
    twice.dedup();
    twice
}
