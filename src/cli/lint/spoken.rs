//! Hooks that speak as those of a host which has no such event: there, they would not run.

use super::Look;
use crate::adapters::dialect;
use crate::cli::runs::dialect_of;
use crate::domain::kind::Moment;
use crate::io::policy::code::Code;
use crate::io::policy::locate::Step;

pub(super) fn look(look: &mut Look<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        let speaks = rule.then.run.as_ref().map(|run| run.speaks);
        let Some(host) = speaks.and_then(dialect_of) else { continue };
        let (told, silent): (Vec<&Moment>, Vec<&Moment>) =
            rule.when.iter().partition(|moment| dialect::has(host, moment.kind));
        // Who watches everything means all that there is.
        if silent.is_empty() || (!told.is_empty() && rule.when.is_any()) {
            continue;
        }
        let names: Vec<String> = silent.iter().map(|moment| format!("`{}`", moment.name)).collect();
        let message = format!("`{}` never runs at {}: {} has no such event", rule.id, names.join(", "), host.title);
        let help = "let it watch other moments, or speak `native`, which has all of them";
        let path = [Step::Key("when")];
        look.add(file, &rule.id, &path, Code::DeadRule, message, help);
    }
}
