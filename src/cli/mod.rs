//! The commands, one file each; the only layer that sees all the others.

mod accept;
mod allow;
mod approval;
mod args;
mod audit;
mod check;
mod command_error;
mod completions;
mod context;
mod doctor;
mod examples;
mod explain;
mod fmt;
mod hook;
mod hook_status;
mod hosts;
mod import;
mod init;
mod install;
mod integrity;
mod lint;
mod log;
mod man;
mod output;
mod packs;
mod policy;
mod registration;
mod replay;
mod report;
mod scan;
mod scenario;
mod schema;
mod state;
mod stats;
mod test;
mod trust;
mod trust_notice;
mod undo;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use command_error::{CommandError, finish};

use crate::io::integrity::HumanChange;
use crate::io::platform::Platform;
use crate::io::process::stdio::print_stderr;

/// One policy for every coding agent
#[derive(Debug, Parser)]
#[command(
    name = "ruleward",
    version,
    long_about = args::hosts::program_help(),
    arg_required_else_help = true,
    after_help = "Exit codes: 0 success; 1 the check failed; 2 invalid usage; 70 internal error. `hook` uses the host's exit codes."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Hook(hook::Args),
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
    Accept(accept::Args),
    Trust(trust::Args),
    Undo(undo::Args),
    Policy(policy::Args),
    Hosts(hosts::Args),
    Packs(packs::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the program.
pub fn main() -> ExitCode {
    crate::io::process::panics::install_hook();
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(hook) = raw_hook_args(&args) {
        return hook::run(&hook);
    }
    let command = Cli::parse_from(args).command;
    crate::io::process::panics::catch(|| run(command)).unwrap_or_else(|why| {
        print_stderr(&format!("error: {why}"));
        ExitStatus::InternalError.into()
    })
}

impl Command {
    /// Returns whether the command may change what is watched for tampering.
    const fn may_change_watched_files(&self) -> bool {
        matches!(
            self,
            Self::Install(_)
                | Self::Uninstall(_)
                | Self::Trust(_)
                | Self::Allow(_)
                | Self::State(_)
                | Self::Init(_)
                | Self::Import(_)
                | Self::Policy(_)
                | Self::Fmt(_)
        )
    }
}

/// Runs a command. What it changes of the guard's files is sealed when a person runs it.
fn run(command: Command) -> ExitCode {
    let platform = Platform::current();
    let change = command.may_change_watched_files().then(|| HumanChange::begin(&platform)).flatten();
    let exit = run_command(command);
    if let Some(change) = change.filter(|_| approval::is_user_present(&platform))
        && let Err(error) = change.finish()
    {
        print_stderr(&format!("note: the change could not be sealed, so the hook may treat it as tampering: {error}"));
    }
    exit
}

fn run_command(command: Command) -> ExitCode {
    let result = match command {
        Command::Hook(_) => return hook::run(&[]),
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
        Command::Accept(args) => accept::run(&args),
        Command::Trust(args) => trust::run(&args),
        Command::Undo(args) => undo::run(&args),
        Command::Policy(args) => policy::run(&args),
        Command::Hosts(args) => hosts::run(&args),
        Command::Packs(args) => packs::run(&args),
        Command::Schema(args) => Ok(schema::run(&args)),
        Command::Completions(args) => Ok(completions::run(&args)),
        Command::Man(args) => man::run(&args),
    };
    finish(result)
}

/// Returns the arguments after `hook`, unless they only ask for help.
fn raw_hook_args(args: &[OsString]) -> Option<Vec<String>> {
    let rest = args.get(2..).filter(|_| args.get(1).is_some_and(|command| command == "hook"))?;
    let rest: Vec<String> = rest.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    (!rest.iter().any(|arg| arg == "--help" || arg == "-h")).then_some(rest)
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExitStatus {
    /// It did what it was asked to.
    Success,
    /// What it checked did not pass.
    Failure,
    /// It was asked for something that cannot be.
    Usage,
    /// An internal error of ruleward; its message is on standard error.
    InternalError,
}

impl From<ExitStatus> for ExitCode {
    fn from(exit: ExitStatus) -> Self {
        Self::from(match exit {
            ExitStatus::Success => 0,
            ExitStatus::Failure => 1,
            ExitStatus::Usage => 2,
            ExitStatus::InternalError => 70,
        })
    }
}
