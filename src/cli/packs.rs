//! `ruleward packs`: what is bundled, readable.

use std::fmt::Write as _;

use crate::cli::output::palette::Palette;
use crate::cli::output::print::print;
use crate::cli::{CommandError, ExitStatus, context};
use crate::io::policy::builtin::{self, Pack};

/// List and show the bundled policies and the recipes of the cookbook
///
/// Each is taken by its name under `extends`. A recipe is there to be changed as well: `ruleward init
/// --from RECIPE` copies it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the packs
    List,
    /// Show a pack as it is written
    Show {
        /// The pack's name, or a recipe's: `cookbook/token-budget`.
        name: String,
    },
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    match &args.command {
        None | Some(Command::List) => print(&list_text()),
        Some(Command::Show { name }) => print(find_pack(name)?.text),
    }
    Ok(ExitStatus::Success)
}

fn find_pack(name: &str) -> Result<&'static Pack, CommandError> {
    let known = || builtin::all_packs().map(|pack| pack.name).collect();
    builtin::find_pack(name).ok_or_else(|| CommandError::NotFound(context::unknown_value("pack", name, known())))
}

fn list_text() -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    let width = builtin::all_packs().map(|pack| pack.name.len()).max().unwrap_or_default();
    for pack in builtin::all_packs() {
        let name = format!("{:<width$}", pack.name);
        let _written = writeln!(text, "{} {}", palette.bold(name), pack.description());
    }
    text
}
