//! What is looked at of ruleward itself: its policy, and the places that it writes to.

use std::path::Path;

use super::CheckResults;
use crate::cli::context::PolicyContext;
use crate::cli::trust_notice;
use crate::io::integrity::{SealStatus, seal_status};
use crate::io::platform::Platform;
use crate::io::platform::file::is_writable_by_others;
use crate::io::trust::TrustStatus;
use crate::io::{audit, files};

pub(super) fn check(surroundings: &Platform, here: &PolicyContext, items: &mut CheckResults) {
    check_policy(here, items);
    check_audit_log(surroundings, items);
    check_seal(surroundings, items);
}

fn check_seal(surroundings: &Platform, items: &mut CheckResults) {
    match seal_status(surroundings) {
        SealStatus::Missing => items.pass(None, "seal", "nothing is sealed yet; the next hook call seals files"),
        SealStatus::Off => {
            items.warn(
                None,
                "seal",
                "tamper detection is off (`tamper: off`)",
                "remove `tamper: off` from your policy",
            );
        }
        SealStatus::Sealed(count) => items.pass(None, "seal", format!("{count} paths are sealed against tampering")),
        SealStatus::Pending(paths) => items.fail(
            None,
            "tampered",
            format!("calls have changed {}, so every call is denied", paths.join(", ")),
            "review the change with `ruleward accept`",
        ),
    }
}

fn check_policy(here: &PolicyContext, items: &mut CheckResults) {
    let loaded = &here.loaded;
    for mistake in &loaded.diagnostics {
        if mistake.is_error() {
            let what = format!("the policy has an error, so every call is denied: {mistake}");
            items.fail(None, "policy-error", what, "see `ruleward lint`");
        } else {
            items.warn(None, "policy-warning", mistake.to_string(), "see `ruleward lint`");
        }
    }
    for notice in &loaded.policy.notices {
        items.warn(None, "policy-notice", notice.clone(), "move it to a layer that can set it, or remove it");
    }
    if let Some(notice) = trust_notice::notice(loaded) {
        items.warn(None, "untrusted-project", notice, "review it with `ruleward trust`");
    } else if loaded.trust_status == TrustStatus::Trusted {
        items.pass(None, "trusted-project", "this project's policy is trusted");
    }
    let own: Vec<String> = loaded.files.iter().map(|file| format!("{} ({})", file.name, file.layer.name())).collect();
    let rules = loaded.policy.rules.len() + loaded.policy.bundled_rules.len();
    if rules == 0 {
        items.fail(
            None,
            "no-rules",
            "no rules are in force, so nothing is denied",
            "enable the bundled policy, or write rules",
        );
    } else {
        let from = if own.is_empty() { "the bundled policy only".to_owned() } else { own.join(", ") };
        items.pass(None, "policy", format!("{rules} rules are in force; {from}"));
    }
    for file in &loaded.files {
        if file.source.is_some() && is_writable_by_others(Path::new(&file.name)) {
            let what = format!("other users can write {}, and so change what is allowed", file.name);
            items.warn(None, "policy-writable", what, format!("chmod go-w {}", file.name));
        }
    }
}

fn check_audit_log(surroundings: &Platform, items: &mut CheckResults) {
    let Some(path) = audit::log_path(surroundings) else {
        items.warn(None, "audit", "no directory for the audit log", "set HOME");
        return;
    };
    match files::check_appendable(&path) {
        Ok(()) => items.pass(None, "audit", format!("the audit log {} is writable", path.display())),
        Err(why) => {
            let what = format!("the audit log is not writable: {why}");
            items.warn(None, "audit", what, "make yourself the owner of its directory");
        }
    }
}
