//! Shells and other interpreters, and where the code comes from that they run.
//!
//! Code comes from an argument, from the standard input, or from a file. It is walked where the text
//! tells it, also when an earlier command of the same text wrote it; else its source is reported.

use super::expand::PROCESS;
use super::{Feed, Invocation, Output, Walker};
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};

/// The shells of the Bourne family, and near enough to it.
const SHELLS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish", "yash", "osh", "pdksh", "bash5", "csh", "tcsh",
    "xonsh", "nu", "elvish", "hush",
];

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
            "at" | "batch" => Some(self.standard_input(program, call)),
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
                let path = call.words.first()?.text.clone();
                Some(self.written(&path, &path, call))
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
            Some(code) if reads_code => {
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
            Some(file) => self.written(&file.text, program, call),
        }
    }

    /// Walks a script that an earlier command of the same text has written.
    pub(super) fn written(&mut self, path: &str, program: &str, call: &Invocation) -> Output {
        if let Some(code) = self.scope.file(path).cloned()? {
            return self.subshell(|walker| walker.text(&code, program, &call.span));
        }
        self.report(OpaqueReason::PipedCode, call.span.clone());
        None
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
            Feed::File(path) => self.written(path, program, call),
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
            _ => self.scope.file(&file.text).cloned().flatten(),
        };
        if let Some(code) = code {
            return self.text(&code, "source", &call.span);
        }
        if file.text == PROCESS
            || (STANDARD_INPUT.contains(&file.text.as_str()) && matches!(call.feed, Feed::Pipe { .. }))
        {
            self.report(OpaqueReason::PipedCode, call.span.clone());
        }
        None
    }

    /// Walks the jobs of a table that is read from the standard input.
    fn crontab(&mut self, call: &Invocation) -> Output {
        match call.feed.clone() {
            Feed::Text(table) => {
                for line in table.text.lines().take(64) {
                    let fields = if line.starts_with('@') { 1 } else { 5 };
                    let mut rest = line.trim_start();
                    for _ in 0..fields {
                        rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
                    }
                    if !line.starts_with('#') && !rest.is_empty() {
                        let job = Word { text: rest.to_owned(), ..table.clone() };
                        self.subshell(|walker| walker.text(&job, "crontab", &call.span));
                    }
                }
            }
            Feed::Pipe { decoded } => self.report(piped(decoded), call.span.clone()),
            Feed::Inherited | Feed::File(_) => {}
        }
        None
    }

    /// Walks with another standard input for what is inside.
    pub(super) fn fed_with<T>(&mut self, feed: &Feed, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.feed, feed.clone());
        let value = walk(self);
        self.feed = outer;
        value
    }
}

/// Returns why code from a pipe is not known.
pub(super) fn piped(decoded: bool) -> OpaqueReason {
    if decoded { OpaqueReason::EncodedCode } else { OpaqueReason::PipedCode }
}
