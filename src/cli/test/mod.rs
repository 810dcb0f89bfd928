//! `ruleward test`: the tests of policies and the examples of their rules, for people and for CI.

mod case;
mod coverage;
mod format;
mod mutate;
mod score;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use coverage::{Coverage, Tally};

use super::described::Stage;
use super::{Exit, examples, hosts};
use crate::domain::state::InMemory;
use crate::io::policy::diagnostic::Diagnostic;
use crate::io::suite::{self, Tests};
use crate::io::{files, stdio};

/// Run the tests of policies
///
/// Runs every `*.test.yaml` below the given paths, the `tests:` of a `policy.yaml` there or of a
/// policy that is named, and the `examples:` of the rules of every policy there. Without a path,
/// those of this project's `.ruleward`. For example:
///
///   ruleward test
///   ruleward test policies/git.test.yaml --filter force
///   ruleward test --min-coverage 90 --format github
///   ruleward test --mutate policies/git.yaml
///
/// With `--coverage` it says how far the tests reach: which rules held and decided, and which of
/// their conditions were seen to hold and not to hold. What is counted are the rules of the files
/// and packs under test, not those of packs that a file extends.
///
/// With `--mutate`, what is refused or asked about there is written in other ways that run the
/// same (quoted, wrapped, nested, with its options in another order), and the spellings that escape
/// are printed, with a score for each rule. What passes there must pass when it is merely written
/// differently.
///
/// The exit code is 1 when a test fails, the coverage is below `--min-coverage`, or a spelling escapes.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Args {
    /// Test files, policies with tests or examples, or directories.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only tests whose names hold this, and examples of rules whose ids do.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Say how far the tests reach.
    #[arg(long, conflicts_with = "mutate")]
    coverage: bool,
    /// Fail when the tests reach less far than this.
    #[arg(long, value_name = "PER CENT", value_parser = per_cent, conflicts_with = "mutate")]
    min_coverage: Option<f64>,
    /// Run again whenever a file changes, until interrupted.
    #[arg(long)]
    watch: bool,
    /// Try other spellings of the command lines and paths in tests and examples.
    #[arg(long)]
    mutate: bool,
    /// Spellings of one line that are tried at most.
    #[arg(long, value_name = "N", default_value_t = 300, requires = "mutate")]
    mutations: usize,
    /// How to print what came of it.
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
    /// An XML report, which CI services show.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// The Test Anything Protocol.
    Tap,
}

fn per_cent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse::<f64>().ok();
    number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

impl Args {
    fn wants(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|text| name.contains(text.as_str()))
    }
}

/// A file and the tests in it.
struct Found {
    file: PathBuf,
    tests: Tests,
}

/// A test or an example, and what came of it.
struct Ran {
    file: PathBuf,
    name: String,
    differences: Vec<String>,
    /// Where it stands in the file.
    position: Option<(usize, usize)>,
}

impl Ran {
    const fn has_passed(&self) -> bool {
        self.differences.is_empty()
    }
}

/// What came of all of them.
struct Results {
    ran: Vec<Ran>,
    /// How far they reach, when that was asked for.
    coverage: Option<Coverage>,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".ruleward")] } else { args.paths.clone() };
    if !args.watch {
        return once(args, &paths).0.into();
    }
    loop {
        let before = watch::State::of(&paths);
        let (_, others) = once(args, &paths);
        let watched: Vec<PathBuf> = paths.iter().cloned().chain(others).collect();
        let state = watch::State::of(&watched);
        // What changed while the tests ran is seen at once.
        if watch::State::of(&paths) == before {
            stdio::say("waiting for a change; Ctrl-C ends");
            state.wait(&watched);
        }
    }
}

/// Runs everything once. Returns how that ended, and the files of the policies under test.
fn once(args: &Args, paths: &[PathBuf]) -> (Exit, Vec<PathBuf>) {
    let found = match found(paths) {
        Ok(found) => found,
        Err(why) => {
            stdio::say(&why);
            return (Exit::Usage, Vec::new());
        }
    };
    let subjects = found.iter().flat_map(|found| &found.tests.subjects).map(PathBuf::from).collect();
    let format = if args.json { Format::Json } else { args.format };
    if args.mutate {
        return (mutated(&found, args, format == Format::Json), subjects);
    }
    let mut coverage = (args.coverage || args.min_coverage.is_some()).then(Coverage::default);
    let mut ran: Vec<Ran> = found.iter().flat_map(|found| run_file(found, args, coverage.as_mut())).collect();
    if ran.is_empty() {
        return (nothing(args), subjects);
    }
    if let (Some(least), Some(coverage), Some(path)) = (args.min_coverage, &coverage, paths.first()) {
        let enough = coverage.reaches(least);
        let differences = if enough { Vec::new() } else { vec![format!("it is {}", coverage.shown())] };
        let name = format!("the coverage is at least {least}%");
        ran.push(Ran { file: path.clone(), name, differences, position: None });
    }
    let failed = ran.iter().any(|ran| !ran.has_passed());
    stdio::print(&format::report(&Results { ran, coverage }, format));
    (if failed { Exit::Failed } else { Exit::Done }, subjects)
}

/// Tries other spellings, and prints what came of them.
fn mutated(found: &[Found], args: &Args, is_json: bool) -> Exit {
    let mut scores = score::Scores::default();
    for found in found {
        mutate::run(found, args, &mut scores);
    }
    if scores.is_empty() {
        return nothing(args);
    }
    stdio::print(&if is_json { scores.as_json() } else { scores.as_text() });
    if scores.is_clean() { Exit::Done } else { Exit::Failed }
}

/// Says that there is nothing to run.
fn nothing(args: &Args) -> Exit {
    stdio::say(match &args.filter {
        Some(_) => "error: no test has a name like that",
        None => "error: there are no tests here; `ruleward init` writes some to start from",
    });
    Exit::Usage
}

/// Returns the files with tests below the paths.
fn found(paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let mut found = Vec::new();
    for path in paths {
        for file in files::ending(path, ".yaml")? {
            if !paths.contains(&file) && !suite::has_tests(&file) {
                continue;
            }
            let tests = suite::load(&file, &hosts::names()).map_err(|found| rendered(&found))?;
            found.extend(tests.map(|tests| Found { file, tests }));
        }
    }
    Ok(found)
}

fn rendered(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(false)).collect::<Vec<_>>().join("\n")
}

/// Runs the tests and the examples of a file, and adds what they reach.
fn run_file(found: &Found, args: &Args, coverage: Option<&mut Coverage>) -> Vec<Ran> {
    let Found { file, tests } = found;
    let mut ran: Vec<Ran> = Vec::new();
    let tally = Tally::default();
    for case in tests.cases.iter().filter(|case| args.wants(&case.name)) {
        let differences = match case::judge(case, &tests.loaded.policy, Some(&tally)) {
            Ok((judged, state)) => {
                let mut found = case::differences(case, &judged);
                found.extend(case::differences_of_state(case, &state, &tests.loaded.policy));
                found
            }
            Err(why) => vec![why],
        };
        ran.push(Ran { file: file.clone(), name: case.name.clone(), differences, position: case.position });
    }
    let policy = examples::enforced(&tests.loaded.policy);
    let shown = Tally::default();
    let memory = InMemory::default();
    let stage = Stage { witness: Some(&shown), ..Stage::bare(&policy, &memory) };
    for (example, source) in tests.source.iter().flat_map(|source| tests.examples.iter().map(move |it| (it, source))) {
        let name = format!("{}: {} `{}`", example.rule, example.showing.name(), example.event.summary());
        if !args.wants(&name) {
            continue;
        }
        let failure = examples::failure(example, source, stage);
        let differences = failure.iter().flat_map(|failure| {
            let help = failure.help.iter().map(|help| format!("help: {help}"));
            std::iter::once(failure.to_string()).chain(help).collect::<Vec<_>>()
        });
        let position = Some(source.position(example.span.start));
        ran.push(Ran { file: file.clone(), name, differences: differences.collect(), position });
    }
    if let Some(coverage) = coverage {
        coverage.add(tests, &tests.loaded.policy, &tally);
        coverage.add(tests, &policy, &shown);
    }
    ran
}
