//! Commands that a project names: `npm run x`, `make x`, `just x`, `task x`, `composer x`, `deno task x`.

use std::rc::Rc;

use super::directory;
use super::disk::{Here, Reader, told};
use super::simple::quoted;
use super::{Invocation, Walker};
use crate::domain::shell::files::Found;
use crate::domain::shell::option;
use crate::domain::shell::project::{Format, Line, Recipe, Tasks, default_goal};
use crate::domain::shell::script::{Dialect, OpaqueReason, Word};

/// What a command line asks of a project's file.
struct Asked {
    format: Format,
    /// The file, where the command line names it.
    file: Option<String>,
    /// The names of what is to run; none for what the file says.
    goals: Vec<String>,
    /// What is handed on to it.
    args: Vec<String>,
    /// The variables that are set on the command line.
    variables: Vec<(String, String)>,
}

/// The subcommands of yarn and pnpm that are their own, so that no script of that name is meant.
const OWN: &[&str] = &[
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
const INSTALL: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

/// The scripts that run along with a publication.
const PUBLISH: &[&str] = &["prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"];

impl Walker {
    /// Walks what a program runs that reads a project's file; nothing for others.
    pub(super) fn task(&mut self, program: &str, call: &Invocation) {
        let Some(asked) = asked(program, &call.words) else { return };
        let (names, upward): (&[&str], bool) = match asked.format {
            Format::Npm => (&["package.json"], true),
            Format::Composer => (&["composer.json"], true),
            Format::Deno => (&["deno.json", "deno.jsonc", "package.json"], true),
            Format::Make => (&["GNUmakefile", "makefile", "Makefile"], false),
            Format::Just => (&["justfile", "Justfile", ".justfile", "JUSTFILE"], true),
            Format::Task => (&["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"], true),
        };
        let dirs = directory::of(&call.words, &self.scope.state.cwd);
        let outer = std::mem::replace(&mut self.scope.state.cwd, dirs);
        let answers = match &asked.file {
            Some(file) => self.lookup(&[file], false, call),
            None => self.lookup(names, upward, call),
        };
        for found in answers {
            let Some(text) = self.text_of(&found, call) else { continue };
            match Tasks::read(asked.format, text) {
                Some(tasks) => self.in_directory(&found, |walker| walker.goals(tasks, &asked, &found, program, call)),
                None => self.unread(OpaqueReason::ScriptUnread, call),
            }
        }
        self.scope.state.cwd = outer;
    }

    fn goals(&mut self, mut tasks: Tasks, asked: &Asked, found: &Found, program: &str, call: &Invocation) {
        for (name, value) in &asked.variables {
            tasks.set(name, value);
        }
        let goals = match (asked.goals.as_slice(), asked.format) {
            ([], Format::Make) => default_goal(&tasks).map(ToOwned::to_owned).into_iter().collect(),
            ([], Format::Just) => {
                let first = tasks.recipe("default").or_else(|| tasks.recipes.first());
                first.and_then(|recipe| recipe.names.first()).cloned().into_iter().collect()
            }
            ([], Format::Task) => vec!["default".to_owned()],
            (goals, _) => goals.to_vec(),
        };
        for line in &tasks.always {
            self.line(found, line, program, call);
        }
        for goal in &goals {
            for recipe in tasks.order(goal) {
                let name = recipe.names.iter().find(|name| *name == goal).or(recipe.names.first());
                let name = name.map_or(goal.as_str(), String::as_str);
                let lines = tasks.lines(asked.format, recipe, name, &asked.args);
                let label = match asked.format {
                    Format::Npm | Format::Composer => format!("{program} run {name}"),
                    Format::Deno => format!("{program} task {name}"),
                    Format::Make | Format::Just | Format::Task => format!("{program} {name}"),
                };
                self.recipe(found, recipe, lines, asked, &label, call);
            }
        }
    }

    fn recipe(
        &mut self,
        found: &Found,
        recipe: &Recipe,
        mut lines: Vec<Line>,
        asked: &Asked,
        label: &str,
        call: &Invocation,
    ) {
        if recipe.whole {
            let Some(first) = lines.first().map(|line| line.number) else { return };
            let text = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
            match told("", &text) {
                Reader::Language(language) => {
                    let here = Here::passage(found, &text, first, &call.span);
                    self.in_file(&format!("{} {text}", found.path), here, call, |walker| {
                        walker.source(&Word::known(text.as_str()), language, label, call);
                    });
                }
                Reader::Shell => self.passage(found, &text, first, label, call),
                Reader::Here | Reader::Windows(_) | Reader::Stranger | Reader::Itself => {}
            }
            return;
        }
        let appends = matches!(asked.format, Format::Npm | Format::Composer | Format::Deno);
        if let Some(line) = lines.last_mut().filter(|_| appends) {
            for arg in &asked.args {
                line.text.push(' ');
                line.text.push_str(&quoted(arg));
            }
        }
        for line in &lines {
            match line.text.strip_prefix('@').filter(|_| asked.format == Format::Composer) {
                Some(own) if own.starts_with("php ") || own.starts_with("composer ") => {
                    self.line(found, &Line { number: line.number, text: own.to_owned() }, label, call);
                }
                Some(other) => {
                    let text = format!("composer run {other}");
                    self.line(found, &Line { number: line.number, text }, label, call);
                }
                None => self.line(found, line, label, call),
            }
        }
    }

    /// Walks one line of a file, which a shell of its own runs.
    fn line(&mut self, found: &Found, line: &Line, label: &str, call: &Invocation) {
        self.subshell(|walker| {
            walker.scope.state.positional = Some(Rc::default());
            walker.passage(found, &line.text, line.number, label, call);
        });
    }
}

fn asked(program: &str, words: &[Word]) -> Option<Asked> {
    let literal = words.iter().take(64).all(|word| word.literal || word.text.contains('='));
    let words = words.get(..words.len().min(64)).unwrap_or(words);
    match program {
        "npm" | "pnpm" | "yarn" | "bun" | "node" | "run-s" | "run-p" | "npm-run-all" | "npm-run-all2" => {
            package(program, words)
        }
        "composer" => {
            let names = plain(words, &[]);
            let (verb, rest) = names.split_first()?;
            let (goal, rest) = match verb.as_str() {
                "run" | "run-script" => rest.split_first()?,
                _ => (verb, rest),
            };
            let args = rest.iter().filter(|arg| *arg != "--").cloned().collect();
            Some(of(Format::Composer, vec![goal.clone()], args))
        }
        "deno" => {
            let names = plain(words, &["--config", "-c", "--cwd"]);
            let (goal, rest) = names.strip_prefix(&["task".to_owned()])?.split_first()?;
            Some(of(Format::Deno, vec![goal.clone()], rest.to_vec()))
        }
        "make" | "gmake" | "bmake" if literal => Some(make(words)),
        "just" => {
            let arguments = option::read(words, Dialect::Posix, &["-f", "--justfile", "-d", "--working-directory"]);
            let file = arguments.values(&["-f", "--justfile"]).first().map(|word| word.text.clone());
            let mut names = arguments.operands.iter().map(|word| word.text.clone());
            let variables = names.clone().filter_map(|name| pair(&name)).collect();
            let goal = names.find(|name| !name.contains('='));
            let args: Vec<String> = names.collect();
            // A word behind a recipe is an argument of it, or a recipe of its own.
            let goals = goal.into_iter().chain(args.iter().cloned()).collect();
            Some(Asked { file, variables, ..of(Format::Just, goals, args) })
        }
        "task" | "go-task" => {
            let arguments = option::read(words, Dialect::Posix, &["-t", "--taskfile", "-d", "--dir"]);
            let file = arguments.values(&["-t", "--taskfile"]).first().map(|word| word.text.clone());
            let names: Vec<String> = arguments.operands.iter().map(|word| word.text.clone()).collect();
            let variables = names.iter().filter_map(|name| pair(name)).collect();
            let goals = names.into_iter().filter(|name| !name.contains('=')).collect();
            Some(Asked { file, variables, ..of(Format::Task, goals, Vec::new()) })
        }
        _ => None,
    }
}

fn of(format: Format, goals: Vec<String>, args: Vec<String>) -> Asked {
    Asked { format, file: None, goals, args, variables: Vec::new() }
}

fn pair(word: &str) -> Option<(String, String)> {
    word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
}

/// Returns the operands and what stands behind them, without the options in front.
fn plain(words: &[Word], valued: &[&str]) -> Vec<String> {
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

fn make(words: &[Word]) -> Asked {
    let arguments =
        option::read(words, Dialect::Posix, &["-C", "--directory", "-f", "--file", "--makefile", "-I", "-o", "-W"]);
    let file = arguments.values(&["-f", "--file", "--makefile"]).first().map(|word| word.text.clone());
    let operands = arguments.operands.iter().map(|word| word.text.as_str());
    let variables = operands.clone().filter_map(pair).collect();
    let goals = operands.filter(|name| !name.contains('=')).map(ToOwned::to_owned).collect();
    Asked { file, variables, ..of(Format::Make, goals, Vec::new()) }
}

/// Returns what the package managers for JavaScript are asked to run.
fn package(program: &str, words: &[Word]) -> Option<Asked> {
    let valued = &["--prefix", "-C", "--dir", "--cwd", "-w", "--workspace", "--filter", "-F", "--loglevel"];
    let scripts = |goals: Vec<String>, args: Vec<String>| Some(of(Format::Npm, goals, args));
    if matches!(program, "run-s" | "run-p" | "npm-run-all" | "npm-run-all2") {
        let names = words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
        return scripts(names.flat_map(|word| with_hooks(&word.text)).collect(), Vec::new());
    }
    if program == "node" {
        let at = words.iter().position(|word| word.text == "--run")?;
        let goal = words.get(at + 1)?.text.clone();
        return scripts(vec![goal], Vec::new());
    }
    let names = plain(words, valued);
    let Some((verb, rest)) = names.split_first() else {
        // Without a word, yarn installs.
        let bare = program == "yarn" && words.len() == 1;
        return if bare { scripts(INSTALL.iter().map(|name| (*name).to_owned()).collect(), Vec::new()) } else { None };
    };
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let (goal, rest) = match verb.as_str() {
        "run" | "run-script" | "rum" | "urn" => rest.split_first().map(|(goal, rest)| (goal.clone(), rest))?,
        "test" | "t" | "tst" if program == "bun" => return None,
        "test" | "t" | "tst" => ("test".to_owned(), rest),
        "start" | "stop" | "restart" => (verb.clone(), rest),
        "install" | "i" | "ci" | "clean-install" | "it" => return scripts(list(INSTALL), Vec::new()),
        "publish" | "pack" => return scripts(list(PUBLISH), Vec::new()),
        _ if program == "npm" || OWN.contains(&verb.as_str()) || verb.contains(['/', '.']) => return None,
        _ => (verb.clone(), rest),
    };
    let args = rest.iter().skip(usize::from(rest.first().is_some_and(|arg| arg == "--"))).cloned().collect();
    scripts(with_hooks(&goal).to_vec(), args)
}

/// Returns a script with those that run before and after it.
fn with_hooks(name: &str) -> [String; 3] {
    [format!("pre{name}"), name.to_owned(), format!("post{name}")]
}
