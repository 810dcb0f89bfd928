//! `files:` — which files are touched and how, by a file tool or by a command.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binding::Binding;
use super::evaluate::{is_stricter, is_subset};
use super::interface::{CALL_KINDS, Condition, ConditionMatch, ConditionSpec, Reference, Selection};
use super::requirements::{Requirement, Requirements};
use super::variable;
use crate::domain::event::tool::{Access, Accesses};
use crate::domain::facts::target::Target;
use crate::domain::facts::{ExpandedPath, Facts, FileFact};
use crate::domain::shell::Command;
use crate::domain::text::path::{DescendantDepth, Glob, PathContext, has_wildcard, matches_pattern};
use crate::domain::text::template::{RenderError, Template};

/// Files and the kind of access.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(extend("x-shorthand" = "paths")))]
pub struct Files {
    /// The kind of access (default: any).
    #[serde(default)]
    pub access: Vec<FileAccess>,
    /// Globs, one of which matches the file (default: any file).
    #[serde(default)]
    pub paths: Vec<Glob>,
    /// The file and its target are in one of these areas.
    #[serde(default)]
    pub within: Vec<Area>,
    /// The file or its target is in none of these areas.
    #[serde(default)]
    pub outside: Vec<Area>,
    /// Globs to exclude.
    #[serde(default)]
    pub except: Vec<Glob>,
    /// How precisely the file is known (default: any).
    #[serde(default)]
    pub target: Vec<Target>,
    /// Paths that don't exist and aren't written by the same call. They can contain variables such
    /// as `{{ file.stem }}`; relative paths start at the project: `tests/test_{{ file.stem }}.py`.
    #[serde(default)]
    pub missing: Vec<Template>,
}

/// The kind of access to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FileAccess {
    /// Its content is read, or copied elsewhere.
    Read,
    /// It is created, or its content or mode is changed.
    Write,
    /// It is deleted or moved away.
    Delete,
    /// It is moved away; this is also a `delete`, and a `write` of the destination.
    Move,
    /// Its mode, owner or attributes are changed; this is also a `write`.
    Mode,
    /// A link to it is created; this is also a `read`, and a `write` of the link.
    Link,
    /// It is executed as a program, or as a script by an interpreter.
    Execute,
    /// It is read, and its content is shown, stored or sent: not only names, counts or checks, and
    /// not only by sourcing it. A missing file reveals nothing.
    Reveal,
    /// It is written, and its content is lost: not by appending, touching, changing its mode, or
    /// creating it.
    Overwrite,
}

/// A part of the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// The project, or the working directory if there is none.
    Project,
    /// The user's home directory.
    Home,
    /// The directories for temporary files.
    Temp,
}

/// The directories for temporary files. A path context does not tell which one a program would choose.
const TEMP_DIRECTORIES: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"];

/// The greatest number of files for which the result of a condition is stored.
const MAX_MEMOIZED: usize = 8;

impl Area {
    fn contains(self, path: &str, place: &PathContext) -> bool {
        let inside = |directory: &str| place.relative_to(path, directory).is_some();
        match self {
            Self::Project => inside(place.project.as_deref().unwrap_or(&place.cwd)),
            Self::Home => place.home.as_deref().is_some_and(inside),
            Self::Temp if place.windows => {
                let lower = path.to_ascii_lowercase();
                lower.contains("/appdata/local/temp/") || lower.contains(":/windows/temp/")
            }
            Self::Temp => TEMP_DIRECTORIES.iter().any(|directory| inside(directory)),
        }
    }
}

impl FileAccess {
    const fn to_access(self) -> Access {
        match self {
            Self::Read | Self::Reveal => Access::Read,
            Self::Write | Self::Overwrite => Access::Write,
            Self::Delete => Access::Delete,
            Self::Move => Access::Move,
            Self::Mode => Access::Mode,
            Self::Link => Access::Link,
            Self::Execute => Access::Execute,
        }
    }
}

impl Files {
    /// Returns the accesses that the condition is about.
    pub fn accesses(&self) -> Accesses {
        let named: Vec<Access> = self.access.iter().map(|access| access.to_access()).collect();
        if named.is_empty() { Accesses::ANY } else { Accesses::of(&named) }
    }

    /// Returns whether none of the companion files of a file exists.
    fn has_no_companions(&self, facts: &Facts<'_>, focus: &Binding) -> Result<bool, RenderError> {
        let base = facts.path_context.project.as_deref().or(Some(&facts.path_context.cwd));
        for template in &self.missing {
            let named = template.render(&mut |word| variable::lookup(facts, focus, word))?;
            let path = facts.path_context.resolve(&named, base);
            let written = |file: &FileFact<'_>| file.path == path && file.access.contains(Access::Write);
            if facts.file_exists(&path) || facts.files().iter().any(written) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the globs match a file that is written, by its absolute and normalised path.
    pub fn is_written_match(&self, path: &str, place: &PathContext) -> bool {
        let covers = |globs: &[Glob]| globs.iter().any(|glob| glob.is_match(path, place));
        self.accesses().contains(Access::Write) && covers(&self.paths) && !covers(&self.except)
    }

    /// Returns whether a directory is written, copied or deleted together with the files in it that the globs name.
    fn affects_descendants(&self, file: &FileFact<'_>, path: &str, place: &PathContext) -> bool {
        let both = |access| file.access.contains(access) && self.accesses().contains(access);
        let (directory, reach) = match path.strip_suffix("/**") {
            Some(directory) if file.is_glob && both(Access::Delete) => (directory, DescendantDepth::Any),
            Some(directory) if file.is_glob && both(Access::Write) => (directory, DescendantDepth::Direct),
            Some(directory) if file.is_glob => (directory, DescendantDepth::Rooted),
            _ if !has_wildcard(path) && file.command.is_some() && both(Access::Delete) => (path, DescendantDepth::Any),
            _ => return false,
        };
        !self.is_excepted(directory, place)
            && self.paths.iter().any(|glob| glob.names_descendant_of(directory, reach, place))
    }

    fn is_excepted(&self, path: &str, place: &PathContext) -> bool {
        self.except.iter().any(|glob| glob.is_match(path, place))
    }

    /// Returns whether the globs name a path, with what is in it when that is affected as well.
    fn names(&self, file: &FileFact<'_>, path: &str, place: &PathContext) -> bool {
        let is_one = self.paths.iter().any(|glob| glob.is_match(path, place)) && !self.is_excepted(path, place);
        is_one || self.affects_descendants(file, path, place)
    }

    /// Returns whether the condition is about a file.
    pub(super) fn is_match(&self, file: &FileFact<'_>, facts: &Facts<'_>) -> bool {
        self.matched_path(file, facts).is_some()
    }

    /// Returns whether a file that the globs name is accessed as the condition says, so far as that depends on more
    /// than the call: on what becomes of the content, and on what is there.
    fn has_access(&self, file: &FileFact<'_>, facts: &Facts<'_>) -> bool {
        let holds = |access: &FileAccess| {
            let access_holds = file.access.contains(access.to_access());
            match access {
                FileAccess::Reveal => access_holds && facts.reveals(file) && !self.is_copied_by_name(file, facts),
                FileAccess::Overwrite => access_holds && facts.overwrites(file),
                _ => access_holds,
            }
        };
        let is_one = self.access.is_empty() || self.access.iter().any(holds);
        // This is about files deep in the project, or in a directory for temporary files that is neither the project nor
        // the home directory: what else is missing may be on its way.
        let place = facts.path_context;
        let is_in = |area: Area| area.contains(&file.path, place);
        let project = place.project.as_deref().unwrap_or(&place.cwd);
        let depth = file.path.matches('/').count();
        let is_nested = if is_in(Area::Project) {
            depth > project.trim_end_matches('/').matches('/').count() + 1
        } else {
            is_in(Area::Temp) && !is_in(Area::Home) && depth > 2
        };
        let may_be_missing = is_nested && file.access == Accesses::of(&[Access::Delete]);
        is_one && !(may_be_missing && facts.deletes_nothing(file))
    }

    /// Returns whether it depends on the command, besides its access to the file, whether the condition is about it.
    fn depends_on_command(&self, file: &FileFact<'_>) -> bool {
        self.access.iter().any(|access| matches!(access, FileAccess::Reveal | FileAccess::Overwrite))
            || file.access == Accesses::of(&[Access::Delete])
    }

    /// Returns whether a file is copied to another of the project that the globs name as well, so that whoever reads
    /// the copy is asked again.
    fn is_copied_by_name(&self, file: &FileFact<'_>, facts: &Facts<'_>) -> bool {
        let place = facts.path_context;
        let copies = |at| facts.command(at).is_some_and(|command| matches!(command.program(), "cp" | "install"));
        let stays = |other: &&FileFact<'_>| {
            Area::Project.contains(&other.path, place)
                && self.paths.iter().any(|glob| glob.is_match(&other.path, place))
                && !self.is_excepted(&other.path, place)
        };
        let Some(at) = file.command.filter(|at| copies(*at)) else { return false };
        let mut written =
            facts.files().iter().filter(|other| other.command == Some(at) && other.access.contains(Access::Write));
        let first = written.next();
        first.is_some_and(|first| stays(&first)) && written.all(|other| stays(&other))
    }

    /// Returns the path that the condition is about; of a pattern, the path on disk, if it is known.
    fn matched_path<'f>(&self, file: &'f FileFact<'_>, facts: &Facts<'_>) -> Option<&'f str> {
        self.named_path(file, facts).filter(|_| self.has_access(file, facts))
    }

    /// Returns the path that the condition names, so far as the call alone tells.
    fn named_path<'f>(&self, file: &'f FileFact<'_>, facts: &Facts<'_>) -> Option<&'f str> {
        let place = facts.path_context;
        if !file.access.intersects(self.accesses()) || !self.is_in_areas(file, place) {
            return None;
        }
        if !self.target.is_empty() && !self.target.contains(&facts.target(file)) {
            return None;
        }
        let mut paths = std::iter::once(&file.path).chain(&file.real_path);
        let holds = if self.paths.is_empty() {
            paths.any(|path| !self.is_excepted(path, place))
        } else if file.is_glob {
            return self.expanded_match(file, facts);
        } else {
            paths.any(|path| self.names(file, path, place))
        };
        holds.then_some(&file.path)
    }

    /// Returns what the globs name of what a pattern matches. What is on disk decides; where that is not
    /// known, how much the patterns have in common.
    fn expanded_match<'f>(&self, file: &'f FileFact<'_>, facts: &Facts<'_>) -> Option<&'f str> {
        let place = facts.path_context;
        // A glob with `\*` names the pattern itself: `rm -rf ~/*`.
        let names_pattern = |glob: &&Glob| glob.has_escapes() && glob.is_match(&file.path, place);
        let is_excepted = self.is_excepted(&file.path, place);
        // Brackets in the argument of a tool may belong to the name: `app/[id]/page.tsx`.
        let is_name = file.command.is_none() && !file.path.contains(['*', '?']);
        if (!is_excepted && self.paths.iter().any(|glob| names_pattern(&glob)))
            || self.affects_descendants(file, &file.path, place)
            || (is_name && self.names(file, &file.path, place))
        {
            return Some(&file.path);
        }
        if is_filled(file, facts) {
            return self.names(file, &file.path, place).then_some(&file.path);
        }
        if !self.paths.iter().any(|glob| glob.can_overlap(&file.path, place)) {
            return None;
        }
        let Some(expanded) = facts.expansion(file) else {
            let meets = |glob: &Glob| glob.is_match(&file.path, place) || glob.may_overlap(&file.path, place);
            let holds = (file.path.contains("/**") && self.has_match_below(file, facts))
                || (!is_excepted && self.paths.iter().any(meets));
            return holds.then_some(&file.path);
        };
        let is_named = |found: &&ExpandedPath| {
            std::iter::once(&found.path).chain(&found.real_path).any(|path| self.names(file, path, place))
        };
        expanded.iter().find(is_named).map(|found| found.path.as_str())
    }

    /// Returns whether something that the globs name is on disk where a search of a large directory may find it.
    fn has_match_below(&self, file: &FileFact<'_>, facts: &Facts<'_>) -> bool {
        let place = facts.path_context;
        let Some((directory, _)) = file.path.split_once("/**") else { return false };
        let found = self.paths.iter().filter_map(|glob| glob.below(directory, place)).flat_map(|pattern| {
            // Of a name at any depth, only what is directly below is looked for.
            facts.list(&pattern.replacen("/**/", "/", 1)).unwrap_or_default()
        });
        found.into_iter().any(|path| matches_pattern(&file.path, &path) && !self.is_excepted(&path, place))
    }

    /// Returns whether a file is in the areas of the condition. A file that is a link has two positions, and is
    /// inside an area only if both are.
    fn is_in_areas(&self, file: &FileFact<'_>, place: &PathContext) -> bool {
        // The part of a pattern before the first wildcard tells where the files are.
        let plain = match file.path.find(['*', '?', '[', '{']) {
            Some(at) if file.is_glob => {
                file.path.get(..at).and_then(|path| path.rsplit_once('/')).map_or("/", |(path, _)| path)
            }
            _ => file.path.as_str(),
        };
        let all_in = |areas: &[Area]| {
            let one_of = |path: &str| areas.iter().any(|area| area.contains(path, place));
            one_of(plain) && file.real_path.as_deref().is_none_or(one_of)
        };
        (self.within.is_empty() || all_in(&self.within)) && (self.outside.is_empty() || !all_in(&self.outside))
    }
}

/// Returns whether files of unknown names are put into a directory: `tar xzf new.tgz`, a volume of a container. What
/// is already there tells nothing of them. Only where most of what matters is directly below is that not enough.
fn is_filled(file: &FileFact<'_>, facts: &Facts<'_>) -> bool {
    let place = facts.path_context;
    let Some(directory) = file.path.strip_suffix("/**") else { return false };
    // What a search finds is an argument: `find . -exec sed -i s/a/b/ {} +`.
    let is_argument = |command: &Command| command.words.iter().any(|word| word.text == file.written_path);
    if file.command.and_then(|at| facts.command(at)).is_none_or(is_argument) {
        return false;
    }
    let is_home = place.home.as_deref().is_some_and(|home| place.resolve(home, None) == directory);
    let is_root = !directory.trim_end_matches('/').contains('/');
    file.access == Accesses::of(&[Access::Write]) && !is_home && !is_root
}

impl Condition for Files {
    fn spec() -> ConditionSpec {
        ConditionSpec { kinds: Some(CALL_KINDS), selection: Selection::Action }
    }

    fn matches(&self, facts: &Facts<'_>, binding: &Binding) -> Result<ConditionMatch, RenderError> {
        let candidates = facts.files().iter().enumerate();
        // The commands of a line often access the same file in the same way.
        let mut judged: Vec<(&FileFact<'_>, Option<&str>)> = Vec::new();
        let mut matched = |file| {
            let is_known = self.target.is_empty() && !self.depends_on_command(file);
            if let Some((_, found)) = judged.iter().find(|(other, _)| is_known && other.is_equivalent(file)) {
                return *found;
            }
            let found = self.matched_path(file, facts);
            if judged.len() < MAX_MEMOIZED {
                judged.push((file, found));
            }
            found
        };
        let found = candidates
            .filter(|(index, _)| binding.file.is_none_or(|bound| bound == *index))
            .filter(|(_, file)| match (binding.command, file.command) {
                (None, _) => true,
                // The file that a call writes has nothing to do with what a tool runs of it later.
                (Some(at), None) => !facts.is_deferred(at),
                (Some(at), Some(by)) => at == by,
            })
            .filter_map(|(index, file)| Some((index, file, matched(file)?)))
            .map(|(index, file, path)| Binding {
                file: Some(index),
                matched_path: (path != file.path).then(|| path.to_owned()),
                command: binding.command.or(file.command),
                ..binding.clone()
            });
        let mut left = Vec::new();
        for found in found {
            if self.has_no_companions(facts, &found)? {
                left.push(found);
            }
        }
        Ok(left.into())
    }

    fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.within.is_empty() && self.outside.is_empty() && self.target.is_empty()
    }

    fn empty_help(&self) -> &'static str {
        "add files, such as `paths: [\"**/*.pem\"]` or `outside: project`"
    }

    fn implies(&self, wide: &Self) -> bool {
        let Self { access, paths, within, outside, except, target, missing } = self;
        let is_rest_equal = *within == wide.within && *outside == wide.outside && *missing == wide.missing;
        is_rest_equal
            && is_stricter(paths, &wide.paths)
            && is_stricter(access, &wide.access)
            && is_stricter(target, &wide.target)
            && is_subset(&wide.except, except)
    }

    fn require(&self, requirements: &mut Requirements) {
        requirements.add(Requirement::Files);
        requirements.accesses = self.accesses();
    }

    fn for_each_reference(&self, each: &mut dyn FnMut(Reference<'_>)) {
        self.missing.iter().flat_map(Template::names).for_each(|name| each(Reference::Variable(name)));
    }
}
