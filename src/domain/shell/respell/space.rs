//! Blanks between words, and what may stand before and behind a line.

use std::ops::Range;

use super::line::Line;

/// Returns the blanks between the words of each command.
fn gaps(line: &Line<'_>) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    for site in &line.sites {
        for (left, right) in site.words.iter().zip(site.arguments()) {
            let gap = left.span.end..right.span.start;
            let text = line.text.get(gap.clone()).unwrap_or_default();
            if !text.is_empty() && text.chars().all(|character| character == ' ' || character == '\t') {
                gaps.push(gap);
            }
        }
    }
    gaps
}

fn with_gaps(line: &Line<'_>, gap: &str) -> Vec<String> {
    let gaps = gaps(line);
    if gaps.is_empty() {
        return Vec::new();
    }
    vec![line.with(gaps.into_iter().map(|span| (span, gap.to_owned())).collect())]
}

/// `rm   x`
pub(super) fn wide(line: &Line<'_>) -> Vec<String> {
    with_gaps(line, "   ")
}

/// Words parted by tabs.
pub(super) fn tabs(line: &Line<'_>) -> Vec<String> {
    with_gaps(line, "\t")
}

/// Words on lines of their own.
pub(super) fn continued(line: &Line<'_>) -> Vec<String> {
    with_gaps(line, " \\\n  ")
}

/// `rm${IFS}x`
pub(super) fn separators(line: &Line<'_>) -> Vec<String> {
    // What a value is split into is no assignment and no option of the shell's own.
    let all_plain = line.sites.iter().all(|site| site.words.iter().all(super::line::Piece::is_plain));
    if !all_plain || line.sites.iter().any(super::line::Site::is_builtin) {
        return Vec::new();
    }
    ["${IFS}", "$IFS$9"].iter().flat_map(|gap| with_gaps(line, gap)).collect()
}
