//! Credentials in request headers, and logins on command lines.

use super::{BuiltinMatch, KeywordContext};
use crate::domain::secret::detector::Tier;
use crate::domain::secret::{base64, placeholder};

/// The maximum length of a credential in a header, in bytes.
const MAX_CREDENTIAL: usize = 4096;

/// `Authorization: Basic …`: a user name and a password.
pub(super) fn basic_authorization(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let before =
        place.slice_around(place.keyword_span.start.saturating_sub(48)..place.keyword_span.start).to_ascii_lowercase();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let named = line.trim_end_matches([' ', '\t', '"', '\'', '`', '\\', ':', '=', ',', '(']).ends_with("authorization");
    let value = token_after_keyword(place, |byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))?;
    let pair = base64::decode(place.slice(&value)).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let login = pair.split_once(':');
    let chosen = login.is_some_and(|(user, password)| is_real_login(user, password));
    // Many interfaces take a key as the user, without a password.
    let key =
        login.filter(|(user, password)| password.len() < 2 && user.len() >= 16 && placeholder::looks_random(user));
    if named && key.is_some_and(|(user, _)| !placeholder::is_placeholder(user) && !placeholder::is_dummy(user)) {
        return Some(BuiltinMatch { span: value, tier: Tier::Generic });
    }
    // What is encoded in a web token is an object.
    (named && chosen && !pair.contains(char::is_control) && !pair.starts_with('{'))
        .then_some(BuiltinMatch { span: value, tier: Tier::Paired })
}

/// `Bearer …` that no other detector knows, and `Authorization: Token …` and the like.
pub(super) fn bearer_authorization(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    if !place.keyword().eq_ignore_ascii_case("bearer") {
        let before = place
            .slice_around(place.keyword_span.start.saturating_sub(32)..place.keyword_span.start)
            .to_ascii_lowercase();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let marks = [' ', '\t', '"', '\'', '`', '\\', ':', '=', ',', '(', ']'];
        if !line.trim_end_matches(marks).ends_with("authorization") {
            return None;
        }
    }
    let value = token_after_keyword(place, |byte| byte.is_ascii_alphanumeric() || b"_-.=+/~".contains(&byte))?;
    let text = place.slice(&value);
    let random = text.len() >= 20 && placeholder::looks_random(text) && !placeholder::is_placeholder(text);
    random.then_some(BuiltinMatch { span: value, tier: Tier::Generic })
}

/// Returns what follows a keyword and blanks.
fn token_after_keyword(place: &KeywordContext<'_>, holds: impl Fn(u8) -> bool) -> Option<std::ops::Range<usize>> {
    let rest = place.bytes().get(place.keyword_span.end..)?;
    let blanks = rest.iter().take(4).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let len = rest.get(blanks..)?.iter().take(MAX_CREDENTIAL).take_while(|byte| holds(**byte)).count();
    let start = place.keyword_span.end + blanks;
    let spaced = blanks > 0 || place.keyword().ends_with(' ');
    (spaced && len > 0).then_some(start..start + len)
}

fn is_real_login(user: &str, password: &str) -> bool {
    password.len() >= 4 && user != password && !placeholder::is_dummy(password)
}

/// Programs that take a login on their command line: the program, the options before it, and whether the login is
/// `user:password` rather than a password alone. An option without a dash is a literal word.
const LOGIN_PROGRAMS: &[(&str, &[&str], bool)] = &[
    ("curl", &["-u", "--user", "--proxy-user", "-U"], true),
    ("http", &["-a", "--auth"], true),
    ("https", &["-a", "--auth"], true),
    ("xh", &["-a", "--auth"], true),
    ("wget", &["--password", "--http-password", "--ftp-password", "--proxy-password"], false),
    ("sshpass", &["-p"], false),
    ("mysql", &["-p", "--password"], false),
    ("mysqldump", &["-p", "--password"], false),
    ("mysqladmin", &["-p", "--password"], false),
    ("mariadb", &["-p", "--password"], false),
    ("mongo", &["-p", "--password"], false),
    ("mongosh", &["-p", "--password"], false),
    ("mongodump", &["-p", "--password"], false),
    ("redis-cli", &["-a", "--pass"], false),
    ("docker", &["-p", "--password"], false),
    ("podman", &["-p", "--password"], false),
    ("helm", &["-p", "--password"], false),
    ("az", &["-p", "--password"], false),
    ("oc", &["-p", "--password"], false),
    ("sqlcmd", &["-P"], false),
    ("ldapsearch", &["-w"], false),
    ("bcp", &["-P"], false),
    ("smbclient", &["-U"], true),
    ("twine", &["-p", "--password"], false),
    ("svn", &["--password"], false),
    ("plink", &["-pw"], false),
    ("pscp", &["-pw"], false),
    ("psexec", &["-p"], false),
    ("cqlsh", &["-p", "--password"], false),
    ("influx", &["-password"], false),
    ("mongorestore", &["-p", "--password"], false),
    ("mongoexport", &["-p", "--password"], false),
    ("openssl", &["-passin pass:", "-passout pass:", "-k"], false),
    ("keytool", &["-storepass", "-keypass"], false),
    ("7z", &["-p"], false),
    ("zip", &["-P"], false),
    ("unzip", &["-P"], false),
];

/// How many bytes of a command are read.
const MAX_COMMAND: usize = 512;

/// A login on the command line of a program whose name was found.
pub(super) fn command_login(place: &KeywordContext<'_>) -> Option<BuiltinMatch> {
    let before = place.slice_around(place.keyword_span.start.saturating_sub(1)..place.keyword_span.start);
    let name = place.keyword().trim_end().to_ascii_lowercase();
    let (_, options, pair) = LOGIN_PROGRAMS.iter().find(|(program, ..)| *program == name)?;
    if before.starts_with(|sign: char| sign.is_ascii_alphanumeric() || "_-.".contains(sign)) {
        return None;
    }
    let rest = place.slice_around(place.keyword_span.end..place.keyword_span.end.saturating_add(MAX_COMMAND));
    let line = rest.split(['\n', '|', ';', '&']).next().unwrap_or_default();
    let logs_in = !matches!(name.as_str(), "docker" | "podman" | "helm" | "az" | "oc") || line.contains("login");
    let (at, option) = options.iter().filter_map(|option| Some((find_option(line, option)?, *option))).min()?;
    let behind = line.get(at + option.len()..)?;
    let attached =
        !option.starts_with("--") && !matches!(name.as_str(), "docker" | "podman" | "helm" | "az" | "oc" | "curl");
    let trimmed = behind.trim_start_matches(['=', ' ']);
    // `mysql -p` alone asks for the password, and what follows a blank is the database.
    if !logs_in || (trimmed.len() == behind.len() && !attached) || (name.starts_with("my") && behind.starts_with(' ')) {
        return None;
    }
    let quote = trimmed.chars().next().filter(|sign| matches!(sign, '"' | '\''));
    let value_at = at + option.len() + (behind.len() - trimmed.len()) + usize::from(quote.is_some());
    let value = line.get(value_at..)?;
    let len = quote.map_or_else(|| value.find(char::is_whitespace), |quote| value.find(quote)).unwrap_or(value.len());
    let value = value.get(..len)?.trim_end_matches(['"', '\'', '`', '\\', ')']);
    let (user, password) = if *pair { value.split_once([':', '%'])? } else { ("", value) };
    let start = place.keyword_span.end + value_at + (value.len() - password.len());
    let known = is_real_login(user, password) && password.len() >= 6 && placeholder::looks_like_password(password);
    (logs_in && known).then(|| BuiltinMatch { span: start..start + password.len(), tier: Tier::Paired })
}

/// Returns the position of an option as a word, or as the beginning of one.
fn find_option(line: &str, option: &str) -> Option<usize> {
    line.match_indices(option).map(|(at, _)| at).find(|at| {
        let before = line.get(..*at).unwrap_or_default();
        before.is_empty() || before.ends_with([' ', '"', '\'', ','])
    })
}
