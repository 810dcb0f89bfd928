//! Resolves paths over links that the same script creates before it uses them.

use crate::domain::event::tool::Access;
use crate::domain::shell::FileUse;

/// The greatest number of links in a row that are followed.
const MAX_HOPS: usize = 4;

/// Returns the paths that a path leads to over the links that the script created before.
pub(super) fn follow_links(path: &str, used: &FileUse, links: &[(usize, String, String)]) -> Vec<String> {
    let mut led: Vec<String> = Vec::new();
    let mut at = path.to_owned();
    for _ in 0..MAX_HOPS {
        let below = |link: &str| at.strip_prefix(link).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let found = links.iter().filter(|(made, ..)| *made < used.command);
        let next = found.rev().find_map(|(_, link, target)| Some(format!("{target}{}", below(link)?)));
        // Deleting a link does not delete its target.
        let is_link = links.iter().any(|(_, link, _)| *link == at);
        let Some(next) = next.filter(|next| !led.contains(next)) else { break };
        if used.access == Access::Delete && is_link && !used.path.ends_with('/') {
            break;
        }
        led.push(next.clone());
        at = next;
    }
    led
}
