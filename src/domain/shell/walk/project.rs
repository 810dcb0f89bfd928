//! Commands that a project names: `npm run x`, `make x`, `rake x`, `poe x`, `mise run x`.

use std::rc::Rc;

use super::directory;
use super::script_file::{FileContext, ScriptKind, detect_script_kind};
use super::task_invocation::{TaskInvocation, parse_task_invocation};
use super::{Invocation, Walker};
use crate::domain::shell::code::Language;
use crate::domain::shell::project::{BASE_ENVIRONMENT, Recipe, RecipeLine, TaskFile, TaskFormat, default_goal};
use crate::domain::shell::quote::single_quoted;
use crate::domain::shell::script::{OpaqueReason, Word};
use crate::domain::shell::script_files::ResolvedFile;

/// The most files that a makefile includes.
const MAX_INCLUDES: usize = 16;

impl Walker {
    /// Walks what a program runs that reads a project's file; nothing for others.
    pub(super) fn walk_task(&mut self, program: &str, call: &Invocation) {
        self.walk_edited_files(program, call);
        self.walk_task_program(program, call);
        let Some(asked) = parse_task_invocation(program, &call.words) else { return };
        let dirs = directory::command_directory(&call.words, &self.scope.state.cwd);
        let outer = std::mem::replace(&mut self.scope.state.cwd, dirs);
        let mut answers = match &asked.file {
            Some(file) => self.lookup_files(&[file], false, call),
            None => self.lookup_files(task_files(asked.format), is_searched_upward(asked.format), call),
        };
        for pattern in workspace_files(&asked) {
            answers.extend(self.lookup_files(&[pattern], false, call));
        }
        let mut is_script = false;
        for found in answers {
            let Some(text) = self.file_text(&found, call) else { continue };
            let text = match asked.format {
                TaskFormat::Make => self.with_includes(text, call),
                _ => text.to_owned(),
            };
            match TaskFile::parse(asked.format, &text) {
                Some(tasks) => {
                    is_script |= asked.binary.as_ref().is_some_and(|name| tasks.recipe(name).is_some());
                    self.with_file_directory(&found, |walker| walker.walk_goals(tasks, &asked, &found, program, call));
                }
                None => self.report_unread(OpaqueReason::ScriptUnread, call),
            }
        }
        // What is no script of the project is a program of its packages.
        if let Some(name) = asked.binary.as_ref().filter(|_| !is_script) {
            let words = std::iter::once(name).chain(&asked.args).map(Word::known).collect();
            self.run_nested(words, program, call, call.stdin.clone());
        }
        self.scope.state.cwd = outer;
    }

    /// Walks the tasks that are programs: the files of `gulp`, and the tasks of mise in files of their own.
    fn walk_task_program(&mut self, program: &str, call: &Invocation) {
        let script = ScriptKind::Language(Language::JavaScript);
        let args = call.words.get(1..).unwrap_or_default();
        match program {
            "gulp" | "gulp-cli" => {
                let names = ["gulpfile.js", "gulpfile.mjs", "gulpfile.cjs", "gulpfile.ts", "Gulpfile.js"];
                self.walk_first_existing(&names, script, &[], call);
            }
            "grunt" | "grunt-cli" => {
                self.walk_first_existing(&["Gruntfile.js", "gruntfile.js", "Gruntfile.cjs"], script, &[], call);
            }
            "jake" => {
                self.walk_first_existing(&["Jakefile.js", "jakefile.js", "Jakefile"], script, &[], call);
            }
            "mise" | "rtx" if args.first().is_some_and(|word| matches!(word.text.as_str(), "run" | "r")) => {
                let names: Vec<String> = args.get(1).filter(|word| word.literal).map_or_else(Vec::new, |task| {
                    let path = task.text.replace(':', "/");
                    let dirs = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"];
                    dirs.iter().flat_map(|dir| [format!("{dir}/{path}"), format!("{dir}/{path}.sh")]).collect()
                });
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                if !names.is_empty() {
                    self.walk_first_existing(&names, ScriptKind::Detect, args.get(2..).unwrap_or_default(), call);
                }
            }
            _ => {}
        }
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
            ([], TaskFormat::Task | TaskFormat::Rake | TaskFormat::CargoMake | TaskFormat::Mise) => {
                vec!["default".to_owned()]
            }
            ([], TaskFormat::Tox | TaskFormat::Nox | TaskFormat::Procfile | TaskFormat::PreCommit) => {
                tasks.recipes.iter().filter_map(|recipe| recipe.names.first()).cloned().collect()
            }
            (goals, TaskFormat::Tox) => {
                let known =
                    |goal: &String| if tasks.recipe(goal).is_some() { goal.clone() } else { BASE_ENVIRONMENT.into() };
                goals.iter().map(known).collect()
            }
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
                    _ => format!("{program} {name}"),
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
        if let Some(language) = recipe.language {
            for line in &lines {
                let here = FileContext::new(found, &line.text, line.number, &call.span);
                self.with_file(&format!("{} {}", found.path, line.text), here, call, |walker| {
                    walker.walk_program(&Word::known(line.text.as_str()), language, label, call);
                });
            }
            return;
        }
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
        let appends = !matches!(asked.format, TaskFormat::Make | TaskFormat::Just | TaskFormat::Task);
        if let Some(line) = lines.last_mut().filter(|_| appends) {
            for arg in &asked.args {
                line.text.push(' ');
                line.text.push_str(&single_quoted(arg));
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

/// Returns the names of the files of a format, the first of which counts.
const fn task_files(format: TaskFormat) -> &'static [&'static str] {
    match format {
        TaskFormat::Npm => &["package.json"],
        TaskFormat::Composer => &["composer.json"],
        TaskFormat::Deno => &["deno.json", "deno.jsonc", "package.json"],
        TaskFormat::Make => &["GNUmakefile", "makefile", "Makefile"],
        TaskFormat::Just => &["justfile", "Justfile", ".justfile", "JUSTFILE"],
        TaskFormat::Task => &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"],
        TaskFormat::Pyproject => &["pyproject.toml"],
        TaskFormat::Mise => &["mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml"],
        TaskFormat::Pixi => &["pixi.toml"],
        TaskFormat::CargoMake => &["Makefile.toml"],
        TaskFormat::CargoAlias => &[".cargo/config.toml", ".cargo/config"],
        TaskFormat::Rake => &["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"],
        TaskFormat::Invoke => &["tasks.py"],
        TaskFormat::Nox => &["noxfile.py"],
        TaskFormat::Tox => &["tox.ini", "setup.cfg"],
        TaskFormat::Procfile => &["Procfile.dev", "Procfile"],
        TaskFormat::Moon => &["moon.yml"],
        TaskFormat::Lefthook => &["lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"],
        TaskFormat::PreCommit => &[".pre-commit-config.yaml", ".pre-commit-config.yml"],
        TaskFormat::Nx => &["project.json"],
    }
}

const fn is_searched_upward(format: TaskFormat) -> bool {
    !matches!(format, TaskFormat::Make | TaskFormat::CargoMake | TaskFormat::Nox | TaskFormat::Procfile)
}

/// Returns patterns for the files of the parts of a project, for programs that run a task in each of them.
fn workspace_files(asked: &TaskInvocation) -> &'static [&'static str] {
    match asked.format {
        TaskFormat::Npm if asked.is_workspace => &["*/package.json", "*/*/package.json"],
        TaskFormat::Nx => &["*/project.json", "*/*/project.json"],
        TaskFormat::Moon => &["*/moon.yml", "*/*/moon.yml"],
        TaskFormat::Rake => &["lib/tasks/*.rake", "tasks/*.rake", "rakelib/*.rake"],
        _ => &[],
    }
}
