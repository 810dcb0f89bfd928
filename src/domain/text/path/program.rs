//! Globs that represent the running program, wherever it is installed.

use super::{Glob, PathContext};

/// The glob of the running program.
const PROGRAM: &str = "$RULEWARD_PROGRAM";

/// The glob of the directories above it.
const PARENTS: &str = "$RULEWARD_PROGRAM/..";

/// What a glob says of the running program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramPart {
    /// The program itself, by each of its paths.
    File,
    /// The directories above it, but none that holds the home directory or the project as well.
    Parents,
}

impl Glob {
    /// Returns whether the glob names the running program, or the directories above it, instead of a path.
    pub fn names_program(&self) -> bool {
        self.program_part().is_some()
    }

    /// Returns what the glob says of the running program, if it is about that.
    pub(super) fn program_part(&self) -> Option<ProgramPart> {
        match self.0.as_str() {
            PROGRAM => Some(ProgramPart::File),
            PARENTS => Some(ProgramPart::Parents),
            _ => None,
        }
    }
}

impl ProgramPart {
    /// Returns whether a path is that of the program, or of a directory above it.
    pub(super) fn is_match(self, absolute: &str, place: &PathContext) -> bool {
        match self {
            Self::File => place.programs.iter().any(|path| place.relative_to(path, absolute) == Some("")),
            Self::Parents => is_above_program(absolute, place),
        }
    }

    /// Returns the globs of the paths that are meant.
    pub(super) fn globs(self, place: &PathContext) -> Vec<Glob> {
        let mut paths: Vec<&str> = Vec::new();
        for path in &place.programs {
            match self {
                Self::File => paths.push(path),
                Self::Parents => {
                    let ends = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
                    paths.extend(ends.filter_map(|at| path.get(..at)).filter(|path| is_own_directory(path, place)));
                }
            }
        }
        paths.into_iter().map(|path| Glob(escape(path))).collect()
    }
}

/// Returns whether the program is somewhere below a directory that holds neither the home directory nor the project.
pub(super) fn is_above_program(directory: &str, place: &PathContext) -> bool {
    let below = |path: &String| place.relative_to(path, directory).is_some_and(|rest| !rest.is_empty());
    is_own_directory(directory, place) && place.programs.iter().any(below)
}

/// Returns whether a directory holds neither the home directory nor the project.
fn is_own_directory(directory: &str, place: &PathContext) -> bool {
    let holds =
        |path: &Option<String>| path.as_deref().is_some_and(|path| place.relative_to(path, directory).is_some());
    !matches!(directory, "" | "/") && !holds(&place.home) && !holds(&place.project)
}

/// Returns a path as a glob that matches nothing else.
fn escape(path: &str) -> String {
    let mut glob = String::with_capacity(path.len());
    for letter in path.chars() {
        if "*?[]{}\\!".contains(letter) {
            glob.push('\\');
        }
        glob.push(letter);
    }
    glob
}

#[cfg(test)]
mod tests {
    use super::super::{DescendantDepth, Glob, PathContext};

    fn place() -> PathContext {
        PathContext {
            home: Some("/home/u".into()),
            cwd: "/home/u/p".into(),
            project: Some("/home/u/p".into()),
            programs: vec!["/home/u/.local/bin/guard".into(), "/opt/[x]/guard".into()],
            ..PathContext::default()
        }
    }

    #[test]
    fn the_program_is_found_by_each_of_its_paths() {
        let glob = Glob::parse("$RULEWARD_PROGRAM").unwrap();
        for (path, is_program) in [
            ("/home/u/.local/bin/guard", true),
            ("/opt/[x]/guard", true),
            ("/home/u/.local/bin", false),
            ("/home/u/.local/bin/guard2", false),
            ("/usr/bin/guard", false),
        ] {
            assert_eq!(glob.is_match(path, &place()), is_program, "{path}");
        }
        assert!(glob.may_overlap("/home/u/.local/b??/gua*", &place()));
        assert!(!glob.may_overlap("/home/u/.local/b??/vi*", &place()));
        for (directory, reach, is_above) in [
            ("/home/u/.local", DescendantDepth::Any, true),
            ("/home/u/.local/bin", DescendantDepth::Any, true),
            ("/home/u/.local/bin", DescendantDepth::Direct, false),
            ("/home/u/.local/share", DescendantDepth::Any, false),
        ] {
            assert_eq!(glob.names_descendant_of(directory, reach, &place()), is_above, "{directory}");
        }
    }

    #[test]
    fn directories_above_the_program_end_before_home_and_project() {
        let glob = Glob::parse("$RULEWARD_PROGRAM/..").unwrap();
        for (path, is_above) in [
            ("/home/u/.local/bin", true),
            ("/home/u/.local", true),
            ("/opt", true),
            ("/home/u", false),
            ("/home", false),
            ("/", false),
            ("/home/u/.local/bin/guard", false),
            ("/home/u/.local/share", false),
        ] {
            assert_eq!(glob.is_match(path, &place()), is_above, "{path}");
        }
        assert!(glob.may_overlap("/home/u/.local/b*n", &place()));
    }

    #[test]
    fn nothing_is_meant_where_the_program_is_not_known() {
        let nowhere = PathContext { programs: Vec::new(), ..place() };
        for glob in ["$RULEWARD_PROGRAM", "$RULEWARD_PROGRAM/.."] {
            let glob = Glob::parse(glob).unwrap();
            assert!(!glob.is_match("/home/u/.local/bin/guard", &nowhere));
            assert!(!glob.names_descendant_of("/home/u", DescendantDepth::Any, &nowhere));
        }
    }
}
