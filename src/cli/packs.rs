//! `ruleward packs`: what is bundled, readable.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::{Exit, hosts};
use super::style::Palette;
use crate::io::policy::builtin;
use crate::io::stdio;

/// List and show the bundled policies
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
        /// The pack's name.
        name: String,
    },
}

pub(super) fn run(args: &Args) -> ExitCode {
    match &args.command {
        None | Some(Command::List) => {
            stdio::print(&list());
            Exit::Done.into()
        }
        Some(Command::Show { name }) => match builtin::find(name) {
            Some(pack) => {
                stdio::print(pack.text);
                Exit::Done.into()
            }
            None => {
                let known = builtin::PACKS.iter().map(|pack| pack.name).collect();
                stdio::say(&format!("error: {}", hosts::unknown("pack", name, known)));
                Exit::Usage.into()
            }
        },
    }
}

fn list() -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for pack in builtin::PACKS {
        let name = format!("{:<16}", pack.name);
        let _written = writeln!(text, "{} {}", palette.bold(name), pack.description());
    }
    text
}
