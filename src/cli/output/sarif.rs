//! SARIF 2.1.0, the form in which code hosts take findings.

use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What a tool found.
pub(in crate::cli) struct SarifLog {
    /// The kinds of findings, as `reportingDescriptor`s.
    pub rules: Vec<Value>,
    /// The findings, as `result`s.
    pub results: Vec<Value>,
    /// What the tool has to say of its run, as `notification`s.
    pub notifications: Vec<Value>,
    /// Whether everything was looked at.
    pub successful: bool,
}

impl SarifLog {
    /// Returns the whole text.
    pub(in crate::cli) fn render(self) -> String {
        let report = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "ruleward",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": self.rules,
                }},
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": self.successful,
                    "toolExecutionNotifications": self.notifications,
                }],
                "results": self.results,
            }],
        });
        format!("{report:#}\n")
    }
}

/// Returns a path as a reference: what means something in one, or is no ASCII, is encoded.
pub(in crate::cli) fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _written = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("a b/é#%.rs"), "a%20b/%C3%A9%23%25.rs");
    }
}
