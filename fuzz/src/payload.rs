//! Bytes as payloads of every host: read and answered, or refused; and what is harmful stays refused.

use ruleward::Environment;
use ruleward::explain;
use std::sync::LazyLock;

use ruleward::adapters::{HOSTS, Host, HostMode, PayloadFields, Response, parse_payload, read_event, sniff_event};
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::Event;
use ruleward::domain::event::kind::Kind;
use ruleward::domain::event::tool::{ArgumentNames, ToolKind};
use ruleward::domain::policy::Policy;
use ruleward::domain::policy::settings::AskFallback;
use ruleward::domain::verdict::Verdict;
use ruleward::domain::verdict::note::Decision;
use ruleward::io::policy::builtin::DEFAULTS;
use ruleward::io::suite;
use serde_json::json;

use super::contract;
use super::effects::single_effect;

/// The bundled policy.
pub(crate) static POLICY: LazyLock<Policy> = LazyLock::new(|| Policy::from_parts(Vec::new(), DEFAULTS));

pub(crate) const NONINTERACTIVE: HostMode =
    HostMode { interactive: false, ask_fallback: AskFallback::Deny, version: None };

/// What the bundled policy refuses, wherever it stands.
const HARMFUL_COMMAND: &str = "rm -rf ~/";

/// Any bytes: what comes of them can be said to the host, whatever the rules want, and a refusal is one.
pub(crate) fn arbitrary_payload(bytes: &[u8]) {
    let _guessed = sniff_event(bytes);
    let Ok(payload) = parse_payload(bytes) else { return };
    // Three of all that can be wanted, others for every payload.
    let wanted = bytes.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    for host in HOSTS {
        let Ok(event) = read_event(host, &payload, &ArgumentNames::default()) else { continue };
        let cwd = event.session.cwd.unwrap_or("/");
        let place = suite::test_place(cwd);
        let judgment =
            explain(host, &payload, &POLICY, &Environment::isolated(&place)).expect("a payload that is read");
        contract::check_response(host, Some(event.wire_name), &judgment.answer.response)
            .expect("an answer that the host takes");
        answer_event(host, &event, judgment.outcome.verdict);
        let effects = [1, 16, 256].map(|place| EffectKind::ALL[wanted / place % EffectKind::ALL.len()]);
        answer_event(host, &event, effects.into_iter().map(single_effect).fold(Verdict::default(), Verdict::merge));
        let refused = answer_event(host, &event, single_effect(EffectKind::Deny));
        if host.event_row(event.wire_name).is_some_and(|row| row.support(EffectKind::Deny).is_some()) {
            // Of some events the refusal is a word of its own, without a reason.
            assert!(refused != Response::empty(), "{}: no refusal", host.name);
        }
    }
}

/// Returns what the host is told, with a person there and without, which is what it takes at the event.
pub(crate) fn answer_event(host: &Host, event: &Event<'_>, verdict: Verdict) -> Response {
    for manner in [HostMode { interactive: true, ..NONINTERACTIVE }, NONINTERACTIVE] {
        let response = host.answer(event, verdict.clone(), manner).response;
        contract::check_response(host, Some(event.wire_name), &response).expect("an answer that the host takes");
    }
    host.answer(event, verdict, NONINTERACTIVE).response
}

/// A harmful call with any bytes about it: as the rest of the text, and as the rest of the fields.
pub(crate) fn harmful_call(bytes: &[u8]) {
    for host in HOSTS {
        let (event, tool) = tool_call_names(host);
        let mut text =
            json!({ "hook_event_name": event, "tool_name": tool, "tool_input": { "command": HARMFUL_COMMAND } })
                .to_string()
                .into_bytes();
        text.pop();
        for piece in [b",".as_slice(), bytes, b"}"] {
            text.extend_from_slice(piece);
        }
        if let Ok(payload) = parse_payload(&text) {
            assert_stays_refused(host, &payload);
        }
        let Ok(mut payload) = parse_payload(bytes) else { continue };
        payload.insert("hook_event_name".into(), json!(event));
        payload.insert("tool_name".into(), json!(tool));
        let input = payload.entry("tool_input").or_insert_with(|| json!({}));
        if !input.is_object() {
            *input = json!({});
        }
        input["command"] = json!(HARMFUL_COMMAND);
        assert_stays_refused(host, &payload);
    }
}

/// Returns the host's names of the event before a call, and of its shell.
pub(crate) fn tool_call_names(host: &Host) -> (&'static str, &'static str) {
    let event = host.event_rows(Kind::ToolBefore).next().expect("an event before calls");
    let shell = host.tools.iter().find(|tool| tool.kind == ToolKind::Shell).expect("a shell");
    (event.wire, shell.wire)
}

/// What cannot be read is refused, and so is what can.
fn assert_stays_refused(host: &'static Host, payload: &PayloadFields) {
    let Ok(event) = read_event(host, payload, &ArgumentNames::default()) else { return };
    let place = suite::test_place(event.session.cwd.unwrap_or(suite::PROJECT));
    let judgment = explain(host, payload, &POLICY, &Environment::isolated(&place)).expect("a payload that is read");
    assert_eq!(judgment.outcome.verdict.decision(), Some(Decision::Deny), "{}: {payload:?}", host.name);
    answer_event(host, &event, judgment.outcome.verdict);
}
