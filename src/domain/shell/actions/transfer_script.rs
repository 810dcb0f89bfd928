//! What programs with commands of their own send: `sftp`, `ftp`, `lftp`.

use super::has_input;
use super::send::OutboundTransfer;
use crate::domain::shell::script::{Command, RedirectKind};

/// Their commands that send, and whether they send their operands.
const SENDING_COMMANDS: &[&str] = &["put", "mput", "reput", "send", "append", "mirror"];

/// Returns what the commands send that such a program is given, by an option or by its input.
pub(super) fn detect(command: &Command) -> Option<OutboundTransfer> {
    if !matches!(command.program(), "sftp" | "psftp" | "ftp" | "lftp" | "ncftp") {
        return None;
    }
    let arguments = command.arguments();
    let is_text = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
    let input = command.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target);
    let options = arguments.options.iter().filter(|given| matches!(given.name.as_str(), "-e" | "-c"));
    let options = options.filter_map(|given| given.value.as_ref().or(given.next_word.as_ref()));
    let texts: Vec<&str> = input.chain(options).map(|word| word.text.as_str()).collect();
    let mut sending = OutboundTransfer::default();
    let mut sends = texts.is_empty() && has_input(command);
    for line in texts.iter().flat_map(|text| text.split(['\n', ';'])) {
        let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        match words.next() {
            Some("open") => {
                let address = words.find(|word| !word.starts_with('-'));
                sending.destination = sending.destination.or_else(|| address.map(ToOwned::to_owned));
            }
            Some(verb) if SENDING_COMMANDS.contains(&verb) => {
                let words: Vec<&str> = words.collect();
                let is_reverse = |word: &&str| word.starts_with('-') && word.contains('R') || *word == "--reverse";
                if verb == "mirror" && !words.iter().any(is_reverse) {
                    continue;
                }
                sends = true;
                let mut operands = words.iter().filter(|word| !word.starts_with('-'));
                match verb {
                    "mput" => sending.files.extend(operands.map(|word| (*word).to_owned())),
                    _ => sending.files.extend(operands.next().map(|word| (*word).to_owned())),
                }
            }
            _ => {}
        }
    }
    // Options take the words that look like commands.
    let host = arguments.operands.iter().find(|word| !word.text.contains([' ', ';']));
    sending.destination = sending.destination.or_else(|| host.map(|word| word.text.clone()));
    sends.then_some(sending)
}
