//! Shell calls that the built program judges as the hook of Claude Code.

use serde_json::Value;

use super::{Machine, RunOutput, output_text};

/// Returns the decision on a shell call, and its reason.
fn judge(machine: &Machine, command: &str) -> (String, String) {
    // What is bounded is work and not time, which depends on the machine.
    let ran = machine.run(&["hook", "claude", "--deadline", "300"], &machine.shell_payload("claude", command));
    decision_and_reason(machine, &ran)
}

/// Returns the decision in an answer of Claude Code's hook, and its reason.
pub(crate) fn decision_and_reason(machine: &Machine, ran: &RunOutput) -> (String, String) {
    assert_eq!(ran.code, Some(0), "{}", output_text(machine, ran));
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let output = &answer["hookSpecificOutput"];
    let text = |name: &str| output[name].as_str().unwrap_or("none").to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

/// Judges each command and says which went another way than the row tells.
pub(crate) fn check(machine: &Machine, rows: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (command, decision, part) in rows {
        let (found, reason) = judge(machine, command);
        if found != *decision || (!part.is_empty() && !reason.contains(part)) {
            wrong.push(format!("{command}\n  expected {decision} {part}\n  found    {found} {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
