//! `ruleward scan`: secrets and personal data in files, by the same rules as under the hook.

mod human;
mod json;
mod sarif;
mod scanner;
mod scope;
mod workers;

use std::path::{Path, PathBuf};

use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::allowlist::{Authority, Baseline, Suppression, Suppressions};
use crate::domain::layer::Layer;
use crate::io::files;
use crate::io::policy::code::DiagnosticSeverity;
use crate::io::process::stdio;
use scanner::FileScanner;
use scope::ScanScope;
use workers::ScanResults;

/// Find secrets and personal data in files
///
/// What is looked for and what is known to be harmless says the policy that holds here: its rules
/// with `secrets` or `pii`, and its `secrets` key. Trees are searched without what `.gitignore`,
/// `.ignore` and `.rulewardignore` leave out. For example:
///
///   ruleward scan .
///   ruleward scan --staged
///   ruleward scan --diff origin/main --format sarif > ruleward.sarif
///   git log -p | ruleward scan -
///
/// No value is ever printed or stored. The exit code is 0 when nothing was found, 1 when something
/// was, 2 when something could not be read.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group = clap::ArgGroup::new("what").args(["paths", "staged", "diff"]).required(true))]
pub(super) struct Args {
    /// Files and directories; `-` for standard input.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The lines that are staged for the next commit.
    #[arg(long)]
    staged: bool,
    /// The lines that the current commit has beyond its common ancestor with a revision.
    #[arg(long, value_name = "REV")]
    diff: Option<String>,
    /// Also what ignore files leave out.
    #[arg(long)]
    no_ignore: bool,
    /// Files larger than this are named and not searched.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1024))]
    max_size: u64,
    /// Detectors in place of the policy's: ids with `*`, `all`, `-id` to leave one out.
    #[arg(
        long,
        value_name = "IDS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "What is looked for"
    )]
    detectors: Vec<String>,
    /// Only detectors that are at least so sure.
    #[arg(long, value_name = "TIER", help_heading = "What is looked for")]
    min_tier: Option<scope::TierName>,
    /// Kinds of personal data besides the policy's: ids with `*`, `all`, `-id` to leave one out.
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "What is looked for"
    )]
    pii: Vec<String>,
    /// A policy file in place of those found here; may be given again.
    #[arg(long, value_name = "FILE", help_heading = "What is looked for")]
    policy: Vec<PathBuf>,
    /// A file of findings that are known and not reported, besides the policy's; may be given again.
    #[arg(long, value_name = "FILE", help_heading = "What is known")]
    baseline: Vec<PathBuf>,
    /// Write all findings into a file, to be known from now on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["staged", "diff"], help_heading = "What is known")]
    write_baseline: Option<PathBuf>,
    /// Report also what a comment `ruleward:allow` excuses.
    #[arg(long, help_heading = "What is known")]
    no_markers: bool,
    /// How findings are told.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// How findings are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0, for services that show results beside the code.
    Sarif,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    scan(args)
}

fn scan(args: &Args) -> Result<ExitStatus, CommandError> {
    let cwd = context::absolute_directory(None)?;
    let here = context::load_for_user(&args.policy, &cwd);
    if let Some(error) =
        here.loaded.diagnostics.iter().find(|diagnostic| diagnostic.severity() == DiagnosticSeverity::Error)
    {
        return Err(CommandError::Policy(format!(
            "the policy has an error, {error}; see all of them with `ruleward lint`"
        )));
    }
    let policy = &here.loaded.policy;
    let wanted = ScanScope::from_args(args, policy)?;
    let quieting = suppressions(args, &policy.suppressions, &cwd)?;
    let known = Suppression::new(&quieting, Authority::All, &here.place, &|path| Ok(files::read_text(path)?));
    let troubles = known.errors().to_vec();
    if !troubles.is_empty() {
        return Err(CommandError::Policy(troubles.join("; ")));
    }
    // Read above, once: the threads share what is in them and not the reading.
    let baselines = known.into_baselines();
    let examiner = FileScanner { scope: &wanted, suppressions: &quieting, baselines: &baselines, place: &here.place };
    let jobs = workers::collect_jobs(args, &here.place)?;
    let scanned = workers::run(jobs, &examiner, args.max_size << 20);
    if let Some(path) = &args.write_baseline {
        write_baseline(path, &scanned)?;
        return Ok(report_skipped(&scanned, false));
    }
    let text = match args.format {
        Format::Human => human::report(&scanned, Palette::for_stdout()),
        Format::Json => json::report(&scanned),
        Format::Sarif => sarif::report(&scanned),
    };
    if args.format == Format::Human {
        print(&text);
    } else {
        print_json(&text);
    }
    Ok(report_skipped(&scanned, !scanned.findings.is_empty()))
}

/// Says on standard error what was not searched, and how it ended.
fn report_skipped(scanned: &ScanResults, found: bool) -> ExitStatus {
    for note in &scanned.notes {
        stdio::print_stderr(&format!("note: {note}"));
    }
    for error in &scanned.errors {
        stdio::print_stderr(&format!("error: {error}"));
    }
    match (found, scanned.errors.is_empty()) {
        (true, _) => ExitStatus::Failure,
        (false, true) => ExitStatus::Success,
        (false, false) => ExitStatus::Usage,
    }
}

/// Returns what the policy says is no leak, with what the command line adds. Who writes a baseline wants all findings.
fn suppressions(
    args: &Args,
    policy: &[(Layer, Suppressions)],
    cwd: &str,
) -> Result<Vec<(Layer, Suppressions)>, CommandError> {
    let mut all = policy.to_vec();
    if args.write_baseline.is_some() {
        for (_, quieting) in &mut all {
            quieting.baseline = None;
        }
        return Ok(all);
    }
    for path in &args.baseline {
        let path = Path::new(cwd).join(path);
        let baseline = Some(path.to_str().ok_or("a baseline's path is not UTF-8")?.to_owned());
        all.push((Layer::CommandLine, Suppressions { baseline, ..Suppressions::default() }));
    }
    Ok(all)
}

/// Writes the baseline. Reasons that an earlier one gives for the same findings stay.
fn write_baseline(path: &Path, scanned: &ScanResults) -> Result<(), CommandError> {
    let mut baseline = Baseline::from_entries(scanned.findings.iter().map(scanner::ScanFinding::to_baseline_entry));
    if path.is_file() {
        let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let text = files::read_text(&path.to_string_lossy()).map_err(|error| failed(&error))?;
        baseline.copy_reasons_from(&Baseline::parse(&text).map_err(|error| failed(&error))?);
    }
    files::write_atomic(path, &baseline.to_json())?;
    stdio::print_stderr(&format!("{} findings are known from now on, by {}", baseline.len(), path.display()));
    Ok(())
}
