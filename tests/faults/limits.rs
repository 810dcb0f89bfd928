//! What the system grants: descriptors, memory, sizes of files, room on the disk, processes.

use std::fs;

use super::{HARMFUL, HARMLESS, HOSTS, run};
use crate::common::{Machine, RunOutput, iterations, output_text, reason, refuses, skip};

const COUNTING_POLICY: &str = "version: 1
rules:
  - { id: enough, when: tool.before, if: session.calls > 1000, then: { deny: \"{{ session.calls }} calls\" } }
";

/// What the tests inherited beside the standard streams is not the program's.
const CLOSE_INHERITED: &str = "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-";

#[test]
fn eight_file_descriptors() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", &format!("{COUNTING_POLICY}audit: everything\n"));
    for host in HOSTS {
        let limited = |command| {
            let hook = machine.command_with_prelude(&format!("{CLOSE_INHERITED}; ulimit -n 8"), &["hook", host]);
            run(hook, &machine.shell_payload(host, command))
        };
        let ran = limited(HARMFUL);
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        assert_eq!(output_text(&machine, &limited(HARMLESS)), "exit 0\n");
    }
}

#[test]
fn no_file_descriptors() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", COUNTING_POLICY);
    let mut begun = 0;
    for limit in 4..8 {
        for host in HOSTS {
            let prelude = format!("{CLOSE_INHERITED}; ulimit -n {limit}");
            let ran =
                run(machine.command_with_prelude(&prelude, &["hook", host]), &machine.shell_payload(host, HARMFUL));
            // With fewer than it takes to load the program, no line of it runs.
            if ran.code == Some(127) && ran.stdout.is_empty() {
                continue;
            }
            begun += 1;
            // The policy, the state or the log cannot be opened, and the last one is no reason to refuse.
            assert!(refuses(host, &ran), "{limit}: {}", output_text(&machine, &ran));
        }
    }
    assert!(begun > 0, "no limit was met while the program ran");
}

/// An abort of the runtime is no death by a signal, which hosts take for an approval.
#[cfg(target_os = "linux")]
#[test]
fn no_memory() {
    let machine = Machine::new();
    let mut without = 0;
    let large = machine.shell_payload("claude", &format!("{HARMFUL} {}", "x ".repeat(2 << 20)));
    for limit in (40_000..130_000).step_by(iterations(15_000, 1_000)) {
        let hook = machine.command_with_prelude(&format!("ulimit -v {limit}"), &["hook", "claude", "--deadline=60"]);
        let ran = run(hook, &large);
        // With hardly more than that, the thread that keeps the deadline cannot be had.
        if ran.code == Some(2)
            && ["memory", "address space", "the deadline can't be set"].iter().any(|why| ran.stderr.contains(why))
        {
            without += 1;
            continue;
        }
        // With less than it takes to load the program, no line of it runs.
        let never_began = ran.stdout.is_empty() && (ran.code.is_none() || ran.code == Some(127));
        assert!(never_began || refuses("claude", &ran), "{limit}: {}", output_text(&machine, &ran));
    }
    assert!(without > 0, "no limit was met while the program ran");
}

/// Below what it takes to judge anything, the hook refuses by its exit code. Below what it takes to load the program,
/// the kernel refuses to start it, or ends it before any line of it runs.
#[cfg(target_os = "linux")]
#[test]
fn next_to_no_address_space() {
    let machine = Machine::new();
    let limited = |limit: usize, host: &str, command: &str| {
        let hook = machine.command_with_prelude(&format!("ulimit -v {limit}"), &["hook", host, "--deadline=60"]);
        run(hook, &machine.shell_payload(host, command))
    };
    let mut is_loaded = false;
    let mut refused = 0;
    for limit in (8_192..98_304).step_by(iterations(2_048, 256)) {
        for host in HOSTS {
            let ran = limited(limit, host, HARMFUL);
            is_loaded |= ran.code == Some(2) || ran.code == Some(0);
            if !is_loaded {
                assert!(ran.stdout.is_empty(), "{limit}: {}", output_text(&machine, &ran));
                continue;
            }
            let by_code = ran.code == Some(2) && !ran.stderr.is_empty();
            refused += usize::from(by_code);
            assert!(by_code || refuses(host, &ran), "{limit}: {}", output_text(&machine, &ran));
        }
    }
    assert!(refused > 0, "no limit was met while the program ran");
    assert_eq!(output_text(&machine, &limited(98_304, "claude", HARMLESS)), "exit 0\n");
}

#[test]
fn files_that_may_not_grow() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\naudit: everything\n");
    for host in HOSTS {
        let ran =
            run(machine.command_with_prelude("ulimit -f 0", &["hook", host]), &machine.shell_payload(host, HARMFUL));
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        let ran =
            run(machine.command_with_prelude("ulimit -f 0", &["hook", host]), &machine.shell_payload(host, HARMLESS));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "a record that cannot be kept changes no answer");
    }
    machine.write(".config/ruleward/policy.yaml", COUNTING_POLICY);
    for host in HOSTS {
        let ran =
            run(machine.command_with_prelude("ulimit -f 0", &["hook", host]), &machine.shell_payload(host, HARMLESS));
        assert!(refuses(host, &ran), "what is to be remembered and cannot: {}", output_text(&machine, &ran));
    }
}

#[test]
fn a_limit_on_processor_time() {
    let machine = Machine::new();
    let content = "x ".repeat(3 << 20);
    let payload = machine.shell_payload("claude", &format!("echo {content}; {HARMFUL}"));
    let hook = machine.command_with_prelude("ulimit -S -t 1", &["hook", "claude", "--deadline=20"]);
    let ran = run(hook, &payload);
    assert!(refuses("claude", &ran), "{}", output_text(&machine, &ran));
}

/// Runs hooks where the state lies on a disk of 64 KiB of its own; `None` where no such disk can be had.
#[cfg(target_os = "linux")]
fn run_on_small_disk(machine: &Machine, before: &str, host: &str, command: &str) -> Option<RunOutput> {
    let state = machine.home().join(".state/ruleward");
    fs::create_dir_all(&state).unwrap();
    let mount = format!(
        "mount -t tmpfs -o size=64k,mode=700 tmpfs {0} || exit 99; cd {0} || exit 98; {before}; cd - >/dev/null; exec \"$0\" \"$@\"",
        state.display()
    );
    let mut unshared =
        machine.command_with_prelude("exec unshare -rm /bin/sh -c \"$PREPARE\" \"$0\" \"$@\"", &["hook", host]);
    unshared.env("PREPARE", mount);
    let ran = run(unshared, &machine.shell_payload(host, command));
    let has_none = ran.code == Some(99) || ran.stderr.contains("unshare") || ran.code == Some(127);
    if has_none {
        let why = format!("no disk of its own can be had here: {}", ran.stderr.trim());
        skip("faults::limits::a_disk_that_is_full, faults::limits::a_disk_that_is_read_only", &why);
    }
    (!has_none).then_some(ran)
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full() {
    let machine = Machine::new();
    let fill = "head -c 1000000 /dev/zero >filler 2>/dev/null";
    for host in HOSTS {
        machine.write(".config/ruleward/policy.yaml", "version: 1\naudit: everything\n");
        let Some(ran) = run_on_small_disk(&machine, fill, host, HARMFUL) else { return };
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        let ran = run_on_small_disk(&machine, fill, host, HARMLESS).unwrap();
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "a record that cannot be kept changes no answer");
        machine.write(".config/ruleward/policy.yaml", COUNTING_POLICY);
        let ran = run_on_small_disk(&machine, fill, host, HARMLESS).unwrap();
        assert!(refuses(host, &ran), "what is to be remembered and cannot: {}", output_text(&machine, &ran));
        assert!(reason(host, &ran).contains("disk"), "{}", reason(host, &ran));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_read_only() {
    let machine = Machine::new();
    let locked = "mount -o remount,ro .";
    for host in HOSTS {
        machine.write(".config/ruleward/policy.yaml", "version: 1\naudit: everything\n");
        let Some(ran) = run_on_small_disk(&machine, locked, host, HARMFUL) else { return };
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        let ran = run_on_small_disk(&machine, locked, host, HARMLESS).unwrap();
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "a record that cannot be kept changes no answer");
        machine.write(".config/ruleward/policy.yaml", COUNTING_POLICY);
        let ran = run_on_small_disk(&machine, locked, host, HARMLESS).unwrap();
        assert!(refuses(host, &ran), "{}", output_text(&machine, &ran));
        assert!(reason(host, &ran).contains("Read-only"), "{}", reason(host, &ran));
    }
}

#[test]
fn hundreds_of_hooks_at_once() {
    let machine = Machine::new();
    machine.write(".config/ruleward/policy.yaml", "version: 1\naudit: everything\n");
    let hooks = iterations(60, 500);
    let spawn = |number: usize| {
        let host = HOSTS[number % HOSTS.len()];
        let mut child = machine.command(&["hook", host, "--deadline=600"]).spawn().unwrap();
        let command = if number.is_multiple_of(2) { HARMFUL } else { HARMLESS };
        let payload = machine.shell_payload(host, command);
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), &payload).unwrap();
        (host, number.is_multiple_of(2), child)
    };
    let children: Vec<_> = (0..hooks).map(spawn).collect();
    for (host, harmful, child) in children {
        let ran = super::wait_for_exit(child);
        assert_eq!(refuses(host, &ran), harmful, "{}", output_text(&machine, &ran));
    }
    // All of them wanted to be recorded; one that waited too long says so and is decided all the same.
    let verified: RunOutput = run(machine.command(&["audit", "verify"]), b"");
    assert_eq!(verified.code, Some(0), "{}", output_text(&machine, &verified));
}
