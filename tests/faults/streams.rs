//! The standard streams: closed, full, slow and endless.

use std::fs::{self, File};
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::{HARMFUL, HARMLESS, HOSTS, run, wait_for_exit};
use crate::common::{Machine, RunOutput, output_text, refuses};

/// Asserts that a hook which could say nothing on its standard output is taken for a refusal: by the exit
/// code, and by the answer on standard error.
fn assert_refused_on_stderr(machine: &Machine, host: &str, ran: &RunOutput) {
    assert_eq!(ran.code, Some(2), "{host}: {}", output_text(machine, ran));
    let answer = RunOutput { stdout: ran.stderr.clone(), stderr: String::new(), code: Some(0) };
    assert!(refuses(host, &answer), "{host}: {}", output_text(machine, ran));
}

#[test]
fn standard_output_is_closed() {
    let machine = Machine::new();
    for host in HOSTS {
        let ran = run(machine.command_with_prelude("exec >&-", &["hook", host]), &machine.shell_payload(host, HARMFUL));
        assert_refused_on_stderr(&machine, host, &ran);
        let ran =
            run(machine.command_with_prelude("exec >&-", &["hook", host]), &machine.shell_payload(host, HARMLESS));
        assert_eq!(output_text(&machine, &ran), "exit 0\n");
    }
}

#[test]
fn standard_output_is_full() {
    let machine = Machine::new();
    for host in HOSTS {
        let mut hook = machine.command(&["hook", host]);
        hook.stdout(Stdio::from(File::options().write(true).open("/dev/full").unwrap()));
        assert_refused_on_stderr(&machine, host, &run(hook, &machine.shell_payload(host, HARMFUL)));
    }
}

#[test]
fn every_stream_is_closed() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\naudit: everything\n");
    for host in HOSTS {
        // Nothing that is opened may take the place of a stream, and have an answer written into it.
        let ran = run(machine.command_with_prelude("exec <&- >&- 2>&-", &["hook", host]), b"");
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(2), "", ""), "{host}");
    }
    for line in machine.read(".state/ruleward/audit.jsonl").unwrap_or_default().lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}

#[test]
fn standard_input_is_closed() {
    let machine = Machine::new();
    for host in HOSTS {
        let ran = run(machine.command_with_prelude("exec <&-", &["hook", host]), b"");
        let text = format!("{}{}", ran.stdout, ran.stderr);
        assert!(text.contains("not valid JSON"), "{host}: {}", output_text(&machine, &ran));
        assert_eq!(ran.code, Some(if host == "claude" { 2 } else { 0 }));
    }
}

#[test]
fn standard_input_is_a_directory() {
    let machine = Machine::new();
    for host in HOSTS {
        let ran = run(machine.command_with_prelude("exec </", &["hook", host]), b"");
        assert!(
            format!("{}{}", ran.stdout, ran.stderr).contains("could not be read"),
            "{}",
            output_text(&machine, &ran)
        );
    }
}

#[test]
fn standard_input_is_slow() {
    let machine = Machine::new();
    for host in HOSTS {
        let mut child = machine.command(&["hook", host, "--deadline=60"]).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let payload = machine.shell_payload(host, HARMFUL);
        let feed = thread::spawn(move || {
            for piece in payload.chunks(16) {
                pipe.write_all(piece).unwrap();
                thread::sleep(Duration::from_millis(10));
            }
        });
        let ran = wait_for_exit(child);
        feed.join().unwrap();
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
    }
}

#[test]
fn standard_input_is_endless() {
    let machine = Machine::new();
    for host in HOSTS {
        let mut hook = machine.command(&["hook", host, "--deadline=60"]);
        hook.stdin(Stdio::from(File::open("/dev/zero").unwrap()));
        let ran = wait_for_exit(hook.spawn().unwrap());
        let text = format!("{}{}", ran.stdout, ran.stderr);
        assert!(text.contains("larger than 64 MiB"), "{host}: {}", output_text(&machine, &ran));
    }
}

#[test]
fn a_payload_of_fifty_megabytes() {
    let machine = Machine::new();
    let content = "x".repeat(50 << 20);
    let payload = machine.shell_payload("claude", &format!("echo {content}; {HARMFUL}"));
    let ran = run(machine.command(&["hook", "claude", "--deadline=2"]), &payload);
    assert!(refuses("claude", &ran), "{}", output_text(&machine, &ran));
    assert!(ran.stdout.len() < 10_000, "an answer of {} bytes", ran.stdout.len());
    let kept = machine.home().join(".state/ruleward/audit.jsonl");
    assert!(fs::metadata(kept).map_or(0, |metadata| metadata.len()) < 1 << 20);
}
