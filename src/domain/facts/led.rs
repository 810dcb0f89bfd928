//! Where paths lead over links that the same script makes before it uses them.

use crate::domain::shell::FileUse;
use crate::domain::tool::Access;

/// How many links in a row are followed.
const MAX_HOPS: usize = 4;

/// Returns where a path leads over the links that the script made before.
pub(super) fn lead(path: &str, used: &FileUse, links: &[(usize, String, String)]) -> Vec<String> {
    let mut led: Vec<String> = Vec::new();
    let mut at = path.to_owned();
    for _ in 0..MAX_HOPS {
        let below = |link: &str| at.strip_prefix(link).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let found = links.iter().filter(|(made, ..)| *made < used.command);
        let next = found.rev().find_map(|(_, link, target)| Some(format!("{target}{}", below(link)?)));
        // To delete a link is not to delete what it leads to.
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
