//! Which events a matcher of Codex's settings covers.
//!
//! Source: runs of 0.169.0. A matcher of letters, digits, `_` and `|` is a list of exact names; any other one is a
//! regular expression that may match anywhere. A patch is matched under Claude Code's names as well.

use crate::adapters::contract::{EventRow, InvalidMatcher, PayloadShape};
use crate::adapters::dialect::matcher_regex;

/// The names under which a patch is matched.
const PATCH_NAMES: &[&str] = &["apply_patch", "Edit", "Write"];

pub(super) fn matches(row: &EventRow, subject: &str, matcher: &str) -> Result<bool, InvalidMatcher> {
    let is_matched = match row.payload {
        PayloadShape::Call | PayloadShape::Result { .. } => true,
        PayloadShape::Notice(key, ..) => !key.is_empty(),
        PayloadShape::Answer(_) => !subject.is_empty(),
        PayloadShape::Batch | PayloadShape::Prompt | PayloadShape::Model(_) => false,
    };
    if !is_matched || matches!(matcher, "" | "*") {
        return Ok(true);
    }
    let subjects = if subject == "apply_patch" { PATCH_NAMES } else { &[subject] };
    let is_list = matcher.chars().all(|sign| sign.is_ascii_alphanumeric() || "_|".contains(sign));
    if is_list {
        return Ok(matcher.split('|').any(|name| subjects.contains(&name)));
    }
    matcher_regex(matcher).map(|expression| subjects.iter().any(|subject| expression.is_match(subject)))
}

#[cfg(test)]
mod tests {
    use super::matches;
    use crate::adapters::contract::Host;

    #[test]
    fn matchers_are_lists_or_expressions() {
        let host = Host::by_name("codex").unwrap();
        let (tool, prompt) = (host.event_row("PreToolUse").unwrap(), host.event_row("UserPromptSubmit").unwrap());
        for (matcher, subject, expected) in [
            ("", "Bash", true),
            ("*", "Bash", true),
            (".*", "Bash", true),
            ("Bash", "Bash", true),
            ("bash", "Bash", false),
            ("Ba", "Bash", false),
            ("Edit|Bash", "Bash", true),
            ("Bash, Edit", "Bash", false),
            ("Bash(echo *)", "Bash", false),
            ("Edit", "apply_patch", true),
            ("^Write$", "apply_patch", true),
            ("apply_patch", "apply_patch", true),
            ("mcp__tiny__.*", "mcp__tiny__echo", true),
        ] {
            assert_eq!(matches(tool, subject, matcher), Ok(expected), "{matcher} {subject}");
        }
        assert_eq!(matches(prompt, "", "nothing"), Ok(true));
        assert!(matches(tool, "Bash", "(?!Bash).*").is_err());
    }
}
