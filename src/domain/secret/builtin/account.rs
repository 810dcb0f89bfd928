//! Passwords that a command sets for an account: `echo user:… | chpasswd`, `htpasswd -b FILE user …`.

use super::{Found, Place};
use crate::domain::secret::{detector::Tier, placeholder};

/// Bytes of a line on either side of the program.
const LINE: usize = 256;

pub(super) fn find(place: &Place<'_>) -> Option<Found> {
    let before = place.around(place.at.start.saturating_sub(LINE)..place.at.start);
    let behind = place.around(place.at.end..place.at.end.saturating_add(LINE));
    let line = behind.split(['\n', ';', '|']).next().unwrap_or_default();
    let last = before.rsplit('\n').next().unwrap_or_default();
    let sets_one = place.keyword().eq_ignore_ascii_case("htpasswd");
    let fed = last.trim_end().strip_suffix('|').filter(|_| !sets_one);
    let (text, start) = fed.map_or((line, place.at.end), |fed| (fed, place.at.start - last.len()));
    let value = match fed {
        _ if sets_one => of_htpasswd(line),
        Some(fed) => pair(fed),
        None => line.split_once("<<<").and_then(|(_, text)| pair(text)),
    }?;
    let start = start + (value.as_ptr() as usize - text.as_ptr() as usize);
    let known = value.len() >= 6 && placeholder::looks_password(value);
    known.then(|| Found { span: start..start + value.len(), tier: Tier::Paired })
}

/// Returns the password of `user:password`, the last word of a text.
fn pair(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches(['"', '\'']);
    let word = text.rsplit([' ', '"', '\'']).next()?;
    let (user, password) = word.split_once(':')?;
    (!user.is_empty() && user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.$".contains(&byte)))
        .then_some(password)
}

/// Returns the password of `-b FILE USER PASSWORD`.
fn of_htpasswd(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let options: Vec<&str> = words.by_ref().take_while(|word| word.starts_with('-')).collect();
    let given = options.iter().any(|option| !option.starts_with("--") && option.contains('b'));
    // What stopped the options is the file.
    words.nth(1).filter(|_| given).map(|word| word.trim_matches(['"', '\'']))
}
