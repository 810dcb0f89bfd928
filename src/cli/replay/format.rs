//! What would change, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::diff::{Diff, Way};
use crate::cli::style::Palette;

/// Returns the diff for people.
pub(super) fn human(diff: &Diff) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for ((rule, way), group) in diff.sorted() {
        let sign = format!("{} {rule}", way.sign());
        let sign = match way {
            Way::Gained => palette.good(sign),
            Way::Lost => palette.bad(sign),
            Way::Turned => palette.careful(sign),
        };
        let _written = writeln!(text, "{sign}  {}", palette.faint(counted(group.events)));
        for ((before, after), count) in sorted(&group.turns) {
            let _written = writeln!(text, "    {count:>9}  {before} → {after}");
        }
        for example in &group.examples {
            let _written = writeln!(text, "      {}  {}", palette.faint(&example.place), example.about);
        }
        text.push('\n');
    }
    let changed = match diff.changed {
        0 => palette.good("nothing changed"),
        changed => palette.bad(format!("{changed} changed")),
    };
    let _written = writeln!(text, "{} replayed, {changed}", counted(diff.events));
    for ((before, after), count) in sorted(&diff.turns) {
        let _written = writeln!(text, "    {count:>9}  {before} → {after}");
    }
    if diff.otherwise > 0 {
        let _written = writeln!(text, "{} come to the same by other rules", counted(diff.otherwise));
    }
    if diff.unsure > 0 {
        let _written =
            writeln!(text, "{} cannot be compared: what a rule went by is not in the record", counted(diff.unsure));
    }
    if let Some(first) = &diff.unread_first {
        let lines = if diff.unread == 1 { "1 line".to_owned() } else { format!("{} lines", diff.unread) };
        let _written = writeln!(text, "{} could not be judged; the first: {first}", palette.careful(lines));
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
                group.examples.iter().map(|it| json!({ "place": it.place, "about": it.about })).collect();
            json!({ "rule": rule, "way": way.name(), "events": group.events, "turns": turns(&group.turns), "examples": examples })
        })
        .collect();
    let report = json!({
        "events": diff.events,
        "changed": diff.changed,
        "same_by_other_rules": diff.otherwise,
        "unsure": diff.unsure,
        "unread": diff.unread,
        "unread_first": diff.unread_first,
        "turns": turns(&diff.turns),
        "rules": groups,
    });
    format!("{report:#}\n")
}

fn turns(turns: &BTreeMap<(String, String), usize>) -> Vec<Value> {
    sorted(turns)
        .into_iter()
        .map(|((before, after), count)| json!({ "before": before, "after": after, "events": count }))
        .collect()
}

fn sorted(turns: &BTreeMap<(String, String), usize>) -> Vec<(&(String, String), usize)> {
    let mut sorted: Vec<_> = turns.iter().map(|(turn, count)| (turn, *count)).collect();
    sorted.sort_by_key(|(turn, count)| (std::cmp::Reverse(*count), *turn));
    sorted
}

fn counted(events: usize) -> String {
    format!("{events} event{}", if events == 1 { "" } else { "s" })
}
