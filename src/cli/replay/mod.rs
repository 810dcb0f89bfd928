//! `ruleward replay` and `ruleward policy diff`: what a policy would have stopped in past sessions, and which recorded
//! decisions it would change.

mod diff;
mod format;
mod json_members;
mod outcome;
mod progress;
mod replay_judge;
mod replay_store;
mod sessions;
mod workers;

use std::num::NonZero;
use std::path::PathBuf;

use replay_judge::{PlaceCache, ReplayJudge};
use sessions::{SessionOutput, SessionRequest, Window};
use workers::ReplayTask;

use crate::cli::args::records::RecordSource;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, context};
use crate::io::process::stdio;

/// Show what a policy would have stopped in past sessions, or which recorded decisions it changes
///
/// Without files, reads the transcripts of Claude Code, Codex and Gemini CLI on this machine and
/// shows how often the policy would have asked or denied, by rule, with examples. Use it before you
/// enable a policy:
///
///   ruleward replay
///   ruleward replay --since 7d --policy new.yaml --html replay.html
///   ruleward replay ~/.codex/sessions/2026 session.jsonl --json
///
/// With the audit log (`--audit`, or files of records or payloads), evaluates each event again and
/// compares the result with the recorded decision, or with that of the policy under `--against`.
/// `--against`, `--check`, `--remember` and `--format jsonl` require the audit log:
///
///   ruleward replay --audit --policy new.yaml
///   ruleward replay audit.jsonl --policy new.yaml --against old.yaml --check
///   zcat logs/*.gz | ruleward replay - --policy new.yaml --format jsonl
///
/// A line is a record of the audit log, or a host's payload. `--format jsonl` prints one line per
/// input line, in order, so that you can distribute the work.
///
/// Except to find where projects begin, files of this machine are not read, so a log gives the same
/// result everywhere. `--here` follows links and reads scripts and baselines, as the hook does.
///
/// The exit code is 0; with `--check`, it is 1 if a decision changes.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Transcripts, directories of transcripts, or files of records or payloads (`-` for standard
    /// input) (default: the transcripts of this machine).
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Compare with the audit log of this machine.
    #[arg(long, conflicts_with = "files")]
    audit: bool,
    /// The policy to try; repeatable (default: the policy in force here).
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Compare with this policy instead of the recorded decisions; repeatable.
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,
    /// Only calls of transcripts of at most this age (`7d`), or since this time
    /// (`2026-11-21T12:00:00Z`) (default without files: 30 days).
    #[arg(long, value_name = "AGE or TIME", value_parser = Window::parse, conflicts_with = "audit")]
    since: Option<Window>,
    /// Write the result as an HTML report; `-` for standard output.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["audit", "json", "format"])]
    html: Option<PathBuf>,
    #[command(flatten)]
    manner: ReplayOptions,
}

/// How events are judged again, and what is said of it.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct ReplayOptions {
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Fail if a decision changes.
    #[arg(long)]
    check: bool,
    /// The number of examples for each rule.
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    examples: usize,
    /// The host of payloads that don't name it; for transcripts, only those of this host.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// The home directory for the events (default: derived from their directory).
    #[arg(long, value_name = "DIR")]
    home: Option<String>,
    /// Follow links, and read scripts and baselines, on this machine.
    #[arg(long)]
    here: bool,
    /// Carry gates, counters and budgets over from event to event, for a log with every event
    /// (`audit: everything`). The stored state is not changed.
    #[arg(long)]
    remember: bool,
    /// The number of threads (default: one per processor).
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
    let manner = &args.manner;
    let is_comparison =
        args.audit || manner.check || manner.remember || manner.format == Format::Jsonl || !args.against.is_empty();
    if is_comparison || !args.files.is_empty() && !args.files.iter().any(|path| sessions::is_transcript(path)) {
        if args.since.is_some() || args.html.is_some() {
            return Err(CommandError::Usage("`--since` and `--html` require transcripts".into()));
        }
        return compare(&args.files, &args.policy, &args.against, manner);
    }
    let request = SessionRequest {
        paths: &args.files,
        policy: &args.policy,
        since: args.since.as_ref(),
        host: manner.host.as_deref(),
        home: manner.home.as_deref(),
        examples: manner.examples,
        uses_machine: manner.here,
        threads: manner.threads,
    };
    let output = match &args.html {
        Some(path) => SessionOutput::Page(path),
        None if manner.json || manner.format == Format::Json => SessionOutput::Json,
        None => SessionOutput::Text,
    };
    sessions::run(&request, &output)
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
        return Err("there is no audit log yet; name files, or `-` for standard input".into());
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
        return Err(CommandError::Usage(format!("no line could be evaluated; the first: {first}")));
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
        stdio::print_stderr(&format!("{} lines could not be evaluated; the first: {first}", diff.unreadable));
    }
    Ok(if args.check && diff.changed > 0 { ExitStatus::Failure } else { ExitStatus::Success })
}
