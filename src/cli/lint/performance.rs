//! Programs that one event waits for, and the time that the host leaves for all of them.

use std::time::Duration;

use super::Linter;
use crate::adapters::registration::{DEFAULT_DEADLINE_SECS, MAX_DEADLINE_SECS};
use crate::domain::event::kind::EventSpec;
use crate::domain::policy::rule::Rule;
use crate::domain::policy::run::blocking_run;
use crate::domain::verdict::plan::longest_wait;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::locate::PathSegment;

pub(super) fn check(look: &mut Linter<'_>, file: usize) {
    let own: Vec<&Rule> = look.rules(file).into_iter().map(|active| &active.rule).collect();
    let moments = own.iter().filter(|rule| blocking_run(rule).is_some()).flat_map(|rule| rule.when.iter());
    let mut moments: Vec<&EventSpec> = moments.collect();
    moments.dedup_by_key(|moment| moment.kind);
    let left = Duration::from_secs((MAX_DEADLINE_SECS - DEFAULT_DEADLINE_SECS).into());
    for moment in moments {
        let watching = |rule: &&Rule| rule.when.contains(moment.kind);
        let wanted = longest_wait(look.policy.rules.iter().map(|active| &active.rule), moment.kind);
        let slowest = own.iter().copied().filter(watching).max_by_key(|rule| blocking_run(rule).map(|run| run.timeout));
        let Some(slowest) = slowest.filter(|_| wanted > left) else { continue };
        let message = format!(
            "programs at `{}` may take {} s, but the hook waits for {} s in total",
            moment.name,
            wanted.as_secs(),
            left.as_secs()
        );
        let help = "use shorter timeouts, run them at the same time (`parallel: true`), or don't wait for them (`async: true`)";
        look.add(
            file,
            &slowest.id,
            &[PathSegment::Key("then"), PathSegment::Key("run")],
            DiagnosticCode::SlowRuns,
            message,
            help,
        );
    }
}
