//! The backups that a rule asks for: which changes of the call it is about.

use crate::domain::condition::binding::Binding;
use crate::domain::event::tool::Access;
use crate::domain::facts::loss::Change;
use crate::domain::facts::target::Target;
use crate::domain::facts::{CommandIndex, Facts, FileFact};
use crate::domain::policy::rule::Rule;
use crate::domain::shell::Discarded;
use crate::domain::verdict::backup::{BackupChange, BackupPlan};
use crate::domain::verdict::outcome::Outcome;

/// Programs that delete files by their name alone, and write to none.
const UNLINKING_PROGRAMS: &[&str] = &["rm", "rmdir", "unlink", "find", "rimraf", "del-cli"];

/// Plans the backups of a rule, one for each of its bindings.
pub(super) fn plan(rule: &Rule, facts: &Facts<'_>, foci: &[Binding], outcome: &mut Outcome) {
    let Some(bounds) = &rule.then.backup else { return };
    for focus in foci {
        let changes = changes(facts, focus);
        if changes.as_ref().is_ok_and(Vec::is_empty) {
            continue;
        }
        let plan = BackupPlan { rule: rule.id.clone(), severity: rule.severity, changes, bounds: bounds.clone() };
        if !outcome.planned_backups.contains(&plan) {
            outcome.planned_backups.push(plan);
        }
    }
}

/// Returns the changes that a binding is about: the loss that it picked out, else the file, else all that its command
/// or the event does.
fn changes(facts: &Facts<'_>, focus: &Binding) -> Result<Vec<BackupChange>, String> {
    if let Some(program) = super::assumption(facts, focus).map(|(program, _)| program) {
        return Err(format!("what `{program}` does is not known"));
    }
    if let Some(loss) = &focus.loss {
        return of_loss(facts, loss.fact, focus.file);
    }
    if let Some(file) = focus.file.and_then(|file| facts.files().get(file)) {
        return Ok(of_file(facts, file)?.into_iter().collect());
    }
    let mut all = Vec::new();
    for (number, fact) in facts.losses().iter().enumerate() {
        if focus.command.is_none() || fact.command == focus.command {
            all.extend(of_loss(facts, number, None)?);
        }
    }
    Ok(all)
}

fn of_loss(facts: &Facts<'_>, number: usize, file: Option<usize>) -> Result<Vec<BackupChange>, String> {
    let Some(fact) = facts.losses().get(number) else { return Ok(Vec::new()) };
    if let Some(why) = facts.loss(number, file).and_then(|loss| loss.unknown) {
        return Err(why);
    }
    let is_unlinking = unlinks(facts, fact.command);
    let change = |change: Change| BackupChange {
        unlinks: match &change {
            Change::Git { what, .. } => matches!(what, Discarded::Clean { .. }),
            Change::Delete(_) => is_unlinking,
            Change::Overwrite(_) => false,
        },
        saved: fact.saved(),
        change,
    };
    Ok(fact.changes(file).into_iter().map(change).collect())
}

fn unlinks(facts: &Facts<'_>, at: Option<CommandIndex>) -> bool {
    let command = at.and_then(|at| facts.command(at));
    command.is_some_and(|command| UNLINKING_PROGRAMS.contains(&command.program()))
}

/// Returns the change of a file that a rule picked out; `None` if it is not changed now.
fn of_file(facts: &Facts<'_>, file: &FileFact<'_>) -> Result<Option<BackupChange>, String> {
    let is_later = file.command.is_some_and(|at| facts.is_deferred(at));
    let deletes = file.access.contains(Access::Delete);
    let writes = file.access.contains(Access::Write) && !file.access.contains(Access::Mode);
    if is_later || !(deletes || writes) {
        return Ok(None);
    }
    if file.command.and_then(|at| facts.command(at)).is_some_and(|command| command.is_remote) {
        return Err("it is on another machine".to_owned());
    }
    let paths = match facts.target(file) {
        Target::Exact | Target::OneOf => vec![file.path.clone()],
        Target::Glob => {
            let found = facts.expansion(file).ok_or("the pattern names too many files")?;
            found.iter().map(|found| found.path.clone()).collect()
        }
        Target::Inside | Target::Unknown => return Err("it is not known which files change".to_owned()),
    };
    let change = if deletes { Change::Delete(paths) } else { Change::Overwrite(paths) };
    Ok(Some(BackupChange { change, unlinks: deletes && unlinks(facts, file.command), saved: &[] }))
}
