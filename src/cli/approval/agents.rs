//! Which processes are agents, and which variables agents set for what they run.

use crate::adapters::HOSTS;
use crate::cli::approval::programs::{is_interpreter, program_stem};
use crate::io::process::process_list::Process;

/// Agents that have no adapter here: the program, and the variables that its tools' processes have.
const OTHER_AGENTS: &[(&str, &[&str])] = &[
    ("aider", &[]),
    ("amp", &[]),
    ("copilot", &["COPILOT_CLI"]),
    ("crush", &["CRUSH"]),
    ("cursor-agent", &["CURSOR_AGENT"]),
    ("droid", &[]),
    ("goose", &[]),
    ("grok", &[]),
    ("kiro-cli", &[]),
    ("pi", &[]),
    ("qwen", &["QWEN_CODE"]),
    ("", &["AI_AGENT"]),
];

/// Packages in which such agents come, where their file is not named after them.
const OTHER_PACKAGES: &[&str] = &["qwen-code"];

/// Programs that run a program whose name is their argument, besides interpreters.
const RUNNERS: &[&str] = &["npx", "bunx", "sh", "bash", "zsh", "dash", "uv"];

/// Returns the variables that agents set for what they run.
pub(super) fn marks() -> impl Iterator<Item = &'static str> {
    let others = OTHER_AGENTS.iter().flat_map(|(_, marks)| *marks);
    HOSTS.iter().flat_map(|host| host.registration.env_markers).chain(others).copied()
}

/// Returns the agent that a process is.
pub(super) fn find_agent(process: &Process) -> Option<&'static str> {
    find_by_words(&process.words)
}

fn find_by_words(words: &[String]) -> Option<&'static str> {
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
    if !is_interpreter(runs) && !RUNNERS.iter().any(|runner| runs.eq_ignore_ascii_case(runner)) {
        return None;
    }
    let script = rest.iter().find(|word| !word.starts_with('-'))?;
    named(script).or_else(|| packaged(script))
}

#[cfg(test)]
mod tests {
    use super::find_by_words;

    #[test]
    fn agents_are_known_by_their_processes() {
        let of = |line: &str| find_by_words(&line.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>());
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
