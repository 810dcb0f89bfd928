//! The parser of patterns: words, groups and alternatives, and their errors.
//!
//! Alternatives are expanded while parsing, so that matching needs no search through groups. Every error is found
//! here,
//! with its position: a parsed pattern can be matched against anything.

use std::iter::Peekable;
use std::str::CharIndices;

use super::{OperandPattern, OptionPattern, PatternAlternative, PatternError, WordPattern};
use crate::domain::shell::{arguments, glob};

/// The most choices that the alternatives of a stage may come to.
const MAX_ALTERNATIVES: usize = 512;

/// The deepest nesting of groups.
const MAX_DEPTH: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    Pipe,
    Word(PatternWord),
}

/// A word of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PatternWord {
    offset: usize,
    /// The text with quotes taken off and what was quoted escaped.
    text: String,
    quoted: bool,
}

/// Returns the stages of a pattern, each with its choices.
pub(super) fn parse_stages(text: &str) -> Result<Vec<Vec<PatternAlternative>>, PatternError> {
    let tokens = tokenize(text)?;
    if tokens.is_empty() {
        return Err(pattern_error(0, "the pattern is empty", Some("use a command, such as `git push --force`")));
    }
    let mut reader = PatternParser { tokens: &tokens, end: text.len() };
    let mut stages = Vec::new();
    loop {
        let choices = reader.sequence(0)?;
        stages.push(
            choices
                .iter()
                .map(|items| build_alternative(items))
                .collect::<Result<Vec<PatternAlternative>, PatternError>>()?,
        );
        match reader.next() {
            None => return Ok(stages),
            Some((_, Token::Pipe)) => {}
            Some((offset, _)) => return Err(pattern_error(offset, "`)` without `(`", None)),
        }
    }
}

fn pattern_error(offset: usize, message: impl Into<String>, help: Option<&str>) -> PatternError {
    PatternError { offset, message: message.into(), help: help.map(str::to_owned) }
}

fn tokenize(text: &str) -> Result<Vec<(usize, Token)>, PatternError> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((offset, character)) = rest.peek().copied() {
        let single = match character {
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            '|' => Some(Token::Pipe),
            _ => None,
        };
        if let Some(token) = single {
            rest.next();
            tokens.push((offset, token));
        } else if character.is_whitespace() {
            rest.next();
        } else {
            let item = read_word(offset, &mut rest)?;
            if rest.peek().is_some_and(|(_, next)| *next == '(') {
                let help = "a group must be a separate word, such as `git (push | pull)`";
                return Err(pattern_error(offset, "missing space before `(`", Some(help)));
            }
            if tokens.last().is_some_and(|(at, token)| *token == Token::Close && at + 1 == offset) {
                return Err(pattern_error(offset, "missing space after `)`", None));
            }
            tokens.push((offset, Token::Word(item)));
        }
    }
    Ok(tokens)
}

fn read_word(offset: usize, rest: &mut Peekable<CharIndices<'_>>) -> Result<PatternWord, PatternError> {
    let mut item = PatternWord { offset, text: String::new(), quoted: false };
    while let Some((at, character)) = rest.peek().copied() {
        if character.is_whitespace() || matches!(character, '(' | ')' | '|') {
            break;
        }
        rest.next();
        match character {
            '\'' | '"' => {
                item.quoted = true;
                read_quoted(character, rest, &mut item.text)
                    .ok_or_else(|| pattern_error(at, "unclosed quote", None))?;
            }
            ';' | '&' | '<' | '>' => {
                let help = match character {
                    '<' | '>' => "use `files` to match redirections, or quote the character to match it literally",
                    _ => "use a list of patterns for alternatives, or quote the character to match it literally",
                };
                return Err(pattern_error(
                    at,
                    format!("`{character}` is not allowed: a pattern describes one command"),
                    Some(help),
                ));
            }
            _ => item.text.push(character),
        }
    }
    Ok(item)
}

/// Reads up to the closing quote; what is there means itself.
fn read_quoted(quote: char, rest: &mut Peekable<CharIndices<'_>>, text: &mut String) -> Option<()> {
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

struct PatternParser<'a> {
    tokens: &'a [(usize, Token)],
    end: usize,
}

impl<'a> PatternParser<'a> {
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
    fn sequence(&mut self, depth: usize) -> Result<Vec<Vec<&'a PatternWord>>, PatternError> {
        let start = self.offset();
        let mut choices: Vec<Vec<&PatternWord>> = vec![Vec::new()];
        let mut empty = true;
        loop {
            let offset = self.offset();
            match self.peek() {
                Some(Token::Word(item)) => choices.iter_mut().for_each(|choice| choice.push(item)),
                Some(Token::Open) if depth < MAX_DEPTH => {
                    self.next();
                    choices = cross_product(&choices, &self.group(offset, depth)?);
                    if choices.len() > MAX_ALTERNATIVES {
                        return Err(pattern_error(
                            offset,
                            "too many alternatives",
                            Some("split it into a list of patterns"),
                        ));
                    }
                    empty = false;
                    continue;
                }
                Some(Token::Open) => return Err(pattern_error(offset, "groups are nested too deeply", None)),
                _ if empty => return Err(pattern_error(start, "expected a word", None)),
                _ => return Ok(choices),
            }
            empty = false;
            self.next();
        }
    }

    /// Reads the alternatives of a group and its `)`.
    fn group(&mut self, open: usize, depth: usize) -> Result<Vec<Vec<&'a PatternWord>>, PatternError> {
        let mut choices = Vec::new();
        loop {
            choices.extend(self.sequence(depth + 1)?);
            match self.next() {
                Some((_, Token::Pipe)) => {}
                Some((_, Token::Close)) => return Ok(choices),
                _ => return Err(pattern_error(open, "`(` without `)`", None)),
            }
        }
    }
}

fn cross_product<'a>(left: &[Vec<&'a PatternWord>], right: &[Vec<&'a PatternWord>]) -> Vec<Vec<&'a PatternWord>> {
    let pairs = left.iter().flat_map(|start| right.iter().map(move |end| [start.as_slice(), end].concat()));
    pairs.take(MAX_ALTERNATIVES + 1).collect()
}

/// Turns the words of one choice into what they ask for.
fn build_alternative(items: &[&PatternWord]) -> Result<PatternAlternative, PatternError> {
    let before = items.iter().take_while(|item| parse_assignment(item).is_some()).count();
    let (set, items) = items.split_at_checked(before).unwrap_or((items, &[]));
    let Some((program, rest)) = items.split_first() else {
        let Some(only) = set.first() else { return Err(pattern_error(0, "the pattern is empty", None)) };
        let help = format!("use `{} *` for any command with this variable", only.text);
        return Err(pattern_error(only.offset, "missing command after a variable", Some(&help)));
    };
    if !program.quoted && (program.text.starts_with('-') || matches!(program.text.as_str(), "..." | "$")) {
        let help = "put the program first, or `*` for any program";
        return Err(pattern_error(
            program.offset,
            format!("a pattern can't start with `{}`", program.text),
            Some(help),
        ));
    }
    let assignments = set.iter().filter_map(|item| parse_assignment(item)).collect();
    let mut form = PatternAlternative {
        assignments,
        program: word_pattern(program),
        options: Vec::new(),
        operands: Vec::new(),
        closed: false,
    };
    let mut path = vec![program.text.as_str()];
    let mut dashes = false;
    for (at, item) in rest.iter().enumerate() {
        let next = rest.get(at + 1);
        match item.text.as_str() {
            _ if item.quoted => form.operands.push(OperandPattern::Text(word_pattern(item))),
            "$" if next.is_none() => form.closed = true,
            "$" => {
                return Err(pattern_error(
                    item.offset,
                    "`$` is only allowed at the end of a pattern",
                    Some("quote it to match a dollar sign"),
                ));
            }
            "..." => form.operands.push(OperandPattern::Rest),
            "*" => form.operands.push(OperandPattern::Any),
            "--" if !dashes => {
                dashes = true;
                form.operands.push(OperandPattern::Dashes);
            }
            word if word.len() > 1 && word.starts_with('-') && !dashes => {
                check_option_value(&path, item, next.copied())?;
                form.options.push(parse_option_pattern(item));
            }
            word => {
                path.push(word);
                form.operands.push(OperandPattern::Text(word_pattern(item)));
            }
        }
    }
    Ok(form)
}

/// Returns the name and the value of a variable that a pattern sets: `LD_PRELOAD=*`.
fn parse_assignment(item: &PatternWord) -> Option<(WordPattern, WordPattern)> {
    let (name, value) = item.text.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with(|character: char| character.is_ascii_digit())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '*' | '?'));
    let part = |text: &str| WordPattern { pattern: text.to_owned(), wild: glob::is_pattern(text) };
    is_name.then(|| (part(name), part(value)))
}

/// Refuses an operand that could only be the value of the option before it.
fn check_option_value(path: &[&str], item: &PatternWord, next: Option<&PatternWord>) -> Result<(), PatternError> {
    let Some(value) =
        next.filter(|next| next.quoted || !matches!(next.text.as_str(), "..." | "$") && !next.text.starts_with('-'))
    else {
        return Ok(());
    };
    if item.text.contains('=') || !arguments::takes_value(path, &item.text) {
        return Ok(());
    }
    let help = format!("write `{}={}`", item.text, value.text);
    Err(pattern_error(item.offset, format!("`{}` takes a value", item.text), Some(&help)))
}

fn parse_option_pattern(item: &PatternWord) -> OptionPattern {
    let long = item.text.starts_with("--");
    match item.text.split_once('=') {
        Some((name, value)) => {
            let value = WordPattern { pattern: value.to_owned(), wild: glob::is_pattern(value) };
            OptionPattern::Valued(name.to_owned(), value)
        }
        None if long || glob::is_pattern(&item.text) => OptionPattern::Long(word_pattern(item)),
        None => OptionPattern::Letters(item.text.clone()),
    }
}

fn word_pattern(item: &PatternWord) -> WordPattern {
    let wild = glob::is_pattern(&item.text) && (!item.quoted || item.text.contains('\\'));
    WordPattern { pattern: item.text.clone(), wild }
}
