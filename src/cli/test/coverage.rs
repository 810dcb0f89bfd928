//! How far tests reach: which rules held and decided, and which conditions were seen to hold and
//! not to hold.
//!
//! The evaluator itself says what it saw; here it is only counted.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ptr;

use serde_json::{Value, json};

use super::score::per_cent;
use crate::domain::condition::Conditions;
use crate::domain::decide::Outcome;
use crate::domain::policy::Policy;
use crate::domain::rule::Rule;
use crate::domain::witness::Witness;
use crate::io::policy::locate::{Places, Step};
use crate::io::suite::Tests;

/// A question: the address of the conditions that it stands in, and its key.
type At = (usize, &'static str);

/// What was seen while events were judged by one policy.
#[derive(Default)]
pub(super) struct Tally {
    /// How often a question of the conditions at an address held, and did not.
    questions: RefCell<HashMap<At, (usize, usize)>>,
    /// How often rules held, and how often they had a say in what came of it.
    rules: RefCell<BTreeMap<String, (usize, usize)>>,
}

impl Witness for Tally {
    fn saw(&self, asked: &Conditions, question: &'static str, held: bool) {
        let mut questions = self.questions.borrow_mut();
        let seen = questions.entry((ptr::from_ref(asked).addr(), question)).or_default();
        *(if held { &mut seen.0 } else { &mut seen.1 }) += 1;
    }

    fn judged(&self, outcome: &Outcome) {
        let verdict = &outcome.verdict;
        let others = [&verdict.stop, &verdict.retry, &verdict.context, &verdict.warn, &verdict.audit];
        let notes = || verdict.reasons().iter().chain(others.into_iter().flatten());
        let rewrites = || verdict.rewrite.values().flatten();
        let mut rules = self.rules.borrow_mut();
        for finding in &outcome.findings {
            let seen = rules.entry(finding.rule.clone()).or_default();
            seen.0 += 1;
            let decided = notes().any(|note| note.rule == finding.rule)
                || rewrites().any(|proposal| proposal.rule == finding.rule);
            seen.1 += usize::from(decided);
        }
    }
}

/// How far tests reach into all rules under test.
#[derive(Default)]
pub(super) struct Coverage {
    rules: BTreeMap<(String, String), RuleCoverage>,
}

/// How far tests reach into one rule.
#[derive(Default)]
struct RuleCoverage {
    /// Where it stands.
    position: Option<(usize, usize)>,
    /// How often it held.
    fired: usize,
    /// How often it had a say in what came of an event.
    decided: usize,
    /// Its questions, in order.
    questions: Vec<Question>,
}

/// How far tests reach into one condition.
struct Question {
    /// Its path in the rule, such as `any[1].command`.
    name: String,
    position: Option<(usize, usize)>,
    held: usize,
    failed: usize,
}

/// Something that no test shows.
pub(super) struct Gap<'a> {
    /// The file or pack.
    pub source: &'a str,
    /// The rule.
    pub rule: &'a str,
    /// Where the rule or the condition stands.
    pub position: Option<(usize, usize)>,
    /// What is not shown.
    pub what: String,
}

impl Coverage {
    /// Adds what was seen of the policy of some tests.
    pub(super) fn add(&mut self, tests: &Tests, policy: &Policy, tally: &Tally) {
        let seen = tally.questions.borrow();
        let rules = tally.rules.borrow();
        let mut places: BTreeMap<&str, Option<Places>> = BTreeMap::new();
        for active in policy.rules.iter().filter(|active| tests.subjects.contains(&active.source)) {
            let places = places.entry(&active.source).or_insert_with(|| places_of(tests, &active.source));
            let position = |path: &[Step<'_>]| places.as_ref()?.position(&active.rule.id, path);
            let key = (active.source.clone(), active.rule.id.clone());
            let asked = questions(&active.rule);
            let known = self.rules.entry(key).or_insert_with(|| RuleCoverage {
                position: position(&[]),
                questions: asked.iter().map(|asked| Question::of(asked, position(&asked.path))).collect(),
                ..RuleCoverage::default()
            });
            let (fired, decided) = rules.get(&active.rule.id).copied().unwrap_or_default();
            known.fired += fired;
            known.decided += decided;
            for (known, asked) in known.questions.iter_mut().zip(&asked) {
                let at = (ptr::from_ref(asked.of).addr(), asked.question);
                let (held, failed) = seen.get(&at).copied().unwrap_or_default();
                known.held += held;
                known.failed += failed;
            }
        }
    }

    /// Returns how many of the things that tests can show were shown, and how many there are: that a rule
    /// holds, that a condition holds, that it does not.
    fn counts(&self) -> (usize, usize) {
        let of_rule = |rule: &RuleCoverage| {
            let ways = rule.questions.iter().map(|it| usize::from(it.held > 0) + usize::from(it.failed > 0));
            (usize::from(rule.fired > 0) + ways.sum::<usize>(), 1 + 2 * rule.questions.len())
        };
        self.rules.values().map(of_rule).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Tells whether at least so many in a hundred were shown.
    pub(super) fn reaches(&self, least: f64) -> bool {
        let (seen, all) = self.counts();
        #[expect(clippy::cast_precision_loss, reason = "no policy has that many conditions")]
        let reached = seen as f64 * 100.0 >= least * all as f64;
        reached
    }

    /// Returns what was shown, in per cent.
    pub(super) fn shown(&self) -> String {
        let (seen, all) = self.counts();
        per_cent(seen, all)
    }

    /// Returns the coverage in one line.
    pub(super) fn summary(&self) -> String {
        let held = self.rules.values().filter(|rule| rule.fired > 0).count();
        let decided = self.rules.values().filter(|rule| rule.decided > 0).count();
        let questions = || self.rules.values().flat_map(|rule| &rule.questions);
        let both = questions().filter(|it| it.held > 0 && it.failed > 0).count();
        format!(
            "coverage {}: of {} rules {held} held and {decided} decided, {both} of {} conditions were seen both ways",
            self.shown(),
            self.rules.len(),
            questions().count()
        )
    }

    /// Returns what no test shows, in the order of files.
    pub(super) fn gaps(&self) -> Vec<Gap<'_>> {
        let mut gaps = Vec::new();
        for ((source, id), rule) in &self.rules {
            let mut add = |position, what: String| gaps.push(Gap { source, rule: id, position, what });
            if rule.fired == 0 {
                add(rule.position, "it never held".to_owned());
            } else if rule.decided == 0 {
                add(rule.position, "it held, and others decided each time".to_owned());
            }
            for question in &rule.questions {
                let missing = match (question.held, question.failed) {
                    (0, 0) if rule.fired == 0 => continue,
                    (0, 0) => "was never asked",
                    (0, _) => "was never seen to hold",
                    (_, 0) => "was never seen not to hold",
                    _ => continue,
                };
                add(question.position, format!("`{}` {missing}", question.name));
            }
        }
        gaps.sort_by_key(|gap| (gap.source, gap.position, gap.rule));
        gaps
    }

    /// Returns the coverage for programs.
    pub(super) fn as_json(&self) -> Value {
        let (seen, all) = self.counts();
        let question = |it: &Question| {
            json!({ "condition": it.name, "line": it.position.map(|at| at.0), "column": it.position.map(|at| at.1),
                "held": it.held, "did_not_hold": it.failed })
        };
        let rules = self.rules.iter().map(|((source, id), rule)| {
            json!({
                "rule": id,
                "source": source,
                "line": rule.position.map(|at| at.0),
                "column": rule.position.map(|at| at.1),
                "state": if rule.decided > 0 { "decided" } else if rule.fired > 0 { "fired" } else { "never" },
                "fired": rule.fired,
                "decided": rule.decided,
                "conditions": rule.questions.iter().map(question).collect::<Vec<_>>(),
            })
        });
        json!({ "seen": seen, "of": all, "rules": rules.collect::<Vec<_>>() })
    }
}

fn places_of(tests: &Tests, source: &str) -> Option<Places> {
    let file = tests.loaded.files.iter().find(|file| file.name == source);
    file.and_then(|file| file.source.clone()).and_then(Places::of)
}

impl Question {
    fn of(asked: &Asked<'_>, position: Option<(usize, usize)>) -> Self {
        let step = |step: &Step<'_>| match step {
            Step::Key(key) => format!(".{key}"),
            Step::Item(index) => format!("[{index}]"),
        };
        let path: String = asked.path.iter().map(step).collect();
        let name = path.trim_start_matches('.').to_owned();
        Self { name, position, held: 0, failed: 0 }
    }
}

/// A question that a rule asks.
struct Asked<'a> {
    of: &'a Conditions,
    question: &'static str,
    path: Vec<Step<'a>>,
}

/// Lists the questions of a rule and of its exceptions.
fn questions(rule: &Rule) -> Vec<Asked<'_>> {
    let mut found = Vec::new();
    collect(&rule.conditions, &[], &mut found);
    for (index, exception) in rule.except.iter().enumerate() {
        collect(exception, &[Step::Key("except"), Step::Item(index)], &mut found);
    }
    found
}

fn collect<'a>(conditions: &'a Conditions, path: &[Step<'a>], found: &mut Vec<Asked<'a>>) {
    for question in conditions.questions() {
        found.push(Asked { of: conditions, question, path: [path, &[Step::Key(question)]].concat() });
    }
    for (index, branch) in conditions.any.iter().flatten().enumerate() {
        collect(branch, &[path, &[Step::Key("any"), Step::Item(index)]].concat(), found);
    }
}
