//! What must hold of a path: that it is exact, inside the project, and none of the protected files.

use super::generated::PROTECTED;
use super::{Proved, Prover, gap};
use crate::domain::text::path::Glob;

/// Globs of a bundled rule about files: those that it names, and those that it excepts.
pub(super) struct ProtectedFiles {
    /// The globs that name files.
    pub(super) paths: &'static [&'static str],
    /// The globs of exceptions.
    pub(super) except: &'static [&'static str],
    /// Whether the rule is about what they hold, and not only about changes to them.
    pub(super) is_shown: bool,
}

/// The same, read.
pub(super) struct ProtectedGlobs {
    paths: Vec<Glob>,
    except: Vec<Glob>,
    is_shown: bool,
}

/// The names of directories in which only the guard and git keep files.
const GUARDED_DIRECTORIES: &[&str] = &["/.git/", "/.ruleward/"];

impl Prover<'_, '_> {
    /// Returns the absolute path of an argument, which must be exact.
    pub(super) fn resolve(&self, written: &str, directory: &str) -> Proved<String> {
        let parts: Vec<&str> = written.split('/').collect();
        let ups = parts.iter().take_while(|part| matches!(**part, ".." | "." | "")).count();
        if parts.iter().skip(ups).any(|part| *part == "..") {
            return gap(format!("`{written}` goes through a directory and back"));
        }
        let is_address = written.starts_with("file:") || written.contains("://");
        if written.is_empty() || is_address || written.starts_with(['~', '$']) {
            return gap(format!("`{written}` is no plain path"));
        }
        Ok(self.facts.path_context.resolve(written, Some(directory)))
    }

    /// Checks a directory in which a command works.
    pub(super) fn working_directory(&self, directory: &str) -> Proved {
        self.inside(directory)?;
        let place = self.facts.path_context;
        let real = self.facts.file_system.real_path(directory).unwrap_or_else(|| directory.to_owned());
        let below = place.relative_to(directory, &self.root).unwrap_or_default();
        let is_direct = place.relative_to(&real, &self.real_root) == Some(below);
        if is_direct { Ok(()) } else { gap(format!("`{}` is a link", place.display(directory))) }
    }

    /// Checks that a path and what it leads to are inside the project.
    pub(super) fn inside(&self, path: &str) -> Proved {
        let place = self.facts.path_context;
        let real = self.facts.file_system.real_path(path).unwrap_or_else(|| path.to_owned());
        if place.relative_to(path, &self.root).is_none() {
            return gap(format!("`{}` is outside the project", place.display(path)));
        }
        if place.relative_to(&real, &self.real_root).is_none() {
            return gap(format!("`{}` leads out of the project", place.display(path)));
        }
        Ok(())
    }

    /// Checks that a file may be read: it is inside the project, and not protected.
    pub(super) fn readable(&self, path: &str) -> Proved {
        self.inside(path)?;
        self.unprotected(path)?;
        match self.facts.file_system.real_path(path) {
            Some(real) => self.unprotected(&self.as_in_project(&real)),
            None => Ok(()),
        }
    }

    /// Returns a path below where the project really is as one below the project.
    fn as_in_project(&self, real: &str) -> String {
        match self.facts.path_context.relative_to(real, &self.real_root) {
            Some(below) => format!("{}/{below}", self.root),
            None => real.to_owned(),
        }
    }

    /// Checks that no bundled rule on credentials, persistence and self-protection names a file.
    pub(super) fn unprotected(&self, path: &str) -> Proved {
        let folded = format!("{}/", path.to_lowercase());
        let is_guarded = GUARDED_DIRECTORIES.iter().any(|directory| folded.contains(directory));
        if is_guarded { self.protected(path) } else { self.compare(path, |_| true) }
    }

    /// Checks that none of these rules is about the content of a file.
    pub(super) fn showable(&self, path: &str) -> Proved {
        let is_guarded = GUARDED_DIRECTORIES.iter().any(|directory| path.contains(directory));
        if is_guarded { self.protected(path) } else { self.compare(path, |files| files.is_shown) }
    }

    fn protected(&self, path: &str) -> Proved {
        gap(format!("`{}` is a protected file", self.facts.path_context.display(path)))
    }

    fn compare(&self, path: &str, is_asked: fn(&ProtectedGlobs) -> bool) -> Proved {
        let globs = self.protected_globs.get_or_init(|| self.read_protected());
        let place = self.facts.path_context;
        let covers = |globs: &[Glob]| globs.iter().any(|glob| glob.is_match(path, place));
        let is_match = |files: &ProtectedGlobs| covers(&files.paths) && !covers(&files.except);
        if globs.iter().any(|files| is_asked(files) && is_match(files)) { self.protected(path) } else { Ok(()) }
    }

    /// Reads the globs that can match a path of the project.
    fn read_protected(&self) -> Vec<ProtectedGlobs> {
        let place = self.facts.path_context;
        let home = place.home.as_deref().unwrap_or_default();
        let can_match = |glob: &&&str| {
            let absolute = glob.strip_prefix("~/").map(|below| format!("{home}/{below}"));
            let absolute = absolute.as_deref().unwrap_or(glob);
            let plain = absolute.split(['*', '?', '{', '[', '\\']).next().unwrap_or_default();
            !absolute.starts_with('/') || plain.starts_with(&self.root) || self.root.starts_with(plain)
        };
        // The globs are those of policies that were checked.
        let read = |globs: &[&str]| -> Vec<Glob> {
            globs.iter().filter(can_match).filter_map(|glob| Glob::parse(glob).ok()).collect()
        };
        let files = PROTECTED.iter().map(|files| ProtectedGlobs {
            paths: read(files.paths),
            except: read(files.except),
            is_shown: files.is_shown,
        });
        files.filter(|files| !files.paths.is_empty()).collect()
    }
}
