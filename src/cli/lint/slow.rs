//! Programs that one moment waits for, and the time that the host leaves for all of them.

use std::time::Duration;

use super::Look;
use crate::adapters::registration::{DEADLINE, LATEST};
use crate::domain::kind::Moment;
use crate::domain::rule::Rule;
use crate::domain::run::{awaited, longest_wait};
use crate::io::policy::code::Code;
use crate::io::policy::locate::Step;

pub(super) fn look(look: &mut Look<'_>, file: usize) {
    let own: Vec<&Rule> = look.rules(file).into_iter().map(|active| &active.rule).collect();
    let moments = own.iter().filter(|rule| awaited(rule).is_some()).flat_map(|rule| rule.when.iter());
    let mut moments: Vec<&Moment> = moments.collect();
    moments.dedup_by_key(|moment| moment.kind);
    let left = Duration::from_secs((LATEST - DEADLINE).into());
    for moment in moments {
        let watching = |rule: &&Rule| rule.when.contains(moment.kind);
        let wanted = longest_wait(look.policy.rules.iter().map(|active| &active.rule), moment.kind);
        let slowest = own.iter().copied().filter(watching).max_by_key(|rule| awaited(rule).map(|run| run.timeout));
        let Some(slowest) = slowest.filter(|_| wanted > left) else { continue };
        let message = format!(
            "programs at `{}` may take {} s, and are waited for {} s in all",
            moment.name,
            wanted.as_secs(),
            left.as_secs()
        );
        let help = "give them shorter time-outs, let them run at the same time (`parallel: true`), or wait for none (`async: true`)";
        look.add(file, &slowest.id, &[Step::Key("then"), Step::Key("run")], Code::SlowRuns, message, help);
    }
}
