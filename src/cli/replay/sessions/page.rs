//! The page about what would have been stopped.

use std::time::SystemTime;

use serde::Serialize;

use super::format::{headline, remarks};
use super::summary::{Counts, StopExample, Summary};
use crate::cli::CommandError;
use crate::cli::output::page::{STYLE, csp_hash, render as fill_in};
use crate::domain::text::visible::{EscapeForm, visible};

const TEMPLATE: &str = include_str!("page.html");

/// What is filled in.
#[derive(Serialize)]
struct PageContext<'a> {
    style: &'a str,
    style_hash: String,
    version: &'a str,
    made: String,
    headline: String,
    counts: Counts,
    sessions: usize,
    stopped_sessions: usize,
    per_thousand: f64,
    rules: Vec<RuleRow<'a>>,
    lists: [(&'a str, Vec<(&'a str, Counts)>); 2],
    remarks: Vec<String>,
}

/// A rule as the page shows it.
#[derive(Serialize)]
struct RuleRow<'a> {
    name: &'a str,
    counts: Counts,
    sessions: usize,
    per_thousand: f64,
    examples: Vec<StopExample>,
}

/// Returns the page.
///
/// # Errors
/// Returns that the program was built wrongly.
pub(super) fn render(summary: &Summary, words: &str) -> Result<String, CommandError> {
    let shown = |text: &str| visible(text, EscapeForm::Text).into_owned();
    let example = |it: &StopExample| StopExample {
        about: shown(&it.about),
        reason: shown(&it.reason),
        cwd: shown(&it.cwd),
        time: shown(it.time.get(..10).unwrap_or_default()),
        ..it.clone()
    };
    let rules = summary.sorted_rules().into_iter().map(|(name, group)| RuleRow {
        name,
        counts: group.counts,
        sessions: group.sessions.len(),
        per_thousand: summary.per_thousand(group.counts.stopped()),
        examples: group.examples.iter().map(example).collect(),
    });
    let values = PageContext {
        style: STYLE,
        style_hash: csp_hash(STYLE),
        version: env!("CARGO_PKG_VERSION"),
        made: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        headline: headline(summary, words),
        counts: summary.counts,
        sessions: summary.sessions.len(),
        stopped_sessions: summary.stopped_sessions.len(),
        per_thousand: summary.per_thousand(summary.counts.stopped()),
        rules: rules.collect(),
        lists: [
            ("Tools", summary.tools.iter().map(|(name, counts)| (*name, *counts)).collect()),
            ("Hosts", summary.hosts.iter().map(|(name, counts)| (*name, *counts)).collect()),
        ],
        remarks: remarks(summary).iter().map(|remark| shown(remark)).collect(),
    };
    fill_in(TEMPLATE, values)
}
