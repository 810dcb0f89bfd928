//! Bytes as what a hook of some host says: an answer for the host in use, or none; and a refusal is one.

use ruleward::adapters::dialect::{Circumstances, Heard, Said, Speaker, understood};
use ruleward::adapters::{HOSTS, parse, read};
use ruleward::domain::effect::EffectKind;
use ruleward::domain::rule::Severity;
use ruleward::domain::state::Time;
use ruleward::domain::tool::Arguments;
use ruleward::domain::verdict::Decision;
use ruleward::io::suite;

use super::effects::only;
use super::payload::{answered, call_of};

const SPEAKER: Speaker<'static> = Speaker { rule: "hook", severity: Severity::Medium };

/// The exit code with which a hook refuses, whatever it says besides.
const REFUSED: i32 = 2;

/// A first line on standard error, the rest on standard output.
pub(crate) fn answer(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (stderr, stdout) = text.split_once('\n').unwrap_or(("", &text));
    for host in HOSTS {
        let (event, tool) = call_of(host);
        let call =
            serde_json::json!({ "hook_event_name": event, "tool_name": tool, "tool_input": { "command": "ls" } });
        let payload = parse(call.to_string().as_bytes()).expect("a payload");
        let event = read(host, &payload, &Arguments::default()).expect("an event");
        let place = suite::place("/");
        let circumstances = Circumstances { raw: None, place: &place, now: Time(0) };
        for dialect in HOSTS {
            for exit in [Some(0), Some(1), Some(REFUSED), None] {
                let said = Said { stdout, stderr, exit };
                let heard = understood(host, &event, dialect, (said, SPEAKER), &circumstances);
                let Ok(Heard { verdict, .. }) = heard else { continue };
                if exit == Some(REFUSED) {
                    let holds = verdict.decision() == Some(Decision::Deny) || !verdict.stop.is_empty();
                    assert!(holds, "a refusal of {} is lost", dialect.name);
                }
                // Whatever it said: what a rule refuses stays refused.
                let both = only(EffectKind::Deny).and(verdict.clone());
                assert_eq!(both.decision(), Some(Decision::Deny));
                for verdict in [verdict, both] {
                    answered(host, &event, verdict);
                }
            }
        }
    }
}
