//! Compound commands: groups, branches, loops, tests and functions.
//!
//! A missing closing word is reported and taken as if it stood there.

use super::ast::{Kind, List, Part, RawWord};
use super::cursor::Parser;

/// The words that begin a compound command.
const OPENERS: &[&str] = &["{", "if", "while", "until", "for", "select", "case", "[[", "function", "coproc"];

impl Parser<'_> {
    /// Tells whether a compound command stands here.
    pub(super) fn begins_compound(&self) -> bool {
        self.byte(0) == Some(b'(') || OPENERS.iter().any(|word| self.at_word(word))
    }

    /// Reads a compound command, if one stands here, without its redirections.
    pub(super) fn compound(&mut self) -> Option<Kind> {
        if self.byte(0) == Some(b'(') {
            return Some(self.parenthesized());
        }
        let opener = *OPENERS.iter().find(|word| self.at_word(word))?;
        let start = self.pos;
        self.pos += opener.len();
        self.count();
        self.deeper(|parser| {
            Some(match opener {
                "{" => Kind::Group(parser.enclosed('}')),
                "if" => parser.branches(),
                "while" | "until" => {
                    let condition = parser.list();
                    Kind::Loop { condition, body: parser.loop_body() }
                }
                "for" | "select" => parser.iteration(),
                "case" => parser.case(),
                "[[" => parser.test(),
                "function" => parser.function_keyword(start),
                _ => parser.coprocess(),
            })
        })
    }

    fn parenthesized(&mut self) -> Kind {
        self.count();
        self.deeper(|parser| {
            if parser.byte(1) == Some(b'(') && parser.is_arithmetic(2) && !parser.holds_words(2) {
                parser.pos += 2;
                return Some(parser.arithmetic_command());
            }
            parser.pos += 1;
            Some(Kind::Subshell(parser.enclosed(')')))
        })
        .unwrap_or(Kind::Group(List::new()))
    }

    /// Tells whether two words stand side by side behind `ahead`, as they never do in arithmetic. The
    /// simpler shells have no such command, and take the parentheses for two subshells.
    fn holds_words(&self, ahead: usize) -> bool {
        let rest = self.rest().get(ahead..).unwrap_or_default().trim_start_matches(['(', ' ']);
        let in_word = |character: char| character.is_ascii_alphanumeric() || "_./~\\'\"".contains(character);
        let behind = rest.trim_start_matches(in_word);
        let next = behind.trim_start_matches([' ', '\t']);
        let begins_word = |text: &str| {
            text.starts_with(|character: char| character.is_ascii_alphabetic() || "/.~'\"$".contains(character))
        };
        let begins_option =
            |text: &str| text.strip_prefix('-').is_some_and(|text| begins_word(text.trim_start_matches('-')));
        behind.len() < rest.len() && next.len() < behind.len() && (begins_word(next) || begins_option(next))
    }

    fn arithmetic_command(&mut self) -> Kind {
        let start = self.pos;
        let parts = self.arithmetic();
        Kind::Test(vec![RawWord { parts, span: self.span(start, self.pos) }])
    }

    fn branches(&mut self) -> Kind {
        let mut arms = Vec::new();
        let mut otherwise = List::new();
        loop {
            let condition = self.list();
            self.expect("then");
            arms.push((condition, self.list()));
            self.blank_lines();
            if self.at_word("elif") {
                self.pos += "elif".len();
                continue;
            }
            if self.at_word("else") {
                self.pos += "else".len();
                otherwise = self.list();
            }
            self.expect("fi");
            return Kind::If { arms, otherwise };
        }
    }

    /// Reads `do … done`, or the braces that some shells accept instead.
    fn loop_body(&mut self) -> List {
        self.blank_lines();
        if self.at_word("{") {
            self.pos += 1;
            return self.enclosed('}');
        }
        if !self.expect("do") {
            return List::new();
        }
        let body = self.list();
        self.expect("done");
        body
    }

    fn iteration(&mut self) -> Kind {
        self.blanks();
        if self.byte(0) == Some(b'(') && self.byte(1) == Some(b'(') {
            self.pos += 2;
            let start = self.pos;
            let parts = self.arithmetic();
            let counter = RawWord { parts, span: self.span(start, self.pos) };
            self.separator();
            return Kind::For { name: String::new(), words: Some(vec![counter]), body: self.loop_body() };
        }
        let name = self.name();
        if name.is_empty() {
            self.unreadable();
        }
        self.blank_lines();
        let mut words = None;
        if self.at_word("in") {
            self.pos += 2;
            words = Some(self.words());
        }
        self.separator();
        Kind::For { name, words, body: self.loop_body() }
    }

    fn separator(&mut self) {
        self.blanks();
        self.eat(";");
        self.blank_lines();
    }

    /// Reads words up to the end of the line or a separator.
    fn words(&mut self) -> Vec<RawWord> {
        let mut words = Vec::new();
        loop {
            self.blanks();
            let word = self.word();
            if word.parts.is_empty() {
                return words;
            }
            words.push(word);
        }
    }

    fn case(&mut self) -> Kind {
        self.blank_lines();
        let subject = self.word();
        self.expect("in");
        let mut arms = Vec::new();
        loop {
            self.blank_lines();
            if self.at_end() || self.at_word("esac") {
                self.expect("esac");
                return Kind::Case { subject, arms };
            }
            let start = self.pos;
            self.eat("(");
            let mut patterns = Vec::new();
            loop {
                self.blanks();
                patterns.push(self.word());
                self.blanks();
                if !self.eat("|") {
                    break;
                }
            }
            if !self.eat(")") {
                self.unreadable();
            }
            let body = self.list();
            arms.push((patterns, body));
            if !self.eat(";;&") && !self.eat(";;") && !self.eat(";&") && !self.at_word("esac") {
                self.unreadable();
                if self.pos == start {
                    self.bump();
                }
            }
        }
    }

    /// Reads `[[ … ]]`, whose operators are no redirections and no separators.
    fn test(&mut self) -> Kind {
        let start = self.pos;
        let mut words = Vec::new();
        loop {
            self.blank_lines();
            match self.peek() {
                None => {
                    self.unbalanced(start);
                    break;
                }
                Some(']') if self.at_word("]]") => {
                    self.pos += 2;
                    break;
                }
                Some(';') => {
                    self.unreadable();
                    break;
                }
                Some('&' | '|' | '(' | ')') => self.pos += 1,
                Some('<' | '>') if self.byte(1) != Some(b'(') => self.pos += 1,
                Some(_) => words.push(self.word()),
            }
        }
        Kind::Test(words)
    }

    fn function_keyword(&mut self, start: usize) -> Kind {
        self.blanks();
        let name_start = self.pos;
        self.word();
        let name = self.slice(name_start, self.pos).to_owned();
        self.blanks();
        if self.eat("(") {
            self.blanks();
            self.eat(")");
        }
        self.function(name, start).kind
    }

    /// Reads what runs beside the shell: `coproc NAME { … }` or `coproc command`.
    fn coprocess(&mut self) -> Kind {
        self.blanks();
        let start = self.pos;
        if !self.begins_compound() {
            let name = self.word();
            self.blanks();
            let named = matches!(name.parts.as_slice(), [Part::Text { quoted: false, .. }]);
            if !named || !self.begins_compound() {
                self.pos = start;
            }
        }
        match self.node() {
            Some(node) => Kind::Detached(Box::new(node)),
            None => Kind::Group(List::new()),
        }
    }
}
