//! Operators between two values.

use super::value::Value;
use crate::domain::shell::script::Word;

/// The most numbers of a range that are counted out.
const MAX_RANGE: i64 = 32;

/// Returns what an operator makes of two values.
pub(super) fn apply(name: &str, left: Value, right: Value) -> Value {
    let origin = left.origin.or(right.origin);
    match name.trim_start_matches("-c").trim_start_matches("-i") {
        "+" => add(left, right),
        "-join" | "join" => {
            let separator = right.text().unwrap_or_default();
            Value::of(left.join(separator)).with_origin(origin)
        }
        "-f" => Value::of(format(&left, &right)).with_origin(origin),
        "-replace" | "replace" => {
            let arguments: Vec<&str> = right.words.iter().map(|word| word.text.as_str()).collect();
            let known = right.words.iter().all(|word| word.literal);
            match arguments.as_slice() {
                [pattern, rest @ ..] if known && is_plain(pattern) => {
                    let by = rest.first().copied().unwrap_or_default();
                    let pattern = pattern.replace('\\', "");
                    left.map(|text| Some(text.replace(&pattern, by)))
                }
                _ => left.map(|_| None),
            }
        }
        "-split" | "split" => match right.text() {
            Some(separator) if is_plain(separator) && !separator.is_empty() => {
                let separator = separator.replace('\\', "");
                let parts = |word: &Word| {
                    word.text
                        .split(&separator)
                        .map(|text| Word { text: text.to_owned(), ..word.clone() })
                        .collect::<Vec<_>>()
                };
                let mut value = Value::default();
                value.extend(Value::list(left.words.iter().flat_map(parts).collect()));
                value.with_origin(origin)
            }
            _ => left.map(|_| None),
        },
        "-as" | "as" => left,
        "??" => {
            let mut value = left;
            value.merge(right);
            value
        }
        "*" => match (left.text(), right.text().and_then(|count| count.parse::<usize>().ok())) {
            (Some(text), Some(count)) if text.parse::<i64>().is_err() && count < 256 => {
                Value::known(text.repeat(count))
            }
            _ => Value::output(),
        },
        ".." => range(&left, &right).unwrap_or_else(Value::output),
        _ => Value::output(),
    }
}

fn add(left: Value, right: Value) -> Value {
    let number = |value: &Value| value.text().and_then(|text| text.parse::<i64>().ok());
    if let (Some(one), Some(other)) = (number(&left), number(&right)) {
        return one.checked_add(other).map_or_else(Value::output, |sum| Value::known(sum.to_string()));
    }
    let mut value = left;
    // A list and a variable with several values are the same here, so more than one text stays a list.
    if value.words.len() > 1 || !value.entries.is_empty() {
        value.extend(right);
    } else {
        value.append(&right);
    }
    value
}

fn range(left: &Value, right: &Value) -> Option<Value> {
    let (from, to): (i64, i64) = (left.text()?.parse().ok()?, right.text()?.parse().ok()?);
    let numbers: Vec<i64> = if from <= to { (from..=to).collect() } else { (to..=from).rev().collect() };
    (to.abs_diff(from) < MAX_RANGE.unsigned_abs())
        .then(|| Value::list(numbers.iter().map(|number| Word::known(number.to_string())).collect()))
}

/// Fills values into the places of a format: `{0}`, `{1:N2}`.
pub(super) fn format(pattern: &Value, values: &Value) -> Word {
    let Some(pattern) = pattern.text() else { return Value::output().join("") };
    let mut filled = Word { quoted: true, ..Word::known("") };
    let mut rest = pattern;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.text.push_str(before);
        if let Some(behind) = behind.strip_prefix('{') {
            filled.text.push('{');
            rest = behind;
            continue;
        }
        let (place, behind) = behind.split_once('}').unwrap_or((behind, ""));
        let number = place.split([',', ':']).next().and_then(|number| number.trim().parse::<usize>().ok());
        match number.and_then(|number| values.words.get(number)) {
            Some(word) => {
                filled.text.push_str(&word.text);
                filled.literal &= word.literal;
            }
            None => filled.literal = false,
        }
        rest = behind;
    }
    filled.text.push_str(&rest.replace("}}", "}"));
    filled
}

/// Returns whether a regular expression represents only itself, escapes aside.
fn is_plain(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let plain = match character {
            '\\' => characters.next().is_some_and(|next| !next.is_ascii_alphanumeric()),
            character => !"^$.|?*+()[]{}".contains(character),
        };
        if !plain {
            return false;
        }
    }
    true
}
