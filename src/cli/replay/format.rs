//! What would change, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::diff::{ChangeKind, Diff};
use crate::cli::output::palette::Palette;
use crate::cli::output::pluralize;

/// Returns the diff for people.
pub(super) fn human(diff: &Diff) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for ((rule, way), group) in diff.sorted() {
        let sign = format!("{} {rule}", way.symbol());
        let sign = match way {
            ChangeKind::Gained => palette.success(sign),
            ChangeKind::Lost => palette.error(sign),
            ChangeKind::Changed => palette.warning(sign),
        };
        let _written = writeln!(text, "{sign}  {}", palette.dim(pluralize(group.events, "event")));
        for ((before, after), count) in sorted_transitions(&group.transitions) {
            let _written = writeln!(text, "    {count:>9}  {before} → {after}");
        }
        for example in &group.examples {
            let _written = writeln!(text, "      {}  {}", palette.dim(&example.location), example.about);
        }
        text.push('\n');
    }
    let changed = match diff.changed {
        0 => palette.success("nothing changed"),
        changed => palette.error(format!("{changed} changed")),
    };
    let _written = writeln!(text, "{} replayed, {changed}", pluralize(diff.events, "event"));
    for ((before, after), count) in sorted_transitions(&diff.transitions) {
        let _written = writeln!(text, "    {count:>9}  {before} → {after}");
    }
    if diff.same_by_other_rules > 0 {
        let _written =
            writeln!(text, "{} have the same result from other rules", pluralize(diff.same_by_other_rules, "event"));
    }
    if diff.unsure > 0 {
        let _written = writeln!(
            text,
            "{} can't be compared: the record lacks data that a rule uses",
            pluralize(diff.unsure, "event")
        );
    }
    if let Some(first) = &diff.first_unreadable {
        let lines = pluralize(diff.unreadable, "line");
        let _written = writeln!(text, "{} could not be evaluated; the first: {first}", palette.warning(lines));
    }
    text
}

/// Returns the diff for programs.
pub(super) fn as_json(diff: &Diff) -> String {
    let groups: Vec<Value> = diff
        .sorted()
        .into_iter()
        .map(|((rule, way), group)| {
            let examples: Vec<Value> =
                group.examples.iter().map(|it| json!({ "place": it.location, "about": it.about })).collect();
            json!({ "rule": rule, "way": way.name(), "events": group.events, "turns": transitions_json(&group.transitions), "examples": examples })
        })
        .collect();
    let report = json!({
        "events": diff.events,
        "changed": diff.changed,
        "same_by_other_rules": diff.same_by_other_rules,
        "unsure": diff.unsure,
        "unread": diff.unreadable,
        "unread_first": diff.first_unreadable,
        "turns": transitions_json(&diff.transitions),
        "rules": groups,
    });
    format!("{report:#}\n")
}

fn transitions_json(turns: &BTreeMap<(String, String), usize>) -> Vec<Value> {
    sorted_transitions(turns)
        .into_iter()
        .map(|((before, after), count)| json!({ "before": before, "after": after, "events": count }))
        .collect()
}

fn sorted_transitions(turns: &BTreeMap<(String, String), usize>) -> Vec<(&(String, String), usize)> {
    let mut sorted: Vec<_> = turns.iter().map(|(turn, count)| (turn, *count)).collect();
    sorted.sort_by_key(|(turn, count)| (std::cmp::Reverse(*count), *turn));
    sorted
}
