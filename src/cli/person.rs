//! Whether a person sits here: what is approved in a person's place is no approval.
//!
//! An agent runs commands below its own process, with variables that say so, and through pipes. Each
//! of these alone is enough to be refused. A program that wants to get round it can: it can leave its
//! process tree and open a terminal of its own. That is what the rules of `self-protection` are for,
//! which refuse the commands themselves to an agent.

use std::path::Path;

use crate::adapters::HOSTS;
use crate::io::ancestors::ancestors;
use crate::io::platform::Surroundings;
use crate::io::stdio;

/// Agents that have no adapter here: the program, and the variables that its tools' processes have.
const OTHERS: &[(&str, &[&str])] = &[
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
    ("llxprt", &["LLXPRT_CLI"]),
    ("opencode", &["OPENCODE"]),
    ("pi", &[]),
    ("qwen", &["QWEN_CODE"]),
    ("", &["AI_AGENT"]),
];

/// Packages in which agents come, where their file is not named after them.
const PACKAGES: &[&str] = &["claude-code", "gemini-cli", "qwen-code", "llxprt-code", "opencode-ai"];

/// Programs that run a program whose name is their argument.
const RUNNERS: &[&str] = &["node", "nodejs", "bun", "deno", "npx", "bunx", "sh", "bash", "zsh", "dash", "uv", "ruby"];

/// Checks that a person sits at a terminal, and that no agent runs this.
///
/// # Errors
/// Returns what speaks against it, and what to do.
pub(super) fn is_here(surroundings: &Surroundings) -> Result<(), String> {
    let refuse = |why: String| Err(format!("{why}; run this yourself, in a terminal of your own"));
    let others = OTHERS.iter().flat_map(|(_, marks)| *marks);
    let mut marks = HOSTS.iter().flat_map(|host| host.registration.marks).chain(others);
    if let Some(mark) = marks.find(|mark| surroundings.variable(mark).is_some()) {
        return refuse(format!("{mark} is set, so an agent runs this"));
    }
    if !stdio::is_terminal() {
        return refuse("there is no terminal, so nobody can be asked".to_owned());
    }
    match ancestors(surroundings) {
        Ok(above) => match above.iter().find_map(|words| agent_of(words)) {
            Some(agent) => refuse(format!("this runs below `{agent}`")),
            None => Ok(()),
        },
        Err(why) => refuse(why),
    }
}

/// Asks a question of which only the whole word `yes` is an approval.
pub(super) fn agrees(question: &str) -> bool {
    stdio::ask(&format!("{question} Type `yes`: ")).is_some_and(|answer| answer.trim().eq_ignore_ascii_case("yes"))
}

/// Returns the agent that a process is.
fn agent_of(words: &[String]) -> Option<&'static str> {
    let known = || HOSTS.iter().map(|host| host.registration.program).chain(OTHERS.iter().map(|(name, _)| *name));
    let named = |word: &str| {
        let stem = stem(word);
        known().find(|name| !name.is_empty() && stem.eq_ignore_ascii_case(name))
    };
    let packaged = |word: &str| {
        let mut parts = word.split(['/', '\\']);
        parts.find_map(|part| PACKAGES.iter().copied().find(|package| part == *package))
    };
    let (program, rest) = words.split_first()?;
    if let Some(agent) = named(program).or_else(|| packaged(program)) {
        return Some(agent);
    }
    let runs = stem(program);
    if !RUNNERS.iter().any(|runner| runs.eq_ignore_ascii_case(runner)) && !runs.starts_with("python") {
        return None;
    }
    let script = rest.iter().find(|word| !word.starts_with('-'))?;
    named(script).or_else(|| packaged(script))
}

/// Returns the name of a program without its directory and ending.
fn stem(word: &str) -> &str {
    let name = word.trim_start_matches('-').rsplit(['/', '\\']).next().unwrap_or(word);
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::agent_of;

    #[test]
    fn agents_are_known_by_their_processes() {
        let of = |line: &str| agent_of(&line.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>());
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
