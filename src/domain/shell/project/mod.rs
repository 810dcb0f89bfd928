//! Files in which a project names its own commands: what `npm run x`, `make x` or `rake x` runs.
//!
//! Each format is read as far as it is plain text. What would have to be computed stays in the lines as a variable
//! whose value is unknown, so that nothing is guessed.

mod code;
mod ini;
mod json;
mod justfile;
mod makefile;
mod taskfile;
mod toml;
mod yaml;

pub(crate) use ini::BASE_ENVIRONMENT;
pub(crate) use makefile::default_goal;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::code::Language;

/// A format of such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskFormat {
    /// The `scripts` of a `package.json`.
    Npm,
    /// The `scripts` of a `composer.json`.
    Composer,
    /// The `tasks` of a `deno.json`.
    Deno,
    Make,
    Just,
    Task,
    /// The tables of a `pyproject.toml` in which tools for Python keep tasks.
    Pyproject,
    /// The `tasks` of mise.
    Mise,
    /// The `tasks` of pixi.
    Pixi,
    /// The `tasks` of a `Makefile.toml`.
    CargoMake,
    /// The aliases of cargo.
    CargoAlias,
    /// The tasks of a Rakefile.
    Rake,
    /// The functions of a `tasks.py`.
    Invoke,
    /// The functions of a `noxfile.py`.
    Nox,
    Tox,
    Procfile,
    Moon,
    Lefthook,
    PreCommit,
    /// The targets of a `project.json`.
    Nx,
}

/// The commands of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TaskFile {
    pub(crate) recipes: Vec<Recipe>,
    /// The variables of the file, unexpanded.
    variables: BTreeMap<String, String>,
    /// The lines that run whatever is asked for.
    pub(crate) top_level_lines: Vec<RecipeLine>,
    /// What putting in variables has cost, in bytes.
    expansion_cost: Cell<usize>,
}

/// A command of a project: the lines after a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Recipe {
    pub(crate) names: Vec<String>,
    /// The recipes that run before it.
    pub(crate) dependencies: Vec<String>,
    /// The names of its parameters, with what they are when not given.
    parameters: Vec<(String, Option<String>)>,
    lines: Vec<RecipeLine>,
    /// Whether the lines are one script and not each a shell of its own.
    pub(crate) is_single_script: bool,
    /// The language of the lines, where they are no commands.
    pub(crate) language: Option<Language>,
}

/// A line of a recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecipeLine {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    pub(crate) text: String,
}

/// The tables of a `pyproject.toml` with tasks.
const PYPROJECT_SECTIONS: &[&str] = &[
    "tool.poe.tasks",
    "tool.pdm.scripts",
    "tool.hatch.envs.*.scripts",
    "tool.rye.scripts",
    "tool.pixi.tasks",
    "tool.pixi.feature.*.tasks",
    "tool.taskipy.tasks",
];

/// The most recipes that one call runs.
const MAX_RECIPES: usize = 128;

/// How deep recipes are followed that need each other.
const MAX_DEPENDENCY_DEPTH: usize = 32;

/// The most bytes that are read to put in the variables of one file.
const MAX_EXPANSION_COST: usize = 1 << 20;

/// The longest text that expanding a line may make.
const MAX_EXPANDED: usize = 1 << 14;

impl TaskFile {
    /// Reads a file; or nothing when it is not of its format.
    pub(crate) fn parse(format: TaskFormat, text: &str) -> Option<Self> {
        match format {
            TaskFormat::Npm | TaskFormat::Composer => json::parse(text, "scripts"),
            TaskFormat::Deno => json::parse(text, "tasks"),
            TaskFormat::Make => Some(makefile::parse(text)),
            TaskFormat::Just => Some(justfile::parse(text)),
            TaskFormat::Task => taskfile::parse(text),
            TaskFormat::Pyproject => toml::parse(text, PYPROJECT_SECTIONS, ""),
            TaskFormat::Mise | TaskFormat::Pixi => toml::parse(text, &["tasks", "feature.*.tasks"], ""),
            TaskFormat::CargoMake => toml::parse(text, &["tasks"], ""),
            TaskFormat::CargoAlias => toml::parse(text, &["alias"], "cargo "),
            TaskFormat::Rake => Some(code::parse_ruby(text)),
            TaskFormat::Invoke => Some(code::parse_python(text, false)),
            TaskFormat::Nox => Some(code::parse_python(text, true)),
            TaskFormat::Tox => Some(ini::parse_tox(text)),
            TaskFormat::Procfile => Some(ini::parse_procfile(text)),
            TaskFormat::Moon => yaml::parse_moon(text),
            TaskFormat::Lefthook => yaml::parse_lefthook(text),
            TaskFormat::PreCommit => yaml::parse_pre_commit(text),
            TaskFormat::Nx => json::parse_targets(text),
        }
    }

    /// Returns a recipe by name.
    pub(crate) fn recipe(&self, name: &str) -> Option<&Recipe> {
        self.recipes.iter().find(|recipe| recipe.names.iter().any(|known| known == name))
    }

    /// Sets a variable, as a command line does.
    pub(crate) fn set_variable(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// Returns the recipes that run for a name, in order; each runs once.
    pub(crate) fn execution_order(&self, name: &str) -> Vec<&Recipe> {
        let mut order = Vec::new();
        self.collect_dependencies(name, 0, &mut BTreeSet::new(), &mut order);
        order
    }

    /// Pays for looking at text and returns whether there is something left.
    fn spend(&self, length: usize) -> bool {
        self.expansion_cost.set(self.expansion_cost.get().saturating_add(length));
        self.expansion_cost.get() <= MAX_EXPANSION_COST
    }

    fn collect_dependencies<'t>(
        &'t self,
        name: &str,
        depth: usize,
        seen: &mut BTreeSet<String>,
        order: &mut Vec<&'t Recipe>,
    ) {
        if depth > MAX_DEPENDENCY_DEPTH || seen.len() > MAX_RECIPES || !seen.insert(name.to_owned()) {
            return;
        }
        // In a Makefile a names may be several times, to need more.
        for recipe in self.recipes.iter().filter(|recipe| recipe.names.iter().any(|known| known == name)) {
            for need in &recipe.dependencies {
                self.collect_dependencies(need, depth + 1, seen, order);
            }
            if !order.iter().any(|known| std::ptr::eq(*known, recipe)) {
                order.push(recipe);
            }
        }
    }

    /// Returns the lines of a recipe as a shell gets them.
    pub(crate) fn lines(&self, format: TaskFormat, recipe: &Recipe, name: &str, args: &[String]) -> Vec<RecipeLine> {
        let expand = |line: &RecipeLine| {
            let text = match format {
                TaskFormat::Make => makefile::expand(self, &line.text, name),
                TaskFormat::Just => justfile::expand(self, recipe, &line.text, args),
                TaskFormat::Task => taskfile::expand(self, &line.text),
                TaskFormat::Mise | TaskFormat::Pixi => substitute_placeholders(&line.text, |_| None),
                _ => line.text.clone(),
            };
            RecipeLine { number: line.number, text }
        };
        recipe.lines.iter().map(expand).collect()
    }
}

/// Returns a text in which each `{{name}}` is filled in, with what represents the unknown where there is no value.
fn substitute_placeholders(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        let (name, more) = behind.split_once("}}").unwrap_or((behind, ""));
        let name = name.trim();
        out.push_str(&value(name).unwrap_or_else(|| unknown_value(name)));
        rest = more;
        if out.len() > MAX_EXPANDED {
            return out;
        }
    }
    out.push_str(rest);
    out
}

/// Returns the text that marks an unknown value for a shell.
fn unknown_value(name: &str) -> String {
    let plain: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).take(40).collect();
    format!("${{_{plain}}}")
}
