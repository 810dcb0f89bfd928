//! Commands in plain lines: the environments of `tox.ini`, the processes of a `Procfile`.

use super::{Recipe, RecipeLine, TaskFile, unknown_value};

/// The name of the environment whose commands hold for those without commands of their own.
pub(crate) const BASE_ENVIRONMENT: &str = "testenv";

/// The keys of an environment whose value is commands.
const COMMAND_KEYS: &[&str] = &["commands", "commands_pre", "commands_post"];

/// Reads the environments of tox.
pub(super) fn parse_tox(text: &str) -> TaskFile {
    let mut tasks = TaskFile::default();
    let mut current: Option<Recipe> = None;
    let mut is_command = false;
    let close = |tasks: &mut TaskFile, recipe: Option<Recipe>| {
        let Some(mut recipe) = recipe else { return };
        if recipe.lines.is_empty() && recipe.names.iter().all(|name| name != BASE_ENVIRONMENT) {
            recipe.dependencies.push(BASE_ENVIRONMENT.to_owned());
        }
        tasks.recipes.push(recipe);
    };
    for (at, line) in text.lines().enumerate() {
        if let Some(section) = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            close(&mut tasks, current.take());
            let name = section.strip_prefix("testenv:").or((section == BASE_ENVIRONMENT).then_some(section));
            current = name.map(|name| Recipe { names: vec![name.to_owned()], ..Recipe::default() });
            is_command = false;
            continue;
        }
        let Some(recipe) = &mut current else { continue };
        let mut command = line;
        if !line.starts_with([' ', '\t']) {
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            is_command = COMMAND_KEYS.contains(&key.trim());
            command = value;
        }
        let command = command.trim().trim_start_matches(['-', '!', '@']).trim_start();
        if !is_command || command.is_empty() || command.starts_with('#') {
            continue;
        }
        match recipe.lines.last_mut().filter(|line| line.text.ends_with('\\')) {
            Some(before) => {
                before.text.pop();
                before.text.push_str(&substitute(command));
            }
            None => recipe.lines.push(RecipeLine { number: at + 1, text: substitute(command) }),
        }
    }
    close(&mut tasks, current);
    tasks
}

/// Returns a line in which each `{name}` is a variable whose value is not known.
fn substitute(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, more) = behind.split_once('}').unwrap_or((behind, ""));
        out.push_str(before);
        match name.strip_prefix("posargs") {
            Some(default) => out.push_str(default.trim_start_matches(':')),
            None => out.push_str(&unknown_value(name)),
        }
        rest = more;
    }
    out.push_str(rest);
    out
}

/// Reads the processes of a Procfile: `name: command`.
pub(super) fn parse_procfile(text: &str) -> TaskFile {
    let mut tasks = TaskFile::default();
    for (at, line) in text.lines().enumerate() {
        let Some((name, command)) = line.split_once(':').filter(|(name, _)| !name.trim_start().starts_with('#')) else {
            continue;
        };
        let lines = vec![RecipeLine { number: at + 1, text: command.trim().to_owned() }];
        tasks.recipes.push(Recipe { names: vec![name.trim().to_owned()], lines, ..Recipe::default() });
    }
    tasks
}

#[cfg(test)]
mod tests {
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    #[test]
    fn environments_and_processes_are_read() {
        let text = "[tox]\nenvlist = a\n[testenv]\ncommands =\n    pytest {posargs:-q}\n[testenv:clean]\ncommands = - rm -rf {envdir}/x\n[testenv:a]\ndeps = b\n";
        let tasks = TaskFile::parse(TaskFormat::Tox, text).unwrap();
        let clean = tasks.recipe("clean").unwrap();
        assert_eq!(clean.lines[0].text, "rm -rf ${_envdir}/x");
        assert_eq!(clean.lines[0].number, 7);
        let order = tasks.execution_order("a");
        assert_eq!(order[0].lines[0].text, "pytest -q");
        let tasks = TaskFile::parse(TaskFormat::Procfile, "# x: y\nweb: rm -rf x\n").unwrap();
        assert_eq!(tasks.recipe("web").unwrap().lines[0].text, "rm -rf x");
        assert_eq!(tasks.recipes.len(), 1);
    }
}
