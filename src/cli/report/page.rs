//! The page about what was decided.

use std::time::SystemTime;

use serde::Serialize;

use super::chart::{Ranking, Timeline, decision_order, ranking, timeline};
use super::collect::{ReportData, ReportEvent, format_time};
use crate::cli::CommandError;
use crate::cli::output::page::{STYLE, csp_hash, render as fill_in};
use crate::io::audit::AuditDecision;

const TEMPLATE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");

/// Rows of each list of counts.
const MAX_RANKING_ROWS: usize = 12;

/// What is filled in.
#[derive(Serialize)]
struct PageContext<'a> {
    style: &'a str,
    script: &'a str,
    style_hash: String,
    script_hash: String,
    version: &'a str,
    made: String,
    records: usize,
    sessions: usize,
    first: String,
    last: String,
    median: String,
    slow: String,
    decisions: Vec<(&'a str, usize)>,
    timeline: Option<Timeline>,
    lists: Vec<Ranking>,
    slowest: Vec<&'a ReportEvent>,
    events: Vec<&'a ReportEvent>,
    said: usize,
}

/// Returns the page.
///
/// # Errors
/// Returns that the program was built wrongly.
pub(super) fn render(gathered: &mut ReportData) -> Result<String, CommandError> {
    let counts = &mut gathered.stats;
    let (median, slow) = (counts.quantile(0.5), counts.quantile(0.99));
    let plain = |counts: &std::collections::BTreeMap<String, usize>| {
        counts.iter().map(|(name, count)| (name.clone(), vec![(AuditDecision::None, *count)])).collect::<Vec<_>>()
    };
    let rules =
        gathered.rules.iter().map(|(rule, counts)| (rule.clone(), counts.iter().map(|(it, n)| (*it, *n)).collect()));
    let lists = vec![
        ranking(["Rules", "Rule"], true, rules.collect(), MAX_RANKING_ROWS),
        ranking(["Tools", "Tool"], false, plain(&counts.tools), MAX_RANKING_ROWS),
        ranking(["Hosts", "Host"], false, plain(&counts.hosts), MAX_RANKING_ROWS),
    ];
    let decisions: Vec<(&str, usize)> = decision_order()
        .map(|decided| (decided.name(), counts.decisions.get(&decided).copied().unwrap_or_default()))
        .collect();
    let values = PageContext {
        style: STYLE,
        script: SCRIPT,
        style_hash: csp_hash(STYLE),
        script_hash: csp_hash(SCRIPT),
        version: env!("CARGO_PKG_VERSION"),
        made: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        records: counts.records,
        sessions: counts.sessions.len(),
        first: format_time(&counts.first),
        last: format_time(&counts.last),
        median: format!("{median:.2}"),
        slow: format!("{slow:.2}"),
        decisions,
        timeline: timeline(&gathered.decisions),
        lists,
        slowest: gathered.slowest.iter().map(|(_, event)| event).collect(),
        events: gathered.events.iter().rev().collect(),
        said: gathered.notable,
    };
    fill_in(TEMPLATE, values)
}
