//! The program at a terminal, as a person runs it: below no agent that may run the tests.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Machine, RunOutput};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Runs the program with what is typed and further variables; what it says on either stream is one.
pub(crate) fn run_at_terminal(machine: &Machine, args: &[&str], typed: &str, variables: &[(&str, &str)]) -> RunOutput {
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let file = |name: &str| machine.home().join(format!(".{name}-{number}"));
    let quoted = args.iter().map(|arg| format!("'{arg}'")).collect::<Vec<_>>().join(" ");
    let line = format!("{} {quoted}", env!("CARGO_BIN_EXE_ruleward"));
    let script = format!(
        "printf '%s' \"$TYPED\" | script -q -E never -ec \"$LINE\" /dev/null > {out}; echo $? > {code}.new; mv {code}.new {code}",
        out = file("out").display(),
        code = file("code").display(),
    );
    let mut command = Command::new("setsid");
    command.args(["-f", "sh", "-c", &script]).current_dir(machine.project()).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", machine.home()).env("LINE", line).env("TYPED", typed);
    command.env("XDG_CONFIG_HOME", machine.home().join(".config")).env("XDG_STATE_HOME", machine.home().join(".state"));
    command.envs(variables.iter().copied()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().unwrap().success());
    let begun = Instant::now();
    while !file("code").is_file() {
        assert!(begun.elapsed().as_secs() < 120, "no end of {args:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let stdout = fs::read_to_string(file("out")).unwrap().replace("\r\n", "\n");
    let code = fs::read_to_string(file("code")).unwrap().trim().parse().ok();
    RunOutput { stdout, stderr: String::new(), code }
}
