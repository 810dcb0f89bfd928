//! Charts as numbers: where bars are and how high they are. The page draws them.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;

use crate::io::audit::AuditDecision;

/// Columns that are drawn at most.
const MAX_COLUMNS: u64 = 48;
/// Lengths of a column, in seconds.
const BUCKET_LENGTHS: [u64; 11] =
    [60, 300, 900, 3600, 3 * 3600, 6 * 3600, 86_400, 7 * 86_400, 28 * 86_400, 91 * 86_400, 364 * 86_400];
/// The length where none of these is long enough: a century, of which a calendar has eighty.
const MAX_BUCKET_LENGTH: u64 = 36_400 * 86_400;
/// The drawing, in units of its own.
const WIDTH: f64 = 960.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 232.0;
const LEFT: f64 = 48.0;
/// Labels below the columns at most.
const MAX_LABELS: usize = 8;

/// Decisions over time.
#[derive(Debug, Serialize)]
pub(super) struct Timeline {
    pub width: f64,
    pub bottom: f64,
    pub left: f64,
    /// How long a column is, in words.
    pub each: &'static str,
    pub lines: Vec<GridLine>,
    pub columns: Vec<Column>,
}

/// A line across, with its number.
#[derive(Debug, Serialize)]
pub(super) struct GridLine {
    pub y: f64,
    pub number: usize,
}

/// The decisions of a stretch of time.
#[derive(Debug, Serialize)]
pub(super) struct Column {
    pub x: f64,
    pub width: f64,
    pub middle: f64,
    /// When it begins.
    pub time: String,
    /// Whether that is written below it.
    pub labelled: bool,
    pub total: usize,
    /// How often each decision was made, in the order of [`decision_order`].
    pub counts: Vec<usize>,
    pub bars: Vec<ColumnSegment>,
}

/// A part of a column.
#[derive(Debug, Serialize)]
pub(super) struct ColumnSegment {
    pub decided: &'static str,
    pub count: usize,
    pub y: f64,
    pub height: f64,
}

/// Returns the decisions in the order in which they stand on one another, the strictest at the bottom.
pub(super) fn decision_order() -> impl Iterator<Item = AuditDecision> {
    AuditDecision::ALL.into_iter().rev()
}

/// Draws decisions over time; nothing when there are none.
pub(super) fn timeline(moments: &[(u64, AuditDecision)]) -> Option<Timeline> {
    let first = moments.iter().map(|(at, _)| *at).min()?;
    let last = moments.iter().map(|(at, _)| *at).max()?;
    let number = |length: u64| last / length - first / length + 1;
    let length = BUCKET_LENGTHS.into_iter().find(|length| number(*length) <= MAX_COLUMNS).unwrap_or(MAX_BUCKET_LENGTH);
    let begin = first / length;
    let mut counts = vec![[0usize; AuditDecision::ALL.len()]; usize::try_from(number(length)).unwrap_or(1)];
    for (at, decided) in moments {
        let column = usize::try_from(at / length - begin).unwrap_or_default();
        let row = decision_order().position(|other| other == *decided).unwrap_or_default();
        if let Some(count) = counts.get_mut(column).and_then(|column| column.get_mut(row)) {
            *count += 1;
        }
    }
    let most = counts.iter().map(|column| column.iter().sum::<usize>()).max().unwrap_or(1);
    let step = axis_step(most);
    let top = most.div_ceil(step) * step;
    let scale = (BOTTOM - TOP) / to_f64(top);
    let pitch = (WIDTH - LEFT) / to_f64(counts.len());
    let label_every = counts.len().div_ceil(MAX_LABELS);
    let column = |(index, counts): (usize, &[usize; AuditDecision::ALL.len()])| {
        let x = LEFT + pitch * to_f64(index);
        let mut below = 0;
        let bars = decision_order().zip(counts).filter(|(_, count)| **count > 0).map(|(decided, count)| {
            below += count;
            ColumnSegment {
                decided: decided.name(),
                count: *count,
                y: round_to_tenth(BOTTOM - to_f64(below) * scale),
                height: round_to_tenth(to_f64(*count) * scale),
            }
        });
        Column {
            bars: bars.collect(),
            x: round_to_tenth(x + pitch * 0.1),
            width: round_to_tenth(pitch * 0.8),
            middle: round_to_tenth(x + pitch / 2.0),
            time: bucket_label((begin + u64::try_from(index).unwrap_or_default()) * length, length),
            // A label at the edge would be cut off.
            labelled: index % label_every == 0 && x + pitch / 2.0 < WIDTH - 56.0,
            total: counts.iter().sum(),
            counts: counts.to_vec(),
        }
    };
    Some(Timeline {
        width: WIDTH,
        bottom: BOTTOM,
        left: LEFT,
        each: bucket_name(length),
        lines: (0..=top / step)
            .map(|line| GridLine { y: round_to_tenth(BOTTOM - to_f64(line * step) * scale), number: line * step })
            .collect(),
        columns: counts.iter().enumerate().map(column).collect(),
    })
}

/// Returns a round number of which four or fewer reach a count.
fn axis_step(most: usize) -> usize {
    let mut power = 1;
    loop {
        if let Some(step) = [1, 2, 5].into_iter().map(|digit| digit * power).find(|step| step * 4 >= most) {
            return step;
        }
        power *= 10;
    }
}

fn bucket_label(seconds: u64, length: u64) -> String {
    let text = humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string();
    let (day, clock) = text.split_once('T').unwrap_or((&text, ""));
    if length >= 86_400 { day.to_owned() } else { format!("{day} {}", clock.get(..5).unwrap_or_default()) }
}

const fn bucket_name(length: u64) -> &'static str {
    match length {
        60 => "minute",
        300 => "5 minutes",
        900 => "15 minutes",
        3600 => "hour",
        10_800 => "3 hours",
        21_600 => "6 hours",
        86_400 => "day",
        604_800 => "week",
        2_419_200 => "4 weeks",
        _ => "longer stretch",
    }
}

/// A list of counts, the greatest first.
#[derive(Debug, Serialize)]
pub(super) struct Ranking {
    pub title: &'static str,
    /// What is counted.
    pub column: &'static str,
    /// Whether the bars have parts, one for each decision.
    pub by_decision: bool,
    pub rows: Vec<RankingRow>,
    /// How many more there are.
    pub more: usize,
}

/// A row of a list of counts, with the bar beside it.
#[derive(Debug, Serialize)]
pub(super) struct RankingRow {
    pub name: String,
    pub count: usize,
    /// The parts of the bar, of 200 units.
    pub parts: Vec<BarSegment>,
}

/// A part of a bar across.
#[derive(Debug, Serialize)]
pub(super) struct BarSegment {
    pub decided: &'static str,
    pub x: f64,
    pub width: f64,
}

/// What is counted, and how often, by decision.
pub(super) type DecisionCounts = Vec<(String, Vec<(AuditDecision, usize)>)>;

/// Returns a list of counts, as many as are listed.
pub(super) fn ranking(
    [title, column]: [&'static str; 2],
    by_decision: bool,
    rows: DecisionCounts,
    listed: usize,
) -> Ranking {
    let total = |row: &[(AuditDecision, usize)]| row.iter().map(|(_, count)| count).sum::<usize>();
    let mut rows = rows;
    rows.sort_by_key(|(name, row)| (std::cmp::Reverse(total(row)), name.clone()));
    let most = rows.first().map_or(1, |(_, row)| total(row)).max(1);
    let more = rows.len().saturating_sub(listed);
    let row = |(name, row): (String, Vec<(AuditDecision, usize)>)| {
        let mut x = 0.0;
        let parts = decision_order().filter_map(|decided| {
            let count: usize = row.iter().filter(|(other, _)| *other == decided).map(|(_, count)| count).sum();
            let width = to_f64(count) * 200.0 / to_f64(most);
            let part = BarSegment { decided: decided.name(), x: round_to_tenth(x), width: round_to_tenth(width) };
            x += width;
            (count > 0).then_some(part)
        });
        let parts = parts.collect();
        RankingRow { name, count: total(&row), parts }
    };
    Ranking { title, column, by_decision, rows: rows.into_iter().take(listed).map(row).collect(), more }
}

#[expect(clippy::cast_precision_loss, reason = "it is drawn")]
const fn to_f64(count: usize) -> f64 {
    count as f64
}

fn round_to_tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::{Ranking, axis_step, ranking, timeline};
    use crate::io::audit::AuditDecision;

    #[test]
    fn every_decision_is_in_one_column() {
        assert!(timeline(&[]).is_none());
        for span in [1, 59, 3600, 86_400, 40 * 86_400, 4000 * 86_400] {
            let moments: Vec<(u64, AuditDecision)> = (0..100)
                .zip(AuditDecision::ALL.into_iter().cycle())
                .map(|(index, it)| (1_700_000_000 + span * index / 100, it))
                .collect();
            let drawn = timeline(&moments).unwrap();
            assert!(drawn.columns.len() <= 48, "{span}: {}", drawn.columns.len());
            assert_eq!(drawn.columns.iter().map(|column| column.total).sum::<usize>(), 100);
            let bars = drawn.columns.iter().flat_map(|column| &column.bars);
            assert!(bars.clone().all(|bar| bar.y > 11.8 && bar.y + bar.height < 232.2), "{span}");
            assert_eq!(bars.map(|bar| bar.count).sum::<usize>(), 100);
        }
        assert_eq!([1, 4, 5, 8, 9, 21, 41, 2000].map(axis_step), [1, 1, 2, 2, 5, 10, 20, 500]);
    }

    #[test]
    fn the_greatest_count_comes_first() {
        let row =
            |name: &str, deny, ask| (name.to_owned(), vec![(AuditDecision::Deny, deny), (AuditDecision::Ask, ask)]);
        let Ranking { rows, more, .. } =
            ranking(["Rules", "Rule"], true, vec![row("a", 1, 0), row("b", 2, 2), row("c", 1, 0)], 2);
        assert_eq!((rows[0].name.as_str(), rows[0].count, rows[1].name.as_str(), more), ("b", 4, "a", 1));
        assert!((rows[0].parts.iter().map(|part| part.width).sum::<f64>() - 200.0).abs() < 0.01);
    }
}
