//! Other spellings of paths: of programs, of files that a command takes, and of a tool's file.

use super::line::ParsedLine;
use crate::domain::text::path::PathContext;

/// A way to spell a path; `None` where it does not apply.
pub(super) type PathTransform = fn(&str, &PathContext) -> Option<String>;

/// The ways that mean the same to a shell and to a program, by name.
pub(super) const PATH_OPERATORS: &[(&str, PathTransform)] = &[
    ("path-dot", dot_segment),
    ("path-doubled", double_slash),
    ("path-up-and-down", parent_round_trip),
    ("path-through-tmp", via_tmp),
    ("path-absolute", absolute),
    ("path-from-here", relative),
];

/// `x` → `./x`, `/a/b` → `/a/./b`
pub(super) fn dot_segment(path: &str, _: &PathContext) -> Option<String> {
    match path.rsplit_once('/') {
        Some((_, "")) => None,
        Some((directory, name)) => Some(format!("{directory}/./{name}")),
        None if path.starts_with('~') || path == "." || path == ".." => None,
        None => Some(format!("./{path}")),
    }
}

/// `/a/b` → `/a//b`
pub(super) fn double_slash(path: &str, _: &PathContext) -> Option<String> {
    let (directory, name) = path.rsplit_once('/')?;
    Some(format!("{directory}//{name}"))
}

/// `/a/b` → `/a/../a/b`, `x` → `../project/x`, `~/x` → `~/../user/x`
pub(super) fn parent_round_trip(path: &str, place: &PathContext) -> Option<String> {
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
pub(super) fn via_tmp(path: &str, _: &PathContext) -> Option<String> {
    path.starts_with('/').then(|| format!("/tmp/..{path}"))
}

/// `x` → `/home/user/project/x`, `~/x` → `/home/user/x`
pub(super) fn absolute(path: &str, place: &PathContext) -> Option<String> {
    if let Some(rest) = path.strip_prefix('~') {
        return Some(format!("{}{rest}", place.home.as_deref()?));
    }
    (!path.starts_with('/')).then(|| format!("{}/{}", place.cwd, path.strip_prefix("./").unwrap_or(path)))
}

/// `/etc/passwd` → `../../../etc/passwd`
pub(super) fn relative(path: &str, place: &PathContext) -> Option<String> {
    let depth = place.cwd.split('/').filter(|part| !part.is_empty()).count();
    let rest = path.strip_prefix('/').filter(|rest| !rest.is_empty())?;
    Some(format!("{}{rest}", "../".repeat(depth)))
}

/// `~/x` → `$HOME/x`
pub(super) fn home_variable(path: &str, _: &PathContext) -> Option<String> {
    path.strip_prefix('~').map(|rest| format!("$HOME{rest}"))
}

/// `~/x` → `${HOME}/x`
pub(super) fn home_variable_braced(path: &str, _: &PathContext) -> Option<String> {
    path.strip_prefix('~').map(|rest| format!("${{HOME}}{rest}"))
}

/// `~/x` → `"$HOME"/x`
pub(super) fn home_variable_quoted(path: &str, _: &PathContext) -> Option<String> {
    path.strip_prefix('~').map(|rest| format!("\"$HOME\"{rest}"))
}

/// `~/x` → `~user/x`
pub(super) fn home_of_user(path: &str, place: &PathContext) -> Option<String> {
    let name = place.home.as_deref()?.rsplit('/').next()?;
    path.strip_prefix('~').map(|rest| format!("~{name}{rest}"))
}

/// `/home/user/x` → `~/x`
pub(super) fn home_tilde(path: &str, place: &PathContext) -> Option<String> {
    let rest = path.strip_prefix(place.home.as_deref()?)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("~{rest}"))
}

/// `x` → `$PWD/x`
pub(super) fn pwd_variable(path: &str, _: &PathContext) -> Option<String> {
    is_relative(path).then(|| format!("$PWD/{path}"))
}

/// `x` → `"$(pwd)"/x`
pub(super) fn pwd_substitution(path: &str, _: &PathContext) -> Option<String> {
    is_relative(path).then(|| format!("\"$(pwd)\"/{path}"))
}

/// `/etc/passwd` → `/etc/passw[d]`
pub(super) fn bracket_pattern(path: &str, _: &PathContext) -> Option<String> {
    let last = path.chars().next_back().filter(char::is_ascii_alphanumeric)?;
    Some(format!("{}[{last}]", path.strip_suffix(last)?))
}

fn is_relative(path: &str) -> bool {
    !path.starts_with(['/', '~', '$', '-'])
}

/// Mutates the files of each command, one by one.
pub(super) fn mutate_files(line: &ParsedLine<'_>, spell: PathTransform) -> Vec<String> {
    let mut texts = Vec::new();
    for file in line.sites.iter().flat_map(|site| &site.files) {
        // A word of dashes is an option, however it is mutated.
        if let Some(new) = spell(&file.raw, line.place).filter(|_| !file.is_option()) {
            texts.push(line.apply_edits(vec![(file.span.clone(), new)]));
        }
    }
    texts
}

/// `cat /etc/passwd` → `cd /etc && cat passwd`
pub(super) fn change_directory_first(line: &ParsedLine<'_>) -> Vec<String> {
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
    let inside = |name: String| line.apply_edits(vec![(file.span.clone(), name)]);
    vec![
        format!("cd {directory} && {}", inside(name.to_owned())),
        format!("cd {directory}; {}", inside(format!("./{name}"))),
        format!("(cd {directory} && {})", inside(name.to_owned())),
        format!("pushd {directory} && {}", inside(name.to_owned())),
    ]
}

/// Mutates the programs by the path that they are found at.
pub(super) fn prefix_directory(line: &ParsedLine<'_>, directory: &str) -> Vec<String> {
    let mut edits = Vec::new();
    for site in line.sites.iter().filter(|site| !site.is_builtin() && !line.has_definitions) {
        if let Some(word) = site.words.first().filter(|word| word.is_plain() && !word.raw.contains('/')) {
            edits.push((word.span.start..word.span.start, directory.to_owned()));
        }
    }
    if edits.is_empty() { Vec::new() } else { vec![line.apply_edits(edits)] }
}
