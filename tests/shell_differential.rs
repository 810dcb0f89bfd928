//! Words are what bash makes of them: harmless lines are run by it, and their words compared.
//!
//! The only program of a line is a function that prints its arguments, in an empty directory with
//! three known files and an environment of its own. A word that is said to be known must be the
//! shell's. Where there is no bash, there is nothing to compare with.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use ruleward::domain::shell::{Dialect, parse};

use crate::common::skip;

/// Stands before each line: `p` prints its arguments, each with a zero byte behind it.
const STUB: &str = "p() { for a in \"$@\"; do printf '%s\\0' \"$a\"; done; printf '\\1'; }\n";

/// What lines are put together from. None of it names a program but `p` and the shell's own.
const FRAGMENTS: &[&str] = &[
    "a",
    "b-c",
    "'d e'",
    "\"f g\"",
    "\\h",
    "\\ ",
    "''",
    "\"\"",
    "$'i\\tj'",
    "$'\\x6b'",
    "$'\\153'",
    "$x",
    "${x}",
    "\"$x\"",
    "$y",
    "\"$y\"",
    "${x}z",
    "{l,m}",
    "{1..3}",
    "n{o,p}q",
    "{r,}",
    "{s}",
    "${x:-t}",
    "${u:-v w}",
    "\"${u:-v w}\"",
    "${x:+A}",
    "${u:+B}",
    "${#x}",
    "${x#o}",
    "${x##*n}",
    "${x%e}",
    "${x%%n*}",
    "${x/n/N}",
    "${x//e/E}",
    "${x:1}",
    "${x:0:2}",
    "${x: -1}",
    "${x^}",
    "${x^^}",
    "${x,,}",
    "$(p C)",
    "$(printf %s D)",
    "`printf E`",
    "\"$(printf 'F G')\"",
    "$(echo H I)",
    "\"${l[@]}\"",
    "${l[1]}",
    "${l[-1]}",
    "${#l[@]}",
    "\"${l[*]}\"",
    "${l[@]:1}",
    "\"$@\"",
    "$1",
    "${2}",
    "$#",
    "\"\\$x\"",
    "'$x'",
    "\\$x",
    "a\\\nb",
    "\"a\\\nb\"",
    "#",
    "a#b",
    "~/x",
    "=",
    "a=b",
    "\"a\\b\"",
    "\"\\\\\"",
    "$'\\''",
    "{a,b}{c,d}",
    "\"{a,b}\"",
    "${!n}",
    "$((1+2))",
    "${x@U}",
    "${IFS}",
    "a${IFS}b",
    "!",
];

const SETTINGS: &str = "x=one; y='two  three'; l=(4 '5 6' 7); n=x; set -- P 'Q R'; unset u\n";

/// Returns the arguments of each call of the stub as bash makes them; nothing without bash.
fn bash_words(line: &str) -> Option<Vec<Vec<String>>> {
    let directory = directory();
    let mut bash = Command::new(bash()?);
    bash.args(["--norc", "--noprofile", "-c", &format!("{STUB}{line}")]).current_dir(directory);
    bash.env_clear().env("PATH", "").env("HOME", "/home/nobody").stdin(Stdio::null()).stderr(Stdio::null());
    let output = bash.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let calls = text.split_terminator('\u{1}');
    Some(calls.map(|call| call.split_terminator('\0').map(str::to_owned).collect()).collect())
}

/// Returns where bash is: with another `PATH` for it, it would not be looked for in this one.
fn bash() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join("bash")).find(|file| file.is_file())
}

fn directory() -> PathBuf {
    let path = std::env::temp_dir().join(format!("ruleward-words-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Returns the arguments of the calls of the stub as they are understood; nothing where one is not known.
fn ruleward_words(line: &str) -> Vec<Option<Vec<String>>> {
    let script = parse(line, Dialect::Posix);
    let stubs = script.commands.iter().filter(|command| command.program() == "p" && command.call_chain.is_empty());
    stubs
        .map(|command| {
            let known =
                |word: &&ruleward::domain::shell::Word| word.literal && !word.glob && !word.text.contains("$HOME");
            let words = command.args();
            words.iter().all(|word| known(&word)).then(|| words.iter().map(|word| word.text.clone()).collect())
        })
        .collect()
}

/// Returns where the two differ on a line.
fn difference(line: &str) -> Option<String> {
    let expected = bash_words(line)?;
    let found = ruleward_words(line);
    let home = |words: &[String]| -> Vec<String> {
        words
            .iter()
            .map(|word| word.strip_prefix("/home/nobody").map_or_else(|| word.clone(), |rest| format!("~{rest}")))
            .collect()
    };
    for (found, expected) in found.iter().zip(&expected) {
        let expected = home(expected);
        if let Some(found) = found
            && *found != expected
        {
            return Some(format!("{line}\n  bash {expected:?}\n  here {found:?}"));
        }
    }
    None
}

fn has_bash() -> bool {
    bash_words("p x").is_some_and(|calls| calls == [["x"]])
}

/// Every piece alone, at the start and at the end of a word.
#[test]
fn each_piece_is_what_bash_makes_of_it() {
    if !has_bash() {
        skip("shell_differential::each_piece_is_what_bash_makes_of_it", "`bash` is not here");
        return;
    }
    let lines = FRAGMENTS.iter().flat_map(|piece| {
        [format!("{SETTINGS}p {piece}"), format!("{SETTINGS}p x{piece}"), format!("{SETTINGS}p {piece}y z")]
    });
    let wrong: Vec<String> = lines.filter_map(|line| difference(&line)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known =
        FRAGMENTS.iter().filter(|piece| ruleward_words(&format!("{SETTINGS}p {piece}")).iter().all(Option::is_some));
    assert!(known.count() * 10 > FRAGMENTS.len() * 9, "most of the words are understood");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_are_what_bash_makes_of_them(
        words in prop::collection::vec((prop::sample::select(FRAGMENTS), prop::bool::ANY), 1..8),
        split in prop::sample::select(vec!["", "IFS=n; ", "IFS=' '; ", "IFS=; "]),
    ) {
        if bash().is_none() {
            skip("shell_differential::lines_are_what_bash_makes_of_them", "`bash` is not here");
        }
        let mut line = format!("{SETTINGS}{split}p ");
        for (piece, apart) in words {
            line.push_str(piece);
            line.push_str(if apart { " " } else { "" });
        }
        let different = difference(&line);
        prop_assert!(different.is_none(), "{}", different.unwrap_or_default());
    }
}
