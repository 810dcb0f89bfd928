//! The origin of unknown code: the network, a decoder, or some program.
//!
//! The walk reports that code is computed; the command that computes it is in the list of commands.

use super::actions::upstream_commands;
use super::effects::command_urls;
use super::script::{Command, Opaque, OpaqueReason, Script};

/// The programs that fetch what an address names.
const DOWNLOAD_PROGRAMS: &[&str] = &[
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
pub fn enclosing_command(script: &Script, opaque: &Opaque) -> Option<usize> {
    let spans = |command: &Command| command.span.start <= opaque.span.start && command.span.end >= opaque.span.end;
    // Code that is unknown is in the list as a program without a name; what runs it is meant.
    let is_meant = |command: &Command| opaque.reason == OpaqueReason::DynamicProgram || !command.is_dynamic();
    let holding = script.commands.iter().enumerate();
    let holding = holding.filter(|(_, command)| spans(command) && !command.words.is_empty() && is_meant(command));
    // Of commands around the place, the narrowest is meant, and of wrappers the one inside.
    holding.min_by_key(|(index, command)| (command.span.len(), std::cmp::Reverse(*index))).map(|(index, _)| index)
}

/// Returns why a place is unknown, with regard to where its code comes from.
pub fn refined_reason(script: &Script, opaque: &Opaque) -> OpaqueReason {
    if !matches!(opaque.reason, OpaqueReason::PipedCode | OpaqueReason::DynamicCode | OpaqueReason::EncodedCode) {
        return opaque.reason;
    }
    let at_place = |command: &&Command| command.span == opaque.span || contains(command, opaque);
    let fetched = script.commands.iter().filter(at_place).any(|command| {
        let connected = command.redirects.iter().any(|redirect| redirect.target.text.starts_with("/dev/tcp/"));
        connected || upstream_commands(command, script).any(|(_, source)| is_download(source))
    });
    if fetched { OpaqueReason::DownloadedCode } else { opaque.reason }
}

fn contains(command: &Command, opaque: &Opaque) -> bool {
    command.span.start <= opaque.span.start && command.span.end >= opaque.span.end
}

/// Returns whether a command fetches what an address names.
pub(super) fn is_download(command: &Command) -> bool {
    let program = command.program();
    DOWNLOAD_PROGRAMS.contains(&program) && (program != "gh" || !command_urls(command).is_empty())
}
