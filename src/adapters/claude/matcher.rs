//! Which events a matcher of Claude Code's settings covers.
//!
//! Source: the hooks reference and runs of 2.1.329. A matcher of letters, digits and a few other characters
//! is a list of exact names; with any other character it is a regular expression that may match anywhere.

use crate::adapters::contract::InvalidMatcher;
use crate::adapters::contract::{EventRow, PayloadShape};
use crate::adapters::dialect::matcher_regex;

/// Events at which a matcher is ignored.
const MATCHERLESS_EVENTS: &[&str] =
    &["UserPromptSubmit", "PostToolBatch", "Stop", "TaskCreated", "TaskCompleted", "TeammateIdle", "CwdChanged"];

/// Former names of tools, which matchers may still use.
const RENAMED_TOOLS: &[(&str, &str)] = &[("Task", "Agent"), ("KillShell", "TaskStop"), ("KillBash", "TaskStop")];

pub(super) fn matches(row: &EventRow, subject: &str, matcher: &str) -> Result<bool, InvalidMatcher> {
    let shown = matches!(row.payload, PayloadShape::Answer(_)) && subject.is_empty();
    if MATCHERLESS_EVENTS.contains(&row.wire)
        || row.wire.starts_with("Worktree")
        || shown
        || matches!(matcher, "" | "*")
    {
        return Ok(true);
    }
    let listed = |sign: char| sign.is_ascii_alphanumeric() || "_ ,|-".contains(sign);
    if !matcher.chars().all(listed) {
        return matcher_regex(matcher).map(|expression| expression.is_match(subject));
    }
    let mut names = matcher.split(['|', ',']).map(str::trim);
    let now = |name: &str| RENAMED_TOOLS.iter().find(|(former, _)| *former == name).map(|(_, now)| *now);
    Ok(names.any(|name| name == subject || now(name) == Some(subject)))
}

#[cfg(test)]
mod tests {
    use super::matches;
    use crate::adapters::contract::Host;

    #[test]
    fn matchers_are_lists_or_expressions() {
        let host = Host::by_name("claude").unwrap();
        let (tool, prompt) = (host.event_row("PreToolUse").unwrap(), host.event_row("UserPromptSubmit").unwrap());
        for (matcher, subject, expected) in [
            ("", "Bash", true),
            ("*", "Bash", true),
            ("Bash", "Bash", true),
            ("bash", "Bash", false),
            ("Ba", "Bash", false),
            ("Write|Edit", "Edit", true),
            ("Write, Edit", "Edit", true),
            ("Edit.*", "NotebookEdit", true),
            ("^Edit$", "NotebookEdit", false),
            ("mcp__tiny", "mcp__tiny__echo", false),
            ("mcp__tiny__.*", "mcp__tiny__echo", true),
            ("Task", "Agent", true),
        ] {
            assert_eq!(matches(tool, subject, matcher), Ok(expected), "{matcher} {subject}");
        }
        assert_eq!(matches(prompt, "", "nothing"), Ok(true));
        assert!(matches(tool, "Bash", "(?!Bash).*").is_err());
    }
}
