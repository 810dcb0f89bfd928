//! The shells of Windows: their lines, and their ways to run others.
//!
//! Their lines are walked by the same rules as those of other shells, so a wrapper is looked through and
//! nested code is read in either direction.

use super::disk::Reader;
use super::expand::joined;
use super::shells::piped;
use super::{Feed, Invocation, Output, Place, Walker};
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};
use crate::domain::shell::syntax::MAX_DEPTH;
use crate::domain::shell::{decode, dialect};

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
                // The operator that calls in this scope, and a name given by `Set-Alias`.
                "." if self.dialect == Dialect::PowerShell => {
                    return Some(self.inner(args.to_vec(), ".", call, call.feed.clone()));
                }
                "Set-Alias" | "New-Alias" => {
                    let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
                    if let [name, value, ..] = operands.as_slice() {
                        self.scope.aliases.insert(name.text.clone(), value.text.clone());
                    }
                    return Some(None);
                }
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
            "schtasks" => {
                let at = args.iter().position(|word| word.text.eq_ignore_ascii_case("/tr"))?;
                let line = args.get(at + 1)?.clone();
                self.foreign(&line, Dialect::Cmd, "schtasks /tr", call);
                None
            }
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
                let code = args.get(at + 1).filter(|word| word.literal);
                if let Some(code) = code.and_then(|word| decode::base64_utf16(&word.text)) {
                    self.foreign(&Word::known(code), Dialect::PowerShell, &format!("{program} -e"), call);
                    return None;
                }
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

    /// Puts what an alias of the text stands for in its place.
    fn power_words(&self, words: &mut [Word]) {
        if let Some(name) = words.first_mut()
            && let Some(value) = self.scope.aliases.get(&name.text)
        {
            name.text.clone_from(value);
        }
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
        let mut passed: Vec<Word> = Vec::new();
        for line in lines {
            if self.stopped {
                break;
            }
            self.pipelines = self.pipelines.max(first + line.pipeline);
            self.place = Place { pipeline: first + line.pipeline, stage: line.stage, last: line.stage, shared: false };
            self.feed = if line.stage > 0 { Feed::Pipe { decoded: false } } else { Feed::Inherited };
            let span = self.base.clone().unwrap_or(line.span);
            let feed = self.feed.clone();
            let mut words = line.words;
            if language == Dialect::PowerShell {
                self.power_words(&mut words);
                let given = std::mem::replace(&mut passed, passes(&words));
                if line.stage > 0 {
                    if takes_paths(&words) {
                        words.extend_from_slice(&given);
                    }
                    if let ([text], true) = (given.as_slice(), words.len() == 1) {
                        self.feed = Feed::Text(text.clone());
                    }
                }
            }
            let feed = if line.stage > 0 { self.feed.clone() } else { feed };
            self.run(&Invocation {
                words,
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

/// Returns what a command hands to the next one of a pipeline: a text, or the files that it names.
fn passes(words: &[Word]) -> Vec<Word> {
    match words {
        [text] if text.quoted && text.literal => vec![text.clone()],
        [name, paths @ ..] if matches!(dialect::canonical(&name.text), "Get-Item" | "gi" | "Get-ChildItem") => {
            paths.iter().filter(|word| !word.text.starts_with('-')).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// Tells whether a command takes the paths that it works on from a pipeline, as it names none.
fn takes_paths(words: &[Word]) -> bool {
    let [name, rest @ ..] = words else { return false };
    dialect::canonical(&name.text) == "Remove-Item" && rest.iter().all(|word| word.text.starts_with('-'))
}
