//! Every event of every host: how it is read, and what each effect becomes there.

use std::fmt::Write as _;
use std::fs;

use crate::fuzz::targets::contract;
use crate::fuzz::targets::effects::single_effect;
use ruleward::adapters::{
    EventRow, HOSTS, Host, HostMode, NeutralEvent, PayloadShape, RenderedVerdict, Support, compose_payload, host_names,
    parse_payload, read_event,
};
use ruleward::domain::decide::decide;
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::kind::EVENT_SPECS;
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::event::{Event, Payload};
use ruleward::domain::facts::Facts;
use ruleward::domain::facts::script::EmptyFileSystem;
use ruleward::domain::policy::Policy;
use ruleward::domain::policy::settings::AskFallback;
use ruleward::domain::text::path::PathContext;
use ruleward::domain::text::version::Version;
use ruleward::domain::verdict::Verdict;
use ruleward::io::policy::load::load_extends;

pub(crate) const EFFECTS: [EffectKind; 14] = [
    EffectKind::Stop,
    EffectKind::Deny,
    EffectKind::Defer,
    EffectKind::Ask,
    EffectKind::Replace,
    EffectKind::Redact,
    EffectKind::Retry,
    EffectKind::ClearContext,
    EffectKind::Rewrite,
    EffectKind::Respond,
    EffectKind::Tools,
    EffectKind::Context,
    EffectKind::Warn,
    EffectKind::Allow,
];

pub(crate) const NONINTERACTIVE: HostMode =
    HostMode { interactive: false, ask_fallback: AskFallback::Deny, version: None };
pub(crate) const INTERACTIVE: HostMode = HostMode { interactive: true, ask_fallback: AskFallback::Deny, version: None };

fn sample_event(row: &EventRow) -> NeutralEvent {
    let mut asked = NeutralEvent::new(row.kind, "/project");
    asked.command = Some("echo original".into());
    asked.input.insert("description".into(), "kept".into());
    asked.prompt = Some("the prompt".into());
    asked.response = Some("the answer".into());
    asked.output = Some("the output".into());
    asked
}

/// Gives an event of a row, as the host would send it.
pub(crate) fn with_event<T>(host: &'static Host, row: &EventRow, check: impl FnOnce(&Event<'_>) -> T) -> T {
    let payload = compose_payload(host, &sample_event(row)).expect("the host has the moment");
    let event = read_event(host, &payload, &ArgumentNames::default()).expect("a composed payload reads");
    assert_eq!(event.wire_name, row.wire);
    check(&event)
}

/// Writes what becomes of a verdict, which is what the host takes; what is lost without a word fits into one line for all.
fn write_answer(out: &mut String, label: &str, host: &Host, event: &Event<'_>, verdict: Verdict, manner: HostMode) {
    let answer = host.answer(event, verdict, manner);
    let response = &answer.response;
    contract::check_response(host, Some(event.wire_name), response).unwrap();
    if response.stdout.is_empty()
        && response.exit_code == 0
        && answer.degradations.iter().all(|loss| loss.substitute.is_none())
        && !answer.degradations.is_empty()
    {
        let why = answer.degradations[0].reason;
        let before = format!("  lost     ({why})");
        match out.lines().last().filter(|last| last.starts_with(&before)) {
            Some(_) => out.insert_str(out.len() - 1, &format!(", {label}")),
            None => writeln!(out, "{before} {label}").unwrap(),
        }
        return;
    }
    let said = if response.stdout.is_empty() { "-" } else { &response.stdout };
    write!(out, "  {label:<8} {said}").unwrap();
    if response.exit_code != 0 || !response.stderr.is_empty() {
        write!(out, "  exit {} stderr {:?}", response.exit_code, response.stderr).unwrap();
    }
    for loss in &answer.degradations {
        let sent = loss.substitute.map_or("lost", EffectKind::name);
        write!(out, "  [{} → {sent}: {}]", loss.effect, loss.reason).unwrap();
    }
    out.push('\n');
}

/// Writes what becomes of an effect where it depends on something: a person, another effect, the shape of a result, the
/// host's version.
fn write_conditional_answers(
    table: &mut String,
    host: &'static Host,
    row: &'static EventRow,
    event: &Event<'_>,
    effect: EffectKind,
) {
    let Some(support) = row.support(effect) else { return };
    match support {
        Support::Interactive(..) => write_answer(table, "  person", host, event, single_effect(effect), INTERACTIVE),
        Support::Combined(other, ..) => {
            let label = format!("  +{other}");
            write_answer(table, &label, host, event, single_effect(effect).merge(single_effect(other)), NONINTERACTIVE);
        }
        Support::KnownShape(..) => {
            let mut payload = event.native.clone();
            let PayloadShape::Result { output, .. } = row.payload else { panic!("{}: a result has a shape", row.wire) };
            payload.insert(output.into(), serde_json::json!({ "strange": { "shape": 1 } }));
            let event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
            write_answer(table, "  strange", host, &event, single_effect(effect), NONINTERACTIVE);
        }
        Support::Full(_)
        | Support::WithNote(_)
        | Support::Since(..)
        | Support::Implicit(_)
        | Support::Substitute(..) => {}
    }
    if let Some(Version([major, minor, patch])) = Version::in_text(support.since()) {
        let older = HostMode { version: Some(Version([major, minor, patch - 1])), ..NONINTERACTIVE };
        write_answer(table, &format!("  older {effect}"), host, event, single_effect(effect), older);
    }
}

#[test]
fn every_effect_but_those_of_no_host_is_looked_at() {
    let ours = [EffectKind::Audit, EffectKind::Run, EffectKind::Backup];
    let of_hosts = EffectKind::ALL.into_iter().filter(|effect| !ours.contains(effect));
    assert!(EFFECTS.into_iter().eq(of_hosts), "an effect has no line in the snapshots");
}

#[test]
fn what_each_effect_becomes_at_each_event_of_each_host() {
    for host in HOSTS {
        let mut table = String::new();
        for row in host.events {
            writeln!(table, "{} ({})", row.wire, row.kind).unwrap();
            with_event(host, row, |event| {
                for effect in EFFECTS {
                    write_answer(&mut table, effect.name(), host, event, single_effect(effect), NONINTERACTIVE);
                    write_conditional_answers(&mut table, host, row, event, effect);
                }
                let both = single_effect(EffectKind::Allow).merge(single_effect(EffectKind::Rewrite));
                write_answer(&mut table, "allow+rw", host, event, both, NONINTERACTIVE);
            });
        }
        insta::assert_snapshot!(format!("effects_{}", host.name), table);
    }
}

#[test]
fn something_is_said_if_and_only_if_the_row_honours_it() {
    for host in HOSTS {
        for row in host.events {
            with_event(host, row, |event| {
                for effect in EFFECTS {
                    let answer = host.answer(event, single_effect(effect), INTERACTIVE);
                    let silent = answer.response.stdout.is_empty() && answer.response.exit_code == 0;
                    let place = format!("{} {} {effect}", host.name, row.wire);
                    match row.support(effect) {
                        None => {
                            assert!(silent, "{place}");
                            assert!(answer.degradations.iter().any(|loss| loss.effect == effect), "{place}");
                        }
                        Some(Support::Implicit(_)) => assert!(silent, "{place}"),
                        Some(_) => assert!(!silent, "{place}"),
                    }
                }
            });
        }
    }
}

#[test]
fn an_older_version_gets_what_it_can_carry_out_or_what_is_stricter() {
    for host in HOSTS {
        for row in host.events {
            for (effect, support) in row.effects {
                let Some(Version([major, minor, patch])) = Version::in_text(support.since()) else { continue };
                assert!(patch > 0, "{} {effect}", row.wire);
                let at = |version| HostMode { version: Some(Version(version)), ..INTERACTIVE };
                with_event(host, row, |event| {
                    let answer = |manner| host.answer(event, single_effect(*effect), manner);
                    assert_eq!(answer(at([major, minor, patch])), answer(INTERACTIVE), "{} {effect}", row.wire);
                    let older = answer(at([major, minor, patch - 1]));
                    let refused = host.answer(event, single_effect(EffectKind::Deny), INTERACTIVE);
                    match effect {
                        EffectKind::Stop | EffectKind::Deny => assert_eq!(older, answer(INTERACTIVE)),
                        EffectKind::Defer
                        | EffectKind::Ask
                        | EffectKind::Rewrite
                        | EffectKind::Respond
                        | EffectKind::Tools => {
                            assert_eq!(older.degradations[0].substitute, Some(EffectKind::Deny));
                            let decision = |answer: &RenderedVerdict| answer.response.stdout.contains("deny");
                            assert!(decision(&older) && decision(&refused), "{older:?}");
                        }
                        EffectKind::Redact | EffectKind::Replace => {
                            assert_eq!(older.degradations[0].substitute, Some(EffectKind::Stop));
                            assert!(older.response.stdout.contains("\"continue\":false"), "{older:?}");
                        }
                        _ => {
                            assert_eq!(older.response.stdout, "", "{} {effect}", row.wire);
                            assert_eq!(older.degradations[0].substitute, None);
                        }
                    }
                });
            }
        }
    }
}

#[test]
fn a_host_says_its_version_between_other_words() {
    let sign = Host::by_name("claude").unwrap().version_variable.as_ref().unwrap();
    assert_eq!(sign.version("claude-code_2-1-329_harness"), Some(Version([2, 1, 329])));
    assert_eq!(sign.version("claude-code/2.1.329"), None);
    assert_eq!(sign.version("other-agent_9-9-9"), None);
}

#[test]
fn a_moment_carries_exactly_what_some_host_carries_out() {
    for moment in EVENT_SPECS {
        for effect in EFFECTS {
            let rows = HOSTS.iter().flat_map(|host| host.event_rows(moment.kind));
            let carried = rows.into_iter().any(|row| row.support(effect).is_some());
            assert_eq!(moment.effects.contains(effect), carried, "{} {effect}", moment.name);
        }
    }
}

#[test]
fn names_are_unique_within_a_host() {
    for host in HOSTS {
        for (index, row) in host.events.iter().enumerate() {
            assert!(host.events[index + 1..].iter().all(|other| other.wire != row.wire), "{}", row.wire);
        }
        for (index, tool) in host.tools.iter().enumerate() {
            assert!(host.tools[index + 1..].iter().all(|other| other.wire != tool.wire), "{}", tool.wire);
        }
    }
}

#[test]
fn a_refusal_for_want_of_a_judgement_is_that_hosts_strongest() {
    let mut table = String::new();
    for host in HOSTS {
        for wire in host.events.iter().map(|row| Some(row.wire)).chain([Some("NotAnEvent"), None]) {
            let response = host.refuse(wire, "why");
            contract::check_response(host, wire, &response).unwrap();
            let said = if response.stdout.is_empty() { "-" } else { &response.stdout };
            writeln!(
                table,
                "{} {}: {said} exit {} {:?}",
                host.name,
                wire.unwrap_or("(unreadable)"),
                response.exit_code,
                response.stderr
            )
            .unwrap();
        }
    }
    insta::assert_snapshot!("refusals", table);
}

#[test]
fn what_llxprt_code_calls_otherwise_is_read() {
    let host = Host::by_name("llxprt").unwrap();
    let read_whole = |fields: &str| {
        let payload = parse_payload(fields.as_bytes()).unwrap();
        describe(&read_event(host, &payload, &ArgumentNames::default()).unwrap())
    };
    let text = read_whole(
        r#"{"hook_event_name":"AfterModel","llm_request":{"contents":[
            {"speaker":"human","blocks":[{"type":"text","text":"one"},{"type":"tool_call","name":"x"},{"type":"text","text":"two"}]}
        ],"tools":[]},"llm_response":{"speaker":"ai","blocks":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}"#,
    );
    for part in [r#"text: "one""#, r#"text: "two""#, r#"role: Some("human")"#, r#"response: Some("ab")"#] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = read_whole(
        r#"{"hook_event_name":"BeforeTool","tool_name":"apply_patch","tool_input":
            {"patch_content":"--- a/src/x.rs\n+++ b/src/y.rs\n@@ -1 +1 @@\n-a\n+b\n"}}"#,
    );
    assert!(text.contains("file src/x.rs [Write]") && text.contains("file src/y.rs [Write]"), "{text}");
    let text = read_whole(
        r#"{"hook_event_name":"BeforeTool","tool_name":"mcp__a__b__c","tool_input":{},"mcp_context":{"server_name":"a__b"}}"#,
    );
    assert!(text.contains("server a__b tool c"), "{text}");
}

/// Says all that the typed event knows.
fn describe(event: &Event<'_>) -> String {
    let mut text = format!("{} on {}\n", event.kind, event.host);
    let session = &event.session;
    writeln!(text, "cwd {:?} mode {:?} subagent {:?}", session.cwd, session.permission_mode, session.subagent).unwrap();
    match &event.payload {
        Payload::Tools(calls) => {
            for call in calls {
                writeln!(text, "tool {} {} id {:?}", call.kind, call.name, call.id).unwrap();
                for command in &call.commands {
                    writeln!(text, "  command {:?} in {:?}", command.text, command.base).unwrap();
                }
                for file in &call.files {
                    writeln!(text, "  file {} {:?}", file.path, file.access.iter().collect::<Vec<_>>()).unwrap();
                }
                for passage in &call.texts {
                    writeln!(text, "  text {} {:?}", passage.origin, passage.text).unwrap();
                }
                for url in &call.urls {
                    writeln!(text, "  url {url}").unwrap();
                }
                if let Some(mcp) = &call.mcp {
                    writeln!(text, "  server {} tool {}", mcp.server, mcp.tool).unwrap();
                }
                if let Some(agent) = &call.agent {
                    writeln!(text, "  agent {:?} {:?}", agent.name, agent.prompt).unwrap();
                }
                if let Some(outcome) = &call.result {
                    writeln!(text, "  ok {} output {:?}", outcome.is_ok, outcome.output).unwrap();
                }
            }
        }
        other => writeln!(text, "{other:?}").unwrap(),
    }
    text
}

/// Returns the policy that has only the rule of one effect.
fn policy_of(effect: EffectKind) -> Policy {
    let names = host_names();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies/every-effect.yaml");
    let mut loaded = load_extends("tests", &[path.to_owned()], &names);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    loaded.policy.rules.retain(|active| active.rule.id == effect.name());
    assert_eq!(loaded.policy.rules.len(), 1);
    loaded.policy
}

#[test]
fn every_recorded_payload_is_read_and_answered() {
    let policies = EFFECTS.map(|effect| (effect, policy_of(effect)));
    insta::glob!("payloads/*/*.json", |path| {
        let payload = parse_payload(&fs::read(path).unwrap()).unwrap();
        let folder = path.parent().and_then(|folder| folder.file_name()).unwrap().to_string_lossy();
        let host = Host::by_name(&folder).unwrap();
        let event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
        assert!(host.event_row(event.wire_name).is_some(), "the event is known");
        assert_eq!(event.native, &payload, "nothing of the payload is lost");
        let mut text = describe(&event);
        let place = PathContext { cwd: "/home/user/project".into(), ..PathContext::default() };
        for (effect, policy) in &policies {
            let outcome = decide(policy, &Facts::new(&event, &place, &EmptyFileSystem));
            assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
            write_answer(&mut text, effect.name(), host, &event, outcome.verdict, NONINTERACTIVE);
        }
        insta::assert_snapshot!(text);
    });
}
