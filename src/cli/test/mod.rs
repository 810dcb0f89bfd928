//! `ruleward test`: the tests of policies and the examples of their rules, for people and for CI.

mod case;
mod coverage;
mod format;
mod mutate;
mod score;
mod watch;

use std::path::PathBuf;

use coverage::{Coverage, CoverageRecorder};

use crate::adapters::host_names;
use crate::cli::output::print::{print, print_json};
use crate::cli::scenario::ScenarioRunner;
use crate::cli::{CommandError, ExitStatus, examples};
use crate::domain::state::MemoryStore;
use crate::io::files;
use crate::io::policy::diagnostic::Diagnostic;
use crate::io::process::stdio;
use crate::io::suite::{self, LoadedTests};

/// Run the tests of policies
///
/// Runs every `*.test.yaml` under the given paths, the `tests:` of policies, and the `examples:` of
/// their rules. The default path is this project's `.ruleward`. For example:
///
///   ruleward test
///   ruleward test policies/git.test.yaml --filter force
///   ruleward test --min-coverage 90 --format github
///   ruleward test --mutate policies/git.yaml
///
/// `--coverage` shows which rules matched and decided, and which of their conditions both matched
/// and didn't match. It counts the rules of the files and packs under test, not those of packs that
/// a file extends.
///
/// `--mutate` rewrites commands that are denied or asked about in other ways that do the same
/// (quoted, wrapped, nested, with options in another order). It prints the spellings that escape,
/// with a score for each rule. Commands that pass must also pass in other spellings.
///
/// The exit code is 1 if a test fails, the coverage is below `--min-coverage`, or a spelling
/// escapes.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Args {
    /// Test files, policies with tests or examples, or directories.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only run tests whose name contains this, and examples of rules whose id does.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Show the coverage of rules and conditions.
    #[arg(long, conflicts_with = "mutate")]
    coverage: bool,
    /// Fail if the coverage is lower.
    #[arg(long, value_name = "PER CENT", value_parser = parse_percentage, conflicts_with = "mutate")]
    min_coverage: Option<f64>,
    /// Run again whenever a file changes, until interrupted.
    #[arg(long)]
    watch: bool,
    /// Try other spellings of the command lines and paths in tests and examples.
    #[arg(long)]
    mutate: bool,
    /// The maximum number of spellings per command.
    #[arg(long, value_name = "N", default_value_t = 300, requires = "mutate")]
    mutations: usize,
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
    /// An XML report for CI services.
    Junit,
    /// GitHub Actions annotations.
    Github,
    /// The Test Anything Protocol.
    Tap,
}

fn parse_percentage(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse::<f64>().ok();
    number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

impl Args {
    fn is_selected(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|text| name.contains(text.as_str()))
    }
}

/// A file and the tests in it.
struct TestFile {
    file: PathBuf,
    tests: LoadedTests,
}

/// A test or an example, and what came of it.
struct TestResult {
    file: PathBuf,
    name: String,
    differences: Vec<String>,
    /// Where it is in the file.
    position: Option<(usize, usize)>,
}

impl TestResult {
    const fn has_passed(&self) -> bool {
        self.differences.is_empty()
    }
}

/// What came of all of them.
struct TestReport {
    results: Vec<TestResult>,
    /// How far they reach, when that was asked for.
    coverage: Option<Coverage>,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".ruleward")] } else { args.paths.clone() };
    if !args.watch {
        return Ok(run_once(args, &paths).0);
    }
    loop {
        let before = watch::FileSnapshot::take(&paths);
        let (_, others) = run_once(args, &paths);
        let watched: Vec<PathBuf> = paths.iter().cloned().chain(others).collect();
        let state = watch::FileSnapshot::take(&watched);
        // What changed while the tests ran is seen at once.
        if watch::FileSnapshot::take(&paths) == before {
            stdio::print_stderr("waiting for changes; press Ctrl-C to quit");
            state.wait_for_change(&watched);
        }
    }
}

/// Runs everything once. Returns how that ended, and the files of the policies under test.
fn run_once(args: &Args, paths: &[PathBuf]) -> (ExitStatus, Vec<PathBuf>) {
    let found = match find_test_files(paths) {
        Ok(found) => found,
        Err(why) => {
            stdio::print_stderr(&why.to_string());
            return (ExitStatus::Usage, Vec::new());
        }
    };
    let subjects = found.iter().flat_map(|found| &found.tests.tested_sources).map(PathBuf::from).collect();
    let format = if args.json { Format::Json } else { args.format };
    if args.mutate {
        return (run_mutations(&found, args, format == Format::Json), subjects);
    }
    let mut coverage = (args.coverage || args.min_coverage.is_some()).then(Coverage::default);
    let mut ran: Vec<TestResult> = found.iter().flat_map(|found| run_file(found, args, coverage.as_mut())).collect();
    if ran.is_empty() {
        return (report_no_tests(args), subjects);
    }
    if let (Some(least), Some(coverage), Some(path)) = (args.min_coverage, &coverage, paths.first()) {
        let enough = coverage.meets(least);
        let differences = if enough { Vec::new() } else { vec![format!("it is {}", coverage.percentage())] };
        let name = format!("the coverage is at least {least}%");
        ran.push(TestResult { file: path.clone(), name, differences, position: None });
    }
    let failed = ran.iter().any(|ran| !ran.has_passed());
    let report = format::report(&TestReport { results: ran, coverage }, format);
    if format == Format::Json {
        print_json(&report);
    } else {
        print(&report);
    }
    (if failed { ExitStatus::Failure } else { ExitStatus::Success }, subjects)
}

/// Tries other spellings, and prints what came of them.
fn run_mutations(found: &[TestFile], args: &Args, is_json: bool) -> ExitStatus {
    let mut scores = score::MutationScores::default();
    for found in found {
        mutate::run(found, args, &mut scores);
    }
    if scores.is_empty() {
        return report_no_tests(args);
    }
    if is_json {
        print_json(&scores.as_json());
    } else {
        print(&scores.as_text());
    }
    if scores.is_clean() { ExitStatus::Success } else { ExitStatus::Failure }
}

/// Says that there is nothing to run.
fn report_no_tests(args: &Args) -> ExitStatus {
    stdio::print_stderr(match &args.filter {
        Some(_) => "error: no test matches the filter",
        None => "error: no tests found; `ruleward init` creates some",
    });
    ExitStatus::Usage
}

/// Returns the files with tests below the paths.
fn find_test_files(paths: &[PathBuf]) -> Result<Vec<TestFile>, CommandError> {
    let mut found = Vec::new();
    for path in paths {
        for file in files::list_recursive(path, ".yaml")? {
            if !paths.contains(&file) && !suite::has_tests(&file) {
                continue;
            }
            let tests = suite::load(&file, &host_names()).map_err(|found| render_diagnostics(&found))?;
            found.extend(tests.map(|tests| TestFile { file, tests }));
        }
    }
    Ok(found)
}

fn render_diagnostics(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(false)).collect::<Vec<_>>().join("\n")
}

/// Runs the tests and the examples of a file, and adds what they reach.
fn run_file(found: &TestFile, args: &Args, coverage: Option<&mut Coverage>) -> Vec<TestResult> {
    let TestFile { file, tests } = found;
    let mut ran: Vec<TestResult> = Vec::new();
    let tally = CoverageRecorder::default();
    for case in tests.cases.iter().filter(|case| args.is_selected(&case.name)) {
        let differences = match case::run(case, &tests.loaded.policy, Some(&tally)) {
            Ok((judged, state)) => {
                let mut found = case::differences(case, &judged);
                found.extend(case::state_differences(case, &state, &tests.loaded.policy));
                found
            }
            Err(why) => vec![why],
        };
        ran.push(TestResult { file: file.clone(), name: case.name.clone(), differences, position: case.position });
    }
    let policy = examples::enforce_all(&tests.loaded.policy);
    let shown = CoverageRecorder::default();
    let memory = MemoryStore::default();
    let stage = ScenarioRunner { observer: Some(&shown), ..ScenarioRunner::new(&policy, &memory) };
    for (example, source) in tests.source.iter().flat_map(|source| tests.examples.iter().map(move |it| (it, source))) {
        let name = format!("{}: {} `{}`", example.rule, example.showing.name(), example.event.summary());
        if !args.is_selected(&name) {
            continue;
        }
        let failure = examples::run_example(example, source, stage);
        let differences = failure.iter().flat_map(|failure| {
            let help = failure.help.iter().map(|help| format!("help: {help}"));
            std::iter::once(failure.to_string()).chain(help).collect::<Vec<_>>()
        });
        let position = Some(source.position(example.span.start));
        ran.push(TestResult { file: file.clone(), name, differences: differences.collect(), position });
    }
    if let Some(coverage) = coverage {
        coverage.add(tests, &tests.loaded.policy, &tally);
        coverage.add(tests, &policy, &shown);
    }
    ran
}
