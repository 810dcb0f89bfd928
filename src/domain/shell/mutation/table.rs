//! The operators that mutate a line. This file is a table.
//!
//! An operator is equivalent when what it adds needs no question: a line that is allowed must be allowed in that
//! spelling too. It obfuscates when the text does not show at all what runs: asking the user about such a line is all
//! that can be expected.

use super::line::ParsedLine;
use super::{option, path, quote, space, variable};

/// A way to mutate a line.
#[derive(Debug)]
pub struct MutationOperator {
    /// The name, for messages.
    pub name: &'static str,
    /// What the mutation guarantees compared with the original.
    pub guarantee: Guarantee,
    pub(super) transform: Transform,
}

/// What a mutation guarantees compared with the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guarantee {
    /// What was stopped is stopped, and what is allowed is allowed.
    SameDecision,
    /// What was stopped is stopped.
    NotWeaker,
    /// What was stopped is at least asked about.
    AtLeastAsk,
}

/// What an operator does. Pairs of texts are put before and after the line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Transform {
    /// Mutates plain words.
    Words(fn(&str) -> String),
    /// Mutates paths of files.
    Files(path::PathTransform),
    /// Puts a directory before a program.
    Program(&'static str),
    /// Is put before a program that is not a builtin.
    Prefix(&'static str),
    /// Is put before any program.
    PrefixAny(&'static str),
    /// Is put before the program of a line that is one command.
    PrefixSingle(&'static str),
    /// Is put after a program, before its subcommand.
    GlobalOptions(&'static str, &'static str),
    /// Is put around the line as it is.
    Wrap(&'static str, &'static str),
    /// Is put around the line as a body, with its last command terminated.
    GroupBody(&'static str, &'static str),
    /// Is put around the line, which runs in a subshell.
    Subshell(&'static str, &'static str),
    /// Is put around the line, which is part of a text.
    Unquoted(&'static str, &'static str),
    /// Is put around the line in single quotes.
    SingleQuoted(&'static str, &'static str),
    /// Is put around the line in double quotes.
    DoubleQuoted(&'static str, &'static str),
    /// Is put around the line in base64.
    Base64(&'static str, &'static str),
    /// Is put around the line in hexadecimal digits.
    Hex(&'static str, &'static str),
    /// Is put around the line as a here-document.
    HereDocument(&'static str, &'static str),
    /// Anything else.
    Custom(fn(&ParsedLine<'_>) -> Vec<String>),
}

use Transform::{
    Base64, Custom, DoubleQuoted, Files, GlobalOptions, GroupBody, HereDocument, Hex, Prefix, PrefixAny, PrefixSingle,
    Program, SingleQuoted, Subshell, Unquoted, Words, Wrap,
};

/// Returns an operator that adds nothing to ask about.
const fn equivalent(name: &'static str, spell: Transform) -> MutationOperator {
    MutationOperator { name, guarantee: Guarantee::SameDecision, transform: spell }
}

/// Returns an operator with the same effect by a way that may deserve a question of its own.
const fn distinct(name: &'static str, spell: Transform) -> MutationOperator {
    MutationOperator { name, guarantee: Guarantee::NotWeaker, transform: spell }
}

/// Returns an operator that hides what runs.
const fn obfuscated(name: &'static str, spell: Transform) -> MutationOperator {
    MutationOperator { name, guarantee: Guarantee::AtLeastAsk, transform: spell }
}

/// Every operator, by subject.
pub const OPERATORS: &[MutationOperator] = &[
    // Quotes.
    equivalent("quote-single", Words(quote::single_quoted)),
    equivalent("quote-double", Words(quote::double_quoted)),
    equivalent("quote-parted-single", Words(quote::split_by_single_quotes)),
    equivalent("quote-parted-double", Words(quote::split_by_double_quotes)),
    equivalent("quote-half-double", Words(quote::double_quoted_head)),
    equivalent("quote-half-single", Words(quote::single_quoted_tail)),
    equivalent("quote-backslash", Words(quote::backslash_first)),
    equivalent("quote-backslash-inside", Words(quote::backslash_inside)),
    distinct("quote-hexadecimal", Words(quote::ansi_c_hex)),
    distinct("quote-octal", Words(quote::ansi_c_octal)),
    distinct("quote-unicode", Words(quote::ansi_c_unicode)),
    distinct("quote-half-decoded", Words(quote::ansi_c_quoted_head)),
    distinct("quote-translated", Words(quote::locale_quoted)),
    // Blanks and ends.
    equivalent("blank-wide", Custom(space::wide_gaps)),
    equivalent("blank-tabs", Custom(space::tab_gaps)),
    equivalent("blank-continued", Custom(space::continuation_gaps)),
    equivalent("blank-in-word", Words(quote::line_continuation)),
    equivalent("blank-before", Wrap(" \t ", "")),
    equivalent("blank-behind", Wrap("", "  ")),
    equivalent("newline-before", Wrap("\n\n", "")),
    equivalent("newline-behind", Wrap("", "\n")),
    equivalent("semicolon-behind", Wrap("", ";")),
    equivalent("comment-behind", Wrap("", " # as agreed")),
    equivalent("comment-before", Wrap("# as agreed\n", "")),
    distinct("background", Wrap("", " &")),
    distinct("background-and-wait", Wrap("", " & wait")),
    // Other commands beside it.
    equivalent("after-true", Wrap("true; ", "")),
    equivalent("after-and", Wrap("true && ", "")),
    equivalent("after-or", Wrap("false || ", "")),
    equivalent("after-line", Wrap("echo begin\n", "")),
    equivalent("after-pipe", Subshell(": | ( ", " )")),
    distinct("after-background", Wrap("true & ", "")),
    equivalent("negated", Wrap("! ", "")),
    equivalent("before-true", Wrap("", "; true")),
    equivalent("before-and", Wrap("", " && true")),
    equivalent("before-or", Wrap("", " || true")),
    equivalent("before-cat", Wrap("", " | cat")),
    equivalent("before-tail", Wrap("", " 2>&1 | tail -n 20")),
    equivalent("output-dropped", Wrap("", " >/dev/null 2>&1")),
    equivalent("output-dropped-first", PrefixAny(">/dev/null ")),
    equivalent("errors-dropped-first", PrefixAny("2>/dev/null ")),
    equivalent("assignment-first", Prefix("LC_ALL=C ")),
    // Groups.
    equivalent("subshell", Subshell("( ", " )")),
    equivalent("subshell-tight", Subshell("(", ")")),
    equivalent("group", GroupBody("{ ", "}")),
    equivalent("group-lines", GroupBody("{\n", "\n}")),
    equivalent("if-then", GroupBody("if true; then ", "fi")),
    equivalent("if-condition", GroupBody("if ", "then :; fi")),
    equivalent("if-else", GroupBody("if false; then :; else ", "fi")),
    equivalent("while", GroupBody("while true; do ", "break; done")),
    equivalent("while-condition", GroupBody("while ", "do break; done")),
    equivalent("until", GroupBody("until false; do ", "break; done")),
    equivalent("for", GroupBody("for i in 1; do ", "done")),
    equivalent("for-arithmetic", GroupBody("for ((i = 0; i < 1; i++)); do ", "done")),
    equivalent("case", GroupBody("case x in x) ", ";; esac")),
    equivalent("case-any", GroupBody("case x in (*) ", "esac")),
    equivalent("test-and", Wrap("[ -n x ] && ", "")),
    equivalent("test-and-double", Wrap("[[ -n x ]] && ", "")),
    distinct("function", GroupBody("f() { ", "}; f")),
    distinct("function-keyword", GroupBody("function f { ", "}; f")),
    distinct("function-subshell", Subshell("f() ( ", " ); f")),
    distinct("function-of-words", Custom(variable::function_wrapper)),
    distinct("coproc", GroupBody("coproc { ", "}; wait")),
    distinct("trap", SingleQuoted("trap -- ", " EXIT")),
    // Substitutions.
    distinct("substitution", Subshell("echo \"$(", ")\"")),
    distinct("substitution-bare", Subshell("echo $(", ")")),
    distinct("substitution-argument", Subshell(": \"$(", ")\"")),
    distinct("substitution-assigned", Subshell("x=$(", ")")),
    distinct("substitution-default", Subshell("echo \"${x:-$(", ")}\"")),
    distinct("substitution-here-string", Subshell("cat <<< \"$(", ")\"")),
    distinct("substitution-here-document", Subshell("cat <<END\n$(", ")\nEND")),
    distinct("substitution-tested", Subshell("[[ -n $(", ") ]]")),
    distinct("substitution-arithmetic", Subshell("echo $(( 0$(", ") ))")),
    distinct("backquotes", Unquoted("echo `", "`")),
    distinct("backquotes-in-quotes", Unquoted("echo \"`", "`\"")),
    distinct("process", Subshell("cat <(", ")")),
    distinct("process-output", Subshell("true > >(", ")")),
    // What runs another program.
    distinct("sudo", Prefix("sudo ")),
    distinct("sudo-user", Prefix("sudo -u root -- ")),
    distinct("sudo-options", Prefix("sudo -n -E --user=root ")),
    distinct("sudo-assignment", Prefix("sudo A=1 ")),
    distinct("doas", Prefix("doas ")),
    distinct("env", Prefix("env ")),
    equivalent("env-assignment", Prefix("env A=1 ")),
    distinct("env-options", Prefix("env -i -u A PATH=/bin:/usr/bin ")),
    distinct("env-by-path", Prefix("/usr/bin/env ")),
    equivalent("nohup", Prefix("nohup ")),
    equivalent("nice", Prefix("nice -n 5 ")),
    distinct("nice-attached", Prefix("nice -5 ")),
    distinct("ionice", Prefix("ionice -c3 ")),
    equivalent("timeout", Prefix("timeout 5 ")),
    distinct("timeout-options", Prefix("timeout -s KILL -k 1m 5s ")),
    equivalent("time", PrefixSingle("time ")),
    distinct("time-by-path", Prefix("/usr/bin/time -v ")),
    equivalent("command", Prefix("command ")),
    distinct("command-options", Prefix("command -p -- ")),
    distinct("exec", PrefixSingle("exec ")),
    distinct("exec-named", PrefixSingle("exec -a x ")),
    distinct("setsid", Prefix("setsid -w ")),
    distinct("stdbuf", Prefix("stdbuf -o0 ")),
    distinct("stdbuf-apart", Prefix("stdbuf -o L ")),
    distinct("chrt", Prefix("chrt -b 0 ")),
    distinct("taskset", Prefix("taskset -c 0 ")),
    distinct("unshare", Prefix("unshare -r ")),
    distinct("xargs", Custom(variable::xargs_without_input)),
    distinct("xargs-empty", PrefixSingle("echo | xargs ")),
    distinct("xargs-options", PrefixSingle("true | xargs -n 1 -P 2 -- ")),
    distinct("xargs-last", Custom(variable::xargs_last_argument)),
    distinct("wrapped-twice", Prefix("sudo nice -n 5 env A=1 ")),
    // Another shell.
    distinct("bash-c", SingleQuoted("bash -c ", "")),
    distinct("bash-c-double", DoubleQuoted("bash -c ", "")),
    distinct("bash-c-options", SingleQuoted("bash --noprofile -o pipefail -ec ", "")),
    distinct("bash-c-name", SingleQuoted("/usr/bin/env bash -c ", " name")),
    distinct("sh-c", SingleQuoted("sh -c ", "")),
    distinct("sh-lc", SingleQuoted("sh -lc ", "")),
    distinct("sh-by-path", SingleQuoted("/bin/sh -c ", "")),
    distinct("zsh-c", SingleQuoted("zsh -c ", "")),
    distinct("dash-c", SingleQuoted("dash -c ", "")),
    distinct("busybox-sh", SingleQuoted("busybox sh -c ", "")),
    distinct("sudo-sh", SingleQuoted("sudo sh -c ", "")),
    distinct("su", SingleQuoted("su -c ", "")),
    distinct("su-user", SingleQuoted("su - root -c ", "")),
    distinct("eval", SingleQuoted("eval ", "")),
    distinct("eval-double", DoubleQuoted("eval ", "")),
    distinct("eval-printed", SingleQuoted("eval \"$(echo ", ")\"")),
    distinct("bash-document", HereDocument("bash <<'EOF'\n", "\nEOF")),
    distinct("bash-document-expanded", HereDocument("bash <<EOF\n", "\nEOF")),
    distinct("bash-document-stdin", HereDocument("bash -s <<'EOF'\n", "\nEOF")),
    distinct("cat-document", HereDocument("cat <<'EOF' | bash\n", "\nEOF")),
    distinct("bash-here-string", SingleQuoted("bash <<< ", "")),
    distinct("echo-sh", SingleQuoted("echo ", " | sh")),
    distinct("echo-sudo-sh", SingleQuoted("echo ", " | sudo sh")),
    distinct("printf-bash", SingleQuoted("printf '%s\\n' ", " | bash")),
    distinct("echo-tee-bash", SingleQuoted("echo ", " | tee /dev/null | bash -s")),
    distinct("bash-process", SingleQuoted("bash <(echo ", ")")),
    distinct("source-process", SingleQuoted("source <(echo ", ") # bash")),
    distinct("bash-c-printed", SingleQuoted("bash -c \"$(echo ", ")\"")),
    obfuscated("base64-bash", Base64("echo ", " | base64 -d | bash")),
    obfuscated("base64-long-bash", Base64("base64 --decode <<< ", " | bash")),
    obfuscated("base64-openssl", Base64("echo ", " | openssl base64 -d | bash")),
    obfuscated("base64-eval", Base64("eval \"$(echo ", " | base64 -d)\"")),
    obfuscated("base64-bash-c", Base64("bash -c \"$(base64 -d <<< ", ")\"")),
    obfuscated("hexadecimal-bash", Hex("echo ", " | xxd -r -p | bash")),
    distinct("timeout-bash", SingleQuoted("timeout 5 bash -c ", "")),
    distinct("xargs-sh", SingleQuoted("true | xargs -I{} sh -c ", "")),
    distinct("find-sh", SingleQuoted("find . -maxdepth 0 -exec sh -c ", " \\;")),
    distinct("script", SingleQuoted("script -qc ", " /dev/null")),
    distinct("flock", SingleQuoted("flock /tmp/lock -c ", "")),
    distinct("watch", SingleQuoted("watch -n 60 ", "")),
    distinct("setsid-bash", SingleQuoted("nohup setsid bash -c ", "")),
    distinct("find-exec", Custom(variable::find_exec)),
    distinct("parallel", SingleQuoted("parallel ::: ", "")),
    // Another language.
    distinct("python", Unquoted("python3 -c 'import os; os.system(\"", "\")'")),
    distinct("python-subprocess", Unquoted("python3 -c 'import subprocess; subprocess.run(\"", "\", shell=True)'")),
    distinct("perl", Unquoted("perl -e 'system(\"", "\")'")),
    distinct("ruby", Unquoted("ruby -e 'system(\"", "\")'")),
    distinct("node", Unquoted("node -e 'require(\"child_process\").execSync(\"", "\")'")),
    distinct("awk", Unquoted("awk 'BEGIN { system(\"", "\") }'")),
    distinct("php", Unquoted("php -r 'system(\"", "\");'")),
    // Variables.
    distinct("variable-program", Custom(variable::program_variable)),
    distinct("variable-program-quoted", Custom(variable::program_variable_quoted)),
    distinct("variable-exported", Custom(variable::program_variable_exported)),
    distinct("variable-parted", Custom(variable::program_variables_joined)),
    distinct("variable-default", Custom(variable::program_default_value)),
    distinct("program-printed", Custom(variable::program_echo_substitution)),
    distinct("program-backquoted", Custom(variable::program_backquoted)),
    distinct("program-found", Custom(variable::program_which_substitution)),
    distinct("variable-option", Custom(variable::option_variable)),
    distinct("variable-operand", Custom(variable::operand_variable)),
    distinct("variable-operand-quoted", Custom(variable::operand_variable_quoted)),
    distinct("variable-all", Custom(variable::command_variable)),
    distinct("variable-positional", Custom(variable::positional_parameters)),
    distinct("variable-array", Custom(variable::array_expansion)),
    distinct("alias", Custom(variable::alias_definition)),
    distinct("braces", Custom(variable::brace_expansion)),
    distinct("field-separators", Custom(space::ifs_gaps)),
    // Programs by path.
    distinct("program-bin", Program("/bin/")),
    equivalent("program-usr-bin", Program("/usr/bin/")),
    distinct("program-doubled", Program("/usr//bin/")),
    distinct("program-climbing", Program("./../../../bin/")),
    // Options.
    equivalent("option-split", Custom(option::split_cluster)),
    equivalent("option-reversed", Custom(option::reverse_cluster)),
    equivalent("option-joined", Custom(option::merge_cluster)),
    equivalent("option-swapped", Custom(option::swap_options)),
    equivalent("option-behind", Custom(option::options_last)),
    equivalent("option-before", Custom(option::options_first)),
    equivalent("option-dashes", Custom(option::insert_double_dash)),
    equivalent("option-long", Custom(option::to_long)),
    equivalent("option-short", Custom(option::to_short)),
    equivalent("option-abbreviated", Custom(option::abbreviate)),
    equivalent("option-attached", Custom(option::attach_value)),
    equivalent("option-detached", Custom(option::detach_value)),
    equivalent("git-directory", GlobalOptions("git", " -C .")),
    equivalent("git-no-pager", GlobalOptions("git", " --no-pager")),
    equivalent("git-setting", GlobalOptions("git", " -c color.ui=never")),
    distinct("git-work-tree", GlobalOptions("git", " --git-dir=.git --work-tree .")),
    distinct("docker-level", GlobalOptions("docker", " --log-level info")),
    distinct("docker-host", GlobalOptions("docker", " -H unix:///var/run/docker.sock")),
    equivalent("npm-silent", GlobalOptions("npm", " --silent")),
    distinct("kubectl-verbosity", GlobalOptions("kubectl", " -v 1")),
    equivalent("cargo-quiet", GlobalOptions("cargo", " --quiet")),
    distinct("cargo-toolchain", GlobalOptions("cargo", " +stable")),
    distinct("terraform-directory", GlobalOptions("terraform", " -chdir=.")),
    distinct("aws-region", GlobalOptions("aws", " --region eu-west-1")),
    distinct("gcloud-quiet", GlobalOptions("gcloud", " --quiet")),
    distinct("systemctl-pager", GlobalOptions("systemctl", " --no-pager")),
    // Paths.
    equivalent("path-dot", Files(path::dot_segment)),
    equivalent("path-doubled", Files(path::double_slash)),
    equivalent("path-up-and-down", Files(path::parent_round_trip)),
    distinct("path-through-tmp", Files(path::via_tmp)),
    equivalent("path-absolute", Files(path::absolute)),
    distinct("path-from-here", Files(path::relative)),
    equivalent("path-home", Files(path::home_variable)),
    equivalent("path-home-braces", Files(path::home_variable_braced)),
    equivalent("path-home-quoted", Files(path::home_variable_quoted)),
    distinct("path-home-by-name", Files(path::home_of_user)),
    equivalent("path-tilde", Files(path::home_tilde)),
    equivalent("path-working-directory", Files(path::pwd_variable)),
    distinct("path-printed-directory", Files(path::pwd_substitution)),
    distinct("path-class", Files(path::bracket_pattern)),
    distinct("path-from-its-directory", Custom(path::change_directory_first)),
];
