//! Reads `PowerShell` and follows the values of its variables, as far as the text determines them.
//!
//! The text is read once from the beginning to the end, and evaluated on the way: every branch is taken, a loop's body
//! is taken once with all values of its variable, a function's body where it is called. A value that is not known
//! stays in its word as it is written.

mod assignment;
mod cmdlet;
mod command;
mod cursor;
mod dotnet;
mod expression;
mod function;
mod operator;
mod output;
mod primary;
mod statement;
mod strings;
mod value;
mod variable;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::{MAX_DEPTH, MAX_WORDS, WindowsCommand};
use crate::domain::shell::script::{Opaque, OpaqueReason, Word};
use function::Function;
use value::Value;

/// Returns the commands of a text and the places that could not be read.
pub(super) fn parse(text: &str) -> (Vec<WindowsCommand>, Vec<Opaque>) {
    let mut reader = Reader {
        whole: text,
        text,
        pos: 0,
        finished: Vec::new(),
        opaque: Vec::new(),
        variables: HashMap::new(),
        functions: BTreeMap::new(),
        arguments: Vec::new(),
        target: None,
        pipeline_count: 0,
        branches: 0,
        depth: 0,
        word_count: 0,
        captured: 0,
        muted: 0,
    };
    reader.statements(None);
    reader.uncalled_functions();
    (reader.finished, reader.opaque)
}

/// A reader at a place in a text.
struct Reader<'a> {
    /// All of the text.
    whole: &'a str,
    /// The text up to where the present piece ends.
    text: &'a str,
    pos: usize,
    finished: Vec<WindowsCommand>,
    opaque: Vec<Opaque>,
    /// The values of variables, by their names in lower case.
    variables: HashMap<String, Value>,
    functions: BTreeMap<String, Function>,
    /// The arguments of the function or script that is being read.
    arguments: Vec<Word>,
    /// The variable that the expression just read consists of.
    target: Option<String>,
    pipeline_count: usize,
    /// How many branches and loops deep the reader is.
    branches: usize,
    depth: usize,
    word_count: usize,
    /// How many places deep the reader is in which what is printed is a value.
    captured: usize,
    /// While this is not zero, what is read does not run here.
    muted: usize,
}

impl Reader<'_> {
    /// Adds a command to the list.
    fn emit(&mut self, command: WindowsCommand) {
        self.word_count += command.words.len() + 1;
        if self.muted == 0 {
            self.finished.push(command);
        }
        self.check_budget();
    }

    /// Adds a command with a pipeline of its own, which a part of an expression runs.
    fn emit_words(&mut self, words: Vec<Word>, origin: Option<OpaqueReason>, start: usize) {
        self.pipeline_count += 1;
        let pipeline = self.pipeline_count;
        let span = start..self.pos;
        self.emit(WindowsCommand { words, span, pipeline, code_origin: origin, ..WindowsCommand::default() });
    }

    fn check_budget(&mut self) {
        if self.word_count > MAX_WORDS && self.pos < self.text.len() {
            self.opaque.push(Opaque { reason: OpaqueReason::TooMany, span: self.pos..self.text.len() });
            self.pos = self.text.len();
        }
    }

    /// Reads something one level deeper, or gives up.
    fn deeper<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.opaque.push(Opaque { reason: OpaqueReason::TooDeep, span: self.pos..self.text.len() });
            self.pos = self.text.len();
            return T::default();
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Reads a piece of the text elsewhere and comes back.
    fn elsewhere<T: Default>(&mut self, place: Range<usize>, read: impl FnOnce(&mut Self) -> T) -> T {
        let (pos, text) = (self.pos, self.text);
        let Some(inside) = self.whole.get(..place.end) else { return T::default() };
        // What is read ends where the piece ends.
        (self.pos, self.text) = (place.start, inside);
        let value = self.deeper(read);
        let gave_up = self.word_count > MAX_WORDS;
        (self.pos, self.text) = (if gave_up { text.len() } else { pos }, text);
        value
    }

    /// Reports an unclosed quote or bracket.
    fn report_unbalanced(&mut self, start: usize) {
        if self.muted == 0 {
            self.opaque.push(Opaque { reason: OpaqueReason::Unbalanced, span: start..self.text.len() });
        }
    }
}
