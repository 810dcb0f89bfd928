//! Calls that are nested as deep as a payload can hold: what follows them is bounded, so that the stack is never
//! used up; and where the system grants next to none of it, that refuses.

use serde_json::json;

use super::{HARMFUL, HOSTS, run};
use crate::common::{Machine, iterations, output_text, refuses};

/// What can stand in itself, and around a command: its beginning and its end.
const NESTED_WITH_COMMAND: &[(&str, &str)] = &[
    ("$(", ")"),
    ("\"$(", ")\""),
    ("(", ")"),
    ("{ ", "; }"),
    ("if true; then ", "; fi"),
    ("while true; do ", "; done"),
    ("for a in b; do ", "; done"),
    ("case x in x) ", ";; esac"),
    ("f() { ", "; }"),
    ("cat <(", ")"),
    ("! ", ""),
    ("time ", ""),
    ("env ", ""),
    ("eval ", ""),
    ("true | ", ""),
    ("true && ", ""),
    ("A=1 ", ""),
    ("${a:-$(", ")}"),
    ("pwsh -c '", "'"),
];

/// What can stand in itself, and holds no command.
const NESTED_WITHOUT_COMMAND: &[(&str, &str, &str, &str)] = &[
    ("echo $((", "(", ")", "))"),
    ("echo $((", "-", "", "1))"),
    ("echo ", "{a,", "}", ""),
    ("echo ", "[", "]", ""),
    ("echo ", "@(", ")", ""),
    ("[[ ", "( a ", ") ", "]]"),
    ("echo ", "\"${a:-", "}\"", ""),
    ("a=", "(", ")", ""),
    ("a", "[a", "]", "=1"),
    ("python3 -c '", "(", ")", "'"),
    ("python3 -c '", "os.system(", ")", "'"),
    ("node -e '", "`${", "}`", "'"),
    ("node -e '", "(()=>{", "})()", "'"),
    ("ruby -e '", "\"#{", "}\"", "'"),
    ("perl -e '", "q{", "}", "'"),
    ("pwsh -c '", "$(", ")", "'"),
    ("pwsh -c '", "@{a=", "}", "'"),
    ("psql -c '", "(", ")", "'"),
    ("awk 'BEGIN{system(", "(", ")", ")}'"),
    ("find . ", "\\( ", "\\) ", "-print"),
    ("curl http://a/", "?u=http://a/", "", ""),
    ("rm ", "a/", "", ""),
];

fn nested(open: &str, inside: &str, close: &str, depth: usize) -> String {
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
}

/// Lines with a harmful command in them or behind them, nested so deep.
fn lines(depth: usize) -> impl Iterator<Item = String> {
    let around = NESTED_WITH_COMMAND.iter().map(move |(open, close)| nested(open, HARMFUL, close, depth));
    let beside = NESTED_WITHOUT_COMMAND.iter().map(move |(before, open, close, behind)| {
        format!("{before}{}{behind}\n{HARMFUL}", nested(open, "x", close, depth))
    });
    around.chain(beside)
}

#[test]
fn commands_in_commands() {
    let machine = Machine::new();
    for depth in [100, iterations(5_000, 100_000)] {
        for line in lines(depth) {
            let hook = machine.command_with_prelude("ulimit -v 2000000", &["hook", "claude"]);
            let ran = run(hook, &machine.shell_payload("claude", &line));
            assert!(refuses("claude", &ran), "{depth} times {line:.40}: {}", output_text(&machine, &ran));
            assert!(ran.stderr.is_empty(), "{depth} times {line:.40}: {}", ran.stderr);
        }
    }
}

#[test]
fn payloads_in_payloads() {
    let machine = Machine::new();
    let depth = iterations(5_000, 100_000);
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[", ""), ("{\"a\":[", "")] {
        let deep = nested(open, "1", close, depth);
        for host in HOSTS {
            let plain = String::from_utf8(machine.shell_payload(host, HARMFUL)).unwrap();
            for payload in
                [plain.replacen('{', &format!("{{\"x\":{deep},"), 1), plain.replace(&json!(HARMFUL).to_string(), &deep)]
            {
                let ran = run(machine.command(&["hook", host]), payload.as_bytes());
                assert!(refuses(host, &ran), "{host}, {payload:.60}: {}", output_text(&machine, &ran));
            }
        }
    }
}

/// What is written is searched, and no text of any kind is nested too deep for that.
#[test]
fn texts_in_texts() {
    let machine = Machine::new();
    let depth = iterations(5_000, 100_000);
    for (path, open, close) in [
        ("package.json", "{\"scripts\":", "}"),
        ("a.json", "[", "]"),
        ("a.yml", "- ", ""),
        ("a.sh", "$(", ")"),
        ("a.py", "(", ")"),
        ("Makefile", "$(", ")"),
        ("a.toml", "[a.", "]"),
        ("a.ps1", "@{a=", "}"),
        ("a.html", "<a>", "</a>"),
        (".env", "A=${", "}"),
        ("key.txt", "password=\"", "\""),
        ("token.txt", "eyJhbGciOiJIUzI1NiJ9.", ""),
    ] {
        let input = json!({ "file_path": machine.project().join(path), "content": nested(open, "x", close, depth) });
        let payload = machine.payload("PreToolUse", &json!({ "tool_name": "Write", "tool_input": input }));
        let ran = run(machine.command_with_prelude("ulimit -v 2000000", &["hook", "claude"]), &payload);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{path}: {}", output_text(&machine, &ran));
    }
}

/// An overflow ends a program by a signal, which hosts take for an approval.
#[cfg(target_os = "linux")]
#[test]
fn next_to_no_stack() {
    let machine = Machine::new();
    let mut overflows = 0;
    for kilobytes in [48, 64, 96, 128, 192, 256, 384, 512] {
        for line in lines(100).step_by(iterations(5, 1)) {
            let hook = machine.command_with_prelude(&format!("ulimit -s {kilobytes}"), &["hook", "claude"]);
            let ran = run(hook, &machine.shell_payload("claude", &line));
            let overflowed = ran.stderr.contains("overflowed its stack");
            overflows += usize::from(overflowed);
            let refused = if overflowed { ran.code == Some(2) } else { refuses("claude", &ran) };
            assert!(refused, "{kilobytes} KiB, {line:.40}: {}", output_text(&machine, &ran));
        }
    }
    assert!(overflows > 0, "no stack was too small");
}
