//! Commands that a project names: `npm run x`, `make x`, `just x`, `task x`, `composer x`, `deno task x`.

use std::rc::Rc;

use super::directory;
use super::script_file::{FileContext, ScriptKind, detect_script_kind};
use super::simple::shell_quote;
use super::{Invocation, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::project::{Recipe, RecipeLine, TaskFile, TaskFormat, default_goal};
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};
use crate::domain::shell::script_files::ResolvedFile;

/// What a command line asks of a project's file.
struct TaskInvocation {
    format: TaskFormat,
    /// The file, where the command line names it.
    file: Option<String>,
    /// The names of what is to run; none for what the file says.
    goals: Vec<String>,
    /// The arguments that are passed on to it.
    args: Vec<String>,
    /// The variables that are set on the command line.
    variables: Vec<(String, String)>,
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
    "x",
];

/// The scripts that run along with an installation.
const INSTALL_SCRIPTS: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

/// The scripts that run along with a publication.
const PUBLISH_SCRIPTS: &[&str] = &["prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"];

/// The most files that a makefile includes.
const MAX_INCLUDES: usize = 16;

impl Walker {
    /// Walks what a program runs that reads a project's file; nothing for others.
    pub(super) fn walk_task(&mut self, program: &str, call: &Invocation) {
        if matches!(program, "npm" | "pnpm") {
            self.walk_package_settings(call);
        }
        let Some(asked) = parse_task_invocation(program, &call.words) else { return };
        let (names, upward): (&[&str], bool) = match asked.format {
            TaskFormat::Npm => (&["package.json"], true),
            TaskFormat::Composer => (&["composer.json"], true),
            TaskFormat::Deno => (&["deno.json", "deno.jsonc", "package.json"], true),
            TaskFormat::Make => (&["GNUmakefile", "makefile", "Makefile"], false),
            TaskFormat::Just => (&["justfile", "Justfile", ".justfile", "JUSTFILE"], true),
            TaskFormat::Task => (&["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"], true),
        };
        let dirs = directory::command_directory(&call.words, &self.scope.state.cwd);
        let outer = std::mem::replace(&mut self.scope.state.cwd, dirs);
        let answers = match &asked.file {
            Some(file) => self.lookup_files(&[file], false, call),
            None => self.lookup_files(names, upward, call),
        };
        for found in answers {
            let Some(text) = self.file_text(&found, call) else { continue };
            let text = match asked.format {
                TaskFormat::Make => self.with_includes(text, call),
                _ => text.to_owned(),
            };
            match TaskFile::parse(asked.format, &text) {
                Some(tasks) => {
                    self.with_file_directory(&found, |walker| walker.walk_goals(tasks, &asked, &found, program, call));
                }
                None => self.report_unread(OpaqueReason::ScriptUnread, call),
            }
        }
        self.scope.state.cwd = outer;
    }

    /// Returns the text of a makefile together with the files that it includes.
    fn with_includes(&mut self, text: &str, call: &Invocation) -> String {
        let mut whole = text.to_owned();
        let directive = |line: &str| {
            let names = ["include ", "-include ", "sinclude "].iter().find_map(|word| line.strip_prefix(word))?;
            Some(names.trim().to_owned())
        };
        let named: Vec<String> = text.lines().filter_map(directive).collect();
        for name in named.iter().flat_map(|names| names.split_whitespace()).take(MAX_INCLUDES) {
            if let Some(text) = self.read_text(&Word::known(name), call) {
                whole.push('\n');
                whole.push_str(&text.text);
            }
        }
        whole
    }

    fn walk_goals(
        &mut self,
        mut tasks: TaskFile,
        asked: &TaskInvocation,
        found: &ResolvedFile,
        program: &str,
        call: &Invocation,
    ) {
        for (name, value) in &asked.variables {
            // What the shell has expanded is no variable of the makefile.
            tasks.set_variable(name, &value.replace("${HOME}", "~").replace("$HOME", "~"));
        }
        let goals = match (asked.goals.as_slice(), asked.format) {
            ([], TaskFormat::Make) => default_goal(&tasks).map(ToOwned::to_owned).into_iter().collect(),
            ([], TaskFormat::Just) => {
                let first = tasks.recipe("default").or_else(|| tasks.recipes.first());
                first.and_then(|recipe| recipe.names.first()).cloned().into_iter().collect()
            }
            ([], TaskFormat::Task) => vec!["default".to_owned()],
            (goals, _) => goals.to_vec(),
        };
        for line in &tasks.top_level_lines {
            self.walk_recipe_line(found, line, program, call);
        }
        for goal in &goals {
            for recipe in tasks.execution_order(goal) {
                let name = recipe.names.iter().find(|name| *name == goal).or(recipe.names.first());
                let name = name.map_or(goal.as_str(), String::as_str);
                let lines = tasks.lines(asked.format, recipe, name, &asked.args);
                let label = match asked.format {
                    TaskFormat::Npm | TaskFormat::Composer => format!("{program} run {name}"),
                    TaskFormat::Deno => format!("{program} task {name}"),
                    TaskFormat::Make | TaskFormat::Just | TaskFormat::Task => format!("{program} {name}"),
                };
                self.walk_recipe(found, recipe, lines, asked, &label, call);
            }
        }
    }

    fn walk_recipe(
        &mut self,
        found: &ResolvedFile,
        recipe: &Recipe,
        mut lines: Vec<RecipeLine>,
        asked: &TaskInvocation,
        label: &str,
        call: &Invocation,
    ) {
        if recipe.is_single_script {
            let Some(first) = lines.first().map(|line| line.number) else { return };
            let text = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
            match detect_script_kind("", &text) {
                ScriptKind::Language(language) => {
                    let here = FileContext::new(found, &text, first, &call.span);
                    self.with_file(&format!("{} {text}", found.path), here, call, |walker| {
                        walker.walk_program(&Word::known(text.as_str()), language, label, call);
                    });
                }
                ScriptKind::Shell => self.walk_excerpt(found, &text, first, label, call),
                ScriptKind::Sourced | ScriptKind::WindowsShell(_) | ScriptKind::Unsupported | ScriptKind::Detect => {}
            }
            return;
        }
        let appends = matches!(asked.format, TaskFormat::Npm | TaskFormat::Composer | TaskFormat::Deno);
        if let Some(line) = lines.last_mut().filter(|_| appends) {
            for arg in &asked.args {
                line.text.push(' ');
                line.text.push_str(&shell_quote(arg));
            }
        }
        for line in &lines {
            match line.text.strip_prefix('@').filter(|_| asked.format == TaskFormat::Composer) {
                Some(own) if own.starts_with("php ") || own.starts_with("composer ") => {
                    self.walk_recipe_line(
                        found,
                        &RecipeLine { number: line.number, text: own.to_owned() },
                        label,
                        call,
                    );
                }
                Some(other) => {
                    let text = format!("composer run {other}");
                    self.walk_recipe_line(found, &RecipeLine { number: line.number, text }, label, call);
                }
                None => self.walk_recipe_line(found, line, label, call),
            }
        }
    }

    /// Walks one line of a file, which a shell of its own runs.
    fn walk_recipe_line(&mut self, found: &ResolvedFile, line: &RecipeLine, label: &str, call: &Invocation) {
        self.subshell(|walker| {
            walker.scope.state.positional = Some(Rc::default());
            walker.walk_excerpt(found, &line.text, line.number, label, call);
        });
    }
}

fn parse_task_invocation(program: &str, words: &[Word]) -> Option<TaskInvocation> {
    let literal = words.iter().take(64).all(|word| word.literal || word.text.contains('='));
    let words = words.get(..words.len().min(64)).unwrap_or(words);
    match program {
        "npm" | "pnpm" | "yarn" | "bun" | "node" | "run-s" | "run-p" | "npm-run-all" | "npm-run-all2" => {
            parse_package_manager(program, words)
        }
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
        _ => None,
    }
}

fn task_invocation(format: TaskFormat, goals: Vec<String>, args: Vec<String>) -> TaskInvocation {
    TaskInvocation { format, file: None, goals, args, variables: Vec::new() }
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
    let names = positional_arguments(words, valued);
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
    scripts(with_hooks(&goal).to_vec(), args)
}

/// Returns a script with those that run before and after it.
fn with_hooks(name: &str) -> [String; 3] {
    [format!("pre{name}"), name.to_owned(), format!("post{name}")]
}
