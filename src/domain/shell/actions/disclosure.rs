//! Secrets that a command sends to a host: variables by reference, and tokens that another command prints.
//!
//! What goes to this machine, to a private network or to an unknown host with a login is left out. For the rest it is
//! said how the secret goes: in an address, as data, in a header, or as a login to a host that it may well be for.

use super::code_disclosure;
use super::host::{host_in, is_api_address, is_collector, is_local};
use super::owner_table::{Relation, relation};
use super::printed_secret::{find_in_input, find_upstream};
use super::secret_variable::{Reference, references, text_references};
use super::send::{OutboundTransfer, explicit_transfer};
use super::token_use::token_for_own_service;
use crate::domain::shell::effects::{command_urls, text_urls};
use crate::domain::shell::script::{Command, Dialect, Script, Word};
use crate::domain::shell::walk::inline_code;

/// A secret that leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disclosure {
    /// The variable, or the command that prints the token.
    pub secret: String,
    /// The address or host, if the line names it.
    pub destination: Option<String>,
    /// How it goes.
    pub means: Means,
}

/// How a secret goes to a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Means {
    /// As a login to a host of its own service.
    Own,
    /// As a login to a host that it may be for: nothing tells whose secret it is.
    Login,
    /// As a login to a host that is not its service's.
    Header,
    /// As a part of what is sent.
    Data,
    /// As a part of an address.
    Address,
}

impl Means {
    /// Returns its name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Login => "login",
            Self::Header => "header",
            Self::Data => "data",
            Self::Address => "address",
        }
    }
}

/// How programs take addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Client {
    /// The operands are addresses.
    Addresses,
    /// The first operand is an address, perhaps after a method, and the others are parts of the request.
    Items,
    /// The operands are names that are looked up.
    Names,
    /// An address has a login in it.
    Git,
    /// What the table of programs that send says.
    Other,
}

/// The options of clients whose value is a login, or a header.
const LOGIN_OPTIONS: &[&str] = &[
    "-h",
    "--header",
    "-u",
    "--user",
    "--oauth2-bearer",
    "-b",
    "--cookie",
    "--password",
    "--http-password",
    "--http-user",
    "-a",
    "--auth",
    "-headers",
    "-token",
    "-credential",
    "--bearer",
    "--pass",
];

/// The options whose value goes to nobody but the program itself, or to a proxy.
const LOCAL_OPTIONS: &[&str] = &["-o", "--output", "-w", "--write-out", "-D", "--dump-header", "-c", "--cookie-jar"];

/// The options whose value is an address.
const ADDRESS_OPTIONS: &[&str] = &["--url", "-uri", "-x", "--proxy", "--repo"];

/// What names of fields have in them that hold a login.
const LOGIN_FIELDS: &[&str] = &[
    "key",
    "token",
    "secret",
    "password",
    "passwd",
    "pwd",
    "pass",
    "auth",
    "appid",
    "app_id",
    "credential",
    "jwt",
    "code",
    "assertion",
    "signature",
];

/// Where in a command a secret is.
pub(super) struct Place<'c> {
    secret: &'c str,
    means: Means,
    /// The field of an address or of data that it is the value of.
    is_login_field: bool,
    /// The address that it is a part of.
    address: Option<&'c str>,
}

/// Returns the secrets that a command sends. `transfer` is what it names as sent.
pub(super) fn detect(
    index: usize,
    command: &Command,
    transfer: Option<&OutboundTransfer>,
    script: &Script,
) -> Vec<Disclosure> {
    let mut found = match client_of(command, transfer) {
        Some(client) => detect_in_command(client, index, command, transfer, script),
        None => code_disclosure::detect(command),
    };
    let disclosures = |index: usize, user: &Command| {
        let transfer = explicit_transfer(user);
        let client = client_of(user, transfer.as_ref());
        client.map_or_else(Vec::new, |client| detect_in_command(client, index, user, transfer.as_ref(), script))
    };
    found.extend(token_for_own_service(command, script, &disclosures));
    if command.file.is_some() {
        // Scripts on disk were there before: a login of one is for its project.
        found.retain(|it| it.means > Means::Header && relation(&it.secret, "") == Relation::Foreign);
    }
    found
}

fn detect_in_command(
    client: Client,
    index: usize,
    command: &Command,
    transfer: Option<&OutboundTransfer>,
    script: &Script,
) -> Vec<Disclosure> {
    let mut places = Vec::new();
    find_in_words(client, command, &mut places);
    if transfer.is_some() || client == Client::Other {
        find_in_input(command, &mut places);
    }
    find_upstream(index, command, transfer, script, &mut places);
    if places.is_empty() {
        return Vec::new();
    }
    // A request that is signed with a key does not contain it.
    if command.args().iter().any(|word| word.text.starts_with("--aws-sigv4")) || stores_secrets(command) {
        return Vec::new();
    }
    let destinations = destinations(client, command, transfer);
    let is_published = matches!(command.program(), "gh" | "glab");
    let mut found: Vec<Disclosure> = Vec::new();
    for place in &places {
        let own = place.address.map(|address| vec![address.to_owned()]);
        for mut disclosure in judge(place, own.as_deref().unwrap_or(&destinations)) {
            if is_published && disclosure.means == Means::Own {
                disclosure.means = place.means;
            }
            if !found.contains(&disclosure) {
                found.push(disclosure);
            }
        }
    }
    found
}

/// Returns what becomes of a secret that goes to some addresses.
fn judge(place: &Place<'_>, addresses: &[String]) -> Vec<Disclosure> {
    let disclosure = |destination: Option<&String>, means| Disclosure {
        secret: place.secret.to_owned(),
        destination: destination.cloned(),
        means,
    };
    if addresses.is_empty() {
        // Nothing tells where it goes; what is logged in with goes where it is for.
        let is_foreign = place.means > Means::Header && relation(place.secret, "") == Relation::Foreign;
        return if is_foreign { vec![disclosure(None, place.means)] } else { Vec::new() };
    }
    let mut found = Vec::new();
    for address in addresses {
        let Some(host) = host_in(address) else { continue };
        // The name of a bucket is no host of this network.
        if is_local(&host) && !address.starts_with("s3:") && !address.starts_with("gs:") {
            continue;
        }
        let is_login = place.means == Means::Login || place.is_login_field && is_api_address(address);
        let means = match relation(place.secret, &host) {
            Relation::Own => Means::Own,
            Relation::Unknown if is_login && !is_collector(&host) => Means::Login,
            _ if place.means == Means::Login => Means::Header,
            _ => place.means,
        };
        found.push(disclosure(Some(address), means));
    }
    found
}

fn client_of(command: &Command, transfer: Option<&OutboundTransfer>) -> Option<Client> {
    Some(match command.program() {
        "curl" | "wget" | "wget2" | "lynx" | "w3m" | "links" | "open" | "xdg-open" | "aria2c" | "axel" | "fetch"
        | "Invoke-WebRequest" | "Invoke-RestMethod" => Client::Addresses,
        "http" | "https" | "xh" | "xhs" | "curlie" | "httpie" => Client::Items,
        "dig" | "nslookup" | "host" | "drill" | "kdig" | "ping" | "ping6" | "getent" | "traceroute" | "tracepath"
        | "mtr" | "whois" | "Resolve-DnsName" | "Test-Connection" => Client::Names,
        "git" => Client::Git,
        _ if is_mail(command) => Client::Other,
        // What code sends is found in the code.
        _ if transfer.is_some() && inline_code(command.program(), &command.words, None).is_none() => Client::Other,
        _ => return None,
    })
}

fn is_mail(command: &Command) -> bool {
    matches!(command.program(), "mail" | "mailx" | "mutt" | "s-nail")
}

/// Returns whether a command puts a secret where secrets are kept.
fn stores_secrets(command: &Command) -> bool {
    let operands = command.operands();
    command.program() == "gh"
        && operands.first().is_some_and(|word| matches!(word.text.as_str(), "secret" | "variable"))
}

/// Returns the addresses that a command sends something to.
fn destinations(client: Client, command: &Command, transfer: Option<&OutboundTransfer>) -> Vec<String> {
    let arguments = command.arguments();
    let text = |word: &Word| word.text.clone();
    match client {
        Client::Addresses => {
            let values = arguments.values(&["--url", "-Uri", "-uri"]);
            let all: Vec<&Word> = arguments.operands.iter().copied().chain(values).collect();
            // Beside whole addresses, other words are values of options that no table knows.
            let is_whole = |word: &&&Word| word.text.contains("://");
            let whole: Vec<String> = all.iter().filter(is_whole).map(|word| text(word)).collect();
            if whole.is_empty() { all.into_iter().map(text).collect() } else { whole }
        }
        Client::Items => {
            let is_scheme = |word: &&&Word| matches!(word.text.as_str(), "http" | "https");
            let skipped = usize::from(
                command.program() == "httpie" && arguments.operands.iter().take(1).any(|word| is_scheme(&word)),
            );
            let mut operands = arguments.operands.iter().skip(skipped);
            let address = operands.clone().find(|word| is_url_like(&word.text));
            let address = address.or_else(|| operands.find(|word| !is_method(&word.text)));
            address
                .map(|word| if word.text.starts_with(':') { "localhost".to_owned() } else { text(word) })
                .into_iter()
                .collect()
        }
        Client::Names => arguments.operands.iter().map(|word| text(word)).collect(),
        Client::Git => {
            arguments.operands.iter().filter(|word| word.text.contains("://")).map(|word| text(word)).collect()
        }
        Client::Other => {
            let mut all = command_urls(command);
            all.extend(transfer.and_then(|sending| sending.destination.clone()));
            all
        }
    }
}

fn is_method(text: &str) -> bool {
    matches!(text.to_ascii_uppercase().as_str(), "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS")
}

fn find_in_words<'c>(client: Client, command: &'c Command, places: &mut Vec<Place<'c>>) {
    let words = command.args();
    let dialect = command.dialect;
    let mut option = "";
    let mut operands = 0;
    for word in words {
        let text = word.text.as_str();
        let is_option = text.len() > 1 && text.starts_with('-');
        let found = references(word, dialect);
        if is_option {
            option = text.split('=').next().unwrap_or(text);
        }
        // A cluster ends in the option that takes a value: `-sH "…"`, `-HAuthorization:…`.
        let name = if is_option && !found.is_empty() && !option.starts_with("--") && dialect == Dialect::Posix {
            option.get(..2).unwrap_or(option)
        } else {
            option
        };
        let name = name.trim_end_matches('"');
        let lower = if dialect == Dialect::Posix { short_name(name) } else { name.to_ascii_lowercase() };
        for reference in found {
            if LOCAL_OPTIONS.contains(&lower.as_str()) {
                continue;
            }
            places.extend(place_of(client, text, reference, &lower, operands));
        }
        if !is_option {
            operands += usize::from(option.is_empty());
            option = "";
        }
    }
}

/// Returns an option as the tables name it: the last letter of a cluster, and `-H` as `-h`, for they mean the same here.
fn short_name(name: &str) -> String {
    match name.strip_prefix('-').filter(|letters| !letters.is_empty() && !letters.starts_with('-')) {
        Some(letters) => match letters.chars().last() {
            Some('H') => "-h".to_owned(),
            Some(letter) => format!("-{letter}"),
            None => name.to_owned(),
        },
        None => name.to_owned(),
    }
}

/// Returns where a reference is, if that is a place that leaves.
fn place_of<'c>(
    client: Client,
    text: &'c str,
    reference: Reference<'c>,
    option: &str,
    operands: usize,
) -> Option<Place<'c>> {
    let before = text.get(..reference.start).unwrap_or_default();
    let place =
        |means, address| Place { secret: reference.name, means, is_login_field: is_login_field(before), address };
    let is_address =
        option.is_empty() || ADDRESS_OPTIONS.contains(&option) || text.contains("://") && before.contains("://");
    match client {
        Client::Names => Some(place(Means::Address, Some(text))),
        Client::Git => {
            let address = text.get(text.find("://")?.saturating_sub(8)..).unwrap_or(text);
            before.contains("://").then(|| place(Means::Login, Some(address)))
        }
        Client::Items if operands > 0 && option.is_empty() && !(operands == 1 && is_url_like(text)) => {
            let name = before;
            let is_header =
                name.ends_with(':') || name.split_once(':').is_some_and(|(name, _)| !name.contains(['=', '/', '"']));
            Some(place(if is_header { Means::Login } else { Means::Data }, None))
        }
        Client::Other => Some(place(
            if LOGIN_OPTIONS.contains(&option) && option != "-b" { Means::Login } else { Means::Data },
            None,
        )),
        _ if LOGIN_OPTIONS.contains(&option) && !(option == "-a" && client == Client::Addresses) => {
            Some(place(Means::Login, None))
        }
        _ if is_address => {
            // An address that is the variable itself names the destination.
            if before.is_empty() && !text.contains('.') {
                return None;
            }
            let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
            let is_user = rest.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
                && !before.split_once("://").map_or(before, |(_, rest)| rest).contains(['/', '@']);
            Some(place(if is_user { Means::Login } else { Means::Address }, Some(text)))
        }
        _ => Some(place(Means::Data, None)),
    }
}

fn is_url_like(text: &str) -> bool {
    text.contains("://") && !text.split("://").next().unwrap_or_default().contains(['=', ':'])
}

/// Returns whether a text ends in the name of a field that holds a login: `client_secret=`, `"password":"`.
fn is_login_field(before: &str) -> bool {
    let head = before.trim_end_matches(['=', ':', '"', '\'', '\\', ' ']);
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let name = head.rsplit(|character: char| !is_part(character)).next().unwrap_or_default().to_ascii_lowercase();
    head.len() < before.len() && LOGIN_FIELDS.iter().any(|part| name.contains(part))
}

impl<'c> Place<'c> {
    /// Returns a place in the data that a command sends.
    pub(super) const fn in_data(secret: &'c str) -> Self {
        Place { secret, means: Means::Data, is_login_field: false, address: None }
    }
}

/// Returns the addresses and secrets of a text that is code, where variables of the shell were put into it.
pub(super) fn shell_references(text: &Word, dialect: Dialect) -> Vec<&str> {
    if text.literal {
        Vec::new()
    } else {
        text_references(&text.text, dialect).iter().map(|found| found.name).collect()
    }
}

/// Returns what becomes of a secret that code sends to the addresses in it.
pub(super) fn judge_code(secret: &str, is_login: bool, code: &str) -> Vec<Disclosure> {
    let addresses = code_addresses(code);
    let means = if is_login { Means::Login } else { Means::Data };
    if addresses.is_empty() {
        return Vec::new();
    }
    judge(&Place { secret, means, is_login_field: false, address: None }, &addresses)
}

/// Returns the addresses in code; without one, the names of hosts that stand in quotes.
pub(super) fn code_addresses(code: &str) -> Vec<String> {
    let addresses = text_urls(code);
    if !addresses.is_empty() {
        return addresses;
    }
    let is_host = |text: &&str| {
        let text = text.trim_start_matches('.');
        let (_, end) = text.rsplit_once('.').unwrap_or_default();
        let end = end.split(':').next().unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':');
        let is_number = text.split('.').count() == 4 && text.split(['.', ':']).all(|part| part.parse::<u16>().is_ok());
        is_number || end.len() > 1 && end.bytes().all(|byte| byte.is_ascii_alphanumeric()) && text.bytes().all(plain)
    };
    code.split(['"', '\'', '`'])
        .skip(1)
        .step_by(2)
        .filter(is_host)
        .map(|host| host.trim_start_matches('.').to_owned())
        .collect()
}
