//! Findings as test results in XML, which most CI systems show: a suite for each file, a failed test for each finding.

use std::fmt::Write as _;

use super::scanner::ScanFinding;
use super::workers::ScanResults;

const SUITE: &str = "ruleward scan";

/// Returns the report. Without findings and errors it has one test, which passed.
pub(super) fn report(scanned: &ScanResults) -> String {
    let (failures, errors) = (scanned.findings.len(), scanned.errors.len());
    let tests = (failures + errors).max(1);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _written =
        writeln!(xml, r#"<testsuites name="{SUITE}" tests="{tests}" failures="{failures}" errors="{errors}">"#);
    for findings in scanned.findings.chunk_by(|one, other| one.path == other.path) {
        let path = findings.first().map(|hit| escape(&hit.path)).unwrap_or_default();
        let count = findings.len();
        let _written = writeln!(xml, r#"  <testsuite name="{path}" tests="{count}" failures="{count}" errors="0">"#);
        for hit in findings {
            xml.push_str(&failed_test(hit));
        }
        xml.push_str("  </testsuite>\n");
    }
    if scanned.findings.is_empty() || errors > 0 {
        let tests = errors.max(1);
        let _written = writeln!(xml, r#"  <testsuite name="{SUITE}" tests="{tests}" failures="0" errors="{errors}">"#);
        if errors == 0 {
            let _written = writeln!(xml, r#"    <testcase classname="{SUITE}" name="nothing found"/>"#);
        }
        for error in &scanned.errors {
            let _written = writeln!(
                xml,
                r#"    <testcase classname="{SUITE}" name="read"><error message="{}"/></testcase>"#,
                escape(error)
            );
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn failed_test(hit: &ScanFinding) -> String {
    let (path, detector) = (escape(&hit.path), escape(&hit.detector));
    let (line, column) = (hit.begin.line, hit.begin.column);
    let commit = hit.describe_commit().map_or_else(String::new, |commit| format!("\n{commit}"));
    let text = format!("{}\n{path}:{line}:{column}{commit}\nfingerprint {}", hit.advice, hit.fingerprint);
    format!(
        "    <testcase classname=\"{path}\" name=\"{detector} in line {line}\" file=\"{path}\" line=\"{line}\">\n      \
         <failure type=\"{detector}\" message=\"{}\">{}</failure>\n    </testcase>\n",
        escape(&hit.describe()),
        escape(&text),
    )
}

/// Escapes a text for elements and attributes. Characters that XML 1.0 cannot hold become U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn texts_stay_texts() {
        assert_eq!(escape("a<b> & \"c\"\u{1b}\n\u{ffff}é"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}\n\u{fffd}é");
    }
}
