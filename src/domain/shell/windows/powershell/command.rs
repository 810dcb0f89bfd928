//! Commands: a name with arguments, as they are written outside of expressions.

use super::Reader;
use super::cmdlet::Call;
use super::strings::quoted_word;
use super::value::Value;
use crate::domain::shell::script::{Redirect, RedirectKind, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;

impl Reader<'_> {
    /// Reads a command and what it runs; returns what it prints.
    pub(super) fn command(&mut self, pipeline: usize, stage: usize, input: &Value) -> Value {
        let start = self.pos;
        let called = self.call_operator();
        let mut call = Call { pipeline, stage, start, ..Call::default() };
        let program = if called { self.called_program() } else { self.argument() };
        call.origin = program.origin;
        if let Some(block) = program.block {
            call.called_block = Some(block);
        } else if called || program.words.iter().any(|word| !word.quoted) {
            let text = program.join(" ");
            // The value of a variable is one word, also with blanks in it.
            call.words.extend((!text.text.is_empty()).then_some(text));
        } else if stage > 0 {
            // A value in the middle of a pipeline.
            return program;
        }
        self.arguments_of(&mut call);
        self.run(call, input)
    }

    /// Reads `&` or `.`, which run what is behind it whatever it is.
    fn call_operator(&mut self) -> bool {
        let second = self.peek_second();
        let called = match self.peek() {
            Some('&') => second != Some('&'),
            Some('.') => second.is_some_and(|next| next.is_whitespace() || "\"'$({".contains(next)),
            _ => false,
        };
        if called {
            self.next();
            self.skip_blanks();
        }
        called
    }

    fn called_program(&mut self) -> Value {
        match self.peek() {
            Some('{') => self.block(),
            Some('(' | '$' | '"' | '\'') => {
                let value = self.argument();
                // What was looked up is the name that it was looked up by.
                Value { words: value.words.into_iter().map(|word| Word { quoted: false, ..word }).collect(), ..value }
            }
            _ => self.argument(),
        }
    }

    /// Reads the arguments of a command, its redirections and blocks.
    fn arguments_of(&mut self, call: &mut Call) {
        loop {
            self.skip_blanks();
            let next = self.peek();
            match next {
                None | Some('\n' | ';' | '|' | ')' | '}' | '&') => return,
                Some('{') => {
                    let block = self.block();
                    call.blocks.extend(block.block);
                    call.words.push(Word::unknown(SUBSTITUTION_PLACEHOLDER));
                    continue;
                }
                Some('@') if self.peek_second().is_some_and(|next| next.is_alphabetic() || next == '_') => {
                    let name = self.variable_name();
                    self.splat(&name, call);
                    continue;
                }
                _ => {}
            }
            if let Some(redirect) = self.redirect() {
                call.redirects.push(redirect);
                continue;
            }
            if self.eat("--%") {
                // What follows is for the program as it stands.
                let end = self.rest().find(['\n', '|']).unwrap_or(self.rest().len());
                let words: Vec<Word> =
                    self.rest().get(..end).unwrap_or_default().split_whitespace().map(Word::known).collect();
                call.words.extend(words);
                self.pos += end;
                continue;
            }
            let pos = self.pos;
            let mut value = self.argument();
            while self.continues_list() {
                value.extend(self.argument());
            }
            self.add_argument(value, call);
            if self.pos == pos {
                self.next();
            }
        }
    }

    fn add_argument(&mut self, value: Value, call: &mut Call) {
        call.origin = call.origin.or(value.origin);
        call.blocks.extend(value.block.clone());
        if !value.entries.is_empty() {
            let entries = value.entries.iter().map(|(name, entry)| (name, entry.join(",")));
            let texts: Vec<(String, bool)> =
                entries.map(|(name, word)| (format!("{name}={}", word.text), word.literal)).collect();
            let text: Vec<&str> = texts.iter().map(|(text, _)| text.as_str()).collect();
            let literal = texts.iter().all(|(_, literal)| *literal);
            call.words.push(Word { literal, ..quoted_word(text.join(";")) });
            call.tables.push(value);
            return;
        }
        self.word_count += value.words.len();
        for word in value.words {
            match split_parameter(&word) {
                Some((name, value)) => {
                    // A parameter that is switched off is not given.
                    call.words.extend((value != "$false").then(|| Word::known(name)));
                    let is_switch = matches!(value, "$true" | "$false");
                    call.words.extend((!is_switch).then(|| Word { text: value.to_owned(), ..word.clone() }));
                }
                None => call.words.push(word),
            }
        }
    }

    /// Skips the comma between two arguments of a list.
    fn continues_list(&mut self) -> bool {
        let pos = self.pos;
        self.skip_blanks();
        if self.eat(",") {
            self.skip_lines();
            return true;
        }
        self.pos = pos;
        false
    }

    /// Adds the arguments that are in a table or a list.
    fn splat(&mut self, name: &str, call: &mut Call) {
        let value = self.value_of(name);
        for (name, entry) in &value.entries {
            match entry.text() {
                Some("$false") => continue,
                Some("$true") => call.words.push(Word::known(format!("-{name}"))),
                _ => {
                    call.words.push(Word::known(format!("-{name}")));
                    call.words.extend(entry.words.iter().cloned());
                    call.blocks.extend(entry.block.clone());
                }
            }
            call.origin = call.origin.or(entry.origin);
        }
        call.words.extend(value.words);
    }

    /// Reads a redirection, if one is next.
    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        let rest = self.rest();
        let digits = usize::from(rest.starts_with(|first: char| first.is_ascii_digit() || first == '*'));
        if !rest.get(digits..)?.starts_with('>') {
            return None;
        }
        let fd = rest.get(..digits)?.parse().ok();
        self.pos += digits + 1;
        if self.eat("&") {
            self.next();
            return Some(Redirect { kind: RedirectKind::Duplicate, fd, target: Word::known("1") });
        }
        let kind = if self.eat(">") { RedirectKind::Append } else { RedirectKind::Write };
        self.skip_blanks();
        let target = self.argument();
        let target = if target.words.is_empty() { Word::known("$null") } else { target.join(" ") };
        Some(Redirect { kind, fd, target })
    }

    /// Reads one argument: pieces without a blank between them.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of piece")]
    pub(super) fn argument(&mut self) -> Value {
        let mut value: Option<Value> = None;
        let mut plain = Word::known("");
        loop {
            let is_first = value.is_none() && plain.text.is_empty();
            let second = self.peek_second();
            let piece = match self.peek() {
                None | Some(' ' | '\t' | '\n' | '\r' | ';' | '|' | ')' | '}' | ',' | '&') => break,
                Some('{' | '(') if !is_first => {
                    // `-Body:(…)` and `-Process:{…}`; elsewhere another argument begins.
                    if !plain.text.ends_with(':') && !plain.text.ends_with('=') {
                        break;
                    }
                    if self.peek() == Some('(') { self.parenthesized() } else { self.block() }
                }
                Some('(' | '"' | '\'') if is_first => {
                    let start = self.pos;
                    let value = if self.peek() == Some('(') { self.parenthesized() } else { self.string() };
                    self.target = None;
                    if matches!(self.peek(), Some('.' | '[')) && !self.rest().starts_with(r".\") {
                        self.members(value, start)
                    } else {
                        value
                    }
                }
                Some('"' | '\'') => self.string(),
                Some('@') if is_first && matches!(second, Some('(' | '{' | '"' | '\'')) => self.primary(),
                Some('$') if second == Some('(') => {
                    self.next();
                    let value = self.parenthesized();
                    if is_first { value } else { Value::of(value.join(" ")).with_origin(value.origin) }
                }
                Some('$') if self.is_variable_start() => {
                    let start = self.pos;
                    let value = self.variable();
                    let is_environment = self.target.as_deref().is_some_and(|name| name.starts_with("env:"));
                    let is_member = is_first && !is_environment && self.is_member_of_variable();
                    let value = if is_member { self.members(value, start) } else { value };
                    self.target = None;
                    value
                }
                Some('`') => {
                    self.next();
                    plain.text.extend(self.escaped());
                    continue;
                }
                Some(character) => {
                    self.next();
                    plain.text.push(character);
                    plain.glob |= matches!(character, '*' | '?');
                    continue;
                }
            };
            let text = std::mem::replace(&mut plain, Word::known(""));
            value = Some(match value {
                None if text.text.is_empty() => piece,
                None => {
                    let mut start = Value::of(text);
                    start.append(&piece);
                    start.entries = piece.entries;
                    start.block = piece.block;
                    start
                }
                Some(mut before) => {
                    before.append(&Value::of(text));
                    before.append(&piece);
                    before
                }
            });
        }
        match value {
            None if plain.text.is_empty() => Value::default(),
            None => Value::of(plain),
            Some(value) if plain.text.is_empty() => value,
            Some(mut value) => {
                value.append(&Value::of(plain));
                value
            }
        }
    }

    /// Returns whether a member of the variable just read is asked for, and not a path below it.
    fn is_member_of_variable(&self) -> bool {
        match self.peek() {
            Some('.') => self.peek_second().is_some_and(char::is_alphabetic),
            Some('[') => true,
            _ => self.rest().starts_with("::"),
        }
    }
}

/// Returns the name of a parameter and the value that is written to it: `-Path:x`.
fn split_parameter(word: &Word) -> Option<(&str, &str)> {
    let (name, value) = word.text.split_once(':')?;
    let is_name = name.strip_prefix('-')?.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && name.len() > 1 && !value.is_empty()).then_some((name, value))
}
