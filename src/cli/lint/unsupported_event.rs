//! Hooks that speak as those of a host which has no such event: there, they would not run.

use super::Linter;
use crate::adapters::dialect;
use crate::adapters::judge::dialect_host;
use crate::domain::event::kind::EventSpec;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::locate::PathSegment;

pub(super) fn check(look: &mut Linter<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        let speaks = rule.then.run.as_ref().map(|run| &run.speaks);
        let Some(host) = speaks.and_then(dialect_host) else { continue };
        let (told, silent): (Vec<&EventSpec>, Vec<&EventSpec>) =
            rule.when.iter().partition(|moment| dialect::has_event(host, moment.kind));
        // Who watches everything means all that there is.
        if silent.is_empty() || (!told.is_empty() && rule.when.is_any()) {
            continue;
        }
        let names: Vec<String> = silent.iter().map(|moment| format!("`{}`", moment.name)).collect();
        let message = format!("`{}` never runs at {}: {} has no such event", rule.id, names.join(", "), host.title);
        let help = "use other moments, or `speaks: native`, which has all of them";
        let path = [PathSegment::Key("when")];
        look.add(file, &rule.id, &path, DiagnosticCode::DeadRule, message, help);
    }
}
