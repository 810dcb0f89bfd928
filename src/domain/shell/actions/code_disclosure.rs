//! Secrets of the environment that code of another language sends to a host.

use super::disclosure::{Disclosure, judge_code, shell_references};
use super::secret_variable::is_secret_variable;
use super::send::command_code;
use crate::domain::shell::script::{Command, Word};

/// What in code connects to a host.
const NETWORK_EXPRESSIONS: &[&str] = &[
    "requests.",
    "httpx.",
    "aiohttp",
    "urlopen",
    "urllib",
    "http.client",
    "socket",
    "fetch(",
    "axios",
    "got(",
    "got.",
    "http.get",
    "https.get",
    ".get('http",
    ".get(\"http",
    ".get(`http",
    ".request(",
    "WebSocket",
    "dns",
    "undici",
    "Net::HTTP",
    "HTTParty",
    "Faraday",
    "URI.open",
    "open-uri",
    "RestClient",
    "TCPSocket",
    "file_get_contents(",
    "curl_",
    "fsockopen",
    "fopen(",
    "LWP",
    "HTTP::Tiny",
    "IO::Socket",
    "gethostby",
    "getaddrinfo",
    "smtplib",
    "XMLHttpRequest",
    "ftplib",
    "paramiko",
    "WebClient",
    "boto3",
    "sendall",
];

/// What in code reads a variable of the environment.
const ACCESSORS: &[&str] = &[
    "environ",
    "getenv",
    "process.env",
    "ENV[",
    "ENV.fetch",
    "$ENV{",
    "_ENV[",
    "Deno.env",
    "Bun.env",
    "import.meta.env",
    "_SERVER[",
];

/// Expressions for all variables, and what may not be behind them.
const WHOLE_ENVIRONMENT: &[(&str, &str)] = &[
    ("os.environ", "[.b"),
    ("os.environ.copy()", ""),
    ("os.environ.items()", ""),
    ("os.environ.values()", ""),
    ("process.env", ".["),
    ("Deno.env.toObject()", ""),
    ("Bun.env", ".["),
    ("ENV.to_h", ""),
    ("ENV.to_a", ""),
    ("ENV.inspect", ""),
    ("%ENV", ""),
    ("$_ENV", "["),
    ("getenv()", ""),
];

/// What in code starts a program.
const PROCESS_EXPRESSIONS: &[&str] =
    &["spawn", "exec", "fork(", "subprocess", "Popen", ".run(", "check_output", "check_call", "system("];

/// What in code gives a login to a host.
const LOGIN_EXPRESSIONS: &[&str] = &[
    "headers",
    "Headers",
    "Authorization",
    "authorization",
    "auth=",
    "auth:",
    "Bearer",
    "basic_auth",
    "X-Api-Key",
    "x-api-key",
];

/// The most references in one piece of code that are looked at.
const MAX_REFERENCES: usize = 32;

/// Returns the secrets that the code of an interpreter sends.
pub(super) fn detect(command: &Command) -> Vec<Disclosure> {
    command_code(command).iter().flat_map(|code| detect_in(code, command)).collect()
}

fn detect_in(code: &Word, command: &Command) -> Vec<Disclosure> {
    let text = code.text.as_str();
    let has = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    let mut secrets = shell_references(code, command.dialect);
    if has(ACCESSORS) {
        secrets.extend(environment_names(text));
    }
    let whole = whole_environment(text);
    // A library can also be loaded by an option: `perl -MLWP::Simple`.
    let loads =
        |word: &Word| word.text.starts_with('-') && NETWORK_EXPRESSIONS.iter().any(|part| word.text.contains(part));
    let connects = has(NETWORK_EXPRESSIONS) || command.args().iter().any(loads);
    if (secrets.is_empty() && whole.is_none()) || !connects {
        return Vec::new();
    }
    let is_login = has(LOGIN_EXPRESSIONS);
    let mut found = Vec::new();
    for secret in secrets.into_iter().take(MAX_REFERENCES) {
        found.extend(judge_code(secret, is_login, text));
    }
    found.extend(whole.into_iter().flat_map(|name| judge_code(name, false, text)));
    found
}

/// Returns the names of secret variables that code reads; those that it sets are left out.
fn environment_names(code: &str) -> Vec<&str> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut names: Vec<&str> = Vec::new();
    for name in code.split(|character: char| !is_part(character)).filter(|name| is_secret_variable(name)) {
        let end = name.as_ptr().addr() - code.as_ptr().addr() + name.len();
        let behind = code.get(end..).unwrap_or_default().trim_start_matches(['"', '\'', ']', ')', '}', ' ']);
        let is_set = behind.starts_with('=')
            && !behind.starts_with("==")
            && !behind.starts_with("=>")
            && !is_destructured(behind);
        if !is_set && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns whether a name is taken out of the environment: `const {X} = process.env`.
fn is_destructured(behind: &str) -> bool {
    behind.trim_start_matches(['=', ' ']).starts_with("process.env")
}

/// Returns the expression by which code uses all variables.
fn whole_environment(code: &str) -> Option<&'static str> {
    let uses = |(name, not): &&(&str, &str)| {
        code.match_indices(name).any(|(at, _)| {
            let behind = code.get(at + name.len()..).unwrap_or_default().trim_start();
            let before = code.get(..at).unwrap_or_default().trim_end();
            let is_longer =
                behind.starts_with(|next: char| next.is_alphanumeric() || next == '_' || not.contains(next));
            // `"X" in os.environ` asks, and `for k in os.environ` takes all.
            let is_asked =
                before.strip_suffix(" in").is_some_and(|it| it.trim_end_matches(" not").ends_with(['"', '\'']));
            // A program that the code starts is given them.
            let is_given = (before.ends_with("env=") || before.ends_with("env:"))
                && PROCESS_EXPRESSIONS.iter().any(|part| code.contains(part));
            let is_test = is_asked || is_given;
            let is_taken_apart = before.strip_suffix('=').is_some_and(|before| before.trim_end().ends_with('}'));
            !is_longer && !is_test && !is_taken_apart
        })
    };
    WHOLE_ENVIRONMENT.iter().find(uses).map(|(name, _)| *name)
}
