//! The operators by which a line is respelled. This file is a table.
//!
//! An operator is plain when nobody would be asked about what it adds: a line that may pass must
//! pass in that spelling too. It hides when what runs cannot be seen in the text at all: to have a
//! person asked about such a line is all that can be wanted.

use super::line::Line;
use super::{option, path, quote, space, variable};

/// A way to spell a line anew.
#[derive(Debug)]
pub struct Operator {
    /// The name, for people.
    pub name: &'static str,
    /// What a line in this spelling owes to the line as it was.
    pub keeps: Keeps,
    pub(super) spell: Spell,
}

/// What a spelling owes to what it spells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keeps {
    /// What was stopped is stopped, and what may pass may pass.
    Both,
    /// What was stopped is stopped.
    Stopped,
    /// What was stopped does not go ahead unasked.
    Asked,
}

/// What an operator does. Pairs of texts stand before and behind the line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spell {
    /// Spells plain words anew.
    Words(fn(&str) -> String),
    /// Spells paths of files anew.
    Files(path::Spell),
    /// Puts a directory before a program.
    Program(&'static str),
    /// Stands before a program that is one of its own.
    Before(&'static str),
    /// Stands before any program.
    BeforeAny(&'static str),
    /// Stands before the program of a line that is one command.
    BeforeSingle(&'static str),
    /// Stands behind a program, before its subcommand.
    Global(&'static str, &'static str),
    /// Stands around the line as it is.
    Around(&'static str, &'static str),
    /// Stands around the line as the body of something, its last command ended.
    Body(&'static str, &'static str),
    /// Stands around the line, which runs in a shell of its own.
    Nested(&'static str, &'static str),
    /// Stands around the line, which is part of a text.
    Bare(&'static str, &'static str),
    /// Stands around the line in single quotes.
    Quoted(&'static str, &'static str),
    /// Stands around the line in double quotes.
    Doubled(&'static str, &'static str),
    /// Stands around the line in base64.
    Encoded(&'static str, &'static str),
    /// Stands around the line in hexadecimal digits.
    Hexadecimal(&'static str, &'static str),
    /// Stands around the line as a here-document.
    Document(&'static str, &'static str),
    /// Anything else.
    By(fn(&Line<'_>) -> Vec<String>),
}

use Spell::{
    Around, Bare, Before, BeforeAny, BeforeSingle, Body, By, Document, Doubled, Encoded, Files, Global, Hexadecimal,
    Nested, Program, Quoted, Words,
};

/// A spelling that changes nothing that anyone would be asked about.
const fn plain(name: &'static str, spell: Spell) -> Operator {
    Operator { name, keeps: Keeps::Both, spell }
}

/// A spelling that reaches the same by a way which may deserve a question of its own.
const fn other(name: &'static str, spell: Spell) -> Operator {
    Operator { name, keeps: Keeps::Stopped, spell }
}

/// A spelling in which nobody can see what runs.
const fn hidden(name: &'static str, spell: Spell) -> Operator {
    Operator { name, keeps: Keeps::Asked, spell }
}

/// Every operator, by subject.
pub const OPERATORS: &[Operator] = &[
    // Quotes.
    plain("quote-single", Words(quote::in_single)),
    plain("quote-double", Words(quote::in_double)),
    plain("quote-parted-single", Words(quote::parted_by_single)),
    plain("quote-parted-double", Words(quote::parted_by_double)),
    plain("quote-half-double", Words(quote::half_double)),
    plain("quote-half-single", Words(quote::half_single)),
    plain("quote-backslash", Words(quote::backslash_first)),
    plain("quote-backslash-inside", Words(quote::backslash_inside)),
    other("quote-hexadecimal", Words(quote::hexadecimal)),
    other("quote-octal", Words(quote::octal)),
    other("quote-unicode", Words(quote::unicode)),
    other("quote-half-decoded", Words(quote::half_decoded)),
    other("quote-translated", Words(quote::translated)),
    // Blanks and ends.
    plain("blank-wide", By(space::wide)),
    plain("blank-tabs", By(space::tabs)),
    plain("blank-continued", By(space::continued)),
    plain("blank-in-word", Words(quote::continued)),
    plain("blank-before", Around(" \t ", "")),
    plain("blank-behind", Around("", "  ")),
    plain("newline-before", Around("\n\n", "")),
    plain("newline-behind", Around("", "\n")),
    plain("semicolon-behind", Around("", ";")),
    plain("comment-behind", Around("", " # as agreed")),
    plain("comment-before", Around("# as agreed\n", "")),
    other("background", Around("", " &")),
    other("background-and-wait", Around("", " & wait")),
    // Other commands beside it.
    plain("after-true", Around("true; ", "")),
    plain("after-and", Around("true && ", "")),
    plain("after-or", Around("false || ", "")),
    plain("after-line", Around("echo begin\n", "")),
    plain("after-pipe", Nested(": | ( ", " )")),
    other("after-background", Around("true & ", "")),
    plain("negated", Around("! ", "")),
    plain("before-true", Around("", "; true")),
    plain("before-and", Around("", " && true")),
    plain("before-or", Around("", " || true")),
    plain("before-cat", Around("", " | cat")),
    plain("before-tail", Around("", " 2>&1 | tail -n 20")),
    plain("output-dropped", Around("", " >/dev/null 2>&1")),
    plain("output-dropped-first", BeforeAny(">/dev/null ")),
    plain("errors-dropped-first", BeforeAny("2>/dev/null ")),
    plain("assignment-first", Before("LC_ALL=C ")),
    // Groups.
    plain("subshell", Nested("( ", " )")),
    plain("subshell-tight", Nested("(", ")")),
    plain("group", Body("{ ", "}")),
    plain("group-lines", Body("{\n", "\n}")),
    plain("if-then", Body("if true; then ", "fi")),
    plain("if-condition", Body("if ", "then :; fi")),
    plain("if-else", Body("if false; then :; else ", "fi")),
    plain("while", Body("while true; do ", "break; done")),
    plain("while-condition", Body("while ", "do break; done")),
    plain("until", Body("until false; do ", "break; done")),
    plain("for", Body("for i in 1; do ", "done")),
    plain("for-arithmetic", Body("for ((i = 0; i < 1; i++)); do ", "done")),
    plain("case", Body("case x in x) ", ";; esac")),
    plain("case-any", Body("case x in (*) ", "esac")),
    plain("test-and", Around("[ -n x ] && ", "")),
    plain("test-and-double", Around("[[ -n x ]] && ", "")),
    other("function", Body("f() { ", "}; f")),
    other("function-keyword", Body("function f { ", "}; f")),
    other("function-subshell", Nested("f() ( ", " ); f")),
    other("function-of-words", By(variable::function_of_words)),
    other("coproc", Body("coproc { ", "}; wait")),
    other("trap", Quoted("trap -- ", " EXIT")),
    // Substitutions.
    other("substitution", Nested("echo \"$(", ")\"")),
    other("substitution-bare", Nested("echo $(", ")")),
    other("substitution-argument", Nested(": \"$(", ")\"")),
    other("substitution-assigned", Nested("x=$(", ")")),
    other("substitution-default", Nested("echo \"${x:-$(", ")}\"")),
    other("substitution-here-string", Nested("cat <<< \"$(", ")\"")),
    other("substitution-here-document", Nested("cat <<END\n$(", ")\nEND")),
    other("substitution-tested", Nested("[[ -n $(", ") ]]")),
    other("substitution-arithmetic", Nested("echo $(( 0$(", ") ))")),
    other("backquotes", Bare("echo `", "`")),
    other("backquotes-in-quotes", Bare("echo \"`", "`\"")),
    other("process", Nested("cat <(", ")")),
    other("process-output", Nested("true > >(", ")")),
    // What runs another program.
    other("sudo", Before("sudo ")),
    other("sudo-user", Before("sudo -u root -- ")),
    other("sudo-options", Before("sudo -n -E --user=root ")),
    other("sudo-assignment", Before("sudo A=1 ")),
    other("doas", Before("doas ")),
    other("env", Before("env ")),
    plain("env-assignment", Before("env A=1 ")),
    other("env-options", Before("env -i -u A PATH=/bin:/usr/bin ")),
    other("env-by-path", Before("/usr/bin/env ")),
    plain("nohup", Before("nohup ")),
    plain("nice", Before("nice -n 5 ")),
    other("nice-attached", Before("nice -5 ")),
    other("ionice", Before("ionice -c3 ")),
    plain("timeout", Before("timeout 5 ")),
    other("timeout-options", Before("timeout -s KILL -k 1m 5s ")),
    plain("time", BeforeSingle("time ")),
    other("time-by-path", Before("/usr/bin/time -v ")),
    plain("command", Before("command ")),
    other("command-options", Before("command -p -- ")),
    other("exec", BeforeSingle("exec ")),
    other("exec-named", BeforeSingle("exec -a x ")),
    other("setsid", Before("setsid -w ")),
    other("stdbuf", Before("stdbuf -o0 ")),
    other("stdbuf-apart", Before("stdbuf -o L ")),
    other("chrt", Before("chrt -b 0 ")),
    other("taskset", Before("taskset -c 0 ")),
    other("unshare", Before("unshare -r ")),
    other("xargs", By(variable::nothing_piped)),
    other("xargs-empty", BeforeSingle("echo | xargs ")),
    other("xargs-options", BeforeSingle("true | xargs -n 1 -P 2 -- ")),
    other("xargs-last", By(variable::last_piped)),
    other("wrapped-twice", Before("sudo nice -n 5 env A=1 ")),
    // Another shell.
    other("bash-c", Quoted("bash -c ", "")),
    other("bash-c-double", Doubled("bash -c ", "")),
    other("bash-c-options", Quoted("bash --noprofile -o pipefail -ec ", "")),
    other("bash-c-name", Quoted("/usr/bin/env bash -c ", " name")),
    other("sh-c", Quoted("sh -c ", "")),
    other("sh-lc", Quoted("sh -lc ", "")),
    other("sh-by-path", Quoted("/bin/sh -c ", "")),
    other("zsh-c", Quoted("zsh -c ", "")),
    other("dash-c", Quoted("dash -c ", "")),
    other("busybox-sh", Quoted("busybox sh -c ", "")),
    other("sudo-sh", Quoted("sudo sh -c ", "")),
    other("su", Quoted("su -c ", "")),
    other("su-user", Quoted("su - root -c ", "")),
    other("eval", Quoted("eval ", "")),
    other("eval-double", Doubled("eval ", "")),
    other("eval-printed", Quoted("eval \"$(echo ", ")\"")),
    other("bash-document", Document("bash <<'EOF'\n", "\nEOF")),
    other("bash-document-expanded", Document("bash <<EOF\n", "\nEOF")),
    other("bash-document-stdin", Document("bash -s <<'EOF'\n", "\nEOF")),
    other("cat-document", Document("cat <<'EOF' | bash\n", "\nEOF")),
    other("bash-here-string", Quoted("bash <<< ", "")),
    other("echo-sh", Quoted("echo ", " | sh")),
    other("echo-sudo-sh", Quoted("echo ", " | sudo sh")),
    other("printf-bash", Quoted("printf '%s\\n' ", " | bash")),
    other("echo-tee-bash", Quoted("echo ", " | tee /dev/null | bash -s")),
    other("bash-process", Quoted("bash <(echo ", ")")),
    other("source-process", Quoted("source <(echo ", ") # bash")),
    other("bash-c-printed", Quoted("bash -c \"$(echo ", ")\"")),
    hidden("base64-bash", Encoded("echo ", " | base64 -d | bash")),
    hidden("base64-long-bash", Encoded("base64 --decode <<< ", " | bash")),
    hidden("base64-openssl", Encoded("echo ", " | openssl base64 -d | bash")),
    hidden("base64-eval", Encoded("eval \"$(echo ", " | base64 -d)\"")),
    hidden("base64-bash-c", Encoded("bash -c \"$(base64 -d <<< ", ")\"")),
    hidden("hexadecimal-bash", Hexadecimal("echo ", " | xxd -r -p | bash")),
    other("timeout-bash", Quoted("timeout 5 bash -c ", "")),
    other("xargs-sh", Quoted("true | xargs -I{} sh -c ", "")),
    other("find-sh", Quoted("find . -maxdepth 0 -exec sh -c ", " \\;")),
    other("script", Quoted("script -qc ", " /dev/null")),
    other("flock", Quoted("flock /tmp/lock -c ", "")),
    other("watch", Quoted("watch -n 60 ", "")),
    other("setsid-bash", Quoted("nohup setsid bash -c ", "")),
    other("find-exec", By(variable::found)),
    other("parallel", Quoted("parallel ::: ", "")),
    // Another language.
    other("python", Bare("python3 -c 'import os; os.system(\"", "\")'")),
    other("python-subprocess", Bare("python3 -c 'import subprocess; subprocess.run(\"", "\", shell=True)'")),
    other("perl", Bare("perl -e 'system(\"", "\")'")),
    other("ruby", Bare("ruby -e 'system(\"", "\")'")),
    other("node", Bare("node -e 'require(\"child_process\").execSync(\"", "\")'")),
    other("awk", Bare("awk 'BEGIN { system(\"", "\") }'")),
    other("php", Bare("php -r 'system(\"", "\");'")),
    // Variables.
    other("variable-program", By(variable::program)),
    other("variable-program-quoted", By(variable::program_in_quotes)),
    other("variable-exported", By(variable::exported_program)),
    other("variable-parted", By(variable::parted_program)),
    other("variable-default", By(variable::default_program)),
    other("program-printed", By(variable::printed_program)),
    other("program-backquoted", By(variable::backquoted_program)),
    other("program-found", By(variable::found_program)),
    other("variable-option", By(variable::option)),
    other("variable-operand", By(variable::operand)),
    other("variable-operand-quoted", By(variable::operand_in_quotes)),
    other("variable-all", By(variable::all_in_one)),
    other("variable-positional", By(variable::positional)),
    other("variable-array", By(variable::array)),
    other("alias", By(variable::alias)),
    other("braces", By(variable::braces)),
    other("field-separators", By(space::separators)),
    // Programs by path.
    other("program-bin", Program("/bin/")),
    plain("program-usr-bin", Program("/usr/bin/")),
    other("program-doubled", Program("/usr//bin/")),
    other("program-climbing", Program("./../../../bin/")),
    // Options.
    plain("option-split", By(option::split)),
    plain("option-reversed", By(option::reversed)),
    plain("option-joined", By(option::joined)),
    plain("option-swapped", By(option::swapped)),
    plain("option-behind", By(option::behind_operands)),
    plain("option-before", By(option::before_operands)),
    plain("option-dashes", By(option::dashes)),
    plain("option-long", By(option::long)),
    plain("option-short", By(option::short)),
    plain("option-abbreviated", By(option::abbreviated)),
    plain("option-attached", By(option::attached)),
    plain("option-detached", By(option::detached)),
    plain("git-directory", Global("git", " -C .")),
    plain("git-no-pager", Global("git", " --no-pager")),
    plain("git-setting", Global("git", " -c color.ui=never")),
    other("git-work-tree", Global("git", " --git-dir=.git --work-tree .")),
    other("docker-level", Global("docker", " --log-level info")),
    other("docker-host", Global("docker", " -H unix:///var/run/docker.sock")),
    plain("npm-silent", Global("npm", " --silent")),
    other("kubectl-verbosity", Global("kubectl", " -v 1")),
    plain("cargo-quiet", Global("cargo", " --quiet")),
    other("cargo-toolchain", Global("cargo", " +stable")),
    other("terraform-directory", Global("terraform", " -chdir=.")),
    other("aws-region", Global("aws", " --region eu-west-1")),
    other("gcloud-quiet", Global("gcloud", " --quiet")),
    other("systemctl-pager", Global("systemctl", " --no-pager")),
    // Paths.
    plain("path-dot", Files(path::dot)),
    plain("path-doubled", Files(path::doubled)),
    plain("path-up-and-down", Files(path::up_and_down)),
    other("path-through-tmp", Files(path::through_tmp)),
    plain("path-absolute", Files(path::absolute)),
    other("path-from-here", Files(path::from_here)),
    plain("path-home", Files(path::home)),
    plain("path-home-braces", Files(path::home_in_braces)),
    plain("path-home-quoted", Files(path::home_in_quotes)),
    other("path-home-by-name", Files(path::home_by_name)),
    plain("path-tilde", Files(path::tilde)),
    plain("path-working-directory", Files(path::working_directory)),
    other("path-printed-directory", Files(path::printed_directory)),
    other("path-class", Files(path::class)),
    other("path-from-its-directory", By(path::from_its_directory)),
];
