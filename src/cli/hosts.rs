//! `ruleward hosts`: how each host supports each effect at each of its events.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::adapters::capability::capabilities;
use crate::adapters::{HOSTS, Host};
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, context};

/// Show which effects each coding agent supports
///
/// Lists each event with its moment, and how it supports each effect. Effects that aren't listed
/// have no effect there; `audit` works everywhere.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The hosts (default: all).
    #[arg(value_name = "HOST")]
    hosts: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let named = args.hosts.iter().map(|name| context::by_name(name)).collect::<Result<Vec<_>, _>>()?;
    let chosen = if named.is_empty() { HOSTS.to_vec() } else { named };
    if args.json {
        print_json(&as_json(&chosen));
    } else {
        print(&as_text(&chosen));
    }
    Ok(ExitStatus::Success)
}

fn as_text(chosen: &[&'static Host]) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for host in chosen {
        let gap = if text.is_empty() { "" } else { "\n" };
        let title = palette.bold(format!("{} {}", host.title, host.version));
        let _written = writeln!(text, "{gap}{title} (ruleward hook {})", host.name);
        for row in host.events {
            let _written = writeln!(text, "  {} {}", palette.bold(row.kind), palette.dim(row.wire));
            for can in capabilities(row) {
                let note = if can.note.is_empty() { String::new() } else { format!(": {}", can.note) };
                let _written = writeln!(text, "    {:<8} {}{note}", can.effect.name(), can.summary);
            }
        }
    }
    text
}

fn as_json(chosen: &[&'static Host]) -> String {
    let listed: Vec<Value> = chosen
        .iter()
        .map(|host| {
            let events: Vec<Value> = host
                .events
                .iter()
                .map(|row| {
                    let effects: Map<String, Value> = capabilities(row)
                        .into_iter()
                        .map(|can| {
                            let told = json!({ "becomes": can.summary, "since": can.since, "note": can.note });
                            (can.effect.name().to_owned(), told)
                        })
                        .collect();
                    json!({ "event": row.wire, "moment": row.kind.name(), "effects": effects })
                })
                .collect();
            json!({ "host": host.name, "title": host.title, "version": host.version, "events": events })
        })
        .collect();
    format!("{:#}\n", Value::Array(listed))
}
