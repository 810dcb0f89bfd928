//! What a matcher of Claude Code's settings covers.
//!
//! Source: the hooks reference and runs of 2.1.329. Of letters, digits and a few signs it is a list
//! of exact names; with any other sign it is a regular expression that may match anywhere.

use crate::adapters::dialect::expression;
use crate::adapters::{Reads, Row};

/// Events at which a matcher is passed over.
const UNMATCHED: &[&str] =
    &["UserPromptSubmit", "PostToolBatch", "Stop", "TaskCreated", "TaskCompleted", "TeammateIdle", "CwdChanged"];

/// Former names of tools, which matchers may still use.
const FORMER: &[(&str, &str)] = &[("Task", "Agent"), ("KillShell", "TaskStop"), ("KillBash", "TaskStop")];

pub(super) fn covers(row: &Row, subject: &str, matcher: &str) -> Result<bool, String> {
    let shown = matches!(row.reads, Reads::Answer(_)) && subject.is_empty();
    if UNMATCHED.contains(&row.wire) || row.wire.starts_with("Worktree") || shown || matches!(matcher, "" | "*") {
        return Ok(true);
    }
    let listed = |sign: char| sign.is_ascii_alphanumeric() || "_ ,|-".contains(sign);
    if !matcher.chars().all(listed) {
        return expression(matcher).map(|expression| expression.is_match(subject));
    }
    let mut names = matcher.split(['|', ',']).map(str::trim);
    let now = |name: &str| FORMER.iter().find(|(former, _)| *former == name).map(|(_, now)| *now);
    Ok(names.any(|name| name == subject || now(name) == Some(subject)))
}

#[cfg(test)]
mod tests {
    use super::covers;
    use crate::adapters::Host;

    #[test]
    fn matchers_are_lists_or_expressions() {
        let host = Host::named("claude").unwrap();
        let (tool, prompt) = (host.row("PreToolUse").unwrap(), host.row("UserPromptSubmit").unwrap());
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
            assert_eq!(covers(tool, subject, matcher), Ok(expected), "{matcher} {subject}");
        }
        assert_eq!(covers(prompt, "", "nothing"), Ok(true));
        assert!(covers(tool, "Bash", "(?!Bash).*").is_err());
    }
}
