//! What a project decides about the tools that run in it.

use super::super::command::Site;
use super::super::row::ProjectFiles;
use super::super::{Proved, Prover, gap};
use crate::domain::shell::FileContent;

/// The greatest size of a configuration file that is read.
const MAX_CONFIGURATION_BYTES: usize = 1 << 18;

/// Settings of npm that run nothing and reach nothing.
const HARMLESS_NPM_SETTINGS: &[&str] = &[
    "save-exact", "engine-strict", "package-lock", "fund", "audit", "progress", "loglevel", "strict-peer-dependencies",
    "auto-install-peers", "shamefully-hoist", "node-linker", "legacy-peer-deps", "public-hoist-pattern[]", "save-prefix",
    "prefer-workspace-packages", "link-workspace-packages", "color", "update-notifier",
];

/// Modules that Python takes from the current directory before its own.
const PYTHON_MODULES: &[&str] = &[
    "json", "argparse", "sys", "pathlib", "re", "os", "gettext", "shutil", "codecs", "enum", "functools", "collections", "io",
    "types", "runpy", "importlib", "pkgutil", "typing", "warnings", "contextlib", "fnmatch", "posixpath", "errno", "itertools",
    "urllib", "locale", "textwrap", "copy", "keyword", "operator", "reprlib", "abc", "stat", "copyreg", "token", "tokenize",
    "linecache", "sre_compile", "sre_parse", "sre_constants", "struct", "zlib", "bz2", "lzma", "threading", "site",
    "sitecustomize", "usercustomize", "encodings", "ipaddress", "string", "heapq", "bisect", "weakref", "zipimport", "platform",
    "subprocess", "signal", "selectors", "calendar", "datetime", "time", "random", "math",
];

impl Prover<'_, '_> {
    /// Returns a directory and those above it, up to the root of the project.
    fn directories_above(&self, directory: &str) -> Vec<String> {
        let mut found = vec![directory.to_owned()];
        let mut current = directory;
        while current != self.root
            && let Some((above, _)) = current.rsplit_once('/')
            && self.facts.path_context.relative_to(above, &self.root).is_some()
        {
            found.push(above.to_owned());
            current = above;
        }
        found
    }

    /// Passes the text of each file of a name in a directory and those above it to a check.
    fn each_configuration(&self, directory: &str, name: &str, check: &dyn Fn(&str) -> bool) -> Proved {
        for above in self.directories_above(directory) {
            let path = format!("{above}/{name}");
            let is_harmless = match self.facts.file_system.read(&path, MAX_CONFIGURATION_BYTES) {
                FileContent::Missing => true,
                FileContent::Text(text) => check(&text),
                FileContent::Binary | FileContent::TooLarge | FileContent::Unreadable => false,
            };
            if !is_harmless {
                return gap(format!("`{}` may run something", self.facts.path_context.display(&path)));
            }
        }
        Ok(())
    }

    pub(super) fn rust_toolchain(&self, directory: &str) -> Proved {
        for name in ["rust-toolchain", "rust-toolchain.toml"] {
            self.each_configuration(directory, name, &|text| !text.contains(['/', '\\']) && !text.contains("path"))?;
        }
        let runs = ["rustc", "runner", "linker", "wrapper", "alias", "include", "credential", "env", "source", "registr", "unstable"];
        for name in [".cargo/config", ".cargo/config.toml"] {
            self.each_configuration(directory, name, &|text| !runs.iter().any(|word| text.contains(word)))?;
        }
        Ok(())
    }

    pub(super) fn node_manager(&self, site: &Site<'_>) -> Proved {
        let is_known = |line: &str| {
            let line = line.trim();
            let name = line.split('=').next().unwrap_or_default().trim();
            line.is_empty() || line.starts_with(['#', ';']) || HARMLESS_NPM_SETTINGS.contains(&name)
        };
        self.each_configuration(site.directory, ".npmrc", &|text| text.lines().all(is_known))?;
        for name in [".yarnrc.yml", ".yarnrc", ".pnpmfile.cjs", ".pnpmfile.mjs", "bunfig.toml"] {
            self.each_configuration(site.directory, name, &|_| false)?;
        }
        let chooses_own = |text: &str| text.contains("\"packageManager\"") || text.contains("\"devEngines\"");
        self.each_configuration(site.directory, "package.json", &|text| site.name.starts_with("npm") || !chooses_own(text))
    }

    pub(super) fn python(&self, site: &Site<'_>) -> Proved {
        let shows_version = site.arguments.has(&["--version", "-V"]) && site.arguments.options.len() == 1;
        if shows_version && site.arguments.operands.is_empty() {
            return Ok(());
        }
        // Its second argument would be written.
        let given: Vec<&str> = site.arguments.values("-m").collect();
        if given != ["json.tool"] || site.arguments.operands.len() > 1 {
            return gap("Python runs more than a module of the table");
        }
        for module in PYTHON_MODULES {
            let path = format!("{}/{module}", site.directory);
            let has_file = self.facts.file_system.expand(&format!("{path}.*")).is_none_or(|found| !found.is_empty());
            if has_file || self.facts.file_system.is_directory(&path) {
                return gap(format!("`{module}` beside it may run instead of Python's own"));
            }
        }
        Ok(())
    }

    /// Checks the files that decide what a tool of the project runs.
    pub(super) fn project_files(&self, _: &str, _: ProjectFiles) -> Proved {
        gap("what the project runs is not examined")
    }

    pub(super) fn manifest_script(&self, _: &Site<'_>) -> Proved {
        gap("what the project runs is not examined")
    }
}
