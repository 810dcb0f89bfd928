//! Files in which a project names its own commands: what `npm run x`, `make x` or `just x` runs.
//!
//! Each format is read as far as it is plain text. What would have to be computed stays in the
//! lines as a variable whose value is not known, so that nothing is guessed.

mod json;
mod justfile;
mod makefile;
mod taskfile;

pub(crate) use makefile::default_goal;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// A format of such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// The `scripts` of a `package.json`.
    Npm,
    /// The `scripts` of a `composer.json`.
    Composer,
    /// The `tasks` of a `deno.json`.
    Deno,
    Make,
    Just,
    Task,
}

/// The commands of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tasks {
    pub(crate) recipes: Vec<Recipe>,
    /// The variables of the file, unexpanded.
    variables: BTreeMap<String, String>,
    /// The lines that run whatever is asked for.
    pub(crate) always: Vec<Line>,
    /// What putting in variables has cost, in bytes.
    spent: Cell<usize>,
}

/// A command of a project: the lines behind a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Recipe {
    pub(crate) names: Vec<String>,
    /// The recipes that run before it.
    pub(crate) needs: Vec<String>,
    /// The names of its parameters, with what they are when not given.
    parameters: Vec<(String, Option<String>)>,
    lines: Vec<Line>,
    /// Whether the lines are one script and not each a shell of its own.
    pub(crate) whole: bool,
}

/// A line of a recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    pub(crate) text: String,
}

/// The most recipes that one call runs.
const MAX_RECIPES: usize = 128;

/// How deep recipes are followed that need each other.
const MAX_NEEDS: usize = 32;

/// The most bytes that are looked at to put in the variables of one file.
const MAX_SPENT: usize = 1 << 20;

/// The longest text that expanding a line may make.
const MAX_EXPANDED: usize = 1 << 14;

impl Tasks {
    /// Reads a file; nothing when it is not of its format.
    pub(crate) fn read(format: Format, text: &str) -> Option<Self> {
        match format {
            Format::Npm | Format::Composer => json::read(text, "scripts"),
            Format::Deno => json::read(text, "tasks"),
            Format::Make => Some(makefile::read(text)),
            Format::Just => Some(justfile::read(text)),
            Format::Task => taskfile::read(text),
        }
    }

    /// Returns a recipe by name.
    pub(crate) fn recipe(&self, name: &str) -> Option<&Recipe> {
        self.recipes.iter().find(|recipe| recipe.names.iter().any(|known| known == name))
    }

    /// Sets a variable, as a command line does.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// Returns the recipes that run for a name, in order; each runs once.
    pub(crate) fn order(&self, name: &str) -> Vec<&Recipe> {
        let mut order = Vec::new();
        self.collect(name, 0, &mut BTreeSet::new(), &mut order);
        order
    }

    /// Pays for looking at text and tells whether there is something left.
    fn spend(&self, length: usize) -> bool {
        self.spent.set(self.spent.get().saturating_add(length));
        self.spent.get() <= MAX_SPENT
    }

    fn collect<'t>(&'t self, name: &str, depth: usize, seen: &mut BTreeSet<String>, order: &mut Vec<&'t Recipe>) {
        if depth > MAX_NEEDS || seen.len() > MAX_RECIPES || !seen.insert(name.to_owned()) {
            return;
        }
        // In a Makefile a name may stand several times, to need more.
        for recipe in self.recipes.iter().filter(|recipe| recipe.names.iter().any(|known| known == name)) {
            for need in &recipe.needs {
                self.collect(need, depth + 1, seen, order);
            }
            if !order.iter().any(|known| std::ptr::eq(*known, recipe)) {
                order.push(recipe);
            }
        }
    }

    /// Returns the lines of a recipe as a shell gets them.
    pub(crate) fn lines(&self, format: Format, recipe: &Recipe, name: &str, args: &[String]) -> Vec<Line> {
        let expand = |line: &Line| {
            let text = match format {
                Format::Make => makefile::expand(self, &line.text, name),
                Format::Just => justfile::expand(self, recipe, &line.text, args),
                Format::Task => taskfile::expand(self, &line.text),
                Format::Npm | Format::Composer | Format::Deno => line.text.clone(),
            };
            Line { number: line.number, text }
        };
        recipe.lines.iter().map(expand).collect()
    }
}

/// Returns a text in which each `{{name}}` is filled in, with what stands for the unknown where there is no value.
fn filled(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        let (name, more) = behind.split_once("}}").unwrap_or((behind, ""));
        let name = name.trim();
        out.push_str(&value(name).unwrap_or_else(|| unknown(name)));
        rest = more;
        if out.len() > MAX_EXPANDED {
            return out;
        }
    }
    out.push_str(rest);
    out
}

/// Returns how a shell is told that a value is not known.
fn unknown(name: &str) -> String {
    let plain: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).take(40).collect();
    format!("${{_{plain}}}")
}
