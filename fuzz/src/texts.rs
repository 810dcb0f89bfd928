//! Bytes as texts: policies, commands, contents.

use ruleward::domain::layer::Layer;
use ruleward::domain::pii;
use ruleward::domain::secret::scan;
use ruleward::domain::shell::{CommandPattern, Dialect, file_uses, parse, urls};
use ruleward::io::policy::code::DiagnosticCode;
use ruleward::io::policy::collect::{OpenedSource, PolicySource, SourceError, collect};
use ruleward::io::policy::diagnostic::SourceText;
use ruleward::io::policy::format::format;

struct NullPolicySource;

impl PolicySource for NullPolicySource {
    fn read_policy_file(&self, _: &SourceText, name: &str) -> Result<OpenedSource, SourceError> {
        Err(SourceError { code: DiagnosticCode::UnknownExtends, message: format!("there is no `{name}`"), help: None })
    }
}

/// As a policy: read, or refused with mistakes that can be shown; and laid out as one that says the same.
pub(crate) fn policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let gathered = collect(&[SourceText::new("policy.yaml", text)], Layer::User, &NullPolicySource, &[]);
    for diagnostic in &gathered.diagnostics {
        let _shown = (diagnostic.render(false), diagnostic.to_string());
    }
    if let Ok(laid_out) = format(text) {
        assert_eq!(format(&laid_out).as_ref(), Ok(&laid_out), "laying out is not settled");
    }
}

/// As a pattern over commands in the first line, and a command behind it: bounded, in every dialect.
pub(crate) fn command(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (pattern, line) = text.split_once('\n').unwrap_or(("rm -rf ...", &text));
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
        let script = parse(line, dialect);
        let _uses = (file_uses(&script), urls(&script));
        if let Ok(pattern) = CommandPattern::parse(pattern) {
            let _found = pattern.find(&script);
        }
    }
}

/// As content: what is found lies in the text, and its masked words do not show it.
pub(crate) fn content(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for finding in scan(&text, |_| true) {
        let value = text.get(finding.span.clone()).expect("a place in the text");
        assert!(value.len() < 12 || !finding.masked(&text).contains(value), "a value is shown");
    }
    for finding in pii::scan(&text, |_| true) {
        assert!(text.get(finding.span.clone()).is_some(), "a place in the text");
        let _masked = finding.masked(&text);
    }
}
