//! Reads the older command interpreter by words: lines, quotes, variables and separators, without a full grammar.
//!
//! It makes one pass over the characters with a stack of open brackets and never goes back. Both outcomes of a condition
//! are taken, and a loop's command is listed once for each value of its variable.

mod prefix;
mod quoting;
mod variable;

use std::collections::HashMap;

use super::{MAX_DEPTH, MAX_WORDS, WindowsCommand};
use crate::domain::shell::script::{Opaque, OpaqueReason, Redirect, RedirectKind, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;
use prefix::prefix_len;

/// The names that an option may follow without a blank: `rd/s`.
const ATTACHED_NAMES: &[&str] = &["rd", "rmdir", "del", "erase", "cd", "dir", "copy", "move", "echo", "type"];

/// Returns the commands of a text and the places that could not be read.
pub(super) fn parse(text: &str) -> (Vec<WindowsCommand>, Vec<Opaque>) {
    let mut reader = Reader::new(text);
    reader.read_all();
    (reader.finished, reader.opaque)
}

/// A reader at a place in a text.
struct Reader<'a> {
    text: &'a str,
    pos: usize,
    current: WindowsCommand,
    word: Option<Word>,
    redirect: Option<RedirectKind>,
    /// The commands that go on after a bracket.
    open_brackets: Vec<WindowsCommand>,
    pipeline_count: usize,
    /// The values of variables, by their names in upper case.
    variables: HashMap<String, Word>,
    /// The values of the variables of loops, by their letters.
    loops: HashMap<char, Vec<Word>>,
    finished: Vec<WindowsCommand>,
    opaque: Vec<Opaque>,
    word_count: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            pos: 0,
            current: WindowsCommand { pipeline: 1, ..WindowsCommand::default() },
            word: None,
            redirect: None,
            open_brackets: Vec::new(),
            pipeline_count: 1,
            variables: HashMap::new(),
            loops: HashMap::new(),
            finished: Vec::new(),
            opaque: Vec::new(),
            word_count: 0,
            depth: 0,
        }
    }

    fn read_all(&mut self) {
        while let Some(character) = self.peek() {
            let start = self.pos;
            self.pos += character.len_utf8();
            match character {
                '"' => self.double_quoted(),
                '^' => self.escape(),
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' => self.end_pipeline(),
                '|' if self.eat('|') => self.end_pipeline(),
                '|' => self.end_stage(),
                '&' => {
                    self.eat('&');
                    self.end_pipeline();
                }
                '>' | '<' => self.redirect_operator(character),
                '(' | ')' => self.bracket(character, start),
                '%' | '!' => self.variable(character, false),
                _ => self.push(character, false),
            }
            if self.word.is_some() && self.current.words.is_empty() && self.current.span.start == 0 {
                self.current.span.start = start;
            }
        }
        self.end_pipeline();
        while let Some(outer) = self.open_brackets.pop() {
            self.current = outer;
            self.end_pipeline();
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.pos..)?.chars().next()
    }

    fn eat(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.pos += if found { character.len_utf8() } else { 0 };
        found
    }

    fn push(&mut self, character: char, quoted: bool) {
        let word = self.word.get_or_insert_with(|| Word::known(""));
        word.text.push(character);
        word.quoted |= quoted;
        // The interpreter's own commands expand patterns also between quotes.
        word.glob |= matches!(character, '*' | '?');
    }

    fn redirect_operator(&mut self, character: char) {
        let descriptor = self.word.take_if(|word| {
            !word.quoted && word.text.len() == 1 && word.text.bytes().all(|byte| byte.is_ascii_digit())
        });
        let fd = descriptor.and_then(|word| word.text.parse::<u32>().ok());
        self.end_word();
        if character == '>' && self.eat('&') {
            let target = Word::known(self.peek().map(String::from).unwrap_or_default());
            self.pos += target.text.len();
            self.current.redirects.push(Redirect { kind: RedirectKind::Duplicate, fd, target });
            return;
        }
        self.redirect = Some(match character {
            '>' if self.eat('>') => RedirectKind::Append,
            '>' => RedirectKind::Write,
            _ => RedirectKind::Read,
        });
        if fd.is_some_and(|fd| fd > 1) {
            // What is told of mistakes is no content.
            self.redirect = Some(RedirectKind::Duplicate);
        }
    }

    fn bracket(&mut self, character: char, start: usize) {
        let is_list = self.word.is_none()
            && self.current.words.last().is_some_and(|word| word.text.eq_ignore_ascii_case("in"))
            && self.current.words.iter().any(|word| word.text.eq_ignore_ascii_case("for"));
        if is_list && character == '(' {
            self.loop_list(start);
        } else if character == '(' && self.open_brackets.len() >= MAX_DEPTH {
            self.opaque.push(Opaque { reason: OpaqueReason::TooDeep, span: start..self.text.len() });
            self.pos = self.text.len();
        } else if character == '(' && self.word.is_none() && prefix_len(&self.current.words) == self.current.words.len()
        {
            let outer = std::mem::take(&mut self.current);
            self.open_brackets.push(outer);
            self.next_pipeline();
        } else if character == ')' && !self.open_brackets.is_empty() {
            self.end_pipeline();
            // What is after the bracket is `else`, or a redirection of all of it.
            let outer = self.open_brackets.pop().unwrap_or_default();
            self.current.redirects = outer.redirects;
        } else {
            self.push(character, false);
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        self.word_count += 1;
        if self.word_count > MAX_WORDS {
            self.opaque.push(Opaque { reason: OpaqueReason::TooMany, span: self.pos..self.text.len() });
            self.pos = self.text.len();
        }
        match self.redirect.take() {
            Some(kind) => self.current.redirects.push(Redirect { kind, fd: None, target: word }),
            None => self.current.words.push(word),
        }
    }

    fn end_stage(&mut self) {
        let (pipeline, stage) = (self.current.pipeline, self.current.stage);
        self.end_line();
        self.current = WindowsCommand { pipeline, stage: stage + 1, ..WindowsCommand::default() };
    }

    fn end_pipeline(&mut self) {
        self.end_line();
        self.next_pipeline();
    }

    fn next_pipeline(&mut self) {
        self.pipeline_count += 1;
        self.current = WindowsCommand { pipeline: self.pipeline_count, ..WindowsCommand::default() };
    }

    fn end_line(&mut self) {
        self.end_word();
        self.redirect = None;
        let mut line = std::mem::take(&mut self.current);
        line.span.end = self.pos.max(line.span.start);
        let head = prefix_len(&line.words);
        line.words.drain(..head);
        split_attached_option(&mut line.words);
        self.assign(&line.words);
        if !line.words.is_empty() || !line.redirects.is_empty() {
            self.finish(line);
        }
    }

    /// Reads text inside this one, as `for /f` runs it.
    fn read_nested(&mut self, inside: &str, start: usize) {
        if self.depth >= MAX_DEPTH {
            return;
        }
        let mut reader = Reader { depth: self.depth + 1, variables: self.variables.clone(), ..Reader::new(inside) };
        reader.read_all();
        for mut line in reader.finished {
            line.pipeline += self.pipeline_count;
            line.span = start..self.pos;
            self.finished.push(line);
        }
        self.pipeline_count += reader.pipeline_count;
        self.current.pipeline = self.pipeline_count;
    }

    fn report_unbalanced(&mut self) {
        self.opaque.push(Opaque { reason: OpaqueReason::Unbalanced, span: self.pos..self.text.len() });
    }

    fn push_unknown(&mut self, text: &str) {
        let word = self.word.get_or_insert_with(|| Word::known(""));
        word.text.push_str(text);
        word.literal = false;
    }

    /// Reads the list of a loop and gives its variable the values.
    fn loop_list(&mut self, start: usize) {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let end = list_end(rest);
        let inside = rest.get(..end).unwrap_or_default().to_owned();
        self.pos += (end + 1).min(rest.len());
        let words = self.current.words.clone();
        let has = |switch: &str| words.iter().any(|word| word.text.eq_ignore_ascii_case(switch));
        let values = if let Some(code) = inside.trim().strip_prefix(['\'', '`']) {
            // `for /f` runs what is between single quotes.
            self.read_nested(code.trim_end_matches(['\'', '`']), start);
            vec![Word::unknown(SUBSTITUTION_PLACEHOLDER)]
        } else if has("/f") || has("/l") {
            vec![Word::unknown(SUBSTITUTION_PLACEHOLDER)]
        } else {
            let root = words.iter().skip_while(|word| !word.text.eq_ignore_ascii_case("/r")).nth(1);
            let root =
                root.filter(|word| !word.text.starts_with('%')).map(|word| word.text.trim_end_matches(['/', '\\']));
            let mut values = self.list_words(&inside);
            if has("/r") {
                for word in &mut values {
                    word.text = format!("{}/**/{}", root.unwrap_or("."), word.text);
                    word.glob = true;
                }
            }
            values
        };
        let letter = words.iter().rev().find_map(|word| loop_letter(&word.text));
        if let Some(letter) = letter {
            self.loops.insert(letter, values);
        }
        self.current.words.push(Word::unknown(SUBSTITUTION_PLACEHOLDER));
    }

    /// Returns the words of a loop's list.
    fn list_words(&self, inside: &str) -> Vec<Word> {
        let inside = inside.replace([',', ';', '\n'], " ");
        let variables = self.variables.clone();
        let mut reader = Reader { depth: self.depth + 1, variables, ..Reader::new(&inside) };
        reader.read_all();
        reader.finished.into_iter().flat_map(|line| line.words).collect()
    }
}

/// Returns the letter of a loop's variable: `%i`, `%%i`.
fn loop_letter(text: &str) -> Option<char> {
    let name = text.strip_prefix("%%").or_else(|| text.strip_prefix('%'))?;
    let mut characters = name.chars();
    let letter = characters.next()?;
    characters.next().is_none().then_some(letter)
}

/// Returns where the list of a loop ends, by the bracket after its strings.
fn list_end(text: &str) -> usize {
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match character {
            '\'' | '"' | '`' if quote == Some(character) => quote = None,
            '\'' | '"' | '`' if quote.is_none() => quote = Some(character),
            ')' if quote.is_none() => return at,
            _ => {}
        }
    }
    text.find(')').unwrap_or(text.len())
}

/// Takes an option apart from the name that it follows: `rd/s/q`.
fn split_attached_option(words: &mut Vec<Word>) {
    let Some(first) = words.first_mut() else { return };
    if first.text.len() > 1 && first.text.starts_with('@') {
        first.text.remove(0);
    }
    let Some((name, option)) = first.text.split_once('/') else { return };
    if ATTACHED_NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        let option = Word::known(format!("/{option}"));
        first.text.truncate(name.len());
        words.insert(1, option);
    }
}
