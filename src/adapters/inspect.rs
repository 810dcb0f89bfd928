//! What is wrong with a registration: settings that a host would drop, entries that it would not
//! run, would not wait for, or would run and not listen to.
//!
//! Works on settings as values; reading the files, finding programs and running them is not its
//! business. What a host makes of a mistake stands in its contract and was seen in runs of it.

use core::time::Duration;

use serde_json::Value;

use super::Host;
use super::registration::{DEADLINE, LATEST, Unit, calls, can_refuse};
use crate::domain::suggest;

/// Something wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its name, for programs.
    pub id: &'static str,
    /// Whether the guard is off, or has a hole, because of it.
    pub grave: bool,
    /// What is wrong and what the host makes of it.
    pub what: String,
    /// What to do.
    pub mend: String,
}

impl Fault {
    pub(super) fn grave(id: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, grave: true, what: what.into(), mend: mend.into() }
    }

    pub(super) fn light(id: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, grave: false, what: what.into(), mend: mend.into() }
    }
}

/// A hook of ruleward in a settings file.
#[derive(Debug, Clone, PartialEq)]
pub struct Registered {
    /// The host's name of the event.
    pub event: String,
    /// The entry.
    pub entry: Value,
    /// The words of the call: the program as written, then its arguments.
    pub words: Vec<String>,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

/// A hook that is not ruleward's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// The host's name of the event.
    pub event: String,
    /// How people know it: its name, or else what it calls.
    pub name: String,
}

/// What stands in a settings file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inspected {
    /// The hooks of ruleward.
    pub registered: Vec<Registered>,
    /// The hooks of others.
    pub others: Vec<Other>,
    /// What is wrong with the file apart from them.
    pub faults: Vec<Fault>,
}

/// Looks through the settings of a host.
pub fn inspect(host: &Host, settings: &Value) -> Inspected {
    let mut found = Inspected { faults: (host.registration.switches)(settings), ..Inspected::default() };
    let Some(hooks) = settings.get("hooks") else { return found };
    let Some(events) = hooks.as_object() else {
        let mend = "make it an object of events, or let `ruleward install` write it anew";
        found.faults.push(Fault::grave("hooks-shape", "`hooks` is not an object, so no hook of the file runs", mend));
        return found;
    };
    for (event, groups) in events {
        let Some(groups) = groups.as_array() else {
            if !host.registration.not_events.contains(&event.as_str()) {
                let what = format!("`hooks.{event}` is not a list, so its hooks do not run");
                found.faults.push(Fault::grave("event-shape", what, "make it a list of groups, each with `hooks`"));
            }
            continue;
        };
        for group in groups {
            inspect_group(host, event, group, &mut found);
        }
    }
    for event in doubled(&found.registered) {
        let what = format!("ruleward is registered more than once for {event}: it runs, and asks, as often");
        found.faults.push(Fault::light(
            "registered-twice",
            what,
            format!("`ruleward install {}` makes it one", host.name),
        ));
    }
    found
}

fn inspect_group(host: &Host, event: &str, group: &Value, found: &mut Inspected) {
    let Some(entries) = group.get("hooks").and_then(Value::as_array) else {
        if !calls(group).is_empty() {
            let what = format!(
                "`hooks.{event}` holds the hook itself instead of a group with `hooks`: the host does not run it"
            );
            found.faults.push(Fault::grave("flat-entry", what, format!("`ruleward install {}`", host.name)));
        }
        return;
    };
    if group.get("matcher").is_some_and(Value::is_array) {
        let what = format!("a `matcher` of `hooks.{event}` is a list: the host drops the whole file");
        found.faults.push(Fault::grave("matcher-list", what, "write the names with `|` between them"));
    }
    for entry in entries {
        if entry.get("type").and_then(Value::as_str).is_none() {
            let what =
                format!("an entry of `hooks.{event}` has no `type`: the host drops it, and may drop others with it");
            found.faults.push(Fault::grave("entry-type", what, "give it its `type`, such as `command`"));
        }
        let calls = calls(entry);
        if calls.is_empty() {
            let name = ["name", "command", "url", "prompt", "tool"].iter().find_map(|key| entry.get(key)?.as_str());
            let name = name.unwrap_or("a hook without a name").to_owned();
            found.others.push(Other { event: event.to_owned(), name });
        }
        for words in calls {
            let Some(named) = words.get(1).filter(|word| *word == "hook").and_then(|_| words.get(2)) else { continue };
            let mut faults = faults_of(host, event, group, entry);
            if named != host.name {
                let what = format!("for {event} it says `hook {named}`, and this is {}", host.title);
                faults.push(Fault::grave("wrong-host", what, format!("`ruleward install {}`", host.name)));
            }
            found.registered.push(Registered {
                event: event.to_owned(),
                entry: entry.clone(),
                words: words.clone(),
                faults,
            });
        }
    }
}

/// Returns what is wrong with one entry.
fn faults_of(host: &Host, event: &str, group: &Value, entry: &Value) -> Vec<Fault> {
    let again = format!("`ruleward install {}`", host.name);
    let mut faults = Vec::new();
    let mut add = |fault: Option<Fault>| faults.extend(fault);
    let row = host.row(event);
    add(row.is_none().then(|| {
        let known = host.rows.iter().map(|row| row.wire);
        let near = suggest::nearest(event, known).map(|near| format!(", did you mean {near}?")).unwrap_or_default();
        Fault::grave("unknown-event", format!("{} has no event {event}{near}", host.title), &again)
    }));
    add(host.registration.never.contains(&event).then(|| {
        Fault::grave(
            "never-event",
            format!("at {event} the host takes silence, or any answer, for something else"),
            &again,
        )
    }));
    add(narrowed(event, group, &again));
    add(entry.get("if").map(|condition| {
        Fault::grave(
            "entry-if",
            format!("`if: {condition}` lets calls pass that ruleward never sees"),
            "take `if` out; the policy decides",
        )
    }));
    for key in ["async", "asyncRewake"] {
        add((entry.get(key) == Some(&Value::Bool(true))).then(|| {
            Fault::grave(
                "async-entry",
                format!("`{key}` at {event}: the host does not wait for the answer"),
                format!("take `{key}` out"),
            )
        }));
    }
    add(impatient(host, event, entry, &again));
    if let Some(key) = host.registration.closed_key.filter(|_| row.is_some_and(can_refuse)) {
        let misplaced = group.get(key).is_some();
        add((entry.get(key).and_then(Value::as_str) != Some("block")).then(|| {
            let hint = if misplaced { "; on the group, where it stands, it does nothing" } else { "" };
            Fault::light(
                "fails-open",
                format!("{event} has no `{key}: block`: when the hook cannot run, the call goes ahead{hint}"),
                &again,
            )
        }));
    }
    faults
}

/// Tells whether a group is only for some of what happens.
fn narrowed(event: &str, group: &Value, again: &str) -> Option<Fault> {
    let matcher = group.get("matcher")?.as_str()?.trim();
    if matches!(matcher, "" | "*" | ".*") {
        return None;
    }
    let what = format!("`matcher: {matcher:?}` at {event}: what it does not match is not judged");
    Some(Fault::light("narrow-matcher", what, format!("{again} registers for all, and the policy decides")))
}

/// Tells whether the host gives up before the hook's own deadline.
fn impatient(host: &Host, event: &str, entry: &Value, again: &str) -> Option<Fault> {
    let given = entry.get("timeout")?;
    let unit = host.registration.unit;
    let wrong = |what: String| Some(Fault::grave("timeout", what, again));
    let Some(number) = given.as_f64() else {
        return wrong(format!("`timeout: {given}` at {event} is not a number, so the host drops the hook"));
    };
    let seconds = unit.seconds(number);
    let (name, other) = match unit {
        Unit::Seconds => ("seconds", "milliseconds"),
        Unit::Milliseconds => ("milliseconds", "seconds"),
    };
    if number <= 0.0 || number > unit.most() {
        return wrong(format!("`timeout: {given}` at {event}: the host gives up at once, and the call goes ahead"));
    }
    let deadline = deadline_of(entry);
    if seconds <= deadline {
        return wrong(format!(
            "`timeout: {given}` at {event} counts {name}: the host gives up before the hook's own deadline of {deadline} s, and the call goes ahead; were {other} meant?"
        ));
    }
    (seconds > 600.0).then(|| {
        let what = format!("`timeout: {given}` at {event} counts {name}; were {other} meant?");
        Fault::light("timeout-unit", what, again)
    })
}

/// Tells whether the host gives up before programs are done that a policy has run at a hook's event, which
/// may take so long.
pub fn outlasted(host: &Host, hook: &Registered, wanted: Duration) -> Option<Fault> {
    let given = hook.entry.get("timeout")?;
    let seconds = host.registration.unit.seconds(given.as_f64()?);
    let deadline = deadline_of(&hook.entry);
    let latest = (deadline + wanted.as_secs_f64()).min(f64::from(LATEST).max(deadline));
    // One that is too short in any case is told as such.
    if wanted.is_zero() || seconds > latest || hook.faults.iter().any(|fault| fault.id == "timeout") {
        return None;
    }
    let closed = host.registration.closed_key.is_some_and(|key| hook.entry.get(key) == Some(&"block".into()));
    let so = if closed { "refuses" } else { "goes on without an answer" };
    let what = format!(
        "`timeout: {given}` at {}: programs that the policy has run there may take {} s, and the host {so} before that",
        hook.event,
        wanted.as_secs_f64()
    );
    Some(Fault { id: "short-timeout", grave: !closed, what, mend: format!("`ruleward install {}`", host.name) })
}

fn deadline_of(entry: &Value) -> f64 {
    let words = calls(entry).into_iter().flatten().collect::<Vec<_>>();
    let at = words.iter().position(|word| word == "--deadline").and_then(|at| words.get(at + 1));
    let inline = words.iter().find_map(|word| word.strip_prefix("--deadline="));
    at.map(String::as_str).or(inline).and_then(|text| text.parse().ok()).unwrap_or(f64::from(DEADLINE))
}

/// Returns the events for which there is more than one entry.
fn doubled(registered: &[Registered]) -> Vec<String> {
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
