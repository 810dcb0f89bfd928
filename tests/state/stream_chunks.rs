//! Every way to cut an answer: what a host would show of it, without a process for every piece.

use ruleward::adapters::{Host, read_event};
use ruleward::domain::decide::decide;
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::facts::Facts;
use ruleward::domain::facts::script::EmptyFileSystem;
use ruleward::domain::policy::Policy;
use ruleward::domain::text::path::PathContext;
use ruleward::domain::verdict::redaction::RedactionStream;
use ruleward::io::platform::{OsFamily, Platform};
use ruleward::io::policy::load::{LoadRequest, load};
use ruleward::io::trust::TrustBasis;
use serde_json::{Map, Value};

use super::streams::{ACCOUNT, ADDRESS, CARD, KEY, POLICY, chunk_fields, even_cuts, is_redacted};

/// Hosts that hand out answers piece by piece, and take another text for a piece.
const STREAMING_HOSTS: [&str; 2] = ["claude", "gemini"];

/// What stands around a secret: letters of one byte, and of two, three and four.
const SURROUNDING_TEXTS: [(&str, &str); 2] =
    [("The team uses ", " for this, and it works well."), ("Fürs Büro 😀 gilt ", " – 日本語, ça va.")];

fn policy() -> Policy {
    let surroundings = Platform::new(OsFamily::Unix, None, [].into());
    let chosen = [POLICY.to_owned()];
    let trust = TrustBasis::Assumed;
    let request = LoadRequest {
        platform: &surroundings,
        project: None,
        explicit_files: &chosen,
        hosts: &[],
        trust,
        use_cache: false,
    };
    let loaded = load(&request);
    assert!(loaded.diagnostics.is_empty());
    loaded.policy
}

fn payload(host: &str, piece: &str, index: usize, is_last: bool) -> Map<String, Value> {
    let (event, fields) = chunk_fields(host, 0, piece, index, is_last);
    let mut payload = fields.as_object().unwrap().clone();
    payload.insert("hook_event_name".into(), event.into());
    payload.insert("session_id".into(), "s".into());
    payload.insert("cwd".into(), "/p".into());
    payload
}

/// Returns what is shown of an answer that is cut at these bytes; characters are not cut.
fn display(policy: &Policy, host: &str, answer: &str, cuts: &[usize]) -> String {
    let host = Host::by_name(host).unwrap();
    let place = PathContext { cwd: "/p".into(), ..PathContext::default() };
    let ends: Vec<usize> = cuts.iter().map(|cut| answer.floor_char_boundary(*cut)).chain([answer.len()]).collect();
    let (mut shown, mut begin, mut stream) = (String::new(), 0, RedactionStream::default());
    for (index, end) in ends.iter().enumerate() {
        let payload = payload(host.name, &answer[begin..*end], index, index + 1 == ends.len());
        let piece = (host.streaming.chunk)(&payload).unwrap();
        let whole = (host.streaming.with_text)(&payload, &stream.pending_text(&piece.text));
        let event = read_event(host, &whole, &ArgumentNames::default()).unwrap();
        let facts = Facts::new(&event, &place, &EmptyFileSystem).with_detectors(&policy.detectors);
        let verdict = decide(policy, &facts).verdict;
        let step = stream.push(&piece.text, piece.is_last, &verdict.redact, None);
        shown.push_str(&step.output);
        (begin, stream) = (*end, step.next.unwrap_or_default());
    }
    shown
}

/// Cuts an answer with each secret in it at all of these places.
fn for_each_cut(cuts: impl Fn(&str, usize, usize) -> Vec<Vec<usize>>) {
    let policy = policy();
    for (before, after) in SURROUNDING_TEXTS {
        for secret in [KEY, CARD, ADDRESS, ACCOUNT] {
            let answer = format!("{before}{secret}{after}");
            for host in STREAMING_HOSTS {
                for cuts in cuts(&answer, before.len(), before.len() + secret.len()) {
                    let shown = display(&policy, host, &answer, &cuts);
                    assert!(is_redacted(&shown, secret, before, after), "{host} {cuts:?}: {shown}");
                }
            }
        }
    }
}

#[test]
fn a_secret_in_two_pieces_is_taken_out_at_every_byte_of_the_answer() {
    for_each_cut(|answer, _, _| (0..=answer.len()).map(|cut| vec![cut]).collect());
}

#[test]
fn a_secret_in_three_pieces_is_taken_out_at_every_byte() {
    for_each_cut(|_, begin, end| {
        let pairs = (begin..end).flat_map(|first| [1, 2, 5, 11].map(|length| vec![first, (first + length).min(end)]));
        pairs.collect()
    });
}

#[test]
fn a_secret_in_fifty_pieces_is_taken_out() {
    for_each_cut(|answer, _, _| (0..50).step_by(7).map(|shift| even_cuts(answer, 50, shift)).collect());
}

#[test]
fn a_secret_that_comes_byte_by_byte_is_taken_out() {
    for_each_cut(|answer, _, _| vec![(1..answer.len()).collect()]);
}
