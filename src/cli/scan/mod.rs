//! `ruleward scan`: secrets and personal data in files, by the same rules as under the hook.

mod fresh_lines;
mod github;
mod history;
mod human;
mod json;
mod junit;
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
/// Uses the policy in force here: its rules with `secrets` or `pii` define what to find, and its
/// `secrets` key lists known findings. Skips files that `.gitignore`, `.ignore` and
/// `.rulewardignore` exclude. For example:
///
///   ruleward scan
///   ruleward scan --staged
///   ruleward scan --history
///   ruleward scan --diff origin/main --format sarif > ruleward.sarif
///   git log -p | ruleward scan -
///
/// Values are never printed or stored. The exit code is 0 if nothing was found, 1 if something was
/// found, and 2 if a file could not be read.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group = clap::ArgGroup::new("what").args(["paths", "staged", "diff", "history"]))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    /// Files and directories; `-` for standard input. The default is the current directory.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Scan the lines that are staged for the next commit.
    #[arg(long)]
    staged: bool,
    /// Scan the lines that were added since the common ancestor with this revision.
    #[arg(long, value_name = "REV")]
    diff: Option<String>,
    /// Scan every version of every file in the git history, and the commit messages.
    #[arg(long)]
    history: bool,
    /// Don't skip files that ignore files exclude.
    #[arg(long)]
    no_ignore: bool,
    /// Report larger files without searching them.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1024))]
    max_size: u64,
    /// Use these detectors instead of the policy's: ids with `*`, `all`, `-id` to exclude one.
    #[arg(long, value_name = "IDS", value_delimiter = ',', allow_hyphen_values = true, help_heading = "Detection")]
    detectors: Vec<String>,
    /// Only use detectors of at least this tier.
    #[arg(long, value_name = "TIER", help_heading = "Detection")]
    min_tier: Option<scope::TierName>,
    /// Additional kinds of personal data: ids with `*`, `all`, `-id` to exclude one.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', allow_hyphen_values = true, help_heading = "Detection")]
    pii: Vec<String>,
    /// Use this policy file instead of the policies in force here; repeatable.
    #[arg(long, value_name = "FILE", help_heading = "Detection")]
    policy: Vec<PathBuf>,
    /// An additional baseline of known findings; repeatable.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    baseline: Vec<PathBuf>,
    /// Write all findings to a baseline.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["staged", "diff"], help_heading = "Baseline")]
    write_baseline: Option<PathBuf>,
    /// Also report findings that a comment `ruleward:allow` suppresses.
    #[arg(long, help_heading = "Baseline")]
    no_markers: bool,
    /// The output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0, for code scanning services.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// Test results in XML, which most CI systems show.
    Junit,
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
            "the policy has an error, {error}; list all errors with `ruleward lint`"
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
    let jobs = workers::collect_jobs(args, &examiner)?;
    let scanned = workers::run(jobs, &examiner, args.max_size << 20);
    if let Some(path) = &args.write_baseline {
        write_baseline(path, &scanned)?;
        return Ok(report_skipped(&scanned, false));
    }
    match if args.json { Format::Json } else { args.format } {
        Format::Human => print(&human::report(&scanned, Palette::for_stdout())),
        Format::Json => print_json(&json::report(&scanned)),
        Format::Sarif => print_json(&sarif::report(&scanned)),
        Format::Github => print(&github::report(&scanned)),
        Format::Junit => print(&junit::report(&scanned)),
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
        let baseline = Some(path.to_str().ok_or("the baseline's path is not UTF-8")?.to_owned());
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
    stdio::print_stderr(&format!("wrote {} findings to {}", baseline.len(), path.display()));
    Ok(())
}
