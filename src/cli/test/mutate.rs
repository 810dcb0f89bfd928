//! Mutates tests and examples: the same commands and paths in other spellings.

use std::collections::BTreeMap;

use super::score::{Miss, MutationScores, strictness};
use super::{Args, TestFile};
use crate::cli::examples;
use crate::cli::scenario::{NO_FILES, ScenarioRunner};
use crate::domain::effect::EffectKind;
use crate::domain::policy::Policy;
use crate::domain::policy::example::{ExampleOutcome, Scenario};
use crate::domain::shell::mutation::{Guarantee, Mutation, MutationSet, mutate, mutate_path};
use crate::domain::state::{MemoryStore, State};
use crate::domain::verdict::note::Decision;
use crate::io::policy::builtin;
use crate::io::policy::example::LocatedExample;
use crate::io::suite::{self, ExpectedDecision, RepositoryFixture, TestCase};

/// An event and what it must come to, as written and in other spellings.
struct Original<'a> {
    event: &'a Scenario,
    host: Option<&'a str>,
    /// The files that are there, by path.
    files: &'a BTreeMap<String, String>,
    /// The repository of the project, if the test gives one.
    repository: Option<&'a RepositoryFixture>,
    /// What is remembered at first.
    state: State,
    /// The events before.
    before: &'a [Scenario],
    /// The rule that it is about, when that is known.
    rule: Option<&'a str>,
    expected: Option<Decision>,
    place: String,
}

/// The rules that spellings are held against.
struct Policies {
    /// Those under test.
    under_test: Policy,
    /// Those that apply beside them: what they stop does not get past either.
    bundled: Policy,
}

/// Tries other spellings of all that a file says of commands and of files.
pub(super) fn run(found: &TestFile, args: &Args, scores: &mut MutationScores) {
    let own = examples::enforce_all(&found.tests.loaded.policy);
    let defaults = if found.tests.loaded.wants_defaults { builtin::DEFAULTS } else { &[] };
    let policy = Policies { under_test: own, bundled: Policy::from_parts(Vec::new(), defaults) };
    for example in &found.tests.examples {
        if let Some(original) =
            from_example(found, example).filter(|original| args.is_selected(original.rule.unwrap_or("")))
        {
            score_mutations(&original, &policy, args.mutations, scores);
        }
    }
    for case in found.tests.cases.iter().filter(|case| args.is_selected(&case.name)) {
        if let Some(original) = from_case(found, case) {
            score_mutations(&original, &policy, args.mutations, scores);
        }
    }
}

fn from_example<'a>(found: &'a TestFile, example: &'a LocatedExample) -> Option<Original<'a>> {
    let expected = match example.showing {
        ExampleOutcome::Effect(EffectKind::Deny) => Some(Decision::Deny),
        ExampleOutcome::Effect(EffectKind::Ask) => Some(Decision::Ask),
        ExampleOutcome::Pass => None,
        ExampleOutcome::Effect(_) => return None,
    };
    let (line, column) =
        found.tests.source.as_ref().map(|source| source.position(example.span.start)).unwrap_or_default();
    let policy = &found.tests.loaded.policy;
    let active = policy.rules.iter().find(|active| active.rule.id == example.rule);
    Some(Original {
        event: &example.event,
        host: example.host.as_deref(),
        files: &NO_FILES,
        repository: None,
        state: active.map(|active| examples::initial_state(&active.rule, active.layer, policy)).unwrap_or_default(),
        before: &[],
        rule: Some(&example.rule),
        expected,
        place: format!("{}:{line}:{column}", found.file.display()),
    })
}

fn from_case<'a>(found: &TestFile, case: &'a TestCase) -> Option<Original<'a>> {
    let expected = match case.expect.decision? {
        ExpectedDecision::Deny => Some(Decision::Deny),
        ExpectedDecision::Ask => Some(Decision::Ask),
        ExpectedDecision::None => None,
        ExpectedDecision::Allow => return None,
    };
    Some(Original {
        event: case.event.as_ref()?,
        host: case.host.as_deref(),
        files: &case.files,
        repository: case.repository.as_ref(),
        state: case.state.state(&found.tests.loaded.policy).ok()?,
        before: &case.before,
        rule: case.expect.rule.first().map(String::as_str),
        expected,
        place: format!("{}: {}", found.file.display(), case.name),
    })
}

/// Judges an original and its spellings, and adds what came of them to the score of its rule.
fn score_mutations(original: &Original<'_>, policy: &Policies, most: usize, scores: &mut MutationScores) {
    let wanted = if original.expected.is_some() { MutationSet::All } else { MutationSet::Equivalent };
    let (spellings, put): (Vec<Mutation>, fn(&mut Scenario, String)) = match original.event {
        Scenario { command: Some(command), tool, .. } if is_shell(tool.as_deref()) => {
            let place = suite::test_place(original.event.cwd.as_deref().unwrap_or(suite::PROJECT));
            (mutate(command, &place, wanted, most), |event, text| event.command = Some(text))
        }
        Scenario { path: Some(path), tool: Some(_), .. } => {
            let place = suite::test_place(original.event.cwd.as_deref().unwrap_or(suite::PROJECT));
            (mutate_path(path, &place, most), |event, text| event.path = Some(text))
        }
        _ => return,
    };
    let judge = |event: &Scenario, policy| {
        let memory = MemoryStore::new(original.state.clone());
        let stage = ScenarioRunner {
            files: original.files,
            repository: original.repository,
            ..ScenarioRunner::new(policy, &memory)
        };
        stage.apply_events(original.before, original.host).ok()?;
        stage.judge(event, original.host).ok()
    };
    let Some(judged) = judge(original.event, &policy.under_test) else { return };
    let actual = judged.outcome.verdict.decision();
    // A case may name no rule; then it is about the one that decides it.
    let deciding = judged.outcome.verdict.reasons().iter().next().map(|note| note.rule.clone());
    let rule = original.rule.map(ToOwned::to_owned).or(deciding);
    let score = scores.entry(rule.as_deref().unwrap_or("(no rule)"));
    let miss = |operator: Option<String>, text: String, expected, actual| Miss {
        place: original.place.clone(),
        original: original.event.summary(),
        operator,
        text,
        expected,
        actual,
    };
    let is_right = match original.expected {
        Some(expected) => strictness(actual) >= strictness(Some(expected)),
        None => original.rule.is_some() || strictness(actual) == 0,
    };
    if !is_right {
        score.misses.push(miss(None, original.event.summary(), original.expected, actual));
        return;
    }
    for Mutation { operator, text, guarantee: keeps } in spellings {
        let mut event = original.event.clone();
        put(&mut event, text.clone());
        let decision = |policy| judge(&event, policy).and_then(|judged| judged.outcome.verdict.decision());
        let mut came = decision(&policy.under_test);
        score.tried += 1;
        let owed = if keeps == Guarantee::AtLeastAsk { actual.min(Some(Decision::Ask)) } else { actual };
        if strictness(came) < strictness(owed) {
            came = came.max(decision(&policy.bundled));
        }
        let weaker = strictness(came) < strictness(owed);
        let stricter = original.expected.is_none() && strictness(came) > strictness(actual);
        if weaker || stricter {
            score.misses.push(miss(Some(operator), text, actual, came));
        }
    }
}

fn is_shell(tool: Option<&str>) -> bool {
    tool.is_none_or(|tool| tool == "shell")
}
