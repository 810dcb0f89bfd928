//! Options that name a file of code, or a file of further arguments: `vim -S f`, `ssh -F f`, `gcc @f`, `tar -T f`.
//!
//! Such a file is read like a script. What cannot be read in it is reported.

use super::{Invocation, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};

/// The programs with an option that names a script in the program's own language, and the words with which such a script
/// does more than it says: runs commands, or reads, writes and deletes files that it computes.
const SCRIPT_OPTIONS: &[(&[&str], &[&str], &[&str])] = &[
    (
        &["vim", "vi", "nvim", "ex", "view", "gvim"],
        &["-S", "-u"],
        &[
            "delete(",
            "system(",
            "systemlist(",
            "writefile(",
            "rename(",
            "job_start(",
            "execute(",
            "python",
            "py3",
            "perl ",
        ],
    ),
    (&["sqlite3", "sqlite", "duckdb"], &["-init"], SQLITE_WORDS),
    (&["psql"], &["-f", "--file"], &["\\!", "\\o ", "\\w ", " PROGRAM ", "lo_export"]),
    (&["mysql", "mariadb"], &["--init-file"], &["\\!", "system ", "OUTFILE"]),
    (&["gdb", "lldb"], &["-x", "-s", "--command", "--source"], &["shell", "python", "pipe ", "script "]),
    (
        &["emacs"],
        &["-l", "--load", "--script"],
        &["delete-", "shell-command", "call-process", "start-process", "write-", "rename-"],
    ),
    (&["expect", "tclsh"], &["-f"], &["file delete", "exec ", "spawn ", "open "]),
];

/// What a script of `sqlite3` does to files, or runs.
const SQLITE_WORDS: &[&str] = &[
    ".shell",
    ".system",
    ".output",
    ".once",
    ".read",
    ".backup",
    ".save",
    ".import",
    ".clone",
    ".restore",
    "writefile(",
    "readfile(",
    "load_extension(",
    "edit(",
];

/// The programs that take more arguments from a file: `@file`.
const RESPONSE_FILE_PROGRAMS: &[&str] = &[
    "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "ar", "javac", "java", "rustc", "7z", "cl", "link", "swiftc",
];

/// The programs with an option that names a list of files.
const LIST_OPTIONS: &[(&[&str], &[&str])] = &[
    (&["tar", "gtar", "bsdtar"], &["-T", "--files-from"]),
    (&["rsync"], &["--files-from"]),
    (&["sort", "wc", "du"], &["--files0-from"]),
    (&["chmod", "chown"], &["--files-from"]),
    (&["git"], &["--pathspec-from-file"]),
    (&["wget", "aria2c"], &["-i", "--input-file"]),
];

/// The programs that read a list of files from their standard input, with the word that makes them do so.
const LIST_INPUTS: &[(&str, &str)] =
    &[("cpio", "-o"), ("git", "--stdin-paths"), ("git", "--stdin"), ("zip", "-@"), ("pax", "-w"), ("tar", "-T-")];

/// The configuration lines of `ssh` whose value is a command.
const SSH_COMMAND_KEYS: &[&str] = &["proxycommand", "localcommand", "knownhostscommand", "remotecommand"];

/// The most words that a file of arguments adds.
const MAX_ADDED_WORDS: usize = 512;

impl Walker {
    /// Walks the files of code and of arguments that the options of a command name.
    pub(super) fn walk_script_options(&mut self, program: &str, call: &Invocation) {
        if call.words.len() < 2 && call.redirects.is_empty() {
            return;
        }
        self.walk_own_scripts(program, call);
        match program {
            "ssh" | "scp" | "sftp" => self.walk_ssh_configuration(call),
            "curl" => self.walk_curl_configuration(call),
            "ed" | "red" => self.list_editor_files(call),
            _ => {}
        }
        self.add_listed_files(program, call);
    }

    /// Returns a command with the arguments in it that are in files.
    pub(super) fn with_response_files(&mut self, program: &str, call: &Invocation) -> Option<Invocation> {
        let is_response = |word: &Word| word.text.len() > 1 && word.text.starts_with('@') && word.literal;
        if !RESPONSE_FILE_PROGRAMS.contains(&program) || !call.words.iter().any(is_response) {
            return None;
        }
        let mut words = Vec::new();
        for word in &call.words {
            match word.text.strip_prefix('@').filter(|_| is_response(word)) {
                Some(path) => match self.read_text(&Word::known(path), call) {
                    Some(text) => words.extend(text.text.split_whitespace().take(MAX_ADDED_WORDS).map(Word::known)),
                    None => self.report(OpaqueReason::UnknownTargets, call.span.clone()),
                },
                None => words.push(word.clone()),
            }
        }
        Some(Invocation { words, ..call.clone() })
    }

    /// Looks for code in scripts of a program's own language.
    fn walk_own_scripts(&mut self, program: &str, call: &Invocation) {
        for (_, options, risky) in SCRIPT_OPTIONS.iter().filter(|(programs, ..)| programs.contains(&program)) {
            let arguments = arguments::parse(&call.words, Dialect::Posix, options);
            let named = call.words.iter().zip(call.words.iter().skip(1));
            let files: Vec<Word> = named
                .filter(|(option, _)| options.contains(&option.text.as_str()))
                .map(|(_, file)| file.clone())
                .chain(arguments.values(options).into_iter().cloned())
                .collect();
            let mut texts = Vec::new();
            for file in files.iter().filter(|file| !matches!(file.text.as_str(), "NONE" | "DEFAULTS" | "NORC")) {
                texts.extend(self.read_text(file, call));
            }
            if arguments.operands.len() < 2 || program.starts_with("sql") {
                texts.extend(self.stdin_text(call));
            }
            for text in texts {
                self.walk_escapes_in(program, &text, call);
                if risky.iter().any(|word| text.text.contains(word)) {
                    self.report(OpaqueReason::DynamicCode, call.span.clone());
                }
            }
        }
    }

    /// Lists the files that the commands of a line editor read and write: `r f`, `w f`.
    fn list_editor_files(&mut self, call: &Invocation) {
        let Some(text) = self.stdin_text(call) else { return };
        for line in text.text.lines().take(MAX_ADDED_WORDS) {
            let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || ".,$% ".contains(c));
            let Some((command, file)) = line.split_once(' ') else { continue };
            let program = match command {
                "r" | "e" | "E" => "cat",
                "w" | "W" | "wq" => "tee",
                _ => continue,
            };
            if !file.starts_with('!') {
                self.run_nested(
                    vec![Word::known(program), Word::known(file.trim())],
                    "ed",
                    call,
                    super::Stdin::Inherited,
                );
            }
        }
    }

    fn walk_ssh_configuration(&mut self, call: &Invocation) {
        let files: Vec<Word> =
            arguments::parse(&call.words, Dialect::Posix, &["-F"]).values(&["-F"]).into_iter().cloned().collect();
        for file in files.iter().filter(|file| file.text != "none") {
            let Some(text) = self.read_text(file, call) else { continue };
            for line in text.text.lines().map(str::trim) {
                let (key, value) = line.split_once([' ', '\t', '=']).unwrap_or((line, ""));
                let key = key.to_ascii_lowercase();
                let code = match key.as_str() {
                    "match" => value.split_once("exec ").map(|(_, code)| code.trim().trim_matches('"')),
                    key if SSH_COMMAND_KEYS.contains(&key) => Some(value.trim()),
                    _ => None,
                };
                if let Some(code) = code {
                    let code = Word::known(code);
                    self.subshell(|walker| walker.walk_text(&code, "ssh -F", &call.span));
                }
            }
        }
    }

    /// Lists the options of a configuration file of `curl` as a command of their own.
    fn walk_curl_configuration(&mut self, call: &Invocation) {
        let options = ["-K", "--config"];
        let files: Vec<Word> =
            arguments::parse(&call.words, Dialect::Posix, &options).values(&options).into_iter().cloned().collect();
        for file in &files {
            let text = if file.text == "-" { self.stdin_text(call) } else { self.read_text(file, call) };
            let Some(text) = text else { continue };
            let mut words = vec![Word::known("curl")];
            for line in text.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
                let (key, value) = line.split_once(['=', ' ', ':']).unwrap_or((line, ""));
                let key = key.trim().trim_start_matches('-');
                let dashes = if key.len() == 1 { "-" } else { "--" };
                if key != "config" && key != "K" {
                    words.push(Word::known(format!("{dashes}{key}")));
                    let value = value.trim_start_matches(['=', ' ', ':']).trim().trim_matches('"');
                    words.extend(Some(value).filter(|value| !value.is_empty()).map(Word::known));
                }
            }
            self.run_nested(words, "curl -K", call, super::Stdin::Inherited);
        }
    }

    /// Lists a command again with the files that a list names.
    fn add_listed_files(&mut self, program: &str, call: &Invocation) {
        let mut lists = Vec::new();
        for (_, options) in LIST_OPTIONS.iter().filter(|(programs, _)| programs.contains(&program)) {
            let arguments = arguments::parse(&call.words, Dialect::Posix, options);
            lists.extend(arguments.values(options).into_iter().cloned());
        }
        let reads_input =
            |(name, word): &&(&str, &str)| *name == program && call.words.iter().any(|given| given.text == *word);
        if LIST_INPUTS.iter().any(|row| reads_input(&row)) {
            lists.push(Word::known("-"));
        }
        for list in lists {
            let text = if list.text == "-" { self.stdin_text(call) } else { self.read_text(&list, call) };
            let Some(text) = text.filter(|text| text.literal) else {
                self.report(OpaqueReason::UnknownTargets, call.span.clone());
                continue;
            };
            let names: Vec<&str> =
                text.text.split(['\n', '\0']).map(str::trim).filter(|name| !name.is_empty()).collect();
            let names: Vec<Word> = names
                .into_iter()
                .take(MAX_ADDED_WORDS)
                .map(|name| Word { glob: text.glob, ..Word::known(name) })
                .collect();
            // The first words say what is done; an option at the end could take a name as its value.
            let mut words = call.words.clone();
            words.push(Word::known("--"));
            words.extend(names);
            self.push_command(&Invocation { words, redirects: Vec::new(), ..call.clone() });
        }
    }
}
