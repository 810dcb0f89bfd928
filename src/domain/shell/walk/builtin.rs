//! Builtins that change the state of the shell.
//!
//! Only the effect on variables, parameters, aliases and the directory is followed.

use super::alternatives::{MAX_VALUES, widen};
use super::parameter::nameref_key;
use super::scope::{PossibleDirectories, Value};
use super::simple::DECLARATION_BUILTINS;
use super::{Invocation, Output, Walker};
use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

/// The builtins that evaluate names of variables, with the indices in them.
const NAME_EVALUATING_BUILTINS: &[&str] =
    &["printf", "read", "unset", "test", "[", "let", "mapfile", "readarray", "getopts", "wait"];

/// The most aliases and copies of programs that are remembered.
const MAX_ALIASES: usize = 256;

impl Walker {
    /// Applies a builtin to the scope; other programs leave it as it is.
    #[expect(clippy::too_many_lines, reason = "one arm for each builtin")]
    pub(super) fn apply_builtin(&mut self, name: &str, call: &Invocation) {
        let args = call.words.get(1..).unwrap_or_default();
        match name {
            "cd" | "chdir" | "pushd" => self.change_directory(name, args),
            "popd" => {
                self.scope.state.cwd = self.scope.state.directory_stack.pop().unwrap_or(PossibleDirectories::Unknown);
            }
            "read" => self.apply_read(args, call),
            "mapfile" | "readarray" => {
                let name = args.last().map_or("MAPFILE", |word| word.text.as_str());
                let input = self.stdin_text(call);
                self.scope.set(name, input_lines(input));
            }
            "getopts" => {
                let name = args.get(1).map(|word| word.text.clone()).unwrap_or_default();
                self.assign_variable(&name, Word::unknown(format!("${name}")));
            }
            "printf" => {
                if let [flag, name, rest @ ..] = args
                    && flag.text == "-v"
                {
                    let value =
                        super::output::printf_output(rest).unwrap_or_else(|| Word::unknown(SUBSTITUTION_PLACEHOLDER));
                    self.walk_variable_code(&name.text, &value, &call.span);
                    self.assign_variable(&name.text, value);
                }
            }
            "let" => {
                for (name, value) in args.iter().filter_map(|word| word.text.split_once('=')) {
                    let value = self.evaluate_arithmetic(value).map(|value| Word::known(value.to_string()));
                    self.assign_variable(name, value.unwrap_or_else(|| Word::unknown(SUBSTITUTION_PLACEHOLDER)));
                }
            }
            "set" => self.set_options(args),
            "shift" => self.shift_parameters(args),
            "unset" => {
                for word in args.iter().filter(|word| !word.text.starts_with('-')) {
                    self.assign_variable(&word.text, Word::known(""));
                }
            }
            "alias" => {
                for word in args {
                    if let Some((name, value)) = word.text.split_once('=') {
                        self.scope.aliases.insert(name.to_owned(), value.to_owned());
                    }
                }
            }
            "hash" => {
                if let [flag, path, name, ..] = args
                    && flag.text == "-p"
                {
                    self.scope.aliases.insert(name.text.clone(), path.text.clone());
                }
            }
            "cp" | "ln" | "mv" | "install" | "link" => self.record_program_copy(args),
            _ if DECLARATION_BUILTINS.contains(&name) => self.declare(args, call),
            _ => {}
        }
        // The index of an array is evaluated even where it is between single quotes.
        let evaluates = NAME_EVALUATING_BUILTINS.contains(&name) || DECLARATION_BUILTINS.contains(&name);
        if evaluates && args.iter().any(|word| word.text.contains("[$(") || word.text.contains("[`")) {
            self.report(OpaqueReason::DynamicCode, call.span.clone());
        }
    }

    /// Remembers a program that gets another name: `cp /bin/rm x; ./x -rf …`.
    fn record_program_copy(&mut self, args: &[Word]) {
        let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
        let [program, copy] = operands.as_slice() else { return };
        let is_program = program.text.contains("bin/") || !program.text.contains(['/', '.']);
        if !is_program || !program.literal || !copy.literal || self.scope.aliases.len() >= MAX_ALIASES {
            return;
        }
        let name = copy.text.strip_prefix("./").unwrap_or(&copy.text);
        let paths = if name.contains('/') { vec![name.to_owned()] } else { vec![name.to_owned(), format!("./{name}")] };
        for path in paths.into_iter().filter(|path| *path != program.text) {
            self.scope.aliases.insert(path, program.text.clone());
        }
    }

    fn change_directory(&mut self, name: &str, args: &[Word]) {
        let mut operands = args.iter().filter(|word| word.text == "-" || !word.text.starts_with('-'));
        let target = operands.next();
        let before = self.scope.state.cwd.clone();
        self.scope.state.cwd = match target {
            Some(word) if word.text == "-" || (name == "pushd" && word.text.starts_with('+')) => {
                PossibleDirectories::Unknown
            }
            Some(word) => {
                let mut found = before.change_to(word);
                for entry in self.search_directories(word) {
                    found.merge(before.change_to(&entry));
                }
                found
            }
            None if name == "pushd" => PossibleDirectories::Unknown,
            None => before.change_to(&Word::known("~")),
        };
        let previous = match &before {
            PossibleDirectories::OneOf(dirs) => match dirs.as_slice() {
                [dir] => Some(if dir.is_empty() { "$PWD".to_owned() } else { dir.clone() }),
                _ => None,
            },
            PossibleDirectories::Unknown => None,
        };
        if let Some(previous) = previous {
            self.scope.set("OLDPWD", Value::Scalar(Word::known(previous)));
        }
        if name == "pushd" {
            self.scope.state.directory_stack.push(before);
        }
    }

    /// Returns where else `cd` looks for a directory: below the entries of `CDPATH`.
    fn search_directories(&self, target: &Word) -> Vec<Word> {
        let Some(Value::Scalar(path)) = self.scope.get("CDPATH") else { return Vec::new() };
        if target.text.starts_with(['/', '.', '~', '$']) {
            return Vec::new();
        }
        let entries = path.text.split(':').filter(|entry| !matches!(*entry, "" | "."));
        entries.map(|entry| Word { text: format!("{entry}/{}", target.text), ..path.clone() }).collect()
    }

    fn declare(&mut self, args: &[Word], call: &Invocation) {
        let has = |letter| args.iter().any(|word| word.text.starts_with('-') && word.text.contains(letter));
        let program = call.words.first().map_or("", |word| word.text.as_str());
        let is_readonly = program == "readonly" || has('r');
        let is_local = matches!(program, "local" | "declare" | "typeset") && !has('g');
        for word in args.iter().filter(|word| is_local && !word.text.starts_with(['-', '+'])) {
            self.scope.make_local(word.text.split('=').next().unwrap_or_default());
        }
        for word in args.iter().filter(|word| !word.text.starts_with(['-', '+'])) {
            if let Some((name, value)) = word.text.split_once('=') {
                let mut value = Word { text: value.to_owned(), ..word.clone() };
                if has('n') {
                    self.scope.set(&nameref_key(name), Value::Scalar(value));
                    continue;
                }
                if has('l') {
                    value.text = value.text.to_lowercase();
                } else if has('u') {
                    value.text = value.text.to_uppercase();
                }
                self.walk_variable_code(name, &value, &call.span);
                self.assign_variable(name, value);
            }
        }
        for word in args.iter().filter(|word| is_readonly && !word.text.starts_with(['-', '+'])) {
            let name = word.text.split('=').next().unwrap_or_default();
            self.scope.make_readonly(name);
        }
    }

    /// Reads variables, and walks the code in those that some program runs.
    fn apply_read(&mut self, args: &[Word], call: &Invocation) {
        let input = self.stdin_text(call);
        let is_own = !call.redirects.is_empty();
        self.assign_read_fields(args, input, self.streams.is_loop_input && !is_own);
        if self.is_input_missing(None, call) {
            // Nothing is read from a file that is not there.
            for word in args.iter().filter(|word| !word.text.starts_with('-')) {
                self.assign_variable(&word.text, Word::unknown(format!("${}", word.text)));
            }
        }
        for word in args {
            if let Some(Value::Scalar(value)) = self.scope.get(&word.text).cloned() {
                self.walk_variable_code(&word.text, &value, &call.span);
            }
        }
    }

    /// Puts the words of a known input into the named variables.
    ///
    /// In a loop, each variable has one value for each line.
    fn assign_read_fields(&mut self, args: &[Word], input: Output, is_loop: bool) {
        let mut names = Vec::new();
        let mut rest = args.iter();
        // The delimiter of the input: the end of the line, or of the whole text for `-d ''`.
        let mut delimiter = Some("\n");
        let mut list = None;
        while let Some(word) = rest.next() {
            let letter = word.text.strip_prefix('-').and_then(|letters| letters.chars().last());
            match letter {
                Some('d') => delimiter = rest.next().filter(|word| word.text.is_empty()).map(|_| "\0"),
                Some('n' | 'N') => {
                    delimiter = None;
                    rest.next();
                }
                Some('a') => list = rest.next(),
                Some('p' | 't' | 'u' | 'i') => {
                    rest.next();
                }
                Some(_) => {}
                None => names.push(word),
            }
        }
        let reply = Word::known("REPLY");
        if names.is_empty() {
            names.push(list.unwrap_or(&reply));
        }
        // Of several patterns of names, the first is not all that is read.
        let text = input.filter(|word| word.literal && (is_loop || !(word.glob && word.text.contains('\n'))));
        let separators = self.field_separators();
        let is_separator = |character: char| separators.contains(character);
        if let (true, Some(word), None) = (is_loop, &text, list) {
            return self.assign_columns(&names, word, delimiter.unwrap_or("\n"));
        }
        let text = text.as_ref();
        let line = text.zip(delimiter).and_then(|(word, delimiter)| word.text.split(delimiter).next());
        let mut line = line.map(|line| line.trim_matches(is_separator));
        if let (Some(list), Some(line)) = (list, line) {
            let fields = line.split(is_separator).filter(|field| !field.is_empty()).map(Word::known).collect();
            self.scope.set(&list.text, Value::List(fields));
            return;
        }
        for (at, name) in names.iter().enumerate() {
            let field = line.map(|whole| match whole.split_once(is_separator) {
                Some((field, more)) if at + 1 < names.len() => (field, more.trim_start_matches(is_separator)),
                _ => (whole, ""),
            });
            line = field.map(|(_, more)| more);
            let glob = text.is_some_and(|word| word.glob);
            let value = field.map_or_else(|| Word::unknown(SUBSTITUTION_PLACEHOLDER), |(field, _)| Word::known(field));
            self.scope.set(&name.text, Value::Scalar(Word { glob, ..value }));
        }
    }

    /// Puts the columns of all lines of a text into the named variables.
    fn assign_columns(&mut self, names: &[&Word], text: &Word, delimiter: &str) {
        let separators = self.field_separators();
        let is_separator = |character: char| separators.contains(character);
        let lines = text.text.split(delimiter).filter(|line| !line.is_empty());
        let lines: Vec<Vec<Word>> = lines
            .map(|line| read_fields(line, names.len(), is_separator))
            .map(|fields| fields.into_iter().map(|field| Word { glob: text.glob, ..Word::known(field) }).collect())
            .collect();
        for (at, name) in names.iter().enumerate() {
            let mut values: Vec<Word> = Vec::new();
            for value in lines.iter().filter_map(|fields| fields.get(at)) {
                if names.len() > 1 || !values.contains(value) {
                    values.push(value.clone());
                }
            }
            let value = match values.as_slice() {
                [only] => Value::Scalar(only.clone()),
                [] => Value::Scalar(Word::known("")),
                all if all.len() > MAX_VALUES => Value::Scalar(widen(all)),
                _ => Value::OneOf(values),
            };
            self.scope.set(&name.text, value);
        }
    }

    fn set_options(&mut self, args: &[Word]) {
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            match word.text.as_str() {
                "--" | "-" => {
                    self.scope.state.positional = Some(rest.cloned().collect::<Vec<Word>>().into());
                    return;
                }
                "-o" | "+o" => {
                    if rest.next().is_some_and(|option| option.text == "errexit") {
                        self.scope.state.exit_on_error = word.text == "-o";
                    }
                }
                option if option.starts_with('-') => {
                    self.scope.state.exit_on_error |= option.contains('e');
                    if option.ends_with('o') && rest.next().is_some_and(|option| option.text == "errexit") {
                        self.scope.state.exit_on_error = true;
                    }
                }
                option if option.starts_with('+') => self.scope.state.exit_on_error &= !option.contains('e'),
                _ => {
                    self.scope.state.positional =
                        Some(std::iter::once(word).chain(rest).cloned().collect::<Vec<Word>>().into());
                    return;
                }
            }
        }
    }

    fn shift_parameters(&mut self, args: &[Word]) {
        let count = args.first().map_or(Some(1), |word| word.text.parse::<usize>().ok().filter(|_| word.literal));
        let shifted = count.and_then(|count| {
            let positional = self.scope.state.positional.as_ref()?;
            Some(positional.iter().skip(count).cloned().collect::<Vec<Word>>().into())
        });
        self.scope.state.positional = shifted;
    }
}

/// Returns the fields of a line; the last one takes the rest.
fn read_fields(line: &str, count: usize, is_separator: impl Fn(char) -> bool) -> Vec<String> {
    let mut rest = line.trim_matches(&is_separator);
    let mut fields = Vec::new();
    while fields.len() + 1 < count {
        let (field, more) = rest.split_once(&is_separator).unwrap_or((rest, ""));
        fields.push(field.to_owned());
        rest = more.trim_start_matches(&is_separator);
    }
    fields.push(rest.to_owned());
    fields
}

/// Returns the lines of a known input.
fn input_lines(input: Output) -> Value {
    match input {
        Some(text) if text.literal && !text.glob => {
            Value::List(text.text.lines().map(|line| Word { quoted: true, ..Word::known(line) }).collect())
        }
        _ => Value::Scalar(Word::unknown(SUBSTITUTION_PLACEHOLDER)),
    }
}
