//! Texts of the command line's help that list the hosts.

use crate::adapters::HOSTS;

/// Returns the help of the host of `ruleward hook`.
pub(in crate::cli) fn hook_help() -> String {
    format!("The host: {}", either(&names()))
}

/// Returns the help of the hosts of `ruleward install`.
pub(in crate::cli) fn install_help() -> String {
    let names: Vec<String> = names().iter().map(|name| format!("`{name}`")).collect();
    format!("The hosts: {}", names.join(", "))
}

/// Returns what `ruleward --help` says first.
pub(in crate::cli) fn program_help() -> String {
    let hooks: Vec<String> = names().iter().map(|name| format!("`ruleward hook {name}`")).collect();
    format!(
        "One policy for every coding agent\n\n\
         Set {} as your agent's hook (`ruleward install` does this). The bundled policy `recommended` applies without configuration. Put your own policies in `~/.config/ruleward/policy.yaml` and, for a project, in `.ruleward/policy.yaml`.",
        either(&hooks)
    )
}

/// Returns the names of all hosts, in alphabetical order.
fn names() -> Vec<String> {
    let mut names: Vec<String> = HOSTS.iter().map(|host| host.name.to_owned()).collect();
    names.sort_unstable();
    names
}

/// Joins words with commas, and `or` before the last one.
fn either(words: &[String]) -> String {
    match words.split_last() {
        Some((last, rest @ [_, ..])) => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}
