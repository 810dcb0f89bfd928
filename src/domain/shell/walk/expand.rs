//! Expands words as written to words as a program receives them.
//!
//! A part of a word whose value is unknown stays as written, so that messages show it and a rule on the rest of the
//! word still sees that rest.

use std::ops::Range;

use super::scope::Value;
use super::{Output, Stdin, Walker, brace};
use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::syntax::SUBSTITUTION_PLACEHOLDER;
use crate::domain::shell::syntax::ast::{Part, RawWord};

/// What a process substitution is as among the words.
pub(super) const PROCESS_SUBSTITUTION_PATH: &str = "/dev/fd/63";

/// What is in place of the names that `ls` prints.
const DIRECTORY_LISTING: &str = "$(ls)";

/// The longest value of a variable that is kept.
pub(super) const MAX_VALUE: usize = 1 << 16;

/// A part of a word whose value has been looked up.
#[derive(Debug, Clone)]
pub(super) enum ExpandedPart {
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

impl ExpandedPart {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Text { text, .. } => text.len(),
            Self::Value { fields, .. } => fields.iter().map(|field| field.text.len()).sum(),
        }
    }
}

/// Fields while they are put together.
struct FieldSplitter {
    finished: Vec<Word>,
    current: Word,
    has_current: bool,
    separators: String,
}

impl FieldSplitter {
    fn new(separators: String) -> Self {
        Self { finished: Vec::new(), current: Word::known(""), has_current: false, separators }
    }

    fn push_text(&mut self, text: &str, quoted: bool) {
        self.has_current |= quoted || !text.is_empty();
        self.current.quoted |= quoted;
        self.current.glob |= !quoted && has_glob(text);
        self.current.text.push_str(text);
    }

    fn push_values(&mut self, values: &[Word], quoted: bool) {
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.end_field();
            }
            self.push_value(value, quoted);
        }
    }

    /// Returns what a listing prints of a pattern that is put behind a directory: `~/$f` with the names in `~/*`.
    fn without_listed_directory<'v>(&self, value: &'v str) -> &'v str {
        if value.contains('*') { listed_name(&self.current.text, value) } else { value }
    }

    fn push_value(&mut self, value: &Word, quoted: bool) {
        if quoted {
            self.current.glob |= value.glob;
            self.current.literal &= value.literal;
            let text = self.without_listed_directory(&value.text).to_owned();
            self.push_text(&text, true);
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
            let text = self.without_listed_directory(field).to_owned();
            self.push_text(&text, false);
            behind_blank &= field.is_empty();
            match separator {
                Some(' ' | '\t' | '\n') => {
                    behind_blank |= self.has_current;
                    self.end_field();
                }
                Some(_) => {
                    self.has_current |= !behind_blank;
                    behind_blank = false;
                    self.end_field();
                }
                None => {}
            }
        }
    }

    fn end_field(&mut self) {
        let word = std::mem::replace(&mut self.current, Word::known(""));
        if std::mem::take(&mut self.has_current) {
            self.finished.push(word);
        }
    }

    fn finish(mut self) -> Vec<Word> {
        self.end_field();
        self.finished
    }
}

/// Returns whether a word vanishes: `"$@"` without parameters, although its quotes would make a word.
fn is_empty_list(pieces: &[ExpandedPart]) -> bool {
    let mut vanishes = false;
    for piece in pieces {
        match piece {
            ExpandedPart::Text { text, .. } if text.is_empty() => {}
            ExpandedPart::Value { fields, quoted: true } if fields.is_empty() => vanishes = true,
            ExpandedPart::Text { .. } | ExpandedPart::Value { .. } => return false,
        }
    }
    vanishes
}

/// Returns whether unquoted text has a file name pattern in it.
pub(super) fn has_glob(text: &str) -> bool {
    text.contains(['*', '?']) || text.split_once('[').is_some_and(|(_, rest)| rest.contains(']'))
}

impl Walker {
    /// Returns the words that a word becomes, with what process substitutions in it print.
    pub(super) fn expand_word(&mut self, raw: &RawWord, processes: &mut Vec<Output>) -> Vec<Word> {
        if self.stopped {
            return Vec::new();
        }
        if let [Part::Text { text, quoted: false }] = raw.parts.as_slice()
            && !text.contains('{')
            && self.spend(text.len(), &raw.span)
        {
            return vec![Word { text: text.clone(), literal: true, glob: has_glob(text), quoted: false }];
        }
        let pieces = self.expand_parts(&raw.parts, &raw.span, processes);
        if is_empty_list(&pieces) {
            return Vec::new();
        }
        let mut fields = FieldSplitter::new(self.field_separators());
        let words = if brace::has_braces(&pieces) { brace::expand(&pieces) } else { Some(vec![pieces.clone()]) };
        if let Some(words) = words {
            for pieces in words {
                self.split_fields(&pieces, &mut fields, &raw.span);
                fields.end_field();
            }
        } else {
            // Too many words to follow: a pattern that all of them match.
            fields.current.glob = true;
            self.split_fields(&brace::widen(&pieces), &mut fields, &raw.span);
        }
        fields.finish()
    }

    /// Returns the one word that a word becomes where the shell does not split it.
    pub(super) fn expand_single(&mut self, raw: &RawWord) -> Word {
        self.expand_parts_single(&raw.parts, &raw.span)
    }

    pub(super) fn expand_parts_single(&mut self, parts: &[Part], span: &Range<usize>) -> Word {
        let pieces = self.expand_parts(parts, span, &mut Vec::new());
        let mut fields = FieldSplitter::new(String::new());
        self.split_fields(&pieces, &mut fields, span);
        fields.has_current = true;
        let mut words = fields.finish();
        match words.pop() {
            Some(word) if words.is_empty() => word,
            Some(last) => {
                words.push(last);
                join_words(&words)
            }
            None => Word::known(""),
        }
    }

    fn split_fields(&mut self, pieces: &[ExpandedPart], fields: &mut FieldSplitter, span: &Range<usize>) {
        for piece in pieces {
            if !self.spend(piece.len(), span) {
                return;
            }
            match piece {
                ExpandedPart::Text { text, quoted } => fields.push_text(text, *quoted),
                ExpandedPart::Value { fields: values, quoted } => fields.push_values(values, *quoted),
            }
        }
    }

    fn expand_parts(&mut self, parts: &[Part], span: &Range<usize>, processes: &mut Vec<Output>) -> Vec<ExpandedPart> {
        let mut pieces = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let (fields, quoted) = match part {
                Part::Text { text, quoted } => {
                    pieces.push(ExpandedPart::Text { text: text.clone(), quoted: *quoted });
                    continue;
                }
                // Braces are expanded first: `$x{a,b}` is `$xa $xb`, and not the value of `x`.
                Part::Parameter { parameter, quoted: false }
                    if !parameter.braced && starts_with_brace(parts.get(at + 1)) =>
                {
                    (vec![Word::unknown(format!("${}", parameter.name))], false)
                }
                Part::Parameter { parameter, quoted } => (self.expand_parameter(parameter, span), *quoted),
                Part::Substitution { list, quoted, backquoted } => {
                    let label = if *backquoted { "`…`" } else { SUBSTITUTION_PLACEHOLDER };
                    let output = self.with_wanted_output(true, |walker| {
                        walker.in_nested_context(label, |walker| walker.subshell(|walker| walker.walk_list(list)))
                    });
                    let is_listing = output.is_none() && list.first().is_some_and(super::input::lists_directory);
                    let word = if is_listing { Word::unknown(DIRECTORY_LISTING) } else { output_word(output) };
                    (vec![word], *quoted)
                }
                Part::ProcessSubstitution { list, input } => {
                    let label = if *input { "<(…)" } else { ">(…)" };
                    let feed = if *input { Stdin::Inherited } else { Stdin::Pipe { decoded: false } };
                    let output = self.with_wanted_output(*input, |walker| {
                        walker.in_nested_context(label, |walker| {
                            walker.with_stdin(&feed, |walker| walker.subshell(|walker| walker.walk_list(list)))
                        })
                    });
                    processes.push(output);
                    (vec![Word::unknown(PROCESS_SUBSTITUTION_PATH)], true)
                }
                Part::Arithmetic { parts, quoted } => {
                    let inside = self.expand_parts_single(parts, span);
                    let number = inside.literal && inside.text.trim().parse::<i64>().is_ok();
                    let word = if number { Word::known(inside.text.trim()) } else { Word::unknown("$((…))") };
                    (vec![word], *quoted)
                }
                Part::OuterSubstitution { quoted } => {
                    self.report(OpaqueReason::DynamicCode, span.clone());
                    (vec![Word::unknown(SUBSTITUTION_PLACEHOLDER)], *quoted)
                }
            };
            pieces.push(ExpandedPart::Value { fields, quoted });
        }
        pieces
    }

    pub(super) fn field_separators(&self) -> String {
        match self.scope.get("IFS") {
            Some(Value::Scalar(word)) if word.literal => word.text.clone(),
            _ => " \t\n".to_owned(),
        }
    }

    /// Remembers the value of a variable.
    pub(super) fn assign_variable(&mut self, name: &str, mut value: Word) {
        if value.text.len() > MAX_VALUE {
            value = Word::unknown(format!("${name}"));
        }
        // Patterns are expanded where the variable is used, not where it is set.
        value.glob = false;
        self.scope.set(name, Value::Scalar(value));
    }
}

/// Returns whether a part begins with a brace that may be expanded.
fn starts_with_brace(part: Option<&Part>) -> bool {
    matches!(part, Some(Part::Text { text, quoted: false }) if text.starts_with('{'))
}

/// Returns what is in place of a substitution whose output is this.
fn output_word(output: Output) -> Word {
    match output {
        Some(word) => Word { text: word.text.trim_end_matches('\n').to_owned(), ..word },
        None => Word::unknown(SUBSTITUTION_PLACEHOLDER),
    }
}

/// Returns the name of an item of a listing where it is put behind a directory, since a listing prints bare names.
pub(super) fn listed_name<'i>(before: &str, item: &'i str) -> &'i str {
    let is_behind = before.ends_with('/') && item.starts_with(['~', '/', '$']);
    if is_behind { item.rsplit('/').next().unwrap_or(item) } else { item }
}

/// Returns words joined by blanks into one.
pub(super) fn join_words(words: &[Word]) -> Word {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    Word {
        text: texts.join(" "),
        literal: words.iter().all(|word| word.literal),
        glob: words.iter().any(|word| word.glob),
        quoted: words.iter().any(|word| word.quoted),
    }
}
