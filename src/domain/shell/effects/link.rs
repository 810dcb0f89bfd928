//! Links and mounts that a script creates: other names under which later commands reach the same files.

use crate::domain::shell::script::{Command, Script, Word};

/// Another name for a file or a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The new name, as written.
    pub path: String,
    /// What it leads to, as written.
    pub target: String,
    /// Whether a relative target starts at the directory of the new name.
    pub is_relative_to_link: bool,
    /// The index of the command in the script.
    pub command: usize,
}

/// The most links of a script that are followed.
const MAX_LINKS: usize = 32;

/// Returns the links that the commands of a script make, in order.
///
/// A link into what may be a directory is listed under both names that it may get.
pub fn links(script: &Script) -> Vec<Link> {
    let mut links = Vec::new();
    for (index, command) in script.commands.iter().enumerate() {
        for (target, path, beside) in command_links(command) {
            let name = target.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            let inside = format!("{}/{name}", path.text.trim_end_matches('/'));
            for path in [path.text.clone(), inside] {
                links.push(Link { path, target: target.text.clone(), is_relative_to_link: beside, command: index });
            }
        }
        if links.len() >= MAX_LINKS {
            break;
        }
    }
    links
}

/// Returns the links of one command: target, new name, and whether the target is beside it.
fn command_links(command: &Command) -> Vec<(&Word, &Word, bool)> {
    let arguments = command.arguments();
    let has = |names: &[&str]| arguments.has(names);
    let (links, beside) = match command.written_program() {
        "ln" | "gln" | "link" => (true, has(&["-s", "--symbolic"]) && !has(&["-r", "--relative"])),
        "cp" | "gcp" => (has(&["-s", "--symbolic-link", "-l", "--link"]), has(&["-s", "--symbolic-link"])),
        "mount" => (has(&["--bind", "--rbind"]) || is_bind_mount(&arguments.values(&["-o", "--options"])), false),
        "bindfs" | "mklink" => (true, false),
        _ => (false, false),
    };
    match arguments.operands.as_slice() {
        [target, .., path] if links => vec![(*target, *path, beside)],
        _ => Vec::new(),
    }
}

fn is_bind_mount(options: &[&Word]) -> bool {
    options.iter().any(|word| word.text.split(',').any(|option| matches!(option, "bind" | "rbind")))
}
