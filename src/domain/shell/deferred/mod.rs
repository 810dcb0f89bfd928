//! Deferred code: lines of a file that some tool runs by itself later.
//!
//! A hook of a package, a step of a pipeline or a cell of a notebook runs without anybody asking for that line. The
//! table here says in which files such lines are and how they are found. Commands that somebody has to ask for by name
//! (`npm run x`, `make x`) are not among them: they are judged when they run.

mod document;
mod expression;
pub(crate) mod notebook;
mod source;

use document::{Keys, Notation};

/// Where deferred code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeferredPlace {
    /// On this machine, without anybody asking for it.
    Machine,
    /// On this machine, as a cell of a notebook that somebody runs.
    Notebook,
    /// In a pipeline or a development container, which has secrets and nothing else of this machine.
    Pipeline,
}

/// Commands of a file that a tool runs later, as shell text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeferredLine {
    /// The line in the file, counted from 1.
    pub number: usize,
    /// The shell text.
    pub text: String,
    /// Where it runs.
    pub place: DeferredPlace,
}

/// How the lines of a file are found.
#[derive(Debug, Clone, Copy)]
enum Format {
    /// The file is a script.
    Script,
    /// The file is Python.
    Python,
    /// The file is JavaScript.
    JavaScript,
    /// The lines are values of these keys.
    Document(Notation, Keys),
    /// The recipes that `make` runs without a goal.
    Makefile,
    /// The steps of a pipeline of Jenkins.
    Groovy,
    /// The file is a notebook.
    Cells,
}

use DeferredPlace::{Machine, Notebook, Pipeline};
use Format::{Cells, Document, Groovy, JavaScript, Makefile, Python, Script};
use Notation::{Json, Toml, Yaml};

/// Keys that hold command lines; one of a list is a line of its own.
const fn lines(paths: &'static [&'static str]) -> Keys {
    Keys { paths, is_argv: false }
}

/// Keys that hold a command line, or a list of its words.
const fn argv(paths: &'static [&'static str]) -> Keys {
    Keys { paths, is_argv: true }
}

/// The scripts of a package that run without being named, and hooks that other packages install.
const PACKAGE_HOOKS: Keys = lines(&[
    "scripts/preinstall",
    "scripts/install",
    "scripts/postinstall",
    "scripts/prepublish",
    "scripts/prepublishOnly",
    "scripts/preprepare",
    "scripts/prepare",
    "scripts/postprepare",
    "scripts/prepack",
    "scripts/postpack",
    "scripts/dependencies",
    // These run with the script of the rest of their name.
    "scripts/pre*",
    "scripts/post*",
    "husky/hooks/*",
    "simple-git-hooks/*",
    "gitHooks/*",
    "pre-commit",
    "lint-staged/*",
]);

const COMPOSER_HOOKS: Keys = lines(&["scripts/pre-*", "scripts/post-*"]);

const DEVCONTAINER_STEPS: &[&str] = &[
    "onCreateCommand",
    "updateContentCommand",
    "postCreateCommand",
    "postStartCommand",
    "postAttachCommand",
    "onCreateCommand/*",
    "updateContentCommand/*",
    "postCreateCommand/*",
    "postStartCommand/*",
    "postAttachCommand/*",
];

const PIPELINE_STEPS: Keys = lines(&[
    "**/run",
    "**/run/command",
    "**/script",
    "**/before_script",
    "**/after_script",
    "**/before_install",
    "**/install",
    "**/before_deploy",
    "**/after_success",
    "**/commands",
    "**/bash",
    "**/inlineScript",
    "**/command",
]);

const CARGO_PROGRAMS: Keys = argv(&[
    "build/rustc",
    "build/rustc-wrapper",
    "build/rustc-workspace-wrapper",
    "build/rustdoc",
    "target/*/runner",
    "target/*/linker",
    "credential-alias/*",
]);

/// The files, by the last parts of their paths.
const FILES: &[(&[&str], DeferredPlace, Format)] = &[
    (&["package.json"], Machine, Document(Json, PACKAGE_HOOKS)),
    (&["composer.json"], Machine, Document(Json, COMPOSER_HOOKS)),
    (&[".lintstagedrc", ".lintstagedrc.json", ".simple-git-hooks.json"], Machine, Document(Json, lines(&["*"]))),
    (&[".husky/*", ".githooks/*", ".hooks/*", "git-hooks/*"], Machine, Script),
    (
        &["lefthook.yml", ".lefthook.yml", "lefthook.yaml", "lefthook-local.yml", ".lefthook-local.yml"],
        Machine,
        Document(Yaml, lines(&["**/run"])),
    ),
    (&[".pre-commit-config.yaml", ".pre-commit-hooks.yaml"], Machine, Document(Yaml, lines(&["**/entry"]))),
    (&[".envrc"], Machine, Script),
    (&["mise.toml", ".mise.toml", ".mise.local.toml", "mise.local.toml"], Machine, Document(Toml, lines(&["hooks/*"]))),
    (
        &["devcontainer.json", ".devcontainer.json"],
        Machine,
        Document(Json, argv(&["initializeCommand", "initializeCommand/*"])),
    ),
    (&["devcontainer.json", ".devcontainer.json"], Pipeline, Document(Json, argv(DEVCONTAINER_STEPS))),
    (
        &[".vscode/settings.json", "Code/User/settings.json"],
        Machine,
        Document(Json, lines(&["emeraldwalk.runonsave/commands/cmd"])),
    ),
    (&[".cargo/config.toml", ".cargo/config"], Machine, Document(Toml, CARGO_PROGRAMS)),
    (&["setup.py", "conftest.py", "sitecustomize.py", "usercustomize.py"], Machine, Python),
    (
        &[
            ".pnpmfile.cjs",
            ".pnpmfile.mjs",
            // What a package's own hook is called by custom.
            "preinstall.js",
            "preinstall.cjs",
            "preinstall.mjs",
            "postinstall.js",
            "postinstall.cjs",
            "postinstall.mjs",
        ],
        Machine,
        JavaScript,
    ),
    (&["Makefile", "makefile", "GNUmakefile"], Machine, Makefile),
    (&["*.ipynb"], Notebook, Cells),
    (
        &[".github/workflows/*.yml", ".github/workflows/*.yaml", "action.yml", "action.yaml"],
        Pipeline,
        Document(Yaml, PIPELINE_STEPS),
    ),
    (
        &[".gitea/workflows/*.yml", ".gitea/workflows/*.yaml", ".forgejo/workflows/*.yml", ".forgejo/workflows/*.yaml"],
        Pipeline,
        Document(Yaml, PIPELINE_STEPS),
    ),
    (
        &[".gitlab-ci.yml", ".gitlab-ci.yaml", ".circleci/config.yml", "azure-pipelines.yml", "azure-pipelines.yaml"],
        Pipeline,
        Document(Yaml, PIPELINE_STEPS),
    ),
    (
        &[
            "bitbucket-pipelines.yml",
            ".travis.yml",
            "appveyor.yml",
            ".appveyor.yml",
            ".drone.yml",
            "buildspec.yml",
            "buildspec.yaml",
        ],
        Pipeline,
        Document(Yaml, PIPELINE_STEPS),
    ),
    (
        &[
            ".woodpecker.yml",
            ".woodpecker.yaml",
            ".woodpecker/*.yml",
            ".woodpecker/*.yaml",
            ".buildkite/*.yml",
            ".buildkite/*.yaml",
        ],
        Pipeline,
        Document(Yaml, PIPELINE_STEPS),
    ),
    (&["Jenkinsfile", "Jenkinsfile.*", "*.jenkinsfile"], Pipeline, Groovy),
];

/// Returns whether a tool runs something of a file by itself.
pub fn is_deferred_file(path: &str) -> bool {
    formats(path).next().is_some()
}

/// Returns the lines of a file that a tool runs by itself. The text may be a part of the file.
pub fn deferred_lines(path: &str, text: &str) -> Vec<DeferredLine> {
    let mut all = Vec::new();
    for (place, format) in formats(path) {
        let found = match format {
            Script => vec![(1, source::script(text))],
            Python => vec![(1, source::inline("python3 -c", text))],
            JavaScript => vec![(1, source::inline("node -e", text))],
            Document(notation, keys) => document::lines(text, notation, keys),
            Makefile => source::default_recipes(text),
            Groovy => source::groovy_steps(text),
            Cells => notebook::lines(text),
        };
        let secret_variables = if place == Pipeline { expression::secret_variables(text) } else { Vec::new() };
        all.extend(found.into_iter().filter(|(_, text)| !text.trim().is_empty()).map(|(number, text)| {
            let text = if place == Pipeline { expression::substitute(&text, &secret_variables) } else { text };
            DeferredLine { number, text, place }
        }));
    }
    all
}

fn formats(path: &str) -> impl Iterator<Item = (DeferredPlace, Format)> {
    let path = path.replace('\\', "/");
    let is_at = move |name: &str| {
        let mut rest = path.rsplit('/');
        name.rsplit('/').all(|part| rest.next().is_some_and(|own| is_part(part, own)))
    };
    FILES
        .iter()
        .filter(move |(names, ..)| names.iter().any(|name| is_at(name)))
        .map(|(_, place, format)| (*place, *format))
}

/// Returns whether a part of a path, or a key, is as a pattern with at most one `*` says.
fn is_part(pattern: &str, part: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, behind)) => {
            part.len() >= before.len() + behind.len() && part.starts_with(before) && part.ends_with(behind)
        }
        None => pattern == part,
    }
}

#[cfg(test)]
mod tests {
    use super::{DeferredPlace, deferred_lines, is_deferred_file};

    fn texts(path: &str, text: &str) -> Vec<(usize, String)> {
        deferred_lines(path, text).into_iter().map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn files_are_known_by_the_end_of_their_path() {
        for path in ["/a/package.json", ".husky/pre-commit", "/x/.github/workflows/ci.yml", r"C:\a\.envrc", "a/b.ipynb"]
        {
            assert!(is_deferred_file(path), "{path}");
        }
        for path in ["/a/package.json.bak", "husky/pre-commit", "workflows/ci.yml", "src/main.rs", ".husky/_/x"] {
            assert!(!is_deferred_file(path), "{path}");
        }
    }

    #[test]
    fn only_scripts_that_run_unasked_are_found() {
        let text = "{\n \"scripts\": {\n  \"build\": \"tsc\",\n  \"postinstall\": \"patch-package\"\n }\n}";
        assert_eq!(texts("package.json", text), [(4, "patch-package".to_owned())]);
    }

    #[test]
    fn a_part_of_a_file_is_enough() {
        assert_eq!(texts("package.json", "\"test\": \"x\",\n\"prepare\": \"husky\""), [(2, "husky".to_owned())]);
        assert_eq!(texts("ci/.gitlab-ci.yml", "  script:\n    - make\n"), [(2, "make".to_owned())]);
    }

    #[test]
    fn secrets_of_a_pipeline_are_marked_variables() {
        let text = "env:\n  T: ${{ secrets.KEY }}\njobs:\n  a:\n    steps:\n      - run: x ${{ secrets.B }} $T\n";
        let lines = deferred_lines(".github/workflows/a.yml", text);
        assert_eq!(lines[0].text, "x ${secrets_B} ${secrets_T}");
        assert_eq!(lines[0].place, DeferredPlace::Pipeline);
    }
}
