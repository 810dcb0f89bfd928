//! Finds what a wrapper runs, by the wrapper's row in the table.
//!
//! The wrapper is listed as a command of its own before the command that it runs.

use super::alternatives::widen;
use super::expand::{join_words, listed_name};
use super::package_name::PackageKind;
use super::shells::STDIN_NAMES;
use super::wrapper_table::{WrappedPayload, Wrapper, rows_of};
use super::{Invocation, Output, Walker};
use crate::domain::shell::quote::single_quoted;
use crate::domain::shell::script::{OpaqueReason, Word, program_name};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

/// The options of `bwrap` that take two values.
const TWO_VALUE_OPTIONS: &[&str] = &[
    "--bind",
    "--ro-bind",
    "--dev-bind",
    "--bind-try",
    "--ro-bind-try",
    "--dev-bind-try",
    "--setenv",
    "--symlink",
    "--file",
    "--bind-data",
    "--ro-bind-data",
    "--chmod",
    "--add-seccomp-fd",
];

/// How the names of machines begin.
const ARCHITECTURE_PREFIXES: &[&str] = &[
    "x86", "i386", "i486", "i586", "i686", "linux", "uname26", "arm", "aarch", "ppc", "s390", "riscv", "mips", "sparc",
    "alpha",
];

/// The arguments of a wrapper, taken apart.
#[derive(Default)]
struct WrapperArguments {
    /// The options that were given with a value, without dashes.
    values: Vec<(String, Word)>,
    /// The options that were given without one.
    flags: Vec<String>,
    /// The operands that the wrapper keeps for itself.
    operands: Vec<Word>,
    assignments: Vec<(String, Word)>,
    remaining: Vec<Word>,
}

impl WrapperArguments {
    fn has_option(&self, option: &str) -> bool {
        self.values.iter().any(|(name, _)| name == option)
    }
}

impl Walker {
    /// Walks what a command runs; or nothing when it is unknown to run anything.
    pub(super) fn walk_wrapper(&mut self, program: &str, call: &Invocation) -> Option<Output> {
        if let Some(output) = self.walk_code_runner(program, call) {
            return Some(output);
        }
        let (row, behind) = find_wrapper(posix_name(program), &call.words)?;
        if row.path == "command" && call.words.get(1).is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V")) {
            return Some(call.words.get(2).cloned());
        }
        let reading = parse_arguments(row, call.words.get(behind..).unwrap_or_default());
        for (option, prefix) in row.code_options {
            for (_, value) in reading.values.iter().filter(|(name, _)| name == option) {
                if let Some(code) = strip_code_prefix(value, prefix) {
                    let label = format!("{} {}{option}", row.path, if option.len() == 1 { "-" } else { "--" });
                    self.in_wrapper_scope(row, &reading, |walker| walker.walk_text(&code, &label, &call.span));
                }
            }
        }
        if row.package == PackageKind::Service && !reading.has_option("entrypoint") {
            self.in_wrapper_scope(row, &reading, |walker| {
                walker.walk_service(row.path, reading.operands.first(), &reading.remaining, call);
            });
        }
        if runs_default_shell(row, &reading) {
            return Some(self.walk_stdin(row.path, call));
        }
        self.walk_wrapped(row, &reading, row.path, call)
    }

    fn walk_wrapped(
        &mut self,
        row: &Wrapper,
        reading: &WrapperArguments,
        label: &str,
        call: &Invocation,
    ) -> Option<Output> {
        let inner = |words: Vec<Word>| Invocation {
            words,
            assignments: reading.assignments.clone(),
            span: call.span.clone(),
            process_outputs: call.process_outputs.clone(),
            stdin: call.stdin.clone(),
            runs_in_shell: call.runs_in_shell && row.runs_in_shell,
            ..Invocation::default()
        };
        match row.payload {
            WrappedPayload::Nothing => None,
            WrappedPayload::Argv
                if row.path == "env" && (reading.has_option("S") || reading.has_option("split-string")) =>
            {
                let line = env_split_string(reading);
                Some(self.in_wrapper_scope(row, reading, |walker| walker.walk_text(&line, "env -S", &call.span)))
            }
            _ if reading.remaining.is_empty() && reading.assignments.is_empty() => None,
            WrappedPayload::ArgvIfOption(option) if !reading.has_option(option) => None,
            // A terminal that takes one word passes it to a shell.
            WrappedPayload::ArgvAfter(_) if reading.remaining.len() == 1 => {
                let line = reading.remaining.first().cloned().unwrap_or_default();
                Some(self.in_wrapper_scope(row, reading, |walker| walker.walk_text(&line, label, &call.span)))
            }
            WrappedPayload::Argv | WrappedPayload::ArgvIfOption(_) | WrappedPayload::ArgvAfter(_) => {
                let call = inner(reading.remaining.clone());
                Some(self.in_wrapper_scope(row, reading, |walker| {
                    walker.with_label(label, |walker| walker.run_command(&call))
                }))
            }
            WrappedPayload::ArgvFromStdin => Some(self.walk_xargs(row, reading, call, &inner)),
            WrappedPayload::ShellEach => {
                for word in &reading.remaining {
                    let word = &script_shorthand(word);
                    self.in_wrapper_scope(row, reading, |walker| walker.walk_text(word, label, &call.span));
                }
                Some(None)
            }
            WrappedPayload::ShellLines => {
                for word in reading.remaining.iter().filter(|word| word.text.contains(' ')) {
                    self.in_wrapper_scope(row, reading, |walker| walker.walk_text(word, label, &call.span));
                }
                Some(None)
            }
            WrappedPayload::Shell | WrappedPayload::ShellWords => {
                // In a terminal's own line, a semicolon begins its next command.
                let own = |word: &Word| row.path.starts_with("tmux") && word.text == ";";
                let reading = &WrapperArguments {
                    remaining: reading.remaining.iter().take_while(|word| !own(word)).cloned().collect(),
                    values: reading.values.clone(),
                    ..WrapperArguments::default()
                };
                let mut line = join_words(&reading.remaining);
                if row.payload == WrappedPayload::ShellWords && reading.remaining.len() > 1 {
                    line.text = reading.remaining.iter().map(quote_if_literal).collect::<Vec<String>>().join(" ");
                }
                let feed = std::mem::replace(&mut self.stdin, call.stdin.clone());
                let output = self.in_wrapper_scope(row, reading, |walker| walker.walk_text(&line, label, &call.span));
                self.stdin = feed;
                Some(output)
            }
        }
    }

    /// Walks the commands to which `xargs` adds what it reads.
    fn walk_xargs(
        &mut self,
        row: &Wrapper,
        reading: &WrapperArguments,
        call: &Invocation,
        inner: &dyn Fn(Vec<Word>) -> Invocation,
    ) -> Output {
        let file = reading.values.iter().find(|(name, _)| matches!(name.as_str(), "a" | "arg-file"));
        let input = match file {
            Some((_, path)) if !is_stdin(path) => self.read_text(path, call),
            Some(_) | None => self.stdin_text(call),
        };
        let acts_on_files =
            reading.remaining.first().is_some_and(|word| TARGET_PROGRAMS.contains(&program_name(&word.text)));
        let is_unknown = input.as_ref().is_none_or(|input| !input.literal);
        if acts_on_files && is_unknown && !self.is_input_missing(file.map(|(_, path)| path), call) {
            self.report(OpaqueReason::UnknownTargets, call.span.clone());
        }
        let mut output = None;
        for words in xargs_lines(reading, input.as_ref()) {
            let call = inner(words);
            output = self.in_wrapper_scope(row, reading, |walker| {
                walker.with_label(row.path, |walker| walker.run_command(&call))
            });
        }
        output
    }

    /// Walks with the directory the wrapper sets, in the scope the wrapper leaves to it.
    fn in_wrapper_scope<T>(
        &mut self,
        row: &Wrapper,
        reading: &WrapperArguments,
        walk: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if row.runs_in_shell {
            return walk(self);
        }
        self.subshell(|walker| walker.with_wrapper_environment(row, reading, walk))
    }

    fn with_wrapper_environment<T>(
        &mut self,
        row: &Wrapper,
        reading: &WrapperArguments,
        walk: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let elsewhere = self.is_remote;
        self.is_remote |= row.is_remote;
        if row.is_remote {
            self.scope.state.cwd = super::scope::PossibleDirectories::Unknown;
        }
        for (_, dir) in reading.values.iter().filter(|(name, _)| row.directory_options.contains(&name.as_str())) {
            self.scope.state.cwd = self.scope.state.cwd.change_to(dir);
        }
        for (name, value) in &reading.assignments {
            self.scope.set(name, super::scope::Value::Scalar(value.clone()));
        }
        let value = walk(self);
        self.is_remote = elsewhere;
        value
    }

    fn with_label<T>(&mut self, label: &str, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.call_chain.push(label.to_owned());
        let value = walk(self);
        self.call_chain.pop();
        value
    }
}

/// The programs that read, change or remove the files that they are given.
const TARGET_PROGRAMS: &[&str] = &[
    "rm", "unlink", "shred", "mv", "cp", "ln", "install", "tee", "truncate", "dd", "chmod", "chown", "sed", "perl",
    "rsync", "tar", "cat", "base64", "xxd", "scp", "curl", "sort", "head", "tail", "strings", "od", "nl", "less",
    "sponge", "gzip", "trash", "rmdir",
];

/// Returns whether a command acts on files that only another program names: `rm $(./list)`.
pub(super) fn has_unknown_targets(program: &str, words: &[Word]) -> bool {
    // Others are too often given the name of an archive or a page that was just made.
    let is_asked = matches!(
        program,
        "rm" | "unlink"
            | "shred"
            | "mv"
            | "cp"
            | "truncate"
            | "chmod"
            | "chown"
            | "tee"
            | "cat"
            | "less"
            | "head"
            | "tail"
            | "base64"
            | "strings"
            | "xxd"
            | "od"
    );
    is_asked && words.iter().skip(1).any(|word| !word.literal && word.text == SUBSTITUTION_PLACEHOLDER)
}

/// The most commands of one `xargs` that are walked one by one.
const MAX_XARGS_COMMANDS: usize = 64;

/// Returns the words of each command that `xargs` runs, with those that it adds from its input.
fn xargs_lines(reading: &WrapperArguments, input: Option<&Word>) -> Vec<Vec<Word>> {
    let value = |names: &[&str]| reading.values.iter().find(|(name, _)| names.contains(&name.as_str()));
    let short = reading.flags.iter().any(|flag| matches!(flag.as_str(), "i" | "replace"));
    let placeholder = value(&["I", "J", "replace"]).map(|(_, word)| word.text.clone());
    let placeholder = placeholder.or_else(|| short.then(|| "{}".to_owned())).filter(|text| !text.is_empty());
    let is_null = reading.flags.iter().any(|flag| matches!(flag.as_str(), "0" | "null"));
    let delimiter = value(&["d", "delimiter"]).map(|(_, word)| word.text.as_str());
    let separators: &[char] = match delimiter {
        _ if is_null => &['\0'],
        Some("\\n" | "\n") => &['\n'],
        Some("\\0" | "\0") => &['\0'],
        Some(_) => &['\n', '\0', ' ', '\t', ',', ':', ';'],
        None if placeholder.is_some() => &['\n', '\0'],
        None => &[' ', '\t', '\n', '\0'],
    };
    let items: Vec<Word> = match input.filter(|word| word.literal) {
        Some(word) => {
            let fields = word.text.split(separators).map(str::trim).filter(|field| !field.is_empty());
            fields.map(|field| Word { glob: word.glob, ..Word::known(unquote(field)) }).collect()
        }
        None => vec![Word::unknown(SUBSTITUTION_PLACEHOLDER)],
    };
    let is_single = value(&["n", "max-args", "L", "max-lines", "l"]).is_some_and(|(_, count)| count.text == "1");
    let groups: Vec<Vec<Word>> = match placeholder.is_some() || is_single {
        true if items.len() > MAX_XARGS_COMMANDS => vec![vec![widen(&items)]],
        true => items.into_iter().map(|item| vec![item]).collect(),
        false if items.len() > super::alternatives::MAX_VALUES => vec![vec![widen(&items)]],
        false => vec![items],
    };
    let command = |items: Vec<Word>| {
        let mut words = reading.remaining.clone();
        let Some(placeholder) = &placeholder else {
            words.extend(items);
            return words;
        };
        let item = join_words(&items);
        for word in words.iter_mut().filter(|word| word.text.contains(placeholder)) {
            let before = word.text.split(placeholder.as_str()).next().unwrap_or_default();
            let name = listed_name(before, &item.text).to_owned();
            word.text = word.text.replace(placeholder, &name);
            word.literal &= item.literal;
            word.glob |= item.glob;
        }
        words
    };
    // Without input, a command runs once, unless an option says otherwise.
    let groups = if groups.is_empty() { vec![Vec::new()] } else { groups };
    groups.into_iter().map(command).collect()
}

/// Returns whether a path is that of the standard input.
fn is_stdin(path: &Word) -> bool {
    STDIN_NAMES.contains(&path.text.as_str())
}

/// Returns the name of a program of GNU where it is installed beside the system's own: `genv` is `env`.
fn posix_name(program: &str) -> &str {
    const NAMES: &[&str] = &["env", "nice", "nohup", "stdbuf", "xargs", "chroot"];
    program.strip_prefix('g').filter(|name| NAMES.contains(name)).unwrap_or(program)
}

/// Returns a line of `concurrently` in which the short form of a script is written out: `npm:dev`.
fn script_shorthand(line: &Word) -> Word {
    let parts = line.text.split_once(':').filter(|(manager, _)| matches!(*manager, "npm" | "pnpm" | "yarn" | "bun"));
    match parts {
        Some((manager, script)) => Word { text: format!("{manager} run {script}"), ..line.clone() },
        None => line.clone(),
    }
}

/// Returns an item of the input of `xargs` without the quotes around it.
fn unquote(item: &str) -> &str {
    ['"', '\''].into_iter().find_map(|quote| item.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(item)
}

/// Returns the row of a wrapper and the place of the word after its name and subcommands.
fn find_wrapper(program: &str, words: &[Word]) -> Option<(&'static Wrapper, usize)> {
    rows_of(program).filter_map(|row| subcommand_end(row, words).map(|at| (row, at))).max_by_key(|(_, at)| *at)
}

/// Finds the subcommands of a row among the words, over the options before them.
fn subcommand_end(row: &Wrapper, words: &[Word]) -> Option<usize> {
    let mut at = 1;
    for part in row.path.split(' ').skip(1) {
        loop {
            let word = words.get(at)?;
            at += 1;
            if word.text == part {
                break;
            }
            let name = word.text.strip_prefix('-')?.trim_start_matches('-');
            at += usize::from(row.leading_value_options.split(' ').any(|known| known == name));
        }
    }
    Some(at)
}

fn parse_arguments(row: &Wrapper, words: &[Word]) -> WrapperArguments {
    let mut reading = WrapperArguments::default();
    if let WrappedPayload::ArgvAfter(markers) = row.payload {
        let marker = words.iter().position(|word| markers.contains(&word.text.as_str()));
        reading.remaining = marker.and_then(|at| words.get(at + 1..)).unwrap_or_default().to_vec();
    }
    let mut ended = false;
    let mut at = 0;
    // The machine argument of `setarch` may be left out.
    let is_machine = |word: &Word| ARCHITECTURE_PREFIXES.iter().any(|machine| word.text.starts_with(machine));
    let skip = if row.path == "setarch" && !words.iter().any(is_machine) { 0 } else { row.operand_count };
    while let Some(word) = words.get(at) {
        at += 1;
        let text = word.text.as_str();
        let all_kept = match row.payload {
            WrappedPayload::Nothing | WrappedPayload::ArgvAfter(_) => true,
            WrappedPayload::ArgvIfOption(option) => !reading.has_option(option),
            _ => false,
        };
        ended |= skip > 0 && reading.operands.len() == skip && !row.permutes_options && text != "--";
        if !ended && text == "--" {
            ended = !all_kept;
        } else if !ended && text.len() > 1 && text.starts_with('-') {
            parse_option(row, word, words, &mut at, &mut reading);
            // What follows the line of `env -S` is added to it, options and all.
            if row.path == "env" && (reading.has_option("S") || reading.has_option("split-string")) {
                reading.remaining = words.get(at..).unwrap_or_default().to_vec();
                return reading;
            }
        } else if text == "-" && row.path == "env" {
            reading.flags.push("i".to_owned());
        } else if reading.operands.len() < skip || all_kept {
            reading.operands.push(word.clone());
        } else if let Some((name, value)) = parse_assignment(word).filter(|_| row.package != PackageKind::Python) {
            reading.assignments.push((name, value));
        } else {
            reading.remaining = words.get(at - 1..).unwrap_or_default().to_vec();
            break;
        }
    }
    // What follows an image are arguments of its own program, unless another is named.
    let entry_point = reading.values.iter().find(|(name, _)| name == "entrypoint").map(|(_, program)| program.clone());
    match entry_point {
        Some(program) if program.text.is_empty() => {}
        Some(program) => reading.remaining.insert(0, program),
        None => reading.remaining = row.package.resolve(&reading.operands, std::mem::take(&mut reading.remaining)),
    }
    if reading.remaining.first().is_some_and(|word| word.text.starts_with('-')) {
        reading.remaining.clear();
    }
    reading
}

/// Reads one word of options, and the next word where the last of them takes it as its value.
fn parse_option(row: &Wrapper, word: &Word, words: &[Word], at: &mut usize, reading: &mut WrapperArguments) {
    if row.path == "bwrap" && TWO_VALUE_OPTIONS.contains(&word.text.as_str()) {
        *at += 2;
        return;
    }
    let name = word.text.trim_start_matches('-');
    let (name, inline) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
    let part = |text: &str| Word { text: text.to_owned(), ..word.clone() };
    let name = if word.text.starts_with("--") && row.payload == WrappedPayload::Nothing {
        complete_option(row, name)
    } else {
        name
    };
    if row.long_with_value.split(' ').any(|long| long == name) {
        let value = inline.map(part).or_else(|| words.get(*at).cloned().inspect(|_| *at += 1));
        reading.values.extend(value.map(|value| (name.to_owned(), value)));
        return;
    }
    if word.text.starts_with("--") {
        match inline {
            Some(value) => reading.values.push((name.to_owned(), part(value))),
            None => reading.flags.push(name.to_owned()),
        }
        return;
    }
    let letters = word.text.get(1..).unwrap_or_default();
    for (position, letter) in letters.char_indices() {
        let behind = letters.get(position + letter.len_utf8()..).unwrap_or_default();
        if row.short_with_value.contains(letter) {
            let value =
                if behind.is_empty() { words.get(*at).cloned().inspect(|_| *at += 1) } else { Some(part(behind)) };
            reading.values.extend(value.map(|value| (letter.to_string(), value)));
            return;
        }
        reading.flags.push(letter.to_string());
    }
}

/// Returns the long option of a row that an abbreviation of at least three letters represents.
fn complete_option<'a>(row: &'a Wrapper, name: &'a str) -> &'a str {
    let mut fitting = row.long_with_value.split(' ').filter(|long| long.starts_with(name));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) if name.len() > 2 => only,
        _ => name,
    }
}

/// Returns the name and value of `NAME=value`.
fn parse_assignment(word: &Word) -> Option<(String, Word)> {
    let (name, value) = word.text.split_once('=')?;
    let plain_name = name.strip_prefix("BASH_FUNC_").and_then(|rest| rest.strip_suffix("%%")).unwrap_or(name);
    let plain = plain_name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    (plain && !name.is_empty()).then(|| (name.to_owned(), Word { text: value.to_owned(), ..word.clone() }))
}

/// Returns whether a wrapper was given no command and therefore runs a shell.
fn runs_default_shell(row: &Wrapper, reading: &WrapperArguments) -> bool {
    let given = |letters: &str| reading.flags.iter().any(|flag| letters.contains(flag.as_str()));
    match row.path {
        "ssh" => reading.remaining.is_empty() && !given("N"),
        "sudo" => reading.remaining.is_empty() && given("si"),
        "newgrp" => true,
        "su" => !reading.has_option("c") && !reading.has_option("command"),
        _ => false,
    }
}

/// Returns the line that `env -S` makes of its value and the words after it.
fn env_split_string(reading: &WrapperArguments) -> Word {
    let value = reading.values.iter().find(|(name, _)| matches!(name.as_str(), "S" | "split-string"));
    let mut line = value.map(|(_, value)| value.clone()).unwrap_or_default();
    for word in &reading.remaining {
        line.text.push(' ');
        line.text.push_str(&quote_if_literal(word));
        line.literal &= word.literal;
    }
    line
}

/// Returns the code in an option's value, if it begins as it must.
fn strip_code_prefix(value: &Word, prefix: &str) -> Option<Word> {
    let (start, code) = value.text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| Word { text: code.to_owned(), ..value.clone() })
}

fn quote_if_literal(word: &Word) -> String {
    if word.literal { single_quoted(&word.text) } else { word.text.clone() }
}
