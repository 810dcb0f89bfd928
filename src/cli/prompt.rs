//! Checks that a user is present: an approval by an agent on the user's behalf is not an approval.
//!
//! An agent runs commands below its own process, with variables that say so, and through pipes. Each
//! of these alone is enough to be refused. A program that wants to get round it can: it can leave its
//! process tree and open a terminal of its own. That is what the rules of `self-protection` are for,
//! which refuse the commands themselves to an agent.

use std::path::Path;

use crate::adapters::HOSTS;
use crate::cli::CommandError;
use crate::io::platform::Platform;
use crate::io::process::ancestors::ancestors;
use crate::io::process::stdio;

/// Agents that have no adapter here: the program, and the variables that its tools' processes have.
const OTHER_AGENTS: &[(&str, &[&str])] = &[
    ("aider", &[]),
    ("amp", &[]),
    ("codex", &["CODEX_SANDBOX", "CODEX_THREAD_ID"]),
    ("copilot", &["COPILOT_CLI"]),
    ("crush", &["CRUSH"]),
    ("cursor-agent", &["CURSOR_AGENT"]),
    ("droid", &[]),
    ("goose", &[]),
    ("grok", &[]),
    ("kiro-cli", &[]),
    ("opencode", &["OPENCODE"]),
    ("pi", &[]),
    ("qwen", &["QWEN_CODE"]),
    ("", &["AI_AGENT"]),
];

/// Packages in which such agents come, where their file is not named after them.
const OTHER_PACKAGES: &[&str] = &["qwen-code", "opencode-ai"];

/// Programs that run a program whose name is their argument.
const INTERPRETERS: &[&str] =
    &["node", "nodejs", "bun", "deno", "npx", "bunx", "sh", "bash", "zsh", "dash", "uv", "ruby"];

/// Checks that a user sits at a terminal, and that no agent runs this.
///
/// # Errors
/// Returns what speaks against it, and what to do.
pub(super) fn require_interactive(surroundings: &Platform) -> Result<(), CommandError> {
    let refuse = |why: String| Err(CommandError::Usage(format!("{why}; run this yourself, in a terminal of your own")));
    let others = OTHER_AGENTS.iter().flat_map(|(_, marks)| *marks);
    let mut marks = HOSTS.iter().flat_map(|host| host.registration.env_markers).chain(others);
    if let Some(mark) = marks.find(|mark| surroundings.env_var(mark).is_some()) {
        return refuse(format!("{mark} is set, so an agent runs this"));
    }
    if !stdio::is_terminal() {
        return refuse("there is no terminal, so nobody can be asked".to_owned());
    }
    match ancestors(surroundings) {
        Ok(above) => match above.iter().find_map(|words| find_agent(words)) {
            Some(agent) => refuse(format!("this runs below `{agent}`")),
            None => Ok(()),
        },
        Err(error) => refuse(error.to_string()),
    }
}

/// Asks a question of which only the whole word `yes` is an approval.
pub(super) fn confirm(question: &str) -> bool {
    stdio::prompt(&format!("{question} Type `yes`: ")).is_some_and(|answer| answer.trim().eq_ignore_ascii_case("yes"))
}

/// Returns the agent that a process is.
fn find_agent(words: &[String]) -> Option<&'static str> {
    let known = || HOSTS.iter().map(|host| host.registration.program).chain(OTHER_AGENTS.iter().map(|(name, _)| *name));
    let named = |word: &str| {
        let stem = program_stem(word);
        known().find(|name| !name.is_empty() && stem.eq_ignore_ascii_case(name))
    };
    let known_packages = || HOSTS.iter().map(|host| host.registration.package).chain(OTHER_PACKAGES.iter().copied());
    let packaged = |word: &str| {
        let mut parts = word.split(['/', '\\']);
        parts.find_map(|part| known_packages().find(|package| part == *package))
    };
    let (program, rest) = words.split_first()?;
    if let Some(agent) = named(program).or_else(|| packaged(program)) {
        return Some(agent);
    }
    let runs = program_stem(program);
    if !INTERPRETERS.iter().any(|runner| runs.eq_ignore_ascii_case(runner)) && !runs.starts_with("python") {
        return None;
    }
    let script = rest.iter().find(|word| !word.starts_with('-'))?;
    named(script).or_else(|| packaged(script))
}

/// Returns the name of a program without its directory and ending.
fn program_stem(word: &str) -> &str {
    let name = word.trim_start_matches('-').rsplit(['/', '\\']).next().unwrap_or(word);
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::find_agent;

    #[test]
    fn agents_are_known_by_their_processes() {
        let of = |line: &str| find_agent(&line.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>());
        for (line, agent) in [
            ("claude", Some("claude")),
            ("/usr/bin/claude -p x", Some("claude")),
            (r"C:\npm\claude.exe", Some("claude")),
            ("node --no-warnings /usr/bin/gemini -p x", Some("gemini")),
            ("/usr/bin/node /x/@anthropic-ai/claude-code/cli.js", Some("claude-code")),
            ("node /x/@google/gemini-cli/bundle/main.js", Some("gemini-cli")),
            ("python3.12 /home/u/.local/bin/aider", Some("aider")),
            ("bash /usr/local/bin/codex", Some("codex")),
            ("-zsh", None),
            ("vim claude", None),
            ("node server.js claude", None),
            ("/usr/bin/node /home/u/claude/server.js", None),
            ("tmux: server", None),
            ("sshd: u@pts/0", None),
        ] {
            assert_eq!(of(line), agent, "{line}");
        }
    }
}
