//! Simple commands: assignments, redirections and the words between them.
//!
//! Everything that runs passes through `Walker::run`, whether a shell runs it or a wrapper.

use std::ops::Range;

use super::expand::{PROCESS_SUBSTITUTION_PATH, join_words};
use super::scope::Value;
use super::script_file::{SYSTEM_DIRECTORIES, ScriptKind};
use super::{Invocation, Output, Stdin, Walker, wrapper};
use crate::domain::shell::quote::single_quoted;
use crate::domain::shell::script::{
    Command, Dialect, OpaqueReason, Redirect, RedirectKind, Word, is_dynamic, program_name,
};
use crate::domain::shell::syntax::MAX_DEPTH;
use crate::domain::shell::syntax::ast::{Node, RawAssignment, RawRedirect, RawTarget, RawValue, RawWord};
use crate::domain::shell::variable_names::may_be_secret;

/// The variables whose value some program runs as a command.
pub(crate) const CODE_VARIABLES: &[&str] = &[
    "PROMPT_COMMAND",
    "PAGER",
    "MANPAGER",
    "GIT_PAGER",
    "EDITOR",
    "VISUAL",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "RSYNC_RSH",
    "CVS_RSH",
    "BROWSER",
    "FCEDIT",
    "TAR_OPTIONS",
    "FZF_DEFAULT_COMMAND",
    "SUDO_EDITOR",
    "SUDO_ASKPASS",
    "SYSTEMD_PAGER",
    "SYSTEMD_EDITOR",
    "GH_PAGER",
    "GH_EDITOR",
    "GLAB_PAGER",
    "BAT_PAGER",
    "DELTA_PAGER",
    "AWS_PAGER",
    "KUBE_EDITOR",
    "PSQL_PAGER",
    "PSQL_EDITOR",
    "PSQL_EDITOR_LINENUMBER_ARG",
    "HGEDITOR",
    "HGMERGE",
    "SVN_EDITOR",
    "SVN_SSH",
    "CVSEDITOR",
    "TEXEDIT",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "CC",
    "CXX",
    "NPM_CONFIG_SCRIPT_SHELL",
    "npm_config_script_shell",
    "npm_config_editor",
    "JULIA_EDITOR",
    "NULLCMD",
    "READNULLCMD",
];

/// The most directories of a search path that are looked in.
const MAX_SEARCH_PATH: usize = 4;

/// The variables in which a command is after the first of these characters.
const PREFIXED_CODE_VARIABLES: &[&str] = &["LESSOPEN", "LESSCLOSE"];

/// The variables that the shell expands like text between double quotes when it uses them.
pub(crate) const EXPANDED_VARIABLES: &[&str] = &["PS0", "PS1", "PS2", "PS4", "BASH_ENV", "ENV"];

/// The builtins that set variables by their arguments.
pub(crate) const DECLARATION_BUILTINS: &[&str] = &["export", "declare", "typeset", "local", "readonly"];

impl Walker {
    pub(super) fn walk_simple(&mut self, assignments: &[RawAssignment], words: &[RawWord], node: &Node) -> Output {
        if let Some(output) = self.walk_alternatives(assignments, words, node) {
            return output;
        }
        let mut processes = Vec::new();
        let values: Vec<(String, Value)> =
            assignments.iter().map(|assignment| (assignment.name.clone(), self.expand_value(assignment))).collect();
        let mut words: Vec<Word> = words.iter().flat_map(|word| self.expand_word(word, &mut processes)).collect();
        while words.first().is_some_and(sets_computed_element) {
            words.remove(0);
        }
        let redirects = self.expand_redirects(&node.redirects, &mut processes);
        let feed = self.redirected_stdin(&redirects, &processes).unwrap_or_else(|| self.stdin.clone());
        let keeps = words.first().is_none_or(|word| DECLARATION_BUILTINS.contains(&word.text.as_str()));
        let mut before = Vec::new();
        for (name, value) in &values {
            before.push((name.clone(), self.scope.get(name).cloned()));
            let is_hidden =
                self.current_file.as_ref().is_some_and(|file| file.is_environment_file()) && may_be_secret(name);
            let value = if is_hidden { Value::Scalar(Word::unknown(format!("${name}"))) } else { value.clone() };
            self.scope.set(name, value);
        }
        let assignments = values.into_iter().map(|(name, value)| (name, flatten_value(value))).collect();
        let call = Invocation {
            words,
            assignments,
            redirects,
            span: node.span.clone(),
            process_outputs: processes,
            stdin: feed,
            runs_in_shell: true,
        };
        let output = self.run_command(&call);
        if !keeps {
            for (name, value) in before.into_iter().rev() {
                self.scope.restore(&name, value);
            }
        }
        output
    }

    /// Lists a command and walks whatever it runs in turn; returns what it prints.
    pub(super) fn run_command(&mut self, call: &Invocation) -> Output {
        if !self.count_step(&call.span) {
            return None;
        }
        let program = call.words.first().map_or("", |word| program_name(&word.text));
        if let Some(whole) = self.with_response_files(program, call) {
            return self.run_command(&whole);
        }
        if call.words.is_empty() && call.assignments.is_empty() && call.redirects.is_empty() {
            return Some(Word::known(""));
        }
        self.push_command(call);
        // What `xargs` and its like add was looked at where they are.
        if call.runs_in_shell && wrapper::has_unknown_targets(program, &call.words) {
            self.report(OpaqueReason::UnknownTargets, call.span.clone());
        }
        self.attach_patches(call);
        for (name, value) in &call.assignments {
            self.walk_variable_code(name, value, &call.span);
            if let Some(alias) = name.strip_prefix("BASH_ALIASES[").and_then(|rest| rest.strip_suffix(']')) {
                self.scope.aliases.insert(alias.to_owned(), value.text.clone());
            }
            if let Some(number) = name.strip_prefix("GIT_CONFIG_VALUE_") {
                let key = call.assignments.iter().find(|(key, _)| key.strip_prefix("GIT_CONFIG_KEY_") == Some(number));
                self.walk_git_setting(key.map_or("", |(_, key)| key.text.as_str()), value, &call.span);
            }
        }
        let Some(program) = call.words.first() else {
            // `$(< file)` is the text of the file.
            return match call.redirects.as_slice() {
                [] => Some(Word::known("")),
                [only] if only.kind == RedirectKind::Read && self.streams.wants_output => {
                    self.read_text(&only.target, call)
                }
                _ => None,
            };
        };
        if is_dynamic(program) {
            self.report(OpaqueReason::DynamicProgram, call.span.clone());
            self.walk_possible_command(&program.text, call);
            return None;
        }
        if self.depth >= MAX_DEPTH {
            self.report(OpaqueReason::TooDeep, call.span.clone());
            return None;
        }
        self.depth += 1;
        let is_wanted = self.streams.wants_output || call.redirects.iter().any(is_written_output);
        let output = self.with_wanted_output(is_wanted, |walker| walker.walk_invocation(call));
        self.depth -= 1;
        self.apply_redirects(&call.redirects, output)
    }

    /// Remembers what the descriptors read from that `exec` opens.
    fn open_descriptors(&mut self, call: &Invocation) {
        for (at, redirect) in call.redirects.iter().enumerate() {
            let Some(fd) = redirect.fd.filter(|fd| *fd > 2) else { continue };
            let own = Redirect { fd: None, ..redirect.clone() };
            let processes = call.process_outputs.get(..=at.min(call.process_outputs.len().saturating_sub(1)));
            if let Some(source) = self.redirected_stdin(&[own], processes.unwrap_or_default()) {
                self.descriptors.insert(fd, source);
            }
        }
    }

    /// Returns what is read from a path that names an open descriptor: `/dev/fd/3`.
    pub(super) fn descriptor_of_path(&self, path: &str) -> Option<&Stdin> {
        let number = ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|start| path.strip_prefix(start))?;
        self.descriptors.get(&number.parse().ok()?)
    }

    /// Walks the programs of the directories that the script has put in front of the search path.
    fn walk_shadowing_programs(&mut self, program: &str, call: &Invocation) {
        let Some(Value::Scalar(path)) = self.scope.get("PATH").cloned() else { return };
        let entries = path.text.split(':').take_while(|entry| !matches!(*entry, "$PATH" | "${PATH}"));
        let names: Vec<String> =
            entries.filter(|entry| !entry.is_empty()).map(|entry| format!("{entry}/{program}")).collect();
        for name in names.iter().filter(|name| !name.contains('*')).take(MAX_SEARCH_PATH) {
            let word = Word::known(name.as_str());
            if self.scope.written_text(name).is_some() {
                self.walk_script(&word, ScriptKind::Detect, name, call.words.get(1..).unwrap_or_default(), call);
            } else if !SYSTEM_DIRECTORIES.iter().any(|start| name.starts_with(start)) {
                self.walk_first_existing(&[name], ScriptKind::Detect, call.words.get(1..).unwrap_or_default(), call);
            }
        }
    }

    /// Puts what was printed where redirections take it; returns what is left to be read.
    pub(super) fn apply_redirects(&mut self, redirects: &[Redirect], output: Output) -> Output {
        let Some(redirect) = redirects.iter().rev().find(|redirect| is_written_output(redirect)) else { return output };
        let fetched = output.is_none() && self.script.commands.last().is_some_and(is_download);
        if fetched {
            self.scope.record_download(&redirect.target.text);
        } else {
            self.scope.record_write(&redirect.target.text, output, redirect.kind == RedirectKind::Append);
        }
        Some(Word::known(""))
    }

    /// Walks the code in a variable that some program runs, or that the shell expands later.
    pub(super) fn walk_variable_code(&mut self, name: &str, value: &Word, span: &Range<usize>) {
        let expanded = EXPANDED_VARIABLES.contains(&name) && value.text.contains(['$', '`']);
        if PREFIXED_CODE_VARIABLES.contains(&name) {
            let code = Word { text: value.text.trim_start_matches(['|', '-', '@']).to_owned(), ..value.clone() };
            self.subshell(|walker| walker.walk_text(&code, &format!("{name}="), span));
        } else if name == "MAKEFLAGS" || name == "GNUMAKEFLAGS" {
            if let Some((_, code)) = value.text.split_once("--eval=") {
                let code = Word { text: code.to_owned(), ..value.clone() };
                self.walk_make_recipes(&code, &Invocation { span: span.clone(), ..Invocation::default() });
            }
        } else if name.starts_with("BASH_FUNC_") {
            let code = Word { text: format!("f{}; f", value.text), ..value.clone() };
            self.subshell(|walker| walker.walk_text(&code, &format!("{name}="), span));
        } else if expanded {
            let code = Word { text: format!(": \"{}\"", value.text), ..value.clone() };
            self.subshell(|walker| walker.walk_text(&code, &format!("{name}="), span));
        } else if CODE_VARIABLES.contains(&name) && !value.text.is_empty() {
            self.subshell(|walker| walker.walk_text(value, &format!("{name}="), span));
        }
    }

    fn walk_invocation(&mut self, call: &Invocation) -> Output {
        let name = call.words.first().map(|word| word.text.clone()).unwrap_or_default();
        if call.runs_in_shell {
            if let Some(function) = self.scope.function(&name) {
                return self.call_function(function, call);
            }
            if let Some(alias) = self.scope.aliases.get(&name).cloned() {
                return self.walk_alias(&alias, call);
            }
            self.apply_builtin(program_name(&name), call);
        }
        if name == "exec" {
            self.open_descriptors(call);
        }
        if !name.contains('/') {
            self.walk_shadowing_programs(&name, call);
        }
        self.walk_task(program_name(&name), call);
        if let Some(output) = self.walk_wrapper(program_name(&name), call) {
            return output;
        }
        let by_path = |word: &&Word| {
            word.text.contains('/') || (self.dialect != Dialect::Posix && word.text.contains(['\\', '.']))
        };
        if let Some(program) = call.words.first().filter(by_path) {
            self.walk_file(program, ScriptKind::Detect, call.words.get(1..).unwrap_or_default(), call);
        }
        self.walk_possible_command(program_name(&name), call);
        self.command_output(program_name(&name), call)
    }

    /// Walks what an alias represents, with the arguments after it.
    fn walk_alias(&mut self, alias: &str, call: &Invocation) -> Output {
        let arguments = call.words.get(1..).unwrap_or_default();
        let mut line = Word::known(alias);
        for word in arguments {
            line.text.push(' ');
            line.text.push_str(&if word.literal { single_quoted(&word.text) } else { word.text.clone() });
            line.literal &= word.literal;
        }
        // An alias is not looked up again in its own text, so `alias ls='ls -l'` ends.
        let name = call.words.first().map(|word| word.text.clone()).unwrap_or_default();
        let alias = self.scope.aliases.remove(&name);
        let output = self.walk_text(&line, &format!("alias {name}"), &call.span);
        if let Some(alias) = alias {
            self.scope.aliases.insert(name, alias);
        }
        output
    }

    fn expand_value(&mut self, assignment: &RawAssignment) -> Value {
        let before = if assignment.append { self.scope.get(&assignment.name).cloned() } else { None };
        match (&assignment.value, before) {
            (RawValue::Scalar(word), before) => {
                let mut value = self.expand_single(word);
                if assignment.append {
                    let start = match before {
                        Some(Value::Scalar(word)) => word,
                        Some(Value::List(words) | Value::OneOf(words)) => words.first().cloned().unwrap_or_default(),
                        None => Word::unknown(format!("${{{}}}", assignment.name)),
                    };
                    value.literal &= start.literal;
                    value.text.insert_str(0, &start.text);
                }
                if value.text.len() > super::expand::MAX_VALUE {
                    value = Word::unknown(format!("${}", assignment.name));
                }
                // Patterns are expanded where a variable is used, not where it is set.
                Value::Scalar(Word { glob: false, ..value })
            }
            (RawValue::Array(words), before) => {
                let mut list = match before {
                    Some(Value::List(list) | Value::OneOf(list)) => list,
                    Some(Value::Scalar(word)) => vec![word],
                    None => Vec::new(),
                };
                for word in words.iter().flat_map(|word| self.expand_word(word, &mut Vec::new())).collect::<Vec<_>>() {
                    // An element with its index: `[2]=x`.
                    let indexed = word.text.strip_prefix('[').and_then(|rest| rest.split_once("]="));
                    match indexed {
                        Some((index, value)) => {
                            let value = Word { text: value.to_owned(), ..word.clone() };
                            let name = format!("{}[{index}]", assignment.name);
                            self.scope.set(&name, Value::Scalar(value.clone()));
                            list.push(value);
                        }
                        None => list.push(word),
                    }
                }
                Value::List(list)
            }
        }
    }

    pub(super) fn expand_redirects(&mut self, raw: &[RawRedirect], processes: &mut Vec<Output>) -> Vec<Redirect> {
        let mut redirects = Vec::with_capacity(raw.len());
        for redirect in raw {
            let target = match &redirect.target {
                RawTarget::Word(word) if redirect.kind == RedirectKind::HereString => self.expand_single(word),
                RawTarget::Word(word) => {
                    let mut words = self.expand_word(word, processes);
                    match words.pop() {
                        Some(word) if words.is_empty() => word,
                        Some(last) => {
                            words.push(last);
                            join_words(&words)
                        }
                        None => Word::unknown(""),
                    }
                }
                RawTarget::HereDocument(body) => body.get().map(|word| self.expand_single(word)).unwrap_or_default(),
            };
            let target = match self.descriptor_of_path(&target.text) {
                Some(Stdin::File(path)) => Word::known(path.as_str()),
                _ => target,
            };
            let is_file =
                target.literal && !target.text.chars().all(|character| character.is_ascii_digit() || character == '-');
            let kind = match redirect.kind {
                // `>&$target` names a descriptor or a file, as its value says.
                RedirectKind::Duplicate if is_file => RedirectKind::Write,
                kind => kind,
            };
            redirects.push(Redirect { kind, fd: redirect.fd, target });
        }
        redirects
    }

    /// Returns what redirections put on the standard input, if they do.
    pub(super) fn redirected_stdin(&self, redirects: &[Redirect], processes: &[Output]) -> Option<Stdin> {
        let duplicated = redirects
            .iter()
            .rev()
            .find(|redirect| redirect.kind == RedirectKind::Duplicate && redirect.fd.is_none_or(|fd| fd == 0));
        if let Some(source) = duplicated.and_then(|it| self.descriptors.get(&it.target.text.parse().ok()?)) {
            return Some(source.clone());
        }
        // A connection that is opened for output is there for input as well: `>& /dev/tcp/… 0>&1`.
        if redirects.iter().any(|redirect| redirect.target.text.starts_with("/dev/tcp/")) {
            return Some(Stdin::Pipe { decoded: false });
        }
        let redirect = redirects.iter().rev().find(|redirect| {
            !matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::Duplicate)
                && redirect.fd.is_none_or(|fd| fd == 0)
        })?;
        Some(match redirect.kind {
            RedirectKind::HereDoc | RedirectKind::HereString => Stdin::Text(redirect.target.clone()),
            _ if redirect.target.text == PROCESS_SUBSTITUTION_PATH => match processes.last().cloned().flatten() {
                Some(text) => Stdin::Text(text),
                None => Stdin::Pipe { decoded: false },
            },
            _ => Stdin::File(redirect.target.text.clone()),
        })
    }
}

/// Returns whether a redirection writes what a command prints to a file.
fn is_written_output(redirect: &Redirect) -> bool {
    matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
        && redirect.fd.is_none_or(|fd| fd == 1)
        && !redirect.target.text.starts_with("/dev/")
}

/// Returns whether a command prints what it has from elsewhere.
fn is_download(command: &Command) -> bool {
    matches!(command.program(), "curl" | "wget" | "wget2" | "fetch" | "aria2c" | "http" | "https" | "xh")
}

/// Returns whether a word sets an element of an array whose index is computed: `a[$(…)]=x`.
fn sets_computed_element(word: &Word) -> bool {
    let name = word.text.split('[').next().unwrap_or_default();
    let is_name =
        !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    is_name && !word.literal && !word.quoted && word.text.contains("]=")
}

fn flatten_value(value: Value) -> Word {
    match value {
        Value::Scalar(word) => word,
        Value::List(words) | Value::OneOf(words) => join_words(&words),
    }
}
