//! `ruleward packs`: what is bundled, readable.

use std::fmt::Write as _;

use crate::cli::output::palette::Palette;
use crate::cli::output::print::print;
use crate::cli::{CommandError, ExitStatus, context};
use crate::io::policy::builtin::{self, Pack};

/// List or show bundled packs and recipes of the cookbook
///
/// Use a pack by its name under `extends`. To customize a recipe, copy it with `ruleward init
/// --from RECIPE`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the packs
    List,
    /// Show the source of a pack
    Show {
        /// The name of a pack or recipe, such as `cookbook/token-budget`.
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
