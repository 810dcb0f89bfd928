//! Which commands patterns match, and what is said of patterns that are wrong.

use ruleward::domain::shell::Dialect::{self, Cmd, Posix, PowerShell};
use ruleward::domain::shell::pattern::CommandPattern;
use ruleward::domain::shell::{FeatureSet, parse};

fn matches(pattern: &str, dialect: Dialect, line: &str) -> bool {
    !CommandPattern::parse(pattern).unwrap().find(&parse(line, dialect)).is_empty()
}

#[test]
fn patterns_match_what_commands_do() {
    for (pattern, dialect, line, expected) in ROWS {
        assert_eq!(matches(pattern, *dialect, line), *expected, "{pattern} on {line}");
    }
}

const ROWS: &[(&str, Dialect, &str, bool)] = &[
    ("rm -rf", Posix, "rm -rf T", true),
    ("rm -rf", Posix, "rm -fr T", true),
    ("rm -rf", Posix, "rm -r -f T", true),
    ("rm -rf", Posix, "rm -vrf T", true),
    ("rm -rf", Posix, "rm --recursive --force T", true),
    ("rm -rf", Posix, "rm --recurs --forc T", true),
    ("rm -rf", Posix, "rm --r --f T", true),
    ("rm -rf", Posix, "rm -R -f T", true),
    ("rm -rf", Posix, "rm T -rf", true),
    ("rm -rf", Posix, "rm -r T", false),
    ("rm -rf", Posix, "rm -- -rf", false),
    ("rm -rf /", Posix, "rm -rf /", true),
    ("rm -rf /", Posix, "rm -rf /tmp", false),
    ("rm -rf /", Posix, "rm -rf / --no-preserve-root", true),
    ("rm -rf ... /", Posix, "rm -rf a /", true),
    ("rm -rf (/ | ~ | '*')", Posix, "rm -rf ~", true),
    ("rm -rf (/ | ~ | '*')", Posix, "rm -rf *", true),
    ("rm -rf (/ | ~ | '*')", Posix, "rm -rf a", false),
    ("git push (--force | -f | --mirror)", Posix, "git push --force", true),
    ("git push (--force | -f | --mirror)", Posix, "git push -uf origin main", true),
    ("git push (--force | -f | --mirror)", Posix, "git -C x push origin main -f", true),
    ("git push (--force | -f | --mirror)", Posix, "cd repo && sudo git -C x push origin main -f", true),
    ("git push (--force | -f | --mirror)", Posix, "git push --force-with-lease", false),
    ("git push (--force | -f | --mirror)", Posix, "git push --force-with-lease=main", false),
    ("git push (--force | -f | --mirror)", Posix, "git push --forc", true),
    ("git push (--force | -f | --mirror)", Posix, "git push --mir", true),
    ("git push (--force | -f | --mirror)", Posix, "git push origin main", false),
    ("git push (--force | -f | --mirror)", Posix, "git commit -m \"git push --force\"", false),
    ("git push (--force | -f | --mirror)", Posix, "git stash push -f", false),
    ("git push --force-with-lease", Posix, "git push --force", false),
    ("git push --force-with-lease", Posix, "git push --force-with-lease=x", true),
    ("git push ... (+* | :*)", Posix, "git push origin +main", true),
    ("git push ... (+* | :*)", Posix, "git push origin :main", true),
    ("git push ... (+* | :*)", Posix, "git push origin main", false),
    ("git reset --hard", Posix, "git reset --har HEAD~1", true),
    ("git reset --hard", Posix, "git reset --soft", false),
    ("git reset --hard", Posix, "git --git-dir /x/.git reset --hard", true),
    ("git clean -f", Posix, "git clean -d -f -x", true),
    ("git clean -f", Posix, "git clean -fdx", true),
    ("git clean -f", Posix, "git clean --force", true),
    ("git clean -fx", Posix, "git clean -xdf", true),
    ("git commit -n", Posix, "git commit -nm x", true),
    ("git commit --no-verify", Posix, "git commit -nm x", true),
    ("git commit --no-verify", Posix, "git commit -m \"-n\"", false),
    ("git checkout -- ...", Posix, "git checkout -- x", true),
    ("git checkout -- ...", Posix, "git checkout main", false),
    ("git checkout .", Posix, "git checkout .", true),
    ("git branch -D", Posix, "git branch -D x", true),
    ("git branch -D", Posix, "git branch -d x", false),
    ("git stash (drop | clear)", Posix, "git stash drop", true),
    ("git stash $", Posix, "git stash", true),
    ("git stash $", Posix, "git stash pop", false),
    ("find ... -delete", Posix, "find . -name x -delete", true),
    ("find -delete", Posix, "find . -delete", true),
    ("find -delete", Posix, "find . -name -delete", false),
    ("mkfs.*", Posix, "mkfs.ext4 /dev/sda", true),
    ("mkfs.*", Posix, "sudo mkfs.ext4 /dev/sda", true),
    ("dd ... of=/dev/*", Posix, "dd if=x of=/dev/sda", true),
    ("dd ... of=/dev/*", Posix, "dd if=x of=x", false),
    ("(curl | wget) ... | (sh | bash | zsh)", Posix, "curl x | sh", true),
    ("(curl | wget) ... | (sh | bash | zsh)", Posix, "curl x | tee f | sudo bash", true),
    ("(curl | wget) ... | (sh | bash | zsh)", Posix, "curl x; sh y", false),
    ("(curl | wget) ... | (sh | bash | zsh)", Posix, "curl x | grep sh", false),
    ("(curl | wget) ... | (sh | bash | zsh)", Posix, "sh x | curl y", false),
    ("(curl | wget) | sh", Posix, "curl x | { cat; sh; }", true),
    ("curl -X=DELETE", Posix, "curl -X DELETE u", true),
    ("curl -X=DELETE", Posix, "curl -XDELETE u", true),
    ("curl -X=DELETE", Posix, "curl --request DELETE u", true),
    ("curl --request=DELETE", Posix, "curl -X DELETE u", true),
    ("curl -X=DELETE", Posix, "curl -X POST u", false),
    ("kubectl delete", Posix, "kubectl -n prod delete pod x", true),
    ("kubectl delete (ns | namespace)", Posix, "kubectl delete -n x ns y", true),
    ("kubectl --namespace=prod* delete", Posix, "kubectl -n prod-eu delete pod x", true),
    ("docker system prune -a", Posix, "docker system prune --all -f", true),
    ("docker (rm | container rm) -f", Posix, "docker container rm --force x", true),
    ("terraform destroy", Posix, "terraform -chdir=x destroy -auto-approve", true),
    ("terraform apply -auto-approve", Posix, "terraform apply -auto-approve", true),
    ("terraform apply -auto-approve", Posix, "terraform apply", false),
    ("npm publish", Posix, "npm --prefix x publish", true),
    ("cargo (test | nextest)", Posix, "cargo +nightly test --release", true),
    ("chmod -R 777", Posix, "chmod 777 -R x", true),
    ("chmod 777", Posix, "chmod -R 777 x", true),
    ("sudo", Posix, "sudo ls", true),
    ("* --force", Posix, "foo --force", true),
    ("* -f", Posix, "foo bar -xf", true),
    ("unknown --force", Posix, "unknown --forc", true),
    ("unknown --force", Posix, "unknown --for", false),
    ("unknown --force", Posix, "unknown --force-all", false),
    ("unknown --opt=a*", Posix, "unknown --opt abc", true),
    ("unknown --opt=a*", Posix, "unknown --opt=abc", true),
    ("unknown --opt=a* x", Posix, "unknown --opt abc x", true),
    ("git commit -m=*", Posix, "git commit -m x", true),
    ("tar --checkpoint-action=*", Posix, "tar cf x --checkpoint-action=exec=x", true),
    ("psql -c=*DROP*", Posix, "psql -h x -c \"DROP TABLE x\"", true),
    ("ps", Posix, "ps aux", true),
    ("ls $", Posix, "ls -la", true),
    ("ls $", Posix, "ls x", false),
    ("rm *", Posix, "rm $X", true),
    ("rm x", Posix, "rm $X", false),
    ("rm ...", Posix, "rm", true),
    ("Remove-Item -Recurse", PowerShell, "rm -rec x", true),
    ("Remove-Item -Recurse", PowerShell, "ri -Recurse x", true),
    ("remove-item", PowerShell, "DEL x", true),
    ("del /s", Cmd, "del /f /s x", true),
    ("rd /s", Cmd, "rd /s /q x", true),
    ("Remove-Item", Cmd, "del x", true),
    ("git 'push'", Posix, "git push", true),
    ("echo '-n'", Posix, "echo -- -n", true),
    ("rm \"*\"", Posix, "rm '*'", true),
    ("rm \"*\"", Posix, "rm abc", false),
];

#[test]
fn mistakes_in_patterns_are_explained() {
    let rows: &[(&str, usize, &str, &str)] = &[
        ("curl -X DELETE", 5, "`-X` takes a value", "write `-X=DELETE`"),
        ("-rf", 0, "a pattern can't start with `-rf`", "put the program first, or `*` for any program"),
        ("(rm", 0, "`(` without `)`", ""),
        ("rm)", 2, "`)` without `(`", ""),
        ("rm ( | x)", 5, "expected a word", ""),
        ("rm (x", 3, "`(` without `)`", ""),
        ("a(b)", 0, "missing space before `(`", "a group must be a separate word, such as `git (push | pull)`"),
        ("a | | b", 4, "expected a word", ""),
        (
            "git push && ls",
            9,
            "`&` is not allowed: a pattern describes one command",
            "use a list of patterns for alternatives, or quote the character to match it literally",
        ),
        (
            "rm > x",
            3,
            "`>` is not allowed: a pattern describes one command",
            "use `files` to match redirections, or quote the character to match it literally",
        ),
        ("git $ x", 4, "`$` is only allowed at the end of a pattern", "quote it to match a dollar sign"),
        ("... x", 0, "a pattern can't start with `...`", "put the program first, or `*` for any program"),
        ("", 0, "the pattern is empty", "use a command, such as `git push --force`"),
        ("rm 'x", 3, "unclosed quote", ""),
    ];
    for (pattern, offset, message, help) in rows {
        let error = CommandPattern::parse(pattern).unwrap_err();
        let help = if help.is_empty() { None } else { Some((*help).to_owned()) };
        assert_eq!((error.offset, error.message.as_str(), error.help), (*offset, *message, help), "{pattern}");
    }
}

#[test]
fn a_command_that_may_match_bears_a_sign_and_most_others_none() {
    for (pattern, line, bears) in [
        ("git push", "git push", true),
        ("git push", "/usr/bin/git -C x PUSH", true),
        ("git push", "git status", false),
        ("git push", "ls push", false),
        ("(curl | wget) ... | (sh | bash)", "wget x", true),
        ("(curl | wget) ... | (sh | bash)", "bash x", false),
        ("(rm -rf | rmdir) x", "rmdir x", true),
        ("(rm -rf | rmdir) x", "rm x", false),
        ("mkfs.* ...", "mkfs.ext4 y", true),
        ("* --force", "x --force", true),
        ("* --force", "x force", false),
    ] {
        let script = parse(line, Posix);
        let borne = FeatureSet::from_commands(script.commands.iter().take(1));
        let found = CommandPattern::parse(pattern).unwrap().features().iter().any(|sign| borne.has(sign));
        assert_eq!(found, bears, "{pattern}: {line}");
    }
}

#[test]
fn the_last_stage_of_a_pipeline_is_reported() {
    let script = parse("ls; curl x | tee f | sudo sh", Posix);
    let found = CommandPattern::parse("curl | (sh | bash)").unwrap().find(&script);
    let texts: Vec<String> = found.iter().map(|index| script.commands[*index].text()).collect();
    assert_eq!(texts, ["sh"]);
}

#[test]
fn patterns_survive_serialization() {
    let pattern = CommandPattern::parse("git push (--force | -f | --mirror) ... $").unwrap();
    let json = serde_json::to_string(&pattern).unwrap();
    assert_eq!(serde_json::from_str::<CommandPattern>(&json).unwrap(), pattern);
}
