//! `ruleward report`: what was decided, as one page that stands by itself.

mod chart;
mod gathered;
mod page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gathered::Gathered;

use super::Exit;
use super::records::{Filter, Source, records};
use crate::io::stdio;

/// Write a page about what was decided
///
/// One HTML file with everything in it: it asks nothing of the network, works offline, and in light
/// and dark. For example:
///
///   ruleward report
///   ruleward report --since 7days --output week.html
///   ruleward report audit.jsonl --output - > report.html
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    filter: Filter,
    /// Where the page goes; `-` for standard output.
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Events that are listed, the youngest.
    #[arg(long, value_name = "NUMBER", default_value_t = 500)]
    listed: usize,
}

pub(super) fn run(args: &Args) -> ExitCode {
    match written(args) {
        Ok(()) => Exit::Done.into(),
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

fn written(args: &Args) -> Result<(), String> {
    let mut gathered = Gathered::new(args.listed);
    let files = args.source.files()?;
    let wanted = records(&files)?.filter(|entry| args.filter.takes(entry));
    wanted.for_each(|entry| gathered.add(&entry));
    let records = gathered.counts.records;
    let html = page::html(&mut gathered)?;
    if args.output == Path::new("-") {
        stdio::print(&html);
        return Ok(());
    }
    crate::io::files::replace(&args.output, &html)?;
    let plural = if records == 1 { "" } else { "s" };
    stdio::print(&format!("{} written, about {records} record{plural}\n", args.output.display()));
    Ok(())
}
