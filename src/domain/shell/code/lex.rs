//! Code of other languages taken apart: names, strings with what is put into them, and signs.
//!
//! Comments and regular expressions are stepped over. Each character is looked at a bounded number
//! of times.

use std::ops::Range;

use super::Language;
use crate::domain::shell::syntax::escape::decode;

/// A piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    /// A name that can only be a variable: `$x`.
    Variable(&'a str),
    Text(Vec<Part<'a>>),
    /// Text that the language itself hands to a shell: backquotes.
    Command(Vec<Part<'a>>),
    /// A pattern of file names: `<~/*>`.
    Pattern(&'a str),
    /// Words without quotes: `qw(a b)`.
    Words(&'a str),
    /// A number or a regular expression, which is no text.
    Other,
    Sign(char),
    Line,
}

/// A part of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Text(String),
    /// An expression whose value is put in.
    Code(&'a str),
}

/// A token with its place.
pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    /// Whether it follows the one before without a blank.
    pub(super) glued: bool,
    /// Where it stands in the code, in bytes.
    pub(super) span: Range<usize>,
}

/// The longest pattern of file names.
const MAX_PATTERN: usize = 1024;

/// The longest key behind the name of a variable in a string.
const MAX_KEY: usize = 64;

/// Returns the tokens of a piece of code.
pub(super) fn read(code: &str, language: Language) -> Vec<Placed<'_>> {
    let mut lexer =
        Lexer { rest: code, language, tokens: Vec::new(), glued: false, before: '\n', unclosed: String::new() };
    while let Some(character) = lexer.rest.chars().next() {
        let (before, known) = (lexer.rest.len(), lexer.tokens.len());
        lexer.one(character);
        // Whatever a character was taken for, the next one is looked at after it.
        if lexer.rest.len() == before {
            lexer.skip(character.len_utf8());
        }
        let span = code.len() - before..code.len() - lexer.rest.len();
        for placed in lexer.tokens.iter_mut().skip(known) {
            placed.span.clone_from(&span);
        }
    }
    lexer.tokens
}

struct Lexer<'a> {
    rest: &'a str,
    language: Language,
    tokens: Vec<Placed<'a>>,
    glued: bool,
    /// The character before the rest.
    before: char,
    /// The brackets that do not close any more, so that they are looked for once.
    unclosed: String,
}

/// How values are put into a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Splice {
    None,
    /// `{x}`
    Braces,
    /// `${x}`
    Dollar,
    /// `#{x}`
    Hash,
    /// `$x`, `${x}`, `$x{y}`
    Sigil,
}

impl<'a> Lexer<'a> {
    fn one(&mut self, character: char) {
        if character.is_whitespace() {
            self.skip(character.len_utf8());
            self.glued = false;
            if character == '\n' {
                self.push(Token::Line);
                self.glued = false;
            }
        } else if self.comment() {
            self.glued = false;
        } else if character.is_alphabetic() || character == '_' || (character == '$' && self.is(Language::JavaScript)) {
            self.name();
        } else if character.is_ascii_digit() {
            let length = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
            self.skip(length);
            self.push(Token::Other);
        } else if matches!(character, '\'' | '"' | '`') {
            self.quoted(false, Splice::None);
        } else {
            self.sign(character);
        }
    }

    const fn is(&self, language: Language) -> bool {
        self.language as u8 == language as u8
    }

    fn push(&mut self, token: Token<'a>) {
        self.tokens.push(Placed { token, glued: self.glued, span: 0..0 });
        self.glued = true;
    }

    fn skip(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.before = taken.chars().next_back().unwrap_or(self.before);
        self.rest = rest;
        taken
    }

    fn comment(&mut self) -> bool {
        let line = match self.language {
            Language::JavaScript => &["//"][..],
            Language::Php => &["//", "#"],
            Language::Lua | Language::AppleScript => &["--"],
            Language::Lisp => &[";"],
            // In Perl it may be the delimiter of a pattern.
            Language::Perl if !self.before.is_whitespace() && !";{}(,".contains(self.before) => &[],
            Language::Python | Language::Perl | Language::Ruby | Language::Awk => &["#"],
        };
        let block = match self.language {
            Language::JavaScript | Language::Php => Some(("/*", "*/")),
            Language::Lua => Some(("--[[", "]]")),
            _ => None,
        };
        if let Some((open, close)) = block
            && let Some(inside) = self.rest.strip_prefix(open)
        {
            let length = inside.find(close).map_or(inside.len(), |at| at + close.len());
            self.skip(open.len() + length);
            return true;
        }
        let found = line.iter().any(|marker| self.rest.starts_with(marker));
        if found {
            self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
        found
    }

    fn name(&mut self) {
        let lisp = self.is(Language::Lisp);
        let script = self.is(Language::JavaScript);
        let inside =
            |c: char| c.is_alphanumeric() || c == '_' || (script && c == '$') || (lisp && "-/:!?*.<>=".contains(c));
        let length = self.rest.find(|c| !inside(c)).unwrap_or(self.rest.len());
        let name = self.rest.get(..length).unwrap_or_default();
        let next = self.rest.get(length..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let prefixed = matches!(self.language, Language::Python | Language::Ruby) && name.len() <= 2;
        if prefixed && matches!(next, '\'' | '"') && name.chars().all(|c| "rRbBfFuUcCsS".contains(c)) {
            self.skip(length);
            let splice = if name.contains(['f', 'F']) { Splice::Braces } else { Splice::None };
            self.quoted(name.contains(['r', 'R']), splice);
        } else if !(self.is(Language::Perl) && self.operator(name, next)) {
            self.skip(length);
            self.push(Token::Name(name));
        }
    }

    /// Reads one of Perl's quotes and patterns: `qx(…)`, `q{…}`, `s/…/…/e`.
    fn operator(&mut self, name: &str, next: char) -> bool {
        let after_dash = self.before == '>' || self.before == '{' && self.glued;
        if !matches!(name, "q" | "qq" | "qx" | "qw" | "m" | "qr" | "s" | "tr" | "y")
            || next.is_whitespace()
            || ",;=)>-".contains(next)
            || next.is_alphanumeric()
            || after_dash
        {
            return false;
        }
        let Some(open) = self.rest.get(name.len()..) else { return false };
        let mut rest = open;
        let Some((first, behind)) = self.delimited(rest) else { return false };
        rest = behind;
        let mut second = None;
        if matches!(name, "s" | "tr" | "y") {
            let paired = closing(next) != next;
            let again =
                if paired { rest.trim_start() } else { open.get(first.len() + next.len_utf8()..).unwrap_or("") };
            let Some((replacement, behind)) = self.delimited(again) else { return false };
            second = Some(replacement);
            rest = behind;
        }
        let flags = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let has_code = second.is_some() && name == "s" && rest.get(..flags).is_some_and(|flags| flags.contains('e'));
        let length = self.rest.len() - rest.len() + if matches!(name, "q" | "qq" | "qx" | "qw") { 0 } else { flags };
        let token = match name {
            "q" => Token::Text(vec![Part::Text(first.to_owned())]),
            "qq" => Token::Text(parts(first, Splice::Sigil, false)),
            "qx" => Token::Command(parts(first, Splice::Sigil, false)),
            "qw" => Token::Words(first),
            _ => match second.filter(|_| has_code) {
                Some(code) => Token::Text(vec![Part::Code(code)]),
                None => Token::Other,
            },
        };
        self.skip(length);
        self.push(token);
        true
    }

    /// Reads a string. One that does not end where it must is no string.
    fn quoted(&mut self, raw: bool, splice: Splice) {
        let Some(quote) = self.rest.chars().next() else { return };
        let triple = quote.to_string().repeat(3);
        let close =
            if self.is(Language::Python) && self.rest.starts_with(&triple) { triple } else { quote.to_string() };
        let inside = self.rest.get(close.len()..).unwrap_or_default();
        let one_line = close.len() == 1
            && quote != '`'
            && matches!(self.language, Language::Python | Language::JavaScript | Language::Lua | Language::Awk);
        let symbol = quote == '\'' && self.is(Language::Lisp);
        let Some(end) = end_of(inside, &close, one_line).filter(|_| !symbol) else {
            self.skip(quote.len_utf8());
            self.push(Token::Sign(quote));
            return;
        };
        let text = inside.get(..end).unwrap_or_default();
        let splice = match (self.language, quote) {
            (Language::JavaScript, '`') => Splice::Dollar,
            (Language::Ruby, '"' | '`') => Splice::Hash,
            (Language::Perl | Language::Php, '"' | '`') => Splice::Sigil,
            _ => splice,
        };
        let parts = parts(text, splice, raw);
        let runs = quote == '`' && matches!(self.language, Language::Perl | Language::Ruby | Language::Php);
        self.skip(close.len() * 2 + end);
        self.push(if runs { Token::Command(parts) } else { Token::Text(parts) });
    }

    fn sign(&mut self, character: char) {
        let sigils = matches!(self.language, Language::Perl | Language::Php);
        if character == '\\' {
            self.skip(1 + self.rest.chars().nth(1).map_or(0, char::len_utf8));
            self.push(Token::Other);
        } else if sigils && matches!(character, '$' | '@') {
            self.skip(1);
            let length = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
            if length > 0 {
                let name = self.skip(length);
                self.push(Token::Variable(name));
            }
        } else if !(character == '%' && self.is(Language::Ruby) && self.percent()
            || character == '<' && self.is(Language::Perl) && self.pattern()
            || character == '/' && self.expression())
        {
            self.skip(character.len_utf8());
            self.push(Token::Sign(character));
        }
    }

    /// Reads Ruby's `%x(…)`, `%w(…)`, `%q(…)`.
    fn percent(&mut self) -> bool {
        let Some(kind) = self.rest.chars().nth(1).filter(|kind| "xwWqQi".contains(*kind)) else { return false };
        let open = self.rest.get(2..).unwrap_or_default();
        if open.starts_with(|c: char| c.is_alphanumeric() || c.is_whitespace()) {
            return false;
        }
        let Some((text, rest)) = self.delimited(open) else { return false };
        let length = self.rest.len() - rest.len();
        let token = match kind {
            'x' => Token::Command(parts(text, Splice::Hash, false)),
            'w' | 'W' | 'i' => Token::Words(text),
            _ => Token::Text(parts(text, Splice::Hash, false)),
        };
        self.skip(length);
        self.push(token);
        true
    }

    /// Reads Perl's `<~/*>`.
    fn pattern(&mut self) -> bool {
        let is_end = |(at, c): (usize, char)| (c == '>' || c.is_whitespace() || at > MAX_PATTERN).then_some(at);
        let Some(end) = self.rest.char_indices().skip(1).find_map(is_end) else { return false };
        let text = self.rest.get(1..end).unwrap_or_default();
        let closed = self.rest.get(end..).is_some_and(|rest| rest.starts_with('>'));
        let is_pattern = closed && text.contains(['*', '?', '~']) && !text.contains([';', '"', '\'']);
        if is_pattern {
            self.skip(text.len() + 2);
            self.push(Token::Pattern(text));
        }
        is_pattern
    }

    fn delimited(&mut self, text: &'a str) -> Option<(&'a str, &'a str)> {
        let open = text.chars().next().filter(|open| !self.unclosed.contains(*open))?;
        let found = delimited(text);
        if found.is_none() {
            self.unclosed.push(open);
        }
        found
    }

    /// Steps over a regular expression, where a value may begin.
    fn expression(&mut self) -> bool {
        let has = matches!(self.language, Language::JavaScript | Language::Perl | Language::Ruby | Language::Awk);
        let behind_value = self.tokens.last().is_some_and(|last| {
            matches!(
                last.token,
                Token::Name(_) | Token::Variable(_) | Token::Text(_) | Token::Other | Token::Sign(')' | ']' | '}')
            )
        });
        if !has || behind_value {
            return false;
        }
        let Some(end) = end_of(self.rest.get(1..).unwrap_or_default(), "/", true) else { return false };
        self.skip(end + 2);
        self.push(Token::Other);
        true
    }
}

/// Returns where a string ends, if it does: on the same line, if it must.
fn end_of(text: &str, close: &str, one_line: bool) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if !escaped && text.get(at..).is_some_and(|rest| rest.starts_with(close)) {
            return Some(at);
        }
        if one_line && character == '\n' && !escaped {
            return None;
        }
        escaped = character == '\\' && !escaped;
    }
    None
}

const fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// Returns what stands between delimiters, and what follows.
fn delimited(text: &str) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    let close = closing(open);
    let inside = text.get(open.len_utf8()..)?;
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, character) in inside.char_indices() {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == close && depth == 0 {
            return Some((inside.get(..at)?, inside.get(at + close.len_utf8()..)?));
        } else if character == close {
            depth -= 1;
        } else if character == open {
            depth += 1;
        }
    }
    None
}

/// Takes a string apart at the values that are put into it.
fn parts(text: &str, splice: Splice, raw: bool) -> Vec<Part<'_>> {
    let plain = |text: &str| Part::Text(if raw { text.to_owned() } else { decode(text) });
    let mut parts = Vec::new();
    let mut rest = text;
    let marker = match splice {
        Splice::None => return vec![plain(text)],
        Splice::Braces => "{",
        Splice::Dollar => "${",
        Splice::Hash => "#{",
        Splice::Sigil => "$",
    };
    while let Some((before, behind)) = rest.split_once(marker) {
        if before.ends_with('\\') && splice != Splice::Braces {
            parts.push(plain(before.get(..before.len() - 1).unwrap_or_default()));
            parts.push(Part::Text(marker.to_owned()));
            rest = behind;
            continue;
        }
        if splice == Splice::Sigil {
            let length = variable(behind);
            // PHP may put braces around the whole: `{$x}`.
            let braced = before.ends_with('{') && behind.get(length..).is_some_and(|after| after.starts_with('}'));
            parts.push(plain(before.strip_suffix('{').filter(|_| braced).unwrap_or(before)));
            let from = rest.len() - behind.len() - 1;
            parts.push(match rest.get(from..from + 1 + length) {
                Some(code) if length > 0 => Part::Code(code),
                _ => Part::Text("$".to_owned()),
            });
            rest = behind.get(length + usize::from(braced)..).unwrap_or_default();
            continue;
        }
        parts.push(plain(before));
        if splice == Splice::Braces && behind.starts_with('{') {
            parts.push(Part::Text("{".to_owned()));
            rest = behind.get(1..).unwrap_or_default();
            continue;
        }
        let end = balanced(behind);
        parts.push(Part::Code(behind.get(..end).unwrap_or_default()));
        rest = behind.get(end + 1..).unwrap_or_default();
    }
    parts.push(plain(rest));
    parts
}

/// Returns how long the expression behind a `$` is.
fn variable(text: &str) -> usize {
    let find = |text: &str, close: char| text.char_indices().take(MAX_KEY).find(|(_, c)| *c == close).map(|(at, _)| at);
    if text.starts_with('{') {
        return find(text, '}').map_or(0, |at| at + 1);
    }
    let name = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let behind = text.get(name..).unwrap_or_default();
    let index = match behind.chars().next() {
        Some('{') => find(behind, '}'),
        Some('[') => find(behind, ']'),
        _ => None,
    };
    if name == 0 { 0 } else { name + index.map_or(0, |at| at + 1) }
}

/// Returns where the brace ends that a value is put in by.
fn balanced(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            '{' => depth += 1,
            _ => {}
        }
    }
    text.len()
}
