//! The neutral dialect: events as JSON in neutral terms, and answers in the terms of a policy.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::domain::condition::binding::Binding;
use crate::domain::condition::variable;
use crate::domain::effect::EffectKind;
use crate::domain::effect::spec::EffectForm;
use crate::domain::event::kind::Kind;
use crate::domain::facts::Facts;
use crate::domain::verdict::plan::RunPlan;
use crate::domain::verdict::run_record::{Output, run_note};
use crate::domain::verdict::{Proposal, Verdict};

/// The variables that describe an event as a whole.
const EVENT_VARIABLES: &[&str] = &[
    "event", "host", "session", "project", "subagent", "tool", "mcp", "agent", "shell", "prompt", "output", "response",
    "model", "request", "usage", "subject", "message", "path", "native",
];

/// Encodes an event in neutral terms, for a program's standard input.
pub fn encode(facts: &Facts<'_>) -> Vec<u8> {
    let focus = Binding::default();
    let words =
        EVENT_VARIABLES.iter().filter_map(|word| Some(((*word).to_owned(), variable::lookup(facts, &focus, word)?)));
    let mut event: Map<String, Value> = words.collect();
    let commands = facts.commands().filter(|command| !command.words.is_empty());
    let commands = commands.map(|command| {
        let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
        json!({ "text": command.text(), "words": words, "via": command.call_chain })
    });
    let files = facts.files().iter().map(
        |file| json!({ "path": facts.path_context.display(&file.path), "absolute": file.path, "access": file.access.names() }),
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
#[derive(Debug, Default)]
struct NativeAnswer {
    texts: BTreeMap<EffectKind, Option<String>>,
    fields: Option<BTreeMap<String, Value>>,
}

/// The names of the effects that an answer may have.
static ANSWER_KEYS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| EffectKind::ALL.into_iter().filter(|effect| is_answer(*effect)).map(EffectKind::name).collect());

/// Returns whether a program may answer an effect.
const fn is_answer(effect: EffectKind) -> bool {
    match effect.form() {
        EffectForm::Text | EffectForm::Flag(_) | EffectForm::Fields => true,
        EffectForm::Redactions | EffectForm::ToolLimits | EffectForm::Program | EffectForm::Backup => false,
    }
}

/// A key of an answer.
struct AnswerKey(EffectKind);

impl<'de> Deserialize<'de> for AnswerKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let effect = EffectKind::from_name(&name).filter(|effect| is_answer(*effect));
        effect.map(Self).ok_or_else(|| D::Error::unknown_field(&name, &ANSWER_KEYS))
    }
}

impl<'de> Deserialize<'de> for NativeAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("NativeAnswer", &ANSWER_KEYS, AnswerVisitor)
    }
}

struct AnswerVisitor;

impl<'de> Visitor<'de> for AnswerVisitor {
    type Value = NativeAnswer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct NativeAnswer")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<NativeAnswer, A::Error> {
        let mut answer = NativeAnswer::default();
        while let Some(AnswerKey(effect)) = entries.next_key()? {
            let is_duplicate = match effect.form() {
                EffectForm::Text => answer.texts.insert(effect, entries.next_value()?).is_some(),
                EffectForm::Flag(text) => {
                    let wanted: bool = entries.next_value()?;
                    answer.texts.insert(effect, wanted.then(|| text.to_owned())).is_some()
                }
                EffectForm::Fields => {
                    let fields: Option<BTreeMap<String, Value>> = entries.next_value()?;
                    answer.fields.replace(fields.unwrap_or_default()).is_some()
                }
                EffectForm::Redactions | EffectForm::ToolLimits | EffectForm::Program | EffectForm::Backup => false,
            };
            if is_duplicate {
                return Err(A::Error::duplicate_field(effect.name()));
            }
        }
        Ok(answer)
    }
}

/// Why a program's output is not an answer.
#[derive(Debug)]
pub enum NativeError {
    /// A signal ended it.
    Signal,
    /// It ended with an exit code that means an error.
    Exit {
        /// The exit code.
        code: i32,
        /// The first line of its standard error, redacted.
        stderr: Option<String>,
    },
    /// Its answer is not JSON of the known keys.
    Malformed(serde_json::Error),
    /// Its answer has an effect that the event cannot carry.
    UnsupportedEffect {
        /// The effect.
        effect: EffectKind,
        /// The kind of the event.
        kind: Kind,
    },
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal => f.write_str("it was killed by a signal"),
            Self::Exit { code, stderr: None } => write!(f, "it exited with code {code}"),
            Self::Exit { code, stderr: Some(line) } => write!(f, "it exited with code {code}: {line}"),
            Self::Malformed(error) => write!(f, "its answer is invalid: {error}"),
            Self::UnsupportedEffect { effect, kind } => {
                write!(f, "its answer has `{effect}`, which `{kind}` doesn't support")
            }
        }
    }
}

impl std::error::Error for NativeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Malformed(error) => Some(error),
            Self::Signal | Self::Exit { .. } | Self::UnsupportedEffect { .. } => None,
        }
    }
}

/// Decodes a program's output as an answer: nothing, or one object of effects.
///
/// # Errors
/// Returns why it is not an answer.
pub fn decode(facts: &Facts<'_>, planned: &RunPlan, said: &Output) -> Result<Verdict, NativeError> {
    match said.exit_code {
        None => return Err(NativeError::Signal),
        Some(0) => {}
        Some(code) => {
            let stderr = said.stderr.trim().lines().next().map(|line| facts.redact(line).into());
            return Err(NativeError::Exit { code, stderr });
        }
    }
    let stdout = said.stdout.trim();
    if stdout.is_empty() {
        return Ok(Verdict::default());
    }
    let answer: NativeAnswer = serde_json::from_str(stdout).map_err(NativeError::Malformed)?;
    let mut verdict = Verdict::default();
    for (effect, text) in answer.texts {
        verdict.notes.extend(effect, text.map(|text| run_note(planned, text)));
    }
    for (field, value) in answer.fields.into_iter().flatten() {
        verdict.rewrite.insert(field, vec![Proposal { rule: planned.rule.clone(), value }]);
    }
    let kind = facts.event.kind;
    let carried = kind.spec().map(|moment| moment.effects).unwrap_or_default();
    match EffectKind::ALL.into_iter().find(|effect| verdict.has_effect(*effect) && !carried.contains(*effect)) {
        Some(effect) => Err(NativeError::UnsupportedEffect { effect, kind }),
        None => Ok(verdict),
    }
}
