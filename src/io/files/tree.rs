//! The files that a search of a directory reads.

use std::path::Path;

use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use ignore::types::TypesBuilder;

use crate::domain::facts::proof::TreeFilter;

/// Returns the files at and below a path that a search with a filter reads; `None` if there are more than a number, or
/// if a part cannot be listed.
pub(super) fn walk(path: &str, filter: &TreeFilter, most: usize) -> Option<Vec<String>> {
    if !Path::new(path).is_dir() {
        return Some(vec![path.to_owned()]);
    }
    let mut walker = WalkBuilder::new(path);
    walker.standard_filters(false).follow_links(false).hidden(filter.skips_hidden);
    if filter.skips_ignored {
        walker.git_ignore(true).git_global(true).git_exclude(true).ignore(true).parents(true);
        walker.add_custom_ignore_filename(".rgignore");
    }
    if !filter.globs.is_empty() {
        let mut globs = OverrideBuilder::new(&filter.globs_from);
        for glob in &filter.globs {
            globs.add(glob).ok()?;
        }
        walker.overrides(globs.build().ok()?);
    }
    if !filter.types.is_empty() {
        let mut types = TypesBuilder::new();
        types.add_defaults();
        for name in &filter.types {
            types.select(name);
        }
        walker.types(types.build().ok()?);
    }
    let skipped = filter.skipped_directories.clone();
    walker.filter_entry(move |entry| {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !is_directory || !skipped.iter().any(|skipped| *skipped == name)
    });
    let mut found = Vec::new();
    for (number, entry) in walker.build().enumerate() {
        if number > most {
            return None;
        }
        let entry = entry.ok()?;
        // What a link leads to is not read.
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            found.push(entry.path().to_str()?.replace('\\', "/"));
        }
    }
    Some(found)
}
