//! Calls in code of other languages: which commands it runs and which files it touches.
//!
//! This is a scan for names of functions followed by string literals, not a parser of eight
//! languages. It finds what a one-liner on a command line does openly; code that hides what it calls
//! is beyond it. Strings that are not arguments of such a call are data and are stepped over.

use std::ops::Range;

use super::code_table::{CALLS, MODULES, Meaning, Scope};
use super::script::Word;
use super::syntax::SPLICE;
use super::syntax::escape::decode;

/// A language in which one-liners are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    JavaScript,
    Perl,
    Ruby,
    Php,
    Lua,
    AppleScript,
    Awk,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    Text(Word),
    List(Vec<Word>),
    Unknown,
}

/// A call that runs a command or touches a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) meaning: Meaning,
    pub(crate) arguments: Vec<Argument>,
    /// Where it stands in the code, in bytes.
    pub(crate) span: Range<usize>,
}

/// The most arguments of a call that are read.
const MAX_ARGUMENTS: usize = 6;

/// Returns the calls in a piece of code.
pub(crate) fn calls(code: &str, language: Language) -> Vec<Call> {
    let mut scan = Scan { rest: code, language, last: ' ', calls: Vec::new() };
    scan.run(code.len());
    scan.calls
}

struct Scan<'a> {
    rest: &'a str,
    language: Language,
    /// The last character outside of names and strings.
    last: char,
    calls: Vec<Call>,
}

impl<'a> Scan<'a> {
    fn run(&mut self, length: usize) {
        let mut written = false;
        while let Some(character) = self.rest.chars().next() {
            let (start, known) = (length - self.rest.len(), self.calls.len());
            if self.comment() {
                continue;
            }
            if is_quote(character) {
                self.literal(character, written);
            } else if character.is_ascii_alphabetic() || character == '_' || character == '.' || character == '$' {
                let path = self.path();
                self.call(path);
                written = path.starts_with("print");
            } else {
                self.bump();
                // A newline or semicolon ends the statement in which `print` may be redirected.
                written &= !matches!(character, '\n' | ';' | '}');
                if self.language == Language::Awk {
                    self.redirection(character, written);
                }
            }
            let end = length - self.rest.len();
            for call in self.calls.iter_mut().skip(known) {
                call.span = start..end;
            }
        }
    }

    fn push(&mut self, meaning: Meaning, arguments: Vec<Argument>) {
        self.calls.push(Call { meaning, arguments, span: 0..0 });
    }

    fn bump(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let character = characters.next();
        self.last = character.filter(|character| !character.is_whitespace()).unwrap_or(self.last);
        self.rest = characters.as_str();
        character
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    /// Steps over a comment.
    fn comment(&mut self) -> bool {
        let markers: &[(&str, &str)] = match self.language {
            Language::JavaScript => &[("//", "\n"), ("/*", "*/")],
            Language::Php => &[("#", "\n"), ("//", "\n"), ("/*", "*/")],
            Language::Lua => &[("--[[", "]]"), ("--", "\n")],
            Language::AppleScript => &[("--", "\n"), ("(*", "*)")],
            Language::Perl => &[("\n=pod", "\n=cut"), ("\n=head", "\n=cut"), ("#", "\n")],
            Language::Ruby => &[("\n=begin", "\n=end"), ("#", "\n")],
            Language::Python | Language::Awk => &[("#", "\n")],
        };
        let Some((open, close)) = markers.iter().find(|(open, _)| self.rest.starts_with(open)) else { return false };
        // In Perl `$#x` is the length of a list.
        if *open == "#" && self.last == '$' {
            return false;
        }
        let inside = self.rest.get(open.len()..).unwrap_or_default();
        let end = inside.find(close).map(|at| if *close == "\n" { at } else { at + close.len() });
        self.rest = end.and_then(|at| inside.get(at..)).unwrap_or_default();
        true
    }

    /// Reads a string that is no argument; in some languages, backquotes run a command.
    fn literal(&mut self, quote: char, written: bool) {
        let Some(text) = self.string() else { return };
        let runs = quote == '`' && matches!(self.language, Language::Perl | Language::Ruby | Language::Php);
        self.blanks();
        let piped = self.language == Language::Awk
            && !written
            && self.rest.strip_prefix('|').is_some_and(|rest| rest.trim_start().starts_with("getline"));
        if runs || piped {
            self.push(Meaning::Shell, vec![Argument::Text(text)]);
        }
    }

    /// Reads `> "file"`, `| "command"` and `< "file"` of awk.
    fn redirection(&mut self, operator: char, written: bool) {
        let meaning = match operator {
            '>' if written => Meaning::Write,
            '|' if written => Meaning::Shell,
            '<' => Meaning::Read,
            _ => return,
        };
        let rest = self.rest.strip_prefix('>').unwrap_or(self.rest);
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        if rest.starts_with('"') {
            self.rest = rest;
            if let Some(text) = self.string() {
                self.push(meaning, vec![Argument::Text(text)]);
            }
        }
    }

    /// Reads a name with dots, and what stands between them.
    fn path(&mut self) -> &'a str {
        let inside = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | ':' | '$');
        let length = self.rest.find(|character| !inside(character)).unwrap_or(self.rest.len());
        let (path, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        path
    }

    fn call(&mut self, path: &str) {
        if path == "do" && self.language == Language::AppleScript {
            if let Some(rest) = self.rest.trim_start().strip_prefix("shell script") {
                self.rest = rest;
                self.blanks();
                let argument = self.argument();
                self.push(Meaning::Shell, vec![argument]);
            }
            return;
        }
        let Some(meaning) = meaning(path, self.last, self.language) else { return };
        let before = self.rest;
        self.blanks();
        let parenthesized = self.rest.starts_with('(');
        let bare = matches!(self.language, Language::Perl | Language::Ruby | Language::Lua | Language::Awk)
            && self.rest.starts_with(is_quote);
        if parenthesized {
            self.bump();
        } else if !bare {
            self.rest = before;
            return;
        }
        let arguments = self.arguments();
        let meaning = if meaning == Meaning::Path { self.method() } else { Some(meaning) };
        if let Some(meaning) = meaning {
            self.push(meaning, arguments);
        }
    }

    /// Reads the method that is called on a path.
    fn method(&mut self) -> Option<Meaning> {
        let before = self.rest;
        let name = self.rest.strip_prefix(')')?.strip_prefix('.')?;
        let length =
            name.find(|character: char| !character.is_ascii_alphanumeric() && character != '_').unwrap_or(name.len());
        let meaning = match name.get(..length)? {
            "read_text" | "read_bytes" => Meaning::Read,
            "write_text" | "write_bytes" | "touch" => Meaning::Write,
            "chmod" => Meaning::Mode,
            "rename" | "replace" => Meaning::Move,
            "unlink" | "rmdir" => Meaning::Delete,
            "open" => {
                let mode = name.get(length..)?.trim_start_matches(['(', '\'', '"']);
                if mode.starts_with(['w', 'a', 'x', 'r']) && !mode.starts_with("r'") && !mode.starts_with("r\"") {
                    Meaning::Write
                } else {
                    Meaning::Read
                }
            }
            _ => {
                self.rest = before;
                return None;
            }
        };
        Some(meaning)
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let mut arguments = Vec::new();
        loop {
            self.blanks();
            if self.rest.is_empty() || self.rest.starts_with([')', ';', '}', '\n']) {
                return arguments;
            }
            arguments.push(self.argument());
            self.blanks();
            if arguments.len() >= MAX_ARGUMENTS || !self.rest.starts_with(',') {
                return arguments;
            }
            self.bump();
        }
    }

    fn argument(&mut self) -> Argument {
        for keyword in ["mode=", "args=", "file=", "path="] {
            self.rest = self.rest.strip_prefix(keyword).unwrap_or(self.rest);
        }
        if self.rest.starts_with('[') {
            return self.array();
        }
        let Some(mut word) = self.string() else {
            self.skip();
            return Argument::Unknown;
        };
        self.blanks();
        if !self.rest.is_empty() && !self.rest.starts_with([',', ')', ']', ';', '}', '\n']) {
            self.skip();
            word.text.push_str(SPLICE);
            word.literal = false;
        }
        Argument::Text(word)
    }

    fn array(&mut self) -> Argument {
        self.bump();
        let mut words = Vec::new();
        loop {
            self.blanks();
            if self.rest.is_empty() || self.rest.starts_with(']') {
                self.bump();
                return Argument::List(words);
            }
            let before = self.rest.len();
            words.push(self.string().unwrap_or_else(|| Word::unknown(SPLICE)));
            self.skip();
            if self.rest.starts_with(',') || self.rest.len() == before {
                self.bump();
            }
        }
    }

    /// Steps to the end of an argument, over brackets and strings in it.
    fn skip(&mut self) {
        let mut open = 0_usize;
        while let Some(character) = self.rest.chars().next() {
            match character {
                ',' | ')' | ']' | '}' | ';' if open == 0 => return,
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open -= 1,
                _ if is_quote(character) => {
                    self.string();
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Reads a string literal, if one stands here; what is put in when the code runs is not known.
    fn string(&mut self) -> Option<Word> {
        let body = self.rest.trim_start_matches(['r', 'b', 'f', 'u', 'R', 'B', 'F', 'U']);
        let prefix = self.rest.get(..self.rest.len() - body.len())?;
        let quote = body.chars().next().filter(|character| is_quote(*character) && prefix.len() <= 2)?;
        let triple = if self.language == Language::Python { quote.to_string().repeat(3) } else { String::new() };
        let close = if !triple.is_empty() && body.starts_with(&triple) { triple } else { quote.to_string() };
        let inside = body.get(close.len()..)?;
        // In some languages a string ends in its line; what does not is an apostrophe, or part of a pattern.
        let one_line = close.len() == 1
            && quote != '`'
            && matches!(self.language, Language::Python | Language::JavaScript | Language::Lua);
        let end = end_of(inside, &close, one_line);
        let text = inside.get(..end)?;
        let closed = inside.get(end..).is_some_and(|rest| rest.starts_with(&close));
        self.rest = inside.get(if closed { end + close.len() } else { end }..).unwrap_or_default();
        let (open, shut) = match self.language {
            Language::Python if prefix.contains(['f', 'F']) => ("{", '}'),
            Language::JavaScript if quote == '`' => ("${", '}'),
            Language::Ruby if quote == '"' || quote == '`' => ("#{", '}'),
            _ => ("", ' '),
        };
        let (text, literal) = spliced(text, open, shut);
        Some(Word { text: decode(&text), literal: literal && (closed || !one_line), glob: false, quoted: true })
    }
}

/// Returns where a string ends: the place of its closing quote, or the end of the text or of its line.
fn end_of(text: &str, close: &str, one_line: bool) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        let ends = (one_line && character == '\n') || text.get(at..).is_some_and(|rest| rest.starts_with(close));
        if !escaped && ends {
            return at;
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}

/// Replaces what a string takes from variables.
fn spliced(text: &str, open: &str, shut: char) -> (String, bool) {
    if open.is_empty() || !text.contains(open) {
        return (text.to_owned(), true);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(open) {
        out.push_str(before);
        out.push_str(SPLICE);
        rest = inside.split_once(shut).map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    (out, false)
}

fn is_quote(character: char) -> bool {
    matches!(character, '\'' | '"' | '`')
}

/// Returns what a call by this name does, if it is one of those that count.
///
/// `before` is what stands before the name: behind a closing parenthesis, it is a method of what a
/// call returned, as in `require('fs').rm`.
fn meaning(path: &str, before: char, language: Language) -> Option<Meaning> {
    let trimmed = path.trim_start_matches(['.', '$', ':']);
    let (module, name) = trimmed.rsplit_once(['.', ':']).unwrap_or(("", trimmed));
    let module = module.rsplit(['.', ':']).next().unwrap_or(module);
    let row = CALLS.iter().find(|row| row.name == name)?;
    // In Python these run Python and not a shell.
    if language == Language::Python && module.is_empty() && matches!(name, "exec" | "eval") {
        return Some(Meaning::Code);
    }
    let known = match row.scope {
        Scope::Any => true,
        Scope::Module if path.starts_with('.') && module.is_empty() => {
            before == ')' && matches!(name, "exec" | "spawn" | "rm")
        }
        Scope::Module => module.is_empty() || MODULES.contains(&module),
    };
    known.then_some(row.meaning)
}
