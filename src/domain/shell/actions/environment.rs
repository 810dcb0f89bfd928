//! Commands that set a variable or a setting that makes another program run code.
//!
//! An assignment before a command, `export`, `setx` and the like count as one, and so do options such as `git -c`. A
//! value that is known to be harmless, such as `PAGER=cat`, does not count.

use super::environment_table::{CodeCondition, GIT_CODE_KEYS, SAFE_PROGRAMS, SSH_COMMAND_OPTIONS, VARIABLES};
use crate::domain::shell::glob;
use crate::domain::shell::script::{Command, Dialect, Word, program_name};
use crate::domain::shell::walk::{CODE_VARIABLES, DECLARATION_BUILTINS, EXPANDED_VARIABLES, is_git_command_key};

/// A variable or setting, and what it is set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name: `LD_PRELOAD`, `core.pager`.
    pub name: String,
    /// Its value, as far as it is known.
    pub value: String,
}

/// Directories that anybody may write to.
const WORLD_WRITABLE_DIRECTORIES: &[&str] =
    &["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "$TMPDIR", "${TMPDIR}"];

/// The ends of directories of a project in which its own tools lie.
const PROJECT_TOOL_DIRECTORIES: &[&str] =
    &["node_modules/.bin", "venv/bin", "venv/Scripts", ".env/bin", "vendor/bin", ".cargo/bin", "gradle/bin"];

/// The most settings of one command that are read.
const MAX_SETTINGS: usize = 64;

/// Returns the settings of a command that make some program run code.
pub(super) fn detect(command: &Command) -> Vec<Setting> {
    let mut found: Vec<Setting> = Vec::new();
    for (name, value) in assigned_variables(command).into_iter().take(MAX_SETTINGS) {
        if variable_runs_code(&name, &value) {
            found.push(Setting { name, value: value.text });
        }
    }
    for (name, value) in option_settings(command).into_iter().take(MAX_SETTINGS) {
        if setting_runs_code(command.program(), &name, &value) {
            found.push(Setting { name, value });
        }
    }
    found
}

/// Returns the variables that a command is given or sets.
pub(crate) fn assigned_variables(command: &Command) -> Vec<(String, Word)> {
    let mut all: Vec<(String, Word)> = command.assignments.clone();
    let args = command.args();
    let split = |word: &Word| {
        let (name, value) = word.text.split_once('=')?;
        Some((name.trim_end_matches('+').to_owned(), Word { text: value.to_owned(), ..word.clone() }))
    };
    let pair = |name: Option<&Word>, value: Option<&Word>| {
        let pair = name.zip(value);
        pair.map(|(name, value)| (name.text.clone(), value.clone()))
    };
    let first = args.first().map_or("", |word| word.text.as_str());
    let operands = || args.iter().filter(|word| !word.text.starts_with('-'));
    match command.program() {
        name if DECLARATION_BUILTINS.contains(&name) => all.extend(operands().filter_map(split)),
        "set" if command.dialect == Dialect::Cmd => all.extend(args.iter().filter_map(split)),
        // fish: `set -gx NAME value`.
        "set" if first.starts_with('-') && first.contains('x') => all.extend(pair(args.get(1), args.get(2))),
        "setenv" | "setx" => all.extend(pair(args.first(), args.get(1))),
        "launchctl" if first == "setenv" => all.extend(pair(args.get(1), args.get(2))),
        "systemctl" if args.iter().any(|word| word.text == "set-environment") => {
            all.extend(operands().filter_map(split));
        }
        "tmux" if matches!(first, "setenv" | "set-environment") => {
            let mut rest = operands().skip(1);
            all.extend(pair(rest.next(), rest.next()));
        }
        _ => {}
    }
    all
}

/// Returns the settings that are among a command's options, by key.
fn option_settings(command: &Command) -> Vec<(String, String)> {
    let args = command.args();
    let mut found = Vec::new();
    let mut pair =
        |text: &str| found.extend(text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())));
    match command.program() {
        "git" => {
            let arguments = command.arguments();
            for (at, word) in args.iter().enumerate() {
                match word.text.as_str() {
                    "-c" | "--config" | "--config-env" => {
                        args.get(at + 1).into_iter().for_each(|next| pair(&next.text));
                    }
                    text => ["--config=", "--config-env="]
                        .iter()
                        .filter_map(|option| text.strip_prefix(option))
                        .for_each(&mut pair),
                }
            }
            if let [verb, rest @ ..] = arguments.operands.as_slice()
                && verb.text == "config"
            {
                let rest: Vec<_> =
                    rest.iter().skip_while(|word| matches!(word.text.as_str(), "set" | "--add")).collect();
                if let [key, value, ..] = rest.as_slice() {
                    found.push((key.text.clone(), value.text.clone()));
                }
            }
        }
        "ssh" | "scp" | "sftp" | "autossh" => {
            for (at, word) in args.iter().enumerate() {
                match word.text.strip_prefix("-o") {
                    Some("") => args.get(at + 1).into_iter().for_each(|next| pair(&next.text)),
                    Some(text) => pair(text),
                    None => {}
                }
            }
        }
        "npm" | "pnpm" | "yarn" => {
            let key = |text: &str| {
                matches!(text, "script-shell" | "shell" | "editor" | "node-options" | "onload-script" | "git")
            };
            for (at, word) in args.iter().enumerate() {
                let text = word.text.as_str();
                if let Some((name, value)) = text.trim_start_matches("--").split_once('=').filter(|(name, _)| key(name))
                {
                    found.push((name.to_owned(), value.to_owned()));
                } else if key(text) || (text.starts_with("--") && key(text.trim_start_matches("--"))) {
                    let sets = text.starts_with("--") || args.iter().any(|word| word.text == "set");
                    found.extend(
                        args.get(at + 1)
                            .filter(|_| sets)
                            .map(|value| (text.trim_start_matches("--").to_owned(), value.text.clone())),
                    );
                }
            }
        }
        _ => {}
    }
    found
}

/// Returns whether a setting of a program makes it run code.
fn setting_runs_code(program: &str, key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    match program {
        "git" if key.starts_with("alias.") => value.starts_with('!'),
        "git" if GIT_CODE_KEYS.contains(&key.as_str()) => {
            !matches!(value, "" | "/dev/null" | "never" | ".husky" | ".githooks")
        }
        "git" if key == "core.fsmonitor" => !matches!(value, "" | "true" | "false"),
        "git" => is_git_command_key(&key) && !is_harmless_command(value),
        "ssh" | "scp" | "sftp" | "autossh" => {
            SSH_COMMAND_OPTIONS.contains(&key.as_str()) && !matches!(value, "" | "none")
        }
        _ => !is_harmless_command(value),
    }
}

/// Returns whether setting a variable to a known value makes some program run code.
pub fn runs_code(name: &str, value: &str) -> bool {
    variable_runs_code(name, &Word::known(value))
}

fn variable_runs_code(name: &str, value: &Word) -> bool {
    let text = value.text.as_str();
    if EXPANDED_VARIABLES.contains(&name) && name.starts_with("PS") {
        return text.contains("$(") || text.contains('`');
    }
    let listed = VARIABLES.iter().find(|row| row.names.split(' ').any(|known| glob::matches(known, name)));
    let counts = match listed {
        Some(row) => row.condition,
        None if CODE_VARIABLES.contains(&name) => CodeCondition::Command,
        None => return false,
    };
    if matches!(text, "" | "/dev/null") {
        return false;
    }
    match counts {
        CodeCondition::Always => true,
        CodeCondition::Command => !is_harmless_command(text),
        CodeCondition::File => text.contains(['/', '\\']) || !value.literal,
        CodeCondition::Contains(parts) => parts.iter().any(|part| text.contains(part)),
        CodeCondition::FirstDirectory => text.split(':').next().is_some_and(is_hijackable_directory),
        CodeCondition::AnyDirectory => text.split([':', ';']).any(is_world_writable),
    }
}

/// Returns whether a command line names nothing but a program that shows or edits text, without more code
/// in it.
fn is_harmless_command(line: &str) -> bool {
    let code = line.contains([';', '|', '&', '`', '<', '>', '\n', '!']) || line.contains("$(");
    let lower = line.to_ascii_lowercase();
    let hides = SSH_COMMAND_OPTIONS.iter().any(|key| lower.contains(key));
    let program = line.split_whitespace().next().unwrap_or_default();
    if matches!(program, "sed" | "gsed") {
        return edits_text(line);
    }
    let open = program.contains('/') && is_hijackable_directory(program);
    !code && !hides && !open && SAFE_PROGRAMS.contains(&program_name(program))
}

/// Returns whether a command line is `sed` with substitutions and deletions alone, none of which puts a command into
/// the list of a rebase.
fn edits_text(line: &str) -> bool {
    let outside: String = line.split('\'').step_by(2).collect();
    let runs = |text: &str| ["exec", "/x ", "|x ", " x ", "/x/", "$(", "`"].iter().any(|part| text.contains(part));
    let is_edit = |command: &str| {
        let command = command.trim().trim_start_matches(|c: char| c.is_ascii_digit() || "$, !".contains(c));
        let behind = match command.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
            Some((_, rest)) => rest.trim_start(),
            None => command,
        };
        let delimiter = behind.strip_prefix('s').and_then(|rest| rest.chars().next());
        match delimiter.filter(char::is_ascii_punctuation) {
            Some(delimiter) => {
                let flags = behind.rsplit(delimiter).next().unwrap_or_default();
                behind.matches(delimiter).count() == 3 && flags.chars().all(|flag| "gpiI0123456789".contains(flag))
            }
            None => matches!(behind, "" | "d" | "p"),
        }
    };
    let scripts = line.split('\'').skip(1).step_by(2);
    !outside.contains([';', '|', '&', '`', '<', '>', '\n', '$', '"'])
        && line.contains('\'')
        && !runs(line)
        && scripts.flat_map(|script| script.split([';', '\n'])).all(is_edit)
        && outside.split_whitespace().skip(1).all(|word| word.starts_with('-') && !word.contains(['f', 'w']))
}

/// Returns whether a directory can be hijacked: the current one, or one that anybody can write to.
fn is_hijackable_directory(directory: &str) -> bool {
    if PROJECT_TOOL_DIRECTORIES.iter().any(|tools| directory.trim_end_matches('/').ends_with(tools)) {
        return false;
    }
    let rooted = directory.starts_with(['/', '~', '$', '%', '\\', '"']) || directory.as_bytes().get(1) == Some(&b':');
    !rooted || is_world_writable(directory)
}

fn is_world_writable(directory: &str) -> bool {
    WORLD_WRITABLE_DIRECTORIES
        .iter()
        .any(|shared| directory.strip_prefix(shared).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
