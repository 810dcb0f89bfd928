//! What the user is told of a project's policy that is not trusted.

use crate::io::policy::load::LoadedPolicy;
use crate::io::trust::TrustStatus;

/// Returns what is said of a project's policy that is not trusted and wants more than that.
pub(super) fn notice(loaded: &LoadedPolicy) -> Option<String> {
    let number = loaded.policy.required_trust.len();
    let before = match &loaded.trust_status {
        TrustStatus::NotApplicable | TrustStatus::Trusted => return None,
        TrustStatus::Untrusted if number == 0 => return None,
        TrustStatus::Untrusted => String::new(),
        TrustStatus::Changed => "this project's policy has changed since you trusted it; ".to_owned(),
        TrustStatus::Invalid(why) => format!("{why}; "),
    };
    let counted = if number == 1 { "1 request is".to_owned() } else { format!("{number} requests are") };
    let left_out = match number {
        0 => "its denials and questions still apply".to_owned(),
        _ => format!("{counted} ignored"),
    };
    let of = if before.is_empty() { "you do not trust this project's policy yet; " } else { "" };
    Some(format!("{before}{of}{left_out}: see `ruleward trust`"))
}

/// Returns what a project's policy wants and does not get, and how it would, each with its file.
pub(super) fn withheld_notices(loaded: &LoadedPolicy) -> Vec<String> {
    let Some(notice) = notice(loaded) else { return Vec::new() };
    let wants = loaded
        .policy
        .required_trust
        .iter()
        .map(|want| format!("{}: ignored because the project isn't trusted: {want}", want.source));
    wants.chain([notice]).collect()
}
