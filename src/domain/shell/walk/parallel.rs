//! Commands of `parallel` and its like, once for each argument that is written out.

use super::expand::{join_words, listed_name};
use super::shells::{STDIN_NAMES, piped_code_reason};
use super::{Invocation, Output, Stdin, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::script::{Dialect, Word};

/// The most combinations of arguments that are walked one by one.
const MAX_COMBINATIONS: usize = 32;

/// The parts of an argument that a placeholder represents, by what follows its number.
const PLACEHOLDER_PARTS: &[&str] = &["", ".", "/", "//", "/."];

impl Walker {
    /// Walks a line or words, once for each argument.
    pub(super) fn walk_parallel(&mut self, program: &str, call: &Invocation) -> Output {
        let arguments = arguments::parse(&call.words, Dialect::Posix, &[]);
        let is_list = |word: &Word| is_separator(&word.text);
        let command: Vec<&Word> = arguments.operands.iter().copied().take_while(|word| !is_list(word)).collect();
        let (command, listed) = split_at_dashes(&command, &arguments.operands);
        let mut sources = listed.map(|words| vec![words]).unwrap_or_default();
        let mut is_linked = arguments.has(&["--link", "--xapply"]);
        let lists: Vec<&Word> = arguments.operands.iter().copied().skip_while(|word| !is_list(word)).collect();
        for list in lists.chunk_by(|_, next| !is_list(next)) {
            let Some((separator, words)) = list.split_first() else { continue };
            is_linked |= separator.text.ends_with('+');
            if separator.text.starts_with("::::") {
                for file in words {
                    sources.push(self.parallel_input(Some(file), call));
                }
            } else {
                sources.push(words.iter().map(|word| (*word).clone()).collect());
            }
        }
        for file in arguments.values(&["-a", "--arg-file"]) {
            sources.push(self.parallel_input(Some(file), call));
        }
        let is_pipe = arguments.has(&["--pipe", "--pipepart", "--spreadstdin"]);
        if sources.is_empty() && !is_pipe {
            // Without a command, the lines that it reads are its commands.
            if let (true, Stdin::Pipe { decoded }) = (command.is_empty(), &call.stdin) {
                self.report(piped_code_reason(*decoded), call.span.clone());
                return None;
            }
            sources.push(self.parallel_input(None, call));
        }
        for source in sources.iter_mut().filter(|source| source.is_empty()) {
            // The values are quoted on their way to the shell, so they cannot be code.
            source.push(Word::unknown("$_"));
        }
        let placeholder = arguments.values(&["-I", "--replace"]).first().map(|word| word.text.clone());
        for values in combinations(&sources, is_linked) {
            let line = if command.is_empty() {
                join_words(&values)
            } else {
                let placeholder = placeholder.as_deref().unwrap_or("{}");
                // `sem` runs one command as it is.
                command_line(&command, &values, placeholder, program != "sem" && !is_pipe)
            };
            let feed = if is_pipe { call.stdin.clone() } else { Stdin::Inherited };
            self.with_stdin(&feed, |walker| walker.subshell(|walker| walker.walk_text(&line, "parallel", &call.span)));
        }
        None
    }

    /// Returns the lines of a file or of the standard input.
    fn parallel_input(&mut self, file: Option<&Word>, call: &Invocation) -> Vec<Word> {
        let text = match file.filter(|file| !STDIN_NAMES.contains(&file.text.as_str())) {
            Some(file) => self.read_text(file, call),
            None => self.stdin_text(call),
        };
        let Some(text) = text.filter(|text| text.literal) else { return Vec::new() };
        let lines = text.text.split(['\n', '\0']).filter(|line| !line.is_empty());
        lines.take(MAX_COMBINATIONS).map(|line| Word { text: line.to_owned(), ..text.clone() }).collect()
    }
}

fn is_separator(text: &str) -> bool {
    matches!(text, ":::" | "::::" | ":::+" | "::::+")
}

/// Returns the words of a command and the arguments after `--`, which the program of moreutils takes there.
fn split_at_dashes(command: &[&Word], operands: &[&Word]) -> (Vec<Word>, Option<Vec<Word>>) {
    let owned = |words: &[&Word]| words.iter().map(|word| (*word).clone()).collect::<Vec<Word>>();
    let has_list = command.len() < operands.len();
    match command.iter().position(|word| word.text == "--").filter(|at| *at > 0 && !has_list) {
        Some(at) => {
            let (before, behind) = command.split_at(at);
            (owned(before), Some(owned(behind.get(1..).unwrap_or_default())))
        }
        None => (owned(command), None),
    }
}

/// Returns the values of each command: one of each source, in all combinations or in step.
fn combinations(sources: &[Vec<Word>], is_linked: bool) -> Vec<Vec<Word>> {
    if is_linked {
        let longest = sources.iter().map(Vec::len).max().unwrap_or_default().min(MAX_COMBINATIONS);
        let row =
            |at: usize| sources.iter().filter_map(|source| source.get(at % source.len().max(1)).cloned()).collect();
        return (0..longest).map(row).collect();
    }
    let mut rows = vec![Vec::new()];
    for source in sources {
        rows = rows
            .iter()
            .flat_map(|row| source.iter().map(|value| [row.as_slice(), std::slice::from_ref(value)].concat()))
            .take(MAX_COMBINATIONS)
            .collect();
    }
    rows
}

/// Returns a command with its values put in.
fn command_line(command: &[Word], values: &[Word], placeholder: &str, appends: bool) -> Word {
    let all = join_words(values);
    let mut replacements: Vec<(String, &Word, &str)> = Vec::new();
    let inside = placeholder.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or("");
    for part in PLACEHOLDER_PARTS {
        for (at, value) in values.iter().enumerate() {
            replacements.push((format!("{{{}{part}}}", at + 1), value, part));
        }
        let own = if part.is_empty() { placeholder.to_owned() } else { format!("{{{inside}{part}}}") };
        replacements.push((own, &all, part));
    }
    let mut is_placed = false;
    let mut words = command.to_vec();
    for word in &mut words {
        for (name, value, part) in &replacements {
            if word.text.contains(name.as_str()) {
                is_placed = true;
                let before = word.text.split(name.as_str()).next().unwrap_or_default();
                let item = listed_name(before, part_of(&value.text, part)).to_owned();
                word.text = word.text.replace(name.as_str(), &item);
                word.literal &= value.literal;
                word.glob |= value.glob;
            }
        }
    }
    if !is_placed && appends {
        words.extend_from_slice(values);
    }
    join_words(&words)
}

/// Returns the part of a value that a placeholder represents.
fn part_of<'v>(value: &'v str, part: &str) -> &'v str {
    let (dir, name) = value.rsplit_once('/').unwrap_or((".", value));
    let stem = |text: &'v str| match text.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() && !stem.ends_with('/') => stem,
        _ => text,
    };
    match part {
        "." => stem(value),
        "/" => name,
        "//" => dir,
        "/." => stem(name),
        _ => value,
    }
}
