//! What the kinds of operators do to a line.

use std::fmt::Write as _;

use super::line::{Line, Site};
use super::table::{Operator, Spell};
use super::{path, quote};
use crate::domain::shell::encode_base64;

impl Operator {
    /// Returns the spellings of a line by this operator.
    pub(super) fn apply(&self, line: &Line<'_>) -> Vec<String> {
        let whole = |text: Option<String>| text.into_iter().collect();
        match self.spell {
            Spell::Words(spell) => words(line, spell),
            Spell::Files(spell) => path::files(line, spell),
            Spell::Program(directory) => path::program(line, directory),
            Spell::Before(prefix) => before(line, prefix, |site| !site.is_builtin()),
            Spell::BeforeAny(prefix) => before(line, prefix, |_| true),
            Spell::BeforeSingle(prefix) if line.is_single => before(line, prefix, |site| !site.is_builtin()),
            Spell::BeforeSingle(_) => Vec::new(),
            Spell::Global(program, options) => global(line, program, options),
            Spell::Around(head, tail) => whole(around(line, head, tail)),
            Spell::Body(head, tail) => whole(Some(format!("{head}{}{tail}", line.closed()))),
            Spell::Nested(head, tail) => whole(nested(line, head, tail)),
            Spell::Bare(head, tail) => whole(bare(line, head, tail)),
            Spell::Quoted(head, tail) => whole(as_text(line, head, tail, quote::single)),
            Spell::Doubled(head, tail) => whole(as_text(line, head, tail, quote::double)),
            Spell::Encoded(head, tail) => whole(as_text(line, head, tail, base64)),
            Spell::Hexadecimal(head, tail) => whole(as_text(line, head, tail, hexadecimal)),
            Spell::Document(head, tail) => whole(document(line, head, tail)),
            Spell::By(spell) => spell(line),
        }
    }
}

/// Spells the programs anew, then the arguments, then both.
fn words(line: &Line<'_>, spell: fn(&str) -> String) -> Vec<String> {
    let edits = |wanted: fn(usize) -> bool| {
        let words = line.sites.iter().flat_map(|site| site.words.iter().enumerate());
        let wanted = words.filter(|(index, word)| wanted(*index) && word.is_plain());
        wanted.map(|(_, word)| (word.span.clone(), spell(&word.raw))).collect::<Vec<_>>()
    };
    let parts = [edits(|index| index == 0), edits(|index| index > 0), edits(|_| true)];
    parts.into_iter().filter(|edits| !edits.is_empty()).map(|edits| line.with(edits)).collect()
}

/// Puts something before the program of each command, one by one.
fn before(line: &Line<'_>, prefix: &str, wanted: fn(&Site) -> bool) -> Vec<String> {
    if line.has_names {
        return Vec::new();
    }
    let sites = line.sites.iter().filter(|site| wanted(site));
    sites.map(|site| line.with(vec![(site.start()..site.start(), prefix.to_owned())])).collect()
}

/// Puts options of the program itself before its subcommand.
fn global(line: &Line<'_>, program: &str, options: &str) -> Vec<String> {
    let first = line.sites.iter().filter_map(|site| site.words.first());
    let ends = first.filter(|word| word.raw == program).map(|word| word.span.end);
    ends.map(|end| line.with(vec![(end..end, options.to_owned())])).collect()
}

fn around(line: &Line<'_>, head: &str, tail: &str) -> Option<String> {
    // In the background or in a pipe, what changes the shell changes another one.
    let is_lost = line.is_state()
        && (tail.contains('|') || tail.contains('&'))
        && !["&&", "||", ">"].iter().any(|sign| tail.contains(sign));
    ((tail.is_empty() || line.is_open()) && !is_lost).then(|| format!("{head}{}{tail}", line.text))
}

/// Puts a line where it is still read as commands, in a shell of its own.
fn nested(line: &Line<'_>, head: &str, tail: &str) -> Option<String> {
    let end = if line.is_open() { "" } else { "\n" };
    // Two brackets without a blank begin arithmetic.
    let gap = if head.ends_with('(') && line.text.starts_with('(') { " " } else { "" };
    (!line.is_state()).then(|| format!("{head}{gap}{}{end}{tail}", line.text))
}

/// Puts a line between quotes of another language, which would read some characters as its own.
fn bare(line: &Line<'_>, head: &str, tail: &str) -> Option<String> {
    let fits = !line.text.contains(['\'', '"', '\\', '`', '$', '@', '!', '\n', '{', '}']);
    (fits && !line.is_state() && line.is_portable()).then(|| format!("{head}{}{tail}", line.text))
}

/// Gives a line to another shell as a text.
fn as_text(line: &Line<'_>, head: &str, tail: &str, spell: fn(&str) -> String) -> Option<String> {
    let fits = line.is_portable() || [head, tail].iter().any(|part| part.contains("bash") || part.contains("eval"));
    (fits && !line.is_state()).then(|| format!("{head}{}{tail}", spell(line.text)))
}

/// Gives a line to another shell as lines.
fn document(line: &Line<'_>, head: &str, tail: &str) -> Option<String> {
    let is_expanded = !head.contains('\'');
    let breaks = line.text.contains("EOF") || is_expanded && line.text.contains(['$', '`', '\\']);
    (!breaks && !line.is_state()).then(|| format!("{head}{}{tail}", line.text))
}

fn base64(text: &str) -> String {
    encode_base64(text.as_bytes())
}

fn hexadecimal(text: &str) -> String {
    text.bytes().fold(String::new(), |mut digits, byte| {
        let _written = write!(digits, "{byte:02x}");
        digits
    })
}
