//! Assignments in all notations: one reader of *name, operator, value* for every language.
//!
//! From a position inside a name it finds the end of the name, the operator, and the value. It knows `NAME=v`,
//! `name: v`, `"name": "v"`, `name := "v"`, `name => "v"`, `name <- "v"`, `name ?= v`, typed declarations
//! (`let name: &str = "v"`), indexed ones (`env["NAME"] = "v"`), calls (`setName("v")`, `put("name", "v")`,
//! `SecretStr("v")` as a value), fallbacks (`get("NAME") || "v"`, `${NAME:-v}`), options (`--name v`), `ENV NAME v`,
//! SQL
//! (`IDENTIFIED BY 'v'`), headers (`Name: Bearer v`), elements (`<name>v</name>`) and attributes (`name="v"`,
//! `key="name" value="v"`), arguments (`setx NAME v`, `NAME --body v`, `NAME <<< v`) and cells (`| NAME | v |`).
//! Values that stand further away are read by `distant`. Every loop is bounded.

mod distant;

use std::ops::Range;

pub(super) use distant::column_cells;

/// An assignment of a value to a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The whole name.
    pub name: Range<usize>,
    /// The value, without quotation marks.
    pub value: Range<usize>,
    /// Whether it is between quotation marks or tags.
    pub quoted: bool,
    /// What connects it to the name.
    pub notation: Notation,
}

/// What connects a value to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// An operator, a call, quotation marks or tags: nothing else can be meant.
    Operator,
    /// A blank, a comma or a slash: most words beside a name are no value of it.
    Beside,
    /// A body, a block or the next line.
    Distant,
}

/// The maximum length of a name on either side of its keyword, in bytes.
const MAX_NAME: usize = 48;

/// The maximum length of a value, in bytes; longer ones are data: a picture, a font, a page of minified code.
pub(super) const MAX_VALUE: usize = 4096;

/// The length from which a value must be one token, in bytes: a web token or an encoded key, and not text.
const LONG_VALUE: usize = 1024;

/// Words between a header's name and its value.
const AUTH_SCHEMES: &[&[u8]] = &[b"bearer ", b"token ", b"apikey ", b"api-key ", b"key ", b"token="];

/// Returns the assignment to the name around `keyword`.
pub(super) fn parse(text: &[u8], keyword: Range<usize>) -> Option<Assignment> {
    let name = name_span(text, &keyword);
    // A part of a longer name: `AWS::IAM::AccessKey`, `arn:aws:secretsmanager:eu-west-1:1:secret:x`.
    let before = text.get(name.start.saturating_sub(2)..name.start).unwrap_or_default();
    let goes_on = matches!(text.get(name.end..), Some([b':', sign, ..]) if !sign.is_ascii_whitespace());
    if before == b"::" || before.ends_with(b":") && goes_on {
        return None;
    }
    let mut reader = AssignmentReader { text, at: name.end, notation: Notation::Operator };
    let (value, quoted) = reader.value_after_name(&name)?;
    let value = trim_marks(text, value);
    let fits = !value.is_empty() && value.len() <= MAX_VALUE;
    fits.then_some(Assignment { name, value, quoted, notation: reader.notation })
}

/// Returns a value without the marks of a second pair of quotation marks, as in `'"v"'`.
fn trim_marks(text: &[u8], value: Range<usize>) -> Range<usize> {
    let inner = text.get(value.clone()).unwrap_or_default();
    let mark = inner.iter().copied().find(|byte| *byte != b'\\').filter(|byte| matches!(byte, b'"' | b'\''));
    let is_mark = |byte: &&u8| Some(**byte) == mark || **byte == b'\\';
    if mark.is_none() || inner.iter().rev().copied().find(|byte| *byte != b'\\') != mark {
        return value;
    }
    let left = inner.iter().take(4).take_while(is_mark).count();
    let right = inner.iter().rev().take(4).take_while(is_mark).count();
    value.start + left..(value.end - right).max(value.start + left)
}

/// Returns the name around a keyword.
pub(super) fn name_span(text: &[u8], keyword: &Range<usize>) -> Range<usize> {
    let before = text.get(keyword.start.saturating_sub(MAX_NAME)..keyword.start).unwrap_or_default();
    let start = keyword.start - before.iter().rev().take_while(|byte| is_name_byte(**byte)).count();
    let rest = text.get(keyword.end..).unwrap_or_default();
    let end = keyword.end + rest.iter().take(MAX_NAME).take_while(|byte| is_name_byte(**byte)).count();
    start..end
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

struct AssignmentReader<'t> {
    text: &'t [u8],
    at: usize,
    notation: Notation,
}

impl AssignmentReader<'_> {
    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> u8 {
        self.rest().first().copied().unwrap_or(0)
    }

    fn eat(&mut self, expected: &[u8]) -> bool {
        let begins = self.rest().get(..expected.len()).is_some_and(|found| found.eq_ignore_ascii_case(expected));
        if begins {
            self.at += expected.len();
        }
        begins
    }

    /// Skips at most `most` bytes while they match; returns their number.
    fn skip_while(&mut self, most: usize, holds: impl Fn(u8) -> bool) -> usize {
        let count = self.rest().iter().take(most).take_while(|byte| holds(**byte)).count();
        self.at += count;
        count
    }

    fn skip_blanks(&mut self) -> usize {
        self.skip_while(16, |byte| matches!(byte, b' ' | b'\t'))
    }

    fn opening_quote(&mut self) -> Option<(u8, usize)> {
        let start = self.at;
        let slashes = self.skip_while(3, |byte| byte == b'\\');
        let quote = self.peek();
        if matches!(quote, b'"' | b'\'' | b'`') {
            self.at += 1;
            return Some((quote, slashes));
        }
        self.at = start;
        None
    }

    fn value_after_name(&mut self, name: &Range<usize>) -> Option<(Range<usize>, bool)> {
        let option = self.text.get(name.start..name.end).is_some_and(|name| name.starts_with(b"-"));
        let variable = name.start >= 2 && self.text.get(name.start - 2..name.start) == Some(b"${");
        let attribute = self.opening_quote().is_some();
        self.skip_while(1, |byte| byte == b']');
        // A character array: `char name[] =`, `char name[32] =`.
        if self.peek() == b'[' && self.rest().iter().take(8).skip(1).find(|byte| !byte.is_ascii_digit()) == Some(&b']')
        {
            self.skip_while(8, |byte| byte == b'[' || byte.is_ascii_digit());
            self.at += 1;
        }
        if variable {
            return (self.eat(b":-") || self.eat(b":=") || self.eat(b"-")).then(|| self.bare_value(b"}")).flatten();
        }
        if self.eat(b"</") {
            return self.next_element();
        }
        if attribute {
            self.skip_attributes(name.start);
        }
        if self.eat(b">") {
            return self.element_text();
        }
        let spaced = self.skip_blanks();
        if attribute && (self.eat(b"value=") || self.eat(b"content=")) {
            return self.quoted_string();
        }
        self.skip_accessors();
        self.skip_type();
        if self.skip_operator() {
            self.skip_blanks();
            self.skip_line_end();
            return self.value(name);
        }
        if self.skip_comparison() {
            return self.quoted_string();
        }
        match self.peek() {
            // The next line of a list of variables: `name: NAME` and `value: v` below it.
            b'\n' if self.next_line_is_value() => self.value(name),
            b'(' => self.argument_or_returned(),
            b'{' if attribute => self.block_default(),
            // After a comma the next line is the next item of a list.
            b',' | b'|' => {
                self.at += 1;
                self.skip_while(16, |byte| byte == b' ' || byte == b'=');
                self.quoted_string().or_else(|| self.word_beside())
            }
            b'/' if name.start > 0 && self.text.get(name.start - 1) == Some(&b'/') => {
                self.at += 1;
                self.notation = Notation::Beside;
                self.bare_value(b"/?")
            }
            _ if spaced == 0 => None,
            b'"' | b'\'' | b'\\' => self.quoted_string(),
            _ if option => self.bare_value(b""),
            _ if self.eat(b"by ") || self.is_env_line(name.start) => self.value(name),
            _ => {
                let _ = self.eat(b"is ") || self.eat(b"was ") || self.eat(b"to ");
                self.skip_argument_option();
                self.quoted_string().or_else(|| self.word_beside())
            }
        }
    }

    /// Skips the accessors of a property in C#, before its first value.
    fn skip_accessors(&mut self) {
        if self.eat(b"{ get;") {
            self.skip_while(24, |byte| byte != b'}');
            self.at += 1;
            self.skip_blanks();
        }
    }

    /// Reads a value without quotes that may be any word.
    fn word_beside(&mut self) -> Option<(Range<usize>, bool)> {
        self.notation = Notation::Beside;
        self.bare_value(b"")
    }

    /// Skips the option or the operator with which a command takes the value of a name before it.
    fn skip_argument_option(&mut self) {
        const OPTIONS: &[&[u8]] = &[b"--body", b"-b", b"--value", b"--plaintext", b"<<<", b"-v"];
        if OPTIONS.iter().any(|option| self.eat(option)) {
            self.skip_while(2, |byte| byte == b'=' || byte == b' ');
        }
    }

    /// Skips the end of the line, where a value may follow on the next one.
    fn skip_line_end(&mut self) {
        let start = self.at;
        self.skip_while(2, |byte| matches!(byte, b'(' | b'\\' | b'\r'));
        if self.peek() == b'\n' {
            self.at += 1;
            self.skip_while(32, |byte| matches!(byte, b' ' | b'\t'));
            self.notation = Notation::Distant;
        } else {
            self.at = start;
        }
    }

    fn next_line_is_value(&mut self) -> bool {
        self.at += 1;
        self.skip_blanks();
        self.eat(b"value: ")
    }

    /// Returns whether the name is the first of a line of a Dockerfile that sets a variable.
    fn is_env_line(&self, name: usize) -> bool {
        let before = self.text.get(name.saturating_sub(4)..name).unwrap_or_default();
        before.eq_ignore_ascii_case(b"env ")
    }

    /// Skips a type between a name and its `=`.
    fn skip_type(&mut self) {
        let start = self.at;
        let in_type = |byte: u8| byte.is_ascii_alphanumeric() || b"_<>&'?.[]|".contains(&byte);
        if self.peek() == b':' && !matches!(self.rest().get(1), Some(b'=')) {
            self.at += 1;
            self.skip_while(1, |byte| byte == b':');
        }
        self.skip_blanks();
        if self.peek().is_ascii_alphabetic() || self.peek() == b'&' || self.peek() == b'*' {
            self.skip_while(2, |byte| byte == b'&' || byte == b'*');
            for _ in 0..3 {
                self.skip_while(32, in_type);
                self.skip_blanks();
            }
            let behind = self.rest().get(1).copied().unwrap_or(b'\n');
            // Base64 ends in this character as well, but not before a blank or a quotation mark and more text.
            if self.peek() == b'=' && matches!(behind, b' ' | b'"' | b'\'') {
                return;
            }
        }
        self.at = start;
    }

    /// Skips an operator that compares; what is compared with a secret is one, if it can be nothing else.
    fn skip_comparison(&mut self) -> bool {
        let found = [b"===".as_slice(), b"!==", b"==", b"!="].iter().any(|operator| self.eat(operator));
        if found {
            self.notation = Notation::Beside;
            self.skip_blanks();
        }
        found
    }

    fn skip_operator(&mut self) -> bool {
        const COMPARISONS: &[&[u8]] = &[b"==", b"=~", b"::"];
        const OPERATORS: &[&[u8]] = &[b":=", b"=>", b"->", b"<-", b"?=", b"||=", b"??=", b"+=", b".=", b"=", b":"];
        if self.eat(b"::=") {
            return true;
        }
        let comparison = COMPARISONS.iter().any(|operator| self.rest().starts_with(operator));
        !comparison && OPERATORS.iter().any(|operator| self.eat(operator))
    }

    fn value(&mut self, name: &Range<usize>) -> Option<(Range<usize>, bool)> {
        self.skip_decorations();
        if let Some(found) = self.quoted_string() {
            return Some(found);
        }
        if let Some(found) = self.yaml_block().or_else(|| self.environment_value(name)) {
            return Some(found);
        }
        if self.peek() == b'(' {
            return self.argument_or_returned();
        }
        let start = self.at;
        // A call or a path: only a string inside it or after it counts.
        let words = self.skip_while(96, |byte| byte.is_ascii_alphanumeric() || b"_.:&".contains(&byte));
        if words > 0 && self.eat(b"(") {
            self.skip_blanks();
            let asks = self.text.get(start..self.at).is_some_and(is_lookup_call);
            let first = self.quoted_string();
            return if asks { self.fallback_value() } else { first };
        }
        if let Some(found) = self.fallback_after_call(start) {
            return Some(found);
        }
        self.at = start;
        self.skip_auth_scheme();
        self.skip_unknown_scheme(name);
        self.bare_value(b"")
    }

    /// Skips a scheme that no table knows, between the name of a header and a token.
    fn skip_unknown_scheme(&mut self, name: &Range<usize>) {
        let header = self.text.get(name.clone()).unwrap_or_default().to_ascii_lowercase();
        // What follows `Basic` has a search of its own.
        if !header.ends_with(b"authorization")
            || self.rest().get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"basic "))
        {
            return;
        }
        let start = self.at;
        let word = self.skip_while(16, |byte| byte.is_ascii_alphabetic() || byte == b'-');
        if word == 0 || self.skip_blanks() != 1 || !self.peek().is_ascii_alphanumeric() {
            self.at = start;
        }
    }

    /// Reads the rest of a line `NAME=v`, where every character belongs to the value.
    fn environment_value(&mut self, name: &Range<usize>) -> Option<(Range<usize>, bool)> {
        let before = self.text.get(name.start.saturating_sub(8)..name.start).unwrap_or_default();
        let word = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let begins = name.start == word.len() || word.len() < before.len();
        if !(begins && (word.is_empty() || word == b"export ")) || self.text.get(name.end) != Some(&b'=') {
            return None;
        }
        let (start, at) = (name.end + 1, self.at);
        let len = self.rest().iter().take(LONG_VALUE).take_while(|byte| byte.is_ascii_graphic()).count();
        let ends = self.rest().get(len).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        let plain = |byte: &u8| !b"\"'`\\$;&|".contains(byte);
        let whole = self.rest().get(..len).is_some_and(|value| value.iter().all(plain) && !value.starts_with(b"#"));
        let opened = self.rest().get(..len).is_some_and(|value| value.iter().any(|byte| b"([{<>}])".contains(byte)));
        (start == at && ends && whole && opened).then_some((at..at + len, false))
    }

    /// Skips what may precede a value: tags and anchors of YAML, string prefixes, `new`, a reference.
    fn skip_decorations(&mut self) {
        for _ in 0..2 {
            if matches!(self.peek(), b'!' | b'&') {
                self.skip_while(32, |byte| !byte.is_ascii_whitespace() && byte != b'"' && byte != b'\'');
                self.skip_blanks();
            }
        }
        let _ = self.eat(b"new ") || self.eat(b"[]");
        let marks = self.rest().iter().take(2).take_while(|byte| b"bBrRuUfFL@$".contains(byte)).count();
        if marks > 0 && matches!(self.rest().get(marks), Some(b'"' | b'\'')) {
            self.at += marks;
        }
    }

    fn skip_auth_scheme(&mut self) {
        let _ = AUTH_SCHEMES.iter().any(|scheme| self.eat(scheme));
    }

    /// Reads a quoted string on one line.
    fn quoted_string(&mut self) -> Option<(Range<usize>, bool)> {
        let (quote, slashes) = self.opening_quote()?;
        let triple = self.rest().starts_with(&[quote, quote]);
        if triple {
            self.at += 2;
            self.skip_while(1, |byte| byte == b'\n');
        }
        self.skip_auth_scheme();
        let start = self.at;
        let ends = |at: usize, byte: u8| {
            byte == quote
                && self.text.get(at.saturating_sub(slashes)..at).is_some_and(|it| it.iter().all(|b| *b == b'\\'))
        };
        let mut escaped = false;
        for (byte, at) in self.rest().iter().take(MAX_VALUE + 1).zip(start..) {
            if *byte == b'\n' {
                return triple.then_some((start..at, true));
            }
            if at - start > LONG_VALUE && !is_token_byte(*byte) && !ends(at, *byte) {
                return None;
            }
            if ends(at, *byte) && (slashes > 0 || !escaped) {
                return Some((start..at - slashes, true));
            }
            escaped = *byte == b'\\' && !escaped;
        }
        None
    }

    /// Reads the first line of a block of YAML.
    fn yaml_block(&mut self) -> Option<(Range<usize>, bool)> {
        let start = self.at;
        if matches!(self.peek(), b'|' | b'>') {
            self.at += 1;
            self.skip_while(2, |byte| matches!(byte, b'-' | b'+'));
            if self.eat(b"\n") && self.skip_while(32, |byte| byte == b' ') > 0 {
                return self.bare_value(b"").map(|(value, _)| (value, true));
            }
        }
        self.at = start;
        None
    }

    /// Reads a string that is the last argument of a call, as `get("NAME", "v")`, or follows the call.
    fn fallback_value(&mut self) -> Option<(Range<usize>, bool)> {
        self.skip_blanks();
        if self.eat(b",") {
            self.skip_blanks();
            return self.quoted_string();
        }
        self.eat(b")");
        let at = self.at;
        self.fallback_after_call(at)
    }

    fn fallback_after_call(&mut self, start: usize) -> Option<(Range<usize>, bool)> {
        self.skip_while(2, |byte| byte == b')');
        self.skip_blanks();
        let falls = [b"|| ".as_slice(), b"?? ", b"or ", b"?: "].iter().any(|operator| self.eat(operator));
        if falls && self.at > start { self.quoted_string() } else { None }
    }

    /// Reads a value without quotes: up to a blank, or to what ends a value in some language.
    fn bare_value(&mut self, more: &[u8]) -> Option<(Range<usize>, bool)> {
        let start = self.at;
        let ends =
            |byte: u8| byte.is_ascii_whitespace() || b"\"'`,;&<>(){}[]|\\".contains(&byte) || more.contains(&byte);
        // A comment begins here; inside a word the character belongs to the value.
        if self.peek() == b'#' {
            return None;
        }
        self.skip_while(MAX_VALUE + 1, |byte| !ends(byte));
        while self.peek() == b'&' && self.at - start <= MAX_VALUE && !self.is_separator(more) {
            self.at += 1;
            self.skip_while(MAX_VALUE + 1, |byte| !ends(byte));
        }
        let called = matches!(self.peek(), b'(' | b'[' | b'{');
        let value = self.text.get(start..self.at).unwrap_or_default();
        let long = value.len() > LONG_VALUE;
        let token =
            !long || value.iter().all(|byte| is_token_byte(*byte)) && value.split(|byte| *byte == b'=').count() < 4;
        (!called && token).then_some((start..self.at, false))
    }

    /// Returns whether the `&` here separates two fields of a form or two commands, and is not part of a password.
    fn is_separator(&self, more: &[u8]) -> bool {
        let rest = self.rest().get(1..).unwrap_or_default();
        let word = rest.iter().take(MAX_NAME).take_while(|byte| is_name_byte(**byte)).count();
        more.contains(&b'&') || word == 0 || rest.get(word).is_some_and(|byte| matches!(byte, b'=' | b';' | b'&'))
    }
}

/// Returns whether a byte may be in a long token.
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-.%~\\".contains(&byte)
}

/// Returns whether a call looks up a secret, so that its first argument is a name.
fn is_lookup_call(call: &[u8]) -> bool {
    let lower = call.to_ascii_lowercase();
    [
        b"get".as_slice(),
        b"env",
        b"fetch",
        b"read",
        b"prompt",
        b"input",
        b"lookup",
        b"load",
        b"find",
        b"resolve",
        b"label",
    ]
    .iter()
    .any(|word| lower.windows(word.len()).any(|window| window == *word))
}
