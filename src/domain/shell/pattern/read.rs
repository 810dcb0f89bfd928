//! Reading patterns: words, groups and choices, and what can be wrong with them.
//!
//! Alternatives are multiplied out while reading, so that testing needs no search through groups. Every
//! mistake is found here, with its place: a pattern that was read can be tested against anything.

use std::iter::Peekable;
use std::str::CharIndices;

use super::{Form, Operand, OptionPattern, PatternError, Text};
use crate::domain::shell::{glob, option};

/// The most choices that the alternatives of a stage may come to.
const MAX_FORMS: usize = 512;

/// The deepest nesting of groups.
const MAX_DEPTH: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    Bar,
    Word(Item),
}

/// A word of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    offset: usize,
    /// The text with quotes taken off and what was quoted escaped.
    text: String,
    quoted: bool,
}

/// Returns the stages of a pattern, each with its choices.
pub(super) fn stages(text: &str) -> Result<Vec<Vec<Form>>, PatternError> {
    let tokens = tokens(text)?;
    if tokens.is_empty() {
        return Err(error(0, "the pattern is empty", Some("write a command, such as `git push --force`")));
    }
    let mut reader = Reader { tokens: &tokens, end: text.len() };
    let mut stages = Vec::new();
    loop {
        let choices = reader.sequence(0)?;
        stages.push(choices.iter().map(|items| form(items)).collect::<Result<Vec<Form>, PatternError>>()?);
        match reader.next() {
            None => return Ok(stages),
            Some((_, Token::Bar)) => {}
            Some((offset, _)) => return Err(error(offset, "`)` without `(`", None)),
        }
    }
}

fn error(offset: usize, message: impl Into<String>, help: Option<&str>) -> PatternError {
    PatternError { offset, message: message.into(), help: help.map(str::to_owned) }
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, PatternError> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((offset, character)) = rest.peek().copied() {
        let single = match character {
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            '|' => Some(Token::Bar),
            _ => None,
        };
        if let Some(token) = single {
            rest.next();
            tokens.push((offset, token));
        } else if character.is_whitespace() {
            rest.next();
        } else {
            let item = word(offset, &mut rest)?;
            if rest.peek().is_some_and(|(_, next)| *next == '(') {
                let help = "a group is a word of its own: write `git (push | pull)`";
                return Err(error(offset, "a blank is missing before `(`", Some(help)));
            }
            if tokens.last().is_some_and(|(at, token)| *token == Token::Close && at + 1 == offset) {
                return Err(error(offset, "a blank is missing behind `)`", None));
            }
            tokens.push((offset, Token::Word(item)));
        }
    }
    Ok(tokens)
}

fn word(offset: usize, rest: &mut Peekable<CharIndices<'_>>) -> Result<Item, PatternError> {
    let mut item = Item { offset, text: String::new(), quoted: false };
    while let Some((at, character)) = rest.peek().copied() {
        if character.is_whitespace() || matches!(character, '(' | ')' | '|') {
            break;
        }
        rest.next();
        match character {
            '\'' | '"' => {
                item.quoted = true;
                quoted(character, rest, &mut item.text).ok_or_else(|| error(at, "a quote without its end", None))?;
            }
            ';' | '&' | '<' | '>' => {
                let help = match character {
                    '<' | '>' => "what a redirection writes is matched by `files`; quote the sign to mean it as text",
                    _ => "give a list of patterns to match one of several; quote the sign to mean it as text",
                };
                return Err(error(at, format!("`{character}` in a pattern: it describes one command"), Some(help)));
            }
            _ => item.text.push(character),
        }
    }
    Ok(item)
}

/// Reads up to the closing quote; what stands there means itself.
fn quoted(quote: char, rest: &mut Peekable<CharIndices<'_>>, text: &mut String) -> Option<()> {
    loop {
        let (_, character) = rest.next()?;
        if character == quote {
            return Some(());
        }
        if matches!(character, '*' | '?' | '[' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
}

struct Reader<'a> {
    tokens: &'a [(usize, Token)],
    end: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<(usize, &'a Token)> {
        let ((offset, token), rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some((*offset, token))
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.first().map(|(_, token)| token)
    }

    fn offset(&self) -> usize {
        self.tokens.first().map_or(self.end, |(offset, _)| *offset)
    }

    /// Reads words and groups up to `|`, `)` or the end; returns every choice of them.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Vec<&'a Item>>, PatternError> {
        let start = self.offset();
        let mut choices: Vec<Vec<&Item>> = vec![Vec::new()];
        let mut empty = true;
        loop {
            let offset = self.offset();
            match self.peek() {
                Some(Token::Word(item)) => choices.iter_mut().for_each(|choice| choice.push(item)),
                Some(Token::Open) if depth < MAX_DEPTH => {
                    self.next();
                    choices = product(&choices, &self.group(offset, depth)?);
                    if choices.len() > MAX_FORMS {
                        return Err(error(
                            offset,
                            "too many alternatives",
                            Some("split the pattern into a list of patterns"),
                        ));
                    }
                    empty = false;
                    continue;
                }
                Some(Token::Open) => return Err(error(offset, "groups are nested too deep", None)),
                _ if empty => return Err(error(start, "nothing stands here where a word should", None)),
                _ => return Ok(choices),
            }
            empty = false;
            self.next();
        }
    }

    /// Reads the alternatives of a group and its `)`.
    fn group(&mut self, open: usize, depth: usize) -> Result<Vec<Vec<&'a Item>>, PatternError> {
        let mut choices = Vec::new();
        loop {
            choices.extend(self.sequence(depth + 1)?);
            match self.next() {
                Some((_, Token::Bar)) => {}
                Some((_, Token::Close)) => return Ok(choices),
                _ => return Err(error(open, "`(` without `)`", None)),
            }
        }
    }
}

fn product<'a>(left: &[Vec<&'a Item>], right: &[Vec<&'a Item>]) -> Vec<Vec<&'a Item>> {
    let pairs = left.iter().flat_map(|start| right.iter().map(move |end| [start.as_slice(), end].concat()));
    pairs.take(MAX_FORMS + 1).collect()
}

/// Turns the words of one choice into what they ask for.
fn form(items: &[&Item]) -> Result<Form, PatternError> {
    let before = items.iter().take_while(|item| assignment(item).is_some()).count();
    let (set, items) = items.split_at_checked(before).unwrap_or((items, &[]));
    let Some((program, rest)) = items.split_first() else {
        let Some(only) = set.first() else { return Err(error(0, "the pattern is empty", None)) };
        let help = format!("write `{} *` for any command that it is set for", only.text);
        return Err(error(only.offset, "a variable is set, but for no command", Some(&help)));
    };
    if !program.quoted && (program.text.starts_with('-') || matches!(program.text.as_str(), "..." | "$")) {
        let help = "put the program first, or `*` for any program";
        return Err(error(program.offset, format!("a pattern cannot begin with `{}`", program.text), Some(help)));
    }
    let assignments = set.iter().filter_map(|item| assignment(item)).collect();
    let mut form =
        Form { assignments, program: text(program), options: Vec::new(), operands: Vec::new(), closed: false };
    let mut path = vec![program.text.as_str()];
    let mut dashes = false;
    for (at, item) in rest.iter().enumerate() {
        let next = rest.get(at + 1);
        match item.text.as_str() {
            _ if item.quoted => form.operands.push(Operand::Text(text(item))),
            "$" if next.is_none() => form.closed = true,
            "$" => {
                return Err(error(
                    item.offset,
                    "`$` stands only at the end of a pattern",
                    Some("quote it to mean a dollar"),
                ));
            }
            "..." => form.operands.push(Operand::Rest),
            "*" => form.operands.push(Operand::Any),
            "--" if !dashes => {
                dashes = true;
                form.operands.push(Operand::Dashes);
            }
            word if word.len() > 1 && word.starts_with('-') && !dashes => {
                check_value(&path, item, next.copied())?;
                form.options.push(option_pattern(item));
            }
            word => {
                path.push(word);
                form.operands.push(Operand::Text(text(item)));
            }
        }
    }
    Ok(form)
}

/// Returns the name and the value of a variable that a pattern sets: `LD_PRELOAD=*`.
fn assignment(item: &Item) -> Option<(Text, Text)> {
    let (name, value) = item.text.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with(|character: char| character.is_ascii_digit())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '*' | '?'));
    let part = |text: &str| Text { pattern: text.to_owned(), wild: glob::is_pattern(text) };
    is_name.then(|| (part(name), part(value)))
}

/// Refuses an operand that could only be the value of the option before it.
fn check_value(path: &[&str], item: &Item, next: Option<&Item>) -> Result<(), PatternError> {
    let Some(value) =
        next.filter(|next| next.quoted || !matches!(next.text.as_str(), "..." | "$") && !next.text.starts_with('-'))
    else {
        return Ok(());
    };
    if item.text.contains('=') || !option::takes_value(path, &item.text) {
        return Ok(());
    }
    let help = format!("write `{}={}`", item.text, value.text);
    Err(error(item.offset, format!("`{}` takes a value", item.text), Some(&help)))
}

fn option_pattern(item: &Item) -> OptionPattern {
    let long = item.text.starts_with("--");
    match item.text.split_once('=') {
        Some((name, value)) => {
            let value = Text { pattern: value.to_owned(), wild: glob::is_pattern(value) };
            OptionPattern::Valued(name.to_owned(), value)
        }
        None if long || glob::is_pattern(&item.text) => OptionPattern::Long(text(item)),
        None => OptionPattern::Letters(item.text.clone()),
    }
}

fn text(item: &Item) -> Text {
    let wild = glob::is_pattern(&item.text) && (!item.quoted || item.text.contains('\\'));
    Text { pattern: item.text.clone(), wild }
}
