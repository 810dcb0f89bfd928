//! Variables of the environment and of loops.
//!
//! The variable of a loop may have several values: its place in a word is marked until the command is complete, which is
//! then listed once for each value.

use super::Reader;
use crate::domain::shell::script::{Redirect, Word};
use crate::domain::shell::windows::WindowsCommand;
use crate::domain::shell::windows::environment::known_value;

/// The character before the letter of a loop's variable in a word that is not complete yet.
const MARK: char = '\u{1}';

/// The most values of a loop's variable for which its command is listed.
const MAX_VALUES: usize = 16;

/// The most commands that the values of several loops make of one.
const MAX_COMMANDS: usize = 64;

impl Reader<'_> {
    /// Reads the variable of which the first character was read.
    pub(super) fn variable(&mut self, sigil: char, quoted: bool) {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        if sigil == '%'
            && let Some((letter, length)) = self.loop_variable(rest)
        {
            self.pos += length;
            self.push(MARK, quoted);
            self.push(letter, quoted);
            return;
        }
        // After `call`, a variable is between doubled characters.
        let is_doubled = sigil == '%' && rest.starts_with('%');
        let body = rest.get(usize::from(is_doubled)..).unwrap_or_default();
        let is_name = |name: &&str| {
            let plain = name.split(':').next().unwrap_or_default();
            !plain.is_empty() && !plain.contains([' ', '"', '&', '|', '<', '>', '\\', '/']) && !name.contains('\n')
        };
        let name = body.split(sigil).next().filter(|name| name.len() < body.len()).filter(is_name);
        let Some(name) = name else {
            // The arguments of a script, and what is no variable.
            if sigil == '!' {
                self.push('!', quoted);
            } else {
                self.push_unknown("%");
            }
            return;
        };
        let ends_doubled = is_doubled && body.get(name.len() + 1..).is_some_and(|rest| rest.starts_with('%'));
        self.pos += usize::from(is_doubled) + name.len() + 1 + usize::from(ends_doubled);
        let (name, change) = name.split_once(':').map_or((name, None), |(name, change)| (name, Some(change)));
        let value = self.value_of(name);
        self.push_value(&changed(value, change), quoted);
    }

    fn value_of(&self, name: &str) -> Word {
        let upper = name.to_ascii_uppercase();
        match self.variables.get(&upper) {
            Some(value) => value.clone(),
            None if upper == "CD" => Word::known("$PWD"),
            None => match known_value(&upper) {
                Some(value) => Word { literal: !value.contains('$'), ..Word::known(value) },
                None => Word::unknown(format!("${upper}")),
            },
        }
    }

    /// Puts a value where its variable is; outside of quotes, its blanks separate words.
    fn push_value(&mut self, value: &Word, quoted: bool) {
        for character in value.text.chars() {
            if character == ' ' && !quoted && value.literal && self.variables.values().any(|known| known == value) {
                self.end_word();
            } else {
                self.push(character, quoted);
            }
        }
        if !value.literal {
            self.word.get_or_insert_with(|| Word::known("")).literal = false;
        }
    }

    /// Returns the letter of a loop's variable that is next, after its first character, and how long it is.
    fn loop_variable(&self, rest: &str) -> Option<(char, usize)> {
        let behind = rest.strip_prefix('%').unwrap_or(rest);
        let mut length = rest.len() - behind.len();
        let mut characters = behind.chars();
        let mut letter = characters.next()?;
        length += letter.len_utf8();
        if letter == '~' {
            // `%~dpnxi`: parts of the path, of which the last letter is the variable.
            let parts = behind.get(1..)?;
            let end = parts.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(parts.len());
            let at = parts
                .get(..end)?
                .char_indices()
                .find(|(_, next)| self.loops.contains_key(next) && !"dpnxf".contains(*next));
            let last = at.or_else(|| parts.get(..end)?.char_indices().last())?;
            letter = last.1;
            length += last.0 + letter.len_utf8();
        }
        // `%PATH%` begins with a letter as well.
        let is_name = characters.as_str().split('%').next().is_some_and(|name| {
            !name.is_empty()
                && name.len() < characters.as_str().len()
                && name.chars().all(|next| next.is_alphanumeric() || next == '_')
        });
        (self.loops.contains_key(&letter) && (!is_name || rest.starts_with('%'))).then_some((letter, length))
    }

    /// Remembers what `set` gives a variable.
    pub(super) fn assign(&mut self, words: &[Word]) {
        let [name, rest @ ..] = words else { return };
        if !name.text.eq_ignore_ascii_case("set") {
            return;
        }
        let is_switch = |word: &&Word| matches!(word.text.to_ascii_lowercase().as_str(), "/p" | "/a");
        let is_computed = rest.first().as_ref().is_some_and(is_switch);
        let line: Vec<&str> = rest.iter().skip(usize::from(is_computed)).map(|word| word.text.as_str()).collect();
        let line = line.join(" ");
        let Some((name, value)) = line.split_once('=') else { return };
        let is_known = !is_computed && rest.iter().all(|word| word.literal) && !line.contains(MARK);
        let name = name.trim().to_ascii_uppercase();
        // What is typed, or a number, is known only as it runs.
        let value = if is_computed {
            Word::unknown(format!("${name}"))
        } else {
            Word { literal: is_known, ..Word::known(value) }
        };
        self.variables.insert(name, value);
    }

    /// Lists a command, once for each value of the loops' variables in it.
    pub(super) fn finish(&mut self, line: WindowsCommand) {
        let mut lines = vec![line];
        let mut letters: Vec<char> = self.loops.keys().copied().collect();
        letters.sort_unstable();
        for letter in letters {
            let mark: String = [MARK, letter].iter().collect();
            let values = self.loops.get(&letter).cloned().unwrap_or_default();
            let filled = lines.into_iter().flat_map(|line| {
                let is_used = line
                    .words
                    .iter()
                    .chain(line.redirects.iter().map(|it| &it.target))
                    .any(|word| word.text.contains(&mark));
                if !is_used {
                    return vec![line];
                }
                values.iter().take(MAX_VALUES).map(|value| fill_line(&line, &mark, value)).collect()
            });
            lines = filled.take(MAX_COMMANDS).collect();
        }
        self.finished.extend(lines);
    }
}

fn fill_line(line: &WindowsCommand, mark: &str, value: &Word) -> WindowsCommand {
    let redirect = |it: &Redirect| Redirect { target: fill(&it.target, mark, value), ..it.clone() };
    WindowsCommand {
        words: line.words.iter().map(|word| fill(word, mark, value)).collect(),
        redirects: line.redirects.iter().map(redirect).collect(),
        ..line.clone()
    }
}

fn fill(word: &Word, mark: &str, value: &Word) -> Word {
    if !word.text.contains(mark) {
        return word.clone();
    }
    Word {
        text: word.text.replace(mark, &value.text),
        literal: word.literal && value.literal,
        glob: word.glob || value.glob,
        quoted: word.quoted,
    }
}

/// Returns a value with a part replaced (`old=new`) or cut out (`~2,3`).
fn changed(value: Word, change: Option<&str>) -> Word {
    let Some(change) = change else { return value };
    if !value.literal {
        return value;
    }
    if let Some(range) = change.strip_prefix('~') {
        let mut numbers = range.split(',').map(|number| number.trim().parse::<usize>().ok());
        let (from, length) = (numbers.next().flatten(), numbers.next());
        let Some(from) = from else { return Word { literal: false, ..value } };
        let length = length.map_or(Some(usize::MAX), |length| length);
        let Some(length) = length else { return Word { literal: false, ..value } };
        return Word { text: value.text.chars().skip(from).take(length).collect(), ..value };
    }
    let (old, new) = change.split_once('=').unwrap_or((change, ""));
    if old.is_empty() { value } else { Word { text: value.text.replace(old, new), ..value } }
}
