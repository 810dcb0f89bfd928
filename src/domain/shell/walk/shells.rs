//! Shells and other interpreters, and the sources of the code that they run.
//!
//! Code comes from an argument, from the standard input, or from a file. It is walked where the text determines it,
//! also when an earlier command of the same text wrote it; otherwise its source is reported.

use super::expand::PROCESS_SUBSTITUTION_PATH;
use super::script_file::{ScriptKind, detect_script_kind};
use super::{Invocation, Output, Stdin, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};

/// The shells of the Bourne family, and near enough to it.
const SHELLS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish", "yash", "osh", "pdksh", "bash5", "csh", "tcsh",
    "xonsh", "nu", "elvish", "hush",
];

/// How a file is called that an earlier command of the same text fetched.
const DOWNLOADED_FILE: &str = "downloaded file";

/// The most traps whose code is kept.
const MAX_TRAPS: usize = 8;

/// The names of the standard input.
pub(super) const STDIN_NAMES: &[&str] = &["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

impl Walker {
    /// Walks what a shell, an interpreter or a scheduler is given to run; nothing for other programs.
    pub(super) fn walk_code_runner(&mut self, program: &str, call: &Invocation) -> Option<Output> {
        let args = call.words.get(1..).unwrap_or_default();
        self.walk_shell_escapes(program, args, call);
        self.walk_script_options(program, call);
        match program {
            _ if SHELLS.contains(&program) => Some(self.walk_shell(program, args, call)),
            "source" | "." if self.dialect == Dialect::Posix => Some(self.walk_source(args, call)),
            "trap" => {
                self.walk_trap(args, call);
                Some(Some(Word::known("")))
            }
            "at" | "batch" => {
                let files = arguments::parse(&call.words, Dialect::Posix, &["-f"]);
                let named = files.values(&["-f"]).first().copied();
                let Some(file) = named.filter(|file| !STDIN_NAMES.contains(&file.text.as_str())) else {
                    return Some(self.walk_stdin(program, call));
                };
                self.walk_script(file, ScriptKind::Shell, program, &[], call);
                Some(None)
            }
            // The table as it is now is unknown, but what is added to it is.
            "crontab" if args.iter().any(|word| word.text == "-l") => Some(Some(Word::unknown(""))),
            "crontab" => Some(self.walk_crontab(call)),
            "find" | "gfind" | "bfs" => Some(self.walk_find(program, args, call)),
            "fd" | "fdfind" => Some(self.walk_fd(program, args, call)),
            "parallel" | "sem" | "parallel.moreutils" | "rust-parallel" => Some(self.walk_parallel(program, call)),
            // The other program of this name builds projects, and takes no line.
            "rush" if args.iter().any(|word| word.text.contains(' ')) => Some(self.walk_parallel(program, call)),
            "git" => {
                self.walk_git(args, call);
                None
            }
            "less" | "more" | "vim" | "vi" | "nvim" => {
                for word in args {
                    let code = word.text.strip_prefix("+!").or_else(|| word.text.strip_prefix("+:!"));
                    if let Some(code) = code {
                        let code = Word { text: code.to_owned(), ..word.clone() };
                        self.subshell(|walker| walker.walk_text(&code, &format!("{program} +!"), &call.span));
                    }
                }
                None
            }
            "sed" | "gsed" => {
                self.walk_sed(call);
                None
            }
            _ if call
                .words
                .first()
                .is_some_and(|word| word.text.contains('/') && self.is_from_this_script(&word.text)) =>
            {
                let path = call.words.first()?;
                self.walk_script(path, ScriptKind::Detect, &path.text, args, call);
                Some(None)
            }
            _ => self.walk_windows(program, args, call).or_else(|| self.walk_interpreter(program, args, call)),
        }
    }

    /// Returns whether the script itself wrote a file, or may have fetched it.
    fn is_from_this_script(&self, path: &str) -> bool {
        self.scope.written_text(path).is_some() || self.scope.is_in_download_directory(path)
    }

    fn walk_trap(&mut self, args: &[Word], call: &Invocation) {
        let args =
            if args.first().is_some_and(|word| word.text == "--") { args.get(1..).unwrap_or_default() } else { args };
        if let [code, _, ..] = args
            && !code.text.starts_with('-')
        {
            self.subshell(|walker| walker.walk_text(code, "trap", &call.span));
            if code.text.contains('$') && self.traps.len() < MAX_TRAPS && !self.file_budget.is_active() {
                self.traps.push(code.clone());
            }
        }
    }

    /// Walks the code of traps once more, with the variables that were set after them.
    pub(super) fn walk_late_traps(&mut self) {
        for code in std::mem::take(&mut self.traps) {
            let span = 0..0;
            self.subshell(|walker| walker.walk_text(&code, "trap", &span));
        }
    }

    fn walk_shell(&mut self, program: &str, args: &[Word], call: &Invocation) -> Output {
        let mut reads_code = false;
        let mut reads_input = false;
        let mut at = 0;
        while let Some(word) = args.get(at) {
            let text = word.text.as_str();
            if text == "-" || !text.starts_with(['-', '+']) {
                break;
            }
            at += 1;
            match text.strip_prefix("--") {
                Some("") => break,
                Some("rcfile" | "init-file") => at += 1,
                Some("command") => reads_code = true,
                Some(long) if long.starts_with("command=") => {
                    let code = Word { text: long.trim_start_matches("command=").to_owned(), ..word.clone() };
                    return self.subshell(|walker| walker.walk_text(&code, &format!("{program} -c"), &call.span));
                }
                Some(_) => {}
                None => {
                    reads_code |= text.starts_with('-') && text.contains('c');
                    reads_input |= text.starts_with('-') && text.contains('s');
                    if text.starts_with('-') && text.contains('n') {
                        // The syntax is checked, and nothing runs.
                        return None;
                    }
                    at += text.matches(['o', 'O']).count();
                }
            }
        }
        let rest = args.get(at..).unwrap_or_default();
        let (first, behind) = rest.split_first().map_or((None, rest), |(first, behind)| (Some(first), behind));
        match first {
            Some(code) if reads_code => self.walk_command_string(program, code, behind, call),
            None => self.walk_stdin(program, call),
            Some(file) if reads_input || STDIN_NAMES.contains(&file.text.as_str()) => {
                let arguments = if reads_input { rest } else { behind };
                let positional = arguments.to_vec();
                self.subshell(|walker| {
                    walker.scope.state.positional = Some(positional.into());
                    walker.walk_stdin(program, call)
                })
            }
            Some(file) if file.text == PROCESS_SUBSTITUTION_PATH => self.walk_process_substitution(program, call),
            Some(file) => {
                self.walk_script(file, ScriptKind::Shell, program, behind, call);
                None
            }
        }
    }

    /// Walks the text that a shell is given with `-c`; the words after it are its `$0` and arguments.
    fn walk_command_string(&mut self, program: &str, code: &Word, behind: &[Word], call: &Invocation) -> Output {
        let label = format!("{program} -c");
        if is_variable(code) {
            self.report(OpaqueReason::DynamicCode, call.span.clone());
        }
        let positional = behind.get(1..).unwrap_or_default().to_vec();
        let name = behind.first().cloned();
        self.with_stdin(&call.stdin.clone(), |walker| {
            walker.subshell(|walker| {
                walker.scope.state.positional = Some(positional.into());
                walker.scope.state.exit_on_error = false;
                if let Some(name) = name {
                    walker.scope.set("0", super::scope::Value::Scalar(name));
                }
                walker.walk_text(code, &label, &call.span)
            })
        })
    }

    /// Walks a script: what an earlier command of the same text has written, else what the file holds.
    pub(super) fn walk_script(
        &mut self,
        path: &Word,
        reader: ScriptKind,
        label: &str,
        args: &[Word],
        call: &Invocation,
    ) {
        if let Some(source) = self.descriptor_of_path(&path.text).cloned() {
            match source {
                Stdin::File(file) | Stdin::PipedFile(file) => {
                    self.walk_script(&Word::known(file), reader, label, args, call);
                }
                Stdin::Text(code) => {
                    self.subshell(|walker| walker.walk_text(&code, label, &call.span));
                }
                Stdin::Inherited | Stdin::Pipe { .. } => self.report(OpaqueReason::PipedCode, call.span.clone()),
            }
            return;
        }
        match self.scope.written_text(&path.text).cloned() {
            Some(Some(code)) => {
                let reader =
                    if reader == ScriptKind::Detect { detect_script_kind(&path.text, &code.text) } else { reader };
                match reader {
                    ScriptKind::Language(language) => self.walk_program(&code, language, label, call),
                    ScriptKind::WindowsShell(dialect) => self.walk_windows_code(&code, dialect, label, call),
                    ScriptKind::Unsupported => {}
                    ScriptKind::Sourced => {
                        self.walk_text(&code, label, &call.span);
                    }
                    ScriptKind::Shell | ScriptKind::Detect => {
                        self.subshell(|walker| {
                            walker.scope.state.positional = Some(args.to_vec().into());
                            walker.scope.state.exit_on_error = false;
                            walker.walk_text(&code, label, &call.span)
                        });
                    }
                }
            }
            Some(None) => {
                if self.scope.is_download(&path.text) {
                    self.in_nested_context(DOWNLOADED_FILE, |walker| walker.push_command(call));
                }
                self.report(OpaqueReason::PipedCode, call.span.clone());
            }
            None if self.scope.is_in_download_directory(&path.text) && self.is_input_missing(Some(path), call) => {
                self.in_nested_context(DOWNLOADED_FILE, |walker| walker.push_command(call));
                self.report(OpaqueReason::PipedCode, call.span.clone());
            }
            None => self.walk_file(path, reader, args, call),
        }
    }

    /// Walks what a shell reads from its standard input.
    pub(super) fn walk_stdin(&mut self, program: &str, call: &Invocation) -> Output {
        match &call.stdin {
            // Names of files that are unknown one by one are unknown as code either.
            Stdin::Text(code) if code.glob => {
                self.report(OpaqueReason::PipedCode, call.span.clone());
                None
            }
            Stdin::Text(code) => {
                let code = code.clone();
                self.with_stdin(&Stdin::Inherited, |walker| {
                    walker.subshell(|walker| walker.walk_text(&code, program, &call.span))
                })
            }
            Stdin::Pipe { decoded } => {
                self.report(piped_code_reason(*decoded), call.span.clone());
                None
            }
            Stdin::File(path) | Stdin::PipedFile(path) => {
                self.walk_script(&Word::known(path.as_str()), ScriptKind::Shell, program, &[], call);
                None
            }
            Stdin::Inherited => None,
        }
    }

    /// Walks the output of a process substitution that is run as a script.
    fn walk_process_substitution(&mut self, program: &str, call: &Invocation) -> Output {
        if let Some(Some(code)) = call.process_outputs.last() {
            let code = code.clone();
            return self.subshell(|walker| walker.walk_text(&code, program, &call.span));
        }
        self.report(OpaqueReason::PipedCode, call.span.clone());
        None
    }

    fn walk_source(&mut self, args: &[Word], call: &Invocation) -> Output {
        let file = args.first()?;
        let code = match &call.stdin {
            _ if self.descriptor_of_path(&file.text).is_some() => {
                self.walk_script(file, ScriptKind::Sourced, "source", args.get(1..).unwrap_or_default(), call);
                return None;
            }
            Stdin::Text(code) if STDIN_NAMES.contains(&file.text.as_str()) => Some(code.clone()),
            _ if file.text == PROCESS_SUBSTITUTION_PATH => call.process_outputs.last().cloned().flatten(),
            Stdin::File(path) | Stdin::PipedFile(path) if STDIN_NAMES.contains(&file.text.as_str()) => {
                self.walk_script(&Word::known(path.as_str()), ScriptKind::Sourced, "source", &[], call);
                return None;
            }
            _ if STDIN_NAMES.contains(&file.text.as_str()) => None,
            _ => {
                self.walk_script(file, ScriptKind::Sourced, "source", args.get(1..).unwrap_or_default(), call);
                return None;
            }
        };
        if let Some(code) = code {
            return self.walk_text(&code, "source", &call.span);
        }
        if file.text == PROCESS_SUBSTITUTION_PATH || matches!(call.stdin, Stdin::Pipe { .. }) {
            self.report(OpaqueReason::PipedCode, call.span.clone());
        }
        None
    }

    /// Walks the jobs of a table that is read from the standard input or from a file.
    fn walk_crontab(&mut self, call: &Invocation) -> Output {
        let arguments = arguments::parse(&call.words, Dialect::Posix, &["-u"]);
        let named = arguments.operands.first().filter(|word| word.text != "-" && word.literal);
        let file = match &call.stdin {
            _ if named.is_some() => named.map(|word| word.text.clone()),
            Stdin::File(path) | Stdin::PipedFile(path) => Some(path.clone()),
            Stdin::Text(_) | Stdin::Inherited | Stdin::Pipe { .. } => None,
        };
        match (file, call.stdin.clone()) {
            (Some(path), _) => match self.scope.written_text(&path).cloned() {
                Some(Some(table)) => self.walk_jobs(&table, call),
                Some(None) => self.report(OpaqueReason::PipedCode, call.span.clone()),
                None => {
                    for found in self.lookup_files(&[&path], false, call) {
                        let Some(text) = self.file_text(&found, call) else { continue };
                        for (at, job) in crontab_jobs(text) {
                            self.walk_excerpt(&found, job, at, "crontab", call);
                        }
                    }
                }
            },
            (None, Stdin::Text(table)) => self.walk_jobs(&table, call),
            (None, Stdin::Pipe { decoded }) => self.report(piped_code_reason(decoded), call.span.clone()),
            (None, Stdin::Inherited | Stdin::File(_) | Stdin::PipedFile(_)) => {}
        }
        None
    }

    fn walk_jobs(&mut self, table: &Word, call: &Invocation) {
        for (_, job) in crontab_jobs(&table.text) {
            let job = Word { text: job.to_owned(), ..table.clone() };
            self.subshell(|walker| walker.walk_text(&job, "crontab", &call.span));
        }
    }

    /// Walks with another standard input for what is inside.
    pub(super) fn with_stdin<T>(&mut self, feed: &Stdin, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.stdin, feed.clone());
        let value = walk(self);
        self.stdin = outer;
        value
    }
}

/// Returns whether code is nothing but a variable of which nothing is known.
fn is_variable(code: &Word) -> bool {
    let name = code.text.strip_prefix('$').unwrap_or_default();
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    !code.literal && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the commands of a table of jobs, each with the number of its line.
fn crontab_jobs(table: &str) -> impl Iterator<Item = (usize, &str)> {
    fn job((at, line): (usize, &str)) -> Option<(usize, &str)> {
        let fields = if line.starts_with('@') { 1 } else { 5 };
        let mut rest = line.trim_start();
        for _ in 0..fields {
            rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
        }
        (!line.starts_with('#') && !rest.is_empty()).then_some((at + 1, rest))
    }
    table.lines().enumerate().filter_map(job).take(64)
}

/// Returns whether a program is a shell of the Bourne family, or near enough.
pub(crate) fn is_shell(program: &str) -> bool {
    SHELLS.contains(&program)
}

/// Returns why code from a pipe is unknown.
pub(super) fn piped_code_reason(decoded: bool) -> OpaqueReason {
    if decoded { OpaqueReason::EncodedCode } else { OpaqueReason::PipedCode }
}
