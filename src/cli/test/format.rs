//! What came of tests, in the forms that people and CI services read.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::{Format, TestReport, TestResult};
use crate::cli::output::github_annotations::{AnnotationLevel, annotation};
use crate::cli::output::palette::Palette;

/// Returns the report.
pub(super) fn report(results: &TestReport, format: Format) -> String {
    match format {
        Format::Human => human(results),
        Format::Json => as_json(results),
        Format::Junit => junit(results),
        Format::Github => github(results),
        Format::Tap => tap(results),
    }
}

fn human(results: &TestReport) -> String {
    let palette = Palette::for_stdout();
    let mut text = String::new();
    let mut file: Option<&Path> = None;
    for ran in results.results.iter().filter(|ran| !ran.has_passed()) {
        if file != Some(&ran.file) {
            let _written = writeln!(text, "{}", palette.bold(ran.file.display()));
            file = Some(&ran.file);
        }
        let _written = writeln!(text, "  {} {}", palette.error("FAIL"), ran.name);
        for difference in &ran.differences {
            let _written = writeln!(text, "       {difference}");
        }
    }
    if let Some(coverage) = &results.coverage {
        let mut source = "";
        for gap in coverage.gaps() {
            if gap.source != source {
                source = gap.source;
                let _written = writeln!(text, "{}", palette.bold(source));
            }
            let place = gap.position.map_or_else(String::new, |(line, column)| format!("{line}:{column}"));
            let _written = writeln!(text, "  {place:<8} {}: {}", palette.warning(gap.rule), gap.what);
        }
        let _written = writeln!(text, "{}", coverage.summary());
    }
    let failed = results.failed_count();
    let summary = format!("{} passed, {failed} failed", results.results.len() - failed);
    let _written = writeln!(text, "{}", if failed == 0 { palette.success(summary) } else { palette.error(summary) });
    text
}

impl TestReport {
    fn failed_count(&self) -> usize {
        self.results.iter().filter(|ran| !ran.has_passed()).count()
    }
}

fn as_json(results: &TestReport) -> String {
    let test = |ran: &TestResult| {
        let mut test = json!({
            "file": ran.file,
            "name": ran.name,
            "passed": ran.has_passed(),
            "differences": ran.differences,
        });
        if let (Some((line, column)), Value::Object(fields)) = (ran.position, &mut test) {
            fields.insert("line".into(), json!(line));
            fields.insert("column".into(), json!(column));
        }
        test
    };
    let tests: Vec<Value> = results.results.iter().map(test).collect();
    let mut report = json!({ "tests": tests });
    if let (Some(coverage), Value::Object(fields)) = (&results.coverage, &mut report) {
        fields.insert("coverage".into(), coverage.as_json());
    }
    format!("{report:#}\n")
}

/// Returns what GitHub shows beside the lines of a change, and a summary for the log.
fn github(results: &TestReport) -> String {
    let mut text = String::new();
    for ran in results.results.iter().filter(|ran| !ran.has_passed()) {
        let file = ran.file.to_string_lossy();
        text +=
            &annotation(AnnotationLevel::Error, Some((&file, ran.position)), &ran.name, &ran.differences.join("\n"));
    }
    if let Some(coverage) = &results.coverage {
        for gap in coverage.gaps() {
            // A bundled pack is no file of the repository.
            let place = gap.position.map(|position| (gap.source, Some(position)));
            let title = format!("coverage of {}", gap.rule);
            text += &annotation(AnnotationLevel::Warning, place, &title, &gap.what);
        }
        let _written = writeln!(text, "{}", coverage.summary());
    }
    let failed = results.failed_count();
    let _written = writeln!(text, "{} passed, {failed} failed", results.results.len() - failed);
    text
}

fn junit(results: &TestReport) -> String {
    let mut files: Vec<&Path> = results.results.iter().map(|ran| ran.file.as_path()).collect();
    files.dedup();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (all, failed) = (results.results.len(), results.failed_count());
    let _written = writeln!(text, "<testsuites name=\"ruleward\" tests=\"{all}\" failures=\"{failed}\" errors=\"0\">");
    for file in files {
        let of_file = || results.results.iter().filter(|ran| ran.file == file);
        let (all, failed) = (of_file().count(), of_file().filter(|ran| !ran.has_passed()).count());
        let name = escape_xml(&file.to_string_lossy());
        let head =
            format!("<testsuite name=\"{name}\" tests=\"{all}\" failures=\"{failed}\" errors=\"0\" skipped=\"0\">");
        let _written = writeln!(text, "  {head}");
        for ran in of_file() {
            let line = ran.position.map(|(line, _)| format!(" line=\"{line}\"")).unwrap_or_default();
            let case =
                format!("<testcase classname=\"{name}\" name=\"{}\" file=\"{name}\"{line}", escape_xml(&ran.name));
            let _written = match ran.differences.first() {
                None => writeln!(text, "    {case}/>"),
                Some(first) => {
                    let (first, whole) = (escape_xml(first), escape_xml(&ran.differences.join("\n")));
                    writeln!(text, "    {case}><failure message=\"{first}\">{whole}</failure></testcase>")
                }
            };
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// Returns a text for an attribute or an element of XML, which has no place for most control characters.
fn escape_xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push_str("&#10;"),
            '\t' => safe.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other if other.is_control() => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

fn tap(results: &TestReport) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", results.results.len());
    for (index, ran) in results.results.iter().enumerate() {
        let state = if ran.has_passed() { "ok" } else { "not ok" };
        // In a description a hash begins a directive.
        let name = single_line(&ran.name).replace('\\', "\\\\").replace('#', "\\#");
        let _written = writeln!(text, "{state} {} - {name}", index + 1);
        if ran.has_passed() {
            continue;
        }
        let place = ran.position.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
        let at = json!(format!("{}{place}", ran.file.display()));
        // JSON is YAML, and what a message says cannot break out of it.
        let message = json!(ran.differences.join("\n"));
        let _written = writeln!(text, "  ---\n  at: {at}\n  message: {message}\n  ...");
    }
    if let Some(coverage) = &results.coverage {
        for gap in coverage.gaps() {
            let place = gap.position.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
            let _written = writeln!(text, "# {}{place}: {}: {}", gap.source, gap.rule, gap.what);
        }
        let _written = writeln!(text, "# {}", coverage.summary());
    }
    text
}

fn single_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::escape_xml;

    #[test]
    fn no_text_breaks_out_of_xml() {
        assert_eq!(escape_xml("a<b>\"&\n\u{0}\u{1b}é"), "a&lt;b&gt;&quot;&amp;&#10;\u{fffd}\u{fffd}é");
    }
}
