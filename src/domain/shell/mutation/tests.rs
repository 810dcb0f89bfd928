//! Tests of the mutations of a few lines, complete and in part.

use super::{MutationSet, OPERATORS, mutate, mutate_path};
use crate::domain::shell::{Dialect, parse};
use crate::domain::text::path::PathContext;

fn place() -> PathContext {
    PathContext { home: Some("/home/u".into()), cwd: "/home/u/p".into(), ..PathContext::default() }
}

fn by(operator: &str, line: &str) -> Vec<String> {
    let all = mutate(line, &place(), MutationSet::All, 350);
    all.into_iter().filter(|respelling| respelling.operator == operator).map(|respelling| respelling.text).collect()
}

#[test]
fn operators_spell_as_they_say() {
    let table = [
        ("quote-single", "rm -rf a", &["'rm' -rf a", "rm '-rf' 'a'", "'rm' '-rf' 'a'"][..]),
        ("quote-octal", "rm", &[r"$'\162\155'"]),
        ("blank-in-word", "rm x", &["r\\\nm x"]),
        ("semicolon-behind", "a # b", &[]),
        ("group", "a # b", &["{ a # b\n}"]),
        ("subshell", "export A=1", &[]),
        ("subshell-tight", "(a)", &["( (a))"]),
        ("before-cat", "cd x", &[]),
        ("sudo", r"\. x", &[]),
        ("find-exec", "sort x > y", &["find . -maxdepth 0 -exec sort x \\; > y"]),
        ("sudo", "cd x && A=1 rm y | cat", &["cd x && A=1 sudo rm y | cat", "cd x && A=1 rm y | sudo cat"]),
        ("sudo", "f() { rm x; }; f", &[]),
        ("backquotes", "echo 'a'", &[]),
        ("sh-c", "cat <(ls)", &[]),
        ("bash-c", "echo 'a'", &[r"bash -c 'echo '\''a'\'''"]),
        ("base64-bash", "rm -rf x", &["echo cm0gLXJmIHg= | base64 -d | bash"]),
        ("variable-parted", "rm x", &["a=r b=m; $a${b} x"]),
        ("braces", "rm -rf x", &["{rm,-rf,x}"]),
        ("braces", "rm -rf ~/x", &[]),
        ("field-separators", "rm -rf x", &["rm${IFS}-rf${IFS}x", "rm$IFS$9-rf$IFS$9x"]),
        ("option-split", "rm -rf x", &["rm -r -f x"]),
        ("option-joined", "rm -r -f x", &["rm -rf x"]),
        ("option-long", "rm -rf x", &["rm --recursive --force x"]),
        ("option-short", "rm --force x", &["rm -f x"]),
        ("option-abbreviated", "rm --recursive x", &["rm --r x", "rm --recursiv x"]),
        ("option-attached", "curl -X DELETE u", &["curl -XDELETE u"]),
        ("option-detached", "curl --request=DELETE u", &["curl --request DELETE u"]),
        ("option-behind", "rm -r -f x y", &["rm x y -r -f"]),
        ("option-behind", "git -C d push -f origin", &["git -C d push origin -f"]),
        ("option-behind", "git checkout -f -- x", &[]),
        ("option-swapped", "curl -s --fail u", &["curl --fail -s u"]),
        ("option-swapped", "kill -9 -1", &[]),
        ("option-dashes", "rm -rf x", &["rm -rf -- x"]),
        ("option-dashes", "git checkout x", &[]),
        ("git-directory", "git push", &["git -C . push"]),
        ("path-dot", "cat /etc/passwd > x", &["cat /etc/./passwd > x", "cat /etc/passwd > ./x"]),
        ("path-home", "cat ~/.ssh/id", &["cat $HOME/.ssh/id"]),
        ("path-class", "cat .env", &["cat .en[v]"]),
        (
            "xargs-last",
            "rm -rf x",
            &["echo x | xargs rm -rf", "printf '%s\\n' x | xargs -I{} rm -rf {}", "xargs rm -rf <<< x"],
        ),
    ];
    for (operator, line, expected) in table {
        let found = by(operator, line);
        let expected: Vec<&str> = expected.to_vec();
        let found: Vec<&str> = found.iter().map(String::as_str).take(expected.len().max(1)).collect();
        assert_eq!(found, expected, "{operator}: {line}");
    }
}

#[test]
fn names_tell_operators_apart_and_all_are_of_use() {
    let lines = [
        "rm -rf ~/a b",
        "git push --force origin",
        "rm -r -f /home/u/x",
        "curl -XDELETE --request PUT u > x",
        "curl -X DELETE --request=GET u",
        "docker rm x",
        "npm x",
        "kubectl x",
        "cargo x",
        "terraform x",
        "aws x",
        "gcloud x",
        "systemctl x",
        "rm x -f",
        "rm --recursive x",
        "echo a",
    ];
    let all: Vec<String> = lines
        .iter()
        .flat_map(|line| mutate(line, &place(), MutationSet::All, 350))
        .map(|respelling| respelling.operator)
        .collect();
    let mut names: Vec<&str> = OPERATORS.iter().map(|operator| operator.name).collect();
    for name in &names {
        assert!(all.iter().any(|used| used == name), "{name} spells none of these lines");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), OPERATORS.len());
}

/// Every mutation can be read: nothing in it is left open or misplaced.
#[test]
fn every_spelling_can_be_read() {
    for line in ["rm -rf ~/a", "cd x; cat a | sort > b # c", "git push -f &", "if a; then b; fi", "cat <<E\na\nE"] {
        for respelling in mutate(line, &place(), MutationSet::All, 300) {
            let script = parse(&respelling.text, Dialect::Posix);
            let broken = script.opaque.iter().find(|opaque| {
                use crate::domain::shell::OpaqueReason::{Syntax, Unbalanced};
                matches!(opaque.reason, Syntax | Unbalanced)
            });
            assert!(broken.is_none(), "{}: {:?}\n{}", respelling.operator, broken, respelling.text);
        }
    }
}

#[test]
fn spellings_are_bounded_and_come_in_turn() {
    let some = mutate("rm -rf ~/a", &place(), MutationSet::All, 40);
    assert_eq!(some.len(), 40);
    let mut names: Vec<&str> = some.iter().map(|respelling| respelling.operator.as_str()).collect();
    names.dedup();
    assert_eq!(names.len(), 40);
    assert_eq!(some, mutate("rm -rf ~/a", &place(), MutationSet::All, 40));
    let deep = mutate("rm -rf ~/a", &place(), MutationSet::All, 500);
    assert_eq!(deep.len(), 500);
    assert!(deep.last().unwrap().operator.contains('+'));
    assert!(mutate(&"a ".repeat(4000), &place(), MutationSet::All, 40).is_empty());
    assert!(mutate("echo 'a", &place(), MutationSet::All, 40).is_empty());
}

#[test]
fn paths_of_tools_are_respelled() {
    let texts = |path: &str| -> Vec<String> {
        mutate_path(path, &place(), 10).into_iter().map(|respelling| respelling.text).collect()
    };
    assert_eq!(texts(".env"), ["./.env", "../p/.env", "/home/u/p/.env"]);
    assert_eq!(texts("/etc/x"), ["/etc/./x", "/etc//x", "/etc/../etc/x", "/tmp/../etc/x", "../../../etc/x"]);
}
