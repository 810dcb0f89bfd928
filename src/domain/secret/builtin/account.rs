//! Passwords that a command sets for an account: `echo user:… | chpasswd`, `htpasswd -b FILE user …`.

use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::placeholder;

/// Bytes of a line on either side of the program.
const MAX_LINE: usize = 256;

pub(super) fn find(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let before = place.slice_around(place.keyword_span.start.saturating_sub(MAX_LINE)..place.keyword_span.start);
    let behind = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(MAX_LINE));
    let line = behind.split(['\n', ';', '|']).next().unwrap_or_default();
    let last = before.rsplit('\n').next().unwrap_or_default();
    if place.keyword().eq_ignore_ascii_case("net user ") {
        return windows_password(place, line);
    }
    let sets_one = place.keyword().eq_ignore_ascii_case("htpasswd");
    let fed = last.trim_end().strip_suffix('|').filter(|_| !sets_one);
    let (text, start) = fed.map_or((line, place.keyword_span.end), |fed| (fed, place.keyword_span.start - last.len()));
    let value = match fed {
        _ if sets_one => htpasswd_password(line),
        Some(fed) => chpasswd_password(fed),
        None => line.split_once("<<<").and_then(|(_, text)| chpasswd_password(text)),
    }?;
    let start = start + (value.as_ptr() as usize - text.as_ptr() as usize);
    let known = value.len() >= 6 && placeholder::looks_like_password(value);
    known.then(|| BuiltinMatch { span: start..start + value.len(), tier: Tier::Paired })
}

/// Returns the password of `net user USER PASSWORD`; `*` asks for it, and what begins with `/` is an option.
fn windows_password(place: &KeywordContext<'_>, line: &str) -> Option<BuiltinMatch> {
    let value = line.split_whitespace().nth(1)?.trim_matches('"');
    let start = place.keyword_span.end + (value.as_ptr() as usize - line.as_ptr() as usize);
    let known = value.len() >= 6 && !value.starts_with('/') && placeholder::looks_like_password(value);
    known.then(|| BuiltinMatch { span: start..start + value.len(), tier: Tier::Paired })
}

/// Returns the password of `user:password`, the last word of a text.
fn chpasswd_password(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches(['"', '\'']);
    let word = text.rsplit([' ', '"', '\'']).next()?;
    let (user, password) = word.split_once(':')?;
    (!user.is_empty() && user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.$".contains(&byte)))
        .then_some(password)
}

/// Returns the password of `-b FILE USER PASSWORD`.
fn htpasswd_password(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let options: Vec<&str> = words.by_ref().take_while(|word| word.starts_with('-')).collect();
    let given = options.iter().any(|option| !option.starts_with("--") && option.contains('b'));
    // What stopped the options is the file.
    words.nth(1).filter(|_| given).map(|word| word.trim_matches(['"', '\'']))
}
