//! What the hosts make of a rule: where its moments do not come, or its effects are lost.

use super::Look;
use crate::adapters::{Asked, HOSTS, Host, compose};
use crate::domain::effect::EffectKind;
use crate::domain::kind::Kind;
use crate::domain::rule::Rule;
use crate::io::policy::code::Code;
use crate::io::policy::locate::Step;

pub(super) fn look(look: &mut Look<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        let hosts: Vec<&Host> = HOSTS.iter().copied().filter(|host| is_for(rule, host)).collect();
        let comes = |host: &Host| rule.when.iter().any(|moment| host.rows_of(moment.kind).next().is_some());
        if !hosts.iter().any(|host| comes(host)) {
            let message = format!("no host that `{}` is for has the moments that it watches", rule.id);
            let help = "docs/hosts.md lists the moments of each host";
            look.add(file, &rule.id, &[Step::Key("when")], Code::DeadRule, message, help);
            continue;
        }
        if rule.then.cache().is_some() {
            let unable: Vec<&str> = hosts.iter().filter(|host| !gives_answers(host)).map(|host| host.title).collect();
            if !unable.is_empty() {
                let message = format!("answers cannot be given again on {}", unable.join(", on "));
                let help =
                    "the host shows its hook no request to the model, or no whole answer; a rule can name its `host`";
                let path = [Step::Key("then"), Step::Key("respond")];
                look.add(file, &rule.id, &path, Code::HostGap, message, help);
            }
        }
        let ours = [EffectKind::Audit, EffectKind::Run];
        for effect in rule.then.effects().iter().filter(|effect| !ours.contains(effect)) {
            let lost: Vec<String> = hosts.iter().filter_map(|host| lost(rule, host, effect)).collect();
            if lost.is_empty() {
                continue;
            }
            let message = format!("`{effect}` is lost on {}", lost.join(", on "));
            let help = "docs/hosts.md says what each host carries out; a rule can name its `host`";
            let path = [Step::Key("then"), Step::Key(effect.name())];
            look.add(file, &rule.id, &path, Code::HostGap, message, help);
        }
    }
}

/// Tells whether a host shows requests to the model, and whole answers.
fn gives_answers(host: &Host) -> bool {
    let asked = compose(host, &Asked::at(Kind::ModelBefore, ""));
    asked.is_some_and(|payload| (host.pieces.request)(&payload).is_some())
}

fn is_for(rule: &Rule, host: &Host) -> bool {
    rule.conditions.host.as_ref().is_none_or(|hosts| hosts.0.iter().any(|name| name == host.name))
}

/// Says on which events of a rule a host cannot carry out an effect.
fn lost(rule: &Rule, host: &Host, effect: EffectKind) -> Option<String> {
    let rows = rule.when.iter().flat_map(|moment| host.rows_of(moment.kind));
    let wires: Vec<&str> = rows.filter(|row| row.support(effect).is_none()).map(|row| row.wire).collect();
    (!wires.is_empty()).then(|| format!("{} ({})", host.title, wires.join(", ")))
}
