//! What commands print, where their arguments tell: the text that ends up in `$(…)` or in a shell.
//!
//! Programs that transform their input are not imitated: their output is not known.

use super::{Feed, Invocation, Output, Walker};
use crate::domain::shell::option;
use crate::domain::shell::script::{Dialect, Word};
use crate::domain::shell::syntax::escape::decode;

/// The most files of one command that are followed to where they are copied.
const MAX_COPIED: usize = 8;

impl Walker {
    /// Returns what a command prints, nothing when it is not known.
    pub(super) fn printed(&mut self, program: &str, call: &Invocation) -> Output {
        let args = call.words.get(1..).unwrap_or_default();
        match program {
            "echo" => Some(echo(args)),
            "printf" if args.first().is_some_and(|word| word.text == "-v") => Some(Word::known("")),
            "printf" => format(args),
            "cat" => match (&call.feed, args) {
                (Feed::Text(text), []) => Some(text.clone()),
                (Feed::Text(text), [only]) if only.text == "-" => Some(text.clone()),
                (_, [only]) => self.scope.file(&only.text).cloned().flatten(),
                _ => None,
            },
            "tee" => {
                let text = match &call.feed {
                    Feed::Text(text) => Some(text.clone()),
                    Feed::Inherited | Feed::File(_) | Feed::Copy(_) | Feed::Pipe { .. } => None,
                };
                for word in args.iter().filter(|word| !word.text.starts_with('-')) {
                    self.scope.write(&word.text, text.clone(), false);
                }
                text
            }
            "true" | ":" | "false" | "test" | "[" | "cd" | "export" | "set" | "unset" | "local" | "declare"
            | "readonly" | "shift" | "alias" | "exit" | "return" | "mkdir" | "touch" | "sleep" | "wait" | "read"
            | "shopt" => Some(Word::known("")),
            "curl" | "wget" => {
                self.fetched(program, call);
                None
            }
            "cp" | "gcp" | "mv" | "gmv" | "ln" | "install" => {
                self.copied_files(call);
                Some(Word::known(""))
            }
            "pwd" => Some(self.working_directory("$PWD")),
            "which" => only(args).cloned(),
            "basename" => {
                let path = only(args)?;
                let name = path.text.trim_end_matches('/').rsplit('/').next()?;
                Some(Word { text: name.to_owned(), ..path.clone() })
            }
            "dirname" => {
                let path = only(args)?;
                let (dir, _) = path.text.trim_end_matches('/').rsplit_once('/').unwrap_or((".", ""));
                Some(Word { text: if dir.is_empty() { "/" } else { dir }.to_owned(), ..path.clone() })
            }
            _ => None,
        }
    }

    /// Remembers the files that a command puts downloads into.
    fn fetched(&mut self, program: &str, call: &Invocation) {
        let arguments = option::read(&call.words, Dialect::Posix, &[]);
        for word in arguments.values(&["-o", "-O", "--output", "--output-document"]) {
            self.scope.download(&word.text);
        }
        // Without a name, the last part of the address is the name.
        let named = arguments.has(&["-o", "--output", "--output-document"]) || !arguments.values(&["-O"]).is_empty();
        if !named && (program == "wget" || arguments.has(&["-O", "--remote-name", "--remote-name-all"])) {
            for word in &arguments.operands {
                let path = word.text.split(['?', '#']).next().unwrap_or_default();
                self.scope.download(path.rsplit('/').next().unwrap_or_default());
            }
        }
    }

    /// Remembers which files are copies of others, so that one that is run is known under its new name.
    fn copied_files(&mut self, call: &Invocation) {
        let arguments = option::read(&call.words, Dialect::Posix, &[]);
        let named = arguments.values(&["-t", "--target-directory"]);
        let mut sources = arguments.operands.clone();
        let Some(target) = named.first().copied().or_else(|| sources.pop()) else { return };
        for source in sources.iter().take(MAX_COPIED) {
            self.scope.copy(&source.text, &target.text);
        }
    }
}

fn only(args: &[Word]) -> Option<&Word> {
    match args {
        [word] if word.literal && !word.text.starts_with('-') => Some(word),
        _ => None,
    }
}

fn echo(args: &[Word]) -> Word {
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
    let mut line = super::expand::joined(words);
    if has('e') {
        line.text = decode(&line.text);
    }
    if !has('n') {
        line.text.push('\n');
    }
    line
}

/// Returns what `printf` makes of a format and its arguments, nothing when it is not known.
pub(super) fn format(args: &[Word]) -> Output {
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
        round(&pattern.text, &mut rest, &mut out)?;
        if out.text.len() > super::expand::MAX_VALUE {
            return None;
        }
        // The format is used again while it takes arguments and some are left.
        if rest.len() == 0 || rest.len() == left {
            return Some(out);
        }
    }
}

fn round<'a>(pattern: &str, rest: &mut impl Iterator<Item = &'a Word>, out: &mut Word) -> Option<()> {
    let mut pieces = pattern.split('%');
    out.text.push_str(&decode(pieces.next()?));
    while let Some(piece) = pieces.next() {
        let Some(kind) = piece.chars().next() else {
            // Two percent signs in a row stand for one.
            out.text.push('%');
            out.text.push_str(&decode(pieces.next()?));
            continue;
        };
        if !matches!(kind, 's' | 'b' | 'd' | 'i' | 'u' | 'q' | 'c') {
            return None;
        }
        let word = rest.next();
        let text = word.map_or("", |word| word.text.as_str());
        out.literal &= word.is_none_or(|word| word.literal);
        match kind {
            'b' => out.text.push_str(&decode(text)),
            'c' => out.text.extend(text.chars().next()),
            _ => out.text.push_str(text),
        }
        out.text.push_str(&decode(piece.get(1..)?));
    }
    Some(())
}
