//! Writes that leave what a file holds as it is.

use crate::domain::shell::script::{Command, RedirectKind};

/// Modes of a file that its owner can still read, and that give nobody else the right to write.
const ORDINARY_MODES: &[&str] = &[
    "400",
    "440",
    "444",
    "600",
    "640",
    "644",
    "0400",
    "0440",
    "0444",
    "0600",
    "0640",
    "0644",
    "go-rwx",
    "og-rwx",
    "go-rw",
    "og-rw",
    "go=",
    "og=",
    "go-r",
    "o-rwx",
    "o-r",
    "u+rw",
    "u+r",
    "u=rw",
    "u=rw,go=",
    "u=rw,go=r",
    "+r",
    "a+r",
];

/// Returns whether a command that writes to a file keeps what is in it: it adds to the end, changes the time or sets
/// an ordinary mode.
pub fn keeps_content(command: &Command, path: &str) -> bool {
    let mut redirects = command.redirects.iter().filter(|redirect| {
        redirect.target.text == path && !matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString)
    });
    let is_operand = command.args().iter().any(|word| word.text == path);
    let appends = |kind| matches!(kind, RedirectKind::Append | RedirectKind::Read);
    if !is_operand {
        return redirects.clone().next().is_some() && redirects.all(|redirect| appends(redirect.kind));
    }
    let arguments = command.arguments();
    let keeps = match command.program() {
        "touch" => true,
        "chmod" => arguments.operands.first().is_some_and(|mode| ORDINARY_MODES.contains(&mode.text.as_str())),
        "tee" => arguments.has(&["-a", "--append"]),
        "cp" => arguments.has(&["-n", "--no-clobber"]),
        _ => false,
    };
    keeps && redirects.all(|redirect| appends(redirect.kind))
}
