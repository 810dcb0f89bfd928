//! The targets of cargo-fuzz without it: the same functions, driven over the seeds and the recorded payloads
//! by a mutator of our own, for a bounded time.
//!
//! `RULEWARD_FUZZ` sets how many inputs each target gets, `RULEWARD_FUZZ_SEED` where the mutator begins.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::common::rng::Rng;
use ruleward::domain::state::State;

#[expect(unreachable_pub, reason = "the programs of cargo-fuzz use them from outside")]
#[path = "../fuzz/src/lib.rs"]
pub(crate) mod targets;

use targets::{TARGETS, Target};

/// Inputs that each target gets by default.
const DEFAULT_INPUTS: usize = 60;
/// Bytes that an input may have.
const MAX_INPUT_BYTES: usize = 8 << 10;
/// Longer than any one input takes, on the slowest machine.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Words at which readers of such inputs take another way.
const DICTIONARY: &[&str] = &[
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "\u{feff}",
    "\0",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "1e999",
    "18446744073709551616",
    "\"hook_event_name\":\"PreToolUse\"",
    "\"tool_name\":\"Bash\"",
    "\"tool_input\":{}",
    "\"command\":\"rm -rf ~/\"",
    "\"cwd\":\"/\"",
    "$(",
    "`",
    "<<E\n",
    "'",
    ";",
    "&&",
    "|",
    "\n",
    "${",
    "((",
    "*a ",
    "&a ",
    "<<: ",
    "- ",
    "  ",
    "!!",
    "%",
    "{{",
    "}}",
    "../",
    "~/",
    "ghp_",
    "AKIA",
    "-----BEGIN",
    "SQLite format 3\0",
    "é",
    "\u{202e}",
];

/// Changes an input in one to six places.
fn mutate(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.choose(seeds).clone();
    for _ in 0..=rng.below(6) {
        let (at, other) = (rng.below(bytes.len() + 1), rng.below(bytes.len() + 1));
        let (start, end) = (at.min(other), at.max(other).min(at.min(other) + 64));
        match rng.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 => drop(bytes.drain(start..end)),
            2 => drop(bytes.splice(at..at, rng.choose(DICTIONARY).bytes())),
            3 => {
                let piece = bytes[start..end].repeat(1 + rng.below(8));
                drop(bytes.splice(at..at, piece));
            }
            4 => {
                let donor = rng.choose(seeds);
                let from = rng.below(donor.len() + 1);
                let to = from + rng.below(donor.len() + 1 - from);
                drop(bytes.splice(start..end, donor[from..to].iter().copied()));
            }
            5 => bytes.truncate(at.max(1)),
            _ => drop(bytes.splice(start..end, rng.choose(DICTIONARY).bytes())),
        }
        bytes.truncate(MAX_INPUT_BYTES);
    }
    bytes
}

fn read_files(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

fn seeds(target: Target) -> Vec<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut seeds = read_files(&root.join("fuzz/seeds").join(target.name));
    assert!(!seeds.is_empty(), "fuzz/seeds/{} is empty", target.name);
    if ["payload", "call"].contains(&target.name) {
        for host in ["claude", "gemini"] {
            seeds.extend(read_files(&root.join("tests/payloads").join(host)));
        }
    }
    seeds
}

fn env_number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Gives a target its seeds, then what the mutator makes of them; what is said names the input of a failure.
fn run_target(target: Target) {
    let inputs = env_number("RULEWARD_FUZZ").map_or(DEFAULT_INPUTS, |inputs| usize::try_from(inputs).unwrap());
    let begin = env_number("RULEWARD_FUZZ_SEED").unwrap_or(20_261_121);
    let (done, waits) = mpsc::channel();
    thread::Builder::new()
        .stack_size(8 << 20)
        .spawn(move || {
            let seeds = seeds(target);
            for round in 0..seeds.len() + inputs {
                let mut rng = Rng(begin.wrapping_add(round as u64));
                let input = seeds.get(round).cloned().unwrap_or_else(|| mutate(&seeds, &mut rng));
                let held = catch_unwind(AssertUnwindSafe(|| targets::run(target.name, &input))).is_ok();
                let told = (!held).then(|| String::from_utf8_lossy(&input).into_owned());
                if done.send((round, told)).is_err() || !held {
                    return;
                }
            }
        })
        .unwrap();
    let mut last = None;
    loop {
        match waits.recv_timeout(TIMEOUT) {
            Ok((round, None)) => last = Some(round),
            Ok((round, Some(input))) => panic!("{}, seed {begin}, input {round}: {input:?}", target.name),
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{}, seed {begin}: no end after {last:?}", target.name),
        }
    }
}

fn target_by_name(name: &str) -> Target {
    *TARGETS.iter().find(|target| target.name == name).unwrap()
}

#[test]
fn payloads_of_any_bytes() {
    run_target(target_by_name("payload"));
}

#[test]
fn harmful_calls_with_anything_about_them() {
    run_target(target_by_name("call"));
}

#[test]
fn policies_of_any_text() {
    run_target(target_by_name("policy"));
}

#[test]
fn commands_of_any_text() {
    run_target(target_by_name("command"));
}

#[test]
fn contents_of_any_text() {
    run_target(target_by_name("content"));
}

#[test]
fn records_of_any_text() {
    run_target(target_by_name("state"));
}

#[test]
fn databases_of_any_bytes() {
    run_target(target_by_name("database"));
}

/// Or else the seeds lead nowhere: what is no database at all is refused at once.
#[test]
fn the_whole_databases_among_the_seeds_are_read() {
    for name in ["whole.bin", "log.bin"] {
        let bytes = fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/database").join(name)).unwrap();
        let told = targets::files::read_database(&bytes).unwrap();
        let nothing = State::default();
        assert!(
            told.session != nothing.session && told.project != nothing.project && told.day != nothing.day,
            "{name}"
        );
    }
}

#[test]
fn entries_of_any_bytes() {
    run_target(target_by_name("cache"));
}

#[test]
fn settings_of_any_text() {
    run_target(target_by_name("settings"));
}

#[test]
fn answers_of_any_text() {
    run_target(target_by_name("answer"));
}

#[test]
fn every_target_has_its_program() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        let program = fs::read_to_string(root.join(format!("fuzz_targets/{}.rs", target.name))).unwrap();
        assert!(program.contains(&format!("run(\"{}\"", target.name)), "{}", target.name);
        assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{}", target.name);
        assert!(!seeds(*target).is_empty());
    }
}
