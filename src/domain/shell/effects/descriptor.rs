//! Files that are reached by the number of a descriptor which the same script opened: `/dev/fd/7`, `/proc/self/fd/7`.

use std::borrow::Cow;

use crate::domain::shell::script::{Command, RedirectKind, Script, Word};

/// Returns a command with the files in place of the descriptors by which it names them.
pub(super) fn with_files_of_descriptors<'s>(
    script: &'s Script,
    index: usize,
    command: &'s Command,
) -> Cow<'s, Command> {
    let targets = command.redirects.iter().map(|redirect| &redirect.target);
    if !command.words.iter().chain(targets).any(|word| descriptor(word).is_some()) {
        return Cow::Borrowed(command);
    }
    let mut resolved = command.clone();
    let targets = resolved.redirects.iter_mut().map(|redirect| &mut redirect.target);
    for word in resolved.words.iter_mut().chain(targets) {
        if let Some(file) = descriptor(word).and_then(|number| opened_file(script, index, number)) {
            word.clone_from(file);
        }
    }
    Cow::Owned(resolved)
}

/// Returns the number of the descriptor that a path names.
fn descriptor(word: &Word) -> Option<u32> {
    let rest = word.text.strip_prefix("/dev/fd/").or_else(|| {
        let (process, rest) = word.text.strip_prefix("/proc/")?.split_once('/')?;
        let is_own = matches!(process, "self" | "thread-self" | "$$" | "$BASHPID" | "$PPID")
            || process.bytes().all(|byte| byte.is_ascii_digit());
        rest.strip_prefix("fd/").filter(|_| is_own)
    })?;
    rest.parse().ok()
}

/// Returns the file for which a descriptor was last opened before a command, or by it.
fn opened_file(script: &Script, index: usize, number: u32) -> Option<&Word> {
    let before = script.commands.get(..=index)?.iter().rev();
    let mut redirects = before.flat_map(|command| command.redirects.iter().rev());
    let opens = |kind: RedirectKind| {
        !matches!(kind, RedirectKind::Duplicate | RedirectKind::HereDoc | RedirectKind::HereString)
    };
    let standard = |kind: RedirectKind| u32::from(kind != RedirectKind::Read);
    let found = redirects.find(|redirect| {
        opens(redirect.kind)
            && redirect.fd.unwrap_or_else(|| standard(redirect.kind)) == number
            && descriptor(&redirect.target).is_none()
    });
    found.map(|redirect| &redirect.target)
}
