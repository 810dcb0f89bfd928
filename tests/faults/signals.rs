//! Signals at any moment.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{HARMFUL, HARMLESS, HOSTS, run, wait_for_exit};
use crate::common::{Machine, iterations, output_text, refuses};

const STATEFUL_POLICY: &str = "version: 1
audit: everything
rules:
  - { id: enough, when: tool.before, if: session.calls > 1000000, then: { deny: Enough. } }
";

/// More than a pipe holds on any machine, also where pages are large: once so much is written, its reader runs.
const MORE_THAN_A_PIPE_HOLDS: usize = 2 << 20;

/// Starts a program, and returns when it has provably read from its standard input. Blanks may stand before a payload.
fn spawn_reading(mut command: Command) -> io::Result<(Child, ChildStdin)> {
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().unwrap();
    if let Err(error) = stdin.write_all(&vec![b' '; MORE_THAN_A_PIPE_HOLDS]) {
        child.wait()?;
        return Err(error);
    }
    Ok((child, stdin))
}

/// How long something takes on this machine now: the median of some runs.
fn median_duration(mut run: impl FnMut()) -> Duration {
    let mut durations = [Duration::ZERO; 5];
    for duration in &mut durations {
        let begun = Instant::now();
        run();
        *duration = begun.elapsed();
    }
    durations.sort();
    durations[2]
}

/// A moment within this time, another one in every round.
fn moment(round: usize, within: Duration) -> Duration {
    within * u32::try_from(round.wrapping_mul(7919) % 1000).unwrap() / 1000
}

#[test]
fn a_signal_that_asks_to_end() {
    let machine = Machine::new();
    let signals = [Signal::TERM, Signal::INT, Signal::HUP];
    let hook = |host: &str| machine.command(&["hook", host, "--deadline=60"]);
    let payload = |host: &str| machine.shell_payload(host, HARMFUL);
    let whole = median_duration(|| drop(run(hook("claude"), &payload("claude"))));
    for round in 0..iterations(45, 1000) {
        let host = HOSTS[round % HOSTS.len()];
        let signal = signals[round / HOSTS.len() % signals.len()];
        // From the first moment on. Before the program itself runs, while it is loaded, nothing can be done about it.
        let mut child = hook(host).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&payload(host)).unwrap();
        thread::sleep(moment(round, whole));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let ran = wait_for_exit(child);
        let never_began = ran.code.is_none() && ran.stdout.is_empty();
        assert!(never_began || refuses(host, &ran), "{host} {signal:?}: {}", output_text(&machine, &ran));
        // From the moment on at which it reads: always answered.
        let (child, mut stdin) = spawn_reading(hook(host)).unwrap();
        stdin.write_all(&payload(host)).unwrap();
        drop(stdin);
        thread::sleep(moment(round, whole));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let ran = wait_for_exit(child);
        assert!(refuses(host, &ran), "{host} {signal:?}: {}", output_text(&machine, &ran));
    }
}

#[test]
fn a_signal_while_the_payload_is_on_its_way() {
    let machine = Machine::new();
    for host in HOSTS {
        for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::XCPU, Signal::XFSZ] {
            let (child, mut stdin) = spawn_reading(machine.command(&["hook", host, "--deadline=60"])).unwrap();
            kill_process(Pid::from_child(&child), signal).unwrap();
            stdin.write_all(&machine.shell_payload(host, HARMFUL)).unwrap();
            drop(stdin);
            let ran = wait_for_exit(child);
            assert!(refuses(host, &ran), "{host} {signal:?}: {}", output_text(&machine, &ran));
        }
    }
}

/// Whether programs that are started from here ignore a signal: what a shell runs in the background ignores `SIGQUIT`.
#[cfg(target_os = "linux")]
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

/// The payload would be in it. The limit on their size is the person's: that there is none is the program's own doing.
#[cfg(target_os = "linux")]
#[test]
fn no_core_is_written() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    use crate::common::skip;

    const NAME: &str = "faults::signals::no_core_is_written";
    if is_ignored(Signal::QUIT) {
        skip(NAME, "`SIGQUIT` is ignored here");
        return;
    }
    let machine = Machine::new();
    // Ended by a signal that leaves a core, while it reads.
    let dumps = |command: Command| -> io::Result<bool> {
        let (mut child, stdin) = spawn_reading(command)?;
        kill_process(Pid::from_child(&child), Signal::QUIT)?;
        let status = child.wait()?;
        drop(stdin);
        assert_eq!(status.signal(), Some(Signal::QUIT.as_raw()), "{status}");
        Ok(status.core_dumped())
    };
    let unlimited = "ulimit -c unlimited || exit";
    let mut other = Command::new("/bin/sh");
    other.args(["-c", &format!("{unlimited}; exec cat >/dev/null")]).current_dir(machine.project());
    other.stdin(Stdio::piped());
    // Without the right to such cores, the shell ends at once.
    if !dumps(other).is_ok_and(|dumped| dumped) {
        skip(NAME, "no program leaves a core here");
        return;
    }
    for host in HOSTS {
        let hook = machine.command_with_prelude(unlimited, &["hook", host, "--deadline=60"]);
        assert!(!dumps(hook).unwrap(), "{host}");
    }
}

/// Nothing helps against being killed; what was kept is whole, and the next hook goes on with it.
#[test]
fn killed_outright() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", STATEFUL_POLICY);
    let hook = || machine.command(&["hook", "claude", "--deadline=60"]);
    let payload = machine.shell_payload("claude", HARMFUL);
    let whole = median_duration(|| drop(run(hook(), &payload)));
    for round in 0..iterations(45, 1000) {
        let mut child = hook().spawn().unwrap();
        child.stdin.take().unwrap().write_all(&payload).unwrap();
        thread::sleep(moment(round, whole));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", HARMFUL));
    assert!(refuses("claude", &ran), "{}", output_text(&machine, &ran));
    let ran = run(machine.command(&["hook", "claude"]), &machine.shell_payload("claude", HARMLESS));
    assert_eq!(output_text(&machine, &ran), "exit 0\n");
    let ran = run(machine.command(&["state", "show"]), b"");
    assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
    let ran = run(machine.command(&["audit", "verify"]), b"");
    // A writer may have been cut off in its line, which is told; no record before or behind it is touched.
    let told = ran.stdout.lines().chain(ran.stderr.lines()).filter(|line| line.contains("changed")).count();
    assert_eq!(told, 0, "{}", output_text(&machine, &ran));
}
