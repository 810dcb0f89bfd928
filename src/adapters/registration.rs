//! How a host is told of its hook: where its settings stand, and how an entry is spelled.
//!
//! Each host states the rows; what reads and writes the files goes by them. Nothing here touches
//! the machine.

use serde_json::Value;

use super::Row;
use super::inspect::Fault;
use crate::domain::effect::EffectKind;
use crate::domain::shell::{self, Dialect};

/// How a host is told of its hook.
#[derive(Debug)]
pub struct Registration {
    /// The name of the host's program.
    pub program: &'static str,
    /// The directory, below the person's home, that tells that the host has been used here.
    pub folder: &'static str,
    /// Whether its settings files may hold comments; a file with what the host does not read is
    /// dropped by it as a whole.
    pub comments: bool,
    /// Its settings files.
    pub files: &'static [SettingsFile],
    /// Whether a later file's list of an event takes the place of an earlier one's.
    pub last_list_holds: bool,
    /// Events that are never registered: silence there is not neutral.
    pub never: &'static [&'static str],
    /// Keys of `hooks` that are no events.
    pub not_events: &'static [&'static str],
    /// What `timeout` counts.
    pub unit: Unit,
    /// The key that makes a failing hook refuse.
    pub closed_key: Option<&'static str>,
    /// The switch, as a key and one inside it, that has to be on for hooks to run at all.
    pub switched_on: Option<(&'static str, &'static str)>,
    /// Finds what in the settings switches hooks off or makes the host drop the file.
    pub switches: fn(&Value) -> Vec<Fault>,
    /// The shell that an entry's text goes through, elsewhere than on Windows.
    pub shell: &'static str,
    /// The file that says which folders are trusted, where hooks of settings files need that.
    pub trusted_folders: Option<Location>,
    /// Environment variables of the processes that its tools start.
    pub marks: &'static [&'static str],
    /// Environment variables that switch hooks off, and how.
    pub off_switches: &'static [(&'static str, &'static str)],
    /// Files, below the person's home, in which hooks are never read though people put them there.
    pub unread: &'static [&'static str],
    /// Builds the entry for an event.
    pub entry: fn(&Row, &Caller<'_>) -> Value,
    /// What is distributed as a folder of its own, where the host knows such a thing.
    pub bundle: Bundle,
    /// What becomes of the answers of several hooks.
    pub beside: &'static [Beside],
}

/// What becomes of the answers of several hooks of one event.
#[derive(Debug)]
pub struct Beside {
    /// The host's names of the events; none for every event.
    pub events: &'static [&'static str],
    /// The field that it is about; "" for the answer as a whole.
    pub field: &'static str,
    /// What becomes of them.
    pub becomes: &'static str,
    /// What ruleward does about it, or a person can do.
    pub so: &'static str,
}

/// What a host's `timeout` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

impl Unit {
    /// Returns a number of these as seconds.
    pub fn seconds(self, number: f64) -> f64 {
        match self {
            Self::Seconds => number,
            Self::Milliseconds => number / 1000.0,
        }
    }

    /// Returns the largest number that a host's timer can count.
    pub const fn most(self) -> f64 {
        match self {
            Self::Seconds => 2_147_483.0,
            Self::Milliseconds => 2_147_483_647.0,
        }
    }
}

/// One settings file of a host.
#[derive(Debug)]
pub struct SettingsFile {
    /// Whom it is for.
    pub scope: Scope,
    /// Where it is.
    pub at: Location,
}

/// Whom a registration is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The person, in every project.
    User,
    /// All who work on the project.
    Project,
    /// The person, in this checkout.
    Local,
    /// All who use the machine.
    Managed,
}

impl Scope {
    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
        }
    }
}

/// Where a settings file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// In the host's directory below the person's home, or where a variable says that this
    /// directory is.
    Home {
        /// The variable, if there is one.
        variable: Option<&'static str>,
        /// The file.
        file: &'static str,
    },
    /// In the host's directory among those that the system keeps for programs, or where one of these
    /// variables says that it is.
    Standard {
        /// The variables; the first that is set counts.
        variables: &'static [&'static str],
        /// Which of the system's directories.
        directory: Standard,
        /// The host's directory in it.
        name: &'static str,
        /// The file.
        file: &'static str,
    },
    /// In the host's directory of the project.
    Project(&'static str),
    /// At one place of the machine, or where a variable says.
    Machine {
        /// The variable, if there is one.
        variable: Option<&'static str>,
        /// On Linux and its like.
        unix: &'static str,
        /// On macOS.
        macos: &'static str,
        /// On Windows.
        windows: &'static str,
    },
}

/// A kind of directory that systems keep for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standard {
    /// What people set.
    Config,
    /// What programs keep.
    Data,
}

/// How the hook is called.
#[derive(Debug, Clone, Copy)]
pub struct Caller<'a> {
    /// The program: an absolute path, or a name to be found.
    pub program: &'a str,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Whether the host runs on Windows.
    pub windows: bool,
    /// Whether the host starts programs itself instead of through a shell, where it can do both.
    pub direct: bool,
}

/// A folder that brings the hook to others.
#[derive(Debug)]
pub struct Bundle {
    /// What the host calls it: `extension`, `plugin`.
    pub kind: &'static str,
    /// Where the host keeps what was added.
    pub kept: Location,
    /// Whether the host takes what is put there; or else a person adds it by a command of the host.
    pub found_there: bool,
    /// The manifest: path in the folder, and content.
    pub manifest: fn() -> (&'static str, Value),
    /// The path of the hooks in the folder.
    pub hooks: &'static str,
}

/// Seconds after which the hook answers on its own account when its command line says nothing.
pub const DEADLINE: u32 = 2;

/// Seconds that a host is told to wait. The hook's own deadline is well within them.
pub const PATIENCE: u64 = 60;

/// Seconds after which the hook answers at the latest, however long programs may take that rules have run.
pub const LATEST: u32 = 55;

/// Tells whether an event's row can refuse; a failing hook is then to be taken for a refusal.
pub(super) fn can_refuse(row: &Row) -> bool {
    row.support(EffectKind::Deny).is_some()
}

/// Returns the entries' common text for shells: the program and its arguments, quoted where they
/// need it.
pub(super) fn shell_text(caller: &Caller<'_>) -> String {
    let quote = if caller.windows { for_powershell } else { for_posix };
    let call = if caller.windows && quote(caller.program) != caller.program { "& " } else { "" };
    let words = std::iter::once(caller.program).chain(caller.arguments.iter().map(String::as_str));
    format!("{call}{}", words.map(quote).collect::<Vec<_>>().join(" "))
}

fn is_plain(word: &str, more: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=@+,".contains(character);
    !word.is_empty() && word.chars().all(|character| plain(character) || more.contains(character))
}

fn for_posix(word: &str) -> String {
    if is_plain(word, "") { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn for_powershell(word: &str) -> String {
    if is_plain(word, r"\") { word.to_owned() } else { format!("'{}'", word.replace('\'', "''")) }
}

/// Tells whether an entry of a settings file is a hook of ruleward for a host.
pub fn is_ours(entry: &Value, host: &str) -> bool {
    calls(entry).iter().any(|words| words.get(1..3) == Some(&["hook".to_owned(), host.to_owned()]))
}

/// Returns the words of the calls of ruleward that an entry makes: the program as written, then
/// its arguments.
pub fn calls(entry: &Value) -> Vec<Vec<String>> {
    let Some(command) = entry.get("command").and_then(Value::as_str) else { return Vec::new() };
    if let Some(arguments) = entry.get("args").and_then(Value::as_array) {
        let words = std::iter::once(command).chain(arguments.iter().filter_map(Value::as_str));
        let words: Vec<String> = words.map(ToOwned::to_owned).collect();
        return if is_ruleward(&words) { vec![words] } else { Vec::new() };
    }
    // Both kinds of shells are tried: a file may have been made on another machine.
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

    use super::{Caller, is_ours, shell_text};

    #[test]
    fn a_call_is_quoted_for_its_shell() {
        let arguments = ["hook".to_owned(), "gemini".to_owned()];
        let text = |program, windows| shell_text(&Caller { program, arguments: &arguments, windows, direct: false });
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
            assert!(is_ours(&entry, "claude"), "{entry}");
            assert!(!is_ours(&entry, "gemini"), "{entry}");
        }
        for entry in [
            json!({"command": "echo ruleward hook claude"}),
            json!({"command": "/x/ruleward-audit hook claude"}),
            json!({"command": "/x/ruleward", "args": ["check"]}),
            json!({"type": "http", "url": "https://ruleward"}),
        ] {
            assert!(!is_ours(&entry, "claude"), "{entry}");
        }
    }
}
