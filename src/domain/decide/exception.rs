//! Exceptions that a user grants: what they identify a call by, and which effects they can waive.
//!
//! An exception is granted for what a call does, not for its spelling: the commands in the words that the programs
//! receive, the files by their resolved paths, the texts that are written. What is not known of a call is identified
//! by its spelling.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use crate::domain::effect::EffectKind;
use crate::domain::event::Payload;
use crate::domain::event::tool::{ToolCall, ToolKind};
use crate::domain::facts::{Facts, ParsedScript, TextField};
use crate::domain::severity::Mode;
use crate::domain::shell::Command;
use crate::domain::verdict::note::Decision;
use crate::domain::verdict::outcome::Outcome;

/// The exceptions that users granted.
pub trait Exceptions {
    /// Returns the fingerprint of a call in the form in which exceptions are stored; `None` where that cannot
    /// be made.
    fn seal(&self, fingerprint: &str) -> Option<String>;

    /// Uses up the exceptions that together waive all of the rules for a sealed call in a session, and returns
    /// their ids; none when some rule is not waived.
    fn consume(&self, rules: &BTreeSet<&str>, sealed: &str, session: Option<&str>) -> Vec<String>;
}

/// The effects that a user can waive.
const WAIVABLE_EFFECTS: [EffectKind; 4] = [EffectKind::Deny, EffectKind::Ask, EffectKind::Tools, EffectKind::Run];

/// Arguments that do not change what a call does.
const NEUTRAL_ARGUMENTS: &[&str] = &["description", "timeout", "run_in_background"];

/// Returns the rules that block an event, if a user may waive all of them.
pub fn blocking_rules(outcome: &Outcome) -> Option<BTreeSet<&str>> {
    let verdict = &outcome.verdict;
    if verdict.notes.has(EffectKind::Stop) || !matches!(verdict.decision(), Some(Decision::Deny | Decision::Ask)) {
        return None;
    }
    let rules: BTreeSet<&str> =
        verdict.notes.of_all(&[EffectKind::Deny, EffectKind::Ask]).map(|note| note.rule.as_str()).collect();
    // A user cannot waive a decision without a rule, or a rule that could not be evaluated.
    let may_lift = |rule: &&str| {
        let found = || outcome.findings.iter().filter(|it| it.rule == **rule && it.mode == Mode::Enforce);
        found().any(|finding| WAIVABLE_EFFECTS.iter().any(|kind| finding.effects.contains(*kind)))
            && found().all(|finding| finding.waivable)
            && outcome.errors.iter().all(|failure| failure.rule != **rule)
    };
    rules.iter().all(may_lift).then_some(rules)
}

/// What an event does, independent of its spelling.
#[derive(Serialize)]
struct Fingerprint<'a> {
    moment: &'static str,
    cwd: &'a str,
    calls: Vec<CallFingerprint<'a>>,
    prompt: Vec<&'a str>,
    output: Vec<&'a str>,
    response: Vec<&'a str>,
    notice: Option<(Option<&'a str>, Option<&'a str>, Option<&'a str>)>,
}

#[derive(Serialize)]
struct CallFingerprint<'a> {
    kind: &'static str,
    name: Option<&'a str>,
    scripts: Vec<ScriptFingerprint<'a>>,
    files: BTreeSet<(&'a str, Option<&'a str>, Vec<&'static str>)>,
    texts: Vec<&'a str>,
    replaced: &'a [Cow<'a, str>],
    urls: &'a [Cow<'a, str>],
    rest: Vec<(&'a str, &'a Value)>,
}

#[derive(Serialize)]
struct ScriptFingerprint<'a> {
    base: Option<&'a str>,
    commands: Vec<CommandFingerprint<'a>>,
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct CommandFingerprint<'a> {
    words: Vec<&'a str>,
    set: Vec<(&'a str, &'a str)>,
    redirects: Vec<(String, Option<u32>, &'a str)>,
    via: &'a [String],
    pipeline: [usize; 2],
    cwd: Option<Vec<&'a str>>,
    elsewhere: bool,
    file: Option<&'a str>,
}

/// Returns the fingerprint of what an event does, which is the same for every spelling.
pub fn fingerprint(facts: &Facts<'_>) -> Option<String> {
    let event = facts.event;
    let texts = |place| facts.texts(place).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let notice = match &event.payload {
        Payload::Notice(notice) => Some((notice.subject, notice.text, notice.path)),
        Payload::Tools(_) | Payload::Prompt(_) | Payload::Answer(_) | Payload::Model(_) => None,
    };
    let essence = Fingerprint {
        moment: event.kind.name(),
        cwd: &facts.path_context.cwd,
        calls: event.calls().iter().enumerate().map(|(at, call)| call_fingerprint(facts, at, call)).collect(),
        prompt: texts(TextField::Prompt),
        output: texts(TextField::Output),
        response: texts(TextField::Response),
        notice,
    };
    serde_json::to_string(&essence).ok()
}

fn call_fingerprint<'a>(facts: &'a Facts<'_>, at: usize, call: &'a ToolCall<'_>) -> CallFingerprint<'a> {
    let is_known = !matches!(call.kind, ToolKind::Mcp | ToolKind::Other | ToolKind::Agent);
    let scripts = facts.scripts().iter().filter(|script| script.call == at);
    let files = facts.files().iter().filter(|file| file.call == at);
    let rest = call.input.iter().filter(|(key, value)| !is_neutral_argument(call, key, value));
    CallFingerprint {
        kind: call.kind.name(),
        name: (!is_known).then_some(call.name),
        scripts: scripts.map(script_fingerprint).collect(),
        files: files.map(|file| (file.path.as_str(), file.real_path.as_deref(), file.access.names())).collect(),
        texts: call.texts.iter().map(|passage| passage.text.as_ref()).collect(),
        replaced: &call.replaced_texts,
        urls: &call.urls,
        rest: rest.map(|(key, value)| (key.as_str(), value)).collect(),
    }
}

/// Returns whether an argument is covered by the facts of a call, or does not change what it does.
fn is_neutral_argument(call: &ToolCall<'_>, key: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return NEUTRAL_ARGUMENTS.contains(&key) };
    (NEUTRAL_ARGUMENTS.contains(&key) && call.kind == ToolKind::Shell)
        || call.commands.iter().any(|command| command.text == text)
        || call.files.iter().any(|file| file.path == text)
        || call.texts.iter().any(|passage| passage.text == text)
        || call.replaced_texts.iter().any(|old| old == text)
        || call.urls.iter().any(|url| url == text)
}

fn script_fingerprint<'a>(analysed: &'a ParsedScript<'_>) -> ScriptFingerprint<'a> {
    let script = &analysed.script;
    let known = script.opaque.is_empty() && script.commands.iter().flat_map(|it| &it.words).all(|word| word.literal);
    ScriptFingerprint {
        base: analysed.start_directory,
        commands: script.commands.iter().map(command_fingerprint).collect(),
        text: (!known).then_some(analysed.text.as_ref()),
    }
}

fn command_fingerprint(command: &Command) -> CommandFingerprint<'_> {
    let set = command.assignments.iter().map(|(name, word)| (name.as_str(), word.text.as_str()));
    let redirects = command.redirects.iter().map(|it| (format!("{:?}", it.kind), it.fd, it.target.text.as_str()));
    CommandFingerprint {
        words: command.words.iter().map(|word| word.text.as_str()).collect(),
        set: set.collect(),
        redirects: redirects.collect(),
        via: &command.call_chain,
        pipeline: [command.pipeline, command.stage],
        cwd: command.cwd.candidates(),
        elsewhere: command.is_remote,
        file: command.file.as_ref().map(|file| file.path.as_ref()),
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::blocking_rules;
    use crate::domain::effect::{EffectKind, Effects};
    use crate::domain::layer::{Layer, Trust};
    use crate::domain::policy::rule::Rule;
    use crate::domain::severity::{Mode, Severity};
    use crate::domain::verdict::note::Note;
    use crate::domain::verdict::outcome::{EvaluationError, Finding, Outcome};

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
            waivable: excusable,
        }
    }

    fn outcome(findings: Vec<Finding>) -> Outcome {
        let mut outcome = Outcome { findings, ..Outcome::default() };
        outcome.verdict.notes.insert(EffectKind::Deny, note("a"));
        outcome
    }

    #[test]
    fn a_person_lifts_what_a_rule_said_and_nothing_else() {
        let lifted = |outcome: &Outcome| blocking_rules(outcome).is_some();
        let plain = || vec![finding("a", EffectKind::Deny, true)];
        assert!(lifted(&outcome(plain())));
        assert!(!lifted(&Outcome::default()), "nothing stands in the way");
        assert!(!lifted(&outcome(vec![])), "no rule said it");
        assert!(!lifted(&outcome(vec![finding("a", EffectKind::Rewrite, true)])), "a conflict of two rules");
        assert!(!lifted(&outcome(vec![finding("a", EffectKind::Deny, false)])));
        let twice = vec![finding("a", EffectKind::Deny, true), finding("a", EffectKind::Deny, false)];
        assert!(!lifted(&outcome(twice)), "a rule of the same name in a layer above");
        let mut failed = outcome(plain());
        failed.errors.push(EvaluationError { rule: "a".into(), message: String::new() });
        assert!(!lifted(&failed));
        let mut stopped = outcome(plain());
        stopped.verdict.notes.insert(EffectKind::Stop, note("a"));
        assert!(!lifted(&stopped));
        let mut asked = outcome(plain());
        asked.verdict.notes.insert(EffectKind::Ask, note("b"));
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
            assert_eq!(rule(exceptions).is_waivable(Layer::Managed), managed);
            for layer in [Layer::User, Layer::CommandLine, Layer::Bundled, Layer::Project(Trust::Untrusted)] {
                assert_eq!(rule(exceptions).is_waivable(layer), other);
            }
        }
    }
}
