//! The Windows shells: their lines, and their ways to run others.
//!
//! Their lines are walked by the same rules as those of other shells, so wrappers are followed and nested code is read
//! in either direction.

use super::expand::join_words;
use super::script_file::ScriptKind;
use super::shells::piped_code_reason;
use super::{Invocation, Output, PipelinePosition, Stdin, Walker};
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};
use crate::domain::shell::syntax::MAX_DEPTH;
use crate::domain::shell::{decode, windows};

/// The options of `powershell` that take a value and no code.
const VALUE_OPTIONS: &[&str] = &[
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
    pub(super) fn walk_windows(&mut self, program: &str, args: &[Word], call: &Invocation) -> Option<Output> {
        if self.dialect != Dialect::Posix {
            match windows::resolve_alias(program) {
                // The operator that calls in this scope, and a name given by `Set-Alias`.
                "." if self.dialect == Dialect::PowerShell => {
                    return Some(self.run_nested(args.to_vec(), ".", call, call.stdin.clone()));
                }
                "Set-Alias" | "New-Alias" => {
                    let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
                    if let [name, value, ..] = operands.as_slice() {
                        self.scope.aliases.insert(name.text.clone(), value.text.clone());
                    }
                    return Some(None);
                }
                "Invoke-Expression" => {
                    self.walk_invoke_expression(args, call);
                    return Some(None);
                }
                "Start-Process" => {
                    let is_title = |word: &&Word| word.text.is_empty() || word.text.starts_with(['-', '/']);
                    let words =
                        args.iter().skip_while(is_title).filter(|word| !word.text.starts_with('-')).cloned().collect();
                    return Some(self.run_nested(words, program, call, Stdin::Inherited));
                }
                "Set-Location" | "Push-Location" => {
                    let target = args.iter().find(|word| !word.text.starts_with(['-', '/'])).cloned();
                    self.scope.state.cwd = self.scope.state.cwd.change_to(&target.unwrap_or_default());
                    return Some(None);
                }
                "Pop-Location" => self.scope.state.cwd = super::scope::PossibleDirectories::Unknown,
                _ => {}
            }
        }
        match program.to_ascii_lowercase().as_str() {
            "schtasks" => {
                let at = args.iter().position(|word| word.text.eq_ignore_ascii_case("/tr"))?;
                let line = args.get(at + 1)?.clone();
                self.walk_windows_code(&line, Dialect::Cmd, "schtasks /tr", call);
                None
            }
            "powershell" | "pwsh" => Some(self.walk_powershell(program, args, call)),
            "cmd" => {
                let at = args
                    .iter()
                    .position(|word| matches!(word.text.to_ascii_lowercase().as_str(), "/c" | "/k" | "//c"))?;
                let line = join_words(args.get(at + 1..)?);
                self.walk_windows_code(&line, Dialect::Cmd, "cmd /c", call);
                Some(None)
            }
            _ => None,
        }
    }

    fn walk_powershell(&mut self, program: &str, args: &[Word], call: &Invocation) -> Output {
        let mut rest = args.iter().enumerate();
        while let Some((at, word)) = rest.next() {
            let option = word.text.strip_prefix(['-', '/']).map(str::to_ascii_lowercase);
            let from = match option.as_deref() {
                Some("e" | "ec") => None,
                Some(option) if option.len() > 2 && "encodedcommand".starts_with(option) => None,
                Some(option) if !option.is_empty() && "command".starts_with(option) => Some(at + 1),
                Some(option) if VALUE_OPTIONS.contains(&option) => {
                    let value = rest.next();
                    if let Some((at, file)) = value.filter(|_| option == "file") {
                        let behind = args.get(at + 1..).unwrap_or_default();
                        self.walk_script(file, ScriptKind::WindowsShell(Dialect::PowerShell), program, behind, call);
                        return None;
                    }
                    continue;
                }
                Some(_) => continue,
                None => Some(at),
            };
            let Some(from) = from else {
                let code = args.get(at + 1).filter(|word| word.literal);
                if let Some(code) = code.and_then(|word| decode::decode_base64_utf16(&word.text)) {
                    self.walk_windows_code(&Word::known(code), Dialect::PowerShell, &format!("{program} -e"), call);
                    return None;
                }
                self.report(OpaqueReason::EncodedCode, call.span.clone());
                return None;
            };
            let line = join_words(args.get(from..)?);
            let script = args.get(from).filter(|word| word.text.to_ascii_lowercase().ends_with(".ps1"));
            if let Some(file) = script {
                let behind = args.get(from + 1..).unwrap_or_default();
                self.walk_script(file, ScriptKind::WindowsShell(Dialect::PowerShell), program, behind, call);
                return None;
            }
            if line.text != "-" {
                self.walk_windows_code(&line, Dialect::PowerShell, &format!("{program} -c"), call);
                return None;
            }
        }
        self.walk_windows_stdin(program, call);
        None
    }

    /// Walks what `Invoke-Expression` runs: its argument or what is piped to it.
    fn walk_invoke_expression(&mut self, args: &[Word], call: &Invocation) {
        match args.iter().find(|word| !word.text.starts_with('-')) {
            Some(code) if code.literal => self.walk_windows_code(code, Dialect::PowerShell, "Invoke-Expression", call),
            Some(_) => self.report(OpaqueReason::DynamicCode, call.span.clone()),
            None => self.walk_windows_stdin("Invoke-Expression", call),
        }
    }

    fn walk_windows_stdin(&mut self, label: &str, call: &Invocation) {
        match call.stdin.clone() {
            Stdin::Text(code) => self.walk_windows_code(&code, Dialect::PowerShell, label, call),
            Stdin::Pipe { decoded } => self.report(piped_code_reason(decoded), call.span.clone()),
            Stdin::File(path) | Stdin::PipedFile(path) => {
                self.walk_script(&Word::known(path), ScriptKind::WindowsShell(Dialect::PowerShell), label, &[], call);
            }
            Stdin::Inherited => {}
        }
    }

    /// Walks code of one of these shells that a command is given.
    pub(super) fn walk_windows_code(&mut self, code: &Word, language: Dialect, label: &str, call: &Invocation) {
        if self.depth >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, call.span.clone());
            return;
        }
        self.depth += 1;
        // The lines of a file have places of their own.
        let whole = self.file_budget.is_active() && self.span_override.is_none();
        let base = if whole { None } else { self.span_override.replace(call.span.clone()) };
        self.call_chain.push(label.to_owned());
        self.subshell(|walker| walker.walk_windows_lines(&code.text, language));
        self.call_chain.pop();
        self.span_override = base;
        self.depth -= 1;
    }

    /// Puts what an alias of the text represents in its place.
    fn resolve_powershell_alias(&self, words: &mut [Word]) {
        if let Some(name) = words.first_mut()
            && let Some(value) = self.scope.aliases.get(&name.text)
        {
            name.text.clone_from(value);
        }
    }

    /// Walks the lines of a text.
    pub(super) fn walk_windows_lines(&mut self, text: &str, language: Dialect) {
        let whole = self.span_override.clone().unwrap_or(0..text.len());
        if !self.spend(text.len(), &whole) {
            return;
        }
        let outer = (self.dialect, self.position, self.stdin.clone());
        self.dialect = language;
        let (lines, opaque) = windows::parse(text, language);
        for opaque in opaque {
            self.report(opaque.reason, self.span_override.clone().unwrap_or(opaque.span));
        }
        let first = self.pipeline_count;
        let mut passed: Vec<Word> = Vec::new();
        for line in lines {
            if self.stopped {
                break;
            }
            self.pipeline_count = self.pipeline_count.max(first + line.pipeline);
            self.position = PipelinePosition {
                pipeline: first + line.pipeline,
                stage: line.stage,
                last_stage: line.stage,
                is_nested: false,
            };
            self.stdin = if line.stage > 0 { Stdin::Pipe { decoded: false } } else { Stdin::Inherited };
            let span = self.span_override.clone().unwrap_or(line.span);
            let feed = self.stdin.clone();
            let mut words = line.words;
            if language == Dialect::PowerShell {
                self.resolve_powershell_alias(&mut words);
                let given = std::mem::replace(&mut passed, pipeline_values(&words));
                if line.stage > 0 {
                    if accepts_pipeline_paths(&words) {
                        words.extend_from_slice(&given);
                    }
                    if let ([text], true) = (given.as_slice(), words.len() == 1) {
                        self.stdin = Stdin::Text(text.clone());
                    }
                }
            }
            let feed = if line.stage > 0 { self.stdin.clone() } else { feed };
            self.run_command(&Invocation {
                words,
                assignments: line.assignments,
                redirects: line.redirects,
                span,
                stdin: feed,
                runs_in_shell: true,
                ..Invocation::default()
            });
        }
        (self.dialect, self.position, self.stdin) = outer;
    }
}

/// Returns what a command passes to the next one of a pipeline: a text, or the files that it names.
fn pipeline_values(words: &[Word]) -> Vec<Word> {
    match words {
        [text] if text.quoted && text.literal => vec![text.clone()],
        [name, paths @ ..] if matches!(windows::resolve_alias(&name.text), "Get-Item" | "gi" | "Get-ChildItem") => {
            paths.iter().filter(|word| !word.text.starts_with('-')).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether a command takes the paths that it works on from a pipeline, as it names none.
fn accepts_pipeline_paths(words: &[Word]) -> bool {
    let [name, rest @ ..] = words else { return false };
    windows::resolve_alias(&name.text) == "Remove-Item" && rest.iter().all(|word| word.text.starts_with('-'))
}
