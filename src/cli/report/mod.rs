//! `ruleward report`: what was decided, as one page that stands by itself.

mod chart;
mod collect;
mod page;

use std::path::{Path, PathBuf};

use collect::ReportData;

use crate::cli::args::records::{RecordFilter, RecordSource, read_records};
use crate::cli::output::pluralize;
use crate::cli::output::print::{print, print_file};
use crate::cli::{CommandError, ExitStatus};

/// Write an HTML report of past decisions
///
/// Writes a single HTML file that works offline. For example:
///
///   ruleward report
///   ruleward report --since 7days --output week.html
///   ruleward report audit.jsonl --output - > report.html
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    #[command(flatten)]
    source: RecordSource,
    #[command(flatten)]
    filter: RecordFilter,
    /// The file to write; `-` for standard output.
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// The number of latest events to list.
    #[arg(long, value_name = "NUMBER", default_value_t = 500)]
    listed: usize,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    write_report(args)?;
    Ok(ExitStatus::Success)
}

fn write_report(args: &Args) -> Result<(), CommandError> {
    let mut gathered = ReportData::new(args.listed);
    let files = args.source.files()?;
    let wanted = read_records(&files)?.filter(|entry| args.filter.matches(entry));
    wanted.for_each(|entry| gathered.add(&entry));
    let records = gathered.stats.records;
    let html = page::render(&mut gathered)?;
    if args.output == Path::new("-") {
        print_file(&html);
        return Ok(());
    }
    crate::io::files::write_atomic(&args.output, &html)?;
    print(&format!("{} written, about {}\n", args.output.display(), pluralize(records, "record")));
    Ok(())
}
