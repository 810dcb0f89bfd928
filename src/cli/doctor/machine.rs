//! What is looked at of ruleward itself: its policy, and the places that it writes to.

use std::path::Path;

use super::Items;
use crate::cli::hosts::Here;
use crate::cli::trust;
use crate::io::platform::Surroundings;
use crate::io::trust::Standing;
use crate::io::{audit, files};

pub(super) fn look(surroundings: &Surroundings, here: &Here, items: &mut Items) {
    policy(here, items);
    audit_log(surroundings, items);
}

fn policy(here: &Here, items: &mut Items) {
    let loaded = &here.loaded;
    for mistake in &loaded.diagnostics {
        if mistake.is_error() {
            let what = format!("the policy has an error, and every call is refused: {mistake}");
            items.bad(None, "policy-error", what, "`ruleward lint` shows it in its place");
        } else {
            items.doubtful(None, "policy-warning", mistake.to_string(), "`ruleward lint` shows it in its place");
        }
    }
    for notice in &loaded.policy.notices {
        items.doubtful(
            None,
            "policy-notice",
            notice.clone(),
            "let the layer that is entitled to it say so, or take it out",
        );
    }
    if let Some(notice) = trust::notice(loaded) {
        items.doubtful(None, "untrusted-project", notice, "`ruleward trust` shows it, and asks you");
    } else if loaded.standing == Standing::Trusted {
        items.good(None, "trusted-project", "you trust this project's policy as it stands");
    }
    let own: Vec<String> = loaded.files.iter().map(|file| format!("{} ({})", file.name, file.layer.name())).collect();
    let rules = loaded.policy.rules.len() + loaded.policy.bundled.len();
    if rules == 0 {
        items.bad(
            None,
            "no-rules",
            "no rule is in force: nothing is refused",
            "leave the bundled policy on, or write rules",
        );
    } else {
        let from = if own.is_empty() { "the bundled policy alone".to_owned() } else { own.join(", ") };
        items.good(None, "policy", format!("{rules} rules are in force; {from}"));
    }
    for file in &loaded.files {
        if file.source.is_some() && files::others_may_write(Path::new(&file.name)) {
            let what = format!("others may write {}: whoever can write it decides what is allowed", file.name);
            items.doubtful(None, "policy-writable", what, format!("chmod go-w {}", file.name));
        }
    }
}

fn audit_log(surroundings: &Surroundings, items: &mut Items) {
    let Some(path) = audit::path(surroundings) else {
        items.doubtful(None, "audit", "there is no directory for the audit log", "set HOME");
        return;
    };
    match files::can_append(&path) {
        Ok(()) => items.good(None, "audit", format!("the audit log {} can be written", path.display())),
        Err(why) => {
            let what = format!("the audit log cannot be written: {why}");
            items.doubtful(None, "audit", what, "make its directory yours");
        }
    }
}
