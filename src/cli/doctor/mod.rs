//! `ruleward doctor`: proves that the guard is live, or says what stands in its way.
//!
//! What is looked at stands in one file each: `registered` reads the hosts' settings, `probe` fires
//! events through the very command lines that are registered, `machine` looks at the policy and at
//! what ruleward writes.

mod machine;
mod probe;
mod registered;

use std::process::ExitCode;

use serde_json::{Value, json};

use super::registration::{present, version};
use super::style::Palette;
use super::{Exit, hosts};
use crate::adapters::Host;
use crate::adapters::inspect::Fault;
use crate::domain::version::Version;
use crate::io::platform::Surroundings;
use crate::io::policy::discover::{is_there, project_root};
use crate::io::{process, stdio};

/// Prove that the guard is live
///
/// Looks at everything between a coding agent and its hook: settings that the host would drop,
/// entries that it would not run or not wait for, switches that turn hooks off, the policy, and
/// what ruleward writes. Then it sends events through the very command lines that are registered.
/// The exit code is 1 when the guard is off or has a hole.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The hosts to look at; all that are found here when none is named.
    #[arg(value_name = "HOST")]
    hosts: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Good,
    Doubtful,
    Bad,
}

impl State {
    const fn name(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Doubtful => "warning",
            Self::Bad => "fault",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct Item {
    /// The host it is about; none for ruleward itself.
    host: Option<&'static Host>,
    id: &'static str,
    state: State,
    text: String,
    mend: Option<String>,
}

/// What was looked at.
#[derive(Debug, Default)]
struct Items(Vec<Item>);

impl Items {
    fn good(&mut self, host: Option<&'static Host>, id: &'static str, text: impl Into<String>) {
        self.0.push(Item { host, id, state: State::Good, text: text.into(), mend: None });
    }

    fn fault(&mut self, host: Option<&'static Host>, at: &str, fault: Fault) {
        let state = if fault.grave { State::Bad } else { State::Doubtful };
        let text = if at.is_empty() { fault.what } else { format!("{at}: {}", fault.what) };
        let item = Item { host, id: fault.id, state, text, mend: Some(fault.mend) };
        let same = |other: &Item| other.id == item.id && other.text == item.text;
        if !self.0.iter().any(same) {
            self.0.push(item);
        }
    }

    fn bad(&mut self, host: Option<&'static Host>, id: &'static str, what: impl Into<String>, mend: impl Into<String>) {
        self.fault(host, "", Fault { id, grave: true, what: what.into(), mend: mend.into() });
    }

    fn doubtful(
        &mut self,
        host: Option<&'static Host>,
        id: &'static str,
        what: impl Into<String>,
        mend: impl Into<String>,
    ) {
        self.fault(host, "", Fault { id, grave: false, what: what.into(), mend: mend.into() });
    }

    fn count(&self, state: State) -> usize {
        self.0.iter().filter(|item| item.state == state).count()
    }
}

pub(super) fn run(args: &Args) -> ExitCode {
    match examined(args) {
        Ok(items) => {
            stdio::print(&if args.json { as_json(&items) } else { as_text(&items) });
            if items.count(State::Bad) > 0 { Exit::Failed.into() } else { Exit::Done.into() }
        }
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

fn examined(args: &Args) -> Result<Items, String> {
    let surroundings = Surroundings::here();
    let named: Result<Vec<_>, _> = args.hosts.iter().map(|name| hosts::named(name)).collect();
    let mut chosen = named?;
    let mut items = Items::default();
    if chosen.is_empty() {
        chosen = present(&surroundings);
        if chosen.is_empty() {
            items.bad(
                None,
                "no-host",
                "no coding agent was found here",
                format!("name one: {}", hosts::names().join(", ")),
            );
        }
    }
    let cwd = hosts::directory(None)?;
    let project = project_root(&surroundings, &cwd, &[], &is_there).unwrap_or_else(|| cwd.clone());
    let here = hosts::here(&surroundings, &[], &cwd, &[]);
    machine::look(&surroundings, &here, &mut items);
    for host in chosen {
        host_found(&surroundings, host, &mut items);
        let registered = registered::look(&surroundings, host, &project, &here.loaded.policy, &mut items);
        probe::fire(&surroundings, host, &cwd, &registered, &mut items);
    }
    Ok(items)
}

fn host_found(surroundings: &Surroundings, host: &'static Host, items: &mut Items) {
    let program = host.registration.program;
    let Some(path) = process::find(surroundings, program) else {
        let mend = format!("nothing, if you start {} by another name", host.title);
        items.doubtful(Some(host), "host-program", format!("`{program}` is not on PATH"), mend);
        return;
    };
    let Some(found) = version(surroundings, host) else {
        items.doubtful(
            Some(host),
            "host-version",
            format!("{path} does not say its version"),
            format!("see what `{program} --version` says"),
        );
        return;
    };
    let known = Version::in_text(host.version);
    if known.is_some_and(|known| found > known) {
        let what = format!("{} {found} is newer than {}, whose contract this ruleward knows", host.title, host.version);
        items.doubtful(
            Some(host),
            "host-version",
            what,
            "look for a newer ruleward; the self-tests below tell whether this one is heard",
        );
    } else {
        items.good(Some(host), "host-version", format!("{} {found} at {path}", host.title));
    }
    for (variable, effect) in host.registration.off_switches {
        if surroundings.variable(variable).is_some() {
            items.bad(Some(host), "hooks-off", format!("{variable} is set: {effect}"), format!("unset {variable}"));
        }
    }
}

fn as_text(items: &Items) -> String {
    let palette = Palette::for_stdout();
    let mut lines = Vec::new();
    let mut about = None;
    for item in &items.0 {
        let title = item.host.map_or("ruleward", |host| host.title);
        if about != Some(title) {
            lines.extend(about.map(|_| String::new()));
            lines.push(palette.bold(title));
            about = Some(title);
        }
        let state = format!("{:<8}", item.state.name());
        let state = match item.state {
            State::Good => palette.good(state),
            State::Doubtful => palette.careful(state),
            State::Bad => palette.bad(state),
        };
        lines.push(format!("  {state} {}", item.text));
        lines.extend(item.mend.as_ref().map(|mend| format!("           {} {mend}", palette.faint("mend:"))));
    }
    let (faults, doubts) = (items.count(State::Bad), items.count(State::Doubtful));
    let verdict = match faults {
        0 => palette.good("the guard is live"),
        _ => palette.bad("the guard is off or has a hole"),
    };
    lines.push(format!("\n{verdict}: {}, {}\n", counted(faults, "fault"), counted(doubts, "warning")));
    lines.join("\n")
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn as_json(items: &Items) -> String {
    let list: Vec<Value> = items
        .0
        .iter()
        .map(|item| {
            json!({
                "host": item.host.map(|host| host.name),
                "id": item.id,
                "state": item.state.name(),
                "text": item.text,
                "mend": item.mend,
            })
        })
        .collect();
    format!("{:#}\n", json!({ "live": items.count(State::Bad) == 0, "items": list }))
}
