//! The output of commands, where their arguments determine it: the text that ends up in `$(…)` or in a shell.
//!
//! Of the programs that transform their input, those that can hide commands from a reader are emulated.

use super::{Invocation, Output, Stdin, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::decode;
use crate::domain::shell::script::{Dialect, Word};
use crate::domain::shell::syntax::escape::decode_escapes as unescaped;

/// The most files of one command that are followed to where they are copied.
const MAX_COPIES: usize = 8;

impl Walker {
    /// Returns what a command prints, or nothing when it is unknown.
    pub(super) fn command_output(&mut self, program: &str, call: &Invocation) -> Output {
        let args = call.words.get(1..).unwrap_or_default();
        match program {
            "echo" => Some(echo_output(args)),
            "printf" if args.first().is_some_and(|word| word.text == "-v") => Some(Word::known("")),
            "printf" => printf_output(args),
            "cat" => match (&call.stdin, args) {
                (Stdin::Text(text), []) => Some(text.clone()),
                (Stdin::Text(text), [only]) if only.text == "-" => Some(text.clone()),
                (_, [only]) => self.scope.written_text(&only.text).cloned().flatten(),
                _ => None,
            },
            "tee" => {
                let text = match &call.stdin {
                    Stdin::Text(text) => Some(text.clone()),
                    Stdin::Inherited | Stdin::File(_) | Stdin::PipedFile(_) | Stdin::Pipe { .. } => None,
                };
                for word in args.iter().filter(|word| !word.text.starts_with('-')) {
                    self.scope.record_write(&word.text, text.clone(), false);
                }
                text
            }
            "true" | ":" | "false" | "test" | "[" | "cd" | "export" | "set" | "unset" | "local" | "declare"
            | "readonly" | "shift" | "alias" | "exit" | "return" | "mkdir" | "touch" | "sleep" | "wait" | "read"
            | "shopt" => Some(Word::known("")),
            "curl" | "wget" => {
                self.record_downloads(program, call);
                None
            }
            "cp" | "gcp" | "mv" | "gmv" | "ln" | "install" => {
                self.record_copies(call);
                self.record_program_alias(args);
                Some(Word::known(""))
            }
            "pwd" => Some(self.working_directory("$PWD")),
            "which" => single_operand(args).cloned(),
            "type" => match args {
                [flag, name] if matches!(flag.text.as_str(), "-P" | "-p") && name.literal => Some(name.clone()),
                _ => None,
            },
            "yes" if !args.is_empty() => {
                Some(Word { text: super::expand::join_words(args).text + "\n", ..super::expand::join_words(args) })
            }
            "ls" | "gls" => ls_output(args),
            "rev" | "tr" | "base64" | "gbase64" | "openssl" | "xxd" | "cut" | "head" | "sed" => {
                filter_output(program, args, &call.stdin)
            }
            "basename" => {
                let path = single_operand(args)?;
                let name = path.text.trim_end_matches('/').rsplit('/').next()?;
                Some(Word { text: name.to_owned(), ..path.clone() })
            }
            "dirname" => {
                let path = single_operand(args)?;
                let (dir, _) = path.text.trim_end_matches('/').rsplit_once('/').unwrap_or((".", ""));
                Some(Word { text: if dir.is_empty() { "/" } else { dir }.to_owned(), ..path.clone() })
            }
            _ => None,
        }
    }

    /// Remembers the files that a command puts downloads into.
    fn record_downloads(&mut self, program: &str, call: &Invocation) {
        let arguments = arguments::parse(&call.words, Dialect::Posix, &[]);
        for word in arguments.values(&["-o", "-O", "--output", "--output-document"]) {
            self.scope.record_download(&word.text);
        }
        // Without a name, the last part of the address is the name.
        let named = arguments.has(&["-o", "--output", "--output-document"]) || !arguments.values(&["-O"]).is_empty();
        if !named && (program == "wget" || arguments.has(&["-O", "--remote-name", "--remote-name-all"])) {
            for word in &arguments.operands {
                let path = word.text.split(['?', '#']).next().unwrap_or_default();
                self.scope.record_download(path.rsplit('/').next().unwrap_or_default());
            }
        }
    }

    /// Remembers which files are copies of others, so that one that is run is known under its new name.
    fn record_copies(&mut self, call: &Invocation) {
        let arguments = arguments::parse(&call.words, Dialect::Posix, &[]);
        let named = arguments.values(&["-t", "--target-directory"]);
        let mut sources = arguments.operands.clone();
        let Some(target) = named.first().copied().or_else(|| sources.pop()) else { return };
        for source in sources.iter().take(MAX_COPIES) {
            self.scope.record_copy(&source.text, &target.text);
        }
    }
}

impl Walker {
    /// Remembers that a program of the system has another name from now on.
    fn record_program_alias(&mut self, args: &[Word]) {
        let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
        let [program, name] = operands.as_slice() else { return };
        let known = program.text.contains("/bin/") || !program.text.contains(['/', '.']) && program.glob;
        if known && program.literal && name.literal {
            let path = name.text.trim_start_matches("./");
            self.scope.aliases.insert(format!("./{path}"), program.text.clone());
            self.scope.aliases.insert(name.text.clone(), program.text.clone());
        }
    }
}

/// Returns what `ls` lists, as patterns.
fn ls_output(args: &[Word]) -> Output {
    let itself = args.iter().any(|word| word.text.starts_with('-') && word.text.contains('d'));
    let operands: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
    let lines: Vec<String> = operands
        .iter()
        .map(|word| {
            let path = word.text.trim_end_matches('/');
            let is_file = itself || word.glob || path.contains("/bin/");
            if is_file { path.to_owned() } else { format!("{path}/*") }
        })
        .collect();
    let literal = operands.iter().all(|word| word.literal);
    let glob = operands.iter().any(|word| !word.text.contains("/bin/") || word.glob);
    (!lines.is_empty()).then(|| Word { text: lines.join("\n"), literal, glob, quoted: false })
}

/// Returns what a program makes of a known input.
fn filter_output(program: &str, args: &[Word], feed: &Stdin) -> Output {
    let Stdin::Text(input) = feed else { return None };
    if !input.literal || input.glob || !args.iter().all(|word| word.literal) {
        return None;
    }
    let text = input.text.as_str();
    let has = |names: &[&str]| args.iter().any(|word| names.contains(&word.text.as_str()));
    let operands: Vec<&str> =
        args.iter().map(|word| word.text.as_str()).filter(|text| !text.starts_with('-')).collect();
    let out = match (program, operands.as_slice()) {
        ("rev", []) => decode::reverse_lines(text),
        ("tr", [from, to]) if !has(&["-c", "-C", "-s"]) => decode::translate_characters(text, from, to)?,
        ("tr", [set]) if has(&["-d"]) => {
            let set = decode::parse_character_set(set)?;
            text.chars().filter(|character| !set.contains(character)).collect()
        }
        ("base64" | "gbase64", []) if has(&["-d", "-D", "-di", "--decode"]) => decode::decode_base64_text(text)?,
        ("openssl", ["base64" | "enc"]) if has(&["-d"]) && (has(&["-base64", "-a"]) || operands == ["base64"]) => {
            decode::decode_base64_text(text)?
        }
        ("xxd", [])
            if args.iter().any(|word| word.text.contains('r')) && args.iter().any(|word| word.text.contains('p')) =>
        {
            decode::decode_hex(text)?
        }
        ("cut", []) => {
            let range = args.iter().find_map(|word| word.text.strip_prefix("-c"))?;
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            let from: usize = if from.is_empty() { 1 } else { from.parse().ok()? };
            let to: usize = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
            let cut = |line: &str| line.chars().take(to).skip(from.saturating_sub(1)).collect::<String>();
            text.lines().map(cut).collect::<Vec<_>>().join("\n")
        }
        ("head", []) => {
            let count: usize = args.iter().find_map(|word| word.text.strip_prefix("-c"))?.parse().ok()?;
            text.chars().take(count).collect()
        }
        ("sed", [script]) if !has(&["-n", "-i"]) => {
            let body = script.strip_prefix('s')?;
            let delimiter = body.chars().next()?;
            let mut pieces = body.split(delimiter).skip(1);
            let (from, to, flags) = (pieces.next()?, pieces.next()?, pieces.next()?);
            let plain = |text: &str| !text.contains(['\\', '.', '*', '[', '^', '$', '&', '(', '+', '?']);
            if !plain(from) || !plain(to) || from.is_empty() || pieces.next().is_some() {
                return None;
            }
            match flags {
                "g" => text.replace(from, to),
                "" => text.lines().map(|line| line.replacen(from, to, 1)).collect::<Vec<_>>().join("\n"),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Word { text: out, quoted: false, ..Word::known("") })
}

fn single_operand(args: &[Word]) -> Option<&Word> {
    match args {
        [word] if word.literal && !word.text.starts_with('-') => Some(word),
        _ => None,
    }
}

fn echo_output(args: &[Word]) -> Word {
    let is_option = |word: &&Word| {
        word.literal
            && word
                .text
                .strip_prefix('-')
                .is_some_and(|letters| !letters.is_empty() && letters.chars().all(|letter| "neE".contains(letter)))
    };
    let options = args.iter().take_while(is_option).count();
    let (options, words) = args.split_at_checked(options).unwrap_or_default();
    let has = |letter| options.iter().any(|word| word.text.contains(letter));
    let mut line = super::expand::join_words(words);
    if has('e') {
        line.text = unescaped(&line.text);
    }
    if !has('n') {
        line.text.push('\n');
    }
    line
}

/// Returns what `printf` makes of a format and its arguments, or nothing when it is unknown.
pub(super) fn printf_output(args: &[Word]) -> Output {
    let args = match args {
        [dashes, rest @ ..] if dashes.text == "--" => rest,
        all => all,
    };
    let (pattern, args) = args.split_first()?;
    if !pattern.literal {
        return None;
    }
    let mut out = Word::known("");
    let mut rest = args.iter();
    loop {
        let left = rest.len();
        format_once(&pattern.text, &mut rest, &mut out)?;
        if out.text.len() > super::expand::MAX_VALUE {
            return None;
        }
        // The format is used again while it takes arguments and some are left.
        if rest.len() == 0 || rest.len() == left {
            return Some(out);
        }
    }
}

fn format_once<'a>(pattern: &str, rest: &mut impl Iterator<Item = &'a Word>, out: &mut Word) -> Option<()> {
    let mut pieces = pattern.split('%');
    out.text.push_str(&unescaped(pieces.next()?));
    while let Some(piece) = pieces.next() {
        let Some(kind) = piece.chars().next() else {
            // Two percent characters in a row represent one.
            out.text.push('%');
            out.text.push_str(&unescaped(pieces.next()?));
            continue;
        };
        if !matches!(kind, 's' | 'b' | 'd' | 'i' | 'u' | 'q' | 'c') {
            return None;
        }
        let word = rest.next();
        let text = word.map_or("", |word| word.text.as_str());
        out.literal &= word.is_none_or(|word| word.literal);
        match kind {
            'b' => out.text.push_str(&unescaped(text)),
            'c' => out.text.extend(text.chars().next()),
            _ => out.text.push_str(text),
        }
        out.text.push_str(&unescaped(piece.get(1..)?));
    }
    Some(())
}
