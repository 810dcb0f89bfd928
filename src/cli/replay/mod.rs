//! `ruleward replay` and `ruleward policy diff`: which past decisions another policy would change.

mod diff;
mod format;
mod json_members;
mod outcome;
mod replay_judge;
mod replay_store;
mod workers;

use std::num::NonZero;
use std::path::PathBuf;

use replay_judge::{PlaceCache, ReplayJudge};
use workers::ReplayTask;

use crate::cli::args::records::RecordSource;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, context};
use crate::io::process::stdio;

/// Show which past decisions a policy would change
///
/// Judges the events of the audit log again and compares: with the recorded decision, or with what
/// the policy under `--against` makes of the same event. For example:
///
///   ruleward replay --policy new.yaml
///   ruleward replay audit.jsonl --policy new.yaml --against old.yaml --check
///   zcat logs/*.gz | ruleward replay - --policy new.yaml --format jsonl
///
/// A line is a record of the audit log, or a payload as a host sends it. With `--format jsonl` each
/// line comes to one line, in order, so that any data engine can spread the work.
///
/// Nothing but where projects begin is looked at on this machine, so that a log says the same
/// everywhere; `--here` also follows links and reads scripts and baselines, as the hook does.
///
/// The exit code is 0; with `--check` it is 1 when a decision changes.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files of records or payloads, `-` for standard input; the audit log of this machine when none is named.
    #[arg(value_name = "AUDIT")]
    files: Vec<PathBuf>,
    /// The policy that is tried; may be given again. The one in force here when none is named.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// The policy to compare with, in place of what was recorded; may be given again.
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    manner: ReplayOptions,
}

/// How events are judged again, and what is said of it.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct ReplayOptions {
    /// How to print what would change.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Fail when a decision changes.
    #[arg(long)]
    check: bool,
    /// Examples that are shown for each rule.
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    examples: usize,
    /// The host of payloads that do not tell it.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// The home directory of whoever the events are of; told from where they happened when not given.
    #[arg(long, value_name = "DIR")]
    home: Option<String>,
    /// Follow links, and read scripts and baselines, on this machine.
    #[arg(long)]
    here: bool,
    /// Carry gates, counters and budgets from event to event, for a log that has every event
    /// (`audit: everything`). The memory of the hook stays as it is.
    #[arg(long)]
    remember: bool,
    /// Threads; one for each processor when not given.
    #[arg(long, value_name = "NUMBER", conflicts_with = "remember")]
    threads: Option<NonZero<usize>>,
}

/// How a diff is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people, by rule.
    Human,
    /// For programs, by rule.
    Json,
    /// One line of JSON for each event.
    Jsonl,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    compare(&args.files, &args.policy, &args.against, &args.manner)
}

/// Judges events by a policy and holds that against another one, or against what was recorded.
pub(super) fn compare(
    files: &[PathBuf],
    new: &[PathBuf],
    old: &[PathBuf],
    args: &ReplayOptions,
) -> Result<ExitStatus, CommandError> {
    let format = if args.json { Format::Json } else { args.format };
    let paths = RecordSource { files: files.to_vec() }.files()?;
    if paths.is_empty() {
        return Err("there is no audit log here yet; name files, or `-` for standard input".into());
    }
    let old = if old.is_empty() { None } else { Some(ReplayJudge::new(old, args.here, args.remember)?) };
    let task = ReplayTask {
        new: ReplayJudge::new(new, args.here, args.remember)?,
        old,
        host: args.host.as_deref().map(context::by_name).transpose()?,
        places: PlaceCache::new(args.home.as_deref()),
        examples: args.examples,
        prints_lines: format == Format::Jsonl,
        paths,
        // What is remembered goes by the order of events.
        threads: if args.remember { Some(NonZero::<usize>::MIN) } else { args.threads },
    };
    let diff = workers::run(&task)?;
    if let (0, Some(first)) = (diff.events, &diff.first_unreadable) {
        return Err(CommandError::Usage(format!("no line could be judged; the first: {first}")));
    }
    match format {
        Format::Human => print(&format::human(&diff)),
        Format::Json => print_json(&format::as_json(&diff)),
        // The lines are out; what of them could not be judged is said to people.
        Format::Jsonl => {}
    }
    if format == Format::Jsonl
        && let Some(first) = &diff.first_unreadable
    {
        stdio::print_stderr(&format!("{} lines could not be judged; the first: {first}", diff.unreadable));
    }
    Ok(if args.check && diff.changed > 0 { ExitStatus::Failure } else { ExitStatus::Success })
}
