//! The table of the shell's own commands, and of programs that run another.

use super::super::row::{Check, Operands, Row, row};
use Operands::{Checked, Command, Names, None, Paths, Printed, Text};

pub(super) const ROWS: &[Row] = &[
    row("cd", "", Paths, "cd src", "cd /etc"),
    row("echo", "-n -e -E", Printed, "echo \"exit: $?\"", "echo $TOKEN"),
    row("printf", "!raw", Printed, "printf '%s\\n' a", "printf -v x a").checked(&[Check::NoOperandIs(&["-v"])]),
    row("true false :", "", Text, "{}", "{} $X"),
    row("pwd", "-P -L", None, "pwd", "pwd x"),
    row("exit return", "", Printed, "{} 0", "{} -x"),
    row("set", "-e -u -x -o=pipefail|errexit|nounset", None, "set -euo pipefail", "set -- a")
        .checked(&[Check::OneOf(&["-e", "-u", "-x", "-o"])]),
    row("test [ [[", "!raw", Checked, "test -f a.txt", "test -v a").checked(&[Check::Test]),
    row("command", "-v -V", Names, "command -v git", "command git status").checked(&[Check::OneOf(&["-v", "-V"])]),
    row("type hash", "-a -t -p -P", Names, "{} git", "{} -p=x git"),
    row("sleep", "", Text, "sleep 1", "sleep --unknown"),
    row("seq gseq", "-w -s= -f= --equal-width --separator= --format=", Text, "{} 1 5", "{} --unknown 5"),
    row("expr factor", "", Text, "{} 4", "{} --unknown 4"),
    row(
        "timeout gtimeout",
        "-k=N -s=R --foreground --preserve-status --kill-after=N --signal=R -v",
        Command(1),
        "{} 10 ls",
        "{} 10 rm a",
    ),
    row("time", "-p", Command(0), "time ls", "time rm a"),
    row("nice ionice", "-n=N -c=N", Command(0), "{} -n 5 ls", "{} rm a"),
    row("env", "", Command(0), "env LC_ALL=C ls", "env"),
    row("stdbuf", "-o=L|0 -i=L|0 -e=L|0", Command(0), "stdbuf -oL ls", "stdbuf -oL rm a"),
];
