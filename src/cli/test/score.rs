//! The mutation score of each rule, for users and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::cli::output::palette::Palette;
use crate::domain::verdict::note::Decision;

/// How far the rules hold.
#[derive(Default)]
pub(super) struct MutationScores {
    rules: BTreeMap<String, MutationScore>,
}

/// How far one rule holds.
#[derive(Default)]
pub(super) struct MutationScore {
    /// Spellings that were tried.
    pub(super) tried: usize,
    /// Spellings that were judged otherwise than what they spell.
    pub(super) misses: Vec<Miss>,
}

/// A spelling that is judged otherwise than what it spells.
pub(super) struct Miss {
    /// Where the original is: a file, with line and column or the name of a test.
    pub(super) place: String,
    /// The original.
    pub(super) original: String,
    /// The operators that made the spelling; none when the original itself is not as it should be.
    pub(super) operator: Option<String>,
    /// The spelling.
    pub(super) text: String,
    /// What the original comes to.
    pub(super) expected: Option<Decision>,
    /// What the spelling comes to.
    pub(super) actual: Option<Decision>,
}

impl Miss {
    const fn kind(&self) -> &'static str {
        match self.operator {
            None => WRONG,
            Some(_) if strictness(self.actual) < strictness(self.expected) => ESCAPED,
            Some(_) => FALSE_ALARM,
        }
    }
}

/// The original itself is not as its file says.
const WRONG: &str = "WRONG";
/// The spelling gets past.
const ESCAPED: &str = "ESCAPES";
/// The spelling is stopped for no reason.
const FALSE_ALARM: &str = "FALSE ALARM";

/// Returns how strict a decision is; silence and approval both let a call go ahead.
pub(super) const fn strictness(decision: Option<Decision>) -> u8 {
    match decision {
        Some(Decision::Deny) => 2,
        Some(Decision::Ask) => 1,
        Some(Decision::Allow) | None => 0,
    }
}

fn decision_name(decision: Option<Decision>) -> &'static str {
    decision.map_or("none", Decision::name)
}

/// Returns how much of something held, in per cent, rounded down: 100 is all of it.
pub(super) fn percentage(held: usize, tried: usize) -> String {
    let tenths = (held * 1000).checked_div(tried).unwrap_or(1000);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

impl MutationScores {
    /// Returns the score of a rule.
    pub(super) fn entry(&mut self, rule: &str) -> &mut MutationScore {
        self.rules.entry(rule.to_owned()).or_default()
    }

    /// Returns whether nothing was tried.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns whether everything held.
    pub(super) fn is_clean(&self) -> bool {
        self.rules.values().all(|score| score.misses.is_empty())
    }

    fn totals(&self) -> (usize, usize) {
        let tried: usize = self.rules.values().map(|score| score.tried).sum();
        (tried - self.rules.values().map(MutationScore::missed_count).sum::<usize>(), tried)
    }

    /// Returns the scores for people, and each spelling that missed.
    pub(super) fn as_text(&self) -> String {
        let palette = Palette::for_stdout();
        let mut text = String::new();
        for (rule, score) in &self.rules {
            let held = score.tried - score.missed_count();
            let line = format!("{held}/{} ({})", score.tried, percentage(held, score.tried));
            let line = if score.misses.is_empty() { palette.success(line) } else { palette.error(line) };
            let _written = writeln!(text, "{}: {line}", palette.bold(rule));
            for miss in &score.misses {
                let _written = writeln!(
                    text,
                    "  {} {}: {} instead of {}, {}",
                    palette.error(miss.kind()),
                    miss.operator.as_deref().unwrap_or("as written"),
                    decision_name(miss.actual),
                    decision_name(miss.expected),
                    miss.place,
                );
                for line in miss.text.lines() {
                    let _written = writeln!(text, "    {line}");
                }
            }
        }
        let (held, tried) = self.totals();
        let count =
            |kind| self.rules.values().flat_map(|score| &score.misses).filter(|miss| miss.kind() == kind).count();
        let mut summary = format!(
            "{held} of {tried} spellings matched ({}), {} escaped, {} false alarms",
            percentage(held, tried),
            count(ESCAPED),
            count(FALSE_ALARM)
        );
        match count(WRONG) {
            0 => {}
            wrong => {
                let _written = write!(summary, ", {wrong} wrong as written (see `ruleward test`)");
            }
        }
        let _written =
            writeln!(text, "{}", if self.is_clean() { palette.success(summary) } else { palette.error(summary) });
        text
    }

    /// Returns the scores for programs.
    pub(super) fn as_json(&self) -> String {
        let (held, tried) = self.totals();
        let rules: Vec<Value> = self.rules.iter().map(|(rule, score)| score.as_json(rule)).collect();
        format!("{:#}\n", json!({ "held": held, "tried": tried, "rules": rules }))
    }
}

impl MutationScore {
    /// Returns how many spellings missed, without originals that are wrong themselves.
    fn missed_count(&self) -> usize {
        self.misses.iter().filter(|miss| miss.operator.is_some()).count()
    }

    fn as_json(&self, rule: &str) -> Value {
        let miss = |miss: &Miss| {
            json!({
                "kind": miss.kind().to_lowercase().replace(' ', "-"),
                "operator": miss.operator,
                "original": miss.original,
                "text": miss.text,
                "expected": decision_name(miss.expected),
                "actual": decision_name(miss.actual),
                "place": miss.place,
            })
        };
        let misses: Vec<Value> = self.misses.iter().map(miss).collect();
        json!({ "rule": rule, "held": self.tried - self.missed_count(), "tried": self.tried, "misses": misses })
    }
}
