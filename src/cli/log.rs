//! `ruleward log`: what was decided, line by line.

use crate::cli::args::records::{RecordFilter, RecordSource, read_records};
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus};
use crate::io::audit::{self, AuditDecision, AuditRecord};

/// Characters that are shown of what an event was about.
const MAX_SUMMARY_CHARS: usize = 100;

/// List recent decisions
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: RecordSource,
    #[command(flatten)]
    filter: RecordFilter,
    /// Wait for new records and show them.
    #[arg(long, short)]
    follow: bool,
    /// Only the last records, up to this number.
    #[arg(long, short = 'n', value_name = "NUMBER")]
    last: Option<usize>,
    /// Print the records as JSON, one object per line.
    #[arg(long)]
    json: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    show(args)?;
    Ok(ExitStatus::Success)
}

fn show(args: &Args) -> Result<(), CommandError> {
    let palette = Palette::for_stdout();
    let files = args.source.files()?;
    let wanted = read_records(&files)?.filter(|entry| args.filter.matches(entry));
    let show = |entry: &AuditRecord| {
        if args.json { print_json(&format!("{}\n", entry.value())) } else { print(&format_entry(entry, palette)) }
    };
    if let Some(most) = args.last {
        let mut last = std::collections::VecDeque::with_capacity(most.min(1 << 16));
        for entry in wanted {
            if last.len() == most {
                last.pop_front();
            }
            last.push_back(entry);
        }
        last.iter().take(most).for_each(show);
    } else {
        wanted.for_each(|entry| show(&entry));
    }
    if args.follow {
        let path = files.last().cloned().map_or_else(RecordSource::default_path, Ok)?;
        audit::follow_records(&path, |entry| {
            if args.filter.matches(&entry) {
                show(&entry);
            }
            true
        });
    }
    Ok(())
}

fn format_entry(entry: &AuditRecord, palette: Palette) -> String {
    let name = format!("{:<5}", entry.decision().name());
    let decided = match entry.decision() {
        AuditDecision::Deny | AuditDecision::Stop => palette.error(name),
        AuditDecision::Ask | AuditDecision::Defer | AuditDecision::Retry => palette.warning(name),
        AuditDecision::Allow => palette.success(name),
        AuditDecision::None => palette.dim(name),
    };
    let rules = entry.rule_ids().collect::<Vec<_>>().join(", ");
    let what = [entry.tool(), entry.kind()].into_iter().find(|it| !it.is_empty()).unwrap_or_default();
    let about = entry.summary();
    let about = match about.char_indices().nth(MAX_SUMMARY_CHARS) {
        Some((end, _)) => format!("{}…", about.get(..end).unwrap_or_default()),
        None => about,
    };
    let backups: Vec<String> = entry.backups().iter().map(|backup| format!("  {}", palette.dim(backup))).collect();
    let backups = backups.concat();
    let rules = if rules.is_empty() { String::new() } else { format!("  {}", palette.dim(format!("[{rules}]"))) };
    format!(
        "{}  {}  {decided}  {:<7} {what}: {about}{rules}{backups}\n",
        palette.dim(entry.timestamp()),
        entry.id(),
        entry.host()
    )
}
