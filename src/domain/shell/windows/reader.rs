//! The reader: words, separators and brackets.
//!
//! It makes one pass over the characters with a stack of open brackets and never goes back, so its cost is linear.

use std::collections::HashMap;

use super::prefix::prefix_len;
use super::{KEYWORDS, MAX_BRACKET_DEPTH, MAX_WORDS, WindowsCommand};
use crate::domain::shell::script::{Opaque, OpaqueReason, Redirect, RedirectKind, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

/// A reader at a place in a text.
pub(super) struct WindowsReader<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    pub(super) is_powershell: bool,
    pub(super) current: WindowsCommand,
    pub(super) word: Option<Word>,
    pub(super) redirect: Option<RedirectKind>,
    /// The commands that go on after a bracket; nothing for the parentheses of a method call.
    pub(super) open_brackets: Vec<Option<WindowsCommand>>,
    pub(super) pipeline_count: usize,
    pub(super) variables: HashMap<String, String>,
    pub(super) finished: Vec<WindowsCommand>,
    pub(super) opaque: Vec<Opaque>,
    pub(super) word_count: usize,
}

impl<'a> WindowsReader<'a> {
    pub(super) fn new(text: &'a str, is_powershell: bool) -> Self {
        Self {
            text,
            pos: 0,
            is_powershell,
            current: WindowsCommand { pipeline: 1, ..WindowsCommand::default() },
            word: None,
            redirect: None,
            open_brackets: Vec::new(),
            pipeline_count: 1,
            variables: HashMap::new(),
            finished: Vec::new(),
            opaque: Vec::new(),
            word_count: 0,
        }
    }

    pub(super) fn read_all(&mut self) {
        while let Some(character) = self.peek() {
            let start = self.pos;
            self.pos += character.len_utf8();
            match character {
                '"' => self.double_quoted(),
                '\'' if self.is_powershell => self.single_quoted(),
                '`' if self.is_powershell => self.escape(),
                '^' if !self.is_powershell => self.escape(),
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' | ';' if self.is_powershell || character == '\n' => self.end_pipeline(),
                '|' if self.eat('|') => self.end_pipeline(),
                '|' => self.end_stage(),
                '&' if self.eat('&') => self.end_pipeline(),
                '&' if self.is_powershell && self.word.is_none() && self.current.words.is_empty() => {
                    self.current.has_call_operator = true;
                }
                '&' => self.end_pipeline(),
                '>' | '<' => self.redirect_operator(character),
                '#' if self.is_powershell && self.word.is_none() => self.skip_line(),
                ',' if self.is_powershell => self.end_word(),
                '(' | '{' | ')' | '}' => self.open_bracket(character, start),
                '$' | '%' => self.variable(character),
                _ => self.push(character, false),
            }
            if self.word.is_some() && self.current.words.is_empty() && self.current.span.start == 0 {
                self.current.span.start = start;
            }
        }
        self.end_pipeline();
        while !self.open_brackets.is_empty() {
            self.close_bracket();
        }
        self.end_pipeline();
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.pos..)?.chars().next()
    }

    pub(super) fn eat(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.pos += if found { character.len_utf8() } else { 0 };
        found
    }

    pub(super) fn push(&mut self, character: char, quoted: bool) {
        let word = self.word.get_or_insert_with(|| Word::known(""));
        word.text.push(character);
        word.quoted |= quoted;
        word.glob |= !quoted && matches!(character, '*' | '?');
    }

    pub(super) fn redirect_operator(&mut self, character: char) {
        let descriptor = self.word.take_if(|word| {
            !word.quoted && word.text.len() == 1 && word.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*')
        });
        drop(descriptor);
        self.end_word();
        self.redirect = Some(match character {
            '>' if self.eat('>') => RedirectKind::Append,
            '>' if self.eat('&') => RedirectKind::Duplicate,
            '>' => RedirectKind::Write,
            _ => RedirectKind::Read,
        });
    }

    pub(super) fn open_bracket(&mut self, character: char, start: usize) {
        let opens = matches!(character, '(' | '{');
        let attached =
            character == '(' && self.word.as_ref().is_some_and(|word| !matches!(word.text.as_str(), "$" | "@"));
        let is_list =
            !self.is_powershell && self.current.words.last().is_some_and(|word| word.text.eq_ignore_ascii_case("in"));
        if is_list && character == '(' {
            let rest = self.text.get(self.pos..).unwrap_or_default();
            let inside = rest.split(')').next().unwrap_or_default();
            self.pos += (inside.len() + 1).min(rest.len());
            // `for /f` runs what is between single quotes.
            if let Some(code) = inside.trim().strip_prefix(['\'', '`']) {
                self.read_nested(code.trim_end_matches(['\'', '`']), start..self.pos);
            }
            self.push_unknown(SUBSTITUTION_PLACEHOLDER);
            self.end_word();
        } else if opens && self.open_brackets.len() >= MAX_BRACKET_DEPTH {
            self.opaque.push(Opaque { reason: OpaqueReason::TooDeep, span: start..self.text.len() });
            self.pos = self.text.len();
        } else if attached {
            self.end_word();
            self.open_brackets.push(None);
        } else if opens {
            self.word = None;
            let outer = std::mem::take(&mut self.current);
            self.open_brackets.push(Some(outer));
            self.next_pipeline();
        } else {
            self.close_bracket();
        }
    }

    /// Ends what is inside a bracket and goes on with what is around it.
    pub(super) fn close_bracket(&mut self) {
        match self.open_brackets.pop() {
            Some(Some(outer)) => {
                self.end_pipeline();
                self.current = outer;
                if !self.current.words.is_empty() {
                    self.current.words.push(Word::unknown(SUBSTITUTION_PLACEHOLDER));
                }
            }
            Some(None) => self.end_word(),
            None => self.end_pipeline(),
        }
    }

    pub(super) fn end_word(&mut self) {
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

    pub(super) fn end_stage(&mut self) {
        let (pipeline, stage) = (self.current.pipeline, self.current.stage);
        self.end_line();
        self.current = WindowsCommand { pipeline, stage: stage + 1, ..WindowsCommand::default() };
    }

    pub(super) fn end_pipeline(&mut self) {
        self.end_line();
        self.next_pipeline();
    }

    pub(super) fn next_pipeline(&mut self) {
        self.pipeline_count += 1;
        self.current = WindowsCommand { pipeline: self.pipeline_count, ..WindowsCommand::default() };
    }

    pub(super) fn end_line(&mut self) {
        self.end_word();
        self.redirect = None;
        let mut line = std::mem::take(&mut self.current);
        line.span.end = self.pos.max(line.span.start);
        if self.is_powershell {
            self.assignment(&mut line);
            let keywords = line.words.iter().take_while(|word| KEYWORDS.contains(&word.text.as_str())).count();
            line.words.drain(..keywords);
        } else {
            let head = prefix_len(&line.words);
            line.words.drain(..head);
            if let Some(first) = line.words.first_mut().filter(|word| word.text.len() > 1 && word.text.starts_with('@'))
            {
                first.text.remove(0);
            }
        }
        // A string or a variable on its own is printed and not run.
        let is_data = self.is_powershell
            && !line.has_call_operator
            && line.words.first().is_some_and(|word| word.quoted || !word.literal);
        if is_data {
            line.words.clear();
        }
        if !line.words.is_empty() || !line.redirects.is_empty() || !line.assignments.is_empty() {
            self.finished.push(line);
        }
    }

    /// Takes `$name = …` off the front of a line and remembers a plain value.
    pub(super) fn assignment(&mut self, line: &mut WindowsCommand) {
        let [name, equals, ..] = line.words.as_slice() else { return };
        let Some(name) = name.text.strip_prefix('$').filter(|_| equals.text == "=") else { return };
        if let [_, _, value] = line.words.as_slice()
            && value.literal
            && value.quoted
        {
            self.variables.insert(name.to_ascii_lowercase(), value.text.clone());
        }
        if let Some((variable, value)) = name.split_once(':').zip(line.words.get(2))
            && variable.0.eq_ignore_ascii_case("env")
        {
            line.assignments.push((variable.1.to_ascii_uppercase(), value.clone()));
        }
        line.words.drain(..2);
    }

    pub(super) fn skip_line(&mut self) {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        self.pos += rest.find('\n').unwrap_or(rest.len());
    }

    pub(super) fn report_unbalanced(&mut self) {
        self.opaque.push(Opaque { reason: OpaqueReason::Unbalanced, span: self.pos..self.text.len() });
    }
}
