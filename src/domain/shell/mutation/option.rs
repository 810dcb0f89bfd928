//! Options in other forms and in another order, where the table of options knows the program.

use super::line::{CommandSite, ParsedLine, SourceWord};
use crate::domain::shell::arguments::spec_of;
use crate::domain::shell::option_table::{OptionSpec, SubcommandMode};
use crate::domain::shell::script::{Word, program_name};

/// The programs that take options also after operands, in any order.
const PERMUTING_PROGRAMS: &[&str] = &[
    "rm", "rmdir", "cp", "mv", "ln", "chown", "chgrp", "mkdir", "touch", "truncate", "shred", "tee", "cat", "head",
    "tail", "grep", "curl", "wget", "git", "rsync",
];

/// The programs for which `--` before the first operand changes nothing.
const DOUBLE_DASH_PROGRAMS: &[&str] = &[
    "rm", "rmdir", "cp", "mv", "ln", "chown", "chgrp", "chmod", "mkdir", "touch", "truncate", "shred", "tee", "cat",
    "head", "tail",
];

/// The arguments of a command after its program and subcommands.
struct ArgumentLayout<'s> {
    program: &'s str,
    spec: &'static OptionSpec,
    items: Vec<ArgumentItem<'s>>,
}

/// An option with its value, or an operand.
#[derive(Clone, Copy)]
struct ArgumentItem<'s> {
    words: &'s [SourceWord],
    kind: ArgumentKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    /// Letters without a value.
    Letters,
    /// A long name, with its value after `=` if it has one.
    Long,
    /// A long name and its value in the next word.
    LongAndValue,
    /// A letter and its value in the next word.
    LetterAndValue,
    /// Another option, left as it is.
    OtherOption,
    /// `--`
    DoubleDash,
    Operand,
}

impl ArgumentItem<'_> {
    fn raw(&self) -> String {
        self.words.iter().map(|piece| piece.raw.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn is_option(&self) -> bool {
        !matches!(self.kind, ArgumentKind::DoubleDash | ArgumentKind::Operand)
    }
}

impl<'s> ArgumentLayout<'s> {
    fn parse(site: &'s CommandSite) -> Option<Self> {
        let words: Vec<Word> = site.words.iter().map(|word| Word::known(word.raw.as_str())).collect();
        let row = spec_of(&words)
            .filter(|row| !row.single_dash_names && row.subcommands != SubcommandMode::ExternalCommand)?;
        let program = program_name(site.program());
        let behind = row.path.split(',').find_map(|path| subcommand_words(path, program, &site.words))?;
        let mut rest = site.words.get(behind..)?;
        let mut items = Vec::new();
        while let Some(word) = rest.first() {
            let (kind, length) = classify(word, rest.get(1), row);
            let (pieces, behind) = rest.split_at_checked(length)?;
            items.push(ArgumentItem { words: pieces, kind });
            rest = behind;
            if kind == ArgumentKind::DoubleDash {
                items.extend(rest.chunks(1).map(|pieces| ArgumentItem { words: pieces, kind: ArgumentKind::Operand }));
                break;
            }
        }
        Some(Self { program, spec: row, items })
    }

    /// Returns whether all options are the program's, in whatever order.
    fn is_permutable(&self) -> bool {
        PERMUTING_PROGRAMS.contains(&self.program)
            && !self.spec.has_subcommands()
            && self.items.iter().all(|item| item.kind != ArgumentKind::DoubleDash)
    }

    fn long_name(&self, letter: char) -> Option<&'static str> {
        let pairs = self.spec.aliases.split(' ').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(short, _)| short.chars().eq([letter])).map(|(_, long)| long).next()
    }

    fn short_name(&self, long: &str) -> Option<&'static str> {
        let pairs = self.spec.aliases.split(' ').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(_, name)| *name == long).map(|(letter, _)| letter).next()
    }
}

/// Returns how many words a row's path takes of a command's, with options between them.
fn subcommand_words(path: &str, program: &str, words: &[SourceWord]) -> Option<usize> {
    let mut names = path.split(' ');
    if names.next() != Some(program) {
        return None;
    }
    let mut at = 1;
    for name in names {
        at += 1 + words.get(at..)?.iter().position(|word| word.raw == name)?;
    }
    Some(at)
}

fn classify(word: &SourceWord, next: Option<&SourceWord>, row: &OptionSpec) -> (ArgumentKind, usize) {
    let raw = word.raw.as_str();
    if raw == "--" {
        return (ArgumentKind::DoubleDash, 1);
    }
    if !word.is_option() {
        return (ArgumentKind::Operand, 1);
    }
    if !word.is_plain() {
        return (ArgumentKind::OtherOption, 1);
    }
    if let Some(name) = raw.strip_prefix("--") {
        let takes = row.long_with_value.split(' ').any(|long| long == name);
        return if takes && next.is_some() { (ArgumentKind::LongAndValue, 2) } else { (ArgumentKind::Long, 1) };
    }
    let letters = raw.trim_start_matches('-');
    match letters.char_indices().find(|(_, letter)| row.short_with_value.contains(*letter)) {
        None if letters.chars().all(|letter| letter.is_ascii_alphabetic()) => (ArgumentKind::Letters, 1),
        Some((0, letter)) if letters.len() == letter.len_utf8() && next.is_some() => (ArgumentKind::LetterAndValue, 2),
        Some((at, letter)) if at + letter.len_utf8() == letters.len() && next.is_some() => {
            (ArgumentKind::OtherOption, 2)
        }
        _ => (ArgumentKind::OtherOption, 1),
    }
}

/// Mutates one item of each command, where possible.
fn map_items(
    line: &ParsedLine<'_>,
    spell: impl Fn(&ArgumentLayout<'_>, &ArgumentItem<'_>) -> Vec<String>,
) -> Vec<String> {
    let mut texts = Vec::new();
    for site in &line.sites {
        let Some(shape) = ArgumentLayout::parse(site) else { continue };
        for item in &shape.items {
            let (Some(first), Some(last)) = (item.words.first(), item.words.last()) else { continue };
            let span = first.span.start..last.span.end;
            texts.extend(spell(&shape, item).into_iter().map(|new| line.apply_edits(vec![(span.clone(), new)])));
        }
    }
    texts
}

/// Puts the arguments of each command into another order; `None` where nothing changes.
fn reorder(line: &ParsedLine<'_>, order: impl Fn(&ArgumentLayout<'_>) -> Option<Vec<String>>) -> Vec<String> {
    let mut texts = Vec::new();
    for site in &line.sites {
        let Some(shape) = ArgumentLayout::parse(site) else { continue };
        let (Some(first), Some(last)) =
            (shape.items.first().and_then(|item| item.words.first()), site.words.last().map(|word| word.span.end))
        else {
            continue;
        };
        let all: usize = shape.items.iter().map(|item| item.words.len()).sum();
        let between = site.words.iter().rev().take(all).count();
        if let Some(words) = order(&shape).filter(|_| between == all) {
            texts.push(line.apply_edits(vec![(first.span.start..last, words.join(" "))]));
        }
    }
    texts
}

/// `-rf` → `-r -f`
pub(super) fn split_cluster(line: &ParsedLine<'_>) -> Vec<String> {
    map_items(line, |_, item| match item.words {
        [word] if item.kind == ArgumentKind::Letters && word.raw.len() > 2 => {
            let letters = word.raw.trim_start_matches('-').chars();
            vec![letters.map(|letter| format!("-{letter}")).collect::<Vec<_>>().join(" ")]
        }
        _ => Vec::new(),
    })
}

/// `-rf` → `-fr`
pub(super) fn reverse_cluster(line: &ParsedLine<'_>) -> Vec<String> {
    map_items(line, |_, item| match item.words {
        [word] if item.kind == ArgumentKind::Letters && word.raw.len() > 2 => {
            vec![format!("-{}", word.raw.trim_start_matches('-').chars().rev().collect::<String>())]
        }
        _ => Vec::new(),
    })
}

/// `-r -f` → `-rf`
pub(super) fn merge_cluster(line: &ParsedLine<'_>) -> Vec<String> {
    reorder(line, |shape| {
        let pair =
            shape.items.windows(2).position(|pair| pair.iter().all(|item| item.kind == ArgumentKind::Letters))?;
        let mut words: Vec<String> = shape.items.iter().map(ArgumentItem::raw).collect();
        let second = words.remove(pair + 1);
        words.get_mut(pair)?.push_str(second.trim_start_matches('-'));
        Some(words)
    })
}

/// `-a -b` → `-b -a`
pub(super) fn swap_options(line: &ParsedLine<'_>) -> Vec<String> {
    reorder(line, |shape| {
        // What is not understood may be an operand: the process `-1` after the signal `-9`.
        let moves = |item: &ArgumentItem<'_>| item.is_option() && item.kind != ArgumentKind::OtherOption;
        let pair = shape.items.windows(2).position(|pair| pair.iter().all(moves))?;
        let mut words: Vec<String> = shape.items.iter().map(ArgumentItem::raw).collect();
        words.swap(pair, pair + 1);
        Some(words).filter(|_| !shape.spec.has_subcommands())
    })
}

/// `-f x` → `x -f`
pub(super) fn options_last(line: &ParsedLine<'_>) -> Vec<String> {
    reorder(line, |shape| partition(shape).map(|(options, operands)| [operands, options].concat()))
}

/// `x -f` → `-f x`
pub(super) fn options_first(line: &ParsedLine<'_>) -> Vec<String> {
    reorder(line, |shape| partition(shape).map(|(options, operands)| [options, operands].concat()))
}

/// Returns the options and the operands, when there are both and their order does not matter.
fn partition(shape: &ArgumentLayout<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let (options, operands): (Vec<ArgumentItem<'_>>, Vec<ArgumentItem<'_>>) =
        shape.items.iter().partition(|item| item.is_option());
    let both = !options.is_empty() && !operands.is_empty() && shape.is_permutable();
    let raw = |items: Vec<ArgumentItem<'_>>| items.iter().map(ArgumentItem::raw).collect();
    both.then(|| (raw(options), raw(operands)))
}

/// `rm x` → `rm -- x`
pub(super) fn insert_double_dash(line: &ParsedLine<'_>) -> Vec<String> {
    reorder(line, |shape| {
        let first = shape.items.iter().position(|item| !item.is_option())?;
        let behind = shape.items.get(first..)?;
        let fits = DOUBLE_DASH_PROGRAMS.contains(&shape.program)
            && behind.iter().all(|item| item.kind == ArgumentKind::Operand);
        let mut words: Vec<String> = shape.items.iter().map(ArgumentItem::raw).collect();
        words.insert(first, "--".into());
        fits.then_some(words)
    })
}

/// `-rf` → `--recursive --force`
pub(super) fn to_long(line: &ParsedLine<'_>) -> Vec<String> {
    map_items(line, |shape, item| {
        let [word] = item.words else { return Vec::new() };
        if item.kind != ArgumentKind::Letters {
            return Vec::new();
        }
        let letters = word.raw.trim_start_matches('-').chars();
        let names: Option<Vec<String>> =
            letters.map(|letter| Some(format!("--{}", shape.long_name(letter)?))).collect();
        names.map(|names| names.join(" ")).into_iter().collect()
    })
}

/// `--force` → `-f`
pub(super) fn to_short(line: &ParsedLine<'_>) -> Vec<String> {
    map_items(line, |shape, item| {
        let [word] = item.words else { return Vec::new() };
        let letter = word.raw.strip_prefix("--").and_then(|name| shape.short_name(name));
        letter.map(|letter| format!("-{letter}")).into_iter().collect()
    })
}

/// `--force` → `--forc`, and the shortest that is unique
pub(super) fn abbreviate(line: &ParsedLine<'_>) -> Vec<String> {
    map_items(line, |shape, item| {
        let Some(word) =
            item.words.first().filter(|_| matches!(item.kind, ArgumentKind::Long | ArgumentKind::LongAndValue))
        else {
            return Vec::new();
        };
        let behind = item.words.get(1).map_or(String::new(), |value| format!(" {}", value.raw));
        let (name, value) = word
            .raw
            .split_once('=')
            .map_or((word.raw.as_str(), String::new()), |(name, value)| (name, format!("={value}")));
        let bare = name.trim_start_matches('-');
        let names: Vec<&str> = shape.spec.long_names.split(' ').collect();
        if !names.contains(&bare) || !bare.is_ascii() {
            return Vec::new();
        }
        let is_unique = |length: &usize| {
            let head = bare.get(..*length).unwrap_or_default();
            names.iter().filter(|name| name.starts_with(head)).count() == 1
        };
        let lengths: Vec<usize> = (1..bare.len()).filter(is_unique).collect();
        let mut chosen: Vec<usize> = lengths.first().into_iter().chain(lengths.last()).copied().collect();
        chosen.dedup();
        let heads = chosen.iter().filter_map(|length| bare.get(..*length));
        heads.map(|head| format!("--{head}{value}{behind}")).collect()
    })
}

/// `--method DELETE` → `--method=DELETE`, `-X DELETE` → `-XDELETE`
pub(super) fn attach_value(line: &ParsedLine<'_>) -> Vec<String> {
    map_items(line, |_, item| match (item.words, item.kind) {
        ([name, value], ArgumentKind::LongAndValue) => vec![format!("{}={}", name.raw, value.raw)],
        ([name, value], ArgumentKind::LetterAndValue) => vec![format!("{}{}", name.raw, value.raw)],
        _ => Vec::new(),
    })
}

/// `--method=DELETE` → `--method DELETE`, `-XDELETE` → `-X DELETE`
pub(super) fn detach_value(line: &ParsedLine<'_>) -> Vec<String> {
    map_items(line, |shape, item| {
        let [word] = item.words else { return Vec::new() };
        if let Some((name, value)) = word.raw.split_once('=').filter(|_| item.kind == ArgumentKind::Long) {
            let takes = shape.spec.long_with_value.split(' ').any(|long| name.strip_prefix("--") == Some(long));
            return if takes && !value.is_empty() { vec![format!("{name} {value}")] } else { Vec::new() };
        }
        let Some((letter, value)) = word.raw.split_at_checked(2).filter(|_| item.kind == ArgumentKind::OtherOption)
        else {
            return Vec::new();
        };
        let takes = letter.chars().next_back().is_some_and(|letter| shape.spec.short_with_value.contains(letter));
        let fits = takes && !value.is_empty() && !value.starts_with('=') && word.is_plain();
        if fits { vec![format!("{letter} {value}")] } else { Vec::new() }
    })
}
