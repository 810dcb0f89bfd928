//! `ruleward hosts`: what each host makes of each effect at each of its events.

use std::fmt::Write as _;
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::style::Palette;
use super::{Exit, hosts};
use crate::adapters::capability::capabilities;
use crate::adapters::{HOSTS, Host};
use crate::io::stdio;

/// Show what each coding agent makes of each effect
///
/// Every event with the moment that rules name it by, and what comes of the effects that it can
/// carry. An effect that is not listed is lost there; `audit` works everywhere.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The hosts; all of them when none is named.
    #[arg(value_name = "HOST")]
    hosts: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let named: Result<Vec<_>, _> = args.hosts.iter().map(|name| hosts::named(name)).collect();
    match named {
        Ok(named) => {
            let chosen = if named.is_empty() { HOSTS.to_vec() } else { named };
            stdio::print(&if args.json { as_json(&chosen) } else { as_text(&chosen) });
            Exit::Done.into()
        }
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

fn as_text(chosen: &[&'static Host]) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for host in chosen {
        let gap = if text.is_empty() { "" } else { "\n" };
        let title = palette.bold(format!("{} {}", host.title, host.version));
        let _written = writeln!(text, "{gap}{title} (ruleward hook {})", host.name);
        for row in host.rows {
            let _written = writeln!(text, "  {} {}", palette.bold(row.kind), palette.faint(row.wire));
            for can in capabilities(row) {
                let note = if can.note.is_empty() { String::new() } else { format!(": {}", can.note) };
                let _written = writeln!(text, "    {:<8} {}{note}", can.effect.name(), can.short);
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
                .rows
                .iter()
                .map(|row| {
                    let effects: Map<String, Value> = capabilities(row)
                        .into_iter()
                        .map(|can| {
                            let told = json!({ "becomes": can.short, "since": can.since, "note": can.note });
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
