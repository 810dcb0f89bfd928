//! Laws that hold whatever the input is.

use std::cmp::Reverse;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use ruleward::adapters::{HOSTS, HostMode, parse_payload, read_event};
use ruleward::domain::condition::Tools;
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::policy::cache::{CachePolicy, CacheScope};
use ruleward::domain::policy::limit::ToolLimit;
use ruleward::domain::policy::settings::AskFallback;
use ruleward::domain::severity::Severity;
use ruleward::domain::text::duration::MaxAge;
use ruleward::domain::verdict::note::Note;
use ruleward::domain::verdict::notes::Notes;
use ruleward::domain::verdict::redaction::{Redactions, TextSpan};
use ruleward::domain::verdict::{Proposal, Verdict};

fn note() -> impl Strategy<Value = Note> {
    let severity = prop_oneof![Just(Severity::Low), Just(Severity::High), Just(Severity::Critical)];
    (severity, "[ab]", "[xy]").prop_map(|(severity, rule, text)| Note { severity: Reverse(severity), rule, text })
}

fn notes() -> impl Strategy<Value = std::collections::BTreeSet<Note>> {
    proptest::collection::btree_set(note(), 0..3)
}

/// Places in two texts of up to a dozen bytes.
fn redactions() -> impl Strategy<Value = Redactions> {
    proptest::collection::vec((0..2_usize, 0..12_usize, 0..6_usize, note()), 0..5).prop_map(|places| {
        let mut redactions = Redactions::default();
        for (text, start, length, note) in places {
            redactions.insert(TextSpan { text, start, end: start + length }, note);
        }
        redactions
    })
}

fn verdict() -> impl Strategy<Value = Verdict> {
    let rewrite = proptest::collection::btree_map("[fg]", ("[ab]", "[12]"), 0..3);
    let limit = (note(), "[ab]").prop_map(|(note, name)| {
        let tools = Tools(vec![name]);
        ruleward::domain::verdict::limit::ToolLimitNote::from_limits(
            &ToolLimit { allow: Some(tools), ..ToolLimit::default() },
            note,
        )
    });
    let limits = proptest::collection::btree_set(limit, 0..3);
    let terms = ("[ab]", 1..3_u32).prop_map(|(rule, most)| {
        (rule, CachePolicy { r#for: MaxAge(60), most, max_bytes: 9, scope: CacheScope::Session })
    });
    let more = (notes(), notes(), any::<bool>(), proptest::collection::btree_set(terms, 0..3));
    let special = (rewrite, notes(), limits, redactions(), notes(), more);
    ((notes(), notes(), notes(), notes()), (notes(), notes(), notes(), notes()), special).prop_map(
        |(
            (deny, ask, allow, stop),
            (retry, context, warn, audit),
            (rewrite, respond, tools, redact, replace, more),
        )| {
            let (defer, clear_context, conceals, cache) = more;
            let texts = [
                (EffectKind::Deny, deny),
                (EffectKind::Ask, ask),
                (EffectKind::Allow, allow),
                (EffectKind::Stop, stop),
                (EffectKind::Retry, retry),
                (EffectKind::Context, context),
                (EffectKind::Warn, warn),
                (EffectKind::Audit, audit),
                (EffectKind::Respond, respond),
                (EffectKind::Replace, replace),
                (EffectKind::Defer, defer),
                (EffectKind::ClearContext, clear_context),
            ];
            let mut notes = Notes::default();
            for (effect, texts) in texts {
                notes.extend(effect, texts);
            }
            Verdict {
                notes,
                redact,
                remember_approval: false,
                has_secret: conceals,
                cache,
                exhausted: std::collections::BTreeSet::new(),
                tools,
                rewrite: rewrite
                    .into_iter()
                    .map(|(field, (rule, value))| (field, vec![Proposal { rule, value: value.into() }]))
                    .collect(),
            }
        },
    )
}

proptest! {
    #[test]
    fn merging_is_associative_commutative_and_idempotent(a in verdict(), b in verdict(), c in verdict()) {
        let left = a.clone().merge(b.clone()).merge(c.clone());
        prop_assert_eq!(&left, &a.clone().merge(b.clone().merge(c)));
        prop_assert_eq!(a.clone().merge(b.clone()), b.merge(a.clone()));
        prop_assert_eq!(a.clone().merge(a.clone()), a.clone());
        prop_assert_eq!(a.clone().merge(Verdict::default()), a);
    }

    #[test]
    fn merging_never_makes_a_decision_milder(a in verdict(), b in verdict()) {
        let both = a.clone().merge(b.clone()).decision();
        prop_assert!(both >= a.decision());
        prop_assert!(both >= b.decision());
    }

    #[test]
    fn no_redaction_undoes_another(one in redactions(), other in redactions(), text in "[a-z\u{e9}\u{1F600}]{0,10}") {
        let mut both = one.clone();
        both.extend(other.clone());
        let mut reverse = other.clone();
        reverse.extend(one.clone());
        prop_assert_eq!(both.apply(0, &text), reverse.apply(0, &text));
        // Each character of the text is other than all that is written anywhere, so what stays can be told.
        let marked: String = text.char_indices().map(|(at, _)| char::from_u32(0x4e00 + u32::try_from(at).unwrap()).unwrap()).collect();
        let stays = |redactions: &Redactions| {
            let shown = redactions.apply(0, &marked).unwrap_or_else(|| marked.clone());
            shown.chars().filter(|character| marked.contains(*character)).collect::<Vec<_>>()
        };
        let (left, first, second) = (stays(&both), stays(&one), stays(&other));
        let expected: Vec<char> = first.into_iter().filter(|character| second.contains(character)).collect();
        prop_assert_eq!(left, expected);
    }

    #[test]
    fn a_payload_of_any_bytes_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_payload(&bytes);
    }

    #[test]
    fn a_payload_of_any_text_with_escapes_is_read_or_refused(text in r#"\{"[a-z]{1,3}":"(\\u[0-9a-fA-F]{0,4}|\\.|[a-z]){0,8}"\}?"#) {
        let _ = parse_payload(text.as_bytes());
    }
}

fn recorded_payloads() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for host in HOSTS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/payloads").join(host.name);
        // Of a host that could not be run, none is recorded.
        for entry in fs::read_dir(folder).into_iter().flatten() {
            found.push((host.name.to_owned(), fs::read(entry.unwrap().path()).unwrap()));
        }
    }
    assert!(found.len() > 130);
    found
}

/// Takes away each field in turn, and puts a value of another kind in its place: the event is read,
/// or refused with a reason, and either way the host gets an answer.
#[test]
fn damaged_payloads_are_read_or_refused() {
    let manner = HostMode { interactive: false, ask_fallback: AskFallback::Deny, version: None };
    for (name, bytes) in recorded_payloads() {
        let host = HOSTS.iter().find(|host| host.name == name).unwrap();
        let whole = parse_payload(&bytes).unwrap();
        for key in whole.keys() {
            for value in [
                None,
                Some(serde_json::json!(null)),
                Some(serde_json::json!([1, {"a": null}])),
                Some(serde_json::json!(7)),
            ] {
                let mut damaged = whole.clone();
                match value {
                    None => drop(damaged.remove(key)),
                    Some(value) => drop(damaged.insert(key.clone(), value)),
                }
                match read_event(host, &damaged, &ArgumentNames::default()) {
                    Ok(event) => drop(host.answer(&event, Verdict::default(), manner)),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}

/// A tool call from which anything that a judgement needs is gone is never taken for a harmless one.
#[test]
fn a_tool_call_without_its_tool_is_unreadable() {
    for (name, bytes) in recorded_payloads() {
        let host = HOSTS.iter().find(|host| host.name == name).unwrap();
        let whole = parse_payload(&bytes).unwrap();
        let wire = whole["hook_event_name"].as_str().unwrap().to_owned();
        let refusable = host.event_row(&wire).is_some_and(|row| row.support(EffectKind::Deny).is_some());
        for key in ["tool_name", "tool_input"] {
            let mut damaged = whole.clone();
            if refusable && damaged.remove(key).is_some() {
                assert!(read_event(host, &damaged, &ArgumentNames::default()).is_err(), "{wire} without {key}");
            }
        }
    }
}

#[test]
fn truncated_payloads_are_refused() {
    for (_, bytes) in recorded_payloads() {
        for end in (0..bytes.len().saturating_sub(1)).step_by(97) {
            let head = &bytes[..end];
            if !head.trim_ascii_end().ends_with(b"}") || end < bytes.len() / 2 {
                assert!(parse_payload(head).is_err());
            }
        }
    }
}
