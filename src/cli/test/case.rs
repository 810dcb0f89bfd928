//! One test: judged, and held against what it expects.

use serde_json::{Value, json};

use crate::adapters::judge::Judgment;
use crate::cli::scenario::{Observer, ScenarioRunner};
use crate::domain::effect::EffectKind;
use crate::domain::policy::Policy;
use crate::domain::state::{MemoryStore, State};
use crate::domain::verdict::join_texts;
use crate::domain::verdict::note::Decision;
use crate::domain::verdict::run_record::Exit;
use crate::io::suite::{Expectation, ExpectedDecision, TestCase};

/// Judges the event of a test, after those before it. Returns what is remembered then too.
pub(super) fn run(
    case: &TestCase,
    policy: &Policy,
    observer: Option<&dyn Observer>,
) -> Result<(Judgment, State), String> {
    let memory = MemoryStore::new(case.state.state(policy).map_err(|error| error.to_string())?);
    let stage = ScenarioRunner {
        policy,
        files: &case.files,
        repository: case.repository.as_ref(),
        store: &memory,
        program_outputs: &case.runs,
        observer,
    };
    let host = case.host.as_deref();
    stage.apply_events(&case.before, host)?;
    let judged = match (&case.event, &case.payload) {
        (Some(event), None) => stage.judge(event, host)?,
        (None, Some(payload)) => stage.judge_payload(payload, host)?,
        _ => return Err("a test needs either an `event` or a `payload`".into()),
    };
    Ok((judged, memory.state()))
}

/// Returns where what is remembered is not what the test expects.
pub(super) fn state_differences(case: &TestCase, state: &State, policy: &Policy) -> Vec<String> {
    match case.expect.state.differences(state, policy) {
        Ok(found) => found
            .into_iter()
            .map(|(what, expected, actual)| format!("{what}: expected {expected}, got {actual}"))
            .collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// Returns where the outcome is not what the test expects.
pub(super) fn differences(case: &TestCase, judged: &Judgment) -> Vec<String> {
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
    compare_rules(expect, judged, &mut differ);
    let reasons = join_texts(verdict.reasons(), "\n");
    let parts = [
        ("reason", &expect.reason, reasons),
        ("context", &expect.context, verdict.notes.join(EffectKind::Context, "\n")),
        ("respond", &expect.respond, verdict.notes.join(EffectKind::Respond, "\n")),
        ("warn", &expect.warn, verdict.notes.join(EffectKind::Warn, "\n")),
    ];
    for (what, part, text) in parts {
        if let Some(part) = part.as_ref().filter(|part| !text.contains(part.as_str())) {
            differ(what, format!("“{part}”"), format!("“{text}”"));
        }
    }
    for (effect, wanted) in [(EffectKind::Stop, expect.stop), (EffectKind::Retry, expect.retry)] {
        if let Some(wanted) = wanted {
            differ(effect.name(), wanted.to_string(), verdict.notes.has(effect).to_string());
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
        differ("exit", exit.to_string(), judged.answer.response.exit_code.to_string());
    }
    found.extend(
        judged
            .outcome
            .errors
            .iter()
            .map(|failure| format!("rule {} could not be evaluated: {}", failure.rule, failure.message)),
    );
    found
}

/// Compares the rules that held, and those whose programs ran.
fn compare_rules(expect: &Expectation, judged: &Judgment, differ: &mut dyn FnMut(&str, String, String)) {
    for rule in &expect.rule {
        let mut held = matched_rules(judged);
        if !expect.only && !held.contains(rule) {
            differ("rule", rule.clone(), join_names(&mut held));
        }
    }
    if expect.only {
        differ("rules", join_names(&mut expect.rule.clone()), join_names(&mut matched_rules(judged)));
    }
    if let Some(runs) = &expect.runs {
        differ("runs", join_names(&mut runs.clone()), join_names(&mut executed_rules(judged)));
    }
}

/// Returns the rules whose programs ran.
fn executed_rules(judged: &Judgment) -> Vec<String> {
    let ran = judged.outcome.run_records.iter().filter(|ran| ran.exit != Exit::Skipped);
    ran.map(|ran| ran.rule.clone()).collect()
}

fn matched_rules(judged: &Judgment) -> Vec<String> {
    judged.outcome.findings.iter().map(|finding| finding.rule.clone()).collect()
}

/// Names rules, each once.
fn join_names(rules: &mut Vec<String>) -> String {
    rules.sort();
    rules.dedup();
    if rules.is_empty() { "none".into() } else { rules.join(", ") }
}

const fn expected_name(expected: ExpectedDecision) -> &'static str {
    match expected {
        ExpectedDecision::Deny => "deny",
        ExpectedDecision::Ask => "ask",
        ExpectedDecision::Allow => "allow",
        ExpectedDecision::None => "none",
    }
}
