//! `ruleward doctor`: proves that the guard is active, or reports what prevents it.
//!
//! Each kind of check has its own file: `host_settings` reads the hosts' settings, `plugin` what is special about a
//! host that starts the hook by a plugin, `probe` sends events
//! through the registered command lines, `environment` checks the policy and what ruleward writes.

mod environment;
mod host_settings;
mod plugin;
mod probe;

use serde_json::{Value, json};

use crate::adapters::Host;
use crate::adapters::registration::inspect::RegistrationIssue;
use crate::cli::output::palette::Palette;
use crate::cli::output::pluralize;
use crate::cli::output::print::{print, print_json};
use crate::cli::registration::{installed_hosts, installed_version};
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::text::version::Version;
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::process;

/// Verify that the hook works
///
/// Checks everything between a coding agent and its hook: settings that the host would ignore,
/// entries that it would not run or wait for, settings that disable hooks, the policy, and
/// ruleward's own files. Then sends test events through the registered commands. The exit code is 1
/// if protection is off or incomplete.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The hosts to check (default: all that are found).
    #[arg(value_name = "HOST")]
    hosts: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CheckStatus {
    Pass,
    Warning,
    Fault,
}

impl CheckStatus {
    const fn name(self) -> &'static str {
        match self {
            Self::Pass => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct CheckResult {
    /// The host it is about; none for ruleward itself.
    host: Option<&'static Host>,
    id: &'static str,
    status: CheckStatus,
    text: String,
    remedy: Option<String>,
}

/// What was looked at.
#[derive(Debug, Default)]
struct CheckResults(Vec<CheckResult>);

impl CheckResults {
    fn pass(&mut self, host: Option<&'static Host>, id: &'static str, text: impl Into<String>) {
        self.0.push(CheckResult { host, id, status: CheckStatus::Pass, text: text.into(), remedy: None });
    }

    fn add_fault(&mut self, host: Option<&'static Host>, at: &str, fault: RegistrationIssue) {
        let state = if fault.is_critical { CheckStatus::Fault } else { CheckStatus::Warning };
        let text = if at.is_empty() { fault.message } else { format!("{at}: {}", fault.message) };
        let item = CheckResult { host, id: fault.id, status: state, text, remedy: Some(fault.help) };
        let same = |other: &CheckResult| other.id == item.id && other.text == item.text;
        if !self.0.iter().any(same) {
            self.0.push(item);
        }
    }

    fn fail(
        &mut self,
        host: Option<&'static Host>,
        id: &'static str,
        what: impl Into<String>,
        mend: impl Into<String>,
    ) {
        self.add_fault(host, "", RegistrationIssue { id, is_critical: true, message: what.into(), help: mend.into() });
    }

    fn warn(
        &mut self,
        host: Option<&'static Host>,
        id: &'static str,
        what: impl Into<String>,
        mend: impl Into<String>,
    ) {
        self.add_fault(host, "", RegistrationIssue { id, is_critical: false, message: what.into(), help: mend.into() });
    }

    fn count(&self, state: CheckStatus) -> usize {
        self.0.iter().filter(|item| item.status == state).count()
    }
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let items = run_checks(args)?;
    if args.json {
        print_json(&as_json(&items));
    } else {
        print(&as_text(&items));
    }
    Ok(if items.count(CheckStatus::Fault) > 0 { ExitStatus::Failure } else { ExitStatus::Success })
}

fn run_checks(args: &Args) -> Result<CheckResults, CommandError> {
    let surroundings = Platform::current();
    let named: Result<Vec<_>, _> = args.hosts.iter().map(|name| context::by_name(name)).collect();
    let mut chosen = named?;
    let mut items = CheckResults::default();
    if chosen.is_empty() {
        chosen = installed_hosts(&surroundings);
        if chosen.is_empty() {
            items.fail(None, "no-host", "no coding agent found", format!("name one: {}", context::names().join(", ")));
        }
    }
    let cwd = context::absolute_directory(None)?;
    let project = project_root(&surroundings, &cwd, &[], &may_exist).unwrap_or_else(|| cwd.clone());
    let here = context::load_context(&surroundings, &[], &cwd, &[]);
    environment::check(&surroundings, &here, &mut items);
    for host in chosen {
        check_host(&surroundings, host, &mut items);
        let registered = host_settings::check(&surroundings, host, &project, &here.loaded.policy, &mut items);
        probe::run_probes(&surroundings, host, &cwd, &registered, &mut items);
    }
    Ok(items)
}

fn check_host(surroundings: &Platform, host: &'static Host, items: &mut CheckResults) {
    let program = host.registration.program;
    let Some(path) = process::find_in_path(surroundings, program) else {
        let mend = format!("nothing, if you start {} under another name", host.title);
        items.warn(Some(host), "host-program", format!("`{program}` is not on PATH"), mend);
        return;
    };
    let Some(found) = installed_version(surroundings, host) else {
        items.warn(
            Some(host),
            "host-version",
            format!("unknown version of {path}"),
            format!("run `{program} --version`"),
        );
        return;
    };
    let known = Version::in_text(host.version);
    if known.is_some_and(|known| found > known) {
        let what =
            format!("{} {found} is newer than {}, the version that this ruleward supports", host.title, host.version);
        items.warn(
            Some(host),
            "host-version",
            what,
            "check for a newer ruleward; the self-tests below show whether this one works",
        );
    } else {
        items.pass(Some(host), "host-version", format!("{} {found} at {path}", host.title));
    }
    for (variable, effect) in host.registration.disabling_variables {
        if surroundings.env_var(variable).is_some() {
            items.fail(Some(host), "hooks-off", format!("{variable} is set: {effect}"), format!("unset {variable}"));
        }
    }
}

fn as_text(items: &CheckResults) -> String {
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
        let state = format!("{:<8}", item.status.name());
        let state = match item.status {
            CheckStatus::Pass => palette.success(state),
            CheckStatus::Warning => palette.warning(state),
            CheckStatus::Fault => palette.error(state),
        };
        lines.push(format!("  {state} {}", item.text));
        lines.extend(item.remedy.as_ref().map(|fix| format!("           {} {fix}", palette.dim("fix:"))));
    }
    let (faults, doubts) = (items.count(CheckStatus::Fault), items.count(CheckStatus::Warning));
    let verdict = match faults {
        0 => palette.success("Protection is on"),
        _ => palette.error("Protection is off or incomplete"),
    };
    lines.push(format!("\n{verdict}: {}, {}\n", pluralize(faults, "problem"), pluralize(doubts, "warning")));
    lines.join("\n")
}

fn as_json(items: &CheckResults) -> String {
    let list: Vec<Value> = items
        .0
        .iter()
        .map(|item| {
            json!({
                "host": item.host.map(|host| host.name),
                "id": item.id,
                "state": item.status.name(),
                "text": item.text,
                "fix": item.remedy,
            })
        })
        .collect();
    format!("{:#}\n", json!({ "live": items.count(CheckStatus::Fault) == 0, "items": list }))
}
