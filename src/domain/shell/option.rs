//! The arguments of a command as its program sees them: options, their values, and operands.
//!
//! Which options take a value is a matter of each program; the table knows the programs that rules
//! speak of. For the others a word that begins with a dash is an option without a value, and one
//! such word may be a cluster of letters or one long name, so it counts as both.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::dialect::canonical;
use super::option_table::{Behind, Row, find};
use super::script::{Command, Dialect, Name, Word, program_name};

/// The longest word that is read as a cluster of letters.
const MAX_CLUSTER: usize = 32;

/// The arguments of a command.
#[derive(Debug, Clone, Default)]
pub struct Arguments<'a> {
    /// The options in order; each letter of a cluster is one, and so is the cluster as a whole.
    pub options: Cow<'a, [Given]>,
    /// The operands in order.
    pub operands: Vec<&'a Word>,
    /// How many operands stand before `--`, when there is one.
    pub dashes: Option<usize>,
}

/// One option that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The name with its dashes: `--force`, `-f`, `-delete`.
    pub name: String,
    /// The value, when the option was given one.
    pub value: Option<Word>,
    /// The word behind the option, which is its value in case the option takes one.
    pub next: Option<Word>,
}

impl Command {
    /// Returns the arguments, taken apart the way the program does it.
    pub fn arguments(&self) -> Arguments<'_> {
        let parts = self.kept.parts.get_or_init(|| Parts::of(&self.words, self.dialect));
        // Each is there, which an iterator that leaves some out does not tell the list.
        let mut operands = Vec::with_capacity(parts.operands.len());
        operands.extend(parts.operands.iter().filter_map(|at| self.words.get(*at)));
        Arguments { options: Cow::Borrowed(&parts.options), operands, dashes: parts.dashes }
    }

    /// Returns the operands: what is neither an option nor the value of one.
    pub fn operands(&self) -> Vec<&Word> {
        self.arguments().operands
    }

    /// Returns the options that were given.
    pub fn options(&self) -> Vec<Given> {
        self.arguments().options.into_owned()
    }
}

/// What is worked out of a command once and asked for by many rules. It is no part of what the
/// command is: a copy, whose words may become others, begins without it.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    name: OnceCell<Name>,
    parts: OnceCell<Parts>,
    names: OnceCell<Names>,
}

impl Kept {
    /// Returns where the name of a command's program stands, in the word that names it.
    pub(crate) fn name(&self, word: &Word) -> Name {
        *self.name.get_or_init(|| Name::of(word))
    }
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Kept {}

/// Arguments that know their operands by their places among the words.
#[derive(Debug)]
struct Parts {
    options: Vec<Given>,
    operands: Vec<usize>,
    dashes: Option<usize>,
}

impl Parts {
    fn of(words: &[Word], dialect: Dialect) -> Self {
        let Arguments { options, operands, dashes } = read(words, dialect, &[]);
        // The operands stand in the order of the words.
        let mut rest = words.iter().enumerate();
        let place = |operand: &Word| rest.find(|(_, word)| std::ptr::eq(*word, operand)).map(|(at, _)| at);
        Self { options: options.into_owned(), operands: operands.into_iter().filter_map(place).collect(), dashes }
    }
}

impl Arguments<'_> {
    /// Tells whether one of the options was given; names are written with their dashes.
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|given| names.contains(&given.name.as_str()))
    }

    /// Returns the values of an option in all its spellings.
    pub fn values(&self, names: &[&str]) -> Vec<&Word> {
        let given = self.options.iter().filter(|given| names.contains(&given.name.as_str()));
        given.filter_map(|given| given.value.as_ref()).collect()
    }
}

/// The grammar that holds at a place among the arguments.
#[derive(Clone, Copy)]
struct Grammar<'a> {
    row: Option<&'static Row>,
    /// Names of options that are known from elsewhere to take a value.
    extra: &'a [&'a str],
}

impl Grammar<'_> {
    fn takes_value(self, name: &str) -> bool {
        let bare = name.trim_start_matches('-');
        let known = self.row.is_some_and(|row| {
            let letter = !name.starts_with("--") && bare.chars().count() == 1 && row.short.contains(bare);
            letter || row.long.split(' ').any(|long| long == bare)
        });
        known || self.extra.contains(&name)
    }

    fn spells_names_with_one_dash(self) -> bool {
        self.row.is_some_and(|row| row.words)
    }
}

/// Takes the words of a command apart; `extra` names options that take a value besides the known ones.
pub(crate) fn read<'a>(words: &'a [Word], dialect: Dialect, extra: &[&str]) -> Arguments<'a> {
    let Some((program, rest)) = words.split_first() else { return Arguments::default() };
    match spelling(&program.text, dialect) {
        Dialect::Posix => read_dashes(program_name(&program.text), rest, extra),
        Dialect::PowerShell => read_named(rest, extra),
        Dialect::Cmd => read_slashes(rest),
    }
}

/// Returns the language whose way of spelling options a program follows: a program from elsewhere
/// keeps its own in the shells of Windows.
pub(crate) fn spelling(program: &str, dialect: Dialect) -> Dialect {
    let name = program_name(program);
    let own = canonical(name) != name;
    match dialect {
        Dialect::PowerShell if !own && (find(name).is_some() || !name.contains(['-', ':'])) => Dialect::Posix,
        Dialect::Cmd if !own && find(name).is_some() => Dialect::Posix,
        dialect => dialect,
    }
}

fn read_dashes<'a>(program: &str, words: &'a [Word], extra: &[&str]) -> Arguments<'a> {
    let mut arguments = Arguments::default();
    let mut path = program.to_owned();
    let mut grammar = Grammar { row: find(&path), extra };
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let text = word.text.as_str();
        if text == "--" && (word.literal || !word.quoted) {
            arguments.dashes = Some(arguments.operands.len());
            arguments.operands.extend(words.get(at..).unwrap_or_default());
            break;
        }
        if text.len() < 2 || !text.starts_with('-') {
            // `cargo +nightly` names a toolchain and not a subcommand.
            if program == "cargo" && arguments.operands.is_empty() && text.starts_with('+') {
                continue;
            }
            arguments.operands.push(word);
            match grammar.row.map(|row| row.behind) {
                Some(Behind::Foreign) => {
                    arguments.operands.extend(words.get(at..).unwrap_or_default());
                    break;
                }
                Some(behind @ (Behind::Subcommand | Behind::Inheritor)) => {
                    path = format!("{path} {text}");
                    grammar.row = find(&path).or(grammar.row.filter(|_| behind == Behind::Inheritor));
                }
                Some(Behind::Same) | None => {}
            }
            continue;
        }
        if grammar.spells_names_with_one_dash() && matches!(text, "-exec" | "-execdir" | "-ok" | "-okdir") {
            arguments.options.to_mut().push(Given { name: text.to_owned(), value: None, next: None });
            at += words.iter().skip(at).take_while(|word| word.text != ";" && word.text != "+").count() + 1;
            continue;
        }
        option(word, words.get(at), grammar, arguments.options.to_mut(), &mut at);
    }
    arguments
}

/// Reads one word of options, stepping over the next word where it is a value.
fn option(word: &Word, next: Option<&Word>, grammar: Grammar<'_>, options: &mut Vec<Given>, at: &mut usize) {
    let text = word.text.as_str();
    let part = |text: &str| Word { text: text.to_owned(), ..word.clone() };
    let long = text.starts_with("--") || grammar.spells_names_with_one_dash();
    let (name, inline) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(part(value))));
    if long || name.len() == 2 {
        let takes = inline.is_none() && grammar.takes_value(name);
        let value = if takes { next.cloned().inspect(|_| *at += 1) } else { inline };
        options.push(Given { name: name.to_owned(), value, next: next.cloned() });
        return;
    }
    if !grammar.takes_value(text.get(..2).unwrap_or_default()) {
        let takes = inline.is_none() && grammar.takes_value(name);
        let value = if takes { next.cloned().inspect(|_| *at += 1) } else { inline };
        let whole = value.is_some() && takes;
        options.push(Given { name: name.to_owned(), value, next: next.cloned() });
        if whole {
            return;
        }
    }
    if text.len() > MAX_CLUSTER {
        return;
    }
    for (position, letter) in text.char_indices().skip(1) {
        let name = format!("-{letter}");
        let behind = text.get(position + letter.len_utf8()..).unwrap_or_default();
        if grammar.takes_value(&name) {
            let value = if behind.is_empty() { next.cloned().inspect(|_| *at += 1) } else { Some(part(behind)) };
            options.push(Given { name, value, next: next.cloned() });
            return;
        }
        let next = if behind.is_empty() { next.cloned() } else { Some(part(behind)) };
        options.push(Given { name, value: None, next });
    }
}

/// Reads arguments in the way of `PowerShell`: named ones with a value or without.
fn read_named<'a>(words: &'a [Word], extra: &[&str]) -> Arguments<'a> {
    // What these name is what the command works on, so the value stays an operand.
    const SWITCHES: &[&str] = &["-path", "-literalpath", "-filepath", "-destination", "-uri", "-command", "-name"];
    const VALUES: &[&str] = &[
        "-filter",
        "-include",
        "-exclude",
        "-value",
        "-itemtype",
        "-encoding",
        "-erroraction",
        "-outfile",
        "-method",
        "-headers",
        "-body",
    ];
    let mut arguments = Arguments::default();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if word.text.len() < 2 || !word.text.starts_with('-') || word.quoted {
            arguments.operands.push(word);
            continue;
        }
        let (name, inline) =
            word.text.split_once(':').map_or((word.text.as_str(), None), |(name, value)| (name, Some(value)));
        let lower = name.to_ascii_lowercase();
        let takes = !SWITCHES.contains(&lower.as_str()) && (VALUES.contains(&lower.as_str()) || extra.contains(&name));
        let next = words.get(at).cloned();
        let value = match inline {
            Some(value) => Some(Word::known(value)),
            None if takes => next.clone().inspect(|_| at += 1),
            None => None,
        };
        arguments.options.to_mut().push(Given { name: name.to_owned(), value, next });
    }
    arguments
}

/// Reads arguments in the way of the Windows command interpreter: `/s /q`.
fn read_slashes(words: &[Word]) -> Arguments<'_> {
    let mut arguments = Arguments::default();
    for word in words {
        let named = word.text.strip_prefix('/').filter(|rest| !rest.is_empty());
        match named {
            // `/s/q` is two options, `/x/y/z` with longer parts a path.
            Some(letters)
                if letters.split('/').all(|part| part.len() == 1 || part.contains(':') || !letters.contains('/')) =>
            {
                let options = letters.split('/').map(|part| format!("/{}", part.to_ascii_lowercase()));
                arguments.options.to_mut().extend(options.map(|name| Given { name, value: None, next: None }));
            }
            _ if word.text.len() > 1 && word.text.starts_with('-') => {
                arguments.options.to_mut().push(Given { name: word.text.clone(), value: None, next: None });
            }
            _ => arguments.operands.push(word),
        }
    }
    arguments
}

/// The other names of a command's options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    row: Option<&'static Row>,
    /// Whose way of spelling options the program follows.
    pub(crate) spelling: Dialect,
}

impl Names {
    /// Returns the names that hold for a command.
    pub(crate) fn of(command: &Command) -> Self {
        *command.kept.names.get_or_init(|| Self {
            row: row_of(&command.words),
            spelling: spelling(command.written_program(), command.dialect),
        })
    }

    /// Tells whether an option is the one of this name, as `-r` of `rm` is `--recursive`, or short for it.
    pub(crate) fn is(self, given: &str, name: &str) -> bool {
        if given == name {
            return true;
        }
        match self.spelling {
            Dialect::Posix => is_same(self.row, given, name),
            Dialect::PowerShell => {
                let (given, name) = (given.to_ascii_lowercase(), name.to_ascii_lowercase());
                given.len() > 1 && name.starts_with(&given)
            }
            Dialect::Cmd => given.eq_ignore_ascii_case(name),
        }
    }
}

fn is_same(row: Option<&Row>, given: &str, name: &str) -> bool {
    let same = row.map_or("", |row| row.same);
    let (given_long, name_long) = (long(same, given), long(same, name));
    match (given_long, name_long) {
        (Some(given), Some(name)) => abbreviates(row.map_or("", |row| row.names), given, name),
        _ => given == name,
    }
}

/// Returns an option's long name without its dashes: its own, or the one that its letter is short for.
fn long<'a>(same: &'a str, option: &'a str) -> Option<&'a str> {
    let bare = option.strip_prefix('-')?;
    if let Some(long) = bare.strip_prefix('-') {
        return Some(long);
    }
    let (letter, rest) = bare.as_bytes().split_first()?;
    // Pairs stand between blanks: `r=recursive f=force`.
    let pair = |text: &'a str| text.strip_prefix(char::from(*letter))?.strip_prefix('=');
    let is_letter = rest.is_empty() && letter.is_ascii();
    if is_letter { same.split(' ').find_map(pair) } else { None }
}

/// Tells whether an abbreviated long option means the one that is asked for.
///
/// Where the table knows all names of a program, the abbreviation must fit no other. Elsewhere it
/// must have four letters and reach into the last part of the full name: `--force` is an option of
/// its own and not short for `--force-with-lease`.
fn abbreviates(names: &str, given: &str, full: &str) -> bool {
    if given == full {
        return true;
    }
    if given.is_empty() || !full.starts_with(given) {
        return false;
    }
    let unique = !names.is_empty() && names.split(' ').all(|name| name == full || !name.starts_with(given));
    let is_other = names.split(' ').any(|name| name == given);
    let missing = full.get(given.len()..).unwrap_or_default();
    unique || (!is_other && given.chars().count() >= 4 && !missing.contains('-'))
}

/// Returns the row that holds for the options of a command.
pub(super) fn row_of(words: &[Word]) -> Option<&'static Row> {
    let program = words.first().map_or("", |word| program_name(&word.text));
    let row = find(program)?;
    if !row.has_subcommands() {
        return Some(row);
    }
    let arguments = read_dashes(program, words.get(1..).unwrap_or_default(), &[]);
    let verbs: Vec<&str> = arguments.operands.iter().map(|word| word.text.as_str()).collect();
    Some(row_behind(program, row, &verbs))
}

/// Returns the most specific row along the subcommands.
fn row_behind(program: &str, row: &'static Row, verbs: &[&str]) -> &'static Row {
    let mut path = program.to_owned();
    let mut best = row;
    for verb in verbs {
        if !best.has_subcommands() {
            break;
        }
        path = format!("{path} {verb}");
        match find(&path) {
            Some(row) => best = row,
            None => break,
        }
    }
    best
}

/// Tells whether an option takes a value behind a program and the operands after it.
pub(crate) fn takes_value(path: &[&str], name: &str) -> bool {
    let Some((program, verbs)) = path.split_first() else { return false };
    let Some(row) = find(program) else { return false };
    let row = row_behind(program, row, verbs);
    Grammar { row: Some(row), extra: &[] }.takes_value(name)
}
