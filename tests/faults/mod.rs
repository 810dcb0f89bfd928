//! Whatever goes wrong around the hook, the answer is the configured decision, it says why, and it
//! comes in bounded time. Each row of `docs/reliability.md` is a test here or beside.

mod backups;
mod commands;
mod deadline;
mod environment;
mod hostile_policies;
mod limits;
mod nesting;
mod policy;
mod signals;
mod state;
mod streams;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Machine, RunOutput, output_text, reason, refuses};

pub(crate) const HOSTS: [&str; 3] = ["claude", "gemini", "llxprt"];
/// What no policy of these tests has anything against.
pub(crate) const HARMLESS: &str = "git status";
/// What the bundled policy refuses.
pub(crate) const HARMFUL: &str = "rm -rf ~/";
/// Has root, who may do everything, give that right up before a shell goes on.
pub(crate) const DROP_ROOT: &str =
    "[ $(id -u) = 0 ] && set -- setpriv --bounding-set=-dac_override,-dac_read_search \"$0\" \"$@\" && exec \"$@\"";
/// Longer than any answer takes, on the slowest machine.
const MAX_DURATION: Duration = Duration::from_mins(1);

/// Waits for a program, and fails when it does not end.
pub(crate) fn wait_for_exit(mut child: Child) -> RunOutput {
    let collect = |stream: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                stream.read_to_end(&mut bytes).unwrap();
            }
            String::from_utf8(bytes).unwrap()
        })
    };
    let stdout = collect(child.stdout.take().map(|stream| Box::new(stream) as _));
    let stderr = collect(child.stderr.take().map(|stream| Box::new(stream) as _));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > MAX_DURATION {
            child.kill().unwrap();
            panic!("no end within {MAX_DURATION:?}");
        }
        thread::sleep(Duration::from_millis(2));
    };
    RunOutput { stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), code: status.code() }
}

/// Runs a command with this on its standard input, and fails when it does not end.
pub(crate) fn run(mut command: Command, stdin: &[u8]) -> RunOutput {
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_owned();
    // It may end without reading.
    let feed = thread::spawn(move || drop(pipe.write_all(&stdin)));
    let ran = wait_for_exit(child);
    feed.join().unwrap();
    ran
}

/// Asserts that a call is refused by every host, for a reason in which this stands.
pub(crate) fn assert_refused(machine: &Machine, command: &str, why: &str) {
    for host in HOSTS {
        let ran = run(machine.command(&["hook", host]), &machine.shell_payload(host, command));
        assert!(refuses(host, &ran), "{host}: {}", output_text(machine, &ran));
        assert!(reason(host, &ran).contains(why), "{host}: {}", reason(host, &ran));
    }
}

/// Makes a pipe with a name.
pub(crate) fn make_fifo(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = Command::new("mkfifo").arg(path).stderr(Stdio::null()).status().unwrap();
    assert!(made.success(), "{}", path.display());
}

/// The tests of a file, by the names that `cargo test` knows them under.
fn tests_of(module: &str, path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap();
    let (mut found, mut is_test) = (BTreeSet::new(), false);
    for line in text.lines() {
        match line.trim_start().strip_prefix("fn ").and_then(|rest| rest.split('(').next()) {
            Some(name) if is_test => is_test = !found.insert(format!("{module}::{name}")),
            _ => is_test |= line.trim() == "#[test]",
        }
    }
    found
}

/// The table says which test shows each row, and no test is without a row.
#[test]
fn the_table_and_the_tests_are_in_step() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut here = BTreeSet::new();
    for entry in fs::read_dir(root.join("tests/faults")).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_string_lossy().into_owned();
        here.append(&mut if module == "mod" { BTreeSet::new() } else { tests_of(&format!("faults::{module}"), &path) });
    }
    assert!(here.len() > 30, "{here:?}");
    let mut others = BTreeSet::new();
    for (module, path) in [
        ("hook", "hook.rs"),
        ("contracts", "contracts.rs"),
        ("state", "state/mod.rs"),
        ("secret_leaks", "secret_leaks.rs"),
        ("fuzz", "fuzz.rs"),
        ("payload_equivalence", "payload_equivalence.rs"),
    ] {
        others.append(&mut tests_of(module, &root.join("tests").join(path)));
    }
    others.append(&mut tests_of("cli::hook::tests", &root.join("src/cli/hook.rs")));
    let table = fs::read_to_string(root.join("docs/reliability.md")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ") && line.contains("::"));
    let named: BTreeSet<String> = rows.map(|row| row.rsplit('`').nth(1).unwrap().to_owned()).collect();
    let unknown: Vec<&String> = named.iter().filter(|name| !here.contains(*name) && !others.contains(*name)).collect();
    assert!(unknown.is_empty(), "rows without a test: {unknown:?}");
    let missing: Vec<&String> = here.difference(&named).collect();
    assert!(missing.is_empty(), "tests without a row: {missing:?}");
}
