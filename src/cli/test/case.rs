//! One test: judged, and held against what it expects.

use serde_json::{Value, json};

use crate::cli::described::Stage;
use crate::cli::judge::Judged;
use crate::domain::policy::Policy;
use crate::domain::ran::Ended;
use crate::domain::state::{InMemory, State};
use crate::domain::verdict::{Decision, Note, texts};
use crate::domain::witness::Witness;
use crate::io::suite::{Case, Expect, Expected};

/// Judges the event of a test, after those before it. Returns what is remembered then too.
pub(super) fn judge(case: &Case, policy: &Policy, witness: Option<&dyn Witness>) -> Result<(Judged, State), String> {
    let memory = InMemory::new(case.state.state(policy)?);
    let stage = Stage { policy, files: &case.files, memory: &memory, runs: &case.runs, witness };
    let host = case.host.as_deref();
    stage.play(&case.before, host)?;
    let judged = match (&case.event, &case.payload) {
        (Some(event), None) => stage.judge(event, host)?,
        (None, Some(payload)) => stage.judge_recorded(payload, host)?,
        _ => return Err("a test has either an `event` or a `payload`".into()),
    };
    Ok((judged, memory.state()))
}

/// Returns where what is remembered is not what the test expects.
pub(super) fn differences_of_state(case: &Case, state: &State, policy: &Policy) -> Vec<String> {
    match case.expect.state.differences(state, policy) {
        Ok(found) => found
            .into_iter()
            .map(|(what, expected, actual)| format!("{what}: expected {expected}, got {actual}"))
            .collect(),
        Err(why) => vec![why],
    }
}

/// Returns where the outcome is not what the test expects.
pub(super) fn differences(case: &Case, judged: &Judged) -> Vec<String> {
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
    names(expect, judged, &mut differ);
    let reasons = texts(verdict.reasons(), "\n");
    let parts = [
        ("reason", &expect.reason, reasons),
        ("context", &expect.context, texts(&verdict.context, "\n")),
        ("respond", &expect.respond, texts(&verdict.respond, "\n")),
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

/// Compares the rules that held, and those whose programs ran.
fn names(expect: &Expect, judged: &Judged, differ: &mut dyn FnMut(&str, String, String)) {
    for rule in &expect.rule {
        let mut held = held(judged);
        if !expect.only && !held.contains(rule) {
            differ("rule", rule.clone(), listed(&mut held));
        }
    }
    if expect.only {
        differ("rules", listed(&mut expect.rule.clone()), listed(&mut held(judged)));
    }
    if let Some(runs) = &expect.runs {
        differ("runs", listed(&mut runs.clone()), listed(&mut ran(judged)));
    }
}

/// Returns the rules whose programs ran.
fn ran(judged: &Judged) -> Vec<String> {
    let ran = judged.outcome.ran.iter().filter(|ran| ran.ended != Ended::Skipped);
    ran.map(|ran| ran.rule.clone()).collect()
}

fn held(judged: &Judged) -> Vec<String> {
    judged.outcome.findings.iter().map(|finding| finding.rule.clone()).collect()
}

/// Names rules, each once.
fn listed(rules: &mut Vec<String>) -> String {
    rules.sort();
    rules.dedup();
    if rules.is_empty() { "none".into() } else { rules.join(", ") }
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
