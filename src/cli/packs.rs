//! `ruleward packs`: what is bundled, readable.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::style::Palette;
use super::{Exit, hosts};
use crate::io::policy::builtin;
use crate::io::stdio;

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

pub(super) fn run(args: &Args) -> ExitCode {
    match &args.command {
        None | Some(Command::List) => {
            stdio::print(&list());
            Exit::Done.into()
        }
        Some(Command::Show { name }) => show(name).into(),
    }
}

fn show(name: &str) -> Exit {
    let Some(pack) = builtin::find(name) else {
        let known = builtin::all().map(|pack| pack.name).collect();
        stdio::say(&format!("error: {}", hosts::unknown("pack", name, known)));
        return Exit::Usage;
    };
    stdio::print(pack.text);
    Exit::Done
}

fn list() -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    let width = builtin::all().map(|pack| pack.name.len()).max().unwrap_or_default();
    for pack in builtin::all() {
        let name = format!("{:<width$}", pack.name);
        let _written = writeln!(text, "{} {}", palette.bold(name), pack.description());
    }
    text
}
