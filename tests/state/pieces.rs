//! Every way to cut an answer: what a host would show of it, without a process for every piece.

use ruleward::adapters::{Host, read};
use ruleward::domain::decide::decide;
use ruleward::domain::facts::Facts;
use ruleward::domain::path::Place;
use ruleward::domain::policy::Policy;
use ruleward::domain::redaction::Stream;
use ruleward::domain::scripts::Bare;
use ruleward::domain::tool::Arguments;
use ruleward::io::platform::{Surroundings, System};
use ruleward::io::policy::load::{Request, load};
use ruleward::io::trust::Basis;
use serde_json::{Map, Value};

use super::streams::{ACCOUNT, ADDRESS, CARD, KEY, POLICY, evenly, fields, is_taken_out};

/// Hosts that hand out answers piece by piece, and take another text for a piece.
const STREAMING: [&str; 2] = ["claude", "gemini"];

/// What stands around a secret: letters of one byte, and of two, three and four.
const AROUND: [(&str, &str); 2] =
    [("The team uses ", " for this, and it works well."), ("Fürs Büro 😀 gilt ", " – 日本語, ça va.")];

fn policy() -> Policy {
    let surroundings = Surroundings { system: System::Unix, home: None, variables: [].into() };
    let chosen = [POLICY.to_owned()];
    let trust = Basis::Supposed;
    let request =
        Request { surroundings: &surroundings, project: None, chosen: &chosen, hosts: &[], trust, warm: false };
    let loaded = load(&request);
    assert!(loaded.diagnostics.is_empty());
    loaded.policy
}

fn payload(host: &str, piece: &str, index: usize, is_last: bool) -> Map<String, Value> {
    let (event, fields) = fields(host, 0, piece, index, is_last);
    let mut payload = fields.as_object().unwrap().clone();
    payload.insert("hook_event_name".into(), event.into());
    payload.insert("session_id".into(), "s".into());
    payload.insert("cwd".into(), "/p".into());
    payload
}

/// Returns what is shown of an answer that is cut at these bytes; characters are not cut.
fn shown(policy: &Policy, host: &str, answer: &str, cuts: &[usize]) -> String {
    let host = Host::named(host).unwrap();
    let place = Place { cwd: "/p".into(), ..Place::default() };
    let ends: Vec<usize> = cuts.iter().map(|cut| answer.floor_char_boundary(*cut)).chain([answer.len()]).collect();
    let (mut shown, mut begin, mut stream) = (String::new(), 0, Stream::default());
    for (index, end) in ends.iter().enumerate() {
        let payload = payload(host.name, &answer[begin..*end], index, index + 1 == ends.len());
        let piece = (host.pieces.piece)(&payload).unwrap();
        let whole = (host.pieces.with_text)(&payload, &stream.text_with(&piece.text));
        let event = read(host, &whole, &Arguments::default()).unwrap();
        let facts = Facts::new(&event, &place, &Bare).with_detectors(&policy.detectors);
        let verdict = decide(policy, &facts).verdict;
        let step = stream.step(&piece.text, piece.is_last, &verdict.redact, None);
        shown.push_str(&step.shown);
        (begin, stream) = (*end, step.next.unwrap_or_default());
    }
    shown
}

/// Cuts an answer with each secret in it at all of these places.
fn cut_everywhere(cuts: impl Fn(&str, usize, usize) -> Vec<Vec<usize>>) {
    let policy = policy();
    for (before, after) in AROUND {
        for secret in [KEY, CARD, ADDRESS, ACCOUNT] {
            let answer = format!("{before}{secret}{after}");
            for host in STREAMING {
                for cuts in cuts(&answer, before.len(), before.len() + secret.len()) {
                    let shown = shown(&policy, host, &answer, &cuts);
                    assert!(is_taken_out(&shown, secret, before, after), "{host} {cuts:?}: {shown}");
                }
            }
        }
    }
}

#[test]
fn a_secret_in_two_pieces_is_taken_out_at_every_byte_of_the_answer() {
    cut_everywhere(|answer, _, _| (0..=answer.len()).map(|cut| vec![cut]).collect());
}

#[test]
fn a_secret_in_three_pieces_is_taken_out_at_every_byte() {
    cut_everywhere(|_, begin, end| {
        let pairs = (begin..end).flat_map(|first| [1, 2, 5, 11].map(|length| vec![first, (first + length).min(end)]));
        pairs.collect()
    });
}

#[test]
fn a_secret_in_fifty_pieces_is_taken_out() {
    cut_everywhere(|answer, _, _| (0..50).step_by(7).map(|shift| evenly(answer, 50, shift)).collect());
}

#[test]
fn a_secret_that_comes_byte_by_byte_is_taken_out() {
    cut_everywhere(|answer, _, _| vec![(1..answer.len()).collect()]);
}
