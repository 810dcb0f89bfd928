//! Findings for people.

use std::fmt::Write as _;

use super::workers::ScanResults;
use crate::cli::output::palette::Palette;
use crate::cli::output::pluralize;

/// Returns the findings, file by file.
pub(super) fn report(scanned: &ScanResults, palette: Palette) -> String {
    let mut text = String::new();
    let mut path = "";
    let mut files = 0;
    for hit in &scanned.findings {
        if hit.path != path {
            path = &hit.path;
            files += 1;
            let _written = writeln!(text, "{}", palette.bold(path));
        }
        let place = format!("{}:{}", hit.begin.line, hit.begin.column);
        let kind = palette.dim(format!("{}, {}, {}", hit.detector, hit.tier_name(), hit.severity_name()));
        let _written = writeln!(text, "  {place:<8} {}  {kind}", palette.warning(hit.describe()));
        let _written = writeln!(text, "           {}", hit.advice);
        if let Some(commit) = hit.describe_commit() {
            let _written = writeln!(text, "           {}", palette.dim(commit));
        }
        let _written = writeln!(text, "           {}", palette.dim(format!("fingerprint {}", hit.fingerprint)));
    }
    let left = [(scanned.binary, "binary"), (scanned.too_large.len(), "too large")];
    let left: Vec<String> =
        left.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let left = if left.is_empty() { String::new() } else { format!(" ({} left out)", left.join(", ")) };
    let looked = format!("{} searched{left}", scanned.describe_scanned());
    let summary = match scanned.findings.len() {
        0 => palette.success(format!("nothing found, {looked}")),
        found => palette.error(format!("{} in {}, {looked}", pluralize(found, "finding"), pluralize(files, "file"))),
    };
    let _written = writeln!(text, "{summary}");
    text
}
