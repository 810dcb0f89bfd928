//! The addresses that commands name.
//!
//! An address with a scheme is found in any word, even inside code or a header; a host without a scheme only where the
//! program takes hosts.

use crate::domain::shell::script::{Command, Script};

/// The schemes that count.
const URL_SCHEMES: &[&str] = &[
    "http", "https", "ftp", "ftps", "sftp", "ssh", "scp", "ws", "wss", "git", "git+ssh", "rsync", "ldap", "gopher",
    "telnet", "s3", "gs",
];

/// The programs whose operands are addresses even without a scheme.
const URL_OPERAND_PROGRAMS: &[&str] = &[
    "curl",
    "wget",
    "http",
    "https",
    "xh",
    "aria2c",
    "lynx",
    "w3m",
    "links",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
];

/// Returns the addresses in a script, each with the index of its command.
pub fn urls(script: &Script) -> Vec<(String, usize)> {
    let mut urls = Vec::new();
    for (index, command) in script.commands.iter().enumerate() {
        let found = command_urls(command);
        for url in found {
            if !urls.iter().rev().take(64).any(|(seen, at)| *seen == url && *at == index) {
                urls.push((url, index));
            }
        }
    }
    urls
}

/// Returns the addresses that one command names.
pub(crate) fn command_urls(command: &Command) -> Vec<String> {
    let mut found = Vec::new();
    let targets = command
        .redirects
        .iter()
        .filter(|redirect| !matches!(redirect.kind, crate::domain::shell::script::RedirectKind::HereDoc));
    for word in command.args().iter().chain(targets.map(|redirect| &redirect.target)) {
        find_urls(&word.text, &mut found);
    }
    find_hosts(command, &mut found);
    found
}

/// Returns the addresses with a scheme in a text.
pub(crate) fn text_urls(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    find_urls(text, &mut found);
    found
}

/// Addresses inside one address that count: each is as long as what is left of it, which together
/// would be the square of its length.
const MAX_NESTED_URLS: usize = 32;

/// Finds addresses with a scheme, and the shell's own `/dev/tcp/host/port`.
fn find_urls(text: &str, found: &mut Vec<String>) {
    let mut rest = text;
    // How much of the text is left where the outermost address ends, and how many were found inside it.
    let (mut left, mut inside) = (text.len(), 0);
    while let Some((before, behind)) = rest.split_once("://") {
        let scheme = before
            .rsplit(|character: char| !character.is_ascii_alphanumeric() && character != '+')
            .next()
            .unwrap_or_default();
        let end = behind.find(|character: char| character.is_whitespace() || "\"'`<>|\\^{}),;".contains(character));
        let address = behind.get(..end.unwrap_or(behind.len())).unwrap_or_default();
        if behind.len() <= left {
            (left, inside) = (behind.len() - address.len(), 0);
        } else {
            inside += 1;
        }
        let counts = inside <= MAX_NESTED_URLS && !address.is_empty();
        if counts && URL_SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
            found.push(format!("{}://{address}", scheme.to_ascii_lowercase()));
        }
        rest = behind;
    }
    for device in ["/dev/tcp/", "/dev/udp/"] {
        if let Some(address) = text.strip_prefix(device) {
            found.push(format!("tcp://{}", address.replacen('/', ":", 1)));
        }
    }
}

/// Finds hosts that are named without a scheme.
fn find_hosts(command: &Command, found: &mut Vec<String>) {
    let program = command.program();
    let arguments = command.arguments();
    let operands = &arguments.operands;
    if URL_OPERAND_PROGRAMS.contains(&program) {
        let values = arguments.values(&["--url"]);
        for word in operands.iter().copied().chain(values).filter(|word| !word.text.contains("://")) {
            let host = word.text.split(['/', '?', '#']).next().unwrap_or_default();
            if is_host(host) {
                found.push(format!("http://{}", word.text));
            }
        }
    } else if matches!(program, "ssh" | "mosh" | "autossh" | "sftp") {
        found.extend(
            operands.first().filter(|word| !word.text.contains("://")).map(|word| format!("ssh://{}", word.text)),
        );
    } else if matches!(program, "scp" | "rsync" | "git") {
        for word in operands.iter().filter(|word| !word.text.contains("://")) {
            let Some((host, path)) = word.text.split_once(':') else { continue };
            let named = host.contains('@') || (program != "git" && host.len() > 1);
            if named && !host.contains('/') && !host.is_empty() && !path.contains(' ') {
                found.push(format!("ssh://{host}/{}", path.trim_start_matches('/')));
            }
        }
    } else if matches!(program, "nc" | "ncat" | "netcat" | "telnet" | "socat") {
        match operands.as_slice() {
            [host, port, ..] if is_host(&host.text) => found.push(format!("tcp://{}:{}", host.text, port.text)),
            _ => {}
        }
    }
}

/// Returns whether a text may be a host: a name with a dot, an address, or this machine.
fn is_host(text: &str) -> bool {
    let text = text.rsplit('@').next().unwrap_or(text);
    let name = text.split(':').next().unwrap_or_default();
    let plain = !name.is_empty()
        && name.chars().all(|character| character.is_alphanumeric() || matches!(character, '.' | '-' | '_'));
    (plain && (name.contains('.') || name == "localhost" || text.contains(':'))) || text.starts_with('[')
}
