//! How far tests reach: which rules held and decided, and which conditions were seen to hold and
//! not to hold.
//!
//! The evaluator itself says what it saw; here it is only counted.

use crate::cli::scenario::Observer;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::score::percentage;
use crate::domain::condition::Conditions;
use crate::domain::effect::EffectKind;
use crate::domain::facts::trace::{ConditionsId, Trace};
use crate::domain::policy::Policy;
use crate::domain::policy::rule::Rule;
use crate::domain::verdict::outcome::Outcome;
use crate::io::policy::locate::{PathSegment, RuleLocator};
use crate::io::suite::LoadedTests;

/// A question: the address of the conditions that it is in, and its key.
type ConditionId = (ConditionsId, &'static str);

/// What was seen while events were judged by one policy.
#[derive(Default)]
pub(super) struct CoverageRecorder {
    /// How often a question of the conditions at an address held, and did not.
    conditions: RefCell<HashMap<ConditionId, (usize, usize)>>,
    /// How often rules held, and how often they had a say in what came of it.
    rules: RefCell<BTreeMap<String, (usize, usize)>>,
}

impl Trace for CoverageRecorder {
    fn condition_evaluated(&self, asked: ConditionsId, question: &'static str, held: bool) {
        let mut questions = self.conditions.borrow_mut();
        let seen = questions.entry((asked, question)).or_default();
        *(if held { &mut seen.0 } else { &mut seen.1 }) += 1;
    }
}

impl Observer for CoverageRecorder {
    fn judged(&self, outcome: &Outcome) {
        let verdict = &outcome.verdict;
        let others = [EffectKind::Stop, EffectKind::Retry, EffectKind::Context, EffectKind::Warn, EffectKind::Audit];
        let notes = || verdict.reasons().iter().chain(verdict.notes.of_all(&others));
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
    /// Where it is.
    position: Option<(usize, usize)>,
    /// How often it held.
    matched: usize,
    /// How often it had a say in what came of an event.
    decided: usize,
    /// Its questions, in order.
    conditions: Vec<ConditionCoverage>,
}

/// How far tests reach into one condition.
struct ConditionCoverage {
    /// Its path in the rule, such as `any[1].command`.
    name: String,
    position: Option<(usize, usize)>,
    matched: usize,
    unmatched: usize,
}

/// Something that no test shows.
pub(super) struct Gap<'a> {
    /// The file or pack.
    pub source: &'a str,
    /// The rule.
    pub rule: &'a str,
    /// Where the rule or the condition is.
    pub position: Option<(usize, usize)>,
    /// What is not shown.
    pub what: String,
}

impl Coverage {
    /// Adds what was seen of the policy of some tests.
    pub(super) fn add(&mut self, tests: &LoadedTests, policy: &Policy, tally: &CoverageRecorder) {
        let seen = tally.conditions.borrow();
        let rules = tally.rules.borrow();
        let mut places: BTreeMap<&str, Option<RuleLocator>> = BTreeMap::new();
        for active in policy.rules.iter().filter(|active| tests.tested_sources.contains(&active.source)) {
            let places = places.entry(&active.source).or_insert_with(|| source_places(tests, &active.source));
            let position = |path: &[PathSegment<'_>]| places.as_ref()?.position(&active.rule.id, path);
            let key = (active.source.clone(), active.rule.id.clone());
            let asked = list_conditions(&active.rule);
            let known = self.rules.entry(key).or_insert_with(|| RuleCoverage {
                position: position(&[]),
                conditions: asked.iter().map(|asked| ConditionCoverage::new(asked, position(&asked.path))).collect(),
                ..RuleCoverage::default()
            });
            let (fired, decided) = rules.get(&active.rule.id).copied().unwrap_or_default();
            known.matched += fired;
            known.decided += decided;
            for (known, asked) in known.conditions.iter_mut().zip(&asked) {
                let at = (ConditionsId::of(asked.conditions), asked.key);
                let (held, failed) = seen.get(&at).copied().unwrap_or_default();
                known.matched += held;
                known.unmatched += failed;
            }
        }
    }

    /// Returns how many of the things that tests can show were shown, and how many there are: that a rule
    /// holds, that a condition holds, that it does not.
    fn counts(&self) -> (usize, usize) {
        let of_rule = |rule: &RuleCoverage| {
            let ways = rule.conditions.iter().map(|it| usize::from(it.matched > 0) + usize::from(it.unmatched > 0));
            (usize::from(rule.matched > 0) + ways.sum::<usize>(), 1 + 2 * rule.conditions.len())
        };
        self.rules.values().map(of_rule).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Returns whether at least so many in a hundred were shown.
    pub(super) fn meets(&self, least: f64) -> bool {
        let (seen, all) = self.counts();
        #[expect(clippy::cast_precision_loss, reason = "no policy has that many conditions")]
        let reached = seen as f64 * 100.0 >= least * all as f64;
        reached
    }

    /// Returns what was shown, in per cent.
    pub(super) fn percentage(&self) -> String {
        let (seen, all) = self.counts();
        percentage(seen, all)
    }

    /// Returns the coverage in one line.
    pub(super) fn summary(&self) -> String {
        let held = self.rules.values().filter(|rule| rule.matched > 0).count();
        let decided = self.rules.values().filter(|rule| rule.decided > 0).count();
        let questions = || self.rules.values().flat_map(|rule| &rule.conditions);
        let both = questions().filter(|it| it.matched > 0 && it.unmatched > 0).count();
        format!(
            "coverage {}: of {} rules, {held} matched and {decided} decided; {both} of {} conditions are covered",
            self.percentage(),
            self.rules.len(),
            questions().count()
        )
    }

    /// Returns what no test shows, in the order of files.
    pub(super) fn gaps(&self) -> Vec<Gap<'_>> {
        let mut gaps = Vec::new();
        for ((source, id), rule) in &self.rules {
            let mut add = |position, what: String| gaps.push(Gap { source, rule: id, position, what });
            if rule.matched == 0 {
                add(rule.position, "it never matched".to_owned());
            } else if rule.decided == 0 {
                add(rule.position, "it matched, but other rules decided each time".to_owned());
            }
            for question in &rule.conditions {
                let missing = match (question.matched, question.unmatched) {
                    (0, 0) if rule.matched == 0 => continue,
                    (0, 0) => "was never evaluated",
                    (0, _) => "never matched",
                    (_, 0) => "always matched",
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
        let question = |it: &ConditionCoverage| {
            json!({ "condition": it.name, "line": it.position.map(|at| at.0), "column": it.position.map(|at| at.1),
                "held": it.matched, "did_not_hold": it.unmatched })
        };
        let rules = self.rules.iter().map(|((source, id), rule)| {
            json!({
                "rule": id,
                "source": source,
                "line": rule.position.map(|at| at.0),
                "column": rule.position.map(|at| at.1),
                "state": if rule.decided > 0 { "decided" } else if rule.matched > 0 { "fired" } else { "never" },
                "fired": rule.matched,
                "decided": rule.decided,
                "conditions": rule.conditions.iter().map(question).collect::<Vec<_>>(),
            })
        });
        json!({ "seen": seen, "of": all, "rules": rules.collect::<Vec<_>>() })
    }
}

fn source_places(tests: &LoadedTests, source: &str) -> Option<RuleLocator> {
    let file = tests.loaded.files.iter().find(|file| file.name == source);
    file.and_then(|file| file.source.clone()).and_then(RuleLocator::parse)
}

impl ConditionCoverage {
    fn new(asked: &ConditionRef<'_>, position: Option<(usize, usize)>) -> Self {
        let step = |step: &PathSegment<'_>| match step {
            PathSegment::Key(key) => format!(".{key}"),
            PathSegment::Item(index) => format!("[{index}]"),
        };
        let path: String = asked.path.iter().map(step).collect();
        let name = path.trim_start_matches('.').to_owned();
        Self { name, position, matched: 0, unmatched: 0 }
    }
}

/// A question that a rule asks.
struct ConditionRef<'a> {
    conditions: &'a Conditions,
    key: &'static str,
    path: Vec<PathSegment<'a>>,
}

/// Lists the questions of a rule and of its exceptions.
fn list_conditions(rule: &Rule) -> Vec<ConditionRef<'_>> {
    let mut found = Vec::new();
    collect_conditions(&rule.conditions, &[], &mut found);
    for (index, exception) in rule.except.iter().enumerate() {
        collect_conditions(exception, &[PathSegment::Key("except"), PathSegment::Item(index)], &mut found);
    }
    found
}

fn collect_conditions<'a>(conditions: &'a Conditions, path: &[PathSegment<'a>], found: &mut Vec<ConditionRef<'a>>) {
    for question in conditions.keys() {
        found.push(ConditionRef { conditions, key: question, path: [path, &[PathSegment::Key(question)]].concat() });
    }
    for (index, branch) in conditions.any.iter().flatten().enumerate() {
        collect_conditions(branch, &[path, &[PathSegment::Key("any"), PathSegment::Item(index)]].concat(), found);
    }
}
