//! What a project decides about the tools that run in it.

use super::super::command::Site;
use super::super::deciding::decides;
use super::super::table::NODE_TOOLS;
use super::super::{Proved, Prover, gap};
use crate::domain::shell::FileContent;

/// The greatest size of a configuration file that is read.
const MAX_CONFIGURATION_BYTES: usize = 1 << 18;

/// Settings of npm that run nothing and reach nothing.
const HARMLESS_NPM_SETTINGS: &[&str] = &[
    "save-exact",
    "engine-strict",
    "package-lock",
    "fund",
    "audit",
    "progress",
    "loglevel",
    "strict-peer-dependencies",
    "auto-install-peers",
    "shamefully-hoist",
    "node-linker",
    "legacy-peer-deps",
    "public-hoist-pattern[]",
    "save-prefix",
    "prefer-workspace-packages",
    "link-workspace-packages",
    "color",
    "update-notifier",
];

/// Modules that Python takes from the current directory before its own.
const PYTHON_MODULES: &[&str] = &[
    "json",
    "argparse",
    "sys",
    "pathlib",
    "re",
    "os",
    "gettext",
    "shutil",
    "codecs",
    "enum",
    "functools",
    "collections",
    "io",
    "types",
    "runpy",
    "importlib",
    "pkgutil",
    "typing",
    "warnings",
    "contextlib",
    "fnmatch",
    "posixpath",
    "errno",
    "itertools",
    "urllib",
    "locale",
    "textwrap",
    "copy",
    "keyword",
    "operator",
    "reprlib",
    "abc",
    "stat",
    "copyreg",
    "token",
    "tokenize",
    "linecache",
    "sre_compile",
    "sre_parse",
    "sre_constants",
    "struct",
    "zlib",
    "bz2",
    "lzma",
    "threading",
    "site",
    "sitecustomize",
    "usercustomize",
    "encodings",
    "ipaddress",
    "string",
    "heapq",
    "bisect",
    "weakref",
    "zipimport",
    "platform",
    "subprocess",
    "signal",
    "selectors",
    "calendar",
    "datetime",
    "time",
    "random",
    "math",
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
        let runs = [
            "rustc",
            "runner",
            "linker",
            "wrapper",
            "alias",
            "include",
            "credential",
            "env",
            "source",
            "registr",
            "unstable",
        ];
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
        self.each_configuration(site.directory, "package.json", &|text| {
            site.name.starts_with("npm") || !chooses_own(text)
        })
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

    /// Checks that the files which decide what the project's tools run are as in the commit that the session began with.
    pub(in super::super) fn project_is_unchanged(&self, directory: &str) -> Proved {
        let (root, _) = self.checkout(directory)?;
        self.unchanged.get_or_init(|| self.compare_with_start(&root)).clone()
    }

    fn compare_with_start(&self, root: &str) -> Proved {
        let memory = self.facts.memory();
        let Some(commit) = memory.and_then(|memory| memory.start_commit().map(ToOwned::to_owned)) else {
            return gap("the commit that the session began with is not remembered");
        };
        if commit.is_empty() {
            return gap("the session began without a commit");
        }
        let Some(changed) = self.facts.file_system.changed_since(root, &commit, &decides) else {
            return gap("what has changed since the session began is not known");
        };
        if let Some(path) = changed.first() {
            let shown = self.facts.path_context.display(path);
            return gap(format!("`{shown}` decides what runs, and is not as it was when the session began"));
        }
        self.step("what decides what the project's tools run is unchanged".to_owned());
        Ok(())
    }

    /// Checks that a tool that is installed in the project is the one that a runner of packages would start.
    pub(in super::super) fn installed_tool(&self, name: &str, directory: &str) -> Proved {
        if !NODE_TOOLS.contains(&name) {
            return gap(format!("`{name}` is no tool of the table that is run this way"));
        }
        let is_there = |above: &String| {
            let path = format!("{above}/node_modules/.bin/{name}");
            self.facts.file_system.read(&path, 0) != FileContent::Missing
        };
        if self.directories_above(directory).iter().any(is_there) {
            Ok(())
        } else {
            gap(format!("`{name}` is not installed in the project, so it would be downloaded"))
        }
    }
}

/// Returns whether the name of a script or target is that of a test, a linter, a build or a formatter.
fn is_check(name: &str) -> bool {
    const FIRST: &[&str] = &[
        "test",
        "tests",
        "lint",
        "build",
        "check",
        "typecheck",
        "type",
        "format",
        "fmt",
        "tsc",
        "unit",
        "all",
        "vet",
        "verify",
        "types",
    ];
    const OTHERS: &[&str] =
        &["deploy", "publish", "release", "push", "prod", "upload", "install", "remote", "docker", "image", "clean"];
    let parts: Vec<&str> = name.split([':', '-', '_', '.']).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ":-_.".contains(c);
    name.chars().all(is_plain)
        && parts.first().is_some_and(|first| FIRST.contains(first))
        && !parts.iter().any(|part| OTHERS.contains(part))
}

/// Checks that the script of a manifest is a test, a linter, a build or a formatter.
pub(super) fn manifest_script(site: &Site<'_>) -> Proved {
    let own = site.name.rsplit(':').next().unwrap_or_default();
    let mut operands = site.arguments.operands.iter().map(|it| it.text.as_str());
    let script = if matches!(own, "run" | "run-script") { operands.next() } else { Some(own) };
    let Some(script) = script.filter(|script| *script == "t" || is_check(script)) else {
        return gap("a script that is no test, linter, build or formatter by its name");
    };
    // What follows reaches a program that is not known.
    let is_path = |text: &str| {
        text.chars().all(|c| c.is_ascii_alphanumeric() || "._/-".contains(c)) && !text.starts_with(['-', '/'])
    };
    match operands.find(|text| !is_path(text) || text.contains("..")) {
        Some(text) => gap(format!("`{text}` is passed on to the script `{script}`")),
        None => Ok(()),
    }
}

/// Checks that all targets are tests, linters, builds or formatters.
pub(super) fn targets(site: &Site<'_>) -> Proved {
    let operands = &site.arguments.operands;
    match operands.iter().find(|it| !is_check(&it.text)) {
        _ if operands.is_empty() && !site.arguments.has(&["--version"]) => {
            gap("the first target is not known by its name")
        }
        Some(it) => gap(format!("the target `{}` is no test, linter, build or formatter by its name", it.text)),
        None => Ok(()),
    }
}
