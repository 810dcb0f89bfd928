//! Which task of a project's file a command line asks for. This file has tables.

use crate::domain::shell::arguments;
use crate::domain::shell::project::TaskFormat;
use crate::domain::shell::script::{Dialect, Word};

/// What a command line asks of a project's file.
pub(super) struct TaskInvocation {
    pub(super) format: TaskFormat,
    /// The file, where the command line names it.
    pub(super) file: Option<String>,
    /// The names of what is to run; none for what the file says.
    pub(super) goals: Vec<String>,
    /// The arguments that are passed on to it.
    pub(super) args: Vec<String>,
    /// The variables that are set on the command line.
    pub(super) variables: Vec<(String, String)>,
    /// The program of an installed package that runs where no task has its name.
    pub(super) binary: Option<String>,
    /// Whether the task runs in each part of the project.
    pub(super) is_workspace: bool,
}

/// The subcommands of yarn and pnpm themselves, which are not names of scripts.
const PACKAGE_MANAGER_COMMANDS: &[&str] = &[
    "add",
    "audit",
    "bin",
    "cache",
    "config",
    "create",
    "dedupe",
    "deploy",
    "dlx",
    "env",
    "exec",
    "explain",
    "global",
    "help",
    "import",
    "info",
    "init",
    "licenses",
    "link",
    "list",
    "login",
    "logout",
    "ls",
    "node",
    "outdated",
    "owner",
    "patch",
    "plugin",
    "prune",
    "rebuild",
    "remove",
    "root",
    "set",
    "store",
    "tag",
    "unlink",
    "unplug",
    "up",
    "update",
    "upgrade",
    "version",
    "versions",
    "why",
    "workspace",
    "workspaces",
    "a",
    "approve-builds",
    "bugs",
    "build-scripts",
    "c",
    "dist-tag",
    "docs",
    "doctor",
    "fetch",
    "i",
    "in",
    "la",
    "ll",
    "ln",
    "pm",
    "repl",
    "repo",
    "rm",
    "search",
    "setup",
    "self-update",
    "server",
    "stage",
    "token",
    "un",
    "uninstall",
    "unpublish",
    "view",
    "whoami",
    "x",
];

/// The scripts that run along with an installation.
const INSTALL_SCRIPTS: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

/// The scripts that run along with a publication.
const PUBLISH_SCRIPTS: &[&str] = &["prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"];

/// A runner of tasks.
struct Runner {
    programs: &'static [&'static str],
    format: TaskFormat,
    /// The words in front of the names of tasks, of which one row may be there.
    verbs: &'static [&'static [&'static str]],
    /// Whether it runs tasks only after one of them.
    needs_verb: bool,
    goals: Goals,
    /// The options with a value.
    value_options: &'static [&'static str],
    /// Those of them that name tasks.
    goal_options: &'static [&'static str],
    /// Those that name the file.
    file_options: &'static [&'static str],
}

/// Which operands of a runner are names of tasks.
#[derive(Clone, Copy)]
enum Goals {
    /// The first; the others are its arguments.
    First,
    /// All.
    All,
    /// None: only options name them.
    Options,
}

const fn runner(
    programs: &'static [&'static str],
    format: TaskFormat,
    verbs: &'static [&'static [&'static str]],
    goals: Goals,
) -> Runner {
    Runner {
        programs,
        format,
        verbs,
        needs_verb: !verbs.is_empty(),
        goals,
        value_options: &[],
        goal_options: &[],
        file_options: &[],
    }
}

impl Runner {
    const fn with_options(self, value_options: &'static [&'static str], file_options: &'static [&'static str]) -> Self {
        Self { value_options, file_options, ..self }
    }

    const fn with_goal_options(self, goal_options: &'static [&'static str]) -> Self {
        Self { goal_options, ..self }
    }

    const fn with_optional_verb(self) -> Self {
        Self { needs_verb: false, ..self }
    }
}

const RUNNERS: &[Runner] = &[
    runner(&["rake", "rails"], TaskFormat::Rake, &[], Goals::All)
        .with_options(&["-f", "--rakefile", "-I", "-r", "-t"], &["-f", "--rakefile"]),
    runner(&["inv", "invoke"], TaskFormat::Invoke, &[], Goals::All).with_options(&["-r", "--search-root", "-T"], &[]),
    runner(&["nox"], TaskFormat::Nox, &[], Goals::All)
        .with_options(&["-f", "--noxfile", "-s", "--session", "--sessions", "-e", "-t", "--tags"], &["-f", "--noxfile"])
        .with_goal_options(&["-s", "--session", "--sessions", "-e"]),
    runner(&["tox"], TaskFormat::Tox, &[&["run"], &["r"], &["run-parallel"], &["p"]], Goals::Options)
        .with_optional_verb()
        .with_options(&["-e", "-c", "--conf", "-f", "-m"], &["-c", "--conf"])
        .with_goal_options(&["-e"]),
    runner(&["poe"], TaskFormat::Pyproject, &[], Goals::First)
        .with_options(&["-C", "--directory", "-e", "--executor"], &[]),
    runner(&["pdm"], TaskFormat::Pyproject, &[&["run"]], Goals::First).with_options(&["-p", "--project"], &[]),
    runner(&["hatch"], TaskFormat::Pyproject, &[&["run"]], Goals::First)
        .with_options(&["-e", "--env", "-p", "--project"], &[]),
    runner(&["rye"], TaskFormat::Pyproject, &[&["run"], &["r"]], Goals::First),
    runner(&["pixi"], TaskFormat::Pixi, &[&["run"], &["r"]], Goals::First)
        .with_options(&["-e", "--environment", "--manifest-path"], &["--manifest-path"]),
    runner(&["mise", "rtx"], TaskFormat::Mise, &[&["run"], &["r"], &["tasks", "run"]], Goals::First)
        .with_options(&["-C", "--cd", "-j", "--jobs", "-t", "--tool"], &[]),
    runner(&["cargo-make", "makers"], TaskFormat::CargoMake, &[&["make"]], Goals::First)
        .with_optional_verb()
        .with_options(&["--makefile", "-p", "--profile", "-e", "--env", "-l"], &["--makefile"]),
    runner(&["turbo"], TaskFormat::Npm, &[&["run"]], Goals::All)
        .with_optional_verb()
        .with_options(&["--filter", "-F", "--concurrency", "--cwd", "--cache-dir", "--env-mode", "--log-order"], &[]),
    runner(&["lerna"], TaskFormat::Npm, &[&["run"]], Goals::All)
        .with_options(&["--scope", "--ignore", "--since", "--concurrency"], &[]),
    runner(&["lage", "ultra", "wsrun"], TaskFormat::Npm, &[&["run"]], Goals::All)
        .with_optional_verb()
        .with_options(&["--to", "--scope"], &[]),
    runner(&["nx"], TaskFormat::Nx, &[&["run"], &["run-many"], &["affected"]], Goals::All)
        .with_optional_verb()
        .with_options(
            &[
                "-t",
                "--target",
                "--targets",
                "-p",
                "--projects",
                "-c",
                "--configuration",
                "--parallel",
                "--base",
                "--head",
            ],
            &[],
        )
        .with_goal_options(&["-t", "--target", "--targets"]),
    runner(&["moon"], TaskFormat::Moon, &[&["run"], &["r"], &["exec"], &["ci"]], Goals::All),
    runner(&["lefthook"], TaskFormat::Lefthook, &[&["run"]], Goals::First),
    runner(&["pre-commit", "prek"], TaskFormat::PreCommit, &[&["run"]], Goals::All)
        .with_options(&["-c", "--config", "--files", "--from-ref", "--to-ref", "--hook-stage"], &["-c", "--config"]),
    runner(
        &["foreman", "honcho", "overmind", "goreman", "nf"],
        TaskFormat::Procfile,
        &[&["start"], &["s"]],
        Goals::All,
    )
    .with_options(&["-f", "--procfile", "-e", "--env", "-p", "-m", "-d", "-l"], &["-f", "--procfile"]),
    runner(&["hivemind"], TaskFormat::Procfile, &[], Goals::Options),
];

/// The subcommands of cargo itself, and of its common extensions, which are no aliases.
const CARGO_COMMANDS: &[&str] = &[
    "add",
    "audit",
    "b",
    "bench",
    "binstall",
    "build",
    "c",
    "check",
    "clean",
    "clippy",
    "d",
    "deny",
    "doc",
    "expand",
    "fetch",
    "fix",
    "fmt",
    "fuzz",
    "generate",
    "help",
    "info",
    "init",
    "insta",
    "install",
    "llvm-cov",
    "locate-project",
    "login",
    "logout",
    "machete",
    "metadata",
    "miri",
    "mutants",
    "new",
    "nextest",
    "outdated",
    "owner",
    "package",
    "pkgid",
    "publish",
    "r",
    "remove",
    "report",
    "rm",
    "run",
    "rustc",
    "rustdoc",
    "search",
    "sqlx",
    "t",
    "test",
    "tree",
    "udeps",
    "uninstall",
    "update",
    "upgrade",
    "vendor",
    "verify-project",
    "version",
    "watch",
    "yank",
];

/// Returns what a program asks of a project's file; nothing for other programs.
pub(super) fn parse_task_invocation(program: &str, words: &[Word]) -> Option<TaskInvocation> {
    let literal = words.iter().take(64).all(|word| word.literal || word.text.contains('='));
    let words = words.get(..words.len().min(64)).unwrap_or(words);
    match program {
        "npm" | "pnpm" | "yarn" | "bun" | "node" | "run-s" | "run-p" | "npm-run-all" | "npm-run-all2" | "nr"
        | "rushx" => parse_package_manager(program, words),
        "composer" => {
            let names = positional_arguments(words, &[]);
            let (verb, rest) = names.split_first()?;
            let (goal, rest) = match verb.as_str() {
                "run" | "run-script" => rest.split_first()?,
                _ => (verb, rest),
            };
            let args = rest.iter().filter(|arg| *arg != "--").cloned().collect();
            Some(task_invocation(TaskFormat::Composer, vec![goal.clone()], args))
        }
        "deno" => {
            let names = positional_arguments(words, &["--config", "-c", "--cwd"]);
            let (goal, rest) = names.strip_prefix(&["task".to_owned()])?.split_first()?;
            Some(task_invocation(TaskFormat::Deno, vec![goal.clone()], rest.to_vec()))
        }
        "cargo" => {
            let names = positional_arguments(words, &["--manifest-path", "--config", "--color"]);
            let names: Vec<String> = names.into_iter().skip_while(|name| name.starts_with('+')).collect();
            let (verb, rest) = names.split_first()?;
            match verb.as_str() {
                "make" => parse_runner("cargo-make", words.get(1..)?),
                known if CARGO_COMMANDS.contains(&known) => None,
                alias => Some(task_invocation(TaskFormat::CargoAlias, vec![alias.to_owned()], rest.to_vec())),
            }
        }
        "make" | "gmake" | "bmake" if literal => Some(parse_make(words)),
        "just" => {
            let arguments = arguments::parse(words, Dialect::Posix, &["-f", "--justfile", "-d", "--working-directory"]);
            let file = arguments.values(&["-f", "--justfile"]).first().map(|word| word.text.clone());
            let mut names = arguments.operands.iter().map(|word| word.text.clone());
            let variables = names.clone().filter_map(|name| parse_assignment(&name)).collect();
            let goal = names.find(|name| !name.contains('='));
            let args: Vec<String> = names.collect();
            // A word after a recipe is an argument of it, or a recipe of its own.
            let goals = goal.into_iter().chain(args.iter().cloned()).collect();
            Some(TaskInvocation { file, variables, ..task_invocation(TaskFormat::Just, goals, args) })
        }
        "task" | "go-task" => {
            let arguments = arguments::parse(words, Dialect::Posix, &["-t", "--taskfile", "-d", "--dir"]);
            let file = arguments.values(&["-t", "--taskfile"]).first().map(|word| word.text.clone());
            let names: Vec<String> = arguments.operands.iter().map(|word| word.text.clone()).collect();
            let variables = names.iter().filter_map(|name| parse_assignment(name)).collect();
            let goals = names.into_iter().filter(|name| !name.contains('=')).collect();
            Some(TaskInvocation { file, variables, ..task_invocation(TaskFormat::Task, goals, Vec::new()) })
        }
        _ => parse_runner(program, words),
    }
}

/// Returns what the runners ask for that have a verb and then the names of tasks.
fn parse_runner(program: &str, words: &[Word]) -> Option<TaskInvocation> {
    let row = RUNNERS.iter().find(|row| row.programs.contains(&program))?;
    let parsed = arguments::parse(words, Dialect::Posix, row.value_options);
    if parsed.has(&["-h", "--help", "--version", "-V", "-T", "--tasks", "-P", "--list", "--list-all-steps"]) {
        return None;
    }
    let file = parsed.values(row.file_options).first().map(|word| word.text.clone());
    // What is behind `--` are arguments of the task.
    let end = parsed.end_of_options.filter(|_| !matches!(row.goals, Goals::First)).unwrap_or(usize::MAX);
    let operands = parsed.operands.iter().take(end).filter(|word| word.literal);
    let mut names: Vec<String> = operands.map(|word| word.text.clone()).collect();
    if let Some(at) = row.verbs.iter().find(|verbs| names.iter().take(verbs.len()).eq(verbs.iter())) {
        names.drain(..at.len());
    } else if row.needs_verb {
        return None;
    }
    let selected: Vec<String> =
        parsed.values(row.goal_options).iter().flat_map(|word| word.text.split(',')).map(ToOwned::to_owned).collect();
    let (goals, args) = match row.goals {
        Goals::Options => (selected, Vec::new()),
        Goals::All if !selected.is_empty() => (selected.into_iter().chain(names).collect(), Vec::new()),
        Goals::All => (names, Vec::new()),
        Goals::First => match names.split_first() {
            Some((goal, args)) => (vec![goal.clone()], args.iter().filter(|arg| *arg != "--").cloned().collect()),
            None if matches!(row.format, TaskFormat::Rake | TaskFormat::CargoMake) => (Vec::new(), Vec::new()),
            None => return None,
        },
    };
    let goals: Vec<String> = goals.iter().flat_map(|goal| goal_names(goal, row.format)).collect();
    let is_workspace = row.format == TaskFormat::Npm;
    Some(TaskInvocation { file, is_workspace, ..task_invocation(row.format, goals, args) })
}

/// Returns the names under which a file may have a task that a command line writes in this way.
fn goal_names(written: &str, format: TaskFormat) -> Vec<String> {
    match format {
        TaskFormat::Rake => vec![written.split('[').next().unwrap_or(written).to_owned()],
        TaskFormat::Npm => with_hooks(written.rsplit('#').next().unwrap_or(written)).to_vec(),
        // A project and its target, an environment and its script.
        TaskFormat::Nx | TaskFormat::Moon => written.split(':').map(ToOwned::to_owned).collect(),
        TaskFormat::Pyproject => {
            let own = written.rsplit(':').next().unwrap_or(written);
            vec![written.to_owned(), own.to_owned()]
        }
        _ => vec![written.to_owned()],
    }
}

fn task_invocation(format: TaskFormat, goals: Vec<String>, args: Vec<String>) -> TaskInvocation {
    TaskInvocation { format, file: None, goals, args, variables: Vec::new(), binary: None, is_workspace: false }
}

fn parse_assignment(word: &str) -> Option<(String, String)> {
    word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
}

/// Returns the operands and what is after them, without the options in front.
fn positional_arguments(words: &[Word], valued: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        if names.len() < 2 && word.text.starts_with('-') && word.text.len() > 1 && word.text != "--" {
            if valued.contains(&word.text.as_str()) {
                rest.next();
            }
        } else {
            names.push(word.text.clone());
        }
    }
    names
}

fn parse_make(words: &[Word]) -> TaskInvocation {
    let arguments =
        arguments::parse(words, Dialect::Posix, &["-C", "--directory", "-f", "--file", "--makefile", "-I", "-o", "-W"]);
    let file = arguments.values(&["-f", "--file", "--makefile"]).first().map(|word| word.text.clone());
    let operands = arguments.operands.iter().map(|word| word.text.as_str());
    let variables = operands.clone().filter_map(parse_assignment).collect();
    let goals = operands.filter(|name| !name.contains('=')).map(ToOwned::to_owned).collect();
    TaskInvocation { file, variables, ..task_invocation(TaskFormat::Make, goals, Vec::new()) }
}

/// Returns what the package managers for JavaScript are asked to run.
fn parse_package_manager(program: &str, words: &[Word]) -> Option<TaskInvocation> {
    let valued = &["--prefix", "-C", "--dir", "--cwd", "-w", "--workspace", "--filter", "-F", "--loglevel"];
    let scripts = |goals: Vec<String>, args: Vec<String>| Some(task_invocation(TaskFormat::Npm, goals, args));
    if matches!(program, "run-s" | "run-p" | "npm-run-all" | "npm-run-all2") {
        let names = words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
        return scripts(names.flat_map(|word| with_hooks(&word.text)).collect(), Vec::new());
    }
    if program == "node" {
        let at = words.iter().position(|word| word.text == "--run")?;
        let goal = words.get(at + 1)?.text.clone();
        return scripts(vec![goal], Vec::new());
    }
    let is_workspace = words.iter().any(|word| {
        let option = word.text.split('=').next().unwrap_or_default();
        matches!(option, "-r" | "--recursive" | "-w" | "-ws" | "--workspace" | "--workspaces" | "--filter" | "-F")
            || program == "yarn" && matches!(option, "workspace" | "workspaces")
    });
    let mut names = positional_arguments(words, valued);
    if program == "yarn" {
        let skipped = match names.first().map(String::as_str) {
            Some("workspace") => 2,
            // The options of `foreach` are among the names.
            Some("workspaces") => names.iter().position(|name| name == "run").unwrap_or_default(),
            _ => 0,
        };
        names.drain(..skipped.min(names.len()));
    }
    if program == "nr" || program == "rushx" {
        names.insert(0, "run".to_owned());
    }
    let Some((verb, rest)) = names.split_first() else {
        // Without a word, yarn installs.
        let bare = program == "yarn" && words.len() == 1;
        return if bare {
            scripts(INSTALL_SCRIPTS.iter().map(|name| (*name).to_owned()).collect(), Vec::new())
        } else {
            None
        };
    };
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let (goal, rest) = match verb.as_str() {
        "run" | "run-script" | "rum" | "urn" => rest.split_first().map(|(goal, rest)| (goal.clone(), rest))?,
        "test" | "t" | "tst" if program == "bun" => return None,
        "test" | "t" | "tst" => ("test".to_owned(), rest),
        "start" | "stop" | "restart" => (verb.clone(), rest),
        "install" | "i" | "ci" | "clean-install" | "it" => return scripts(list(INSTALL_SCRIPTS), Vec::new()),
        "publish" | "pack" => return scripts(list(PUBLISH_SCRIPTS), Vec::new()),
        _ if program == "npm" || PACKAGE_MANAGER_COMMANDS.contains(&verb.as_str()) || verb.contains(['/', '.']) => {
            return None;
        }
        _ => (verb.clone(), rest),
    };
    let args = rest.iter().skip(usize::from(rest.first().is_some_and(|arg| arg == "--"))).cloned().collect();
    let is_program = !goal.contains(['/', '.']) && !matches!(verb.as_str(), "test" | "t" | "tst" | "start" | "stop");
    let falls_back = is_program && matches!(program, "yarn" | "pnpm" | "bun");
    let asked = task_invocation(TaskFormat::Npm, with_hooks(&goal).to_vec(), args);
    Some(TaskInvocation { binary: falls_back.then_some(goal), is_workspace, ..asked })
}

/// Returns a script with those that run before and after it.
fn with_hooks(name: &str) -> [String; 3] {
    [format!("pre{name}"), name.to_owned(), format!("post{name}")]
}
