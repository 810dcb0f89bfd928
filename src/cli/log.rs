//! `ruleward log`: what was decided, line by line.

use std::process::ExitCode;

use super::Exit;
use super::records::{Filter, Source, records};
use super::style::Palette;
use crate::io::audit::{self, Decided, Entry};
use crate::io::stdio;

/// Characters that are shown of what an event was about.
const WIDTH: usize = 100;

/// Show what was decided
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    filter: Filter,
    /// Wait for more, and show it as it comes.
    #[arg(long, short)]
    follow: bool,
    /// At most so many, the youngest.
    #[arg(long, short = 'n', value_name = "NUMBER")]
    last: Option<usize>,
    /// Print the records themselves, one JSON object a line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    match show(args) {
        Ok(()) => Exit::Done.into(),
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

fn show(args: &Args) -> Result<(), String> {
    let palette = Palette::for_stdout();
    let files = args.source.files()?;
    let wanted = records(&files)?.filter(|entry| args.filter.takes(entry));
    let shown = |entry: &Entry| if args.json { format!("{}\n", entry.value()) } else { line(entry, palette) };
    if let Some(most) = args.last {
        let mut last = std::collections::VecDeque::with_capacity(most.min(1 << 16));
        for entry in wanted {
            if last.len() == most {
                last.pop_front();
            }
            last.push_back(entry);
        }
        last.iter().take(most).for_each(|entry| stdio::print(&shown(entry)));
    } else {
        wanted.for_each(|entry| stdio::print(&shown(&entry)));
    }
    if args.follow {
        let path = files.last().cloned().map_or_else(Source::own, Ok)?;
        audit::follow(&path, |entry| {
            if args.filter.takes(&entry) {
                stdio::print(&shown(&entry));
            }
            true
        });
    }
    Ok(())
}

fn line(entry: &Entry, palette: Palette) -> String {
    let name = format!("{:<5}", entry.decided().name());
    let decided = match entry.decided() {
        Decided::Deny | Decided::Stop => palette.bad(name),
        Decided::Ask | Decided::Defer | Decided::Retry => palette.careful(name),
        Decided::Allow => palette.good(name),
        Decided::None => palette.faint(name),
    };
    let rules = entry.rule_ids().collect::<Vec<_>>().join(", ");
    let what = [entry.tool(), entry.moment()].into_iter().find(|it| !it.is_empty()).unwrap_or_default();
    let about = entry.about();
    let about = match about.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", about.get(..end).unwrap_or_default()),
        None => about,
    };
    let rules = if rules.is_empty() { String::new() } else { format!("  {}", palette.faint(format!("[{rules}]"))) };
    format!("{}  {}  {decided}  {:<7} {what}: {about}{rules}\n", palette.faint(entry.time()), entry.id(), entry.host())
}
