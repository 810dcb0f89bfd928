//! Findings of `lint`, in the forms that people and code hosts read.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Format;
use crate::cli::output::github_annotations::{AnnotationLevel, annotation};
use crate::cli::output::palette::Palette;
use crate::cli::output::sarif::{SarifLog, uri};
use crate::domain::policy::Policy;
use crate::domain::text::visible::{EscapeForm, visible};
use crate::io::policy::code::{DiagnosticCode, DiagnosticSeverity};
use crate::io::policy::diagnostic::Diagnostic;

/// Returns the report.
pub(super) fn report(found: &[Diagnostic], policy: &Policy, format: Format) -> String {
    match format {
        Format::Human => human(found, policy),
        Format::Json => as_json(found, policy),
        Format::Sarif => sarif(found, policy),
        Format::Github => github(found, policy),
    }
}

fn summary(found: &[Diagnostic], policy: &Policy) -> String {
    let count = |severity| found.iter().filter(|diagnostic| diagnostic.severity() == severity).count();
    let (errors, warnings, notes) =
        (count(DiagnosticSeverity::Error), count(DiagnosticSeverity::Warning), count(DiagnosticSeverity::Note));
    format!("{} rules in force, {errors} errors, {warnings} warnings, {notes} notes", policy.rules.len())
}

fn human(found: &[Diagnostic], policy: &Policy) -> String {
    let palette = Palette::for_stdout();
    let mut lines: Vec<String> = found.iter().map(|diagnostic| diagnostic.render(palette.is_on()) + "\n").collect();
    lines.extend(
        policy
            .notices
            .iter()
            .map(|notice| format!("{}: {}", palette.warning("note"), visible(notice, EscapeForm::Text))),
    );
    let summary = summary(found, policy);
    let is_bad = found.iter().any(Diagnostic::is_error);
    lines.push(if is_bad { palette.error(summary) } else { palette.success(summary) });
    lines.join("\n") + "\n"
}

const fn level(severity: DiagnosticSeverity) -> &'static str {
    match severity {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Note => "note",
    }
}

fn as_json(found: &[Diagnostic], policy: &Policy) -> String {
    let one = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostic.position().unzip();
        json!({
            "code": diagnostic.code.name(),
            "severity": level(diagnostic.severity()),
            "file": diagnostic.source.name,
            "line": line,
            "column": column,
            "message": diagnostic.message,
            "help": diagnostic.help,
        })
    };
    let diagnostics: Vec<Value> = found.iter().map(one).collect();
    format!("{:#}\n", json!({ "diagnostics": diagnostics, "notices": policy.notices }))
}

fn github(found: &[Diagnostic], policy: &Policy) -> String {
    let mut text = String::new();
    for diagnostic in found {
        let level = match diagnostic.severity() {
            DiagnosticSeverity::Error => AnnotationLevel::Error,
            DiagnosticSeverity::Warning => AnnotationLevel::Warning,
            DiagnosticSeverity::Note => AnnotationLevel::Notice,
        };
        let help = diagnostic.help.iter().map(|help| format!("\n{help}"));
        let message: String = std::iter::once(diagnostic.message.clone()).chain(help).collect();
        let place = (diagnostic.source.name.as_str(), diagnostic.position());
        text += &annotation(level, Some(place), diagnostic.code.name(), &message);
    }
    let _written = writeln!(text, "{}", summary(found, policy));
    text
}

fn sarif(found: &[Diagnostic], policy: &Policy) -> String {
    let codes: BTreeSet<DiagnosticCode> = found.iter().map(|diagnostic| diagnostic.code).collect();
    let order: Vec<DiagnosticCode> = codes.into_iter().collect();
    let rule = |code: &DiagnosticCode| {
        json!({
            "id": code.name(),
            "name": code.name(),
            "shortDescription": { "text": code.about() },
            "fullDescription": { "text": code.about() },
            "defaultConfiguration": { "level": level(code.severity()) },
            "properties": { "tags": ["policy"] },
        })
    };
    let result = |diagnostic: &Diagnostic| {
        let help = diagnostic.help.iter().map(|help| format!("\n{help}"));
        let message: String = std::iter::once(diagnostic.message.clone()).chain(help).collect();
        let mut location = json!({ "artifactLocation": { "uri": uri(&diagnostic.source.name) } });
        if let (Some((line, column)), Value::Object(fields)) = (diagnostic.position(), &mut location) {
            fields.insert("region".into(), json!({ "startLine": line, "startColumn": column }));
        }
        json!({
            "ruleId": diagnostic.code.name(),
            "ruleIndex": order.iter().position(|code| *code == diagnostic.code),
            "level": level(diagnostic.severity()),
            "message": { "text": message },
            "locations": [{ "physicalLocation": location }],
        })
    };
    let notice = |notice: &String| json!({ "level": "note", "message": { "text": notice } });
    let log = SarifLog {
        rules: order.iter().map(rule).collect(),
        results: found.iter().map(result).collect(),
        notifications: policy.notices.iter().map(notice).collect(),
        successful: true,
    };
    log.render()
}
