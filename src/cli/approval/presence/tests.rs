//! Made-up process trees, and whether a user sits at the terminal.

use std::collections::BTreeMap;

use super::{Absence, check_presence};
use crate::io::process::process_list::{Process, ProcessList, Visibility};

/// This process in the trees.
const OWN: u32 = 100;

/// A line of a tree: number, parent, `*` for a leader of a session, terminal or `-`, command line; a user's own
/// program begins with `~`, a stopped process ends in ` (stopped)`.
fn tree(text: &str) -> ProcessList {
    let mut processes = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut words = line.split_whitespace();
        let (pid, parent) = (words.next().unwrap(), words.next().unwrap());
        let terminal = words.next().unwrap();
        let is_stopped = line.ends_with(" (stopped)");
        let words: Vec<String> = words.filter(|word| *word != "(stopped)").map(ToOwned::to_owned).collect();
        let is_program_changeable = words[0].starts_with('~');
        let name = words[0].trim_start_matches('~');
        let process = Process {
            parent: parent.trim_end_matches('*').parse().unwrap(),
            title: name.to_owned(),
            program: (!name.starts_with('-') && !name.ends_with(':')).then(|| name.to_owned()),
            is_program_changeable,
            user: Some(1000),
            leads_session: parent.ends_with('*'),
            terminal: (terminal != "-").then(|| terminal.to_owned()),
            is_stopped,
            words: words.iter().map(|word| word.trim_start_matches('~').to_owned()).collect(),
        };
        processes.insert(pid.parse().unwrap(), process);
    }
    let stdin_terminal = processes[&OWN].terminal.clone();
    ProcessList {
        own: OWN,
        processes,
        variables: BTreeMap::new(),
        visibility: Visibility::Sessions,
        stdin_terminal,
        is_private_namespace: false,
    }
}

fn check(text: &str) -> Result<(), Absence> {
    check_presence(&tree(text), &[])
}

/// Trees in which a user sits at the terminal.
const BELIEVED: &[&str] = &[
    // A terminal.
    "1 0 - /sbin/init
         10 1 - /usr/libexec/gnome-terminal-server
         20 10* 7 bash
         100 20 7 ruleward trust",
    // A script of the user's.
    "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 /usr/bin/zsh
         30 20 7 /bin/sh ./setup.sh
         100 30 7 ruleward install",
    // An editor.
    "1 0 - /sbin/init
         10 1 - /usr/share/code/code --type=utility
         20 10* 7 /usr/bin/bash --init-file /usr/share/code/x.sh
         100 20 7 ruleward trust",
    // A console, and a connection from elsewhere.
    "1 0 - /usr/lib/systemd/systemd
         10 1* 4 /bin/login -p --
         20 10* 5 -bash
         100 20 5 ruleward trust",
    "1 0 - /usr/lib/systemd/systemd
         5 1 - sshd: u
         10 5 - sshd: u@pts/0
         20 10* 5 -bash
         100 20 5 ruleward trust",
    // sudo in the same terminal, and at one of its own.
    "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash
         30 20 7 /usr/bin/sudo ruleward install
         100 30 7 ruleward install",
    "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash
         30 20 7 /usr/bin/sudo -i
         40 30* 8 -bash
         100 40 8 ruleward install",
    // A container's first process, and one that was put into it.
    "1 0* 7 bash
         100 1 7 ruleward trust",
    "1 0* - /pause
         20 0* 7 sh
         100 20 7 ruleward trust",
    // A multiplexer that somebody looks at.
    "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash
         25 20 7 /usr/bin/tmux attach
         30 1* - /usr/bin/tmux new
         40 30* 8 -zsh
         100 40 8 ruleward trust",
    // An agent at another terminal, and one that was stopped here.
    "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash
         21 10* 8 bash
         22 21 8 claude
         30 20 7 claude (stopped)
         100 20 7 ruleward trust",
    // macOS.
    "1 0* - /sbin/launchd
         10 1 - /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
         20 10* ttys001 /usr/bin/login -pf u
         30 20 ttys001 -zsh
         100 30 ttys001 ruleward trust",
];

#[test]
fn shells_of_terminals_are_believed() {
    for text in BELIEVED {
        assert_eq!(check(text), Ok(()), "{text}");
    }
}

/// Why nobody is believed to sit at the terminal, and trees of that kind.
const REFUSED: &[(&str, &str)] = &[
    (
        "`claude` is a parent process",
        "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash
         30 20 7 claude
         40 30* 8 bash
         100 40 8 ruleward trust",
    ),
    // setsid -f script -qec 'ruleward uninstall'
    (
        "opened only for `ruleward`",
        "1 0 - /sbin/init
         10 1* - /usr/bin/script -qec ruleward
         100 10* 7 ruleward uninstall",
    ),
    (
        "created by `script`",
        "1 0 - /sbin/init
         10 1* - /usr/bin/script -q
         20 10* 7 bash -i
         100 20 7 ruleward uninstall",
    ),
    (
        "created by `python3.12`",
        "1 0 - /sbin/init
         10 1* - /usr/bin/python3.12 -c x
         20 10* 7 /bin/bash
         100 20 7 ruleward uninstall",
    ),
    (
        "created by `expect`",
        "1 0 - /sbin/init
         10 1* - /usr/bin/expect -f x
         20 10* 7 bash
         100 20 7 ruleward uninstall",
    ),
    // The program that holds the other end of the terminal is another one.
    (
        "that started this has exited",
        "1 0 - /sbin/init
         20 1* 7 bash
         100 20 7 ruleward uninstall",
    ),
    (
        "that started this has exited",
        "1 0 - /sbin/init
         5 1* - /usr/lib/systemd/systemd --user
         20 5* 7 bash
         100 20 7 ruleward uninstall",
    ),
    // A child that outlived its parent.
    (
        "that started this has exited",
        "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash
         100 1 7 ruleward uninstall",
    ),
    (
        "no controlling terminal",
        "1 0 - /sbin/init
         20 1* - bash
         100 20 - ruleward uninstall",
    ),
    (
        "`python3` is running this",
        "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash
         30 20 7 /usr/bin/python3 x.py
         100 30 7 ruleward uninstall",
    ),
    (
        "opened only for `bash`",
        "1 0 - /sbin/init
         10 1 - /usr/bin/xterm
         20 10* 7 bash -c x
         100 20 7 ruleward uninstall",
    ),
    (
        "terminals: [newterm]",
        "1 0 - /sbin/init
         10 1 - /usr/bin/newterm
         20 10* 7 bash
         100 20 7 ruleward uninstall",
    ),
    (
        "terminals: [/home/u/xterm]",
        "1 0 - /sbin/init
         10 1 - ~/home/u/xterm
         20 10* 7 bash
         100 20 7 ruleward uninstall",
    ),
    // Keys that are sent through a multiplexer.
    (
        "no user is attached to `tmux`",
        "1 0 - /sbin/init
         10 1* - /usr/bin/tmux new -d
         20 10* 7 -bash
         100 20 7 ruleward uninstall",
    ),
    (
        "no user is attached to `tmux`",
        "1 0 - /sbin/init
         5 1* - /usr/bin/script -qec tmux
         6 5* 8 /usr/bin/tmux attach
         10 1* - /usr/bin/tmux new -d
         20 10* 7 -bash
         100 20 7 ruleward uninstall",
    ),
    (
        "`claude` is running and can type",
        "1 0 - /sbin/init
         3 1 - /usr/bin/xterm
         4 3* 6 bash
         5 4 6 /usr/bin/tmux attach
         10 1* - /usr/bin/tmux new
         20 10* 7 -bash
         21 10* 8 -bash
         22 21 8 claude
         100 20 7 ruleward uninstall",
    ),
    (
        "in the same terminal",
        "1 0* 7 bash
         22 1 7 claude
         100 1 7 ruleward uninstall",
    ),
    // sudo in a terminal that a program created.
    (
        "created by `script`",
        "1 0 - /sbin/init
         10 1* - /usr/bin/script -q
         20 10* 7 bash
         30 20 7 /usr/bin/sudo -i
         40 30* 8 -bash
         100 40 8 ruleward uninstall",
    ),
];

#[test]
fn what_is_no_users_terminal_is_refused() {
    for (why, text) in REFUSED {
        let absence = check(text).expect_err(text).to_string();
        assert!(absence.contains(why), "{why}: {absence}\n{text}");
    }
}

#[test]
fn a_user_can_name_terminals() {
    let text = "1 0 - /sbin/init
        10 1 - ~/home/u/bin/newterm
        20 10* 7 bash
        100 20 7 ruleward trust";
    for (listed, is_enough) in
        [("newterm", true), ("/home/u/bin/newterm", true), ("/usr/bin/newterm", false), ("new", false)]
    {
        assert_eq!(check_presence(&tree(text), &[listed.to_owned()]).is_ok(), is_enough, "{listed}");
    }
}

#[test]
fn variables_of_agents_and_other_terminals_speak_against_it() {
    let text = "1 0 - /sbin/init
        10 1 - /usr/bin/xterm
        20 10* 7 bash
        100 20 7 ruleward trust";
    let mut marked = tree(text);
    marked.variables.insert(10, vec!["CLAUDECODE".to_owned()]);
    assert!(check_presence(&marked, &[]).unwrap_err().to_string().contains("CLAUDECODE"));
    let mut redirected = tree(text);
    redirected.stdin_terminal = Some("9".to_owned());
    assert_eq!(check_presence(&redirected, &[]), Err(Absence::NoTerminal));
    let mut namespace = tree("1 0* 7 bash\n100 1 7 ruleward trust");
    namespace.is_private_namespace = true;
    assert_eq!(check_presence(&namespace, &[]), Err(Absence::PrivateNamespace));
}

#[test]
fn windows_shows_parents_alone() {
    let tree = |text: &str| ProcessList { visibility: Visibility::Parents, stdin_terminal: None, ..tree(text) };
    for (text, is_there) in [
        (
            r"8 0 - C:\Windows\explorer.exe
           9 8 - C:\x\WindowsTerminal.exe
           10 9 - C:\x\pwsh.exe
           100 10 - ruleward.exe",
            true,
        ),
        (
            r"10 99 - C:\x\cmd.exe
           100 10 - ruleward.exe",
            false,
        ),
        (
            r"8 0 - C:\Windows\explorer.exe
           9 8 - C:\x\python.exe x.py
           10 9 - C:\x\cmd.exe
           100 10 - ruleward.exe",
            false,
        ),
        (
            r"8 0 - C:\Windows\explorer.exe
           9 8 - C:\x\claude.exe
           10 9 - C:\x\pwsh.exe
           100 10 - ruleward.exe",
            false,
        ),
    ] {
        assert_eq!(check_presence(&tree(text), &[]).is_ok(), is_there, "{text}");
    }
}
