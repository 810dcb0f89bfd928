//! Where code comes from that is not known: the network, a decoder, or some program.
//!
//! The walk says that code is computed; which command computes it stands in the list of commands.

use super::deeds::sources;
use super::effects::urls_of;
use super::script::{Command, Opaque, OpaqueReason, Script};

/// The programs that fetch what an address names.
const FETCHERS: &[&str] = &[
    "curl",
    "wget",
    "wget2",
    "fetch",
    "aria2c",
    "http",
    "https",
    "xh",
    "lwp-request",
    "lynx",
    "w3m",
    "nc",
    "ncat",
    "netcat",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
    "gh",
];

/// Returns the command that an opaque place belongs to, by its index.
pub fn command_of(script: &Script, opaque: &Opaque) -> Option<usize> {
    let spans = |command: &Command| command.span.start <= opaque.span.start && command.span.end >= opaque.span.end;
    // Code that is not known stands in the list as a program without a name; what runs it is meant.
    let is_meant = |command: &Command| opaque.reason == OpaqueReason::DynamicProgram || !command.is_dynamic();
    let holding = script.commands.iter().enumerate();
    let holding = holding.filter(|(_, command)| spans(command) && !command.words.is_empty() && is_meant(command));
    // Of commands around the place, the narrowest is meant, and of wrappers the one inside.
    holding.min_by_key(|(index, command)| (command.span.len(), std::cmp::Reverse(*index))).map(|(index, _)| index)
}

/// Returns why a place is not known, with regard to where its code comes from.
pub fn reason_of(script: &Script, opaque: &Opaque) -> OpaqueReason {
    if !matches!(opaque.reason, OpaqueReason::PipedCode | OpaqueReason::DynamicCode | OpaqueReason::EncodedCode) {
        return opaque.reason;
    }
    let at_place = |command: &&Command| command.span == opaque.span || contains(command, opaque);
    let fetched = script.commands.iter().filter(at_place).any(|command| {
        let connected = command.redirects.iter().any(|redirect| redirect.target.text.starts_with("/dev/tcp/"));
        connected || sources(command, script).any(|(_, source)| fetches(source))
    });
    if fetched { OpaqueReason::DownloadedCode } else { opaque.reason }
}

fn contains(command: &Command, opaque: &Opaque) -> bool {
    command.span.start <= opaque.span.start && command.span.end >= opaque.span.end
}

fn fetches(command: &Command) -> bool {
    let program = command.program();
    FETCHERS.contains(&program) && (program != "gh" || !urls_of(command).is_empty())
}
