//! The event in neutral words, as JSON, and an answer in the words of a policy.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::domain::effect::EffectKind;
use crate::domain::facts::Facts;
use crate::domain::focus::Focus;
use crate::domain::ran::{Said, note};
use crate::domain::run::Planned;
use crate::domain::verdict::{Proposal, Verdict};
use crate::domain::view;

/// The words of the vocabulary that speak of an event as a whole.
const WORDS: &[&str] = &[
    "event", "host", "session", "project", "subagent", "tool", "mcp", "agent", "shell", "prompt", "output", "response",
    "model", "request", "usage", "subject", "message", "path", "native",
];

/// Returns an event in neutral words, as it stands on a program's standard input.
pub fn told(facts: &Facts<'_>) -> Vec<u8> {
    let focus = Focus::default();
    let words = WORDS.iter().filter_map(|word| Some(((*word).to_owned(), view::root(facts, &focus, word)?)));
    let mut event: Map<String, Value> = words.collect();
    let commands = facts.commands().filter(|command| !command.words.is_empty());
    let commands = commands.map(|command| {
        let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
        json!({ "text": command.text(), "words": words, "via": command.via })
    });
    let files = facts.files().iter().map(
        |file| json!({ "path": facts.place.shown(&file.path), "absolute": file.path, "access": file.access.names() }),
    );
    let lists: [(&str, Vec<Value>); 3] = [
        ("commands", commands.collect()),
        ("files", files.collect()),
        ("urls", facts.urls().iter().map(|url| json!(url.url)).collect()),
    ];
    event.extend(
        lists.into_iter().filter(|(_, list)| !list.is_empty()).map(|(key, list)| (key.to_owned(), list.into())),
    );
    format!("{}\n", Value::Object(event)).into_bytes()
}

/// An answer: effects under their names in a policy.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Answer {
    stop: Option<String>,
    deny: Option<String>,
    defer: Option<String>,
    ask: Option<String>,
    replace: Option<String>,
    retry: Option<String>,
    clear_context: bool,
    rewrite: Option<BTreeMap<String, Value>>,
    respond: Option<String>,
    context: Option<String>,
    warn: Option<String>,
    allow: Option<String>,
    audit: Option<String>,
}

/// Takes what a program said for an answer: nothing, or one object of effects.
///
/// # Errors
/// Returns why it is none, for people.
pub fn understood(facts: &Facts<'_>, planned: &Planned, said: &Said) -> Result<Verdict, String> {
    match said.exit {
        None => return Err("a signal ended it".to_owned()),
        Some(0) => {}
        Some(code) => return Err(with_words(&format!("it ended with exit code {code}"), facts, said)),
    }
    let stdout = said.stdout.trim();
    if stdout.is_empty() {
        return Ok(Verdict::default());
    }
    let answer: Answer = serde_json::from_str(stdout).map_err(|error| format!("its answer cannot be read: {error}"))?;
    let mut verdict = Verdict::default();
    let texts = [
        (EffectKind::Stop, answer.stop),
        (EffectKind::Deny, answer.deny),
        (EffectKind::Defer, answer.defer),
        (EffectKind::Ask, answer.ask),
        (EffectKind::Replace, answer.replace),
        (EffectKind::Retry, answer.retry),
        (EffectKind::Respond, answer.respond),
        (EffectKind::Context, answer.context),
        (EffectKind::Warn, answer.warn),
        (EffectKind::Allow, answer.allow),
        (EffectKind::Audit, answer.audit),
        (EffectKind::ClearContext, answer.clear_context.then(|| "The conversation begins anew.".to_owned())),
    ];
    for (effect, text) in texts {
        if let Some(text) = text {
            verdict.notes_mut(effect).insert(note(planned, text));
        }
    }
    for (field, value) in answer.rewrite.into_iter().flatten() {
        verdict.rewrite.insert(field, vec![Proposal { rule: planned.rule.clone(), value }]);
    }
    let kind = facts.event.kind;
    let carried = kind.moment().map(|moment| moment.effects).unwrap_or_default();
    match EffectKind::ALL.into_iter().find(|effect| verdict.has(*effect) && !carried.contains(*effect)) {
        Some(effect) => Err(format!("its answer has `{effect}`, which `{kind}` cannot carry")),
        None => Ok(verdict),
    }
}

/// Adds the beginning of what a program said of its error.
fn with_words(what: &str, facts: &Facts<'_>, said: &Said) -> String {
    match said.stderr.trim().lines().next() {
        Some(line) => format!("{what}: {}", facts.redacted(line)),
        None => what.to_owned(),
    }
}
