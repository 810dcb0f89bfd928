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
    #[expect(clippy::too_many_lines, reason = "one arm for each program")]
    pub(super) fn walk_windows(&mut self, program: &str, args: &[Word], call: &Invocation) -> Option<Output> {
        if self.dialect != Dialect::Posix {
            match windows::resolve_alias(program, self.dialect) {
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
                    let mut words = started_words(args, self.dialect);
                    if let Some(file) = words.first_mut() {
                        file.text = file.text.replace('\\', "/");
                    }
                    return Some(self.run_nested(words, program, call, Stdin::Inherited));
                }
                "Invoke-WebRequest" | "Invoke-RestMethod" | "Start-BitsTransfer" => {
                    // `Start-BitsTransfer` takes the file without a name as well.
                    let operands = args.iter().filter(|word| !word.text.starts_with('-'));
                    let second = operands.skip_while(|word| !word.text.contains("://")).nth(1);
                    let second =
                        second.filter(|_| windows::resolve_alias(program, self.dialect) == "Start-BitsTransfer");
                    let file = named_value(args, &["-outfile", "-destination"]).or(second);
                    if let Some(file) = file {
                        self.scope.record_download(&file.text.replace('\\', "/"));
                    }
                }
                // It compiles what it is given.
                "Add-Type" => {
                    let is_code =
                        named_value(args, &["-typedefinition", "-memberdefinition"]).is_some_and(|word| !word.literal);
                    if is_code {
                        self.report(self.code_origin.unwrap_or(OpaqueReason::DynamicCode), call.span.clone());
                    }
                    return None;
                }
                "Set-Content" | "Add-Content" | "Out-File" => self.record_content(program, args, call),
                "Copy-Item" | "Move-Item" => {
                    let operands: Vec<&Word> =
                        call.words.iter().skip(1).filter(|word| !word.text.starts_with(['-', '/'])).collect();
                    if let [from, to] = operands.as_slice() {
                        self.scope.record_copy(&from.text.replace('\\', "/"), &to.text.replace('\\', "/"));
                    }
                }
                "Set-Location" | "Push-Location" => {
                    let target =
                        args.iter().find(|word| !word.text.starts_with(['-', '/'])).cloned().unwrap_or_default();
                    let target = Word { text: target.text.replace('\\', "/"), ..target };
                    self.scope.state.cwd = self.scope.state.cwd.change_to(&target);
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
            "certutil" | "bitsadmin" => {
                let fetches = args.iter().any(|word| word.text.contains("://"));
                if let Some(file) = args.last().filter(|word| fetches && !word.text.contains("://")) {
                    self.scope.record_download(&file.text.replace('\\', "/"));
                }
                None
            }
            "forfiles" => {
                self.walk_forfiles(args, call);
                None
            }
            "wmic" => {
                let at = args.iter().position(|word| word.text.eq_ignore_ascii_case("create"))?;
                let line = join_words(args.get(at + 1..)?);
                self.walk_windows_code(&line, Dialect::Cmd, "wmic", call);
                None
            }
            "invoke-cimmethod" | "invoke-wmimethod" => {
                let table = args.iter().find_map(|word| word.text.split_once("CommandLine="))?;
                let line = Word::known(table.1.split(';').next().unwrap_or_default());
                self.walk_windows_code(&line, Dialect::Cmd, program, call);
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
            Some(_) => self.report(self.code_origin.unwrap_or(OpaqueReason::DynamicCode), call.span.clone()),
            None => self.walk_windows_stdin("Invoke-Expression", call),
        }
    }

    /// Walks what `forfiles` runs for each file below a directory.
    fn walk_forfiles(&mut self, args: &[Word], call: &Invocation) {
        let value = |name: &str| {
            let at = args.iter().position(|word| word.text.eq_ignore_ascii_case(name))?;
            args.get(at + 1)
        };
        let Some(line) = value("/c") else { return };
        let directory = value("/p").map_or(".", |word| word.text.trim_end_matches(['/', '\\']));
        let mask = value("/m").map_or("*", |word| word.text.as_str());
        let file = format!("{directory}/{mask}");
        let code =
            line.text.replace("0x22", "\"").replace("@path", &file).replace("@file", &file).replace("@relpath", &file);
        self.walk_windows_code(&Word { text: code, ..line.clone() }, Dialect::Cmd, "forfiles /c", call);
    }

    /// Remembers what a command writes to a file.
    fn record_content(&mut self, program: &str, args: &[Word], call: &Invocation) {
        let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
        let path = named_value(args, &["-path", "-literalpath", "-filepath"]).or_else(|| operands.first().copied());
        let Some(path) = path else { return };
        let value = named_value(args, &["-value"]).or_else(|| operands.get(1).copied()).cloned();
        let text = match (value, &call.stdin) {
            (Some(value), _) => Some(value),
            (None, Stdin::Text(text)) => Some(text.clone()),
            (None, _) => None,
        };
        let is_added = windows::resolve_alias(program, self.dialect) == "Add-Content"
            || args.iter().any(|word| word.text.eq_ignore_ascii_case("-append"));
        self.scope.record_write(&path.text.replace('\\', "/"), text, is_added);
    }

    fn walk_windows_stdin(&mut self, label: &str, call: &Invocation) {
        match call.stdin.clone() {
            Stdin::Text(code) => self.walk_windows_code(&code, Dialect::PowerShell, label, call),
            Stdin::Pipe { decoded } => {
                self.report(self.code_origin.unwrap_or_else(|| piped_code_reason(decoded)), call.span.clone());
            }
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
            let mut words = line.words;
            if language == Dialect::PowerShell {
                self.resolve_powershell_alias(&mut words);
            }
            if let Some(text) = line.input {
                self.stdin = Stdin::Text(text);
            }
            if let Some(program) = words.first_mut().filter(|word| word.text.contains('\\')) {
                program.text = program.text.replace('\\', "/");
            }
            let feed = self.stdin.clone();
            self.code_origin = line.code_origin;
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

/// Returns the words that `Start-Process` runs; in the older shell, the words after `start`.
fn started_words(args: &[Word], dialect: Dialect) -> Vec<Word> {
    if dialect == Dialect::Cmd {
        let is_title = |word: &&Word| word.text.is_empty() || word.text.starts_with(['-', '/']);
        return args.iter().skip_while(is_title).cloned().collect();
    }
    let mut words = Vec::new();
    let mut rest = args.iter().peekable();
    while let Some(word) = rest.next() {
        let name = word.text.strip_prefix('-').filter(|_| !word.quoted).map(str::to_ascii_lowercase);
        match name.as_deref() {
            Some(name)
                if name.len() > 1
                    && ("argumentlist".starts_with(name) || "filepath".starts_with(name) || name == "args") => {}
            Some("wait" | "nonewwindow" | "passthru" | "loaduserprofile" | "usenewenvironment") => {}
            Some(_) if words.is_empty() || !word.quoted => {
                rest.next_if(|next| !next.text.starts_with('-'));
            }
            // Arguments reach the program as one line, which it takes apart.
            _ if words.is_empty() => words.push(word.clone()),
            _ => words.extend(split_line(word)),
        }
    }
    words
}

/// Returns the words of a line in the way in which programs of Windows take it apart.
fn split_line(line: &Word) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut is_quoted, mut text, mut begun) = (false, String::new(), false);
    for character in line.text.chars() {
        match character {
            '"' => (is_quoted, begun) = (!is_quoted, true),
            ' ' | '\t' if !is_quoted => {
                if begun {
                    words.push(Word { text: std::mem::take(&mut text), quoted: false, ..line.clone() });
                }
                begun = false;
            }
            character => {
                text.push(character);
                begun = true;
            }
        }
    }
    if begun {
        words.push(Word { text, quoted: false, ..line.clone() });
    }
    words
}

/// Returns the value of a parameter, by the beginning of its name.
fn named_value<'w>(args: &'w [Word], names: &[&str]) -> Option<&'w Word> {
    let is_named = |word: &Word| {
        let given = word.text.to_ascii_lowercase();
        !word.quoted
            && given.len() > 2
            && given.starts_with('-')
            && names.iter().any(|name| name.starts_with(given.as_str()))
    };
    let at = args.iter().position(is_named)?;
    args.get(at + 1)
}
