//! `ruleward completions SHELL`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::{Cli, ExitStatus};
use crate::io::process::stdio;

/// Print completions for a shell
///
/// For example: `ruleward completions bash > ~/.local/share/bash-completion/completions/ruleward`
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> ExitStatus {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ruleward", &mut bytes);
    stdio::print(&String::from_utf8_lossy(&bytes));
    ExitStatus::Success
}
