//! The paths of the running program.

use std::path::{Component, Path, PathBuf};

use super::Platform;
use super::file::is_writable_by_all;
use crate::domain::facts::proof::ProgramLocation;

/// The greatest number of links that are followed from the path by which the program was started.
const MAX_LINKS: usize = 8;

/// Returns the paths by which the running program can be reached: as it was started, each link on the way, and the file
/// itself, absolute and with `/` as separator.
pub(super) fn paths(here: &Platform) -> Vec<String> {
    let file = std::env::current_exe().ok();
    let mut found: Vec<PathBuf> = Vec::new();
    let mut next = started_as(here);
    while let Some(path) = next.take().filter(|path| found.len() < MAX_LINKS && !found.contains(path)) {
        if file.as_ref() != Some(&path)
            && let Ok(target) = std::fs::read_link(&path)
        {
            next = Some(normalized(&path.parent().unwrap_or(&path).join(target)));
        }
        found.push(path);
    }
    found.extend(file.filter(|file| !found.contains(file)).into_iter().collect::<Vec<_>>());
    let text = |path: PathBuf| path.into_os_string().into_string().ok();
    found.into_iter().filter_map(text).map(|path| written(&path)).collect()
}

/// Returns the path by which the program was started, looked up among the directories of programs if it was a name.
fn started_as(here: &Platform) -> Option<PathBuf> {
    let name = PathBuf::from(std::env::args_os().next()?);
    if name.components().count() > 1 {
        let path = if name.is_absolute() { name } else { std::env::current_dir().ok()?.join(name) };
        return Some(normalized(&path));
    }
    let directories = std::env::split_paths(here.env_var("PATH")?).filter(|directory| directory.is_absolute());
    directories.map(|directory| directory.join(&name)).find(|path| path.is_file()).map(|path| normalized(&path))
}

/// Returns where the program is that a name leads to in the search path.
pub fn program_location(name: &str) -> ProgramLocation {
    let Some(search_path) = std::env::var_os("PATH") else {
        return ProgramLocation::Unknown("there is no search path".to_owned());
    };
    for directory in std::env::split_paths(&search_path) {
        if !directory.is_absolute() {
            return ProgramLocation::Unknown("the search path has a relative directory".to_owned());
        }
        let path = directory.join(name);
        if !path.is_file() {
            continue;
        }
        if is_writable_by_all(&directory) {
            return ProgramLocation::Unknown("everybody may write where it is".to_owned());
        }
        let real = std::fs::canonicalize(&path).ok().and_then(|real| Some(written(real.to_str()?)));
        return match (path.to_str().map(written), real) {
            (Some(path), Some(real)) => ProgramLocation::At { path, real },
            _ => ProgramLocation::Unknown("its path is no text".to_owned()),
        };
    }
    ProgramLocation::Missing
}

/// Returns a path without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Returns a path as facts have it: separated by `/`, without the prefix of long names of Windows.
fn written(path: &str) -> String {
    let path = path.strip_prefix(r"\\?\").unwrap_or(path);
    if std::path::MAIN_SEPARATOR == '\\' { path.replace('\\', "/") } else { path.to_owned() }
}
