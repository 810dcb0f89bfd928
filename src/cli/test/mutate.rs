//! What tests and examples say, said again in other spellings.

use std::collections::BTreeMap;

use super::score::{Miss, Scores, strictness};
use super::{Args, Found};
use crate::cli::described::{NO_FILES, Stage};
use crate::cli::examples;
use crate::domain::effect::EffectKind;
use crate::domain::example::{Described, Showing};
use crate::domain::policy::Policy;
use crate::domain::shell::respell::{Keeps, Respelling, Wanted, respell, respell_path};
use crate::domain::state::{InMemory, State};
use crate::domain::verdict::Decision;
use crate::io::policy::builtin;
use crate::io::policy::example::Placed;
use crate::io::suite::{self, Case, Expected};

/// An event and what it must come to, as written and in other spellings.
struct Original<'a> {
    event: &'a Described,
    host: Option<&'a str>,
    /// The files that are there, by path.
    files: &'a BTreeMap<String, String>,
    /// What is remembered at first.
    state: State,
    /// The events before.
    before: &'a [Described],
    /// The rule that it is about, when that is known.
    rule: Option<&'a str>,
    expected: Option<Decision>,
    place: String,
}

/// The rules that spellings are held against.
struct Policies {
    /// Those under test.
    own: Policy,
    /// Those that apply beside them: what they stop does not get past either.
    bundled: Policy,
}

/// Tries other spellings of all that a file says of commands and of files.
pub(super) fn run(found: &Found, args: &Args, scores: &mut Scores) {
    let own = examples::enforced(&found.tests.loaded.policy);
    let defaults = if found.tests.loaded.wants_defaults { builtin::DEFAULTS } else { &[] };
    let policy = Policies { own, bundled: Policy::stack(Vec::new(), defaults) };
    for example in &found.tests.examples {
        if let Some(original) = of_example(found, example).filter(|original| args.wants(original.rule.unwrap_or(""))) {
            spell(&original, &policy, args.mutations, scores);
        }
    }
    for case in found.tests.cases.iter().filter(|case| args.wants(&case.name)) {
        if let Some(original) = of_case(found, case) {
            spell(&original, &policy, args.mutations, scores);
        }
    }
}

fn of_example<'a>(found: &'a Found, example: &'a Placed) -> Option<Original<'a>> {
    let expected = match example.showing {
        Showing::Effect(EffectKind::Deny) => Some(Decision::Deny),
        Showing::Effect(EffectKind::Ask) => Some(Decision::Ask),
        Showing::Pass => None,
        Showing::Effect(_) => return None,
    };
    let (line, column) =
        found.tests.source.as_ref().map(|source| source.position(example.span.start)).unwrap_or_default();
    let policy = &found.tests.loaded.policy;
    let active = policy.rules.iter().find(|active| active.rule.id == example.rule);
    Some(Original {
        event: &example.event,
        host: example.host.as_deref(),
        files: &NO_FILES,
        state: active.map(|active| examples::state(&active.rule, active.layer, policy)).unwrap_or_default(),
        before: &[],
        rule: Some(&example.rule),
        expected,
        place: format!("{}:{line}:{column}", found.file.display()),
    })
}

fn of_case<'a>(found: &Found, case: &'a Case) -> Option<Original<'a>> {
    let expected = match case.expect.decision? {
        Expected::Deny => Some(Decision::Deny),
        Expected::Ask => Some(Decision::Ask),
        Expected::None => None,
        Expected::Allow => return None,
    };
    Some(Original {
        event: case.event.as_ref()?,
        host: case.host.as_deref(),
        files: &case.files,
        state: case.state.state(&found.tests.loaded.policy).ok()?,
        before: &case.before,
        rule: case.expect.rule.first().map(String::as_str),
        expected,
        place: format!("{}: {}", found.file.display(), case.name),
    })
}

/// Judges an original and its spellings, and adds what came of them to the score of its rule.
fn spell(original: &Original<'_>, policy: &Policies, most: usize, scores: &mut Scores) {
    let wanted = if original.expected.is_some() { Wanted::All } else { Wanted::Plain };
    let (spellings, put): (Vec<Respelling>, fn(&mut Described, String)) = match original.event {
        Described { command: Some(command), tool, .. } if is_shell(tool.as_deref()) => {
            let place = suite::place(original.event.cwd.as_deref().unwrap_or(suite::PROJECT));
            (respell(command, &place, wanted, most), |event, text| event.command = Some(text))
        }
        Described { path: Some(path), tool: Some(_), .. } => {
            let place = suite::place(original.event.cwd.as_deref().unwrap_or(suite::PROJECT));
            (respell_path(path, &place, most), |event, text| event.path = Some(text))
        }
        _ => return,
    };
    let judge = |event: &Described, policy| {
        let memory = InMemory::new(original.state.clone());
        let stage = Stage { files: original.files, ..Stage::bare(policy, &memory) };
        stage.play(original.before, original.host).ok()?;
        stage.judge(event, original.host).ok()
    };
    let Some(judged) = judge(original.event, &policy.own) else { return };
    let actual = judged.outcome.verdict.decision();
    // A case may name no rule; then it is about the one that decides it.
    let deciding = judged.outcome.verdict.reasons().iter().next().map(|note| note.rule.clone());
    let rule = original.rule.map(ToOwned::to_owned).or(deciding);
    let score = scores.of(rule.as_deref().unwrap_or("(no rule)"));
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
    for Respelling { operator, text, keeps } in spellings {
        let mut event = original.event.clone();
        put(&mut event, text.clone());
        let decision = |policy| judge(&event, policy).and_then(|judged| judged.outcome.verdict.decision());
        let mut came = decision(&policy.own);
        score.tried += 1;
        let owed = if keeps == Keeps::Asked { actual.min(Some(Decision::Ask)) } else { actual };
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
