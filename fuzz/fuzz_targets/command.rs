//! Any text as a shell command and as a pattern over commands: bounded, and never a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ruleward::domain::shell::{CommandPattern, Dialect, file_uses, parse, urls};

fuzz_target!(|text: &str| {
    let (pattern, line) = text.split_once('\n').unwrap_or(("rm -rf ...", text));
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
        let script = parse(line, dialect);
        let _uses = (file_uses(&script), urls(&script));
        if let Ok(pattern) = CommandPattern::parse(pattern) {
            let _found = pattern.find(&script);
        }
    }
});
