//! Versions of programs, reduced to their numbers.

use std::fmt;

/// A version of three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub [u32; 3]);

impl Version {
    /// Reads the first part of a text that looks like a version.
    pub fn in_text(text: &str) -> Option<Self> {
        text.split(|character: char| !character.is_ascii_digit() && character != '.').find_map(|word| {
            let mut numbers = word.split('.').map(str::parse::<u32>);
            let three = [numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?];
            Some(Self(three))
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        assert_eq!(Version::in_text("2.1.329 (Claude Code)"), Some(Version([2, 1, 329])));
        assert_eq!(Version::in_text("0.61.0\n"), Some(Version([0, 61, 0])));
        assert_eq!(Version::in_text("v1.2.3-beta.4"), Some(Version([1, 2, 3])));
        assert_eq!(Version::in_text("no version 1.2"), None);
    }
}
