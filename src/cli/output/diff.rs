//! Differences between two texts, line by line. This is the one place that uses the crate for them,
//! whose code is generic over what is compared.

use similar::TextDiff;

use super::palette::Palette;
use super::print::print;

/// Returns what differs between two texts of a file, in the unified format; nothing when they are the same.
#[inline(never)]
pub(in crate::cli) fn unified_diff(path: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().header(path, path).to_string()
}

/// Prints what differs between two texts of a file, in color where that can be seen.
pub(in crate::cli) fn print_diff(path: &str, before: &str, after: &str) {
    let palette = Palette::for_stdout();
    for line in unified_diff(path, before, after).lines() {
        let line = match line.chars().next() {
            Some('+') => palette.success(line),
            Some('-') => palette.error(line),
            _ => line.to_owned(),
        };
        print(&format!("{line}\n"));
    }
}
