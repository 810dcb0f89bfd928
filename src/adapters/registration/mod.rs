//! Registration of the hook with a host: where its settings are, and the form of an entry.
//!
//! Each host defines the tables (`contract`) that the code for reading and writing the files uses. Nothing here
//! touches the machine.

pub mod change;
pub mod hook_import;
pub mod inspect;
pub mod loss;
pub mod plugin;

use serde_json::Value;

use crate::adapters::contract::EventRow;
use crate::domain::effect::EffectKind;
use crate::domain::shell::{self, Dialect};

pub use crate::adapters::contract::{
    BaseDirectory, Bundle, BundleVariable, Coexistence, ConfigLocation, FailClosed, HookCommand, HookImport, Plugin,
    Registration, SettingsFile, SettingsScope, TimeoutUnit,
};

/// The default deadline in seconds, after which the hook refuses by itself.
pub const DEFAULT_DEADLINE_SECS: u32 = 2;

/// The timeout in seconds that is registered with a host. The hook's own deadline is much shorter.
pub const HOST_TIMEOUT_SECS: u64 = 60;

/// The longest deadline in seconds, regardless of how long the programs of rules may take.
pub const MAX_DEADLINE_SECS: u32 = 55;

/// Returns whether an event can be refused; then a failing hook must count as a refusal.
pub(super) fn can_deny(row: &EventRow) -> bool {
    row.support(EffectKind::Deny).is_some()
}

/// Returns the shell text of an entry: the program and its arguments, quoted where necessary.
pub(super) fn shell_command(caller: &HookCommand<'_>) -> String {
    let quote = if caller.is_windows { quote_powershell } else { quote_posix };
    let call = if caller.is_windows && quote(caller.program) != caller.program { "& " } else { "" };
    let words = std::iter::once(caller.program).chain(caller.arguments.iter().map(String::as_str));
    format!("{call}{}", words.map(quote).collect::<Vec<_>>().join(" "))
}

fn is_shell_safe(word: &str, more: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=@+,".contains(character);
    !word.is_empty() && word.chars().all(|character| plain(character) || more.contains(character))
}

fn quote_posix(word: &str) -> String {
    if is_shell_safe(word, "") { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn quote_powershell(word: &str) -> String {
    if is_shell_safe(word, r"\") { word.to_owned() } else { format!("'{}'", word.replace('\'', "''")) }
}

/// Returns whether an entry of a settings file is a hook of ruleward for a host.
pub fn is_ruleward_hook(entry: &Value, host: &str) -> bool {
    ruleward_calls(entry).iter().any(|words| words.get(1..3) == Some(&["hook".to_owned(), host.to_owned()]))
}

/// Returns the words of an entry's calls of ruleward: the program as written, then its arguments.
pub fn ruleward_calls(entry: &Value) -> Vec<Vec<String>> {
    let Some(command) = entry.get("command").and_then(Value::as_str) else { return Vec::new() };
    if let Some(arguments) = entry.get("args").and_then(Value::as_array) {
        let words = std::iter::once(command).chain(arguments.iter().filter_map(Value::as_str));
        let words: Vec<String> = words.map(ToOwned::to_owned).collect();
        return if is_ruleward(&words) { vec![words] } else { Vec::new() };
    }
    // Both kinds of shells are tried: a file may have been written on another machine.
    let dialects = [Dialect::Posix, Dialect::PowerShell];
    let commands = dialects.into_iter().flat_map(|dialect| shell::parse(command, dialect).commands);
    let mut found: Vec<Vec<String>> = Vec::new();
    for command in commands {
        let words: Vec<String> = command.words.into_iter().map(|word| word.text).collect();
        if is_ruleward(&words) && !found.contains(&words) {
            found.push(words);
        }
    }
    found
}

fn is_ruleward(words: &[String]) -> bool {
    let name = words.first().and_then(|program| program.rsplit(['/', '\\']).next()).unwrap_or_default();
    let stem = name.len().checked_sub(4).and_then(|end| name.split_at_checked(end));
    match stem {
        Some((stem, extension)) if extension.eq_ignore_ascii_case(".exe") => stem.eq_ignore_ascii_case("ruleward"),
        _ => name == "ruleward",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{HookCommand, is_ruleward_hook, shell_command};

    #[test]
    fn a_call_is_quoted_for_its_shell() {
        let arguments = ["hook".to_owned(), "gemini".to_owned()];
        let text = |program, windows| {
            shell_command(&HookCommand { program, arguments: &arguments, is_windows: windows, is_direct: false })
        };
        assert_eq!(text("/usr/bin/ruleward", false), "/usr/bin/ruleward hook gemini");
        assert_eq!(text("/home/o'neil/my bin/ruleward", false), r"'/home/o'\''neil/my bin/ruleward' hook gemini");
        assert_eq!(text(r"C:\bin\ruleward.exe", true), r"C:\bin\ruleward.exe hook gemini");
        assert_eq!(
            text(r"C:\Program Files\it's\ruleward.exe", true),
            r"& 'C:\Program Files\it''s\ruleward.exe' hook gemini"
        );
    }

    #[test]
    fn own_entries_are_known_in_every_spelling() {
        for entry in [
            json!({"command": "/x/ruleward", "args": ["hook", "claude"]}),
            json!({"command": "ruleward hook claude --deadline 2s"}),
            json!({"command": "'/my bin/ruleward' hook claude"}),
            json!({"command": r"& 'C:\Program Files\ruleward.exe' hook claude"}),
            json!({"command": r"C:\bin\Ruleward.EXE hook claude"}),
            json!({"command": "A=1 timeout 5 ruleward hook claude"}),
        ] {
            assert!(is_ruleward_hook(&entry, "claude"), "{entry}");
            assert!(!is_ruleward_hook(&entry, "gemini"), "{entry}");
        }
        for entry in [
            json!({"command": "echo ruleward hook claude"}),
            json!({"command": "/x/ruleward-audit hook claude"}),
            json!({"command": "/x/ruleward", "args": ["check"]}),
            json!({"type": "http", "url": "https://ruleward"}),
        ] {
            assert!(!is_ruleward_hook(&entry, "claude"), "{entry}");
        }
    }
}
