//! Exceptions that a person grants: what in a call they are bound to, and what they can lift.
//!
//! An exception is for what a call does and not for how it is spelled: the commands in the words
//! that the programs receive, the files by where they lead, the texts that are written. What is not
//! known of a call is bound to its spelling.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::decide::Outcome;
use super::effect::EffectKind;
use super::event::Payload;
use super::facts::{Analysed, Facts, TextPlace};
use super::rule::Mode;
use super::shell::Command;
use super::tool::{ToolCall, ToolKind};
use super::verdict::Decision;

/// The effects that a person can lift.
const REFUSING: [EffectKind; 4] = [EffectKind::Deny, EffectKind::Ask, EffectKind::Tools, EffectKind::Run];

/// Arguments that change nothing of what a call does.
const ASIDE: &[&str] = &["description", "timeout", "run_in_background"];

/// Returns the rules that stand in the way of an event, when a person may lift all of them.
pub fn in_the_way(outcome: &Outcome) -> Option<BTreeSet<&str>> {
    let verdict = &outcome.verdict;
    if !verdict.stop.is_empty() || !matches!(verdict.decision(), Some(Decision::Deny | Decision::Ask)) {
        return None;
    }
    let rules: BTreeSet<&str> = verdict.deny.iter().chain(&verdict.ask).map(|note| note.rule.as_str()).collect();
    // What no rule said, or a rule that could not be judged, is not a person's to lift.
    let may_lift = |rule: &&str| {
        let found = || outcome.findings.iter().filter(|it| it.rule == **rule && it.mode == Mode::Enforce);
        found().any(|finding| REFUSING.iter().any(|kind| finding.effects.contains(*kind)))
            && found().all(|finding| finding.excusable)
            && outcome.failures.iter().all(|failure| failure.rule != **rule)
    };
    rules.iter().all(may_lift).then_some(rules)
}

/// What an event does: the same for every way to spell it.
#[derive(Serialize)]
struct Essence<'a> {
    moment: &'static str,
    cwd: &'a str,
    calls: Vec<Call<'a>>,
    prompt: Vec<&'a str>,
    output: Vec<&'a str>,
    response: Vec<&'a str>,
    notice: Option<(Option<&'a str>, Option<&'a str>, Option<&'a str>)>,
}

#[derive(Serialize)]
struct Call<'a> {
    kind: &'static str,
    name: Option<&'a str>,
    scripts: Vec<ScriptDone<'a>>,
    files: BTreeSet<(&'a str, Option<&'a str>, Vec<&'static str>)>,
    texts: Vec<&'a str>,
    replaced: &'a [&'a str],
    urls: &'a [Cow<'a, str>],
    rest: Vec<(&'a str, &'a Value)>,
}

#[derive(Serialize)]
struct ScriptDone<'a> {
    base: Option<&'a str>,
    commands: Vec<CommandDone<'a>>,
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct CommandDone<'a> {
    words: Vec<&'a str>,
    set: Vec<(&'a str, &'a str)>,
    redirects: Vec<(String, Option<u32>, &'a str)>,
    via: &'a [String],
    pipeline: [usize; 2],
    cwd: Option<Vec<&'a str>>,
    elsewhere: bool,
    file: Option<&'a str>,
}

/// Returns what an event does, as one text: the same for every way to spell it.
pub fn essence(facts: &Facts<'_>) -> Option<String> {
    let event = facts.event;
    let texts = |place| facts.texts(place).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let notice = match &event.payload {
        Payload::Notice(notice) => Some((notice.subject, notice.text, notice.path)),
        Payload::Tools(_) | Payload::Prompt(_) | Payload::Answer(_) | Payload::Model(_) => None,
    };
    let essence = Essence {
        moment: event.kind.name(),
        cwd: &facts.place.cwd,
        calls: event.calls().iter().enumerate().map(|(at, call)| of_call(facts, at, call)).collect(),
        prompt: texts(TextPlace::Prompt),
        output: texts(TextPlace::Output),
        response: texts(TextPlace::Response),
        notice,
    };
    serde_json::to_string(&essence).ok()
}

fn of_call<'a>(facts: &'a Facts<'_>, at: usize, call: &'a ToolCall<'_>) -> Call<'a> {
    let is_known = !matches!(call.kind, ToolKind::Mcp | ToolKind::Other | ToolKind::Agent);
    let scripts = facts.scripts().iter().filter(|script| script.call == at);
    let files = facts.files().iter().filter(|file| file.call == at);
    let rest = call.input.iter().filter(|(key, value)| !is_aside(call, key, value));
    Call {
        kind: call.kind.name(),
        name: (!is_known).then_some(call.name),
        scripts: scripts.map(of_script).collect(),
        files: files.map(|file| (file.path.as_str(), file.real.as_deref(), file.access.names())).collect(),
        texts: call.texts.iter().map(|passage| passage.text.as_ref()).collect(),
        replaced: &call.replaced,
        urls: &call.urls,
        rest: rest.map(|(key, value)| (key.as_str(), value)).collect(),
    }
}

/// Tells whether an argument is among what is understood of a call, or changes nothing.
fn is_aside(call: &ToolCall<'_>, key: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return ASIDE.contains(&key) };
    (ASIDE.contains(&key) && call.kind == ToolKind::Shell)
        || call.commands.iter().any(|command| command.text == text)
        || call.files.iter().any(|file| file.path == text)
        || call.texts.iter().any(|passage| passage.text == text)
        || call.replaced.contains(&text)
        || call.urls.iter().any(|url| url == text)
}

fn of_script<'a>(analysed: &'a Analysed<'_>) -> ScriptDone<'a> {
    let script = &analysed.script;
    let known = script.opaque.is_empty() && script.commands.iter().flat_map(|it| &it.words).all(|word| word.literal);
    ScriptDone {
        base: analysed.base,
        commands: script.commands.iter().map(of_command).collect(),
        text: (!known).then_some(analysed.text),
    }
}

fn of_command(command: &Command) -> CommandDone<'_> {
    let set = command.assignments.iter().map(|(name, word)| (name.as_str(), word.text.as_str()));
    let redirects = command.redirects.iter().map(|it| (format!("{:?}", it.kind), it.fd, it.target.text.as_str()));
    CommandDone {
        words: command.words.iter().map(|word| word.text.as_str()).collect(),
        set: set.collect(),
        redirects: redirects.collect(),
        via: &command.via,
        pipeline: [command.pipeline, command.stage],
        cwd: command.cwd.candidates(),
        elsewhere: command.elsewhere,
        file: command.file.as_ref().map(|file| file.path.as_ref()),
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::in_the_way;
    use crate::domain::decide::{Failure, Finding, Outcome};
    use crate::domain::effect::{EffectKind, Effects};
    use crate::domain::layer::{Layer, Trust};
    use crate::domain::rule::{Mode, Rule, Severity};
    use crate::domain::verdict::Note;

    fn note(rule: &str) -> Note {
        Note { severity: Reverse(Severity::High), rule: rule.into(), text: String::new() }
    }

    fn finding(rule: &str, kind: EffectKind, excusable: bool) -> Finding {
        Finding {
            rule: rule.into(),
            source: String::new(),
            severity: Severity::High,
            mode: Mode::Enforce,
            effects: Effects::of(&[kind]),
            evidence: Vec::new(),
            excusable,
        }
    }

    fn outcome(findings: Vec<Finding>) -> Outcome {
        let mut outcome = Outcome { findings, ..Outcome::default() };
        outcome.verdict.deny.insert(note("a"));
        outcome
    }

    #[test]
    fn a_person_lifts_what_a_rule_said_and_nothing_else() {
        let lifted = |outcome: &Outcome| in_the_way(outcome).is_some();
        let plain = || vec![finding("a", EffectKind::Deny, true)];
        assert!(lifted(&outcome(plain())));
        assert!(!lifted(&Outcome::default()), "nothing stands in the way");
        assert!(!lifted(&outcome(vec![])), "no rule said it");
        assert!(!lifted(&outcome(vec![finding("a", EffectKind::Rewrite, true)])), "a conflict of two rules");
        assert!(!lifted(&outcome(vec![finding("a", EffectKind::Deny, false)])));
        let twice = vec![finding("a", EffectKind::Deny, true), finding("a", EffectKind::Deny, false)];
        assert!(!lifted(&outcome(twice)), "a rule of the same name in a layer above");
        let mut failed = outcome(plain());
        failed.failures.push(Failure { rule: "a".into(), message: String::new() });
        assert!(!lifted(&failed));
        let mut stopped = outcome(plain());
        stopped.verdict.stop.insert(note("a"));
        assert!(!lifted(&stopped));
        let mut asked = outcome(plain());
        asked.verdict.ask.insert(note("b"));
        assert!(!lifted(&asked), "another rule stands in the way as well");
    }

    #[test]
    fn rules_of_the_managed_layer_are_lifted_only_where_they_say_so() {
        let rule = |exceptions| -> Rule {
            let then = serde_json::json!({ "deny": "No." });
            let rule = serde_json::json!({ "id": "a", "when": ["tool.before"], "conditions": {}, "then": then });
            Rule { exceptions, ..serde_json::from_value(rule).unwrap() }
        };
        for (exceptions, managed, other) in [(None, false, true), (Some(true), true, true), (Some(false), false, false)]
        {
            assert_eq!(rule(exceptions).may_be_excepted(Layer::Managed), managed);
            for layer in [Layer::User, Layer::Chosen, Layer::Bundled, Layer::Project(Trust::Withheld)] {
                assert_eq!(rule(exceptions).may_be_excepted(layer), other);
            }
        }
    }
}
