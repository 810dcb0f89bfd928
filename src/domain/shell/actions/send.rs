//! Commands that send data over the network: what they send, and the destination as far as the line names it.

use super::disclosure::code_addresses;
use super::project_data::{self, ProjectShare};
use super::send_table::{
    ADDRESS_PROGRAMS, OptionValueKind, PayloadSource, RemoteTarget, SEND_EXPRESSIONS, SendRow, rows_of,
};
use super::transfer_script;
use super::{has_input, upstream_commands};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::effects::{Access, command_files, command_urls, is_remote};
use crate::domain::shell::script::{Command, RedirectKind, Script, Word};
use crate::domain::shell::walk::inline_code;

/// What is sent, and where to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutboundTransfer {
    /// The address or host, when the line says it.
    pub destination: Option<String>,
    /// The files that are named as what is sent, as written.
    pub files: Vec<String>,
    /// Whether it is the project, its history or its sources.
    pub project: ProjectShare,
}

/// Returns what a command sends, if it sends anything. `transfer` is what it names as sent; `told` holds for each command of the script whether its output
/// contains files or the environment.
pub(super) fn detect(
    index: usize,
    command: &Command,
    transfer: Option<OutboundTransfer>,
    script: &Script,
    told: &dyn Fn(usize) -> bool,
) -> Option<OutboundTransfer> {
    let mut sending = transfer.or_else(|| embedded_data(command, script, told))?;
    sending.destination = sending.destination.or_else(|| command_urls(command).into_iter().next());
    sending.project = project_data::share_sent(index, command, &sending, script);
    Some(sending)
}

/// Returns what a command names as sent; not what is put into its words.
pub(super) fn explicit_transfer(command: &Command) -> Option<OutboundTransfer> {
    let arguments = command.arguments();
    let program = command.program();
    let rows = rows_of(program).filter(|row| has_verbs(row.verbs, &arguments));
    let mut sending: Option<OutboundTransfer> = None;
    for row in rows {
        if let Some(found) = match_row(row, command, &arguments) {
            let all = sending.get_or_insert_default();
            all.destination = all.destination.take().or(found.destination);
            all.files.extend(found.files);
        }
    }
    let mut sending = sending
        .or_else(|| http_request_items(program, command, &arguments))
        .or_else(|| network_redirect(command))
        .or_else(|| transfer_script::detect(command))
        .or_else(|| code_transfer(command))?;
    if is_no_op(program, &arguments) {
        return None;
    }
    let redirected = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
    sending.files.extend(redirected.map(|redirect| redirect.target.text.clone()));
    Some(sending)
}

/// Returns whether the operands begin with these words.
fn has_verbs(verbs: &[&str], arguments: &Arguments<'_>) -> bool {
    verbs.iter().enumerate().all(|(at, verb)| {
        arguments.operands.get(at).is_some_and(|word| verb.split('|').any(|choice| choice == word.text))
    })
}

fn match_row(row: &SendRow, command: &Command, arguments: &Arguments<'_>) -> Option<OutboundTransfer> {
    let operands = arguments.operands.get(row.verbs.len()..).unwrap_or_default();
    let mut sending = OutboundTransfer {
        destination: Some(row.default_destination.to_owned()).filter(|host| !host.is_empty()),
        ..OutboundTransfer::default()
    };
    match row.source {
        PayloadSource::Options(known) => {
            let mut any = false;
            for (name, value) in known {
                for word in option_values(arguments, name) {
                    any |= collect_files(*value, word, &mut sending.files);
                }
            }
            any.then_some(sending)
        }
        PayloadSource::Operands => {
            sending.files = operands.iter().filter(|word| word.text != "-").map(|word| word.text.clone()).collect();
            Some(sending)
        }
        PayloadSource::OperandsTo(target) => {
            let is_there = |word: &&Word| match target {
                RemoteTarget::Host => is_remote(&word.text),
                RemoteTarget::Scheme(schemes) => {
                    word.text.split_once("://").is_some_and(|(scheme, _)| schemes.contains(&scheme))
                }
                RemoteTarget::Remote => word.text.contains(':'),
            };
            // What follows the destination are values of options that no table knows.
            let at = operands.iter().rposition(is_there)?;
            let files = operands.get(..at).unwrap_or_default();
            sending.files = files.iter().map(|word| word.text.clone()).collect();
            sending.destination = operands.get(at).map(|word| word.text.clone());
            (!files.is_empty() && !files.iter().any(is_there)).then_some(sending)
        }
        PayloadSource::Stdin => has_input(command).then_some(sending),
        PayloadSource::Implicit => Some(sending),
    }
}

/// Returns the values of an option, also of one that the table of options does not know.
fn option_values<'a>(arguments: &'a Arguments<'_>, name: &str) -> Vec<&'a Word> {
    let options = arguments
        .options
        .iter()
        .filter(|given| given.name.eq_ignore_ascii_case(name) && (name.len() > 2 || given.name == name));
    options.filter_map(|given| given.value.as_ref().or(given.next_word.as_ref())).collect()
}

/// Adds the files in the value of an option; returns whether it sends anything.
fn collect_files(value: OptionValueKind, word: &Word, files: &mut Vec<String>) -> bool {
    let text = word.text.as_str();
    match value {
        OptionValueKind::Text => true,
        OptionValueKind::TextOrFile => {
            let path = text.strip_prefix('@').or_else(|| {
                text.split_once('@').filter(|(name, _)| !name.contains(['=', '{', ' '])).map(|(_, path)| path)
            });
            files.extend(path.filter(|path| *path != "-").map(str::to_owned));
            true
        }
        OptionValueKind::Form => {
            let value = text.split_once('=').map_or("", |(_, value)| value);
            let path = value.strip_prefix(['@', '<']).and_then(|path| path.split(';').next());
            files.extend(path.filter(|path| *path != "-").map(str::to_owned));
            true
        }
        OptionValueKind::File => {
            files.extend(Some(text).filter(|text| *text != "-").map(str::to_owned));
            true
        }
        OptionValueKind::Method => {
            !matches!(text.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS" | "DOWNLOAD")
        }
    }
}

/// Returns what the programs send whose operands are the fields of a request: `http POST host a=b c@file`.
fn http_request_items(program: &str, command: &Command, arguments: &Arguments<'_>) -> Option<OutboundTransfer> {
    if !matches!(program, "http" | "https" | "xh" | "xhs" | "httpie") {
        return None;
    }
    let is_method = |word: &&Word| matches!(word.text.as_str(), "POST" | "PUT" | "PATCH");
    let posts = arguments.operands.iter().copied().take(2).any(|word| is_method(&word));
    let mut sending = OutboundTransfer::default();
    let mut fields = false;
    for word in arguments.operands.iter().skip(1) {
        let text = word.text.as_str();
        let address = text.contains("://") || text.starts_with(':');
        let field = !address && (text.contains('=') && !text.contains("=="));
        fields |= field;
        if let Some((name, path)) = text.split_once('@').filter(|(name, _)| !address && !name.contains(['=', '/', ':']))
        {
            fields |= !name.is_empty() || !path.is_empty();
            sending.files.push(path.to_owned());
        }
    }
    (posts || fields || has_input(command)).then_some(sending)
}

/// Returns what goes into the shell's own connections: `> /dev/tcp/host/port`.
fn network_redirect(command: &Command) -> Option<OutboundTransfer> {
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let connection = |text: &str| text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/");
    let redirect =
        command.redirects.iter().find(|redirect| writes(redirect.kind) && connection(&redirect.target.text))?;
    let read = command_files(command).into_iter().filter(|(_, access)| *access == Access::Read);
    let to =
        redirect.target.text.splitn(4, '/').nth(3).map(|address| format!("tcp://{}", address.replacen('/', ":", 1)));
    Some(OutboundTransfer {
        destination: to,
        files: read.map(|(word, _)| word.text).collect(),
        ..OutboundTransfer::default()
    })
}

/// Returns the code that an interpreter is given in its arguments, or by a here-document.
pub(super) fn command_code(command: &Command) -> Vec<Word> {
    let is_text = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
    let input = command.redirects.iter().find(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target);
    inline_code(command.program(), &command.words, input).map(|(_, codes)| codes).unwrap_or_default()
}

/// Returns what the code of an interpreter sends.
fn code_transfer(command: &Command) -> Option<OutboundTransfer> {
    let codes = command_code(command);
    let sends = codes.iter().any(|code| SEND_EXPRESSIONS.iter().any(|part| code.text.contains(part)));
    let addresses: Vec<String> = codes.iter().flat_map(|code| code_addresses(&code.text)).collect();
    if !sends || addresses.is_empty() && codes.iter().all(|code| !code.text.contains("connect")) {
        return None;
    }
    let read = command_files(command).into_iter().filter(|(_, access)| *access == Access::Read);
    let files = read.map(|(word, _)| word.text).collect();
    Some(OutboundTransfer { files, destination: addresses.into_iter().next(), ..OutboundTransfer::default() })
}

/// Returns what is made part of an address: the content of files, or the environment.
fn embedded_data(command: &Command, script: &Script, told: &dyn Fn(usize) -> bool) -> Option<OutboundTransfer> {
    if !ADDRESS_PROGRAMS.contains(&command.program()) || command.args().iter().all(|word| word.literal) {
        return None;
    }
    let inside = |(index, source): (usize, &Command)| source.pipeline != command.pipeline && told(index);
    upstream_commands(command, script).any(inside).then(OutboundTransfer::default)
}

/// Returns whether a program only shows help, does a dry run, or waits for connections.
fn is_no_op(program: &str, arguments: &Arguments<'_>) -> bool {
    let named = |names: &[&str]| arguments.has(names);
    match program {
        "nc" | "ncat" | "netcat" | "nc.openbsd" | "nc.traditional" => named(&["-z", "-l", "--listen", "-h", "--help"]),
        "git" | "rsync" | "aws" | "rclone" | "cargo" | "npm" | "pnpm" | "gcloud" | "s3cmd" => {
            named(&["-n", "--dry-run", "--dryrun", "--help"])
        }
        _ => named(&["--help", "--version"]),
    }
}
