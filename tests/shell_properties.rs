//! What holds for every text: nothing panics, nothing takes long, no respelling hides a command.

use std::fmt::Write;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use ruleward::domain::shell::effects::{file_uses, urls};
use ruleward::domain::shell::pattern::CommandPattern;
use ruleward::domain::shell::{Dialect, Script, parse};

const DIALECTS: [Dialect; 3] = [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd];

/// Pieces that mean something to a shell, to be put together in senseless ways.
const FRAGMENTS: &[&str] = &[
    "rm -rf /",
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "${x:-",
    "}",
    "((",
    "))",
    "<<E\n",
    "\nE\n",
    "<<<",
    "|",
    "&",
    ";",
    "&&",
    "\\",
    "\n",
    "if ",
    "then ",
    "fi ",
    "for i in a b; do ",
    "done ",
    "case x in ",
    "esac ",
    "a)",
    ";;",
    "{ ",
    " }",
    "[[ ",
    " ]]",
    "f() ",
    "sudo ",
    "bash -c ",
    "eval ",
    "xargs ",
    "find . -exec ",
    "python3 -c ",
    "$x",
    "$@",
    "a=b ",
    "a=(b ",
    "{a,b}",
    "*",
    "#",
    "<(",
    ">(",
    "> f ",
    "2>&1 ",
    "$'\\x",
    "é",
    "\u{0}",
    "\r\n",
    "trap ",
    "cd a ",
    "git -c alias.x=!",
    "awk '{print > ",
    "~",
];

/// Interpreters of every kind of language, each up to its code.
const INTERPRETERS: &[&str] =
    &["python3 -c", "node -e", "perl -e", "ruby -e", "php -r", "lua -e", "guile -c", "osascript -e", "awk"];

/// Pieces of code in these languages, to be put together in senseless ways.
const CODE_FRAGMENTS: &[&str] = &[
    "system(",
    "'rm -rf /'",
    "\"",
    "'",
    "`",
    ")",
    "(",
    "[",
    "]",
    "{",
    "}",
    "$",
    "$x",
    "${",
    "#{",
    "\0",
    "/*",
    "*/",
    "--[[",
    "//",
    "#",
    "\\",
    "/",
    "q(",
    "qx{",
    "s/",
    "/e",
    "%x(",
    "%w[",
    "<~/*>",
    "<",
    "=",
    "==",
    "=>",
    "->",
    ".",
    "..",
    "::",
    ":",
    ",",
    ";",
    "\n",
    " ",
    "x",
    "import ",
    "from ",
    "as ",
    "for x in ",
    "f'{x}'",
    "r'",
    "'''",
    "1e3",
    "+",
    "%",
    "|",
    "getline",
    "print ",
    "> ",
    "do shell script ",
    "open(",
    "rmtree(",
    "unlink ",
    "glob ",
    "é",
];

/// Runs everything that works on a text.
fn analyze(text: &str, dialect: Dialect) -> Script {
    let script = parse(text, dialect);
    file_uses(&script);
    urls(&script);
    for pattern in ["rm -rf ... /", "(curl | wget) ... | (sh | bash)", "* --force", "git push -f"] {
        CommandPattern::parse(pattern).unwrap().find(&script);
    }
    let spans = script.commands.iter().map(|command| &command.span);
    for span in spans.chain(script.opaque.iter().map(|opaque| &opaque.span)) {
        assert!(text.get(span.clone()).is_some(), "{span:?} is no place in the text");
    }
    script
}

fn finds_removal(text: &str) -> bool {
    let script = parse(text, Dialect::Posix);
    !CommandPattern::parse("rm -rf /").unwrap().find(&script).is_empty()
}

proptest! {
    #[test]
    fn nothing_panics(text in ".{0,200}") {
        for dialect in DIALECTS {
            analyze(&text, dialect);
        }
    }

    #[test]
    fn nothing_panics_on_pieces(pieces in prop::collection::vec(prop::sample::select(FRAGMENTS), 0..40)) {
        for dialect in DIALECTS {
            analyze(&pieces.concat(), dialect);
        }
    }

    #[test]
    fn code_of_every_language_is_read_to_its_end(
        code in prop::collection::vec(prop::sample::select(CODE_FRAGMENTS), 0..30),
        program in prop::sample::select(INTERPRETERS),
    ) {
        let code = code.concat();
        analyze(&format!("{program} '{}'", code.replace('\'', r"'\''")), Dialect::Posix);
        analyze(&format!("{program} {code}"), Dialect::Cmd);
    }

    #[test]
    fn truncation_never_panics(pieces in prop::collection::vec(prop::sample::select(FRAGMENTS), 1..20), cut in 0_usize..200) {
        let text = pieces.concat();
        let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        for dialect in DIALECTS {
            analyze(&text[..cut], dialect);
        }
    }

    #[test]
    fn patterns_never_panic(text in ".{0,80}") {
        drop(CommandPattern::parse(&text));
    }

    #[test]
    fn no_respelling_hides_a_command(
        letters in prop::collection::vec(0_u8..5, 6),
        blanks in prop::collection::vec(0_u8..4, 2),
        frame in 0_usize..LINE_WRAPPERS.len(),
        inner in 0_usize..LINE_WRAPPERS.len(),
    ) {
        let line = obfuscated(&letters, &blanks);
        prop_assert!(finds_removal(&line), "{line}");
        let framed = LINE_WRAPPERS[frame].replace('@', &line);
        prop_assert!(finds_removal(&framed), "{framed}");
        let nested = LINE_WRAPPERS[inner].replace('@', &framed);
        prop_assert!(finds_removal(&nested), "{nested}");
    }
}

/// Ways to run a line, which may be put into each other.
const LINE_WRAPPERS: &[&str] = &[
    "ls; @",
    "ls && @",
    "ls || @",
    "ls & @",
    "ls | @",
    "ls\n@",
    "( @ )",
    "{ @; }",
    "! @",
    "if @; then :; fi",
    "if :; then @; fi",
    "while @; do :; done",
    "until :; do @; done",
    "for i in a; do @; done",
    "case a in a) @ ;; esac",
    "f() { @; }; f",
    "echo \"$( @ )\"",
    "echo <( @ )",
    "x=$( @ )",
    "echo ${x:-$( @ )}",
    "cat <<END\n$( @ )\nEND",
    "@ > out 2>&1",
    "@ &",
];

/// Spells `rm -rf /` in another way.
fn obfuscated(letters: &[u8], blanks: &[u8]) -> String {
    let mut line = String::new();
    let spell = |line: &mut String, character: char, how: u8| match how {
        1 => write!(line, "'{character}'").unwrap(),
        2 => write!(line, "\"{character}\"").unwrap(),
        3 => write!(line, "\\{character}").unwrap(),
        4 => write!(line, "$'\\x{:02x}'", u32::from(character)).unwrap(),
        _ => line.push(character),
    };
    let blank = |how: u8| match how {
        1 => "\t",
        2 => " \\\n ",
        3 => "${IFS}",
        _ => " ",
    };
    spell(&mut line, 'r', letters[0]);
    spell(&mut line, 'm', letters[1]);
    line.push_str(blank(blanks[0]));
    spell(&mut line, '-', letters[2]);
    spell(&mut line, 'r', letters[3]);
    spell(&mut line, 'f', letters[4]);
    line.push_str(blank(blanks[1]));
    spell(&mut line, '/', letters[5]);
    line
}

#[test]
fn options_may_be_spelled_in_any_order() {
    for line in [
        "rm -rf /",
        "rm -fr /",
        "rm -r -f /",
        "rm -f -r /",
        "rm / -rf",
        "rm -r / -f",
        "rm -vrf /",
        "rm -rfv -- /",
        "rm --recursive --force /",
        "rm --force -r /",
        "rm -R --forc /",
        "rm --rec --fo /",
        "/bin/rm -rf /",
        "sudo rm -rf /",
    ] {
        assert!(finds_removal(line), "{line}");
    }
    for line in [
        "rm -r /",
        "rm -f /",
        "rm -- -rf /",
        "rm -rf /tmp",
        "rmdir -rf /",
        "echo rm -rf /",
        "git rm -rf /",
        "'rm -rf /'",
    ] {
        assert!(!finds_removal(line), "{line}");
    }
}

#[test]
fn hostile_texts_take_no_time() {
    let long = ["(", "$(", "\"", "'"];
    let units = [
        "(",
        "$(",
        "\"",
        "'",
        "`",
        "$((",
        "${",
        "<<A ",
        "<<A\n",
        "$[",
        "a;",
        "a ",
        ") ",
        "if ",
        "case x in ",
        "|",
        "&",
        "\"$(\"$(",
        "@(",
        "a=(",
        "\\",
        "<(",
        "f()",
        "[[ ",
        "{",
        "{a,",
        "{a,b}",
        "$x",
        "${x:-",
        "a=$a$a;",
        "cd a;",
        "sudo ",
        "bash -c ",
        "eval ",
        "x=$(echo $x$x);",
        "find . -exec ",
        "xargs ",
        "a|",
        "awk '{print > ",
        "git -c alias.x=y x;",
        "://",
        "* ",
        "if a; then b; elif ",
    ];
    let whole = Instant::now();
    for unit in units {
        let size = if long.contains(&unit) { 1 << 20 } else { 1 << 13 };
        let text = unit.repeat(size / unit.len());
        let dialects = if long.contains(&unit) { &DIALECTS[..1] } else { &DIALECTS };
        for dialect in dialects.iter().copied() {
            let start = Instant::now();
            let script = analyze(&text, dialect);
            let elapsed = start.elapsed();
            assert!(elapsed < Duration::from_secs(30), "{unit:?} took {elapsed:?} as {dialect:?}");
            assert!(script.commands.len() <= 4096);
        }
    }
    assert!(whole.elapsed() < Duration::from_mins(5));
}

/// Puts a line into many brackets, with quotes around what is inside.
fn bracketed(line: &str) -> String {
    format!("{}{line}{}", "{ ".repeat(28), "; }".repeat(28))
}

#[test]
fn nesting_of_every_kind_together_is_bounded() {
    let called = (1..40).fold(format!("f0() {}\n", bracketed("rm x")), |text, at| {
        format!("{text}f{at}() {}\n", bracketed(&format!("f{} x", at - 1)))
    });
    let quoted =
        (0..8).fold("rm x".to_owned(), |text, _| format!("bash -c '{}'", bracketed(&text).replace('\'', r"'\''")));
    let written = (0..20)
        .fold(String::new(), |text, at| format!("{text}echo '{}' > s{at}\n", bracketed(&format!("sh s{}", at + 1))));
    for text in [called + "f39 x", quoted, written + "sh s0"] {
        assert!(!analyze(&text, Dialect::Posix).opaque.is_empty(), "{text:.60}");
    }
}

#[test]
fn beyond_the_bounds_is_said() {
    let deep = format!("{}rm -rf /{}", "( ".repeat(10_000), ")".repeat(10_000));
    let many = "a;".repeat(5_000);
    let wrapped = format!("{}rm -rf /", "sudo ".repeat(100));
    let doubled = format!("a=xxxxxxxxxxxxxxxx;{}echo $a", "a=$a$a;".repeat(100));
    let nested = (0..40).fold("rm x".to_owned(), |line, _| format!("echo $({line})"));
    let called = (1..40)
        .fold("f0() { a; }\n".to_owned(), |line, at| format!("{line}f{at}() {{ f{0}; f{0}; }}\n", at - 1))
        + "f39";
    for text in [deep, many, wrapped, doubled, nested, called] {
        assert!(!parse(&text, Dialect::Posix).opaque.is_empty(), "{text:.40}");
    }
}

#[test]
fn large_words_and_lines_stay_bounded() {
    let words = |text: &str| -> usize { analyze(text, Dialect::Posix).commands.iter().map(|it| it.words.len()).sum() };
    assert!(words("echo {1..1000000}") < 1000);
    assert!(words("echo {1..1000}{1..1000}{1..1000}") < 1000);
    assert!(words(&format!("echo {}", "{a,b}".repeat(40))) < 1000);
    let many = format!("echo {}; rm -rf /", "x ".repeat(100_000));
    let limited = analyze(&many, Dialect::Posix).opaque.iter().any(|opaque| opaque.reason.is_limit());
    assert!(finds_removal(&many) || limited, "what stands behind is seen, or that it is not");
    let long = format!("echo '{}'; rm -rf /", "x".repeat(1 << 20));
    assert!(finds_removal(&long));
    let code = format!("python3 -c 'x = \"{}\"; y = x + x; z = y + y'", "x".repeat(1 << 15));
    assert!(words(&code) < 10);
}

/// Ways to hand a whole command to a program that runs it, which may be put into each other.
const COMMAND_WRAPPERS: &[&str] = &[
    "sudo",
    "env A=1",
    "env -i",
    "nice -n 5",
    "nohup",
    "timeout -k 1 5",
    "stdbuf -oL",
    "setsid",
    "command",
    "exec",
    "time -p",
    "ionice -c 3",
    "strace -f",
    "xvfb-run -a",
    "caffeinate -i",
    "doas -u root",
    "chronic",
    "flock l",
    "busybox",
];

proptest! {
    #[test]
    fn no_wrapping_hides_a_command(
        wrappers in prop::collection::vec(prop::sample::select(COMMAND_WRAPPERS), 0..6),
        order in Just(vec!["-r", "-f", "/", "-v"]).prop_shuffle(),
        shell in prop::bool::ANY,
    ) {
        let line = format!("{} rm {}", wrappers.join(" "), order.join(" "));
        prop_assert!(finds_removal(&line), "{line}");
        let line = if shell { format!("bash -c '{line}'") } else { format!("eval \"{line}\"") };
        prop_assert!(finds_removal(&format!("{} {line}", wrappers.join(" ").replace("exec", "nice"))), "{line}");
        let harmless = format!("{} echo rm {}", wrappers.join(" "), order.join(" "));
        prop_assert!(!finds_removal(&harmless), "{harmless}");
    }
}
