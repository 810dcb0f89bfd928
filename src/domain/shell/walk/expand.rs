//! Words as written to words as a program receives them.
//!
//! A part of a word whose value is not known stays as it is spelled, so that messages show it and a rule
//! on the rest of the word still sees that rest.

use std::ops::Range;

use super::scope::Value;
use super::{Feed, Output, Walker, brace};
use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::syntax::SPLICE;
use crate::domain::shell::syntax::ast::{Part, RawWord};

/// What a process substitution stands as among the words.
pub(super) const PROCESS: &str = "/dev/fd/63";

/// The longest value of a variable that is kept.
pub(super) const MAX_VALUE: usize = 1 << 16;

/// A part of a word whose value has been looked up.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text {
        text: String,
        quoted: bool,
    },
    /// A value that was put in: one field, or several for `"$@"`.
    Value {
        fields: Vec<Word>,
        quoted: bool,
    },
}

impl Piece {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Text { text, .. } => text.len(),
            Self::Value { fields, .. } => fields.iter().map(|field| field.text.len()).sum(),
        }
    }
}

/// Fields while they are put together.
struct Fields {
    done: Vec<Word>,
    current: Word,
    open: bool,
    separators: String,
}

impl Fields {
    fn new(separators: String) -> Self {
        Self { done: Vec::new(), current: Word::known(""), open: false, separators }
    }

    fn text(&mut self, text: &str, quoted: bool) {
        self.open |= quoted || !text.is_empty();
        self.current.quoted |= quoted;
        self.current.glob |= !quoted && is_pattern(text);
        self.current.text.push_str(text);
    }

    fn values(&mut self, values: &[Word], quoted: bool) {
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.end();
            }
            self.value(value, quoted);
        }
    }

    fn value(&mut self, value: &Word, quoted: bool) {
        if quoted {
            self.current.glob |= value.glob;
            self.current.literal &= value.literal;
            self.text(&value.text, true);
            return;
        }
        let separators = self.separators.clone();
        // Blanks around another separator belong to it; each of those ends a field, even an empty one.
        let mut behind_blank = false;
        for piece in value.text.split_inclusive(|character| separators.contains(character)) {
            let separator = piece.chars().next_back().filter(|last| separators.contains(*last));
            let field = separator.map_or(piece, |last| piece.get(..piece.len() - last.len_utf8()).unwrap_or_default());
            // Of a value that is known in part, the fields without an expansion are known.
            self.current.literal &= value.literal || !field.contains(['$', '`']);
            self.current.glob |= value.glob;
            self.text(field, false);
            behind_blank &= field.is_empty();
            match separator {
                Some(' ' | '\t' | '\n') => {
                    behind_blank |= self.open;
                    self.end();
                }
                Some(_) => {
                    self.open |= !behind_blank;
                    behind_blank = false;
                    self.end();
                }
                None => {}
            }
        }
    }

    fn end(&mut self) {
        let word = std::mem::replace(&mut self.current, Word::known(""));
        if std::mem::take(&mut self.open) {
            self.done.push(word);
        }
    }

    fn finish(mut self) -> Vec<Word> {
        self.end();
        self.done
    }
}

/// Tells whether a word vanishes: `"$@"` without parameters, although its quotes would make a word.
fn is_nothing(pieces: &[Piece]) -> bool {
    let mut vanishes = false;
    for piece in pieces {
        match piece {
            Piece::Text { text, .. } if text.is_empty() => {}
            Piece::Value { fields, quoted: true } if fields.is_empty() => vanishes = true,
            Piece::Text { .. } | Piece::Value { .. } => return false,
        }
    }
    vanishes
}

/// Tells whether unquoted text has a file name pattern in it.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?']) || text.split_once('[').is_some_and(|(_, rest)| rest.contains(']'))
}

impl Walker {
    /// Returns the words that a word becomes, with what process substitutions in it print.
    pub(super) fn expand(&mut self, raw: &RawWord, processes: &mut Vec<Output>) -> Vec<Word> {
        if self.stopped {
            return Vec::new();
        }
        if let [Part::Text { text, quoted: false }] = raw.parts.as_slice()
            && !text.contains('{')
            && self.spend(text.len(), &raw.span)
        {
            return vec![Word { text: text.clone(), literal: true, glob: is_pattern(text), quoted: false }];
        }
        let pieces = self.pieces(&raw.parts, &raw.span, processes);
        if is_nothing(&pieces) {
            return Vec::new();
        }
        let mut fields = Fields::new(self.separators());
        let words = if brace::present(&pieces) { brace::expand(&pieces) } else { Some(vec![pieces.clone()]) };
        if let Some(words) = words {
            for pieces in words {
                self.assemble(&pieces, &mut fields, &raw.span);
                fields.end();
            }
        } else {
            fields.current.literal = false;
            self.assemble(&pieces, &mut fields, &raw.span);
        }
        fields.finish()
    }

    /// Returns the one word that a word becomes where the shell does not split it.
    pub(super) fn expand_single(&mut self, raw: &RawWord) -> Word {
        self.single(&raw.parts, &raw.span)
    }

    pub(super) fn single(&mut self, parts: &[Part], span: &Range<usize>) -> Word {
        let pieces = self.pieces(parts, span, &mut Vec::new());
        let mut fields = Fields::new(String::new());
        self.assemble(&pieces, &mut fields, span);
        fields.open = true;
        let mut words = fields.finish();
        match words.pop() {
            Some(word) if words.is_empty() => word,
            Some(last) => {
                words.push(last);
                joined(&words)
            }
            None => Word::known(""),
        }
    }

    fn assemble(&mut self, pieces: &[Piece], fields: &mut Fields, span: &Range<usize>) {
        for piece in pieces {
            if !self.spend(piece.len(), span) {
                return;
            }
            match piece {
                Piece::Text { text, quoted } => fields.text(text, *quoted),
                Piece::Value { fields: values, quoted } => fields.values(values, *quoted),
            }
        }
    }

    fn pieces(&mut self, parts: &[Part], span: &Range<usize>, processes: &mut Vec<Output>) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let (fields, quoted) = match part {
                Part::Text { text, quoted } => {
                    pieces.push(Piece::Text { text: text.clone(), quoted: *quoted });
                    continue;
                }
                // Braces are expanded first: `$x{a,b}` is `$xa $xb`, and not the value of `x`.
                Part::Parameter { parameter, quoted: false }
                    if !parameter.braced && begins_brace(parts.get(at + 1)) =>
                {
                    (vec![Word::unknown(format!("${}", parameter.name))], false)
                }
                Part::Parameter { parameter, quoted } => (self.parameter(parameter, span), *quoted),
                Part::Substitution { list, quoted, backquoted } => {
                    let label = if *backquoted { "`…`" } else { SPLICE };
                    let output = self.inside(label, |walker| walker.subshell(|walker| walker.list(list)));
                    (vec![output_word(output)], *quoted)
                }
                Part::Process { list, input } => {
                    let label = if *input { "<(…)" } else { ">(…)" };
                    let feed = if *input { Feed::Inherited } else { Feed::Pipe { decoded: false } };
                    let output = self.inside(label, |walker| {
                        walker.fed_with(&feed, |walker| walker.subshell(|walker| walker.list(list)))
                    });
                    processes.push(output);
                    (vec![Word::unknown(PROCESS)], true)
                }
                Part::Arithmetic { parts, quoted } => {
                    let inside = self.single(parts, span);
                    let number = inside.literal && inside.text.trim().parse::<i64>().is_ok();
                    let word = if number { Word::known(inside.text.trim()) } else { Word::unknown("$((…))") };
                    (vec![word], *quoted)
                }
                Part::Spliced { quoted } => {
                    self.report(OpaqueReason::DynamicCode, span.clone());
                    (vec![Word::unknown(SPLICE)], *quoted)
                }
            };
            pieces.push(Piece::Value { fields, quoted });
        }
        pieces
    }

    pub(super) fn separators(&self) -> String {
        match self.scope.get("IFS") {
            Some(Value::Scalar(word)) if word.literal => word.text.clone(),
            _ => " \t\n".to_owned(),
        }
    }

    /// Remembers the value of a variable.
    pub(super) fn assign(&mut self, name: &str, mut value: Word) {
        if value.text.len() > MAX_VALUE {
            value = Word::unknown(format!("${name}"));
        }
        // Patterns are expanded where the variable is used, not where it is set.
        value.glob = false;
        self.scope.set(name, Value::Scalar(value));
    }
}

/// Tells whether a part begins with a brace that may be expanded.
fn begins_brace(part: Option<&Part>) -> bool {
    matches!(part, Some(Part::Text { text, quoted: false }) if text.starts_with('{'))
}

/// Returns what stands in place of a substitution whose output is this.
fn output_word(output: Output) -> Word {
    match output {
        Some(word) => Word { text: word.text.trim_end_matches('\n').to_owned(), ..word },
        None => Word::unknown(SPLICE),
    }
}

/// Returns words joined by blanks into one.
pub(super) fn joined(words: &[Word]) -> Word {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    Word {
        text: texts.join(" "),
        literal: words.iter().all(|word| word.literal),
        glob: words.iter().any(|word| word.glob),
        quoted: words.iter().any(|word| word.quoted),
    }
}
