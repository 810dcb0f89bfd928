//! `ruleward test`: the tests of policies and the examples of their rules, for people and for CI.

mod case;
mod mutate;
mod score;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::examples;
use super::style::Palette;
use super::{Exit, hosts};
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
///   ruleward test --mutate policies/git.yaml
///
/// With `--mutate`, what is refused or asked about there is written in other ways that run the
/// same (quoted, wrapped, nested, with its options in another order), and the spellings that escape
/// are printed, with a score for each rule. What passes there must pass when it is merely written
/// differently.
///
/// The exit code is 1 when a test fails, or a spelling escapes.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Test files, policies with tests or examples, or directories.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only tests whose names hold this, and examples of rules whose ids do.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
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
    /// Where a failed example stands.
    position: Option<(usize, usize)>,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".ruleward")] } else { args.paths.clone() };
    let found = match found(&paths) {
        Ok(found) => found,
        Err(why) => {
            stdio::say(&why);
            return Exit::Usage.into();
        }
    };
    let is_json = args.json || args.format == Format::Json;
    if args.mutate {
        return mutated(&found, args, is_json).into();
    }
    let ran: Vec<Ran> = found.iter().flat_map(|found| run_file(found, args)).collect();
    if ran.is_empty() {
        return nothing(args).into();
    }
    stdio::print(&if is_json { as_json(&ran) } else { as_text(&ran) });
    let failed = ran.iter().any(|ran| !ran.differences.is_empty());
    if failed { Exit::Failed.into() } else { Exit::Done.into() }
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

fn run_file(found: &Found, args: &Args) -> Vec<Ran> {
    let Found { file, tests } = found;
    let mut ran: Vec<Ran> = Vec::new();
    for case in tests.cases.iter().filter(|case| args.wants(&case.name)) {
        let differences = case::run(case, &tests.loaded);
        ran.push(Ran { file: file.clone(), name: case.name.clone(), differences, position: None });
    }
    let Some(source) = &tests.source else { return ran };
    let policy = examples::enforced(&tests.loaded.policy);
    for example in &tests.examples {
        let name = format!("{}: {} `{}`", example.rule, example.showing.name(), example.event.summary());
        if !args.wants(&name) {
            continue;
        }
        let failure = examples::failure(example, source, &policy);
        let differences = failure.iter().flat_map(|failure| {
            let help = failure.help.iter().map(|help| format!("help: {help}"));
            std::iter::once(failure.to_string()).chain(help).collect::<Vec<_>>()
        });
        let position = failure.as_ref().and_then(Diagnostic::position);
        ran.push(Ran { file: file.clone(), name, differences: differences.collect(), position });
    }
    ran
}

fn as_text(ran: &[Ran]) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    let mut file: Option<&Path> = None;
    for ran in ran.iter().filter(|ran| !ran.differences.is_empty()) {
        if file != Some(&ran.file) {
            let _written = writeln!(text, "{}", palette.bold(ran.file.display()));
            file = Some(&ran.file);
        }
        let _written = writeln!(text, "  {} {}", palette.bad("FAIL"), ran.name);
        for difference in &ran.differences {
            let _written = writeln!(text, "       {difference}");
        }
    }
    let failed = ran.iter().filter(|ran| !ran.differences.is_empty()).count();
    let passed = ran.len() - failed;
    let summary = format!("{passed} passed, {failed} failed");
    let _written = writeln!(text, "{}", if failed == 0 { palette.good(summary) } else { palette.bad(summary) });
    text
}

fn as_json(ran: &[Ran]) -> String {
    let test = |ran: &Ran| {
        let mut test = json!({
            "file": ran.file,
            "name": ran.name,
            "passed": ran.differences.is_empty(),
            "differences": ran.differences,
        });
        if let (Some((line, column)), Value::Object(fields)) = (ran.position, &mut test) {
            fields.insert("line".into(), json!(line));
            fields.insert("column".into(), json!(column));
        }
        test
    };
    let tests: Vec<Value> = ran.iter().map(test).collect();
    format!("{:#}\n", json!({ "tests": tests }))
}
