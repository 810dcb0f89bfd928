//! What a hook of Claude Code answers, taken as the host takes it.
//!
//! Source: the hooks reference and runs of 2.1.329. An object on standard output is the answer;
//! exit code 2 blocks whatever stands there; any other but 0 is an error of the hook. The host lets
//! an object count beside such an error. Here it counts when it holds something back; else the
//! error does, so that a hook that broke on the way approves nothing.

use serde_json::{Map, Value};

use crate::adapters::Form;
use crate::adapters::dialect::{Hearing, Misunderstood, object, text_in};
use crate::domain::effect::EffectKind::{Allow, Ask, Context, Defer, Deny, Replace, Retry, Rewrite, Stop, Warn};
use crate::domain::kind::Kind;

/// What the host takes for a hook that could not start, where it would keep the agent working.
const NO_FILE: &str = "No such file or directory";

pub(super) fn hears(hearing: &mut Hearing<'_>) -> Result<(), Misunderstood> {
    let exit = hearing.exit()?;
    let (stdout, stderr) = (hearing.said.stdout, hearing.said.stderr.trim());
    let stdout = stdout.trim_start_matches('\u{feff}').trim();
    let answer = if stdout.starts_with('{') { Some(object(stdout).and_then(|it| checked(hearing, it))) } else { None };
    if exit == 2 {
        let missing = matches!(hearing.row.kind, Kind::AgentAfter | Kind::SubagentAfter | Kind::TaskCompleted);
        if missing && stdout.is_empty() && stderr.contains(NO_FILE) {
            return Err(Misunderstood::Exit(exit));
        }
        let taken = answer.is_some_and(|answer| answer.and_then(|answer| take(hearing, &answer)).is_ok());
        hearing.verdict.allow.clear();
        if !taken || hearing.verdict.decision().is_none() && !hearing.holds_back() || !hearing.verdict.ask.is_empty() {
            hearing.verdict.ask.clear();
            hearing.verdict.defer.clear();
            block(hearing, stderr);
        }
        return Ok(());
    }
    if let Some(answer) = answer {
        take(hearing, &answer?)?;
        return if exit == 0 || hearing.holds_back() { Ok(()) } else { Err(Misunderstood::Exit(exit)) };
    }
    if exit != 0 {
        // Any other code than 0 keeps a worktree from being made or removed.
        if matches!(hearing.row.kind, Kind::WorktreeCreate | Kind::WorktreeRemove) {
            block(hearing, stderr);
            return Ok(());
        }
        return Err(Misunderstood::Exit(exit));
    }
    let reads =
        matches!(hearing.row.kind, Kind::PromptSubmit | Kind::PromptExpand | Kind::SessionStart | Kind::ModelSwitched);
    if reads && !stdout.is_empty() {
        hearing.say(Context, stdout);
    }
    Ok(())
}

/// Blocks, as the event does.
fn block(hearing: &mut Hearing<'_>, reason: &str) {
    match (hearing.row.kind, hearing.row.form) {
        // Such an exit code says nothing at these.
        (_, Form::Permission | Form::TryAgain) => {}
        (Kind::ToolAfter | Kind::ToolFailed, _) => beside_result(hearing, reason),
        _ if hearing.listens(Retry) => hearing.put(Retry, reason),
        _ if hearing.listens(Deny) => hearing.put(Deny, reason),
        _ => hearing.say(Warn, reason),
    }
}

/// Puts a reason beside the result of a call, which stays. A host on which a refusal takes the
/// result's place is told to add a context instead; it adds none to a failure.
fn beside_result(hearing: &mut Hearing<'_>, reason: &str) {
    let failed = hearing.event.calls().iter().any(|call| call.outcome.as_ref().is_some_and(|outcome| !outcome.ok));
    let effect = if !hearing.host.dialect.replaces || failed { Deny } else { Context };
    hearing.put(effect, reason);
}

/// Types of the fields that the host knows. One of another type makes it drop the whole answer.
const TEXTS: &[&str] = &["stopReason", "systemMessage", "reason"];
const SWITCHES: &[&str] = &["continue", "suppressOutput", "async"];
const INNER_TEXTS: &[&str] = &["permissionDecisionReason", "additionalContext", "displayContent"];

/// The fields that are taken, of an answer, of what is for its event, and of an answer to a question for
/// permission. What an answer of a hook would print is shown nowhere, so that it need not be kept out.
const FIELDS: &[&str] = &[
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
    "decision",
    "reason",
    "hookSpecificOutput",
    "async",
    "asyncTimeout",
];
const INNER_FIELDS: &[&str] = &[
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
    "suppressOriginalPrompt",
    "decision",
    "displayContent",
    "updatedToolOutput",
    "updatedMCPToolOutput",
    "action",
    "content",
    "retry",
];
const PERMISSION_FIELDS: &[&str] = &["behavior", "message", "interrupt", "updatedInput"];

fn checked(hearing: &Hearing<'_>, answer: Map<String, Value>) -> Result<Map<String, Value>, Misunderstood> {
    let junk = |what: String| Err(Misunderstood::Junk(what));
    for (keys, fits, what) in [
        (TEXTS, Value::is_string as fn(&Value) -> bool, "a text"),
        (SWITCHES, Value::is_boolean, "true or false"),
        (&["hookSpecificOutput"], Value::is_object, "an object"),
    ] {
        if let Some(key) = keys.iter().find(|key| answer.get(**key).is_some_and(|value| !fits(value))) {
            return junk(format!("`{key}` is not {what}"));
        }
    }
    if answer.get("decision").is_some_and(|it| !matches!(it.as_str(), Some("block" | "approve"))) {
        return junk("`decision` is neither `block` nor `approve`".to_owned());
    }
    let Some(specific) = answer.get("hookSpecificOutput").and_then(Value::as_object) else { return Ok(answer) };
    let event = text_in(specific, "hookEventName");
    if event != Some(hearing.row.wire) {
        let named = event.map_or_else(|| "is missing".to_owned(), |name| format!("is `{name}`"));
        return junk(format!("`hookEventName` {named}, at `{}`", hearing.row.wire));
    }
    if let Some(key) = INNER_TEXTS.iter().find(|key| specific.get(**key).is_some_and(|it| !it.is_string())) {
        return junk(format!("`{key}` is not a text"));
    }
    let decision = specific.get("permissionDecision");
    if decision.is_some_and(|it| !matches!(it.as_str(), Some("allow" | "deny" | "ask" | "defer"))) {
        return junk("`permissionDecision` is none of `allow`, `deny`, `ask` and `defer`".to_owned());
    }
    if specific.get("updatedInput").is_some_and(|input| !input.is_object()) {
        return junk("`updatedInput` is not an object".to_owned());
    }
    Ok(answer)
}

fn take(hearing: &mut Hearing<'_>, answer: &Map<String, Value>) -> Result<(), Misunderstood> {
    // Such a hook goes on in the background, and nobody waits for what it says.
    if answer.get("async") == Some(&Value::Bool(true)) {
        return Ok(());
    }
    let reason = text_in(answer, "reason").unwrap_or_default();
    if answer.get("continue") == Some(&Value::Bool(false)) {
        hearing.say(Stop, text_in(answer, "stopReason").unwrap_or(reason));
    }
    if let Some(text) = text_in(answer, "systemMessage").filter(|text| !text.is_empty()) {
        hearing.say(Warn, text);
    }
    let nothing = Map::new();
    let specific = answer.get("hookSpecificOutput").and_then(Value::as_object).unwrap_or(&nothing);
    hearing.uses(answer, FIELDS);
    hearing.uses(specific, INNER_FIELDS);
    match text_in(answer, "decision") {
        Some("block") if hearing.row.form != Form::ExitCode => block(hearing, reason),
        Some("approve") if hearing.row.form == Form::Tool && !specific.contains_key("permissionDecision") => {
            hearing.say(Allow, reason);
        }
        _ => {}
    }
    if specific.get("suppressOriginalPrompt") == Some(&Value::Bool(true)) {
        hearing.verdict.conceals = true;
    }
    if let Some(text) = text_in(specific, "additionalContext").filter(|text| !text.is_empty()) {
        context(hearing, text);
    }
    match hearing.row.form {
        Form::Tool | Form::Switch => decided(hearing, specific)?,
        Form::Permission => permitted(hearing, specific)?,
        Form::Decline => elicited(hearing, specific),
        Form::TryAgain if specific.get("retry") == Some(&Value::Bool(true)) => hearing.say(Retry, reason),
        Form::Display => {
            if let Some(text) = text_in(specific, "displayContent") {
                hearing.say(Replace, text);
            }
        }
        Form::Block if hearing.row.kind == Kind::ToolAfter => replaced(hearing, specific),
        Form::Block | Form::Choice | Form::ExitCode | Form::TryAgain | Form::Silent => {}
    }
    Ok(())
}

/// Tells the agent something. At the end of an answer that keeps the agent going.
fn context(hearing: &mut Hearing<'_>, text: &str) {
    if hearing.listens(Context) {
        let continues = hearing.listens(Retry) && !hearing.is_own();
        hearing.put(if continues { Retry } else { Context }, text);
    }
}

fn decided(hearing: &mut Hearing<'_>, specific: &Map<String, Value>) -> Result<(), Misunderstood> {
    let reason = text_in(specific, "permissionDecisionReason").unwrap_or_default();
    let effect = match text_in(specific, "permissionDecision") {
        Some("deny") => Some(Deny),
        Some("ask") => Some(Ask),
        Some("allow") => Some(Allow),
        Some("defer") => Some(Defer),
        _ => None,
    };
    if let Some(effect) = effect {
        hearing.say(effect, reason);
    }
    match specific.get("updatedInput").and_then(Value::as_object) {
        // What is put off is taken as it is.
        Some(input) if hearing.listens(Rewrite) && effect != Some(Defer) => hearing.propose_input(input),
        _ => Ok(()),
    }
}

/// Answers the host's own question. Only an approval may change the input.
fn permitted(hearing: &mut Hearing<'_>, specific: &Map<String, Value>) -> Result<(), Misunderstood> {
    let Some(decision) = specific.get("decision").and_then(Value::as_object) else { return Ok(()) };
    hearing.uses(decision, PERMISSION_FIELDS);
    match text_in(decision, "behavior") {
        Some("deny") => {
            let interrupts = decision.get("interrupt") == Some(&Value::Bool(true));
            hearing.say(if interrupts { Stop } else { Deny }, text_in(decision, "message").unwrap_or_default());
            Ok(())
        }
        Some("allow") => {
            hearing.say(Allow, "");
            decision.get("updatedInput").and_then(Value::as_object).map_or(Ok(()), |it| hearing.propose_input(it))
        }
        _ => Ok(()),
    }
}

fn elicited(hearing: &mut Hearing<'_>, specific: &Map<String, Value>) {
    match text_in(specific, "action") {
        Some("decline" | "cancel") => hearing.say(Deny, ""),
        Some("accept") => {
            hearing.say(Allow, "");
            let content = specific.get("content").and_then(Value::as_object).cloned().unwrap_or_default();
            let before = hearing.event.native.get("content").and_then(Value::as_object);
            let gone = before.into_iter().flat_map(Map::keys).filter(|key| !content.contains_key(*key));
            let gone: Vec<_> = gone.map(|key| (key.clone(), Value::Null)).collect();
            hearing.propose(gone.into_iter().chain(content));
        }
        _ => {}
    }
}

/// Puts another result in the place of the tool's.
fn replaced(hearing: &mut Hearing<'_>, specific: &Map<String, Value>) {
    let of_server = hearing.event.call().is_some_and(|call| call.mcp.is_some());
    let output = specific.get("updatedToolOutput");
    let output = output.or_else(|| specific.get("updatedMCPToolOutput").filter(|_| of_server));
    if let Some(output) = output.filter(|output| hearing.event.native.get("tool_response") != Some(*output)) {
        hearing.say(Replace, &super::speech::reads(None, output));
    }
}
