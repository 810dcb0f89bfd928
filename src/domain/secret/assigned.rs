//! Names and what they are given, in all notations: one reader of *name, operator, value* for every language.
//!
//! From a place inside of a name it finds where the name ends, what stands between name and value, and where the value
//! stands. It knows `NAME=v`, `name: v`, `"name": "v"`, `name := "v"`, `name => "v"`, `name <- "v"`, `name ?= v`, typed
//! declarations (`let name: &str = "v"`), indexed ones (`env["NAME"] = "v"`), calls (`setName("v")`, `put("name", "v")`,
//! `SecretStr("v")` as a value), fallbacks (`get("NAME") || "v"`, `${NAME:-v}`), options (`--name v`), `ENV NAME v`, SQL
//! (`IDENTIFIED BY 'v'`), headers (`Name: Bearer v`), elements (`<name>v</name>`) and attributes (`name="v"`,
//! `key="name" value="v"`). A comparison is no assignment. Every loop is bounded.

use std::ops::Range;

/// A value that a name is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    /// The whole name.
    pub name: Range<usize>,
    /// The value, without quotation marks.
    pub value: Range<usize>,
    /// Whether it stands between quotation marks or tags.
    pub quoted: bool,
}

/// Bytes of a name on either side of what was found in it.
const NAME: usize = 48;

/// Bytes of a value; what is longer is data: a picture, a font, a page of minified code.
pub(super) const VALUE: usize = 1024;

/// Words between a header's name and its value.
const SCHEMES: &[&[u8]] = &[b"bearer ", b"token ", b"basic ", b"apikey ", b"api-key ", b"key ", b"token="];

/// Returns what the name around `keyword` is given.
pub(super) fn read(text: &[u8], keyword: Range<usize>) -> Option<Given> {
    let name = name_around(text, &keyword);
    // A part of a longer name: `AWS::IAM::AccessKey`, `arn:aws:secretsmanager:eu-west-1:1:secret:x`.
    let before = text.get(name.start.saturating_sub(2)..name.start).unwrap_or_default();
    let goes_on = matches!(text.get(name.end..), Some([b':', sign, ..]) if !sign.is_ascii_whitespace());
    if before == b"::" || before.ends_with(b":") && goes_on {
        return None;
    }
    let mut reader = Reader { text, at: name.end };
    let value = reader.behind_name(&name)?;
    (value.0.len() <= VALUE && !value.0.is_empty()).then_some(Given { name, value: value.0, quoted: value.1 })
}

fn name_around(text: &[u8], keyword: &Range<usize>) -> Range<usize> {
    let before = text.get(keyword.start.saturating_sub(NAME)..keyword.start).unwrap_or_default();
    let start = keyword.start - before.iter().rev().take_while(|byte| in_name(**byte)).count();
    let rest = text.get(keyword.end..).unwrap_or_default();
    let end = keyword.end + rest.iter().take(NAME).take_while(|byte| in_name(**byte)).count();
    start..end
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
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

    /// Skips bytes while they hold, at most so many; returns how many there were.
    fn skip(&mut self, most: usize, holds: impl Fn(u8) -> bool) -> usize {
        let count = self.rest().iter().take(most).take_while(|byte| holds(**byte)).count();
        self.at += count;
        count
    }

    fn blanks(&mut self) -> usize {
        self.skip(16, |byte| matches!(byte, b' ' | b'\t'))
    }

    fn quote(&mut self) -> Option<(u8, usize)> {
        let start = self.at;
        let slashes = self.skip(3, |byte| byte == b'\\');
        let quote = self.peek();
        if matches!(quote, b'"' | b'\'' | b'`') {
            self.at += 1;
            return Some((quote, slashes));
        }
        self.at = start;
        None
    }

    fn behind_name(&mut self, name: &Range<usize>) -> Option<(Range<usize>, bool)> {
        let option = self.text.get(name.start..name.end).is_some_and(|name| name.starts_with(b"-"));
        let variable = name.start >= 2 && self.text.get(name.start - 2..name.start) == Some(b"${");
        let attribute = self.quote().is_some();
        self.skip(1, |byte| byte == b']');
        // An array of signs: `char name[] =`, `char name[32] =`.
        if self.peek() == b'[' && self.rest().iter().take(8).skip(1).find(|byte| !byte.is_ascii_digit()) == Some(&b']')
        {
            self.skip(8, |byte| byte == b'[' || byte.is_ascii_digit());
            self.at += 1;
        }
        if variable {
            return (self.eat(b":-") || self.eat(b":=") || self.eat(b"-")).then(|| self.bare(b"}")).flatten();
        }
        if self.eat(b">") {
            return self.element();
        }
        let spaced = self.blanks();
        if attribute && (self.eat(b"value=") || self.eat(b"content=")) {
            return self.string();
        }
        self.typed();
        if self.operator() {
            self.blanks();
            return self.value();
        }
        match self.peek() {
            // The next line of a list of variables: `name: NAME` and below it `value: v`.
            b'\n' if self.next_line_is_value() => self.value(),
            // Behind a comma the next line is the next item of a list.
            sign @ (b'(' | b',') => {
                self.at += 1;
                self.skip(16, |byte| byte == b' ' || byte == b'=' || sign == b'(' && byte.is_ascii_whitespace());
                self.string()
            }
            _ if spaced == 0 => None,
            b'"' | b'\'' | b'\\' => self.string(),
            _ if option => self.bare(b""),
            _ if self.eat(b"by ") || self.is_env_line(name.start) => self.value(),
            _ => None,
        }
    }

    fn next_line_is_value(&mut self) -> bool {
        self.at += 1;
        self.blanks();
        self.eat(b"value: ")
    }

    /// Whether the name is the first of a line of a Dockerfile that sets a variable.
    fn is_env_line(&self, name: usize) -> bool {
        let before = self.text.get(name.saturating_sub(4)..name).unwrap_or_default();
        before.eq_ignore_ascii_case(b"env ")
    }

    /// Skips a type between a name and its `=`.
    fn typed(&mut self) {
        let start = self.at;
        let in_type = |byte: u8| byte.is_ascii_alphanumeric() || b"_<>&'?.[]|".contains(&byte);
        if self.peek() == b':' && !matches!(self.rest().get(1), Some(b'=')) {
            self.at += 1;
            self.skip(1, |byte| byte == b':');
        }
        self.blanks();
        if self.peek().is_ascii_alphabetic() || self.peek() == b'&' || self.peek() == b'*' {
            self.skip(2, |byte| byte == b'&' || byte == b'*');
            for _ in 0..3 {
                self.skip(32, in_type);
                self.blanks();
            }
            let behind = self.rest().get(1).copied().unwrap_or(b'\n');
            // Base64 ends in this sign as well, but not before a blank or a quotation mark and something behind it.
            if self.peek() == b'=' && matches!(behind, b' ' | b'"' | b'\'') {
                return;
            }
        }
        self.at = start;
    }

    fn operator(&mut self) -> bool {
        const COMPARISONS: &[&[u8]] = &[b"==", b"=~", b"::"];
        const OPERATORS: &[&[u8]] = &[b":=", b"=>", b"->", b"<-", b"?=", b"||=", b"??=", b"+=", b"=", b":"];
        let comparison = COMPARISONS.iter().any(|operator| self.rest().starts_with(operator));
        !comparison && OPERATORS.iter().any(|operator| self.eat(operator))
    }

    fn value(&mut self) -> Option<(Range<usize>, bool)> {
        self.decorations();
        if let Some(found) = self.string() {
            return Some(found);
        }
        if let Some(found) = self.block() {
            return Some(found);
        }
        let start = self.at;
        // A call or a path: what counts is a string inside of it or behind it.
        let words = self.skip(96, |byte| byte.is_ascii_alphanumeric() || b"_.:&".contains(&byte));
        if words > 0 && self.eat(b"(") {
            self.blanks();
            let asks = self.text.get(start..self.at).is_some_and(asks_for_a_name);
            let first = self.string();
            return if asks { self.fallback() } else { first };
        }
        if let Some(found) = self.fallback_behind(start) {
            return Some(found);
        }
        self.at = start;
        self.scheme();
        self.bare(b"")
    }

    /// Skips what may stand before a value: tags and anchors of YAML, marks of strings, `new`, a reference.
    fn decorations(&mut self) {
        for _ in 0..2 {
            if matches!(self.peek(), b'!' | b'&') {
                self.skip(32, |byte| !byte.is_ascii_whitespace() && byte != b'"' && byte != b'\'');
                self.blanks();
            }
        }
        let _ = self.eat(b"new ");
        let marks = self.rest().iter().take(2).take_while(|byte| b"bBrRuUfFL@$".contains(byte)).count();
        if marks > 0 && matches!(self.rest().get(marks), Some(b'"' | b'\'')) {
            self.at += marks;
        }
    }

    fn scheme(&mut self) {
        let _ = SCHEMES.iter().any(|scheme| self.eat(scheme));
    }

    /// Reads what stands between quotation marks on one line.
    fn string(&mut self) -> Option<(Range<usize>, bool)> {
        let (quote, slashes) = self.quote()?;
        let triple = self.rest().starts_with(&[quote, quote]);
        if triple {
            self.at += 2;
            self.skip(1, |byte| byte == b'\n');
        }
        self.scheme();
        let start = self.at;
        let ends = |at: usize, byte: u8| {
            byte == quote
                && self.text.get(at.saturating_sub(slashes)..at).is_some_and(|it| it.iter().all(|b| *b == b'\\'))
        };
        let mut escaped = false;
        for (byte, at) in self.rest().iter().take(VALUE + 1).zip(start..) {
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
    fn block(&mut self) -> Option<(Range<usize>, bool)> {
        let start = self.at;
        if matches!(self.peek(), b'|' | b'>') {
            self.at += 1;
            self.skip(2, |byte| matches!(byte, b'-' | b'+'));
            if self.eat(b"\n") && self.skip(32, |byte| byte == b' ') > 0 {
                return self.bare(b"").map(|(value, _)| (value, true));
            }
        }
        self.at = start;
        None
    }

    /// Reads a string that a call is given last: `get("NAME", "v")`, and one behind the call.
    fn fallback(&mut self) -> Option<(Range<usize>, bool)> {
        self.blanks();
        if self.eat(b",") {
            self.blanks();
            return self.string();
        }
        self.eat(b")");
        let at = self.at;
        self.fallback_behind(at)
    }

    fn fallback_behind(&mut self, start: usize) -> Option<(Range<usize>, bool)> {
        self.skip(2, |byte| byte == b')');
        self.blanks();
        let falls = [b"|| ".as_slice(), b"?? ", b"or ", b"?: "].iter().any(|operator| self.eat(operator));
        if falls && self.at > start { self.string() } else { None }
    }

    /// Reads the text of an element.
    fn element(&mut self) -> Option<(Range<usize>, bool)> {
        let start = self.at;
        let len = self.rest().iter().take(VALUE + 1).position(|byte| matches!(byte, b'<' | b'\n'))?;
        let closed = self.rest().get(len..len + 2) == Some(b"</");
        closed.then_some((start..start + len, true))
    }

    /// Reads a value without marks: up to a blank, or to what ends a value in some language.
    fn bare(&mut self, more: &[u8]) -> Option<(Range<usize>, bool)> {
        let start = self.at;
        let ends =
            |byte: u8| byte.is_ascii_whitespace() || b"\"'`,;&<>(){}[]|\\".contains(&byte) || more.contains(&byte);
        // Here begins a comment; inside of a word the sign is one of the value.
        if self.peek() == b'#' {
            return None;
        }
        self.skip(VALUE + 1, |byte| !ends(byte));
        while self.peek() == b'&' && self.at - start <= VALUE && !self.is_separator(more) {
            self.at += 1;
            self.skip(VALUE + 1, |byte| !ends(byte));
        }
        let called = matches!(self.peek(), b'(' | b'[' | b'{');
        (!called).then_some((start..self.at, false))
    }

    /// Whether the `&` here stands between two fields of a form or two commands, and not inside of a password.
    fn is_separator(&self, more: &[u8]) -> bool {
        let rest = self.rest().get(1..).unwrap_or_default();
        let word = rest.iter().take(NAME).take_while(|byte| in_name(**byte)).count();
        more.contains(&b'&') || word == 0 || rest.get(word).is_some_and(|byte| matches!(byte, b'=' | b';' | b'&'))
    }
}

/// Whether a call looks a secret up, so that its first argument is a name.
fn asks_for_a_name(call: &[u8]) -> bool {
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
