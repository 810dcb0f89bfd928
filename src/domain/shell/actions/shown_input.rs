//! Whether what a command reads is shown, or only taken in.

use super::environment_dump::prints_environment;
use super::masking::{hides_values, is_output_hidden, passes_text_on};
use super::upstream_commands;
use crate::domain::shell::script::{Command, Dialect, RedirectKind, Script, Word};
use crate::domain::shell::variable_names::{is_whole_secret, may_be_secret};
use crate::domain::shell::walk::{DECLARATION_BUILTINS, is_shell};

/// Programs that print their arguments.
const PRINTERS: &[&str] = &["echo", "printf", "print", "printenv", "declare", "typeset", "env"];

/// Programs that send what is in their operands, and their options with a value that is sent in the body.
const SENDERS: &[&str] = &["curl", "wget", "wget2", "http", "https", "xh", "nc", "ncat", "netcat", "telnet"];
const SENT_OPTIONS: &[&str] = &[
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "-F",
    "--form",
    "--form-string",
    "--url",
    "--url-query",
    "--post-data",
    "--body-data",
];

/// How the code of other languages reads a variable.
const VARIABLE_ACCESSES: &[&str] = &["environ", "process.env", "getenv", "ENV[", "ENV{", "Deno.env", "Bun.env"];

/// Returns whether the values in what a command reads come out of it: they are printed, kept in a file or passed to
/// another program. A file of variables that a shell takes in shows nothing by itself.
pub fn shows_input(index: usize, script: &Script) -> bool {
    let Some(command) = script.commands.get(index) else { return true };
    let is_sourced = command.dialect == Dialect::Posix && matches!(command.program(), "source" | ".");
    if is_sourced || sets_variables(index, command, script) {
        return shows_variables(script);
    }
    !hides_values(command) && !is_output_hidden(command, script)
}

/// Returns whether what a command prints becomes variables: `export $(cat .env)`, `source <(grep = .env)`.
fn sets_variables(index: usize, command: &Command, script: &Script) -> bool {
    let is_substitution = command.call_chain.last().is_some_and(|via| via.contains('…'));
    let takes = |other: &Command| {
        (DECLARATION_BUILTINS.contains(&other.program()) && other.program() != "local")
            || matches!(other.program(), "source" | ".")
    };
    let is_taken = script.commands.iter().any(|other| {
        takes(other)
            && !other.args().iter().any(|word| word.text.starts_with("-p"))
            && upstream_commands(other, script).any(|(source, _)| source == index)
    });
    let is_behind = |other: &&Command| other.pipeline == command.pipeline && other.stage > command.stage;
    is_substitution
        && is_taken
        && passes_text_on(command)
        && script.commands.iter().filter(is_behind).all(passes_text_on)
}

/// Returns whether a script prints the value of a variable that may be a secret, or every line that it runs.
fn shows_variables(script: &Script) -> bool {
    script.commands.iter().enumerate().any(|(index, command)| {
        let args = command.args();
        let traces = |word: &Word| {
            matches!(word.text.as_str(), "xtrace" | "verbose")
                || word.text.strip_prefix('-').is_some_and(|letters| {
                    !letters.starts_with('-') && letters.len() < 6 && letters.contains(['x', 'v'])
                })
        };
        let program = command.program();
        let is_traced = (program == "set" || is_shell(program)) && args.iter().any(traces);
        let prints = PRINTERS.contains(&program) && args.iter().any(|word| names(word, may_be_secret));
        let named = program == "printenv" && args.iter().any(|word| may_be_secret(&word.text));
        let is_input = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
        let feeds = command.redirects.iter().any(|it| is_input(it.kind) && names(&it.target, may_be_secret));
        let sends = SENDERS.contains(&program) && {
            let arguments = command.arguments();
            let values = arguments.values(SENT_OPTIONS);
            arguments.operands.iter().copied().chain(values).any(|word| names(word, is_whole_secret))
        };
        let reads = args.iter().any(|word| reads_secret(&word.text));
        is_traced || prints || named || feeds || sends || reads || prints_environment(index, command, script)
    })
}

/// Returns whether code of another language reads a variable that may be a secret, for more than whether it is set.
fn reads_secret(code: &str) -> bool {
    VARIABLE_ACCESSES.iter().flat_map(|access| code.match_indices(access)).any(|(at, access)| {
        let before = code.get(..at).unwrap_or_default();
        let rest = code.get(at + access.len()..).unwrap_or_default();
        let rest = rest.strip_prefix(".get").unwrap_or(rest).trim_start_matches(['.', '[', '(', '{', '\'', '"', ' ']);
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        !before.ends_with("!!") && may_be_secret(rest.get(..end).unwrap_or_default())
    })
}

/// Returns whether a word has the value of such a variable in it: `$API_KEY`, `${API_KEY:-}`, but neither
/// `${API_KEY:+set}` nor `${#API_KEY}`.
fn names(word: &Word, is_secret: fn(&str) -> bool) -> bool {
    if word.literal {
        return false;
    }
    word.text.match_indices('$').any(|(at, _)| {
        let rest = word.text.get(at + 1..).unwrap_or_default();
        let (braced, rest) = rest.strip_prefix('{').map_or((false, rest), |rest| (true, rest));
        let indirect = braced && rest.starts_with('!');
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let replaced = braced && (behind.starts_with(":+") || behind.starts_with('+'));
        indirect || (!replaced && is_secret(name))
    })
}

#[cfg(test)]
mod tests {
    use super::{names, reads_secret};
    use crate::domain::shell::script::Word;
    use crate::domain::shell::variable_names::may_be_secret;

    #[test]
    fn references_to_secrets_are_found_in_words_and_code() {
        for (text, expected) in [
            ("$API_KEY", true),
            ("a ${DB_PASSWORD:-x}", true),
            ("${!name}", true),
            ("${API_KEY:+set}", false),
            ("${#API_KEY}", false),
            ("$PORT", false),
        ] {
            assert_eq!(names(&Word::unknown(text), may_be_secret), expected, "{text}");
        }
        for (code, expected) in [
            ("console.log(process.env.API_KEY)", true),
            ("print(os.environ['API_KEY'])", true),
            ("print(os.environ.get(\"DATABASE_URL\"))", true),
            ("console.log(!!process.env.API_KEY)", false),
            ("console.log(process.env.PORT)", false),
        ] {
            assert_eq!(reads_secret(code), expected, "{code}");
        }
    }
}
