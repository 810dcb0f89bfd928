//! Shells and other interpreters, and where the code comes from that they run.
//!
//! Code comes from an argument, from the standard input, or from a file. It is walked where the text
//! tells it, also when an earlier command of the same text wrote it; else its source is reported.

use super::disk::{Reader, told};
use super::expand::PROCESS;
use super::{Feed, Invocation, Output, Walker};
use crate::domain::shell::option;
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};

/// The shells of the Bourne family, and near enough to it.
const SHELLS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish", "yash", "osh", "pdksh", "bash5", "csh", "tcsh",
    "xonsh", "nu", "elvish", "hush",
];

/// How a file is called that an earlier command of the same text fetched.
const DOWNLOADED: &str = "downloaded file";

/// The names of the standard input.
const STANDARD_INPUT: &[&str] = &["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

impl Walker {
    /// Walks what a shell, an interpreter or a scheduler is given to run; nothing for other programs.
    pub(super) fn special(&mut self, program: &str, call: &Invocation) -> Option<Output> {
        let args = call.words.get(1..).unwrap_or_default();
        self.tools(program, args, call);
        match program {
            _ if SHELLS.contains(&program) => Some(self.shell(program, args, call)),
            "source" | "." if self.dialect == Dialect::Posix => Some(self.sourced(args, call)),
            "trap" => {
                self.trap(args, call);
                Some(Some(Word::known("")))
            }
            "at" | "batch" => {
                let files = option::read(&call.words, Dialect::Posix, &["-f"]);
                let Some(file) = files.values(&["-f"]).first().copied() else {
                    return Some(self.standard_input(program, call));
                };
                self.run_file(file, Reader::Shell, program, &[], call);
                Some(None)
            }
            // The table as it is now is not known, but what is added to it is.
            "crontab" if args.iter().any(|word| word.text == "-l") => Some(Some(Word::unknown(""))),
            "crontab" => Some(self.crontab(call)),
            "find" | "gfind" | "bfs" => Some(self.find(program, args, call)),
            "fd" | "fdfind" => Some(self.fd(program, args, call)),
            "parallel" | "sem" => Some(self.parallel(program, args, call)),
            "git" => {
                self.git(args, call);
                None
            }
            "less" | "more" | "vim" | "vi" | "nvim" => {
                for word in args {
                    let code = word.text.strip_prefix("+!").or_else(|| word.text.strip_prefix("+:!"));
                    if let Some(code) = code {
                        let code = Word { text: code.to_owned(), ..word.clone() };
                        self.subshell(|walker| walker.text(&code, &format!("{program} +!"), &call.span));
                    }
                }
                None
            }
            "sed" | "gsed" => {
                self.stream_editor(call);
                None
            }
            _ if call
                .words
                .first()
                .is_some_and(|word| word.text.contains('/') && self.scope.file(&word.text).is_some()) =>
            {
                let path = call.words.first()?;
                self.run_file(path, Reader::Itself, &path.text, args, call);
                Some(None)
            }
            _ => self.windows(program, args, call).or_else(|| self.interpreter(program, args, call)),
        }
    }

    fn trap(&mut self, args: &[Word], call: &Invocation) {
        let args =
            if args.first().is_some_and(|word| word.text == "--") { args.get(1..).unwrap_or_default() } else { args };
        if let [code, _, ..] = args
            && !code.text.starts_with('-')
        {
            self.subshell(|walker| walker.text(code, "trap", &call.span));
        }
    }

    fn shell(&mut self, program: &str, args: &[Word], call: &Invocation) -> Output {
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
                    return self.subshell(|walker| walker.text(&code, &format!("{program} -c"), &call.span));
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
            Some(code) if reads_code => self.given_text(program, code, behind, call),
            None => self.standard_input(program, call),
            Some(file) if reads_input || STANDARD_INPUT.contains(&file.text.as_str()) => {
                let arguments = if reads_input { rest } else { behind };
                let positional = arguments.to_vec();
                self.subshell(|walker| {
                    walker.scope.state.positional = Some(positional.into());
                    walker.standard_input(program, call)
                })
            }
            Some(file) if file.text == PROCESS => self.process(program, call),
            Some(file) => {
                self.run_file(file, Reader::Shell, program, behind, call);
                None
            }
        }
    }

    /// Walks the text that a shell is given with `-c`; the words behind it are its `$0` and arguments.
    fn given_text(&mut self, program: &str, code: &Word, behind: &[Word], call: &Invocation) -> Output {
        let label = format!("{program} -c");
        let positional = behind.get(1..).unwrap_or_default().to_vec();
        let name = behind.first().cloned();
        self.fed_with(&call.feed.clone(), |walker| {
            walker.subshell(|walker| {
                walker.scope.state.positional = Some(positional.into());
                walker.scope.state.strict = false;
                if let Some(name) = name {
                    walker.scope.set("0", super::scope::Value::Scalar(name));
                }
                walker.text(code, &label, &call.span)
            })
        })
    }

    /// Walks a script: what an earlier command of the same text has written, else what the file holds.
    pub(super) fn run_file(&mut self, path: &Word, reader: Reader, label: &str, args: &[Word], call: &Invocation) {
        match self.scope.file(&path.text).cloned() {
            Some(Some(code)) => {
                let reader = if reader == Reader::Itself { told(&path.text, &code.text) } else { reader };
                match reader {
                    Reader::Language(language) => self.source(&code, language, label, call),
                    Reader::Windows(dialect) => self.foreign(&code, dialect, label, call),
                    Reader::Stranger => {}
                    Reader::Here => {
                        self.text(&code, label, &call.span);
                    }
                    Reader::Shell | Reader::Itself => {
                        self.subshell(|walker| {
                            walker.scope.state.positional = Some(args.to_vec().into());
                            walker.scope.state.strict = false;
                            walker.text(&code, label, &call.span)
                        });
                    }
                }
            }
            Some(None) => {
                if self.scope.is_download(&path.text) {
                    self.inside(DOWNLOADED, |walker| walker.push(call));
                }
                self.report(OpaqueReason::PipedCode, call.span.clone());
            }
            None => self.file(path, reader, args, call),
        }
    }

    /// Walks what a shell reads from its standard input.
    pub(super) fn standard_input(&mut self, program: &str, call: &Invocation) -> Output {
        match &call.feed {
            // Names of files that are not known one by one are not known as code either.
            Feed::Text(code) if code.glob => {
                self.report(OpaqueReason::PipedCode, call.span.clone());
                None
            }
            Feed::Text(code) => {
                let code = code.clone();
                self.fed_with(&Feed::Inherited, |walker| {
                    walker.subshell(|walker| walker.text(&code, program, &call.span))
                })
            }
            Feed::Pipe { decoded } => {
                self.report(piped(*decoded), call.span.clone());
                None
            }
            Feed::File(path) | Feed::Copy(path) => {
                self.run_file(&Word::known(path.as_str()), Reader::Shell, program, &[], call);
                None
            }
            Feed::Inherited => None,
        }
    }

    /// Walks the output of a process substitution that is run as a script.
    fn process(&mut self, program: &str, call: &Invocation) -> Output {
        if let Some(Some(code)) = call.processes.last() {
            let code = code.clone();
            return self.subshell(|walker| walker.text(&code, program, &call.span));
        }
        self.report(OpaqueReason::PipedCode, call.span.clone());
        None
    }

    fn sourced(&mut self, args: &[Word], call: &Invocation) -> Output {
        let file = args.first()?;
        let code = match &call.feed {
            Feed::Text(code) if STANDARD_INPUT.contains(&file.text.as_str()) => Some(code.clone()),
            _ if file.text == PROCESS => call.processes.last().cloned().flatten(),
            Feed::File(path) | Feed::Copy(path) if STANDARD_INPUT.contains(&file.text.as_str()) => {
                self.run_file(&Word::known(path.as_str()), Reader::Here, "source", &[], call);
                return None;
            }
            _ if STANDARD_INPUT.contains(&file.text.as_str()) => None,
            _ => {
                self.run_file(file, Reader::Here, "source", args.get(1..).unwrap_or_default(), call);
                return None;
            }
        };
        if let Some(code) = code {
            return self.text(&code, "source", &call.span);
        }
        if file.text == PROCESS || matches!(call.feed, Feed::Pipe { .. }) {
            self.report(OpaqueReason::PipedCode, call.span.clone());
        }
        None
    }

    /// Walks the jobs of a table that is read from the standard input or from a file.
    fn crontab(&mut self, call: &Invocation) -> Output {
        let arguments = option::read(&call.words, Dialect::Posix, &["-u"]);
        let named = arguments.operands.first().filter(|word| word.text != "-" && word.literal);
        let file = match &call.feed {
            _ if named.is_some() => named.map(|word| word.text.clone()),
            Feed::File(path) | Feed::Copy(path) => Some(path.clone()),
            Feed::Text(_) | Feed::Inherited | Feed::Pipe { .. } => None,
        };
        match (file, call.feed.clone()) {
            (Some(path), _) => match self.scope.file(&path).cloned() {
                Some(Some(table)) => self.jobs(&table, call),
                Some(None) => self.report(OpaqueReason::PipedCode, call.span.clone()),
                None => {
                    for found in self.lookup(&[&path], false, call) {
                        let Some(text) = self.text_of(&found, call) else { continue };
                        for (at, job) in jobs(text) {
                            self.passage(&found, job, at, "crontab", call);
                        }
                    }
                }
            },
            (None, Feed::Text(table)) => self.jobs(&table, call),
            (None, Feed::Pipe { decoded }) => self.report(piped(decoded), call.span.clone()),
            (None, Feed::Inherited | Feed::File(_) | Feed::Copy(_)) => {}
        }
        None
    }

    fn jobs(&mut self, table: &Word, call: &Invocation) {
        for (_, job) in jobs(&table.text) {
            let job = Word { text: job.to_owned(), ..table.clone() };
            self.subshell(|walker| walker.text(&job, "crontab", &call.span));
        }
    }

    /// Walks with another standard input for what is inside.
    pub(super) fn fed_with<T>(&mut self, feed: &Feed, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.feed, feed.clone());
        let value = walk(self);
        self.feed = outer;
        value
    }
}

/// Returns the commands of a table of jobs, each with the number of its line.
fn jobs(table: &str) -> impl Iterator<Item = (usize, &str)> {
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

/// Tells whether a program is a shell of the Bourne family, or near enough.
pub(crate) fn is_shell(program: &str) -> bool {
    SHELLS.contains(&program)
}

/// Returns why code from a pipe is not known.
pub(super) fn piped(decoded: bool) -> OpaqueReason {
    if decoded { OpaqueReason::EncodedCode } else { OpaqueReason::PipedCode }
}
