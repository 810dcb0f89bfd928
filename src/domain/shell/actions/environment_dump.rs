//! Commands that show all variables, unless a later stage of the pipeline lets only names, counts or a
//! harmless variable through.

use super::masking;
use crate::domain::shell::effects::{Access, command_files};
use crate::domain::shell::script::{Command, Dialect, Script, Word};
use crate::domain::shell::walk::inline_code;

/// How the code of other languages shows all variables, and what may not are after it.
const ENVIRONMENT_EXPRESSIONS: &[(&str, &[char])] = &[
    ("os.environ", &['[', '.', 'b']),
    ("process.env", &['.', '[']),
    ("Deno.env.toObject", &[]),
    ("ENV.to_h", &[]),
    ("ENV.inspect", &[]),
    ("ENV.each", &[]),
    ("%ENV", &[]),
    ("getenv()", &[]),
];

/// Returns whether a command shows all variables.
pub(super) fn dumps_environment(index: usize, command: &Command, script: &Script) -> bool {
    prints_environment(index, command, script) && !masking::is_output_hidden(command, script)
}

/// Returns whether a command prints all variables, whatever becomes of it.
pub(super) fn prints_environment(index: usize, command: &Command, script: &Script) -> bool {
    let args = command.args();
    let is_option = |word: &Word| word.text.starts_with('-');
    let only_options = args.iter().all(is_option);
    let has = |letter: char| {
        args.iter().any(|word| {
            word.text.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains(letter))
        })
    };
    match (command.program(), command.dialect) {
        ("env", _) => {
            // `env -i` starts from nothing, and what follows a wrapper is listed by itself.
            let set = |word: &Word| is_option(word) || word.text.contains('=');
            args.iter().all(set)
                && !has('i')
                && !args.iter().any(|word| matches!(word.text.as_str(), "--help" | "--version" | "-S"))
        }
        ("printenv", _) => {
            only_options && !args.iter().any(|word| matches!(word.text.as_str(), "--help" | "--version"))
        }
        ("set", Dialect::Posix | Dialect::Cmd) | ("export", _) if args.is_empty() => true,
        ("export" | "declare" | "typeset" | "readonly", _) => {
            only_options && (has('p') || has('x')) && !has('f') && !has('F')
        }
        ("Get-ChildItem" | "Get-Item", _) => args.iter().any(|word| {
            let text = word.text.to_ascii_lowercase();
            matches!(text.trim_end_matches(['\\', '/', '*']), "env:")
        }),
        ("gci" | "dir" | "ls", Dialect::Posix) => args.iter().any(|word| word.text.eq_ignore_ascii_case("env:")),
        ("launchctl", _) => args.first().is_some_and(|word| matches!(word.text.as_str(), "export" | "print-env")),
        ("systemctl", _) => args.iter().any(|word| word.text == "show-environment"),
        ("tmux", _) => args.iter().any(|word| matches!(word.text.as_str(), "show-environment" | "showenv")),
        ("docker" | "docker-compose", _) => args.iter().any(|word| word.text == "--environment"),
        ("awk" | "gawk" | "mawk", _) => {
            let code = args.iter().any(|word| word.text.contains("in ENVIRON"));
            code || reads_proc_environ(index, script)
        }
        (program, _) => dumps_by_code(program, command) || reads_proc_environ(index, script),
    }
}

/// Returns whether a command reads the environment of a process from the file where the system keeps it.
fn reads_proc_environ(index: usize, script: &Script) -> bool {
    let Some(command) = script.commands.get(index) else { return false };
    let is_environment = |word: &Word| word.text.starts_with("/proc/") && word.text.ends_with("/environ");
    let named =
        command.args().iter().chain(command.redirects.iter().map(|redirect| &redirect.target)).any(is_environment);
    named && command_files(command).iter().any(|(word, access)| *access == Access::Read && is_environment(word))
}

/// Returns whether only the names of the variables are taken, or their number: `Object.keys(process.env)`.
fn takes_names(code: &str, at: usize) -> bool {
    let before = code.get(..at).unwrap_or_default();
    ["Object.keys(", "len(", "sorted(", "list(", "set("].iter().any(|function| before.ends_with(function))
}

/// Returns whether code reads variables whose names it has in variables of its own: `process.env[k]`.
fn reads_by_variable(code: &str) -> bool {
    ["environ[", "process.env[", "environ.get(", "getenv("].iter().any(|access| {
        let mut behind = code.match_indices(access).filter_map(|(at, _)| code.get(at + access.len()..));
        behind.any(|rest| !rest.starts_with(['"', '\'', '`']))
    })
}

fn dumps_by_code(program: &str, command: &Command) -> bool {
    let Some((_, codes)) = inline_code(program, &command.words, None) else { return false };
    let shows = |code: &str| {
        let has_values = reads_by_variable(code);
        ENVIRONMENT_EXPRESSIONS.iter().any(|(name, not)| {
            // `'X' in os.environ` tells whether one variable is set.
            let is_test = |at: usize| {
                let before = code.get(..at).and_then(|before| before.trim_end().strip_suffix(" in"));
                before.is_some_and(|before| before.trim_end_matches(" not").ends_with(['\'', '"']))
            };
            let places =
                code.match_indices(name).filter(|(at, _)| !is_test(*at) && (has_values || !takes_names(code, *at)));
            let ends = places.filter_map(|(at, name)| code.get(at + name.len()..));
            ends.map(str::trim_start)
                .any(|rest| !rest.starts_with(*not) && !rest.starts_with(|c: char| c.is_alphanumeric()))
        })
    };
    codes.iter().any(|code| {
        let prints = ["print", "console.log", "puts", "write", "dump", "echo", "p "];
        prints.iter().any(|word| code.text.contains(word)) && shows(&code.text)
    })
}
