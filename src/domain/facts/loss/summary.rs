//! What would be lost, in words.

use std::fmt::Write as _;

use super::{Loss, LossKind};
use crate::domain::text::path::PathContext;
use crate::domain::time::Time;

/// How many things are named before the rest is counted.
const MAX_SHOWN: usize = 2;

/// Returns what of some kinds would be lost: `changes in src/a.rs and 2 more files (last edited 4 minutes ago)`.
pub fn summary(loss: &Loss, kinds: &[LossKind], place: &PathContext, now: Time) -> String {
    let mut parts = Vec::new();
    let mut named = |group: &[LossKind], what: &str, more: &str| {
        let group: Vec<LossKind> = group.iter().filter(|kind| kinds.contains(kind)).copied().collect();
        if loss.total_of(&group).count > 0 {
            parts.push(files(loss, &group, (what, more), place));
        }
    };
    named(&[LossKind::Modified, LossKind::Staged], "changes in", "file");
    named(&[LossKind::Untracked], "untracked", "file");
    named(&[LossKind::Ignored, LossKind::Rebuildable], "ignored", "entry");
    named(&[LossKind::Committed], "committed", "file");
    let mut counted = |kind: LossKind, one: &str, several: &str| {
        let count = loss.total(kind).count;
        if count > 0 && kinds.contains(&kind) {
            parts.push(if count == 1 { format!("1 {one}") } else { format!("{count} {several}") });
        }
    };
    counted(LossKind::Unpushed, "commit that exists nowhere else", "commits that exist nowhere else");
    counted(LossKind::Stashed, "stash entry", "stash entries");
    let mut text = parts.join(" and ");
    let newest = loss.total_of(kinds).newest.filter(|newest| now > Time::default() && *newest <= now);
    if let Some(newest) = newest {
        let _written = write!(text, " (last edited {})", age(now.seconds_since(newest)));
    }
    if let Some(reason) = loss.unknown.as_ref().filter(|_| kinds.contains(&LossKind::Unknown)) {
        let joint = if text.is_empty() { "something unknown" } else { " and possibly more" };
        let _written = write!(text, "{joint} ({reason})");
    }
    text
}

/// Returns the first files of some kinds and the number of the others.
fn files(loss: &Loss, kinds: &[LossKind], (what, more): (&str, &str), place: &PathContext) -> String {
    let mut names: Vec<String> = Vec::new();
    for item in loss.items.iter().filter(|item| kinds.contains(&item.kind)) {
        let name = place.display(&item.name).into_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let total = loss.total_of(kinds);
    let count = usize::try_from(total.count).unwrap_or(usize::MAX).max(names.len());
    // A file may be modified and staged.
    let count = if count <= super::MAX_NAMED { names.len() } else { count };
    let shown = if count > MAX_SHOWN + 1 { 1 } else { count };
    let list = names.iter().take(shown).map(String::as_str).collect::<Vec<_>>().join(", ");
    let mut text = format!("{what} {list}");
    let rest = count.saturating_sub(shown.min(names.len()));
    if rest > 0 {
        let plural = if more == "entry" { "entries".to_owned() } else { format!("{more}s") };
        let _written = write!(text, " and {rest} more {}", if rest == 1 { more } else { &plural });
    }
    if kinds.contains(&LossKind::Untracked) {
        let _written = write!(text, " ({})", size(total.bytes));
    }
    text
}

/// Returns a size: `12 KB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}

/// Returns how long ago something was: `4 minutes ago`.
fn age(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..60 => return "less than a minute ago".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    if count == 1 { format!("1 {unit} ago") } else { format!("{count} {unit}s ago") }
}

#[cfg(test)]
mod tests {
    use super::{age, size, summary};
    use crate::domain::facts::loss::{Loss, LossKind};
    use crate::domain::text::path::PathContext;
    use crate::domain::time::Time;

    #[test]
    fn losses_are_described_by_name_number_and_age() {
        let place = PathContext { cwd: "/p".into(), project: Some("/p".into()), ..PathContext::default() };
        let now = Time(10_000);
        let mut loss = Loss::default();
        let kinds = [LossKind::Modified, LossKind::Staged, LossKind::Untracked, LossKind::Unpushed];
        loss.add(LossKind::Modified, || "/p/src/a.rs".into(), 9, Some(Time(9_760)));
        let text = |loss: &Loss| summary(loss, &kinds, &place, now);
        assert_eq!(text(&loss), "changes in src/a.rs (last edited 4 minutes ago)");
        loss.add(LossKind::Staged, || "/p/src/a.rs".into(), 9, None);
        assert_eq!(text(&loss), "changes in src/a.rs (last edited 4 minutes ago)");
        for name in ["b", "c"] {
            loss.add(LossKind::Modified, || format!("/p/{name}"), 9, None);
        }
        assert_eq!(text(&loss), "changes in src/a.rs, b, c (last edited 4 minutes ago)");
        loss.add(LossKind::Modified, || "/p/d".into(), 9, None);
        assert_eq!(text(&loss), "changes in src/a.rs and 3 more files (last edited 4 minutes ago)");
        loss.forget(&[LossKind::Modified, LossKind::Staged]);
        loss.add(LossKind::Untracked, || "/p/n".into(), 1_234, None);
        loss.add(LossKind::Unpushed, || "x".into(), 0, None);
        loss.add(LossKind::Rebuildable, || "/p/target".into(), 0, None);
        assert_eq!(text(&loss), "untracked n (1 KB) and 1 commit that exists nowhere else");
        let unknown = summary(&Loss::unknown("no repository"), &[LossKind::Unknown], &place, now);
        assert_eq!(unknown, "something unknown (no repository)");
    }

    #[test]
    fn ages_and_sizes_have_units() {
        assert_eq!(age(59), "less than a minute ago");
        assert_eq!(
            (age(60), age(7_300), age(200_000)),
            ("1 minute ago".into(), "2 hours ago".into(), "2 days ago".into())
        );
        assert_eq!((size(999), size(5_400_000)), ("999 bytes".into(), "5 MB".into()));
    }
}
