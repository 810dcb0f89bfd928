//! The lexer for code of other languages: names, strings with their interpolations, and punctuation.
//!
//! Comments and regular expressions are skipped. Each character is read a bounded number of times.

use std::ops::Range;

use super::Language;
use crate::domain::shell::syntax::escape::decode_escapes;

/// A piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    /// A name that can only be a variable: `$x`.
    Variable(&'a str),
    Text(Vec<StringPart<'a>>),
    /// Text that the language itself passes to a shell: backquotes.
    Command(Vec<StringPart<'a>>),
    /// A pattern of file names: `<~/*>`.
    Glob(&'a str),
    /// Words without quotes: `qw(a b)`.
    Words(&'a str),
    /// A number or a regular expression, which is no text.
    Other,
    Punctuation(char),
    Newline,
}

/// A part of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StringPart<'a> {
    Text(String),
    /// An expression whose value is put in.
    Code(&'a str),
}

/// A token with its place.
pub(super) struct SpannedToken<'a> {
    pub(super) token: Token<'a>,
    /// Whether it follows the one before without a blank.
    pub(super) is_adjacent: bool,
    /// Where it is in the code, in bytes.
    pub(super) span: Range<usize>,
}

/// The longest pattern of file names.
const MAX_GLOB: usize = 1024;

/// The longest key after the name of a variable in a string.
const MAX_KEY: usize = 64;

/// Returns the tokens of a piece of code.
pub(super) fn tokenize(code: &str, language: Language) -> Vec<SpannedToken<'_>> {
    let mut lexer = Lexer {
        rest: code,
        language,
        tokens: Vec::new(),
        is_adjacent: false,
        previous: '\n',
        unclosed_brackets: String::new(),
    };
    while let Some(character) = lexer.rest.chars().next() {
        let (before, known) = (lexer.rest.len(), lexer.tokens.len());
        lexer.next_token(character);
        // Whatever a character was taken for, the next one is read after it.
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
    tokens: Vec<SpannedToken<'a>>,
    is_adjacent: bool,
    /// The character before the rest.
    previous: char,
    /// The brackets that do not close any more, so that they are looked for once.
    unclosed_brackets: String,
}

/// How values are put into a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interpolation {
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
    fn next_token(&mut self, character: char) {
        if character.is_whitespace() {
            self.skip(character.len_utf8());
            self.is_adjacent = false;
            if character == '\n' {
                self.push(Token::Newline);
                self.is_adjacent = false;
            }
        } else if self.skip_comment() {
            self.is_adjacent = false;
        } else if character.is_alphabetic()
            || character == '_'
            || (character == '$' && self.is_language(Language::JavaScript))
        {
            self.name();
        } else if character.is_ascii_digit() {
            let length = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
            self.skip(length);
            self.push(Token::Other);
        } else if matches!(character, '\'' | '"' | '`') {
            self.quoted_string(false, Interpolation::None);
        } else {
            self.punctuation(character);
        }
    }

    const fn is_language(&self, language: Language) -> bool {
        self.language as u8 == language as u8
    }

    fn push(&mut self, token: Token<'a>) {
        self.tokens.push(SpannedToken { token, is_adjacent: self.is_adjacent, span: 0..0 });
        self.is_adjacent = true;
    }

    fn skip(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.previous = taken.chars().next_back().unwrap_or(self.previous);
        self.rest = rest;
        taken
    }

    fn skip_comment(&mut self) -> bool {
        let line = match self.language {
            Language::JavaScript => &["//"][..],
            Language::Php => &["//", "#"],
            Language::Lua | Language::AppleScript => &["--"],
            Language::Lisp => &[";"],
            // In Perl it may be the delimiter of a pattern.
            Language::Perl if !self.previous.is_whitespace() && !";{}(,".contains(self.previous) => &[],
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
        let lisp = self.is_language(Language::Lisp);
        let script = self.is_language(Language::JavaScript);
        let inside =
            |c: char| c.is_alphanumeric() || c == '_' || (script && c == '$') || (lisp && "-/:!?*.<>=".contains(c));
        let length = self.rest.find(|c| !inside(c)).unwrap_or(self.rest.len());
        let name = self.rest.get(..length).unwrap_or_default();
        let next = self.rest.get(length..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let prefixed = matches!(self.language, Language::Python | Language::Ruby) && name.len() <= 2;
        if prefixed && matches!(next, '\'' | '"') && name.chars().all(|c| "rRbBfFuUcCsS".contains(c)) {
            self.skip(length);
            let splice = if name.contains(['f', 'F']) { Interpolation::Braces } else { Interpolation::None };
            self.quoted_string(name.contains(['r', 'R']), splice);
        } else if !(self.is_language(Language::Perl) && self.quote_operator(name, next)) {
            self.skip(length);
            self.push(Token::Name(name));
        }
    }

    /// Reads one of Perl's quotes and patterns: `qx(…)`, `q{…}`, `s/…/…/e`.
    fn quote_operator(&mut self, name: &str, next: char) -> bool {
        let after_dash = self.previous == '>' || self.previous == '{' && self.is_adjacent;
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
        let Some((first, behind)) = self.split_delimited(rest) else { return false };
        rest = behind;
        let mut second = None;
        if matches!(name, "s" | "tr" | "y") {
            let paired = closing_bracket(next) != next;
            let again =
                if paired { rest.trim_start() } else { open.get(first.len() + next.len_utf8()..).unwrap_or("") };
            let Some((replacement, behind)) = self.split_delimited(again) else { return false };
            second = Some(replacement);
            rest = behind;
        }
        let flags = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let has_code = second.is_some() && name == "s" && rest.get(..flags).is_some_and(|flags| flags.contains('e'));
        let length = self.rest.len() - rest.len() + if matches!(name, "q" | "qq" | "qx" | "qw") { 0 } else { flags };
        let token = match name {
            "q" => Token::Text(vec![StringPart::Text(first.to_owned())]),
            "qq" => Token::Text(split_interpolation(first, Interpolation::Sigil, false)),
            "qx" => Token::Command(split_interpolation(first, Interpolation::Sigil, false)),
            "qw" => Token::Words(first),
            _ => match second.filter(|_| has_code) {
                Some(code) => Token::Text(vec![StringPart::Code(code)]),
                None => Token::Other,
            },
        };
        self.skip(length);
        self.push(token);
        true
    }

    /// Reads a string. One that does not end where it must is no string.
    fn quoted_string(&mut self, raw: bool, splice: Interpolation) {
        let Some(quote) = self.rest.chars().next() else { return };
        let triple = quote.to_string().repeat(3);
        let close = if self.is_language(Language::Python) && self.rest.starts_with(&triple) {
            triple
        } else {
            quote.to_string()
        };
        let inside = self.rest.get(close.len()..).unwrap_or_default();
        let one_line = close.len() == 1
            && quote != '`'
            && matches!(self.language, Language::Python | Language::JavaScript | Language::Lua | Language::Awk);
        let symbol = quote == '\'' && self.is_language(Language::Lisp);
        let Some(end) = string_end(inside, &close, one_line).filter(|_| !symbol) else {
            self.skip(quote.len_utf8());
            self.push(Token::Punctuation(quote));
            return;
        };
        let text = inside.get(..end).unwrap_or_default();
        let splice = match (self.language, quote) {
            (Language::JavaScript, '`') => Interpolation::Dollar,
            (Language::Ruby, '"' | '`') => Interpolation::Hash,
            (Language::Perl | Language::Php, '"' | '`') => Interpolation::Sigil,
            _ => splice,
        };
        let parts = split_interpolation(text, splice, raw);
        let runs = quote == '`' && matches!(self.language, Language::Perl | Language::Ruby | Language::Php);
        self.skip(close.len() * 2 + end);
        self.push(if runs { Token::Command(parts) } else { Token::Text(parts) });
    }

    fn punctuation(&mut self, character: char) {
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
        } else if !(character == '%' && self.is_language(Language::Ruby) && self.percent_literal()
            || character == '<' && self.is_language(Language::Perl) && self.glob_pattern()
            || character == '/' && self.regular_expression())
        {
            self.skip(character.len_utf8());
            self.push(Token::Punctuation(character));
        }
    }

    /// Reads Ruby's `%x(…)`, `%w(…)`, `%q(…)`.
    fn percent_literal(&mut self) -> bool {
        let Some(kind) = self.rest.chars().nth(1).filter(|kind| "xwWqQi".contains(*kind)) else { return false };
        let open = self.rest.get(2..).unwrap_or_default();
        if open.starts_with(|c: char| c.is_alphanumeric() || c.is_whitespace()) {
            return false;
        }
        let Some((text, rest)) = self.split_delimited(open) else { return false };
        let length = self.rest.len() - rest.len();
        let token = match kind {
            'x' => Token::Command(split_interpolation(text, Interpolation::Hash, false)),
            'w' | 'W' | 'i' => Token::Words(text),
            _ => Token::Text(split_interpolation(text, Interpolation::Hash, false)),
        };
        self.skip(length);
        self.push(token);
        true
    }

    /// Reads Perl's `<~/*>`.
    fn glob_pattern(&mut self) -> bool {
        let is_end = |(at, c): (usize, char)| (c == '>' || c.is_whitespace() || at > MAX_GLOB).then_some(at);
        let Some(end) = self.rest.char_indices().skip(1).find_map(is_end) else { return false };
        let text = self.rest.get(1..end).unwrap_or_default();
        let closed = self.rest.get(end..).is_some_and(|rest| rest.starts_with('>'));
        let is_pattern = closed && text.contains(['*', '?', '~']) && !text.contains([';', '"', '\'']);
        if is_pattern {
            self.skip(text.len() + 2);
            self.push(Token::Glob(text));
        }
        is_pattern
    }

    fn split_delimited(&mut self, text: &'a str) -> Option<(&'a str, &'a str)> {
        let open = text.chars().next().filter(|open| !self.unclosed_brackets.contains(*open))?;
        let found = delimited(text);
        if found.is_none() {
            self.unclosed_brackets.push(open);
        }
        found
    }

    /// Skips a regular expression, where a value may begin.
    fn regular_expression(&mut self) -> bool {
        let has = matches!(self.language, Language::JavaScript | Language::Perl | Language::Ruby | Language::Awk);
        let behind_value = self.tokens.last().is_some_and(|last| {
            matches!(
                last.token,
                Token::Name(_)
                    | Token::Variable(_)
                    | Token::Text(_)
                    | Token::Other
                    | Token::Punctuation(')' | ']' | '}')
            )
        });
        if !has || behind_value {
            return false;
        }
        let Some(end) = string_end(self.rest.get(1..).unwrap_or_default(), "/", true) else { return false };
        self.skip(end + 2);
        self.push(Token::Other);
        true
    }
}

/// Returns where a string ends, if it does: on the same line, if it must.
fn string_end(text: &str, close: &str, one_line: bool) -> Option<usize> {
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

const fn closing_bracket(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// Returns what is between delimiters, and what follows.
fn delimited(text: &str) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    let close = closing_bracket(open);
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
fn split_interpolation(text: &str, splice: Interpolation, raw: bool) -> Vec<StringPart<'_>> {
    let plain = |text: &str| StringPart::Text(if raw { text.to_owned() } else { decode_escapes(text) });
    let mut parts = Vec::new();
    let mut rest = text;
    let marker = match splice {
        Interpolation::None => return vec![plain(text)],
        Interpolation::Braces => "{",
        Interpolation::Dollar => "${",
        Interpolation::Hash => "#{",
        Interpolation::Sigil => "$",
    };
    while let Some((before, behind)) = rest.split_once(marker) {
        if before.ends_with('\\') && splice != Interpolation::Braces {
            parts.push(plain(before.get(..before.len() - 1).unwrap_or_default()));
            parts.push(StringPart::Text(marker.to_owned()));
            rest = behind;
            continue;
        }
        if splice == Interpolation::Sigil {
            let length = variable_len(behind);
            // PHP may put braces around the whole: `{$x}`.
            let braced = before.ends_with('{') && behind.get(length..).is_some_and(|after| after.starts_with('}'));
            parts.push(plain(before.strip_suffix('{').filter(|_| braced).unwrap_or(before)));
            let from = rest.len() - behind.len() - 1;
            parts.push(match rest.get(from..from + 1 + length) {
                Some(code) if length > 0 => StringPart::Code(code),
                _ => StringPart::Text("$".to_owned()),
            });
            rest = behind.get(length + usize::from(braced)..).unwrap_or_default();
            continue;
        }
        parts.push(plain(before));
        if splice == Interpolation::Braces && behind.starts_with('{') {
            parts.push(StringPart::Text("{".to_owned()));
            rest = behind.get(1..).unwrap_or_default();
            continue;
        }
        let end = brace_end(behind);
        parts.push(StringPart::Code(behind.get(..end).unwrap_or_default()));
        rest = behind.get(end + 1..).unwrap_or_default();
    }
    parts.push(plain(rest));
    parts
}

/// Returns how long the expression after a `$` is.
fn variable_len(text: &str) -> usize {
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
fn brace_end(text: &str) -> usize {
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
