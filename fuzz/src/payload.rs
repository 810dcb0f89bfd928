//! Bytes as payloads of every host: read and answered, or refused; and what is harmful stays refused.

use std::sync::LazyLock;

use ruleward::adapters::{HOSTS, Host, Manner, Payload, Response, parse, read, sniff_event};
use ruleward::domain::decide::decide;
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::Event;
use ruleward::domain::facts::Facts;
use ruleward::domain::policy::{AskFallback, Policy};
use ruleward::domain::scripts::Bare;
use ruleward::domain::tool::Arguments;
use ruleward::domain::verdict::{Decision, Verdict};
use ruleward::io::policy::builtin::DEFAULTS;
use ruleward::io::suite;
use serde_json::json;

use super::contract;
use super::effects::only;

/// The bundled policy.
pub(crate) static POLICY: LazyLock<Policy> = LazyLock::new(|| Policy::stack(Vec::new(), DEFAULTS));

pub(crate) const ALONE: Manner = Manner { interactive: false, ask_fallback: AskFallback::Deny, version: None };

/// What the bundled policy refuses, wherever it stands.
const HARMFUL: &str = "rm -rf ~/";

/// Any bytes: what comes of them can be said to the host, whatever the rules want, and a refusal is one.
pub(crate) fn any(bytes: &[u8]) {
    let _guessed = sniff_event(bytes);
    let Ok(payload) = parse(bytes) else { return };
    // Three of all that can be wanted, others for every payload.
    let wanted = bytes.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    for host in HOSTS {
        let Ok(event) = read(host, &payload, &Arguments::default()) else { continue };
        let cwd = event.session.cwd.unwrap_or("/");
        let outcome = decide(&POLICY, &Facts::new(&event, &suite::place(cwd), &Bare));
        answered(host, &event, outcome.verdict);
        let effects = [1, 16, 256].map(|place| EffectKind::ALL[wanted / place % EffectKind::ALL.len()]);
        answered(host, &event, effects.into_iter().map(only).fold(Verdict::default(), Verdict::and));
        let refused = answered(host, &event, only(EffectKind::Deny));
        if host.row(event.wire).is_some_and(|row| row.support(EffectKind::Deny).is_some()) {
            // Of some events the refusal is a word of its own, without a reason.
            assert!(refused != Response::silence(), "{}: no refusal", host.name);
        }
    }
}

/// Returns what the host is told, with a person there and without, which is what it takes at the event.
pub(crate) fn answered(host: &Host, event: &Event<'_>, verdict: Verdict) -> Response {
    for manner in [Manner { interactive: true, ..ALONE }, ALONE] {
        let response = host.answer(event, verdict.clone(), manner).response;
        contract::keeps(host, Some(event.wire), &response).expect("an answer that the host takes");
    }
    host.answer(event, verdict, ALONE).response
}

/// A harmful call with any bytes about it: as the rest of the text, and as the rest of the fields.
pub(crate) fn harmful(bytes: &[u8]) {
    for host in HOSTS {
        let (event, tool) = call_of(host);
        let mut text = json!({ "hook_event_name": event, "tool_name": tool, "tool_input": { "command": HARMFUL } })
            .to_string()
            .into_bytes();
        text.pop();
        for piece in [b",".as_slice(), bytes, b"}"] {
            text.extend_from_slice(piece);
        }
        if let Ok(payload) = parse(&text) {
            stays_refused(host, &payload);
        }
        let Ok(mut payload) = parse(bytes) else { continue };
        payload.insert("hook_event_name".into(), json!(event));
        payload.insert("tool_name".into(), json!(tool));
        let input = payload.entry("tool_input").or_insert_with(|| json!({}));
        if !input.is_object() {
            *input = json!({});
        }
        input["command"] = json!(HARMFUL);
        stays_refused(host, &payload);
    }
}

pub(crate) fn call_of(host: &Host) -> (&'static str, &'static str) {
    if host.name == "claude" { ("PreToolUse", "Bash") } else { ("BeforeTool", "run_shell_command") }
}

/// What cannot be read is refused, and so is what can.
fn stays_refused(host: &'static Host, payload: &Payload) {
    let Ok(event) = read(host, payload, &Arguments::default()) else { return };
    let place = suite::place(event.session.cwd.unwrap_or(suite::PROJECT));
    let outcome = decide(&POLICY, &Facts::new(&event, &place, &Bare));
    assert_eq!(outcome.verdict.decision(), Some(Decision::Deny), "{}: {payload:?}", host.name);
    answered(host, &event, outcome.verdict);
}
