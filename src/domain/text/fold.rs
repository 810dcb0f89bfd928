//! Names of files as file systems compare them that take no notice of letter case.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// Returns a name in the form in which macOS compares names: decomposed, letters folded (`ſ` is `s`, `ß` is `ss`),
/// without the characters that HFS+ takes no notice of. Windows folds less; there, more names count as the same.
pub fn fold_name(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        let is_folded = !name.bytes().any(|byte| byte.is_ascii_uppercase());
        return if is_folded { Cow::Borrowed(name) } else { Cow::Owned(name.to_ascii_lowercase()) };
    }
    let seen = name.chars().filter(|character| !is_ignored(*character));
    Cow::Owned(seen.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfd().collect())
}

/// Returns a name folded where letter case is ignored, or as it is.
pub fn fold_name_if(ignore_case: bool, name: &str) -> Cow<'_, str> {
    if ignore_case { fold_name(name) } else { Cow::Borrowed(name) }
}

/// Returns the rest of a path below a directory where names that fold to the same are the same.
pub fn relative_to_folded<'p>(absolute: &'p str, directory: &str) -> Option<&'p str> {
    let directory = directory.trim_end_matches('/');
    let depth = directory.matches('/').count();
    let end = absolute.match_indices('/').map(|(at, _)| at).nth(depth);
    let (head, rest) = absolute.split_at(end.unwrap_or(absolute.len()));
    (fold_name(head) == fold_name(directory)).then(|| rest.strip_prefix('/').unwrap_or(rest))
}

const fn is_ignored(character: char) -> bool {
    matches!(character, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::fold_name;

    #[test]
    fn names_of_one_file_fold_to_one() {
        for (one, other) in [
            ("Settings.json", "settings.json"),
            ("ſettings.json", "settings.json"),
            ("\u{212a}ey", "key"),
            ("\u{fc}bung", "U\u{308}bung"),
            ("Straße", "STRASSE"),
            ("ΌΔΟΣ", "όδος"),
            (".g\u{200c}it", ".git"),
        ] {
            assert_eq!(fold_name(one), fold_name(other), "{one}");
        }
        assert_eq!(super::relative_to_folded("/Users/U\u{308}/a/b", "/users/\u{fc}"), Some("a/b"));
        assert_eq!(super::relative_to_folded("/Users/\u{fc}", "/users/\u{fc}/"), Some(""));
        assert_eq!(super::relative_to_folded("/Users/\u{fc}x", "/users/\u{fc}"), None);
        assert_eq!(super::relative_to_folded("C:/\u{fc}/a", "c:/\u{dc}"), Some("a"));
        assert_eq!(super::relative_to_folded("/\u{fc}", "/"), Some("\u{fc}"));
        assert_ne!(fold_name("u"), fold_name("\u{fc}"));
    }
}
