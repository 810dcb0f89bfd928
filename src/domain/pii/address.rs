//! E-mail, IPv4 and IPv6 addresses.

use core::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::number_pattern::is_word_byte;

/// The maximum length of the part before an `@`, in bytes.
const MAX_LOCAL_PART: usize = 64;
/// The maximum length of a host name, in bytes.
const MAX_DOMAIN: usize = 253;

/// Last labels of names that are not top-level domains, or are file extensions.
const NON_DOMAIN_SUFFIXES: &[&str] = &[
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
    "internal",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "svg",
    "webp",
    "ico",
    "js",
    "ts",
    "jsx",
    "tsx",
    "mjs",
    "css",
    "scss",
    "less",
    "html",
    "json",
    "yaml",
    "yml",
    "toml",
    "md",
    "py",
    "rs",
    "go",
    "rb",
    "java",
    "kt",
    "c",
    "h",
    "cpp",
    "cs",
    "php",
    "sh",
    "txt",
    "lock",
    "service",
    "timer",
    "socket",
    "target",
    "so",
    "dll",
    "exe",
    "zip",
    "gz",
    "map",
    "log",
];

/// Names before an `@` that belong to no person.
const NON_PERSONAL_NAMES: &[&str] =
    &["git", "noreply", "no-reply", "donotreply", "do-not-reply", "user", "username", "you", "your.name", "name"];

/// Returns the e-mail address whose `@` is at this position.
pub(super) fn email(text: &[u8], at: usize) -> Option<Range<usize>> {
    if text.get(at) != Some(&b'@') {
        return None;
    }
    let local = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._%+-'".contains(byte);
    let domain = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
    let head = text.get(..at)?.iter().rev().take(MAX_LOCAL_PART + 1).take_while(local).count();
    let tail = text.get(at + 1..)?.iter().take(MAX_DOMAIN + 1).take_while(domain).count();
    if head == 0 || head > MAX_LOCAL_PART || tail > MAX_DOMAIN {
        return None;
    }
    let mut start = at - head;
    // Quotes and punctuation around it do not belong to it.
    while text.get(start).is_some_and(|byte| b"'.-%+".contains(byte)) {
        start += 1;
    }
    let whole = text.get(at + 1..at + 1 + tail)?;
    let trimmed = whole.iter().rev().take_while(|byte| b".-".contains(byte)).count();
    let end = at + 1 + tail - trimmed;
    let person = std::str::from_utf8(text.get(start..at)?).ok()?.to_ascii_lowercase();
    let name = std::str::from_utf8(text.get(at + 1..end)?).ok()?.to_ascii_lowercase();
    let (rest, last) = name.rsplit_once('.')?;
    let second = rest.rsplit('.').next().unwrap_or(rest);
    let before = start.checked_sub(1).and_then(|at| text.get(at)).copied();
    let after = (text.get(end).copied(), text.get(end + 1).copied());
    let is_place = last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_lowercase())
        && !NON_DOMAIN_SUFFIXES.contains(&last)
        && second != "example"
        && name.split('.').all(|part| !part.is_empty() && !part.starts_with('-') && !part.ends_with('-'));
    let is_person = !person.is_empty()
        && !person.ends_with('.')
        && !person.contains("..")
        && !NON_PERSONAL_NAMES.contains(&person.as_str())
        && !name.contains("noreply");
    // `//user@host` and `user@host:path` address a machine.
    let scheme = text
        .get(start.saturating_sub(MAX_LOCAL_PART)..start)?
        .iter()
        .rev()
        .take_while(|byte| !byte.is_ascii_whitespace());
    let has_scheme = before == Some(b':') && scheme.collect::<Vec<_>>().windows(2).any(|two| two == [&b'/', &b'/']);
    let is_way = has_scheme
        || matches!(before, Some(b'/' | b'@'))
        || matches!(after, (Some(b':'), Some(byte)) if is_word_byte(byte) || byte == b'/')
        || matches!(after.0, Some(byte) if byte == b'@' || is_word_byte(byte));
    (is_place && is_person && !is_way && !before.is_some_and(is_word_byte)).then_some(start..end)
}

/// Which machines an address may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NetworkScope {
    /// Publicly reachable machines.
    Public,
    /// Machines of a private network.
    Private,
}

/// Returns the IP address that begins at this position.
pub(super) fn ip_address(text: &[u8], at: usize, net: NetworkScope) -> Option<Range<usize>> {
    let before = at.checked_sub(1).and_then(|at| text.get(at)).copied();
    if !text.get(at)?.is_ascii_hexdigit() || before.is_some_and(|byte| is_word_byte(byte) || b".:-+".contains(&byte)) {
        return None;
    }
    ipv4(text, at, net).or_else(|| ipv6(text, at, net))
}

fn ipv4(text: &[u8], at: usize, net: NetworkScope) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let length = rest.iter().take(17).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let piece = std::str::from_utf8(rest.get(..length)?).ok()?.trim_end_matches('.');
    let address: Ipv4Addr = piece.parse().ok()?;
    let end = at + piece.len();
    let after = (text.get(end).copied(), text.get(end + 1).copied());
    let goes_on =
        after.0.is_some_and(is_word_byte) || matches!(after, (Some(b'.' | b'-'), Some(byte)) if is_word_byte(byte));
    let [a, b, c, last] = address.octets();
    let is_network = after.0 == Some(b'/') && last == 0;
    // Public resolvers, and samples in documents, are not personal.
    let is_nobody = a == 0
        || a >= 224
        || address.is_loopback()
        || address.is_documentation()
        || matches!([a, b, c, last], [8, 8, 8, 8] | [8, 8, 4, 4] | [1, 1, 1, 1] | [1, 0, 0, 1] | [9, 9, 9, 9])
        || (a, b) == (198, 18);
    let is_private = address.is_private() || address.is_link_local() || (a == 100 && (64..128).contains(&b));
    let wanted = (net == NetworkScope::Private) == is_private;
    (wanted && !goes_on && !is_network && !is_nobody && !follows_version_word(text, at)).then_some(at..end)
}

/// Returns whether the text before shows that four numbers are a version or a section of a book.
fn follows_version_word(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(24)..at).unwrap_or_default().to_ascii_lowercase();
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let says = |word: &[u8]| line.windows(word.len()).any(|piece| piece == word);
    says(b"ver") || says(b"section") || says(b"chapter") || line.ends_with(b"@") || line.ends_with(b"==")
}

fn ipv6(text: &[u8], at: usize, net: NetworkScope) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let length = rest.iter().take(46).take_while(|byte| byte.is_ascii_hexdigit() || **byte == b':').count();
    let piece = std::str::from_utf8(rest.get(..length)?).ok()?.trim_end_matches(':');
    let groups = piece.split(':').filter(|group| !group.is_empty()).count();
    let end = at + piece.len();
    // With fewer parts it may be a path of names in a program.
    if groups < 4
        || !piece.bytes().any(|byte| byte.is_ascii_digit())
        || text.get(end).copied().is_some_and(is_word_byte)
    {
        return None;
    }
    let address: Ipv6Addr = piece.parse().ok()?;
    let [first, second, ..] = address.segments();
    let is_nobody = address.is_loopback() || first >= 0xff00 || (first == 0x2001 && second == 0x0db8) || first == 0;
    let is_private = (first & 0xfe00) == 0xfc00 || (first & 0xffc0) == 0xfe80;
    ((net == NetworkScope::Private) == is_private && !is_nobody).then_some(at..end)
}
