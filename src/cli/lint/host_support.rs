//! How hosts support a rule: where its events do not occur, or its effects are dropped.

use super::Linter;
use crate::adapters::{HOSTS, Host, NeutralEvent, compose_payload};
use crate::domain::effect::EffectKind;
use crate::domain::event::kind::Kind;
use crate::domain::policy::rule::Rule;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::locate::PathSegment;

pub(super) fn check(look: &mut Linter<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        let hosts: Vec<&Host> = HOSTS.iter().copied().filter(|host| applies_to(rule, host)).collect();
        let comes = |host: &Host| rule.when.iter().any(|moment| host.event_rows(moment.kind).next().is_some());
        if !hosts.iter().any(|host| comes(host)) {
            let message = format!("no host of `{}` has its moments", rule.id);
            let help = "docs/hosts.md lists the moments of each host";
            look.add(file, &rule.id, &[PathSegment::Key("when")], DiagnosticCode::DeadRule, message, help);
            continue;
        }
        if rule.then.cache().is_some() {
            let unable: Vec<&str> =
                hosts.iter().filter(|host| !supports_response_cache(host)).map(|host| host.title).collect();
            if !unable.is_empty() {
                let message = format!("answers can't be cached on {}", unable.join(", on "));
                let help = "the host doesn't pass requests to the model, or whole answers, to hooks; limit the rule with `host`";
                let path = [PathSegment::Key("then"), PathSegment::Key("respond")];
                look.add(file, &rule.id, &path, DiagnosticCode::HostGap, message, help);
            }
        }
        let ours = [EffectKind::Audit, EffectKind::Run, EffectKind::Backup];
        for effect in rule.then.effects().iter().filter(|effect| !ours.contains(effect)) {
            let lost: Vec<String> = hosts.iter().filter_map(|host| unsupported_events(rule, host, effect)).collect();
            if lost.is_empty() {
                continue;
            }
            let message = format!("`{effect}` has no effect on {}", lost.join(", on "));
            let help = "see docs/hosts.md for what each host supports, or limit the rule with `host`";
            let path = [PathSegment::Key("then"), PathSegment::Key(effect.name())];
            look.add(file, &rule.id, &path, DiagnosticCode::HostGap, message, help);
        }
    }
}

/// Returns whether a host shows requests to the model, and whole answers.
fn supports_response_cache(host: &Host) -> bool {
    let asked = compose_payload(host, &NeutralEvent::new(Kind::ModelBefore, ""));
    asked.is_some_and(|payload| (host.streaming.canonical_request)(&payload).is_some())
}

fn applies_to(rule: &Rule, host: &Host) -> bool {
    rule.conditions.host.as_ref().is_none_or(|hosts| hosts.0.iter().any(|name| name == host.name))
}

/// Says on which events of a rule a host cannot carry out an effect.
fn unsupported_events(rule: &Rule, host: &Host, effect: EffectKind) -> Option<String> {
    let rows = rule.when.iter().flat_map(|moment| host.event_rows(moment.kind));
    let wires: Vec<&str> = rows.filter(|row| row.support(effect).is_none()).map(|row| row.wire).collect();
    (!wires.is_empty()).then(|| format!("{} ({})", host.title, wires.join(", ")))
}
