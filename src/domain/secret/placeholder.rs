//! Recognizes placeholders for secrets, and values that only look random.
//!
//! There are two questions. [`is_placeholder`] is for tokens of a fixed shape, which are random by nature: it rejects
//! only what chance cannot produce, so that no real token is lost. [`is_dummy`] is for words that users choose.

use super::bigram;

/// Words of at least five letters: one token in a hundred thousand contains such a word by chance.
const PLACEHOLDER_WORDS: &[&str] = &[
    "example",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "redacted",
    "dummy",
    "sample",
    "your-",
    "your_",
    "yourkey",
    "yourtoken",
    "yoursecret",
    "insert",
    "replace",
    "invalid",
    "xxxxx",
    "notreal",
    "not-real",
    "not_real",
];

/// Markers of a reference to a secret that is stored elsewhere, or of a placeholder.
const REFERENCE_MARKERS: &[&str] = &[
    "${",
    "$(",
    "{{",
    "}}",
    "<%",
    "%{",
    "%(",
    "#{",
    "process.env",
    "os.environ",
    "getenv",
    "import.meta",
    "env[",
    "env.",
    "env(",
    "env:",
    "secrets.",
    "secretref",
    "vault:",
    "keyring",
    "op://",
    "arn:",
    "ssm:",
    "://",
];

/// Dummy passwords.
const DUMMY_PASSWORDS: &[&str] = &[
    "pass",
    "passwd",
    "pwd",
    "pw",
    "secret",
    "test",
    "tests",
    "testing",
    "admin",
    "root",
    "user",
    "guest",
    "foo",
    "bar",
    "baz",
    "qux",
    "foobar",
    "postgres",
    "mysql",
    "redis",
    "mongo",
    "rabbitmq",
    "hunter2",
    "letmein",
    "qwerty",
    "s3cret",
    "s3cr3t",
    "token",
    "key",
    "abc",
    "abcd",
    "mysecret",
    "my-secret",
    "supersecret",
    "topsecret",
    "none",
    "null",
    "true",
    "false",
    "default",
    "string",
    "hello",
    "world",
    "credentials",
    "apikey",
    "api_key",
    "x-oauth-basic",
    "base64",
    "latin1",
    "utf8",
    "utf-8",
    "md5",
    "sha1",
    "sha256",
    "sha512",
    "scram-sha-256",
    "port",
];

/// Markers that make a word a dummy wherever they occur in it.
const DUMMY_MARKERS: &[&str] = &[
    "password",
    "passphrase",
    "p@ssw0rd",
    "passw0rd",
    "p4ssw0rd",
    "p@55w0rd",
    "p@ssword",
    "anonymous",
    "fake",
    "mock",
    "***",
    "...",
    "xxx",
    "…",
];

/// Returns whether a token was made up: a placeholder word, a run, a count, a repetition, or too few different
/// characters.
pub(super) fn is_placeholder(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    PLACEHOLDER_WORDS.iter().any(|word| lower.contains(word))
        || is_reference(&lower)
        || longest_run(token, |step| step == 0) >= 6
        || longest_run(token, |step| step == 1) >= 6
        || longest_run(token, |step| step == -1) >= 6
        || is_repetition(longest_segment(token))
        || (token.len() >= 16 && entropy(token) < if token.len() < 24 { 2.5 } else { 2.8 })
}

/// Returns whether a placeholder only counts or repeats: it has no word, refers to nothing, and is more than one
/// character.
pub(super) fn is_counted(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    !PLACEHOLDER_WORDS.iter().chain(DUMMY_MARKERS).any(|word| lower.contains(word))
        && !is_reference(&lower)
        && longest_run(token, |step| step == 0) < 6
        && !is_crossed_out(longest_segment(token))
}

/// Returns whether nearly all of a text is one character.
fn is_crossed_out(text: &str) -> bool {
    let most = text.bytes().map(|byte| text.bytes().filter(|other| *other == byte).count()).max().unwrap_or(0);
    most * 2 > text.len()
}

/// Returns whether a word takes the place of a secret, or refers to one, without being one.
pub(super) fn is_dummy(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    // Long values contain short runs by chance.
    let run = if word.len() < 24 { 4 } else { 6 };
    DUMMY_PASSWORDS.contains(&lower.trim_end_matches(|sign: char| sign.is_ascii_digit()))
        || DUMMY_PASSWORDS.contains(&lower.as_str())
        || PLACEHOLDER_WORDS.iter().chain(DUMMY_MARKERS).any(|hint| lower.contains(hint))
        || lower.starts_with(['$', '<', '{', '[', '%', ':', '/', '.'])
        || lower.starts_with(['@', '*', '!']) && lower.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
        || lower.starts_with(['@', '*']) && digit_letter_transitions(&lower) < 2
        || is_reference(&lower)
        || longest_run(&lower, |step| step == 0) >= run
        || longest_run(&lower, |step| step.abs() == 1) >= run
        || !lower.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

fn is_reference(lower: &str) -> bool {
    REFERENCE_MARKERS.iter().any(|reference| lower.contains(reference))
}

/// Returns whether the value was randomly generated: its character pairs are unlike those of writing.
///
/// The parts of a dotted path count one by one, since they are names too.
pub(super) fn looks_random(value: &str) -> bool {
    let odd = |part: &str| {
        let likeness = bigram::bigram_score(part);
        let mixed = digit_letter_transitions(part) >= 3.max(value.len() / 10);
        likeness <= if part.len() >= 16 { STRICT_RANDOM_SCORE } else { 2 * STRICT_RANDOM_SCORE }
            || (mixed && likeness <= RANDOM_SCORE)
    };
    value.split('.').any(odd) && entropy(value) >= if value.len() < 20 { 2.7 } else { 3.2 }
}

/// A score that one random text in two hundred exceeds, and one name in thirty does not.
const STRICT_RANDOM_SCORE: i32 = -18;

/// A score that no random text exceeds.
const RANDOM_SCORE: i32 = -10;

/// Returns whether the value is a password where one is expected: random, or chosen and not a sample.
pub(super) fn looks_like_password(value: &str) -> bool {
    looks_human_chosen(value) || (looks_random(value) && !is_placeholder(value) && !is_dummy(value))
}

/// Returns whether a user may have chosen the value as a password: neither a technical word nor a name in code.
pub(super) fn looks_human_chosen(value: &str) -> bool {
    let has = |class: fn(&u8) -> bool| value.as_bytes().iter().any(class);
    let letters = has(u8::is_ascii_alphabetic);
    let odd_sign = value.bytes().any(|byte| byte.is_ascii_punctuation() && !b"_-./:".contains(&byte));
    let words = value.split('-').filter(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    let parts = value.split('-').count();
    let phrase = value.len() >= 16 && parts >= 3 && words.count() == parts;
    let code =
        value.contains(['(', ')', '{', '}', '<', '>', ';', '=', '|']) || value.contains("::") || value.contains("->");
    (6..=64).contains(&value.len())
        && !value.bytes().any(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control())
        && !code
        && !is_dummy(value)
        && !is_placeholder(value)
        && value.split(['/', '.']).count() <= 2
        && (letters && (has(u8::is_ascii_digit) || odd_sign) || phrase)
}

/// Returns whether the value was generated with all signs of a keyboard, brackets included, and is neither code nor
/// an expression.
pub(super) fn looks_generated(value: &str) -> bool {
    let letters = value.split(|sign: char| !sign.is_ascii_alphabetic()).map(str::len).max().unwrap_or(0);
    let patterns = ["a-z", "A-Z", "0-9", "</", "()", "[]", "{}", "(?", ".*", "=>", "->"];
    (8..=64).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && has_mixed_classes(value)
        && (letters <= 4 || letters <= 8 && is_unbalanced(value))
        && entropy(value) >= 3.0
        && !patterns.iter().any(|pattern| value.contains(pattern))
        && !is_placeholder(value)
        && !is_dummy(value)
}

/// Returns whether a bracket is opened that is not closed, as in no code.
fn is_unbalanced(value: &str) -> bool {
    let count = |sign: char| value.matches(sign).count();
    [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')].iter().any(|(open, close)| count(*open) > count(*close))
        && !value.contains([')', ']', '}', '>'])
}

/// Returns whether the value is lower-case words with a generated one among them.
pub(super) fn looks_chosen_phrase(value: &str) -> bool {
    let count = |word: &str, class: fn(&u8) -> bool| word.as_bytes().iter().filter(|byte| class(byte)).count();
    let generated = |word: &&str| {
        has_mixed_classes(word)
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && count(word, u8::is_ascii_digit) >= 2
            && (count(word, u8::is_ascii_uppercase) >= 2 || digit_letter_transitions(word) >= 2)
    };
    let words: Vec<&str> = value.split(' ').collect();
    let others = words.iter().filter(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    (3..=6).contains(&words.len())
        && words.iter().filter(|word| generated(word)).count() == 1
        && others.count() + 1 == words.len()
        && !is_dummy(value)
}

/// Returns whether the words of a value are random as a whole, so that they are no sentence.
pub(super) fn looks_generated_words(value: &str) -> bool {
    let joined: String = value.chars().filter(|sign| *sign != ' ').collect();
    let letters = joined.split(|sign: char| !sign.is_ascii_alphabetic()).map(str::len).max().unwrap_or(0);
    (8..=64).contains(&joined.len())
        && value.matches(' ').count() <= 3
        && !value.split(' ').any(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_alphabetic()))
        && !value.contains("  ")
        && joined.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'`\\".contains(&byte))
        && has_mixed_classes(&joined)
        && letters <= 5
        && digit_letter_transitions(&joined) >= 4
        && looks_random(&joined)
        && !is_placeholder(&joined)
        && !is_dummy(&joined)
}

/// Returns whether the unquoted value is not a name in code: chosen, and with three classes of characters.
///
/// A variable may end in a number and contain capitals, but it has neither two runs of digits inside nor other
/// characters.
pub(super) fn looks_strong_chosen(value: &str) -> bool {
    let count = |class: fn(&u8) -> bool| value.bytes().filter(class).count();
    let letters = count(u8::is_ascii_alphabetic);
    let digits = count(u8::is_ascii_digit);
    let odd = value.bytes().any(|byte| b"!#$%&*+?@^~".contains(&byte));
    let cases = has_mixed_classes(value) && digit_letter_transitions(value) >= 3;
    let groups = value.split('-').filter(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let phrase = value.len() >= 12 && has_mixed_classes(value) && groups.count() == 1;
    // No name begins with a digit.
    let counted = has_mixed_classes(value) && value.starts_with(|sign: char| sign.is_ascii_digit());
    value.len() >= 8 && letters > 0 && digits > 0 && (odd || cases || phrase || counted) && looks_human_chosen(value)
}

/// Returns whether the value is a hexadecimal key: one case, and as many digits as keys have.
///
/// Two such values in a hundred look like writing to [`looks_random`], since they have few letters.
pub(super) fn is_hex_key(value: &str) -> bool {
    let small = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let large = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
    matches!(value.len(), 32 | 40 | 48 | 64 | 96 | 128)
        && (value.bytes().all(small) || value.bytes().all(large))
        && digit_letter_transitions(value) >= value.len() / 8
        && !is_placeholder(value)
}

/// Returns whether the value is a long run of all classes of characters, like a generated framework key.
pub(super) fn is_framework_key(value: &str) -> bool {
    let kinds = b"!@#$%^&*(-_=+)[]{}<>~|;:,.?/";
    let odd = kinds.iter().filter(|kind| value.as_bytes().contains(kind)).count();
    let has = |class: fn(&u8) -> bool| value.as_bytes().iter().any(class);
    (40..=128).contains(&value.len())
        && odd >= 5
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && !value.contains("://")
        && digit_letter_transitions(value) >= 3
        && entropy(value) >= 4.4
}

/// Returns the number of places where a digit and a letter meet.
pub(super) fn digit_letter_transitions(text: &str) -> usize {
    let meets = |left: u8, right: u8| left.is_ascii_digit() && right.is_ascii_alphabetic();
    let pairs = text.as_bytes().windows(2);
    pairs.filter(|pair| matches!(pair, &&[left, right] if meets(left, right) || meets(right, left))).count()
}

/// Returns whether the value has a capital, a lower-case letter and a digit.
pub(super) fn has_mixed_classes(value: &str) -> bool {
    let has = |class: fn(&u8) -> bool| value.as_bytes().iter().any(class);
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
}

/// Returns the Shannon entropy in bits per byte.
pub(super) fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    let mut total = 0_u32;
    for byte in value.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
            total += 1;
        }
    }
    let share = |count: &u32| f64::from(*count) / f64::from(total);
    counts.iter().filter(|count| **count > 0).map(share).map(|share| -share * share.log2()).sum()
}

/// Returns the length of the longest run of letters and digits in which each step to the next has the wanted size.
fn longest_run(value: &str, wanted: impl Fn(i16) -> bool) -> usize {
    let mut longest = 0;
    let mut run = 1;
    for pair in value.as_bytes().windows(2) {
        let &[left, right] = pair else { continue };
        let continued = left.is_ascii_alphanumeric() && wanted(i16::from(right) - i16::from(left));
        run = if continued { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    longest
}

/// Returns the longest part without a separator, which is where the random part of a token is.
pub(super) fn longest_segment(token: &str) -> &str {
    token.split(['_', '-', '.', ':', '/', '=', '~']).max_by_key(|part| part.len()).unwrap_or_default()
}

/// Returns whether the text is a short piece, repeated.
fn is_repetition(text: &str) -> bool {
    let bytes = text.as_bytes();
    let returns = |period: usize| bytes.iter().zip(bytes.iter().skip(period)).all(|(a, b)| a == b);
    bytes.len() >= 12 && (1..=bytes.len() / 2).take(10).any(returns)
}
