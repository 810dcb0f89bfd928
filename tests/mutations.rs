//! The bundled rules hold for their own examples however these are spelled.

use ruleward::adapters::{HOSTS, NeutralEvent, compose_payload, host_names, read_event};
use ruleward::domain::decide::decide;
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::facts::Facts;
use ruleward::domain::facts::script::FileSystem;
use ruleward::domain::policy::Policy;
use ruleward::domain::policy::example::{ExampleOutcome, Scenario};
use ruleward::domain::shell::FileContent;
use ruleward::domain::shell::mutation::{Guarantee, Mutation, MutationSet, mutate, mutate_path};
use ruleward::domain::verdict::note::Decision;
use ruleward::io::policy::builtin;
use ruleward::io::suite;

/// Spellings of one example: few, so that the test is quick, and other ones for each example.
/// `ruleward test --mutate policies` tries all of them.
const SAMPLES: usize = 2;
/// Spellings of which so many are drawn.
const POOL_SIZE: usize = 200;

/// Rules that some spellings get past, because they look at the text of a line and not at what it
/// runs. One that no spelling gets past any more has to go from here.
const TEXT_BASED_RULES: &[&str] = &[
    "git-run-through-option",
    "rc-download-run",
    "rc-evaluate-encoded",
    "rc-reverse-shell",
    "sys-fork-bomb-script",
    "sys-kill-listed",
    "sys-kill-service-number",
    "ctr-mounted-delete",
];

/// A machine without files, but for those that a pattern such as `~/.local/bi[n]` spells.
struct SpelledFiles;

impl FileSystem for SpelledFiles {
    fn real_path(&self, _: &str) -> Option<String> {
        None
    }

    fn read(&self, _: &str, _: usize) -> FileContent {
        FileContent::Missing
    }

    fn expand(&self, pattern: &str) -> Option<Vec<String>> {
        let mut name = String::new();
        let mut rest = pattern.chars();
        while let Some(character) = rest.next() {
            match character {
                '[' => {
                    name.push(rest.next()?);
                    (rest.next()? == ']').then_some(())?;
                }
                '*' | '?' | '{' | '\\' => return None,
                _ => name.push(character),
            }
        }
        Some(vec![name])
    }

    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }
}

fn decision(policy: &Policy, event: &Scenario, host: Option<&str>) -> Option<Decision> {
    let asked = NeutralEvent::from_description(event, suite::PROJECT).unwrap();
    let place = suite::test_place(&asked.cwd);
    let fits = |name: &str| host.is_none_or(|host| host == name);
    let (host, payload) = HOSTS
        .iter()
        .filter(|host| fits(host.name))
        .find_map(|host| Some((host, compose_payload(host, &asked)?)))
        .unwrap();
    let event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
    decide(policy, &Facts::new(&event, &place, &SpelledFiles)).verdict.decision()
}

#[test]
fn no_spelling_of_an_example_gets_past_the_bundled_rules() {
    let names = host_names();
    let policy = Policy::from_parts(Vec::new(), builtin::DEFAULTS);
    let (mut tried, mut past, mut met) = (0, Vec::new(), Vec::new());
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/policies")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() || path.to_string_lossy().ends_with(".test.yaml") {
            continue;
        }
        let Some(tests) = suite::load(&path, &names).unwrap() else { continue };
        for (index, example) in tests.examples.iter().enumerate() {
            let event = &example.event;
            let shown = match example.showing {
                ExampleOutcome::Pass => None,
                ExampleOutcome::Effect(EffectKind::Deny) => Some(Decision::Deny),
                ExampleOutcome::Effect(EffectKind::Ask) => Some(Decision::Ask),
                ExampleOutcome::Effect(_) => continue,
            };
            let place = suite::test_place(suite::PROJECT);
            let (spellings, put): (_, fn(&mut Scenario, String)) = match (&event.command, &event.path) {
                (Some(command), _) => {
                    let wanted = if shown.is_none() { MutationSet::Equivalent } else { MutationSet::All };
                    (mutate(command, &place, wanted, POOL_SIZE), |event, text| event.command = Some(text))
                }
                (None, Some(path)) => (mutate_path(path, &place, 10), |event, text| event.path = Some(text)),
                (None, None) => continue,
            };
            let is_known = TEXT_BASED_RULES.contains(&example.rule.as_str());
            let step = match shown {
                _ if is_known => 1,
                Some(_) => (spellings.len() / SAMPLES).max(1),
                None => spellings.len().max(1),
            };
            for spelling in spellings.iter().skip(index % step).step_by(step) {
                let mut spelled = event.clone();
                put(&mut spelled, spelling.text.clone());
                let came = decision(&policy, &spelled, example.host.as_deref());
                tried += 1;
                // Silence and approval both let a call go ahead; what passes this rule may be stopped by another.
                let strictness = |decision: Option<Decision>| decision.max(Some(Decision::Allow));
                let is_wrong = match shown {
                    Some(_) if spelling.guarantee == Guarantee::AtLeastAsk => came < Some(Decision::Ask),
                    Some(_) => came < shown,
                    None => {
                        strictness(came) > Some(Decision::Allow)
                            && strictness(came) > strictness(decision(&policy, event, example.host.as_deref()))
                    }
                };
                if is_wrong && is_known {
                    met.push(example.rule.clone());
                    break;
                } else if is_wrong {
                    let Mutation { operator, text, .. } = spelling;
                    past.push(format!("{}, {operator}: {came:?} instead of {shown:?}\n  {text}", example.rule));
                }
            }
        }
    }
    assert!(past.is_empty(), "{}", past.join("\n"));
    assert!(tried > 900, "{tried}");
    let stale: Vec<&&str> = TEXT_BASED_RULES.iter().filter(|rule| met.iter().all(|met| met != *rule)).collect();
    assert!(stale.is_empty(), "nothing gets past these any more: {stale:?}");
}
