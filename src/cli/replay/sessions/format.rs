//! What would have been stopped, for people and for programs.

use serde_json::{Value, json};

use super::summary::{Counts, StopExample, Summary};
use crate::cli::output::palette::Palette;
use crate::cli::output::{group_digits, pluralize};
use crate::domain::text::visible::{EscapeForm, visible};

/// Returns the whole in one sentence.
pub(super) fn headline(summary: &Summary, words: &str) -> String {
    if summary.files == 0 {
        return "No transcripts found.\n".to_owned();
    }
    let Counts { calls, asked, denied } = summary.counts;
    let times = |count: usize| if count == 1 { "once".to_owned() } else { format!("{} times", group_digits(count)) };
    let done = match (asked, denied) {
        (0, 0) => "stopped nothing".to_owned(),
        (asked, 0) => format!("asked {}", times(asked)),
        (0, denied) => format!("denied {}", times(denied)),
        (asked, denied) => format!("asked {} and denied {}", times(asked), times(denied)),
    };
    let plural =
        |count: usize, what: &str| format!("{} {what}{}", group_digits(count), if count == 1 { "" } else { "s" });
    let sentence = format!(
        "{words}, this policy would have {done} in {} ({}).\n",
        plural(summary.sessions.len(), "session"),
        plural(calls, "call")
    );
    sentence.get(..1).unwrap_or_default().to_uppercase() + sentence.get(1..).unwrap_or_default()
}

/// Returns the summary for people.
pub(super) fn text(summary: &Summary, words: &str) -> String {
    let palette = Palette::for_stdout();
    let mut text = palette.bold(headline(summary, words).trim_end());
    text.push('\n');
    let mut line = |shown: &str| {
        text.push_str(shown);
        text.push('\n');
    };
    let stopped = summary.counts.stopped();
    if stopped > 0 {
        line(&format!(
            "{} of 1,000 calls, in {} of {}",
            summary.per_thousand(stopped),
            summary.stopped_sessions.len(),
            pluralize(summary.sessions.len(), "session"),
        ));
        line(&palette.dim("\n    asked   denied  sessions  of 1,000  rule"));
    }
    for (rule, group) in summary.sorted_rules() {
        let Counts { asked, denied, .. } = group.counts;
        let share = summary.per_thousand(group.counts.stopped());
        let rule = if denied > 0 { palette.error(rule) } else { palette.warning(rule) };
        line(&format!("{asked:>9}{denied:>9}{:>10}{share:>10.1}  {rule}", group.sessions.len()));
        for StopExample { time, about, decision, .. } in &group.examples {
            let day = time.get(..10).unwrap_or("          ");
            line(&format!("           {}  {decision:<5} {}", palette.dim(day), visible(about, EscapeForm::Text)));
        }
    }
    if stopped > 0 {
        line(&palette.dim("\n    asked   denied     calls  tool"));
        for (name, Counts { calls, asked, denied }) in summary.tools.iter().chain(&summary.hosts) {
            line(&format!("{asked:>9}{denied:>9}{calls:>10}  {name}"));
        }
    }
    for remark in remarks(summary) {
        line(&palette.dim(remark));
    }
    text
}

/// Returns what must be known of the numbers.
pub(super) fn remarks(summary: &Summary) -> Vec<String> {
    let mut remarks = Vec::new();
    if summary.repeated > 0 {
        let calls = pluralize(summary.repeated, "call");
        remarks.push(format!("{calls} of resumed sessions are in several transcripts and were counted once"));
    }
    if let Some(first) = &summary.first_broken {
        let lines = pluralize(summary.broken, "record");
        let files = pluralize(summary.unreadable, "file");
        remarks.push(format!("{lines} and {files} could not be read; the first: {first}"));
    }
    remarks
}

/// Returns the summary for programs.
pub(super) fn as_json(summary: &Summary, words: &str) -> String {
    let with_counts = |name: &str, counts: &Counts| json!({ "name": name, "calls": counts.calls, "asked": counts.asked, "denied": counts.denied });
    let rules: Vec<Value> = summary
        .sorted_rules()
        .into_iter()
        .map(|(rule, group)| {
            json!({
                "rule": rule,
                "asked": group.counts.asked,
                "denied": group.counts.denied,
                "sessions": group.sessions.len(),
                "per_thousand_calls": summary.per_thousand(group.counts.stopped()),
                "examples": group.examples,
            })
        })
        .collect();
    let report = json!({
        "period": words,
        "transcripts": summary.files,
        "sessions": summary.sessions.len(),
        "stopped_sessions": summary.stopped_sessions.len(),
        "calls": summary.counts.calls,
        "asked": summary.counts.asked,
        "denied": summary.counts.denied,
        "per_thousand_calls": summary.per_thousand(summary.counts.stopped()),
        "rules": rules,
        "tools": summary.tools.iter().map(|(name, counts)| with_counts(name, counts)).collect::<Vec<_>>(),
        "hosts": summary.hosts.iter().map(|(name, counts)| with_counts(name, counts)).collect::<Vec<_>>(),
        "repeated_calls": summary.repeated,
        "broken_records": summary.broken,
        "unreadable_files": summary.unreadable,
        "first_unreadable": summary.first_broken,
    });
    format!("{report:#}\n")
}
