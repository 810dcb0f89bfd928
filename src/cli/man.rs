//! `ruleward man`: the manual pages.

use std::io;
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::cli::{Cli, CommandError, ExitStatus};
use crate::io::process::stdio;

/// Print the manual page, or write the pages of all commands
///
/// For example: `ruleward man --out ~/.local/share/man/man1`, then `man ruleward-check`
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Write a page for each command to this directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let written = args.out.as_deref().map_or_else(print, write);
    written.map_err(|error| format!("the manual pages could not be written: {error}"))?;
    Ok(ExitStatus::Success)
}

fn print() -> io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    stdio::print(&String::from_utf8_lossy(&page));
    Ok(())
}

fn write(directory: &Path) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    clap_mangen::generate_to(Cli::command(), directory)
}
