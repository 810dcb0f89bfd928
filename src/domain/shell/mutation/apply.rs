//! Applies operators to a line.

use super::line::{CommandSite, ParsedLine};
use super::table::{MutationOperator, Transform};
use super::{path, quote};
use crate::domain::text::encoding;

impl MutationOperator {
    /// Returns the mutations of a line by this operator.
    pub(super) fn apply(&self, line: &ParsedLine<'_>) -> Vec<String> {
        let whole = |text: Option<String>| text.into_iter().collect();
        match self.transform {
            Transform::Words(spell) => mutate_words(line, spell),
            Transform::Files(spell) => path::mutate_files(line, spell),
            Transform::Program(directory) => path::prefix_directory(line, directory),
            Transform::Prefix(prefix) => insert_before(line, prefix, |site| !site.is_builtin()),
            Transform::PrefixAny(prefix) => insert_before(line, prefix, |_| true),
            Transform::PrefixSingle(prefix) if line.is_single => insert_before(line, prefix, |site| !site.is_builtin()),
            Transform::PrefixSingle(_) => Vec::new(),
            Transform::GlobalOptions(program, options) => insert_global_options(line, program, options),
            Transform::Wrap(head, tail) => whole(wrap(line, head, tail)),
            Transform::GroupBody(head, tail) => whole(Some(format!("{head}{}{tail}", line.terminated()))),
            Transform::Subshell(head, tail) => whole(wrap_in_subshell(line, head, tail)),
            Transform::Unquoted(head, tail) => whole(wrap_unquoted(line, head, tail)),
            Transform::SingleQuoted(head, tail) => whole(wrap_quoted(line, head, tail, quote::single_quote)),
            Transform::DoubleQuoted(head, tail) => whole(wrap_quoted(line, head, tail, quote::double_quote)),
            Transform::Base64(head, tail) => whole(wrap_quoted(line, head, tail, to_base64)),
            Transform::Hex(head, tail) => whole(wrap_quoted(line, head, tail, to_hex)),
            Transform::HereDocument(head, tail) => whole(wrap_here_document(line, head, tail)),
            Transform::Custom(spell) => spell(line),
        }
    }
}

/// Mutates the programs, then the arguments, then both.
fn mutate_words(line: &ParsedLine<'_>, spell: fn(&str) -> String) -> Vec<String> {
    let edits = |wanted: fn(usize) -> bool| {
        let words = line.sites.iter().flat_map(|site| site.words.iter().enumerate());
        let wanted = words.filter(|(index, word)| wanted(*index) && word.is_plain());
        wanted.map(|(_, word)| (word.span.clone(), spell(&word.raw))).collect::<Vec<_>>()
    };
    let parts = [edits(|index| index == 0), edits(|index| index > 0), edits(|_| true)];
    parts.into_iter().filter(|edits| !edits.is_empty()).map(|edits| line.apply_edits(edits)).collect()
}

/// Puts something before the program of each command, one by one.
fn insert_before(line: &ParsedLine<'_>, prefix: &str, wanted: fn(&CommandSite) -> bool) -> Vec<String> {
    if line.has_definitions {
        return Vec::new();
    }
    let sites = line.sites.iter().filter(|site| wanted(site));
    sites.map(|site| line.apply_edits(vec![(site.start()..site.start(), prefix.to_owned())])).collect()
}

/// Puts options of the program itself before its subcommand.
fn insert_global_options(line: &ParsedLine<'_>, program: &str, options: &str) -> Vec<String> {
    let first = line.sites.iter().filter_map(|site| site.words.first());
    let ends = first.filter(|word| word.raw == program).map(|word| word.span.end);
    ends.map(|end| line.apply_edits(vec![(end..end, options.to_owned())])).collect()
}

fn wrap(line: &ParsedLine<'_>, head: &str, tail: &str) -> Option<String> {
    // In the background or in a pipe, changes of the shell affect a subshell.
    let is_lost = line.only_changes_shell_state()
        && (tail.contains('|') || tail.contains('&'))
        && !["&&", "||", ">"].iter().any(|sign| tail.contains(sign));
    ((tail.is_empty() || line.is_appendable()) && !is_lost).then(|| format!("{head}{}{tail}", line.text))
}

/// Puts a line where it is still read as commands, in a shell of its own.
fn wrap_in_subshell(line: &ParsedLine<'_>, head: &str, tail: &str) -> Option<String> {
    let end = if line.is_appendable() { "" } else { "\n" };
    // Two brackets without a blank begin arithmetic.
    let gap = if head.ends_with('(') && line.text.starts_with('(') { " " } else { "" };
    (!line.only_changes_shell_state()).then(|| format!("{head}{gap}{}{end}{tail}", line.text))
}

/// Puts a line between quotes of another language, which would read some characters as its own.
fn wrap_unquoted(line: &ParsedLine<'_>, head: &str, tail: &str) -> Option<String> {
    let fits = !line.text.contains(['\'', '"', '\\', '`', '$', '@', '!', '\n', '{', '}']);
    (fits && !line.only_changes_shell_state() && line.is_portable()).then(|| format!("{head}{}{tail}", line.text))
}

/// Gives a line to another shell as a text.
fn wrap_quoted(line: &ParsedLine<'_>, head: &str, tail: &str, spell: fn(&str) -> String) -> Option<String> {
    let fits = line.is_portable() || [head, tail].iter().any(|part| part.contains("bash") || part.contains("eval"));
    (fits && !line.only_changes_shell_state()).then(|| format!("{head}{}{tail}", spell(line.text)))
}

/// Gives a line to another shell as lines.
fn wrap_here_document(line: &ParsedLine<'_>, head: &str, tail: &str) -> Option<String> {
    let is_expanded = !head.contains('\'');
    let breaks = line.text.contains("EOF") || is_expanded && line.text.contains(['$', '`', '\\']);
    (!breaks && !line.only_changes_shell_state()).then(|| format!("{head}{}{tail}", line.text))
}

fn to_base64(text: &str) -> String {
    encoding::encode_base64(text.as_bytes())
}

fn to_hex(text: &str) -> String {
    encoding::encode_hex(text.as_bytes())
}
