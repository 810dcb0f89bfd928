//! The arguments of a command as its program sees them: options, their values, and operands.
//!
//! Which options take a value depends on the program; the table knows the programs that rules commonly name. For the
//! others, a word that begins with a dash is an option without a value, and since such a word may be a cluster of
//! letters or one long name, it counts as both.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::option_table::{OptionSpec, SubcommandMode, find};
use super::script::{Command, Dialect, ProgramName, Word, program_name};
use super::windows::resolve_alias;

/// The longest word that is read as a cluster of letters.
const MAX_CLUSTER: usize = 32;

/// The arguments of a command.
#[derive(Debug, Clone, Default)]
pub struct Arguments<'a> {
    /// The options in order; each letter of a cluster is one, and so is the cluster as a whole.
    pub options: Cow<'a, [ParsedOption]>,
    /// The operands in order.
    pub operands: Vec<&'a Word>,
    /// How many operands are before `--`, when there is one.
    pub end_of_options: Option<usize>,
}

/// One option that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedOption {
    /// The name with its dashes: `--force`, `-f`, `-delete`.
    pub name: String,
    /// The value, when the option was given one.
    pub value: Option<Word>,
    /// The word after the option, which is its value in case the option takes one.
    pub next_word: Option<Word>,
}

impl Command {
    /// Returns the arguments, taken apart the way the program does it.
    pub fn arguments(&self) -> Arguments<'_> {
        let parts = self.cache.arguments.get_or_init(|| CachedArguments::parse(&self.words, self.dialect));
        // The capacity is known here, but not from the filtering iterator.
        let mut operands = Vec::with_capacity(parts.operands.len());
        operands.extend(parts.operands.iter().filter_map(|at| self.words.get(*at)));
        Arguments { options: Cow::Borrowed(&parts.options), operands, end_of_options: parts.end_of_options }
    }

    /// Returns the operands: what is neither an option nor the value of one.
    pub fn operands(&self) -> Vec<&Word> {
        self.arguments().operands
    }

    /// Returns the options that were given.
    pub fn options(&self) -> Vec<ParsedOption> {
        self.arguments().options.into_owned()
    }
}

/// Derived data of a command, computed once and used by many rules. It is not part of the command itself: a copy,
/// whose words may change, starts without it.
#[derive(Debug, Default)]
pub(crate) struct CommandCache {
    program_name: OnceCell<ProgramName>,
    arguments: OnceCell<CachedArguments>,
    option_names: OnceCell<OptionNames>,
}

impl CommandCache {
    /// Returns where the name of a command's program is, in the word that names it.
    pub(crate) fn program_name(&self, word: &Word) -> ProgramName {
        *self.program_name.get_or_init(|| ProgramName::parse(word))
    }
}

impl Clone for CommandCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for CommandCache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CommandCache {}

/// Arguments that know their operands by their places among the words.
#[derive(Debug)]
struct CachedArguments {
    options: Vec<ParsedOption>,
    operands: Vec<usize>,
    end_of_options: Option<usize>,
}

impl CachedArguments {
    fn parse(words: &[Word], dialect: Dialect) -> Self {
        let Arguments { options, operands, end_of_options } = parse(words, dialect, &[]);
        // The operands are in the order of the words.
        let mut rest = words.iter().enumerate();
        let place = |operand: &Word| rest.find(|(_, word)| std::ptr::eq(*word, operand)).map(|(at, _)| at);
        Self {
            options: options.into_owned(),
            operands: operands.into_iter().filter_map(place).collect(),
            end_of_options,
        }
    }
}

impl Arguments<'_> {
    /// Returns whether one of the options was given; names are written with their dashes.
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
struct OptionGrammar<'a> {
    spec: Option<&'static OptionSpec>,
    /// Names of options that are known from elsewhere to take a value.
    extra_value_options: &'a [&'a str],
}

impl OptionGrammar<'_> {
    fn takes_value(self, name: &str) -> bool {
        let bare = name.trim_start_matches('-');
        let known = self.spec.is_some_and(|row| {
            let letter = !name.starts_with("--") && bare.chars().count() == 1 && row.short_with_value.contains(bare);
            letter || row.long_with_value.split(' ').any(|long| long == bare)
        });
        known || self.extra_value_options.contains(&name)
    }

    fn has_single_dash_names(self) -> bool {
        self.spec.is_some_and(|row| row.single_dash_names)
    }
}

/// Takes the words of a command apart; `extra` names options that take a value besides the known ones.
pub(crate) fn parse<'a>(words: &'a [Word], dialect: Dialect, extra: &[&str]) -> Arguments<'a> {
    let Some((program, rest)) = words.split_first() else { return Arguments::default() };
    match option_style(&program.text, dialect) {
        Dialect::Posix => parse_posix(program_name(&program.text), rest, extra),
        Dialect::PowerShell => parse_powershell(rest, extra),
        Dialect::Cmd => parse_cmd(rest),
    }
}

/// Returns the language whose way of spelling options a program follows: a program from elsewhere
/// keeps its own in the shells of Windows.
pub(crate) fn option_style(program: &str, dialect: Dialect) -> Dialect {
    let name = program_name(program);
    let own = resolve_alias(name, dialect) != name;
    match dialect {
        Dialect::PowerShell if !own && (find(name).is_some() || !name.contains(['-', ':'])) => Dialect::Posix,
        Dialect::Cmd if !own && find(name).is_some() => Dialect::Posix,
        dialect => dialect,
    }
}

fn parse_posix<'a>(program: &str, words: &'a [Word], extra: &[&str]) -> Arguments<'a> {
    let mut arguments = Arguments::default();
    let mut path = program.to_owned();
    let mut grammar = OptionGrammar { spec: find(&path), extra_value_options: extra };
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let text = word.text.as_str();
        if text == "--" && (word.literal || !word.quoted) {
            arguments.end_of_options = Some(arguments.operands.len());
            arguments.operands.extend(words.get(at..).unwrap_or_default());
            break;
        }
        if text.len() < 2 || !text.starts_with('-') {
            // `cargo +nightly` names a toolchain and not a subcommand.
            if program == "cargo" && arguments.operands.is_empty() && text.starts_with('+') {
                continue;
            }
            arguments.operands.push(word);
            match grammar.spec.map(|row| row.subcommands) {
                Some(SubcommandMode::ExternalCommand) => {
                    arguments.operands.extend(words.get(at..).unwrap_or_default());
                    break;
                }
                Some(behind @ (SubcommandMode::Subcommand | SubcommandMode::InheritedSubcommand)) => {
                    path = format!("{path} {text}");
                    grammar.spec =
                        find(&path).or(grammar.spec.filter(|_| behind == SubcommandMode::InheritedSubcommand));
                }
                Some(SubcommandMode::None) | None => {}
            }
            continue;
        }
        if grammar.has_single_dash_names() && matches!(text, "-exec" | "-execdir" | "-ok" | "-okdir") {
            arguments.options.to_mut().push(ParsedOption { name: text.to_owned(), value: None, next_word: None });
            at += words.iter().skip(at).take_while(|word| word.text != ";" && word.text != "+").count() + 1;
            continue;
        }
        parse_option(word, words.get(at), grammar, arguments.options.to_mut(), &mut at);
    }
    arguments
}

/// Reads one word of options, skipping the next word where it is a value.
fn parse_option(
    word: &Word,
    next: Option<&Word>,
    grammar: OptionGrammar<'_>,
    options: &mut Vec<ParsedOption>,
    at: &mut usize,
) {
    let text = word.text.as_str();
    let part = |text: &str| Word { text: text.to_owned(), ..word.clone() };
    let long = text.starts_with("--") || grammar.has_single_dash_names();
    let (name, inline) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(part(value))));
    if long || name.len() == 2 {
        let takes = inline.is_none() && grammar.takes_value(name);
        let value = if takes { next.cloned().inspect(|_| *at += 1) } else { inline };
        options.push(ParsedOption { name: name.to_owned(), value, next_word: next.cloned() });
        return;
    }
    if !grammar.takes_value(text.get(..2).unwrap_or_default()) {
        let takes = inline.is_none() && grammar.takes_value(name);
        let value = if takes { next.cloned().inspect(|_| *at += 1) } else { inline };
        let whole = value.is_some() && takes;
        options.push(ParsedOption { name: name.to_owned(), value, next_word: next.cloned() });
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
            options.push(ParsedOption { name, value, next_word: next.cloned() });
            return;
        }
        let next = if behind.is_empty() { next.cloned() } else { Some(part(behind)) };
        options.push(ParsedOption { name, value: None, next_word: next });
    }
}

/// Reads arguments in the way of `PowerShell`: named ones with a value or without.
fn parse_powershell<'a>(words: &'a [Word], extra: &[&str]) -> Arguments<'a> {
    // What these name is what the command works on, so the value stays an operand.
    const OPERAND_PARAMETERS: &[&str] =
        &["-path", "-literalpath", "-filepath", "-destination", "-uri", "-command", "-name"];
    const VALUE_PARAMETERS: &[&str] = &[
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
        "-infile",
        "-form",
        "-contenttype",
        "-pattern",
        "-argumentlist",
        "-totalcount",
        "-tail",
        "-ea",
        "-warningaction",
        "-scope",
        "-target",
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
        let takes = !OPERAND_PARAMETERS.contains(&lower.as_str())
            && (VALUE_PARAMETERS.contains(&lower.as_str()) || extra.contains(&name));
        let next = words.get(at).cloned();
        let value = match inline {
            Some(value) => Some(Word::known(value)),
            None if takes => next.clone().inspect(|_| at += 1),
            None => None,
        };
        arguments.options.to_mut().push(ParsedOption { name: name.to_owned(), value, next_word: next });
    }
    arguments
}

/// Reads arguments in the way of the Windows command interpreter: `/s /q`.
fn parse_cmd(words: &[Word]) -> Arguments<'_> {
    let mut arguments = Arguments::default();
    for word in words {
        let named = word.text.strip_prefix('/').filter(|rest| !rest.is_empty());
        match named {
            // `/s/q` is two options, `/x/y/z` with longer parts a path.
            Some(letters)
                if letters.split('/').all(|part| part.len() == 1 || part.contains(':') || !letters.contains('/')) =>
            {
                let options = letters.split('/').map(|part| format!("/{}", part.to_ascii_lowercase()));
                arguments.options.to_mut().extend(options.map(|name| ParsedOption {
                    name,
                    value: None,
                    next_word: None,
                }));
            }
            _ if word.text.len() > 1 && word.text.starts_with('-') => {
                arguments.options.to_mut().push(ParsedOption { name: word.text.clone(), value: None, next_word: None });
            }
            _ => arguments.operands.push(word),
        }
    }
    arguments
}

/// The other names of a command's options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OptionNames {
    spec: Option<&'static OptionSpec>,
    /// Whose way of spelling options the program follows.
    pub(crate) style: Dialect,
}

impl OptionNames {
    /// Returns the names that hold for a command.
    pub(crate) fn new(command: &Command) -> Self {
        *command.cache.option_names.get_or_init(|| Self {
            spec: spec_of(&command.words),
            style: option_style(command.written_program(), command.dialect),
        })
    }

    /// Returns whether an option is the one of this name, as `-r` of `rm` is `--recursive`, or short for it.
    pub(crate) fn is_same_option(self, given: &str, name: &str) -> bool {
        if given == name {
            return true;
        }
        match self.style {
            Dialect::Posix => is_same_posix_option(self.spec, given, name),
            Dialect::PowerShell => {
                let (given, name) = (given.to_ascii_lowercase(), name.to_ascii_lowercase());
                given.len() > 1 && name.starts_with(&given)
            }
            Dialect::Cmd => given.eq_ignore_ascii_case(name),
        }
    }
}

fn is_same_posix_option(row: Option<&OptionSpec>, given: &str, name: &str) -> bool {
    let same = row.map_or("", |row| row.aliases);
    let (given_long, name_long) = (long_name(same, given), long_name(same, name));
    match (given_long, name_long) {
        (Some(given), Some(name)) => is_abbreviation(row.map_or("", |row| row.long_names), given, name),
        _ => given == name,
    }
}

/// Returns an option's long name without its dashes: its own, or the one that its letter is short for.
fn long_name<'a>(same: &'a str, option: &'a str) -> Option<&'a str> {
    let bare = option.strip_prefix('-')?;
    if let Some(long) = bare.strip_prefix('-') {
        return Some(long);
    }
    let (letter, rest) = bare.as_bytes().split_first()?;
    // Pairs are between blanks: `r=recursive f=force`.
    let pair = |text: &'a str| text.strip_prefix(char::from(*letter))?.strip_prefix('=');
    let is_letter = rest.is_empty() && letter.is_ascii();
    if is_letter { same.split(' ').find_map(pair) } else { None }
}

/// Returns whether an abbreviated long option means the one that is asked for.
///
/// Where the table knows all names of a program, the abbreviation must fit no other. Elsewhere it
/// must have four letters and reach into the last part of the full name: `--force` is an option of
/// its own and not short for `--force-with-lease`.
fn is_abbreviation(names: &str, given: &str, full: &str) -> bool {
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
pub(super) fn spec_of(words: &[Word]) -> Option<&'static OptionSpec> {
    let program = words.first().map_or("", |word| program_name(&word.text));
    let row = find(program)?;
    if !row.has_subcommands() {
        return Some(row);
    }
    let arguments = parse_posix(program, words.get(1..).unwrap_or_default(), &[]);
    let verbs: Vec<&str> = arguments.operands.iter().map(|word| word.text.as_str()).collect();
    Some(most_specific_spec(program, row, &verbs))
}

/// Returns the most specific row along the subcommands.
fn most_specific_spec(program: &str, row: &'static OptionSpec, verbs: &[&str]) -> &'static OptionSpec {
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

/// Returns whether an option takes a value after a program and the operands after it.
pub(crate) fn takes_value(path: &[&str], name: &str) -> bool {
    let Some((program, verbs)) = path.split_first() else { return false };
    let Some(row) = find(program) else { return false };
    let row = most_specific_spec(program, row, verbs);
    OptionGrammar { spec: Some(row), extra_value_options: &[] }.takes_value(name)
}
