//! Assignments in all notations: one reader of *name, operator, value* for every language.
//!
//! From a position inside a name it finds the end of the name, the operator, and the value. It knows `NAME=v`,
//! `name: v`, `"name": "v"`, `name := "v"`, `name => "v"`, `name <- "v"`, `name ?= v`, typed declarations
//! (`let name: &str = "v"`), indexed ones (`env["NAME"] = "v"`), calls (`setName("v")`, `put("name", "v")`,
//! `SecretStr("v")` as a value), fallbacks (`get("NAME") || "v"`, `${NAME:-v}`), options (`--name v`), `ENV NAME v`,
//! SQL
//! (`IDENTIFIED BY 'v'`), headers (`Name: Bearer v`), elements (`<name>v</name>`) and attributes (`name="v"`,
//! `key="name" value="v"`). A comparison is not an assignment. Every loop is bounded.

use std::ops::Range;

/// An assignment of a value to a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The whole name.
    pub name: Range<usize>,
    /// The value, without quotation marks.
    pub value: Range<usize>,
    /// Whether it is between quotation marks or tags.
    pub quoted: bool,
}

/// The maximum length of a name on either side of its keyword, in bytes.
const MAX_NAME: usize = 48;

/// The maximum length of a value, in bytes; longer ones are data: a picture, a font, a page of minified code.
pub(super) const MAX_VALUE: usize = 1024;

/// Words between a header's name and its value.
const AUTH_SCHEMES: &[&[u8]] = &[b"bearer ", b"token ", b"basic ", b"apikey ", b"api-key ", b"key ", b"token="];

/// Returns the assignment to the name around `keyword`.
pub(super) fn parse(text: &[u8], keyword: Range<usize>) -> Option<Assignment> {
    let name = name_span(text, &keyword);
    // A part of a longer name: `AWS::IAM::AccessKey`, `arn:aws:secretsmanager:eu-west-1:1:secret:x`.
    let before = text.get(name.start.saturating_sub(2)..name.start).unwrap_or_default();
    let goes_on = matches!(text.get(name.end..), Some([b':', sign, ..]) if !sign.is_ascii_whitespace());
    if before == b"::" || before.ends_with(b":") && goes_on {
        return None;
    }
    let mut reader = AssignmentReader { text, at: name.end };
    let value = reader.value_after_name(&name)?;
    (value.0.len() <= MAX_VALUE && !value.0.is_empty()).then_some(Assignment { name, value: value.0, quoted: value.1 })
}

fn name_span(text: &[u8], keyword: &Range<usize>) -> Range<usize> {
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
        if self.eat(b">") {
            return self.element_text();
        }
        let spaced = self.skip_blanks();
        if attribute && (self.eat(b"value=") || self.eat(b"content=")) {
            return self.quoted_string();
        }
        self.skip_type();
        if self.skip_operator() {
            self.skip_blanks();
            return self.value();
        }
        match self.peek() {
            // The next line of a list of variables: `name: NAME` and `value: v` below it.
            b'\n' if self.next_line_is_value() => self.value(),
            // After a comma the next line is the next item of a list.
            sign @ (b'(' | b',') => {
                self.at += 1;
                self.skip_while(16, |byte| byte == b' ' || byte == b'=' || sign == b'(' && byte.is_ascii_whitespace());
                self.quoted_string()
            }
            _ if spaced == 0 => None,
            b'"' | b'\'' | b'\\' => self.quoted_string(),
            _ if option => self.bare_value(b""),
            _ if self.eat(b"by ") || self.is_env_line(name.start) => self.value(),
            _ => None,
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

    fn skip_operator(&mut self) -> bool {
        const COMPARISONS: &[&[u8]] = &[b"==", b"=~", b"::"];
        const OPERATORS: &[&[u8]] = &[b":=", b"=>", b"->", b"<-", b"?=", b"||=", b"??=", b"+=", b"=", b":"];
        let comparison = COMPARISONS.iter().any(|operator| self.rest().starts_with(operator));
        !comparison && OPERATORS.iter().any(|operator| self.eat(operator))
    }

    fn value(&mut self) -> Option<(Range<usize>, bool)> {
        self.skip_decorations();
        if let Some(found) = self.quoted_string() {
            return Some(found);
        }
        if let Some(found) = self.yaml_block() {
            return Some(found);
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
        self.bare_value(b"")
    }

    /// Skips what may precede a value: tags and anchors of YAML, string prefixes, `new`, a reference.
    fn skip_decorations(&mut self) {
        for _ in 0..2 {
            if matches!(self.peek(), b'!' | b'&') {
                self.skip_while(32, |byte| !byte.is_ascii_whitespace() && byte != b'"' && byte != b'\'');
                self.skip_blanks();
            }
        }
        let _ = self.eat(b"new ");
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

    /// Reads the text of an element.
    fn element_text(&mut self) -> Option<(Range<usize>, bool)> {
        let start = self.at;
        let len = self.rest().iter().take(MAX_VALUE + 1).position(|byte| matches!(byte, b'<' | b'\n'))?;
        let closed = self.rest().get(len..len + 2) == Some(b"</");
        closed.then_some((start..start + len, true))
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
        (!called).then_some((start..self.at, false))
    }

    /// Returns whether the `&` here separates two fields of a form or two commands, and is not part of a password.
    fn is_separator(&self, more: &[u8]) -> bool {
        let rest = self.rest().get(1..).unwrap_or_default();
        let word = rest.iter().take(MAX_NAME).take_while(|byte| is_name_byte(**byte)).count();
        more.contains(&b'&') || word == 0 || rest.get(word).is_some_and(|byte| matches!(byte, b'=' | b';' | b'&'))
    }
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
