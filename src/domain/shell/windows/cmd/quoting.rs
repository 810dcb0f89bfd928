//! Quotes and escapes.

use super::Reader;
use crate::domain::shell::script::Word;

impl Reader<'_> {
    pub(super) fn escape(&mut self) {
        match self.peek() {
            Some('\r' | '\n') => {
                self.eat('\r');
                self.eat('\n');
            }
            Some(character) => {
                self.pos += character.len_utf8();
                self.push(character, true);
            }
            None => {}
        }
    }

    pub(super) fn double_quoted(&mut self) {
        self.word.get_or_insert_with(|| Word::known("")).quoted = true;
        loop {
            let Some(character) = self.peek() else { return self.report_unbalanced() };
            self.pos += character.len_utf8();
            match character {
                '"' => return,
                '%' | '!' => self.variable(character, true),
                _ => self.push(character, true),
            }
        }
    }
}
