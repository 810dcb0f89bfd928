//! One payload judged: the path that the hook, `check`, `test` and `replay` share.
//!
//! `Judge::run` lists the steps, and each step is a module here. Nothing here touches the machine:
//! what a judgement needs of it is in the [`Environment`].

mod backup;
mod environment;
mod evaluate;
mod exception;
mod exchange;
mod integrity;
mod programs;
mod run_executor;
mod session;
mod stream;

use std::cmp::Reverse;

pub use environment::{Environment, HookStatusQuery, StateContext, TranscriptReader};

pub use run_executor::dialect_host;

use self::session::Session;
use super::{Host, HostMode, PayloadError, PayloadFields, RenderedVerdict, Response, read_event};
use crate::domain::effect::EffectKind;
use crate::domain::event::Event;
use crate::domain::event::kind::Kind;
use crate::domain::policy::Policy;
use crate::domain::policy::settings::AskFallback;
use crate::domain::severity::{OnError, Severity};
use crate::domain::verdict::Verdict;
use crate::domain::verdict::note::Note;
use crate::domain::verdict::outcome::Outcome;

/// Judges a payload of a host by a policy, and returns what the host is told.
///
/// A payload that cannot be read gets the answer that the policy's `on_error` asks for; it is never
/// silently an approval unless the policy says so.
///
/// # Example
///
/// ```
/// use ruleward::{Environment, Host, PathContext};
///
/// let host = Host::by_name("claude").expect("a known host");
/// let payload = serde_json::json!({
///     "hook_event_name": "PreToolUse",
///     "session_id": "s",
///     "cwd": "/home/me/project",
///     "tool_name": "Bash",
///     "tool_input": { "command": "rm -rf ~" },
/// });
/// let payload = payload.as_object().expect("an object");
/// let paths = PathContext {
///     cwd: "/home/me/project".into(),
///     home: Some("/home/me".into()),
///     ..PathContext::default()
/// };
/// let response = ruleward::judge(host, payload, &ruleward::recommended_policy(), &Environment::isolated(&paths));
/// assert!(response.stdout.contains(r#""permissionDecision":"deny""#), "{}", response.stdout);
/// assert_eq!(response.exit_code, 0);
/// ```
pub fn judge(host: &'static Host, payload: &PayloadFields, policy: &Policy, environment: &Environment<'_>) -> Response {
    match explain(host, payload, policy, environment) {
        Ok(judgment) => judgment.answer.response,
        Err(error) => {
            let event = payload.get("hook_event_name").and_then(serde_json::Value::as_str);
            respond_to_error(host, event, (policy.on_error, policy.ask_fallback), &error.to_string())
        }
    }
}

/// Judges a payload as [`judge`] does, and returns the rules and programs behind the answer as well.
///
/// # Errors
/// Returns what is missing in a payload that cannot be read.
pub fn explain(
    host: &'static Host,
    payload: &PayloadFields,
    policy: &Policy,
    environment: &Environment<'_>,
) -> Result<Judgment, PayloadError> {
    Judge { host, policy, environment }.run(payload)
}

/// Answers for an event that could not be judged, of which no more than the host's name of it is known.
pub fn respond_to_error(
    host: &Host,
    event: Option<&str>,
    (on_error, ask_fallback): (OnError, AskFallback),
    why: &str,
) -> Response {
    match on_error {
        OnError::Deny => host.refuse(event, &judgment_error_text(OnError::Deny, why)),
        OnError::Ask => host.ask(event, &judgment_error_text(OnError::Ask, why), ask_fallback),
        OnError::Allow => Response::empty(),
    }
}

/// Returns what is said of something that could not be judged.
pub fn judgment_error_text(on_error: OnError, why: &str) -> String {
    let consequence = match on_error {
        OnError::Deny => "so it is denied",
        OnError::Ask => "so the user is asked",
        OnError::Allow => "and allows it, as the policy's `on_error` says",
    };
    format!("ruleward could not evaluate this, {consequence}: {why}")
}

/// A judged payload.
#[derive(Debug)]
pub struct Judgment {
    /// The verdict and the rules behind it.
    pub outcome: Outcome,
    /// What the host is told.
    pub answer: RenderedVerdict,
    /// The sealed fingerprint of the call, when something blocks it that an exception may waive.
    pub fingerprint: Option<String>,
}

/// The effects that hold an event back: a second evaluation can only add them.
const BLOCKING_EFFECTS: [EffectKind; 3] = [EffectKind::Deny, EffectKind::Ask, EffectKind::Stop];

/// The judgement of one payload.
#[derive(Clone, Copy)]
struct Judge<'a> {
    host: &'static Host,
    policy: &'a Policy,
    environment: &'a Environment<'a>,
}

impl Judge<'_> {
    /// Takes the steps of a judgement, in order.
    fn run(self, payload: &PayloadFields) -> Result<Judgment, PayloadError> {
        let event = read_event(self.host, payload, &self.policy.arguments)?;
        let mut session = Session::begin(self, &event);
        let mut outcome = self.decide(&event, &mut session)?;
        let chunk = self.redact_chunk(&event, &mut session, &mut outcome)?;
        let chunk = session.commit(&event, &mut outcome).unwrap_or(chunk);
        self.add_policy_error(&mut outcome);
        let fingerprint = self.waive(&event, &mut outcome);
        let mut outcome = self.run_skipped(&event, outcome)?;
        self.back_up_waived(&event, &mut outcome);
        self.check_integrity(&event, &mut outcome);
        let outcome = self.with_session_notice(&event, outcome);
        let verdict = chunk.apply(self.with_record_id(&outcome));
        let answer = self.host.answer(&event, verdict, self.host_mode());
        Ok(Judgment { outcome, answer, fingerprint })
    }

    /// Adds to every verdict that the policy has an error, so that it fails closed.
    fn add_policy_error(self, outcome: &mut Outcome) {
        if let Some(why) = &self.environment.policy_error {
            let verdict = std::mem::take(&mut outcome.verdict);
            outcome.verdict = verdict.merge(error_verdict(self.policy.on_error, why));
        }
    }

    fn with_session_notice(self, event: &Event<'_>, mut outcome: Outcome) -> Outcome {
        if let Some(notice) = self.environment.session_notice.as_ref().filter(|_| event.kind == Kind::SessionStart) {
            let text = format!("ruleward: {notice}");
            let note = Note { severity: Reverse(Severity::High), rule: String::new(), text };
            outcome.verdict.notes.insert(EffectKind::Warn, note);
        }
        outcome
    }

    fn host_mode(self) -> HostMode {
        let Policy { interactive, ask_fallback, .. } = *self.policy;
        HostMode { interactive, ask_fallback, version: self.environment.host_version }
    }
}

/// Returns what an error in the policy or in the store of the state comes to.
fn error_verdict(on_error: OnError, why: &str) -> Verdict {
    let text = judgment_error_text(on_error, why);
    Verdict::from_error(on_error, Note { severity: Reverse(Severity::Critical), rule: String::new(), text })
}
