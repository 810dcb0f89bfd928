//! Directories, pipelines, variables, redirections and places of commands.

use ruleward::domain::shell::{Command, Cwd, Dialect, RedirectKind, parse};

fn commands(line: &str) -> Vec<Command> {
    parse(line, Dialect::Posix).commands
}

/// Returns the directory of each `x` in a line.
fn directories(line: &str) -> Vec<String> {
    let runs = commands(line).into_iter().filter(|command| command.program() == "x");
    let name = |dir: &str| if dir.is_empty() { ".".to_owned() } else { dir.to_owned() };
    runs.map(|command| match command.cwd.candidates() {
        Some(dirs) => dirs.into_iter().map(name).collect::<Vec<String>>().join("|"),
        None => "?".to_owned(),
    })
    .collect()
}

#[test]
fn directories_are_followed() {
    let rows: &[(&str, &[&str])] = &[
        ("x", &["."]),
        ("cd a && x", &["a"]),
        ("cd a; x", &["a|."]),
        ("cd a\nx", &["a|."]),
        ("set -e; cd a; x", &["a"]),
        ("cd a || exit 1; x", &["a"]),
        ("cd a || { echo no; exit 1; }\nx", &["a"]),
        ("cd a || x", &["."]),
        ("cd a && cd b && x", &["a/b"]),
        ("cd a && cd .. && x", &["."]),
        ("cd /a && x", &["/a"]),
        ("cd && x", &["~"]),
        ("cd ~/a && cd b && x", &["~/a/b"]),
        ("cd - && x", &["?"]),
        ("cd $D && x", &["?"]),
        ("D=a; cd $D && x", &["a"]),
        ("(cd a && x); x", &["a", "."]),
        ("cd a && x & x", &["a", "."]),
        ("cd a | x; x", &[".", "."]),
        ("echo $(cd a && x); x", &["a", "."]),
        ("{ cd a && x; }", &["a"]),
        ("if cd a; then x; fi", &["a|."]),
        ("if y; then cd a; fi; x", &["a|."]),
        ("y && cd a; x", &["a|."]),
        ("pushd a && x && popd && x", &["a", "."]),
        ("pushd a >/dev/null && x; popd; x", &["a", ".|a"]),
        ("bash -c 'cd a && x'; x", &["a", "."]),
        ("eval 'cd a' && x", &["a|."]),
        ("f() { cd a; }; f && x", &["a|."]),
        ("for d in a b; do (cd $d && x); done", &["a", "b"]),
        ("while y; do cd ..; x; done", &["?"]),
        ("env -C a x", &["a"]),
        ("sudo -D /a x", &["/a"]),
        ("ssh h x", &["?"]),
        ("docker exec c x", &["?"]),
        ("builtin cd a && x", &["a"]),
        ("command cd a && x", &["a"]),
        ("nohup cd a; x", &["."]),
    ];
    for (line, expected) in rows {
        assert_eq!(directories(line), *expected, "{line}");
    }
}

#[test]
fn options_that_name_a_directory_are_followed() {
    for (line, expected) in [
        ("git -C a rm y", Cwd::Known("a".into())),
        ("git -C a -C b rm y", Cwd::Known("a/b".into())),
        ("git commit -C HEAD", Cwd::Start),
        ("cd a && git -C ../b status", Cwd::Known("b".into())),
        ("make -C a all", Cwd::Known("a".into())),
        ("make --directory=a", Cwd::Known("a".into())),
        ("terraform -chdir=a destroy", Cwd::Known("a".into())),
        ("npm --prefix a run y", Cwd::Known("a".into())),
    ] {
        assert_eq!(commands(line).last().unwrap().cwd, expected, "{line}");
    }
}

#[test]
fn stages_of_a_pipeline_are_numbered() {
    for (line, expected) in [
        ("a | b | c", vec![("a", 1, 0), ("b", 1, 1), ("c", 1, 2)]),
        ("a; b", vec![("a", 1, 0), ("b", 2, 0)]),
        ("a | { b; c; } | d", vec![("a", 1, 0), ("b", 1, 1), ("c", 1, 1), ("d", 1, 2)]),
        ("a | { b | c; d; } | e", vec![("a", 1, 0), ("b", 1, 1), ("c", 1, 2), ("d", 1, 1), ("e", 1, 3)]),
        ("a | sudo b", vec![("a", 1, 0), ("sudo", 1, 1), ("b", 1, 1)]),
        ("a | echo $(b)", vec![("a", 1, 0), ("b", 2, 0), ("echo", 1, 1)]),
    ] {
        let found = commands(line);
        let found: Vec<(&str, usize, usize)> =
            found.iter().map(|command| (command.program(), command.pipeline, command.stage)).collect();
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn words_say_what_is_known_of_them() {
    let flags = |line: &str| {
        let command = commands(line).pop().unwrap();
        let word = command.words.last().unwrap().clone();
        (word.text, word.literal, word.glob, word.quoted)
    };
    for (line, text, literal, glob, quoted) in [
        ("x a", "a", true, false, false),
        ("x 'a'", "a", true, false, true),
        ("x a*", "a*", true, true, false),
        ("x 'a*'", "a*", true, false, true),
        ("x [ab]", "[ab]", true, true, false),
        ("x [", "[", true, false, false),
        ("x $A", "$A", false, false, false),
        ("x \"${A}b\"", "${A}b", false, false, true),
        ("x $HOME/a", "$HOME/a", true, false, false),
        ("x ~/a", "~/a", true, false, false),
        ("A='*'; x $A", "*", true, true, false),
        ("A='*'; x \"$A\"", "*", true, false, true),
        ("A='a b'; x $A", "b", true, false, false),
        ("A='a b'; x \"$A\"", "a b", true, false, true),
        ("x $(y)", "$(…)", false, false, false),
        ("x ''", "", true, false, true),
        ("x a\\ b", "a b", true, false, true),
        ("x $'a\\tb'", "a\tb", true, false, true),
        ("cd /a && x $PWD", "/a", true, false, false),
        ("cd a && x $PWD/b", "$PWD/a/b", true, false, false),
        ("x {1..3}", "3", true, false, false),
        ("x a{b,c}d", "acd", true, false, false),
        ("x {a}", "{a}", true, false, false),
        ("x '{a,b}'", "{a,b}", true, false, true),
    ] {
        let expected = (text.to_owned(), literal, glob, quoted);
        assert_eq!(flags(line), expected, "{line}");
    }
}

#[test]
fn redirections_are_listed_with_their_targets() {
    use RedirectKind::{Append, Duplicate, HereDoc, HereString, Read, ReadWrite, Write};
    for (line, kind, fd, target) in [
        ("x > f", Write, None, "f"),
        ("x 2> f", Write, Some(2), "f"),
        ("x >> f", Append, None, "f"),
        ("x &> f", Write, None, "f"),
        ("x &>> f", Append, None, "f"),
        ("x >& f", Write, None, "f"),
        ("x >&2", Duplicate, None, "2"),
        ("x 2>&1", Duplicate, Some(2), "1"),
        ("x >| f", Write, None, "f"),
        ("x < f", Read, None, "f"),
        ("x <> f", ReadWrite, None, "f"),
        ("x <<< 'a b'", HereString, None, "a b"),
        ("x <<E\na $HOME\nE", HereDoc, None, "a $HOME\n"),
        ("x <<-E\n\ta\n\tE", HereDoc, None, "a\n"),
        ("x >'a b'", Write, None, "a b"),
        ("> f x", Write, None, "f"),
        ("x {fd}> f", Write, None, "f"),
    ] {
        let command = commands(line).pop().unwrap();
        let redirect = &command.redirects[0];
        let found = (command.program(), redirect.kind, redirect.fd, redirect.target.text.as_str());
        assert_eq!(found, ("x", kind, fd, target), "{line}");
    }
}

#[test]
fn redirections_of_compounds_are_listed() {
    for line in ["{ x; } > f", "(x) > f", "while y; do x; done > f", "if y; then x; fi > f", "f() { x; } > f; f"] {
        let found = commands(line);
        assert!(
            found.iter().any(|command| command.redirects.iter().any(|redirect| redirect.target.text == "f")),
            "{line}"
        );
    }
}

#[test]
fn assignments_are_listed() {
    let command = commands("A=1 B=\"$C\" x").pop().unwrap();
    let found: Vec<(&str, &str, bool)> =
        command.assignments.iter().map(|(name, word)| (name.as_str(), word.text.as_str(), word.literal)).collect();
    assert_eq!(found, [("A", "1", true), ("B", "$C", false)]);
    let bare = commands("LD_PRELOAD=./a.so").pop().unwrap();
    assert!(bare.words.is_empty());
    assert_eq!(bare.assignments[0].0, "LD_PRELOAD");
}

#[test]
fn places_are_those_of_the_source() {
    for (line, expected) in [
        ("a; bc d", "bc d"),
        ("a && sudo bc d", "sudo bc d"),
        ("echo \"$(bc d)\"", "bc d"),
        ("bash -c 'bc d'", "bash -c 'bc d'"),
        ("é; bc d", "bc d"),
    ] {
        let found = commands(line);
        let command = found.iter().find(|command| command.program() == "bc").unwrap();
        assert_eq!(&line[command.span.clone()], expected, "{line}");
    }
}

#[test]
fn programs_are_named_without_their_place() {
    for (line, dialect, program) in [
        ("/bin/rm x", Dialect::Posix, "rm"),
        ("./git.exe x", Dialect::Posix, "git"),
        ("\\rm x", Dialect::Posix, "rm"),
        ("'C:\\Windows\\System32\\cmd.exe' x", Dialect::Posix, "cmd"),
        ("del x", Dialect::PowerShell, "Remove-Item"),
        ("GIT.EXE push", Dialect::PowerShell, "GIT"),
        ("rd x", Dialect::Cmd, "Remove-Item"),
    ] {
        assert_eq!(parse(line, dialect).commands[0].program(), program, "{line}");
    }
}

#[test]
fn operands_are_told_from_values_of_options() {
    for (line, operands) in [
        ("git -C a -c b=c --git-dir d push origin main", "push origin main"),
        ("git commit -m 'a b' f", "commit f"),
        ("docker -H tcp://x --context c run -v a:b -e X=1 image cmd", "run image cmd"),
        ("kubectl -n prod get pods -o yaml", "get pods"),
        ("curl -X POST -H a:b -d @f -o out http://x", "http://x"),
        ("ssh -p 22 -i key host ls -la", "host ls -la"),
        ("tar -C dir -xf a.tar", ""),
        ("npm --prefix a run build", "run build"),
        ("make -j4 -C a all", "all"),
        ("rm -rf -- -x y", "-x y"),
        ("cargo +nightly test --package a -- --nocapture", "test --nocapture"),
        ("terraform -chdir=a apply -var x=y", "apply"),
        ("find a b -name c -exec rm {} ; -print", "a b"),
        ("grep -e a -A3 f", "f"),
        ("chmod -R 777 a", "777 a"),
        ("sudo -u root rm -rf a", "rm -rf a"),
    ] {
        let found = commands(line);
        let found: Vec<&str> = found[0].operands().into_iter().map(|word| word.text.as_str()).collect();
        assert_eq!(found.join(" "), operands, "{line}");
    }
}
