//! `ruleward test`: the tests of policies, for people and for CI.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::judge::{Bench, Judged};
use super::style::Palette;
use super::{Exit, hosts};
use crate::adapters::{Asked, HOSTS, Host, Payload, compose, host_of_event};
use crate::domain::kind::Kind;
use crate::domain::verdict::{Decision, Note, texts};
use crate::io::policy::diagnostic::Diagnostic;
use crate::io::policy::load::Loaded;
use crate::io::suite::{self, Case, Described, Expected};
use crate::io::{files, stdio};

/// Run the tests of policies
///
/// Runs every `*.test.yaml` below the given paths, and the `tests:` of a `policy.yaml` there or of a
/// policy that is named. Without a path, those of this project's `.ruleward`. For example:
///
///   ruleward test
///   ruleward test policies/git.test.yaml --filter force
///
/// The exit code is 1 when a test fails.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Test files, policies with tests, or directories.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only tests whose names hold this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A test and what came of it.
struct Ran {
    file: PathBuf,
    name: String,
    differences: Vec<String>,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".ruleward")] } else { args.paths.clone() };
    match run_all(&paths, args.filter.as_deref()) {
        Ok(ran) if ran.is_empty() => {
            stdio::say(match &args.filter {
                Some(_) => "error: no test has a name like that",
                None => "error: there are no tests here; `ruleward init` writes some to start from",
            });
            Exit::Usage.into()
        }
        Ok(ran) => {
            stdio::print(&if args.json { as_json(&ran) } else { as_text(&ran) });
            let failed = ran.iter().any(|ran| !ran.differences.is_empty());
            if failed { Exit::Failed.into() } else { Exit::Done.into() }
        }
        Err(why) => {
            stdio::say(&why);
            Exit::Usage.into()
        }
    }
}

fn run_all(paths: &[PathBuf], filter: Option<&str>) -> Result<Vec<Ran>, String> {
    let mut ran = Vec::new();
    for path in paths {
        for file in files::ending(path, ".yaml")? {
            let is_policy = file.file_name().is_some_and(|name| name == "policy.yaml" || name == "policy.local.yaml");
            if !paths.contains(&file) && !is_policy && !file.to_string_lossy().ends_with(".test.yaml") {
                continue;
            }
            let Some(tests) = suite::load(&file, &hosts::names()).map_err(|found| rendered(&found))? else { continue };
            for case in tests.cases.iter().filter(|case| filter.is_none_or(|text| case.name.contains(text))) {
                let differences = run_case(case, &tests.loaded);
                ran.push(Ran { file: file.clone(), name: case.name.clone(), differences });
            }
        }
    }
    Ok(ran)
}

fn rendered(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(false)).collect::<Vec<_>>().join("\n")
}

fn run_case(case: &Case, loaded: &Loaded) -> Vec<String> {
    match judge(case, loaded) {
        Ok(judged) => differences(case, &judged),
        Err(why) => vec![why],
    }
}

fn judge(case: &Case, loaded: &Loaded) -> Result<Judged, String> {
    let (host, payload, cwd) = match (&case.event, &case.payload) {
        (Some(event), None) => described(case, event)?,
        (None, Some(payload)) => recorded(case, payload)?,
        _ => return Err("a test has either an `event` or a `payload`".into()),
    };
    let place = suite::place(&cwd);
    // Tests take place on a machine that is not there.
    let read = &|_: &str| Err("there are no files".to_owned());
    let machine = suite::MadeUp::new(&case.files, &place);
    let bench =
        Bench { host, policy: &loaded.policy, place: &place, machine: &machine, read, broken: None, stamp: None };
    bench.judge(&payload).map_err(|error| error.to_string())
}

fn described(case: &Case, event: &Described) -> Result<(&'static Host, Payload, String), String> {
    let asked = asked(event)?;
    let host = match &case.host {
        Some(name) => hosts::named(name)?,
        None => HOSTS
            .iter()
            .find(|host| host.rows_of(asked.kind).next().is_some())
            .ok_or_else(|| format!("no host has the moment `{}`", asked.kind))?,
    };
    let payload = compose(host, &asked).ok_or_else(|| format!("{} has no moment `{}`", host.title, asked.kind))?;
    Ok((host, payload, asked.cwd))
}

fn recorded(case: &Case, payload: &Map<String, Value>) -> Result<(&'static Host, Payload, String), String> {
    let wire = payload.get("hook_event_name").and_then(Value::as_str).unwrap_or_default();
    let host = match &case.host {
        Some(name) => hosts::named(name)?,
        None => host_of_event(wire).ok_or_else(|| format!("`{wire}` does not tell the host: name it with `host`"))?,
    };
    let cwd = payload.get("cwd").and_then(Value::as_str).unwrap_or(suite::PROJECT);
    Ok((host, payload.clone(), cwd.to_owned()))
}

/// Returns the event of a test in the words of the adapters.
fn asked(event: &Described) -> Result<Asked, String> {
    let name = event.when.as_deref().unwrap_or("tool.before");
    let kind = Kind::from_name(name).ok_or_else(|| hosts::unknown_moment(name))?;
    let mut asked = Asked::at(kind, event.cwd.as_deref().unwrap_or(suite::PROJECT));
    asked.tool.clone_from(&event.tool);
    asked.command.clone_from(&event.command);
    asked.path.clone_from(&event.path);
    asked.content.clone_from(&event.content);
    asked.url.clone_from(&event.url);
    asked.prompt.clone_from(&event.prompt);
    asked.response.clone_from(&event.response);
    asked.output.clone_from(&event.output);
    asked.input.clone_from(&event.input);
    asked.subject.clone_from(&event.subject);
    asked.subagent.clone_from(&event.subagent);
    asked.permission_mode.clone_from(&event.permission_mode);
    if let Some(mcp) = &event.mcp {
        asked.mcp = Some((mcp.server.clone(), mcp.tool.clone()));
        asked.input.extend(mcp.input.clone());
    }
    Ok(asked)
}

/// Returns where the outcome is not what the test expects.
fn differences(case: &Case, judged: &Judged) -> Vec<String> {
    let expect = &case.expect;
    let verdict = &judged.outcome.verdict;
    let mut found = Vec::new();
    let mut differ = |what: &str, expected: String, actual: String| {
        if expected != actual {
            found.push(format!("{what}: expected {expected}, got {actual}"));
        }
    };
    if let Some(decision) = expect.decision {
        differ("decision", expected_name(decision).into(), verdict.decision().map_or("none", Decision::name).into());
    }
    for rule in &expect.rule {
        let held: Vec<&str> = judged.outcome.findings.iter().map(|finding| finding.rule.as_str()).collect();
        if !held.contains(&rule.as_str()) {
            differ("rule", rule.clone(), if held.is_empty() { "none".into() } else { held.join(", ") });
        }
    }
    let reasons = texts(verdict.reasons(), "\n");
    let parts = [
        ("reason", &expect.reason, reasons),
        ("context", &expect.context, texts(&verdict.context, "\n")),
        ("warn", &expect.warn, texts(&verdict.warn, "\n")),
    ];
    for (what, part, text) in parts {
        if let Some(part) = part.as_ref().filter(|part| !text.contains(part.as_str())) {
            differ(what, format!("“{part}”"), format!("“{text}”"));
        }
    }
    for (what, wanted, notes) in [("stop", expect.stop, &verdict.stop), ("retry", expect.retry, &verdict.retry)] {
        if let Some(wanted) = wanted {
            differ(what, wanted.to_string(), is_given(notes).to_string());
        }
    }
    if let Some(rewrite) = &expect.rewrite {
        let actual = verdict
            .rewrite
            .iter()
            .filter_map(|(field, proposals)| Some((field.clone(), proposals.first()?.value.clone())));
        differ("rewrite", json!(rewrite).to_string(), Value::Object(actual.collect()).to_string());
    }
    if let Some(stdout) = &expect.stdout {
        let actual = serde_json::from_str(&judged.answer.response.stdout).unwrap_or(Value::Null);
        differ("stdout", stdout.to_string(), actual.to_string());
    }
    if let Some(exit) = expect.exit {
        differ("exit", exit.to_string(), judged.answer.response.exit.to_string());
    }
    found.extend(
        judged
            .outcome
            .failures
            .iter()
            .map(|failure| format!("rule {} could not be judged: {}", failure.rule, failure.message)),
    );
    found
}

fn is_given(notes: &std::collections::BTreeSet<Note>) -> bool {
    !notes.is_empty()
}

const fn expected_name(expected: Expected) -> &'static str {
    match expected {
        Expected::Deny => "deny",
        Expected::Ask => "ask",
        Expected::Allow => "allow",
        Expected::None => "none",
    }
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
    let tests: Vec<Value> = ran
        .iter()
        .map(|ran| json!({ "file": ran.file, "name": ran.name, "passed": ran.differences.is_empty(), "differences": ran.differences }))
        .collect();
    format!("{:#}\n", json!({ "tests": tests }))
}
