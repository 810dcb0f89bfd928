//! Other spellings of paths: of programs, of files that a command is given, and of a tool's file.

use super::line::Line;
use crate::domain::path::Place;

/// A way to spell a path; `None` where it does not apply.
pub(super) type Spell = fn(&str, &Place) -> Option<String>;

/// The ways that mean the same to a shell and to a program, by name.
pub(super) const PLAIN: &[(&str, Spell)] = &[
    ("path-dot", dot),
    ("path-doubled", doubled),
    ("path-up-and-down", up_and_down),
    ("path-through-tmp", through_tmp),
    ("path-absolute", absolute),
    ("path-from-here", from_here),
];

/// `x` → `./x`, `/a/b` → `/a/./b`
pub(super) fn dot(path: &str, _: &Place) -> Option<String> {
    match path.rsplit_once('/') {
        Some((_, "")) => None,
        Some((directory, name)) => Some(format!("{directory}/./{name}")),
        None if path.starts_with('~') || path == "." || path == ".." => None,
        None => Some(format!("./{path}")),
    }
}

/// `/a/b` → `/a//b`
pub(super) fn doubled(path: &str, _: &Place) -> Option<String> {
    let (directory, name) = path.rsplit_once('/')?;
    Some(format!("{directory}//{name}"))
}

/// `/a/b` → `/a/../a/b`, `x` → `../project/x`, `~/x` → `~/../user/x`
pub(super) fn up_and_down(path: &str, place: &Place) -> Option<String> {
    if let Some(rest) = path.strip_prefix('~') {
        let name = place.home.as_deref()?.rsplit('/').next()?;
        return Some(format!("~/../{name}{rest}"));
    }
    if let Some(rest) = path.strip_prefix('/') {
        let (first, rest) = rest.split_once('/')?;
        return (!first.is_empty() && !first.contains(['*', '?'])).then(|| format!("/{first}/../{first}/{rest}"));
    }
    let name = place.cwd.rsplit('/').next()?;
    Some(format!("../{name}/{path}"))
}

/// `/a` → `/tmp/../a`
pub(super) fn through_tmp(path: &str, _: &Place) -> Option<String> {
    path.starts_with('/').then(|| format!("/tmp/..{path}"))
}

/// `x` → `/home/user/project/x`, `~/x` → `/home/user/x`
pub(super) fn absolute(path: &str, place: &Place) -> Option<String> {
    if let Some(rest) = path.strip_prefix('~') {
        return Some(format!("{}{rest}", place.home.as_deref()?));
    }
    (!path.starts_with('/')).then(|| format!("{}/{}", place.cwd, path.strip_prefix("./").unwrap_or(path)))
}

/// `/etc/passwd` → `../../../etc/passwd`
pub(super) fn from_here(path: &str, place: &Place) -> Option<String> {
    let depth = place.cwd.split('/').filter(|part| !part.is_empty()).count();
    let rest = path.strip_prefix('/').filter(|rest| !rest.is_empty())?;
    Some(format!("{}{rest}", "../".repeat(depth)))
}

/// `~/x` → `$HOME/x`
pub(super) fn home(path: &str, _: &Place) -> Option<String> {
    path.strip_prefix('~').map(|rest| format!("$HOME{rest}"))
}

/// `~/x` → `${HOME}/x`
pub(super) fn home_in_braces(path: &str, _: &Place) -> Option<String> {
    path.strip_prefix('~').map(|rest| format!("${{HOME}}{rest}"))
}

/// `~/x` → `"$HOME"/x`
pub(super) fn home_in_quotes(path: &str, _: &Place) -> Option<String> {
    path.strip_prefix('~').map(|rest| format!("\"$HOME\"{rest}"))
}

/// `~/x` → `~user/x`
pub(super) fn home_by_name(path: &str, place: &Place) -> Option<String> {
    let name = place.home.as_deref()?.rsplit('/').next()?;
    path.strip_prefix('~').map(|rest| format!("~{name}{rest}"))
}

/// `/home/user/x` → `~/x`
pub(super) fn tilde(path: &str, place: &Place) -> Option<String> {
    let rest = path.strip_prefix(place.home.as_deref()?)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("~{rest}"))
}

/// `x` → `$PWD/x`
pub(super) fn working_directory(path: &str, _: &Place) -> Option<String> {
    is_relative(path).then(|| format!("$PWD/{path}"))
}

/// `x` → `"$(pwd)"/x`
pub(super) fn printed_directory(path: &str, _: &Place) -> Option<String> {
    is_relative(path).then(|| format!("\"$(pwd)\"/{path}"))
}

/// `/etc/passwd` → `/etc/passw[d]`
pub(super) fn class(path: &str, _: &Place) -> Option<String> {
    let last = path.chars().next_back().filter(char::is_ascii_alphanumeric)?;
    Some(format!("{}[{last}]", path.strip_suffix(last)?))
}

fn is_relative(path: &str) -> bool {
    !path.starts_with(['/', '~', '$', '-'])
}

/// Spells the files of each command anew, one by one.
pub(super) fn files(line: &Line<'_>, spell: Spell) -> Vec<String> {
    let mut texts = Vec::new();
    for file in line.sites.iter().flat_map(|site| &site.files) {
        // A word of dashes is an option, whatever is made of it.
        if let Some(new) = spell(&file.raw, line.place).filter(|_| !file.is_option()) {
            texts.push(line.with(vec![(file.span.clone(), new)]));
        }
    }
    texts
}

/// `cat /etc/passwd` → `cd /etc && cat passwd`
pub(super) fn from_its_directory(line: &Line<'_>) -> Vec<String> {
    let [site] = line.sites.as_slice() else { return Vec::new() };
    let [file] = site.files.as_slice() else { return Vec::new() };
    let others = site.arguments().iter().filter(|word| **word != *file && word.raw.contains('/')).count();
    let Some((directory, name)) = file.raw.rsplit_once('/').filter(|_| line.is_single && others == 0) else {
        return Vec::new();
    };
    if name.is_empty() || name.starts_with(['-', '~', '.']) && name.len() < 3 || site.is_builtin() {
        return Vec::new();
    }
    let directory = if directory.is_empty() { "/" } else { directory };
    let inside = |name: String| line.with(vec![(file.span.clone(), name)]);
    vec![
        format!("cd {directory} && {}", inside(name.to_owned())),
        format!("cd {directory}; {}", inside(format!("./{name}"))),
        format!("(cd {directory} && {})", inside(name.to_owned())),
        format!("pushd {directory} && {}", inside(name.to_owned())),
    ]
}

/// Spells the programs by the path that they are found at.
pub(super) fn program(line: &Line<'_>, directory: &str) -> Vec<String> {
    let mut edits = Vec::new();
    for site in line.sites.iter().filter(|site| !site.is_builtin() && !line.has_names) {
        if let Some(word) = site.words.first().filter(|word| word.is_plain() && !word.raw.contains('/')) {
            edits.push((word.span.start..word.span.start, directory.to_owned()));
        }
    }
    if edits.is_empty() { Vec::new() } else { vec![line.with(edits)] }
}
