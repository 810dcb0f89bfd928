//! Blanks between words, and what may precede and follow a line.

use std::ops::Range;

use super::line::ParsedLine;

/// Returns the blanks between the words of each command.
fn word_gaps(line: &ParsedLine<'_>) -> Vec<Range<usize>> {
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

fn replace_gaps(line: &ParsedLine<'_>, gap: &str) -> Vec<String> {
    let gaps = word_gaps(line);
    if gaps.is_empty() {
        return Vec::new();
    }
    vec![line.apply_edits(gaps.into_iter().map(|span| (span, gap.to_owned())).collect())]
}

/// `rm   x`
pub(super) fn wide_gaps(line: &ParsedLine<'_>) -> Vec<String> {
    replace_gaps(line, "   ")
}

/// Words parted by tabs.
pub(super) fn tab_gaps(line: &ParsedLine<'_>) -> Vec<String> {
    replace_gaps(line, "\t")
}

/// Words on lines of their own.
pub(super) fn continuation_gaps(line: &ParsedLine<'_>) -> Vec<String> {
    replace_gaps(line, " \\\n  ")
}

/// `rm${IFS}x`
pub(super) fn ifs_gaps(line: &ParsedLine<'_>) -> Vec<String> {
    // What a value is split into is no assignment and no option of the shell's own.
    let all_plain = line.sites.iter().all(|site| site.words.iter().all(super::line::SourceWord::is_plain));
    if !all_plain || line.sites.iter().any(super::line::CommandSite::is_builtin) {
        return Vec::new();
    }
    ["${IFS}", "$IFS$9"].iter().flat_map(|gap| replace_gaps(line, gap)).collect()
}
