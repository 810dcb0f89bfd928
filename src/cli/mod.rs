//! The commands, one file each; the only layer that sees all the others.

mod allow;
mod asked;
mod audit;
mod bug;
mod cached;
mod check;
mod completions;
mod described;
mod doctor;
mod examples;
mod explain;
mod fmt;
mod guard;
mod hook;
mod hosts;
mod import;
mod init;
mod install;
mod judge;
mod lint;
mod log;
mod man;
mod packs;
mod person;
mod policy;
mod records;
mod registration;
mod replay;
mod report;
mod runs;
mod sarif;
mod scan;
mod schema;
mod shown;
mod state;
mod stats;
mod style;
mod table;
mod test;
mod trust;
mod understood;
mod workflow;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::io::stdio::say;

/// Judge what coding agents are about to do, by one policy for every host
///
/// Set `ruleward hook claude`, `ruleward hook gemini` or `ruleward hook llxprt` as the hook of your
/// agent. With no configuration at all the bundled policy `recommended` applies; your own stand in
/// `~/.config/ruleward/policy.yaml` and, for a project, in `.ruleward/policy.yaml`.
#[derive(Debug, Parser)]
#[command(
    name = "ruleward",
    version,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done; 1 what was checked did not pass; 2 wrong usage; 70 an error of ruleward's own. Under `hook` the code belongs to the host's contract."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Hook(hook::Usage),
    Check(Box<check::Args>),
    Scan(Box<scan::Args>),
    Test(test::Args),
    Replay(replay::Args),
    Lint(lint::Args),
    Fmt(fmt::Args),
    Install(install::Args),
    Uninstall(install::UninstallArgs),
    Doctor(doctor::Args),
    Log(log::Args),
    State(state::Args),
    Stats(stats::Args),
    Report(report::Args),
    Explain(explain::Args),
    Audit(audit::Args),
    Init(init::Args),
    Import(import::Args),
    Allow(Box<allow::Args>),
    Trust(trust::Args),
    Policy(policy::Args),
    Hosts(table::Args),
    Packs(packs::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the program.
pub fn main() -> ExitCode {
    bug::watch();
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(hook) = hook_arguments(&args) {
        return hook::run(&hook);
    }
    let command = Cli::parse_from(args).command;
    bug::caught(|| run(command)).unwrap_or_else(|why| {
        say(&format!("error: {why}"));
        Exit::Bug.into()
    })
}

fn run(command: Command) -> ExitCode {
    match command {
        Command::Hook(_) => hook::run(&[]),
        Command::Check(args) => check::run(&args),
        Command::Scan(args) => scan::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Install(args) => install::run(&args),
        Command::Uninstall(args) => install::uninstall(&args),
        Command::Log(args) => log::run(&args),
        Command::State(args) => state::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Allow(args) => allow::run(&args),
        Command::Trust(args) => trust::run(&args),
        Command::Policy(args) => policy::run(&args),
        Command::Hosts(args) => table::run(&args),
        Command::Packs(args) => packs::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// Returns the arguments after `hook`, unless they only ask for help.
fn hook_arguments(args: &[OsString]) -> Option<Vec<String>> {
    let rest = args.get(2..).filter(|_| args.get(1).is_some_and(|command| command == "hook"))?;
    let rest: Vec<String> = rest.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    (!rest.iter().any(|arg| arg == "--help" || arg == "-h")).then_some(rest)
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// It did what it was asked to.
    Done,
    /// What it checked did not pass.
    Failed,
    /// It was asked for something that cannot be.
    Usage,
    /// It met an error of ruleward's own; what it was stands on standard error.
    Bug,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Bug => 70,
        })
    }
}
