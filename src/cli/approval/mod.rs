//! The approval of a user: everything that relaxes the guard asks for it here.
//!
//! An agent runs commands below its own process, with variables that say so, and through pipes; a program that
//! wants to get round that leaves its process tree and creates a terminal of its own. So there must be a terminal,
//! no agent and no such variable among the processes above, and a terminal that `presence` believes.

mod agents;
mod presence;
mod programs;

use crate::cli::{CommandError, context};
use crate::io::audit::{self, GrantKind, RecordId};
use crate::io::grants;
use crate::io::platform::Platform;
use crate::io::process::process_list::ProcessList;
use crate::io::process::stdio;

/// That a user at a terminal agreed. Only [`approve`] makes one.
#[derive(Debug)]
pub(super) struct Approval {
    /// The machine on which it was given.
    platform: Platform,
}

impl Approval {
    /// Records in the audit log what the user agreed to, and keeps it for the notice of the next session.
    pub(super) fn record(&self, kind: GrantKind, text: &str) {
        let id = RecordId::new();
        self.record_exception(kind, (id.as_str(), None, &[]), text);
    }

    /// Records an approval that has a name, and holds for a session or for some rules.
    pub(super) fn record_exception(
        &self,
        kind: GrantKind,
        (id, session, rules): (&str, Option<&str>, &[String]),
        text: &str,
    ) {
        let recorded =
            audit::record_grant(&self.platform, kind, (id, session, rules), text).map_err(|why| why.to_string());
        let announced = grants::announce(&self.platform, text).map_err(|why| why.to_string());
        for why in [recorded, announced].into_iter().filter_map(Result::err) {
            stdio::print_stderr(&format!("note: {why}"));
        }
    }
}

/// Checks that a user sits at the terminal and asks the question, if there is one; `None` where the user says no.
/// Only the whole word `yes` is an approval.
///
/// # Errors
/// Returns what speaks against a user being there, and what to do.
pub(super) fn approve(platform: &Platform, question: Option<&str>) -> Result<Option<Approval>, CommandError> {
    require_user(platform)?;
    let is_yes = |question: &str| {
        let answer = stdio::prompt(&format!("{question} Type `yes`: "));
        answer.is_some_and(|answer| answer.trim().eq_ignore_ascii_case("yes"))
    };
    Ok(question.is_none_or(is_yes).then(|| Approval { platform: platform.clone() }))
}

/// Returns whether a user sits at the terminal.
pub(super) fn is_user_present(platform: &Platform) -> bool {
    require_user(platform).is_ok()
}

fn require_user(platform: &Platform) -> Result<(), CommandError> {
    const OWN: &str = "run this yourself, in your own terminal";
    let refuse = |why: String| Err(CommandError::Usage(why));
    if let Some(mark) = agents::marks().find(|mark| platform.env_var(mark).is_some()) {
        return refuse(format!("{mark} is set, so an agent is running this; {OWN}"));
    }
    if !stdio::is_terminal() {
        return refuse(format!("there is no terminal to ask for confirmation; {OWN}"));
    }
    let list = ProcessList::current(platform).map_err(|error| CommandError::Usage(format!("{error}; {OWN}")))?;
    let terminals = context::load_context(platform, &[], "", &[]).loaded.policy.terminals;
    presence::check_presence(&list, &terminals).or_else(|absence| refuse(absence.to_string()))
}
