//! Resolves paths over links that the same script creates before it uses them.

use super::{Facts, ParsedScript};
use crate::domain::event::tool::Access;
use crate::domain::shell::FileUse;
use crate::domain::shell::{self, Cwd};

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

impl Facts<'_> {
    /// Returns the links that a script creates before it uses them: command, new name and target.
    pub(super) fn links(&self, analysed: &ParsedScript<'_>) -> Vec<(usize, String, String)> {
        let made = shell::links(&analysed.script);
        let resolved = made.into_iter().flat_map(|link| {
            let cwd = analysed.script.commands.get(link.command).map(|command| &command.cwd);
            let directories = cwd.and_then(Cwd::candidates).unwrap_or_else(|| vec![""]);
            let one = |directory: &str| {
                let base = if directory.is_empty() {
                    analysed.start_directory.map(ToOwned::to_owned)
                } else {
                    Some(self.path_context.resolve(directory, analysed.start_directory))
                };
                let path = self.path_context.resolve(&link.path, base.as_deref());
                let parent =
                    path.rsplit_once('/').map(|(parent, _)| parent.to_owned()).filter(|_| link.is_relative_to_link);
                let target = self.path_context.resolve(&link.target, parent.or(base).as_deref());
                (link.command, path, target)
            };
            directories.into_iter().map(one).collect::<Vec<_>>()
        });
        resolved.filter(|(_, path, target)| path != target).collect()
    }
}
