//! From a wrapper to what it runs, by the wrapper's row in the table.
//!
//! The wrapper is listed as a command of its own before what it runs.

use super::expand::joined;
use super::wrappers::{Rest, Wrapper, rows_of};
use super::{Feed, Invocation, Output, Walker};
use crate::domain::shell::script::Word;

/// The options of `bwrap` that take two values.
const PAIRS: &[&str] = &[
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
const MACHINES: &[&str] = &[
    "x86", "i386", "i486", "i586", "i686", "linux", "uname26", "arm", "aarch", "ppc", "s390", "riscv", "mips", "sparc",
    "alpha",
];

/// The arguments of a wrapper, taken apart.
#[derive(Default)]
struct Reading {
    /// The options that were given with a value, without dashes.
    values: Vec<(String, Word)>,
    /// The options that were given without one.
    flags: Vec<String>,
    /// The operands that the wrapper keeps for itself.
    kept: Vec<Word>,
    assignments: Vec<(String, Word)>,
    rest: Vec<Word>,
}

impl Reading {
    fn has(&self, option: &str) -> bool {
        self.values.iter().any(|(name, _)| name == option)
    }
}

impl Walker {
    /// Walks what a command runs; nothing when it is not known to run anything.
    pub(super) fn unwrap(&mut self, program: &str, call: &Invocation) -> Option<Output> {
        if let Some(output) = self.special(program, call) {
            return Some(output);
        }
        let (row, behind) = find(program, &call.words)?;
        if row.path == "command" && call.words.get(1).is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V")) {
            return Some(call.words.get(2).cloned());
        }
        let reading = read(row, call.words.get(behind..).unwrap_or_default());
        for (option, prefix) in row.code {
            for (_, value) in reading.values.iter().filter(|(name, _)| name == option) {
                if let Some(code) = without_prefix(value, prefix) {
                    let label = format!("{} {}{option}", row.path, if option.len() == 1 { "-" } else { "--" });
                    self.scoped(row, &reading, |walker| walker.text(&code, &label, &call.span));
                }
            }
        }
        if is_shell(row, &reading) {
            return Some(self.standard_input(row.path, call));
        }
        self.rest(row, &reading, row.path, call)
    }

    fn rest(&mut self, row: &Wrapper, reading: &Reading, label: &str, call: &Invocation) -> Option<Output> {
        let inner = |words: Vec<Word>| Invocation {
            words,
            assignments: reading.assignments.clone(),
            span: call.span.clone(),
            processes: call.processes.clone(),
            feed: call.feed.clone(),
            direct: call.direct && row.direct,
            ..Invocation::default()
        };
        match row.rest {
            Rest::Nothing => None,
            Rest::Argv if row.path == "env" && (reading.has("S") || reading.has("split-string")) => {
                let line = split_string(reading);
                Some(self.scoped(row, reading, |walker| walker.text(&line, "env -S", &call.span)))
            }
            _ if reading.rest.is_empty() && reading.assignments.is_empty() => None,
            Rest::ArgvWith(option) if !reading.has(option) => None,
            // A terminal that is given one word hands it to a shell.
            Rest::ArgvBehind(_) if reading.rest.len() == 1 => {
                let line = reading.rest.first().cloned().unwrap_or_default();
                Some(self.scoped(row, reading, |walker| walker.text(&line, label, &call.span)))
            }
            Rest::Argv | Rest::ArgvWith(_) | Rest::ArgvBehind(_) => {
                let call = inner(reading.rest.clone());
                Some(self.scoped(row, reading, |walker| walker.labeled(label, |walker| walker.run(&call))))
            }
            Rest::Appended => {
                let call = inner(appended(reading, &call.feed));
                Some(self.scoped(row, reading, |walker| walker.labeled(label, |walker| walker.run(&call))))
            }
            Rest::ShellEach => {
                for word in &reading.rest {
                    self.scoped(row, reading, |walker| walker.text(word, label, &call.span));
                }
                Some(None)
            }
            Rest::Shell | Rest::ShellWords => {
                // In a terminal's own line, a semicolon begins its next command.
                let own = |word: &Word| row.path.starts_with("tmux") && word.text == ";";
                let reading = &Reading {
                    rest: reading.rest.iter().take_while(|word| !own(word)).cloned().collect(),
                    values: reading.values.clone(),
                    ..Reading::default()
                };
                let mut line = joined(&reading.rest);
                if row.rest == Rest::ShellWords && reading.rest.len() > 1 {
                    line.text = reading.rest.iter().map(as_word).collect::<Vec<String>>().join(" ");
                }
                let feed = std::mem::replace(&mut self.feed, call.feed.clone());
                let output = self.scoped(row, reading, |walker| walker.text(&line, label, &call.span));
                self.feed = feed;
                Some(output)
            }
        }
    }

    /// Walks with the directory the wrapper sets, in the scope the wrapper leaves to it.
    fn scoped<T>(&mut self, row: &Wrapper, reading: &Reading, walk: impl FnOnce(&mut Self) -> T) -> T {
        if row.direct {
            return walk(self);
        }
        self.subshell(|walker| walker.in_place_of(row, reading, walk))
    }

    fn in_place_of<T>(&mut self, row: &Wrapper, reading: &Reading, walk: impl FnOnce(&mut Self) -> T) -> T {
        let elsewhere = self.elsewhere;
        self.elsewhere |= row.elsewhere;
        if row.elsewhere {
            self.scope.state.cwd = super::scope::Dirs::Unknown;
        }
        for (_, dir) in reading.values.iter().filter(|(name, _)| row.chdir.contains(&name.as_str())) {
            self.scope.state.cwd = self.scope.state.cwd.enter(dir);
        }
        for (name, value) in &reading.assignments {
            self.scope.set(name, super::scope::Value::Scalar(value.clone()));
        }
        let value = walk(self);
        self.elsewhere = elsewhere;
        value
    }

    fn labeled<T>(&mut self, label: &str, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.via.push(label.to_owned());
        let value = walk(self);
        self.via.pop();
        value
    }
}

/// Returns the words behind `xargs` with those it adds from its input.
fn appended(reading: &Reading, feed: &Feed) -> Vec<Word> {
    let mut words = reading.rest.clone();
    let placeholder = reading.values.iter().find(|(name, _)| matches!(name.as_str(), "I" | "replace"));
    let placeholder = placeholder.map(|(_, word)| word.text.clone());
    let short = reading.flags.iter().any(|flag| matches!(flag.as_str(), "i" | "replace"));
    let placeholder = placeholder.or_else(|| short.then(|| "{}".to_owned()));
    let input: Vec<Word> = match feed {
        Feed::Text(word) if word.literal => {
            let fields = word.text.split(|character: char| character.is_whitespace() || character == '\0');
            let fields = fields.filter(|field| !field.is_empty());
            fields.map(|field| Word { glob: word.glob, ..Word::known(field) }).collect()
        }
        _ => vec![Word::unknown(crate::domain::shell::syntax::SPLICE)],
    };
    match placeholder.filter(|placeholder| !placeholder.is_empty()) {
        Some(placeholder) => {
            let input = joined(&input);
            for word in &mut words {
                if word.text.contains(&placeholder) {
                    word.text = word.text.replace(&placeholder, &input.text);
                    word.literal &= input.literal;
                    word.glob |= input.glob;
                }
            }
        }
        None => words.extend(input),
    }
    words
}

/// Returns the row of a wrapper and the place of the word behind its name and subcommands.
fn find(program: &str, words: &[Word]) -> Option<(&'static Wrapper, usize)> {
    rows_of(program).filter_map(|row| behind(row, words).map(|at| (row, at))).max_by_key(|(_, at)| *at)
}

/// Finds the subcommands of a row among the words, over the options before them.
fn behind(row: &Wrapper, words: &[Word]) -> Option<usize> {
    let mut at = 1;
    for part in row.path.split(' ').skip(1) {
        loop {
            let word = words.get(at)?;
            at += 1;
            if word.text == part {
                break;
            }
            let name = word.text.strip_prefix('-')?.trim_start_matches('-');
            at += usize::from(row.before.split(' ').any(|known| known == name));
        }
    }
    Some(at)
}

fn read(row: &Wrapper, words: &[Word]) -> Reading {
    let mut reading = Reading::default();
    if let Rest::ArgvBehind(markers) = row.rest {
        let marker = words.iter().position(|word| markers.contains(&word.text.as_str()));
        reading.rest = marker.and_then(|at| words.get(at + 1..)).unwrap_or_default().to_vec();
    }
    let mut ended = false;
    let mut at = 0;
    // The machine that `setarch` is told may be left out.
    let is_machine = |word: &Word| MACHINES.iter().any(|machine| word.text.starts_with(machine));
    let skip = if row.path == "setarch" && !words.iter().any(is_machine) { 0 } else { row.skip };
    while let Some(word) = words.get(at) {
        at += 1;
        let text = word.text.as_str();
        let all_kept = match row.rest {
            Rest::Nothing | Rest::ArgvBehind(_) => true,
            Rest::ArgvWith(option) => !reading.has(option),
            _ => false,
        };
        ended |= skip > 0 && reading.kept.len() == skip && !row.mixed && text != "--";
        if !ended && text == "--" {
            ended = !all_kept;
        } else if !ended && text.len() > 1 && text.starts_with('-') {
            option(row, word, words, &mut at, &mut reading);
            // What follows the line of `env -S` is added to it, options and all.
            if row.path == "env" && (reading.has("S") || reading.has("split-string")) {
                reading.rest = words.get(at..).unwrap_or_default().to_vec();
                return reading;
            }
        } else if text == "-" && row.path == "env" {
            reading.flags.push("i".to_owned());
        } else if reading.kept.len() < skip || all_kept {
            reading.kept.push(word.clone());
        } else if let Some((name, value)) = assignment(word) {
            reading.assignments.push((name, value));
        } else {
            reading.rest = words.get(at - 1..).unwrap_or_default().to_vec();
            break;
        }
    }
    // What follows an image are arguments of its own program, unless another is named.
    if let Some((_, program)) = reading.values.iter().find(|(name, _)| name == "entrypoint") {
        reading.rest.insert(0, program.clone());
    } else if reading.rest.first().is_some_and(|word| word.text.starts_with('-')) {
        reading.rest.clear();
    }
    reading
}

/// Reads one word of options, and the next word where the last of them takes it as its value.
fn option(row: &Wrapper, word: &Word, words: &[Word], at: &mut usize, reading: &mut Reading) {
    if row.path == "bwrap" && PAIRS.contains(&word.text.as_str()) {
        *at += 2;
        return;
    }
    let name = word.text.trim_start_matches('-');
    let (name, inline) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
    let part = |text: &str| Word { text: text.to_owned(), ..word.clone() };
    let name = if word.text.starts_with("--") && row.rest == Rest::Nothing { whole(row, name) } else { name };
    if row.long.split(' ').any(|long| long == name) {
        let value = inline.map(part).or_else(|| words.get(*at).cloned().inspect(|_| *at += 1));
        reading.values.extend(value.map(|value| (name.to_owned(), value)));
        return;
    }
    if word.text.starts_with("--") {
        reading.flags.push(name.to_owned());
        return;
    }
    let letters = word.text.get(1..).unwrap_or_default();
    for (position, letter) in letters.char_indices() {
        let behind = letters.get(position + letter.len_utf8()..).unwrap_or_default();
        if row.short.contains(letter) {
            let value =
                if behind.is_empty() { words.get(*at).cloned().inspect(|_| *at += 1) } else { Some(part(behind)) };
            reading.values.extend(value.map(|value| (letter.to_string(), value)));
            return;
        }
        reading.flags.push(letter.to_string());
    }
}

/// Returns the long option of a row that an abbreviation of at least three letters stands for.
fn whole<'a>(row: &'a Wrapper, name: &'a str) -> &'a str {
    let mut fitting = row.long.split(' ').filter(|long| long.starts_with(name));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) if name.len() > 2 => only,
        _ => name,
    }
}

/// Returns the name and value of `NAME=value`.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let (name, value) = word.text.split_once('=')?;
    let plain = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    (plain && !name.is_empty()).then(|| (name.to_owned(), Word { text: value.to_owned(), ..word.clone() }))
}

/// Tells whether a wrapper was given no command and therefore runs a shell.
fn is_shell(row: &Wrapper, reading: &Reading) -> bool {
    let given = |letters: &str| reading.flags.iter().any(|flag| letters.contains(flag.as_str()));
    match row.path {
        "ssh" => reading.rest.is_empty() && !given("N"),
        "sudo" => reading.rest.is_empty() && given("si"),
        "newgrp" => true,
        "su" => !reading.has("c") && !reading.has("command"),
        _ => false,
    }
}

/// Returns the line that `env -S` makes of its value and the words behind it.
fn split_string(reading: &Reading) -> Word {
    let value = reading.values.iter().find(|(name, _)| matches!(name.as_str(), "S" | "split-string"));
    let mut line = value.map(|(_, value)| value.clone()).unwrap_or_default();
    for word in &reading.rest {
        line.text.push(' ');
        line.text.push_str(&as_word(word));
        line.literal &= word.literal;
    }
    line
}

/// Returns the code in an option's value, if it begins as it must.
fn without_prefix(value: &Word, prefix: &str) -> Option<Word> {
    let (start, code) = value.text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| Word { text: code.to_owned(), ..value.clone() })
}

fn as_word(word: &Word) -> String {
    if word.literal { super::simple::quoted(&word.text) } else { word.text.clone() }
}
