//! Whether the bindings of a rule cover everything that a call does.
//!
//! One bad command of a line is enough to refuse it; to approve it, every command has to be good. So an `allow` of a
//! rule that picks things out only counts if nothing is left over.

use crate::domain::condition::Conditions;
use crate::domain::condition::binding::Binding;
use crate::domain::facts::{CommandIndex, Facts};
use crate::domain::shell::{Command, RedirectKind};

/// Returns whether the bindings of a rule cover everything that the event does.
pub(super) fn covers_event(conditions: &Conditions, facts: &Facts<'_>, foci: &[Binding]) -> bool {
    if !conditions.selects_actions() {
        return true;
    }
    if facts.commands().next().is_some() {
        return covers_commands(facts, &command_bindings(conditions, facts, foci));
    }
    let files = (0..facts.files().len()).all(|file| foci.iter().any(|focus| focus.file == Some(file)));
    let urls = (0..facts.urls().len()).all(|url| foci.iter().any(|focus| focus.url == Some(url)));
    (!conditions.has_in_any_branch(&|it| it.files.is_some()) || files)
        && (!conditions.has_in_any_branch(&|it| it.urls.is_some()) || urls)
}

/// Returns the bindings whose command is named by a pattern of commands: a command that is picked out by a file that
/// it touches may do anything besides.
fn command_bindings(conditions: &Conditions, facts: &Facts<'_>, foci: &[Binding]) -> Vec<Binding> {
    if conditions.command.is_some() {
        return foci.to_vec();
    }
    let mut named: Vec<Binding> = Vec::new();
    for branch in conditions.any.iter().flatten() {
        let speaker = foci.first().map(|focus| focus.layer).unwrap_or_default();
        let found = branch.matches(facts, &Binding { layer: speaker, ..Binding::default() }).unwrap_or_default();
        named.extend(command_bindings(branch, facts, &found));
    }
    named.retain(|focus| foci.contains(focus));
    named
}

fn covers_commands(facts: &Facts<'_>, foci: &[Binding]) -> bool {
    facts.scripts().iter().enumerate().all(|(script, analysed)| {
        let picked = |command| foci.iter().any(|focus| focus.command == Some(CommandIndex { script, command }));
        let commands = analysed.script.commands.iter().enumerate();
        // An approval of running a script includes what the script does; other rules refuse that.
        analysed.script.opaque.iter().all(|opaque| opaque.reason.is_script())
            && commands
                .filter(|(_, command)| command.file.is_none())
                .all(|(index, command)| picked(index) && is_plain_command(command))
    })
}

/// Returns whether a command is exactly what its name says: the program of that name, not hidden, without variables
/// set for it and without files written besides.
fn is_plain_command(command: &Command) -> bool {
    let named = command.words.first().is_some_and(|word| word.literal && !word.text.contains(['/', '\\']));
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let quiet = command.redirects.iter().all(|redirect| !writes(redirect.kind) || redirect.target.text == "/dev/null");
    let known = command.words.iter().all(|word| word.literal);
    named && quiet && known && command.assignments.is_empty() && command.call_chain.is_empty()
}
