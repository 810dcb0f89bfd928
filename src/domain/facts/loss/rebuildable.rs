//! The table of names of files and directories that a build or an installation makes again.

/// Names of directories.
const DIRECTORIES: &[&str] = &[
    "node_modules",
    "bower_components",
    "jspm_packages",
    "target",
    "dist",
    "build",
    "out",
    "bin",
    "obj",
    "debug",
    "release",
    "_build",
    "deps",
    "__pycache__",
    ".venv",
    "venv",
    "env",
    ".tox",
    ".nox",
    ".eggs",
    "site-packages",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".cache",
    "cache",
    "tmp",
    "temp",
    ".tmp",
    ".temp",
    "log",
    "logs",
    "coverage",
    "htmlcov",
    ".nyc_output",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".astro",
    ".docusaurus",
    ".vercel",
    ".netlify",
    ".serverless",
    ".turbo",
    ".parcel-cache",
    ".angular",
    ".vite",
    ".gradle",
    ".kotlin",
    ".dart_tool",
    ".bundle",
    "Pods",
    "DerivedData",
    ".build",
    "elm-stuff",
    ".terraform",
    ".stack-work",
    "dist-newstyle",
    "zig-cache",
    ".zig-cache",
    "zig-out",
    "cmake-build-debug",
    "cmake-build-release",
    "CMakeFiles",
    "bazel-bin",
    "bazel-out",
    "bazel-testlogs",
    ".pnpm-store",
    ".yarn",
    "test-results",
    "playwright-report",
    "storybook-static",
    "public",
    "generated",
    "gen",
    "vendor",
    "x64",
    "x86",
];

/// Endings of names of files.
const ENDINGS: &[&str] = &[
    ".o",
    ".obj",
    ".a",
    ".so",
    ".dylib",
    ".dll",
    ".lib",
    ".exe",
    ".class",
    ".jar",
    ".war",
    ".pyc",
    ".pyo",
    ".pyd",
    ".rlib",
    ".rmeta",
    ".d",
    ".gcda",
    ".gcno",
    ".gcov",
    ".lcov",
    ".hi",
    ".beam",
    ".elc",
    ".wasm",
    ".map",
    ".min.js",
    ".tsbuildinfo",
    ".egg-info",
    ".whl",
    ".log",
    ".tmp",
    ".temp",
    ".bak",
    ".orig",
    ".swp",
    ".swo",
    ".cache",
    ".pid",
    ".lock",
    ".eslintcache",
    ".stylelintcache",
    ".tgz",
    ".aux",
    ".toc",
    ".synctex.gz",
    ".prof",
    ".profraw",
    "~",
];

/// Names of files.
const FILES: &[&str] = &[
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    ".coverage",
    "coverage.xml",
    "junit.xml",
    "lcov.info",
    ".eslintcache",
    "next-env.d.ts",
    "compile_commands.json",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "a.out",
];

/// Returns whether a file or directory that is ignored is made again by a build or an installation. `path` is the
/// part below the root, with slashes.
pub fn is_rebuildable(path: &str) -> bool {
    let mut parts = path.trim_end_matches('/').split('/').rev();
    let name = parts.next().unwrap_or_default();
    DIRECTORIES.contains(&name)
        || FILES.contains(&name)
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || parts.any(|directory| DIRECTORIES.contains(&directory))
}

#[cfg(test)]
mod tests {
    use super::is_rebuildable;

    #[test]
    fn builds_are_told_from_settings_and_data() {
        for path in ["node_modules", "a/target/", "a/target/debug/x", "a.pyc", "src/x.egg-info", ".DS_Store"] {
            assert!(is_rebuildable(path), "{path}");
        }
        for path in [".env", ".env.local", "data", "data/dev.sqlite", "key.pem", ".idea", "notes.md", "environment"] {
            assert!(!is_rebuildable(path), "{path}");
        }
    }
}
