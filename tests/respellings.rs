//! The bundled rules hold for their own examples however these are spelled.

use ruleward::adapters::{Asked, HOSTS, compose, read};
use ruleward::domain::decide::decide;
use ruleward::domain::effect::EffectKind;
use ruleward::domain::example::{Described, Showing};
use ruleward::domain::facts::Facts;
use ruleward::domain::policy::Policy;
use ruleward::domain::scripts::Bare;
use ruleward::domain::shell::respell::{Keeps, Respelling, Wanted, respell, respell_path};
use ruleward::domain::tool::Arguments;
use ruleward::domain::verdict::Decision;
use ruleward::io::policy::builtin;
use ruleward::io::suite;

/// Spellings of one example: few, so that the test is quick, and other ones for each example.
/// `ruleward test --mutate policies` tries all of them.
const SPELLINGS: usize = 2;
/// Spellings of which so many are drawn.
const DRAWN_FROM: usize = 200;

/// Rules that some spellings get past, because they look at the text of a line and not at what it
/// runs. One that no spelling gets past any more has to go from here.
const BY_TEXT: &[&str] = &["git-run-through-option", "rc-download-run", "rc-evaluate-encoded", "rc-reverse-shell"];

fn decision(policy: &Policy, event: &Described, host: Option<&str>) -> Option<Decision> {
    let asked = Asked::described(event, suite::PROJECT).unwrap();
    let place = suite::place(&asked.cwd);
    let fits = |name: &str| host.is_none_or(|host| host == name);
    let (host, payload) =
        HOSTS.iter().filter(|host| fits(host.name)).find_map(|host| Some((host, compose(host, &asked)?))).unwrap();
    let event = read(host, &payload, &Arguments::default()).unwrap();
    decide(policy, &Facts::new(&event, &place, &Bare)).verdict.decision()
}

#[test]
fn no_spelling_of_an_example_gets_past_the_bundled_rules() {
    let names: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
    let policy = Policy::stack(Vec::new(), builtin::DEFAULTS);
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
                Showing::Pass => None,
                Showing::Effect(EffectKind::Deny) => Some(Decision::Deny),
                Showing::Effect(EffectKind::Ask) => Some(Decision::Ask),
                Showing::Effect(_) => continue,
            };
            let place = suite::place(suite::PROJECT);
            let (spellings, put): (_, fn(&mut Described, String)) = match (&event.command, &event.path) {
                (Some(command), _) => {
                    let wanted = if shown.is_none() { Wanted::Plain } else { Wanted::All };
                    (respell(command, &place, wanted, DRAWN_FROM), |event, text| event.command = Some(text))
                }
                (None, Some(path)) => (respell_path(path, &place, 10), |event, text| event.path = Some(text)),
                (None, None) => continue,
            };
            let is_known = BY_TEXT.contains(&example.rule.as_str());
            let step = match shown {
                _ if is_known => 1,
                Some(_) => (spellings.len() / SPELLINGS).max(1),
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
                    Some(_) if spelling.keeps == Keeps::Asked => came < Some(Decision::Ask),
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
                    let Respelling { operator, text, .. } = spelling;
                    past.push(format!("{}, {operator}: {came:?} instead of {shown:?}\n  {text}", example.rule));
                }
            }
        }
    }
    assert!(past.is_empty(), "{}", past.join("\n"));
    assert!(tried > 900, "{tried}");
    let stale: Vec<&&str> = BY_TEXT.iter().filter(|rule| met.iter().all(|met| met != *rule)).collect();
    assert!(stale.is_empty(), "nothing gets past these any more: {stale:?}");
}
