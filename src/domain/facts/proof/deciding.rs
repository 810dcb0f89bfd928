//! Which files decide what the tools of a project run: manifests, task files, configuration, plugins, build scripts.

/// Names of such files.
const NAMES: &[&str] = &[
    "package.json",
    "pnpm-workspace.yaml",
    "bunfig.toml",
    "lerna.json",
    "nx.json",
    "turbo.json",
    "rush.json",
    "project.json",
    "deno.json",
    "deno.jsonc",
    "biome.json",
    "biome.jsonc",
    "dprint.json",
    "wireit.json",
    "gulpfile.js",
    "gruntfile.js",
    "makefile",
    "gnumakefile",
    "justfile",
    "procfile",
    "rakefile",
    "gemfile",
    "guardfile",
    "jakefile.js",
    "taskfile.yml",
    "taskfile.yaml",
    "taskfile.dist.yml",
    "cargo.toml",
    "build.rs",
    "rust-toolchain",
    "rust-toolchain.toml",
    "clippy.toml",
    "rustfmt.toml",
    "cross.toml",
    "conftest.py",
    "pytest.ini",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "pyproject.toml",
    "noxfile.py",
    "tasks.py",
    "mypy.ini",
    "ruff.toml",
    "pyrightconfig.json",
    "sitecustomize.py",
    "usercustomize.py",
    "go.mod",
    "go.work",
    "pom.xml",
    "gradlew",
    "mvnw",
    "build.xml",
    "cmakelists.txt",
    "meson.build",
    "workspace",
    "module.bazel",
    "build",
    "build.bazel",
    "dockerfile",
    "lefthook.yml",
    "manage.py",
    "mix.exs",
    "composer.json",
    "phpunit.xml",
    "tsconfig.json",
    "jsconfig.json",
    "cargo.lock",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "gemfile.lock",
    "go.sum",
    "package.swift",
    "package.resolved",
    "moon.yml",
    "environment.yml",
];

/// Ends of the names of such files.
const ENDS: &[&str] = &[
    ".sh",
    ".bash",
    ".zsh",
    ".mk",
    ".gradle",
    ".gradle.kts",
    ".cmake",
    ".bzl",
    ".pth",
    ".csproj",
    ".sln",
    ".props",
    ".targets",
    ".podspec",
    ".gemspec",
    ".nimble",
    ".cabal",
];

/// Directories in which every file is one.
const DIRECTORIES: &[&str] = &[
    "scripts",
    "bin",
    "tools",
    "hack",
    ".cargo",
    ".config",
    ".husky",
    ".mvn",
    "gradle",
    ".yarn",
    ".githooks",
    "hooks",
];

/// Hidden files that decide nothing: what is left out of a commit, how editors indent, what tools remember.
const HARMLESS_NAMES: &[&str] = &[
    ".gitignore",
    ".editorconfig",
    ".gitkeep",
    ".dockerignore",
    ".ds_store",
    ".eslintcache",
    ".stylelintcache",
    ".coverage",
    ".dmypy.json",
];

/// Directories that hold what is installed or built.
pub const GENERATED_DIRECTORIES: &[&str] = &[
    ".git",
    "node_modules",
    "target",
    ".venv",
    "venv",
    "site-packages",
    "vendor",
    "__pycache__",
    ".tox",
    ".nox",
    ".next",
    ".direnv",
];

/// Returns whether a file decides what a tool runs, by its path in the project.
pub fn decides(path: &str) -> bool {
    let lower = path.to_lowercase();
    let mut parts: Vec<&str> = lower.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let is_configuration =
        name.contains(".config.") || name.contains(".conf.") || name.contains(".setup.") || name.contains("setup-");
    // `.eslintrc`, `.npmrc`, `.babelrc.js`, `tsconfig.build.json`
    // Variables are protected by rules of their own, and nobody commits them.
    let is_hidden = name.starts_with('.') && !name.starts_with(".env") && !HARMLESS_NAMES.contains(&name);
    let is_typescript = name.starts_with("tsconfig") && name.rsplit('.').next() == Some("json");
    NAMES.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || is_configuration
        || is_hidden
        || is_typescript
        || parts.iter().any(|part| DIRECTORIES.contains(part))
}

#[cfg(test)]
mod tests {
    use super::decides;

    #[test]
    fn configuration_is_told_from_sources() {
        for path in [
            "package.json",
            "Makefile",
            "app/conftest.py",
            "vite.config.ts",
            ".eslintrc.js",
            "scripts/run.js",
            "build.rs",
            "a/b/tox.ini",
            ".cargo/config.toml",
            "run.sh",
            "tsconfig.build.json",
            "jest.setup.ts",
            ".npmrc",
            ".husky/pre-commit",
        ] {
            assert!(decides(path), "{path}");
        }
        for path in
            ["src/main.rs", "tests/test_a.py", "docs/guide.md", "src/app.test.ts", ".gitignore", "README.md", "a.json"]
        {
            assert!(!decides(path), "{path}");
        }
    }
}
