//! Signals at any moment.

use std::io::Write;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{HARMFUL, HARMLESS, HOSTS, ended, run};
use crate::common::{Machine, refuses, rounds, said};

const REMEMBERING: &str = "version: 1
audit: everything
rules:
  - { id: enough, when: tool.before, if: session.calls > 1000000, then: { deny: Enough. } }
";

/// Microseconds, others in every round, over the whole time that a hook takes.
fn moment(round: usize) -> Duration {
    Duration::from_micros((round as u64).wrapping_mul(7919) % 20_000)
}

#[test]
fn a_signal_that_asks_to_end() {
    let machine = Machine::new();
    let signals = [Signal::TERM, Signal::INT, Signal::HUP];
    let (mut ignored, rounds) = (0, rounds(45, 1000));
    for round in 0..rounds {
        let host = HOSTS[round % HOSTS.len()];
        let mut child = machine.command(&["hook", host, "--deadline=60"]).spawn().unwrap();
        let pid = Pid::from_child(&child);
        child.stdin.take().unwrap().write_all(&machine.shell(host, HARMFUL)).unwrap();
        thread::sleep(moment(round));
        kill_process(pid, signals[round / HOSTS.len() % signals.len()]).unwrap();
        let ran = ended(child);
        // Before the program itself runs, while it is loaded, nothing can be done about it.
        if ran.code.is_some() {
            assert!(refuses(host, &ran), "{host}: {}", said(&machine, &ran));
            ignored += 1;
        }
        assert!(ran.code.is_some() || ran.stdout.is_empty());
    }
    assert!(ignored * 2 > rounds, "{ignored} of {rounds} answered");
}

#[test]
fn a_signal_while_the_payload_is_on_its_way() {
    let machine = Machine::new();
    for host in HOSTS {
        for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::XCPU, Signal::XFSZ] {
            let mut child = machine.command(&["hook", host, "--deadline=60"]).spawn().unwrap();
            thread::sleep(Duration::from_millis(400));
            kill_process(Pid::from_child(&child), signal).unwrap();
            child.stdin.take().unwrap().write_all(&machine.shell(host, HARMFUL)).unwrap();
            let ran = ended(child);
            assert!(refuses(host, &ran), "{host} {signal:?}: {}", said(&machine, &ran));
        }
    }
}

/// The payload would be in it. The limit on their size is the person's: that there is none is the program's own doing.
#[cfg(target_os = "linux")]
#[test]
fn no_core_is_written() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    let machine = Machine::new();
    // Ended by a signal that leaves a core, once it waits.
    let dumps = |mut command: Command| {
        let mut child = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(400));
        kill_process(Pid::from_child(&child), Signal::QUIT).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(Signal::QUIT.as_raw()), "{status}");
        status.core_dumped()
    };
    let unlimited = "ulimit -c unlimited || exit";
    let mut other = Command::new("/bin/sh");
    other.args(["-c", &format!("{unlimited}; exec sleep 60")]).current_dir(machine.project());
    if !dumps(other) {
        eprintln!("skipped: no program leaves a core here");
        return;
    }
    for host in HOSTS {
        assert!(!dumps(machine.command_after(unlimited, &["hook", host, "--deadline=60"])), "{host}");
    }
}

/// Nothing helps against being killed; what was kept is whole, and the next hook goes on with it.
#[test]
fn killed_outright() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", REMEMBERING);
    for round in 0..rounds(45, 1000) {
        let mut child = machine.command(&["hook", "claude", "--deadline=60"]).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&machine.shell("claude", HARMFUL)).unwrap();
        thread::sleep(moment(round));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell("claude", HARMFUL));
    assert!(refuses("claude", &ran), "{}", said(&machine, &ran));
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell("claude", HARMLESS));
    assert_eq!(said(&machine, &ran), "exit 0\n");
    let ran = run(machine.command(&["state", "show"]), b"");
    assert_eq!(ran.code, Some(0), "{}", said(&machine, &ran));
    let ran = run(machine.command(&["audit", "verify"]), b"");
    // A writer may have been cut off in its line, which is told; no record before or behind it is touched.
    let told = ran.stdout.lines().chain(ran.stderr.lines()).filter(|line| line.contains("changed")).count();
    assert_eq!(told, 0, "{}", said(&machine, &ran));
}
