//! Options in other forms and in another order, where the table of options knows the program.

use super::line::{Line, Piece, Site};
use crate::domain::shell::option::row_of;
use crate::domain::shell::option_table::{Behind, Row};
use crate::domain::shell::script::{Word, program_name};

/// The programs that take options also behind operands, in any order.
const PERMUTING: &[&str] = &[
    "rm", "rmdir", "cp", "mv", "ln", "chown", "chgrp", "mkdir", "touch", "truncate", "shred", "tee", "cat", "head",
    "tail", "grep", "curl", "wget", "git", "rsync",
];

/// The programs for which `--` before the first operand changes nothing.
const DASHING: &[&str] = &[
    "rm", "rmdir", "cp", "mv", "ln", "chown", "chgrp", "chmod", "mkdir", "touch", "truncate", "shred", "tee", "cat",
    "head", "tail",
];

/// The arguments of a command behind its program and subcommands.
struct Shape<'s> {
    program: &'s str,
    row: &'static Row,
    items: Vec<Item<'s>>,
}

/// An option with its value, or an operand.
#[derive(Clone, Copy)]
struct Item<'s> {
    pieces: &'s [Piece],
    kind: Given,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// Letters without a value.
    Letters,
    /// A long name, with its value behind `=` if it has one.
    Long,
    /// A long name and its value in the next word.
    LongAndValue,
    /// A letter and its value in the next word.
    LetterAndValue,
    /// Another option, left as it is.
    Fixed,
    /// `--`
    Dashes,
    Operand,
}

impl Item<'_> {
    fn raw(&self) -> String {
        self.pieces.iter().map(|piece| piece.raw.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn is_option(&self) -> bool {
        !matches!(self.kind, Given::Dashes | Given::Operand)
    }
}

impl<'s> Shape<'s> {
    fn of(site: &'s Site) -> Option<Self> {
        let words: Vec<Word> = site.words.iter().map(|word| Word::known(word.raw.as_str())).collect();
        let row = row_of(&words).filter(|row| !row.words && row.behind != Behind::Foreign)?;
        let program = program_name(site.program());
        let behind = row.path.split(',').find_map(|path| behind(path, program, &site.words))?;
        let mut rest = site.words.get(behind..)?;
        let mut items = Vec::new();
        while let Some(word) = rest.first() {
            let (kind, length) = kind_of(word, rest.get(1), row);
            let (pieces, behind) = rest.split_at_checked(length)?;
            items.push(Item { pieces, kind });
            rest = behind;
            if kind == Given::Dashes {
                items.extend(rest.chunks(1).map(|pieces| Item { pieces, kind: Given::Operand }));
                break;
            }
        }
        Some(Self { program, row, items })
    }

    /// Tells whether all options are the program's, in whatever order.
    fn permutes(&self) -> bool {
        PERMUTING.contains(&self.program)
            && !self.row.has_subcommands()
            && self.items.iter().all(|item| item.kind != Given::Dashes)
    }

    fn long_of(&self, letter: char) -> Option<&'static str> {
        let pairs = self.row.same.split(' ').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(short, _)| short.chars().eq([letter])).map(|(_, long)| long).next()
    }

    fn letter_of(&self, long: &str) -> Option<&'static str> {
        let pairs = self.row.same.split(' ').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(_, name)| *name == long).map(|(letter, _)| letter).next()
    }
}

/// Returns how many words a row's path takes of a command's, with options between them.
fn behind(path: &str, program: &str, words: &[Piece]) -> Option<usize> {
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

fn kind_of(word: &Piece, next: Option<&Piece>, row: &Row) -> (Given, usize) {
    let raw = word.raw.as_str();
    if raw == "--" {
        return (Given::Dashes, 1);
    }
    if !word.is_option() {
        return (Given::Operand, 1);
    }
    if !word.is_plain() {
        return (Given::Fixed, 1);
    }
    if let Some(name) = raw.strip_prefix("--") {
        let takes = row.long.split(' ').any(|long| long == name);
        return if takes && next.is_some() { (Given::LongAndValue, 2) } else { (Given::Long, 1) };
    }
    let letters = raw.trim_start_matches('-');
    match letters.char_indices().find(|(_, letter)| row.short.contains(*letter)) {
        None if letters.chars().all(|letter| letter.is_ascii_alphabetic()) => (Given::Letters, 1),
        Some((0, letter)) if letters.len() == letter.len_utf8() && next.is_some() => (Given::LetterAndValue, 2),
        Some((at, letter)) if at + letter.len_utf8() == letters.len() && next.is_some() => (Given::Fixed, 2),
        _ => (Given::Fixed, 1),
    }
}

/// Spells one item of each command anew, each that can be.
fn each(line: &Line<'_>, spell: impl Fn(&Shape<'_>, &Item<'_>) -> Vec<String>) -> Vec<String> {
    let mut texts = Vec::new();
    for site in &line.sites {
        let Some(shape) = Shape::of(site) else { continue };
        for item in &shape.items {
            let (Some(first), Some(last)) = (item.pieces.first(), item.pieces.last()) else { continue };
            let span = first.span.start..last.span.end;
            texts.extend(spell(&shape, item).into_iter().map(|new| line.with(vec![(span.clone(), new)])));
        }
    }
    texts
}

/// Puts the arguments of each command into another order; `None` where nothing changes.
fn reorder(line: &Line<'_>, order: impl Fn(&Shape<'_>) -> Option<Vec<String>>) -> Vec<String> {
    let mut texts = Vec::new();
    for site in &line.sites {
        let Some(shape) = Shape::of(site) else { continue };
        let (Some(first), Some(last)) =
            (shape.items.first().and_then(|item| item.pieces.first()), site.words.last().map(|word| word.span.end))
        else {
            continue;
        };
        let all: usize = shape.items.iter().map(|item| item.pieces.len()).sum();
        let between = site.words.iter().rev().take(all).count();
        if let Some(words) = order(&shape).filter(|_| between == all) {
            texts.push(line.with(vec![(first.span.start..last, words.join(" "))]));
        }
    }
    texts
}

/// `-rf` → `-r -f`
pub(super) fn split(line: &Line<'_>) -> Vec<String> {
    each(line, |_, item| match item.pieces {
        [word] if item.kind == Given::Letters && word.raw.len() > 2 => {
            let letters = word.raw.trim_start_matches('-').chars();
            vec![letters.map(|letter| format!("-{letter}")).collect::<Vec<_>>().join(" ")]
        }
        _ => Vec::new(),
    })
}

/// `-rf` → `-fr`
pub(super) fn reversed(line: &Line<'_>) -> Vec<String> {
    each(line, |_, item| match item.pieces {
        [word] if item.kind == Given::Letters && word.raw.len() > 2 => {
            vec![format!("-{}", word.raw.trim_start_matches('-').chars().rev().collect::<String>())]
        }
        _ => Vec::new(),
    })
}

/// `-r -f` → `-rf`
pub(super) fn joined(line: &Line<'_>) -> Vec<String> {
    reorder(line, |shape| {
        let pair = shape.items.windows(2).position(|pair| pair.iter().all(|item| item.kind == Given::Letters))?;
        let mut words: Vec<String> = shape.items.iter().map(Item::raw).collect();
        let second = words.remove(pair + 1);
        words.get_mut(pair)?.push_str(second.trim_start_matches('-'));
        Some(words)
    })
}

/// `-a -b` → `-b -a`
pub(super) fn swapped(line: &Line<'_>) -> Vec<String> {
    reorder(line, |shape| {
        // What is not understood may be an operand: the process `-1` behind the signal `-9`.
        let moves = |item: &Item<'_>| item.is_option() && item.kind != Given::Fixed;
        let pair = shape.items.windows(2).position(|pair| pair.iter().all(moves))?;
        let mut words: Vec<String> = shape.items.iter().map(Item::raw).collect();
        words.swap(pair, pair + 1);
        Some(words).filter(|_| !shape.row.has_subcommands())
    })
}

/// `-f x` → `x -f`
pub(super) fn behind_operands(line: &Line<'_>) -> Vec<String> {
    reorder(line, |shape| parted(shape).map(|(options, operands)| [operands, options].concat()))
}

/// `x -f` → `-f x`
pub(super) fn before_operands(line: &Line<'_>) -> Vec<String> {
    reorder(line, |shape| parted(shape).map(|(options, operands)| [options, operands].concat()))
}

/// Returns the options and the operands, when there are both and their order does not matter.
fn parted(shape: &Shape<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let (options, operands): (Vec<Item<'_>>, Vec<Item<'_>>) = shape.items.iter().partition(|item| item.is_option());
    let both = !options.is_empty() && !operands.is_empty() && shape.permutes();
    let raw = |items: Vec<Item<'_>>| items.iter().map(Item::raw).collect();
    both.then(|| (raw(options), raw(operands)))
}

/// `rm x` → `rm -- x`
pub(super) fn dashes(line: &Line<'_>) -> Vec<String> {
    reorder(line, |shape| {
        let first = shape.items.iter().position(|item| !item.is_option())?;
        let behind = shape.items.get(first..)?;
        let fits = DASHING.contains(&shape.program) && behind.iter().all(|item| item.kind == Given::Operand);
        let mut words: Vec<String> = shape.items.iter().map(Item::raw).collect();
        words.insert(first, "--".into());
        fits.then_some(words)
    })
}

/// `-rf` → `--recursive --force`
pub(super) fn long(line: &Line<'_>) -> Vec<String> {
    each(line, |shape, item| {
        let [word] = item.pieces else { return Vec::new() };
        if item.kind != Given::Letters {
            return Vec::new();
        }
        let letters = word.raw.trim_start_matches('-').chars();
        let names: Option<Vec<String>> = letters.map(|letter| Some(format!("--{}", shape.long_of(letter)?))).collect();
        names.map(|names| names.join(" ")).into_iter().collect()
    })
}

/// `--force` → `-f`
pub(super) fn short(line: &Line<'_>) -> Vec<String> {
    each(line, |shape, item| {
        let [word] = item.pieces else { return Vec::new() };
        let letter = word.raw.strip_prefix("--").and_then(|name| shape.letter_of(name));
        letter.map(|letter| format!("-{letter}")).into_iter().collect()
    })
}

/// `--force` → `--forc`, and the shortest that is unique
pub(super) fn abbreviated(line: &Line<'_>) -> Vec<String> {
    each(line, |shape, item| {
        let Some(word) = item.pieces.first().filter(|_| matches!(item.kind, Given::Long | Given::LongAndValue)) else {
            return Vec::new();
        };
        let behind = item.pieces.get(1).map_or(String::new(), |value| format!(" {}", value.raw));
        let (name, value) = word
            .raw
            .split_once('=')
            .map_or((word.raw.as_str(), String::new()), |(name, value)| (name, format!("={value}")));
        let bare = name.trim_start_matches('-');
        let names: Vec<&str> = shape.row.names.split(' ').collect();
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
pub(super) fn attached(line: &Line<'_>) -> Vec<String> {
    each(line, |_, item| match (item.pieces, item.kind) {
        ([name, value], Given::LongAndValue) => vec![format!("{}={}", name.raw, value.raw)],
        ([name, value], Given::LetterAndValue) => vec![format!("{}{}", name.raw, value.raw)],
        _ => Vec::new(),
    })
}

/// `--method=DELETE` → `--method DELETE`, `-XDELETE` → `-X DELETE`
pub(super) fn detached(line: &Line<'_>) -> Vec<String> {
    each(line, |shape, item| {
        let [word] = item.pieces else { return Vec::new() };
        if let Some((name, value)) = word.raw.split_once('=').filter(|_| item.kind == Given::Long) {
            let takes = shape.row.long.split(' ').any(|long| name.strip_prefix("--") == Some(long));
            return if takes && !value.is_empty() { vec![format!("{name} {value}")] } else { Vec::new() };
        }
        let Some((letter, value)) = word.raw.split_at_checked(2).filter(|_| item.kind == Given::Fixed) else {
            return Vec::new();
        };
        let takes = letter.chars().next_back().is_some_and(|letter| shape.row.short.contains(letter));
        let fits = takes && !value.is_empty() && !value.starts_with('=') && word.is_plain();
        if fits { vec![format!("{letter} {value}")] } else { Vec::new() }
    })
}
