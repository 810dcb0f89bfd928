//! Compound commands: groups, branches, loops, tests and functions.
//!
//! A missing closing word is reported and assumed to be present.

use super::ast::{List, NodeKind, Part, RawWord};
use super::parser::Parser;

/// The words that begin a compound command.
const COMPOUND_KEYWORDS: &[&str] = &["{", "if", "while", "until", "for", "select", "case", "[[", "function", "coproc"];

impl Parser<'_> {
    /// Returns whether a compound command is here.
    pub(super) fn at_compound(&self) -> bool {
        self.byte_at(0) == Some(b'(') || COMPOUND_KEYWORDS.iter().any(|word| self.at_word(word))
    }

    /// Reads a compound command, if one is here, without its redirections.
    pub(super) fn compound(&mut self) -> Option<NodeKind> {
        if self.byte_at(0) == Some(b'(') {
            return Some(self.parenthesized());
        }
        let opener = *COMPOUND_KEYWORDS.iter().find(|word| self.at_word(word))?;
        let start = self.pos;
        self.pos += opener.len();
        self.count_item();
        self.with_depth(|parser| {
            Some(match opener {
                "{" => NodeKind::Group(parser.list_until('}')),
                "if" => parser.if_clause(),
                "while" | "until" => {
                    let condition = parser.list();
                    NodeKind::Loop { condition, body: parser.loop_body() }
                }
                "for" | "select" => parser.for_clause(),
                "case" => parser.case_clause(),
                "[[" => parser.test_command(),
                "function" => parser.function_keyword(start),
                _ => parser.coprocess(),
            })
        })
    }

    fn parenthesized(&mut self) -> NodeKind {
        self.count_item();
        self.with_depth(|parser| {
            if parser.byte_at(1) == Some(b'(') && parser.is_arithmetic(2) && !parser.has_adjacent_words(2) {
                parser.pos += 2;
                return Some(parser.arithmetic_command());
            }
            parser.pos += 1;
            Some(NodeKind::Subshell(parser.list_until(')')))
        })
        .unwrap_or(NodeKind::Group(List::new()))
    }

    /// Returns whether two words are next to each other after `ahead`, as they never do in arithmetic. The
    /// simpler shells have no such command, and take the parentheses for two subshells.
    fn has_adjacent_words(&self, ahead: usize) -> bool {
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

    fn arithmetic_command(&mut self) -> NodeKind {
        let start = self.pos;
        let parts = self.arithmetic();
        NodeKind::Test(vec![RawWord { parts, span: self.span(start, self.pos) }])
    }

    fn if_clause(&mut self) -> NodeKind {
        let mut arms = Vec::new();
        let mut otherwise = List::new();
        loop {
            let condition = self.list();
            self.expect("then");
            arms.push((condition, self.list()));
            self.skip_blank_lines();
            if self.at_word("elif") {
                self.pos += "elif".len();
                continue;
            }
            if self.at_word("else") {
                self.pos += "else".len();
                otherwise = self.list();
            }
            self.expect("fi");
            return NodeKind::If { arms, otherwise };
        }
    }

    /// Reads `do … done`, or the braces that some shells accept instead.
    fn loop_body(&mut self) -> List {
        self.skip_blank_lines();
        if self.at_word("{") {
            self.pos += 1;
            return self.list_until('}');
        }
        if !self.expect("do") {
            return List::new();
        }
        let body = self.list();
        self.expect("done");
        body
    }

    fn for_clause(&mut self) -> NodeKind {
        self.skip_blanks();
        if self.byte_at(0) == Some(b'(') && self.byte_at(1) == Some(b'(') {
            self.pos += 2;
            let start = self.pos;
            let parts = self.arithmetic();
            let counter = RawWord { parts, span: self.span(start, self.pos) };
            self.skip_separator();
            return NodeKind::For { name: String::new(), words: Some(vec![counter]), body: self.loop_body() };
        }
        let name = self.name();
        if name.is_empty() {
            self.report_syntax_error();
        }
        self.skip_blank_lines();
        let mut words = None;
        if self.at_word("in") {
            self.pos += 2;
            words = Some(self.words_until_separator());
        }
        self.skip_separator();
        NodeKind::For { name, words, body: self.loop_body() }
    }

    fn skip_separator(&mut self) {
        self.skip_blanks();
        self.eat(";");
        self.skip_blank_lines();
    }

    /// Reads words up to the end of the line or a separator.
    fn words_until_separator(&mut self) -> Vec<RawWord> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            let word = self.word();
            if word.parts.is_empty() {
                return words;
            }
            words.push(word);
        }
    }

    fn case_clause(&mut self) -> NodeKind {
        self.skip_blank_lines();
        let subject = self.word();
        self.expect("in");
        let mut arms = Vec::new();
        loop {
            self.skip_blank_lines();
            if self.at_end() || self.at_word("esac") {
                self.expect("esac");
                return NodeKind::Case { subject, arms };
            }
            let start = self.pos;
            self.eat("(");
            let mut patterns = Vec::new();
            loop {
                self.skip_blanks();
                patterns.push(self.word());
                self.skip_blanks();
                if !self.eat("|") {
                    break;
                }
            }
            if !self.eat(")") {
                self.report_syntax_error();
            }
            let body = self.list();
            arms.push((patterns, body));
            if !self.eat(";;&") && !self.eat(";;") && !self.eat(";&") && !self.at_word("esac") {
                self.report_syntax_error();
                if self.pos == start {
                    self.bump();
                }
            }
        }
    }

    /// Reads `[[ … ]]`, whose operators are no redirections and no separators.
    fn test_command(&mut self) -> NodeKind {
        let start = self.pos;
        let mut words = Vec::new();
        loop {
            self.skip_blank_lines();
            match self.peek() {
                None => {
                    self.report_unbalanced(start);
                    break;
                }
                Some(']') if self.at_word("]]") => {
                    self.pos += 2;
                    break;
                }
                Some(';') => {
                    self.report_syntax_error();
                    break;
                }
                Some('&' | '|' | '(' | ')') => self.pos += 1,
                Some('<' | '>') if self.byte_at(1) != Some(b'(') => self.pos += 1,
                Some(_) => words.push(self.word()),
            }
        }
        NodeKind::Test(words)
    }

    fn function_keyword(&mut self, start: usize) -> NodeKind {
        self.skip_blanks();
        let name_start = self.pos;
        self.word();
        let name = self.slice(name_start, self.pos).to_owned();
        self.skip_blanks();
        if self.eat("(") {
            self.skip_blanks();
            self.eat(")");
        }
        self.function(name, start).kind
    }

    /// Reads what runs beside the shell: `coproc NAME { … }` or `coproc command`.
    fn coprocess(&mut self) -> NodeKind {
        self.skip_blanks();
        let start = self.pos;
        if !self.at_compound() {
            let name = self.word();
            self.skip_blanks();
            let named = matches!(name.parts.as_slice(), [Part::Text { quoted: false, .. }]);
            if !named || !self.at_compound() {
                self.pos = start;
            }
        }
        match self.node() {
            Some(node) => NodeKind::Coprocess(Box::new(node)),
            None => NodeKind::Group(List::new()),
        }
    }
}
