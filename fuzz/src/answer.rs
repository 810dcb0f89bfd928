//! Bytes as what a hook of some host says: an answer for the host in use, or none; and a refusal is one.

use ruleward::adapters::dialect::{Attribution, EncodeContext, HookAnswer, HookOutput, decode};
use ruleward::adapters::{HOSTS, parse_payload, read_event};
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::severity::Severity;
use ruleward::domain::time::Time;
use ruleward::domain::verdict::note::Decision;
use ruleward::io::suite;

use super::effects::single_effect;
use super::payload::{answer_event, tool_call_names};

const SPEAKER: Attribution<'static> = Attribution { rule: "hook", severity: Severity::Medium };

/// The exit code with which a hook refuses, whatever it says besides.
const DENY_EXIT_CODE: i32 = 2;

/// A first line on standard error, the rest on standard output.
pub(crate) fn answer(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (stderr, stdout) = text.split_once('\n').unwrap_or(("", &text));
    for host in HOSTS {
        let (event, tool) = tool_call_names(host);
        let call =
            serde_json::json!({ "hook_event_name": event, "tool_name": tool, "tool_input": { "command": "ls" } });
        let payload = parse_payload(call.to_string().as_bytes()).expect("a payload");
        let event = read_event(host, &payload, &ArgumentNames::default()).expect("an event");
        let place = suite::test_place("/");
        let circumstances = EncodeContext { raw: None, place: &place, now: Time(0) };
        for dialect in HOSTS.iter().filter(|host| host.has_command_hooks()) {
            for exit in [Some(0), Some(1), Some(DENY_EXIT_CODE), None] {
                let said = HookOutput { stdout, stderr, exit_code: exit };
                let heard = decode(host, &event, dialect, (said, SPEAKER), &circumstances);
                let Ok(HookAnswer { verdict, .. }) = heard else { continue };
                if exit == Some(DENY_EXIT_CODE) {
                    let holds = verdict.decision() == Some(Decision::Deny) || verdict.notes.has(EffectKind::Stop);
                    assert!(holds, "a refusal of {} is lost", dialect.name);
                }
                // Whatever it said: what a rule refuses stays refused.
                let both = single_effect(EffectKind::Deny).merge(verdict.clone());
                assert_eq!(both.decision(), Some(Decision::Deny));
                for verdict in [verdict, both] {
                    answer_event(host, &event, verdict);
                }
            }
        }
    }
}
