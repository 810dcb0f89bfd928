//! The program at a terminal, as a person runs it: below no agent that may run the tests.
//!
//! The terminal is one that `script` creates, which the guard refuses as it should. So the user's own policy names
//! `script` as a terminal while the program runs.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Machine, RunOutput};

/// The user's own policy.
const POLICY: &str = ".config/ruleward/policy.yaml";
const VERSION: &str = "version: 1\n";

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Runs the program with what is typed and further variables; what it says on either stream is one.
pub(crate) fn run_at_terminal(machine: &Machine, args: &[&str], typed: &str, variables: &[(&str, &str)]) -> RunOutput {
    let before = machine.read(POLICY);
    let named = format!("{VERSION}terminals: [script]\n");
    machine.write(POLICY, &before.as_ref().map_or(named.clone(), |text| text.replacen(VERSION, &named, 1)));
    let ran = run_in_script(machine, args, typed, variables);
    match before {
        Some(text) => drop(machine.write(POLICY, &text)),
        None => fs::remove_file(machine.home().join(POLICY)).unwrap(),
    }
    ran
}

/// Runs the program at a terminal, where each question is answered with `yes`.
pub(crate) fn run_as_person(machine: &Machine, args: &[&str]) -> RunOutput {
    run_at_terminal(machine, args, "yes\nyes\nyes\n", &[])
}

/// Runs the program at a terminal that only a program has created, and nobody has named.
pub(crate) fn run_in_script(machine: &Machine, args: &[&str], typed: &str, variables: &[(&str, &str)]) -> RunOutput {
    let quoted = args.iter().map(|arg| format!("'{arg}'")).collect::<Vec<_>>().join(" ");
    let line = format!("{} {quoted}", env!("CARGO_BIN_EXE_ruleward"));
    let script = "printf '%s' \"$TYPED\" | script -q -E never -ec \"$LINE\" /dev/null";
    let variables: Vec<(&str, &str)> = variables.iter().copied().chain([("LINE", &*line), ("TYPED", typed)]).collect();
    run_detached(machine, script, &variables)
}

/// Runs a line of shell that has no parent, below no agent that may run the tests.
pub(crate) fn run_detached(machine: &Machine, shell: &str, variables: &[(&str, &str)]) -> RunOutput {
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let file = |name: &str| machine.home().join(format!(".{name}-{number}"));
    let script = format!(
        "{{ {shell}; }} > {out} 2>&1; echo $? > {code}.new; mv {code}.new {code}",
        out = file("out").display(),
        code = file("code").display(),
    );
    let mut command = Command::new("setsid");
    command.args(["-f", "sh", "-c", &script]).current_dir(machine.project()).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", machine.home());
    command.env("XDG_CONFIG_HOME", machine.home().join(".config")).env("XDG_STATE_HOME", machine.home().join(".state"));
    command.env("LLXPRT_CONFIG_HOME", machine.home().join(".llxprt-config"));
    command.env("LLXPRT_DATA_HOME", machine.home().join(".llxprt-data"));
    command.envs(variables.iter().copied()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().unwrap().success());
    let begun = Instant::now();
    while !file("code").is_file() {
        assert!(begun.elapsed().as_secs() < 120, "no end of {shell:?} {variables:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let stdout = fs::read_to_string(file("out")).unwrap().replace("\r\n", "\n");
    let code = fs::read_to_string(file("code")).unwrap().trim().parse().ok();
    RunOutput { stdout, stderr: String::new(), code }
}
