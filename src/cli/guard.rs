//! Whether the host would still run the hook: what the word `guard` stands for in a policy.
//!
//! Looked at only when a rule names it. By the files that hold settings now: what a running session
//! goes by is known to the host alone.

use super::registration::{Events, bundles, path, rows};
use crate::adapters::Host;
use crate::adapters::inspect::{Registered, inspect};
use crate::domain::kind::{Kind, Moments};
use crate::domain::scripts::Machine;
use crate::domain::shell::FileText;
use crate::domain::standing::Standing;
use crate::io::machine::ThisMachine;
use crate::io::platform::Surroundings;
use crate::io::settings;

/// Settings of more than so many bytes are nobody's.
const MOST_BYTES: usize = 4 << 20;

/// What the look is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looked<'a> {
    /// The host.
    pub host: &'static Host,
    /// The project's directory, if there is one.
    pub project: Option<&'a str>,
    /// The moments at which the policy looks.
    pub used: Moments,
    /// The moment of the event.
    pub kind: Kind,
}

/// Looks at the settings of this machine, and at files that the host was given on its command line.
pub(super) fn here(looked: &Looked<'_>, given: &[String]) -> Standing {
    let surroundings = Surroundings::here();
    let mut bundled = bundles(&surroundings, looked.host);
    bundled.extend_from_slice(given);
    look(looked, &surroundings, &ThisMachine, &bundled)
}

/// Looks at settings, and at the files of hooks that extensions bring or the host was given.
pub(super) fn look(
    looked: &Looked<'_>,
    surroundings: &Surroundings,
    machine: &dyn Machine,
    bundled: &[String],
) -> Standing {
    let host = looked.host;
    let project = looked.project.unwrap_or_default();
    let own = host.registration.files.iter().filter_map(|file| path(surroundings, host, file.at, project).ok());
    let (mut found, mut is_off) = (false, false);
    let mut standing = Standing::default();
    let mut live: Vec<Registered> = Vec::new();
    for place in own.chain(bundled.iter().cloned()) {
        let value = match machine.read(&place, MOST_BYTES) {
            FileText::Missing => continue,
            FileText::Text(text) => settings::read(&text, host.registration.comments),
            FileText::Program | FileText::TooLarge | FileText::Unread => Err(" cannot be read".to_owned()),
        };
        let inspected = match value {
            Ok(value) => inspect(host, &value),
            Err(why) => {
                standing.faults.push(format!("{place}{why}: none of its hooks run"));
                continue;
            }
        };
        let grave = inspected.faults.iter().filter(|fault| fault.grave);
        standing.faults.extend(grave.map(|fault| format!("{place}: {}", fault.what)));
        is_off |= inspected.faults.iter().any(|fault| fault.id == "hooks-off");
        found |= !inspected.registered.is_empty();
        if inspected.faults.iter().all(|fault| fault.id != "dropped-file") {
            live.extend(inspected.registered.into_iter().filter(runs_always));
        }
    }
    // It runs now, so it is registered: by what no file says, unless the files have just changed.
    if !found && looked.kind != Kind::ConfigChange {
        standing.broken = is_off;
        return standing;
    }
    let missing: Vec<_> = rows(host, Events::Used, looked.used)
        .into_iter()
        .filter(|row| !live.iter().any(|hook| hook.event == row.wire))
        .collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|row| row.wire).collect();
        standing.faults.push(format!("ruleward is not registered, or not for all there is, at {}", names.join(", ")));
    }
    standing.broken = is_off || missing.iter().any(|row| row.kind == Kind::ToolBefore || row.kind == looked.kind);
    standing
}

/// Tells whether the host would run an entry for all that happens.
fn runs_always(hook: &Registered) -> bool {
    hook.faults.iter().all(|fault| !fault.grave && fault.id != "narrow-matcher")
}
