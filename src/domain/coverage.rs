//! Whether what a rule picked out is all that a call does.
//!
//! To refuse, one bad command of a line is enough; to approve, every one of them has to be good. An
//! `allow` of a rule that picks things out therefore counts only when nothing is left over.

use super::condition::Conditions;
use super::facts::{CommandAt, Facts};
use super::focus::Focus;
use super::shell::{Command, RedirectKind};

/// Tells whether the foci of a rule cover everything that the event does.
pub fn covers(conditions: &Conditions, facts: &Facts<'_>, foci: &[Focus]) -> bool {
    if !picks(conditions) {
        return true;
    }
    if facts.commands().next().is_some() {
        return covers_commands(facts, &foci_on_commands(conditions, facts, foci));
    }
    let files = (0..facts.files().len()).all(|file| foci.iter().any(|focus| focus.file == Some(file)));
    let urls = (0..facts.urls().len()).all(|url| foci.iter().any(|focus| focus.url == Some(url)));
    (!conditions.ask(&|it| it.files.is_some()) || files) && (!conditions.ask(&|it| it.urls.is_some()) || urls)
}

/// Tells whether conditions pick things out, rather than hold for the event as a whole.
fn picks(conditions: &Conditions) -> bool {
    conditions.ask(&|it| {
        it.command.is_some()
            || it.files.is_some()
            || it.urls.is_some()
            || it.does.is_some()
            || it.opaque.is_some()
            || it.r#where.is_some()
    })
}

/// Returns the foci of which a pattern of commands says what the command is: one that is picked out by
/// a file that it touches may do anything besides.
fn foci_on_commands(conditions: &Conditions, facts: &Facts<'_>, foci: &[Focus]) -> Vec<Focus> {
    if conditions.command.is_some() {
        return foci.to_vec();
    }
    let mut named: Vec<Focus> = Vec::new();
    for branch in conditions.any.iter().flatten() {
        let speaker = foci.first().map(|focus| focus.speaker).unwrap_or_default();
        let found = branch.narrow(facts, &Focus { speaker, ..Focus::default() }).unwrap_or_default();
        named.extend(foci_on_commands(branch, facts, &found));
    }
    named.retain(|focus| foci.contains(focus));
    named
}

fn covers_commands(facts: &Facts<'_>, foci: &[Focus]) -> bool {
    facts.scripts().iter().enumerate().all(|(script, analysed)| {
        let picked = |command| foci.iter().any(|focus| focus.command == Some(CommandAt { script, command }));
        let commands = analysed.script.commands.iter().enumerate();
        // Who approves of running a script approves of what it does; to refuse that is for other rules.
        analysed.script.opaque.iter().all(|opaque| opaque.reason.is_script())
            && commands
                .filter(|(_, command)| command.file.is_none())
                .all(|(index, command)| picked(index) && is_plain(command))
    })
}

/// Tells whether a command is no more than it is called: the program of that name, in the open, with
/// nothing set for it and nothing written besides.
fn is_plain(command: &Command) -> bool {
    let named = command.words.first().is_some_and(|word| word.literal && !word.text.contains(['/', '\\']));
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let quiet = command.redirects.iter().all(|redirect| !writes(redirect.kind) || redirect.target.text == "/dev/null");
    let known = command.words.iter().all(|word| word.literal);
    named && quiet && known && command.assignments.is_empty() && command.via.is_empty()
}
