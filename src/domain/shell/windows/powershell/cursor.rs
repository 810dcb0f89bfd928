//! Moves through the text: characters, blanks and comments, and blocks that are read later.

use std::ops::Range;

use super::Reader;

impl Reader<'_> {
    pub(super) fn rest(&self) -> &str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Returns the character behind the next one.
    pub(super) fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.pos += character.len_utf8();
        Some(character)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.pos += if found { text.len() } else { 0 };
        found
    }

    /// Returns the letters, digits, dashes and underscores from here on.
    pub(super) fn identifier(&self) -> &str {
        let rest = self.rest();
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
        let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// Skips blanks, continued lines and comments in a line.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            if self.eat("`\r\n") || self.eat("`\n") {
                continue;
            }
            match self.peek() {
                Some(' ' | '\t' | '\r' | '\u{a0}') => self.pos += self.peek().map_or(0, char::len_utf8),
                Some('<') if self.rest().starts_with("<#") => {
                    self.pos += self.rest().find("#>").map_or(self.rest().len(), |at| at + 2);
                }
                Some('#') => self.pos += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and ends of lines.
    pub(super) fn skip_lines(&mut self) {
        self.skip_blanks();
        while self.eat("\n") {
            self.skip_blanks();
        }
    }

    /// Skips what is between brackets, of which the first is next; returns where it is.
    pub(super) fn skip_brackets(&mut self) -> Range<usize> {
        let opening = self.pos;
        let start = self.pos + self.next().map_or(0, char::len_utf8);
        let mut open = 1_usize;
        while let Some(character) = self.peek() {
            match character {
                '"' | '\'' | '`' | '@' | '#' | '<' => {
                    self.skip_quoted();
                    continue;
                }
                '(' | '{' | '[' => open += 1,
                ')' | '}' | ']' => open -= 1,
                _ => {}
            }
            if open == 0 {
                let end = self.pos;
                self.pos += 1;
                return start..end;
            }
            self.pos += character.len_utf8();
        }
        self.report_unbalanced(opening);
        start..self.pos
    }

    /// Skips a string, an escaped character, a comment, or the one character that begins none of them.
    fn skip_quoted(&mut self) {
        let is_string = self.peek().is_some_and(|character| matches!(character, '"' | '\''))
            || ["@\"", "@'"].iter().any(|start| self.rest().starts_with(start));
        if is_string {
            self.muted += 1;
            self.string();
            self.muted -= 1;
        } else if self.eat("`") {
            self.next();
        } else if self.rest().starts_with("<#") || self.is_comment() {
            self.skip_blanks();
        } else {
            self.next();
        }
    }

    /// Returns whether a comment begins here and not a word with a `#` in it.
    fn is_comment(&self) -> bool {
        let before = self.text.get(..self.pos).and_then(|text| text.chars().next_back());
        self.peek() == Some('#') && before.is_none_or(|before| before.is_whitespace() || "({;|".contains(before))
    }
}
