//! The shells of Windows: their lines, and their ways to run others.
//!
//! Their lines are walked by the same rules as those of other shells, so a wrapper is looked through and
//! nested code is read in either direction.

use super::disk::Reader;
use super::expand::joined;
use super::shells::piped;
use super::{Feed, Invocation, Output, Place, Walker};
use crate::domain::shell::dialect;
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};
use crate::domain::shell::syntax::MAX_DEPTH;

/// The options of `powershell` that take a value and no code.
const VALUES: &[&str] = &[
    "file",
    "executionpolicy",
    "ep",
    "ex",
    "exec",
    "version",
    "workingdirectory",
    "wd",
    "outputformat",
    "inputformat",
    "windowstyle",
    "w",
    "configurationname",
];

impl Walker {
    /// Walks what the shells of Windows are given to run; nothing for other programs.
    pub(super) fn windows(&mut self, program: &str, args: &[Word], call: &Invocation) -> Option<Output> {
        if self.dialect != Dialect::Posix {
            match dialect::canonical(program) {
                "Invoke-Expression" => {
                    self.expression(args, call);
                    return Some(None);
                }
                "Start-Process" => {
                    let is_title = |word: &&Word| word.text.is_empty() || word.text.starts_with(['-', '/']);
                    let words =
                        args.iter().skip_while(is_title).filter(|word| !word.text.starts_with('-')).cloned().collect();
                    return Some(self.inner(words, program, call, Feed::Inherited));
                }
                "Set-Location" | "Push-Location" => {
                    let target = args.iter().find(|word| !word.text.starts_with(['-', '/'])).cloned();
                    self.scope.state.cwd = self.scope.state.cwd.enter(&target.unwrap_or_default());
                    return Some(None);
                }
                "Pop-Location" => self.scope.state.cwd = super::scope::Dirs::Unknown,
                _ => {}
            }
        }
        match program.to_ascii_lowercase().as_str() {
            "powershell" | "pwsh" => Some(self.powershell(program, args, call)),
            "cmd" => {
                let at = args
                    .iter()
                    .position(|word| matches!(word.text.to_ascii_lowercase().as_str(), "/c" | "/k" | "//c"))?;
                let line = joined(args.get(at + 1..)?);
                self.foreign(&line, Dialect::Cmd, "cmd /c", call);
                Some(None)
            }
            _ => None,
        }
    }

    fn powershell(&mut self, program: &str, args: &[Word], call: &Invocation) -> Output {
        let mut rest = args.iter().enumerate();
        while let Some((at, word)) = rest.next() {
            let option = word.text.strip_prefix(['-', '/']).map(str::to_ascii_lowercase);
            let from = match option.as_deref() {
                Some("e" | "ec") => None,
                Some(option) if option.len() > 2 && "encodedcommand".starts_with(option) => None,
                Some(option) if !option.is_empty() && "command".starts_with(option) => Some(at + 1),
                Some(option) if VALUES.contains(&option) => {
                    let value = rest.next();
                    if let Some((at, file)) = value.filter(|_| option == "file") {
                        let behind = args.get(at + 1..).unwrap_or_default();
                        self.run_file(file, Reader::Windows(Dialect::PowerShell), program, behind, call);
                        return None;
                    }
                    continue;
                }
                Some(_) => continue,
                None => Some(at),
            };
            let Some(from) = from else {
                self.report(OpaqueReason::EncodedCode, call.span.clone());
                return None;
            };
            let line = joined(args.get(from..)?);
            let script = args.get(from).filter(|word| word.text.to_ascii_lowercase().ends_with(".ps1"));
            if let Some(file) = script {
                let behind = args.get(from + 1..).unwrap_or_default();
                self.run_file(file, Reader::Windows(Dialect::PowerShell), program, behind, call);
                return None;
            }
            if line.text != "-" {
                self.foreign(&line, Dialect::PowerShell, &format!("{program} -c"), call);
                return None;
            }
        }
        self.foreign_input(program, call);
        None
    }

    /// Walks what `Invoke-Expression` runs: its argument or what is piped to it.
    fn expression(&mut self, args: &[Word], call: &Invocation) {
        match args.iter().find(|word| !word.text.starts_with('-')) {
            Some(code) if code.literal => self.foreign(code, Dialect::PowerShell, "Invoke-Expression", call),
            Some(_) => self.report(OpaqueReason::DynamicCode, call.span.clone()),
            None => self.foreign_input("Invoke-Expression", call),
        }
    }

    fn foreign_input(&mut self, label: &str, call: &Invocation) {
        match call.feed.clone() {
            Feed::Text(code) => self.foreign(&code, Dialect::PowerShell, label, call),
            Feed::Pipe { decoded } => self.report(piped(decoded), call.span.clone()),
            Feed::File(path) | Feed::Copy(path) => {
                self.run_file(&Word::known(path), Reader::Windows(Dialect::PowerShell), label, &[], call);
            }
            Feed::Inherited => {}
        }
    }

    /// Walks code of one of these shells that a command is given.
    pub(super) fn foreign(&mut self, code: &Word, language: Dialect, label: &str, call: &Invocation) {
        if self.depth >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, call.span.clone());
            return;
        }
        self.depth += 1;
        // The lines of a file have places of their own.
        let whole = self.account.is_open() && self.base.is_none();
        let base = if whole { None } else { self.base.replace(call.span.clone()) };
        self.via.push(label.to_owned());
        self.subshell(|walker| walker.lines(&code.text, language));
        self.via.pop();
        self.base = base;
        self.depth -= 1;
    }

    /// Walks the lines of a text.
    pub(super) fn lines(&mut self, text: &str, language: Dialect) {
        let whole = self.base.clone().unwrap_or(0..text.len());
        if !self.spend(text.len(), &whole) {
            return;
        }
        let outer = (self.dialect, self.place, self.feed.clone());
        self.dialect = language;
        let (lines, opaque) = dialect::lines(text, language);
        for opaque in opaque {
            self.report(opaque.reason, self.base.clone().unwrap_or(opaque.span));
        }
        let first = self.pipelines;
        for line in lines {
            if self.stopped {
                break;
            }
            self.pipelines = self.pipelines.max(first + line.pipeline);
            self.place = Place { pipeline: first + line.pipeline, stage: line.stage, last: line.stage, shared: false };
            self.feed = if line.stage > 0 { Feed::Pipe { decoded: false } } else { Feed::Inherited };
            let span = self.base.clone().unwrap_or(line.span);
            let feed = self.feed.clone();
            self.run(&Invocation {
                words: line.words,
                assignments: line.assignments,
                redirects: line.redirects,
                span,
                feed,
                direct: true,
                ..Invocation::default()
            });
        }
        (self.dialect, self.place, self.feed) = outer;
    }
}
