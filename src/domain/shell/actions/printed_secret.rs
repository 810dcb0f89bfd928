//! Secrets in what a command reads: its here-documents, and what other commands print into a pipe, a substitution or a
//! file that it sends.

use super::disclosure::Place;
use super::secret_variable::{is_secret_variable, references};
use super::send::OutboundTransfer;
use super::upstream_commands;
use crate::domain::shell::script::{Command, RedirectKind, Script, Word};

/// The programs that print what they are given, or read, in some form.
const PRINTERS: &[&str] = &[
    "echo",
    "printf",
    "print",
    "printenv",
    "cat",
    "tac",
    "base64",
    "base32",
    "basenc",
    "xxd",
    "od",
    "hexdump",
    "rev",
    "tr",
    "tee",
    "jq",
    "yq",
    "sed",
    "awk",
    "gawk",
    "openssl",
    "gzip",
    "fold",
    "head",
    "tail",
    "cut",
    "envsubst",
    "Write-Output",
    "gpg",
];

/// Finds secrets in the text that a command is given as its input: a here-document or a here-string.
pub(super) fn find_in_input<'c>(command: &'c Command, places: &mut Vec<Place<'c>>) {
    for redirect in &command.redirects {
        if matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString) {
            let found = references(&redirect.target, command.dialect);
            places.extend(found.into_iter().map(|reference| Place::in_data(reference.name)));
        }
    }
}

/// Finds secrets in what other commands print into a pipe, a substitution or a file that the command sends.
pub(super) fn find_upstream<'c>(
    index: usize,
    command: &'c Command,
    transfer: Option<&OutboundTransfer>,
    script: &'c Script,
    places: &mut Vec<Place<'c>>,
) {
    let takes_lines = command.call_chain.iter().any(|via| via.contains("xargs") || via.contains("parallel"));
    let substituted = command.args().iter().any(|word| !word.literal && word.text.contains("$("));
    if transfer.is_none() && !takes_lines && !substituted {
        return;
    }
    for (_, source) in upstream_commands(command, script) {
        let is_piped = source.pipeline == command.pipeline;
        if (is_piped && (transfer.is_some() || takes_lines)) || (!is_piped && substituted) {
            places.extend(printed_secrets(source).into_iter().map(Place::in_data));
        }
    }
    let files = transfer.map(|sending| sending.files.as_slice()).unwrap_or_default();
    for source in script.commands.iter().take(index).filter(|_| !files.is_empty()) {
        let is_sent = |path: &Word| files.contains(&path.text);
        let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append);
        let redirected = source.redirects.iter().any(|redirect| writes(redirect.kind) && is_sent(&redirect.target));
        if redirected || source.program() == "tee" && source.operands().into_iter().any(is_sent) {
            places.extend(printed_secrets(source).into_iter().map(Place::in_data));
        }
    }
}

/// Returns the secrets that a command prints.
fn printed_secrets(command: &Command) -> Vec<&str> {
    let program = command.program();
    if !PRINTERS.contains(&program) {
        return Vec::new();
    }
    if program == "printenv" {
        return command
            .operands()
            .into_iter()
            .map(|word| word.text.as_str())
            .filter(|name| is_secret_variable(name))
            .collect();
    }
    let inputs = command.redirects.iter().filter_map(|redirect| match redirect.kind {
        RedirectKind::HereDoc | RedirectKind::HereString => Some(&redirect.target),
        _ => None,
    });
    let words = command.args().iter().chain(inputs);
    words.flat_map(|word| references(word, command.dialect)).map(|reference| reference.name).collect()
}
