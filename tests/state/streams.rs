//! Answers of the model that come in pieces, each of which is a process of its own.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::Machine;

pub(super) const POLICY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies/answers.yaml");

pub(super) const KEY: &str = "glpat-9xNaGNkFTNOBb16yFPDC";
pub(super) const CARD: &str = "4539 1488 0343 6467";
pub(super) const ADDRESS: &str = "jane.doe@acme-corp.io";
pub(super) const ACCOUNT: &str = "DE89 3704 0044 0532 0130 00";

/// A machine with the policy, and the number of the answer that comes next.
struct StreamDisplay {
    machine: Machine,
    answers: usize,
}

impl StreamDisplay {
    fn new() -> Self {
        Self { machine: Machine::new(), answers: 0 }
    }

    /// Returns what a host shows of an answer that is cut at these bytes.
    fn display(&mut self, host: &str, answer: &str, cuts: &[usize]) -> String {
        self.answers += 1;
        let ends: Vec<usize> = cuts.iter().copied().chain([answer.len()]).collect();
        let (mut shown, mut begin) = (String::new(), 0);
        for (index, end) in ends.iter().enumerate() {
            let is_last = index + 1 == ends.len();
            shown.push_str(&self.display_chunk(host, &answer[begin..*end], index, is_last));
            begin = *end;
        }
        shown
    }

    fn display_chunk(&self, host: &str, piece: &str, index: usize, is_last: bool) -> String {
        let (event, fields) = chunk_fields(host, self.answers, piece, index, is_last);
        let payload = self.machine.payload(event, &fields);
        let ran = self.machine.run(&["hook", host, "--policy", POLICY], &payload);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
        if ran.stdout.is_empty() {
            return piece.to_owned();
        }
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        let specific = &answer["hookSpecificOutput"];
        let text = specific.get("displayContent").or_else(|| specific.pointer("/llm_response/text"));
        let said = answer.get("systemMessage").and_then(Value::as_str).unwrap_or_default();
        text.map_or(piece, |text| text.as_str().unwrap()).to_owned() + said
    }
}

/// Returns the event with which a host tells of a piece, and the fields of its payload.
pub(super) fn chunk_fields(
    host: &str,
    answer: usize,
    piece: &str,
    index: usize,
    is_last: bool,
) -> (&'static str, Value) {
    if host == "claude" {
        let fields = json!({
            "turn_id": "t", "message_id": answer.to_string(), "index": index, "final": is_last, "delta": piece,
        });
        return ("MessageDisplay", fields);
    }
    let mut candidate = json!({ "content": { "role": "model", "parts": [piece] }, "index": 0 });
    if is_last {
        candidate["finishReason"] = json!("STOP");
    }
    let fields = json!({
        "llm_request": { "model": "m", "messages": [{ "role": "user", "content": answer.to_string() }] },
        "llm_response": { "text": piece, "candidates": [candidate] },
    });
    ("AfterModel", fields)
}

/// Cuts a text into so many pieces of about the same length.
pub(super) fn even_cuts(text: &str, pieces: usize, shift: usize) -> Vec<usize> {
    (1..pieces).map(|number| ((number * text.len() + shift) / pieces).min(text.len())).collect()
}

/// Beginnings of up to so many letters may be shown: they could be a word, or its beginning.
const MAX_PREFIX_LETTERS: usize = 5;

/// Tells whether a secret was taken out of what is shown, and nothing else was.
pub(super) fn is_redacted(shown: &str, secret: &str, before: &str, after: &str) -> bool {
    let letters =
        secret.bytes().take(MAX_PREFIX_LETTERS).take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'.').count();
    (0..=letters).any(|begin| shown == format!("{before}{}[taken]{after}", &secret[..begin]))
}

fn assert_redacted(screen: &mut StreamDisplay, host: &str, secret: &str, cuts: &[usize]) {
    let answer = answer_with(secret);
    let shown = screen.display(host, &answer, cuts);
    let (before, after) = answer.split_once(secret).unwrap();
    assert!(is_redacted(&shown, secret, before, after), "{host} {cuts:?}: {shown}");
}

fn answer_with(secret: &str) -> String {
    format!("The team uses {secret} for this, and it works well.")
}

#[test]
fn a_secret_in_two_pieces_is_taken_out_at_every_byte() {
    for (host, secret) in [("claude", KEY), ("gemini", CARD)] {
        let mut screen = StreamDisplay::new();
        let start = answer_with(secret).find(secret).unwrap();
        for cut in start..=start + secret.len() {
            assert_redacted(&mut screen, host, secret, &[cut]);
        }
    }
}

#[test]
fn a_secret_in_many_pieces_is_taken_out() {
    for (host, secret) in [("claude", CARD), ("gemini", KEY), ("claude", ADDRESS), ("gemini", ACCOUNT)] {
        let mut screen = StreamDisplay::new();
        let text = answer_with(secret);
        let start = text.find(secret).unwrap();
        for first in (start..start + secret.len()).step_by(5) {
            assert_redacted(&mut screen, host, secret, &[first, first + 4]);
        }
        assert_redacted(&mut screen, host, secret, &even_cuts(&text, 50, 0));
        assert_redacted(&mut screen, host, secret, &even_cuts(&text, 50, 25));
    }
}

#[test]
fn an_ordinary_answer_is_shown_as_it_is() {
    let mut screen = StreamDisplay::new();
    let text = "In 2024, fooBar said v1.2 and HTTP2 = ok; call 555-0100 or see src/main.rs: `let a = b1;`\n";
    for host in ["claude", "gemini"] {
        assert_eq!(screen.display(host, text, &even_cuts(text, 12, 0)), text, "{host}");
    }
}

#[test]
fn what_was_held_back_is_said_beside_a_piece_that_may_hold_a_call() {
    let screen = StreamDisplay::new();
    assert_eq!(screen.display_chunk("gemini", "see src2", 0, false), "see ");
    assert_eq!(screen.display_chunk("gemini", "", 1, true), "src2");
}

#[test]
fn no_value_lies_in_the_memory() {
    let mut screen = StreamDisplay::new();
    for host in ["claude", "gemini"] {
        screen.answers += 1;
        assert_eq!(screen.display_chunk(host, &format!("It is {KEY}"), 0, false), "It is ");
        assert_eq!(screen.display_chunk(host, &format!("! And {CARD}"), 1, false), "[taken]! And ");
    }
    let mut files = 0;
    for_each_file(&screen.machine.home().join(".state"), &mut |bytes| {
        files += 1;
        for part in [&KEY[6..], &CARD[5..]] {
            assert!(!bytes.windows(part.len()).any(|window| window == part.as_bytes()));
        }
    });
    assert!(files > 0);
}

fn for_each_file(path: &Path, look: &mut dyn FnMut(&[u8])) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            for_each_file(&entry.unwrap().path(), look);
        }
    } else {
        look(&fs::read(path).unwrap());
    }
}
