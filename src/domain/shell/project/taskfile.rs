//! Taskfiles: tasks with their commands and dependencies, in YAML.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Recipe, RecipeLine, TaskFile, substitute_placeholders};

pub(super) fn parse(text: &str) -> Option<TaskFile> {
    let document: Value = serde_yaml::from_str(text).ok()?;
    let mut tasks = TaskFile::default();
    for (name, value) in document.get("vars").and_then(Value::as_object).into_iter().flatten() {
        if let Some(value) = value.as_str() {
            tasks.set_variable(name, value);
        }
    }
    let keys = text.lines().enumerate().filter_map(|(at, line)| Some((line.trim().split_once(':')?.0, at + 1)));
    let numbers: BTreeMap<&str, usize> = keys.collect();
    for (name, task) in document.get("tasks").and_then(Value::as_object).into_iter().flatten() {
        let number = numbers.get(name.as_str()).copied().unwrap_or(1);
        let mut recipe = Recipe { names: vec![name.clone()], ..Recipe::default() };
        let commands = match task {
            Value::Object(task) => {
                for need in task.get("deps").and_then(Value::as_array).into_iter().flatten() {
                    recipe
                        .dependencies
                        .extend(need.as_str().or_else(|| need.get("task")?.as_str()).map(ToOwned::to_owned));
                }
                task.get("cmds").or_else(|| task.get("cmd"))
            }
            other => Some(other),
        };
        let commands = match commands {
            Some(Value::Array(items)) => items.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for command in commands {
            if let Some(line) = command.as_str().or_else(|| command.get("cmd")?.as_str()) {
                recipe.lines.push(RecipeLine { number, text: line.to_owned() });
            }
            recipe.dependencies.extend(command.get("task").and_then(Value::as_str).map(ToOwned::to_owned));
        }
        tasks.recipes.push(recipe);
    }
    Some(tasks)
}

/// Returns a line with `{{.NAME}}` put in.
pub(super) fn expand(tasks: &TaskFile, text: &str) -> String {
    substitute_placeholders(text, |name| name.strip_prefix('.').and_then(|name| tasks.variables.get(name)).cloned())
}

#[cfg(test)]
mod tests {
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    #[test]
    fn tasks_are_read_with_what_they_need() {
        let text = "version: '3'\nvars:\n  OUT: dist\ntasks:\n  clean:\n    deps: [a]\n    cmds:\n      - rm -rf {{.OUT}} {{.X}}\n      - task: b\n  a: ls\n  b:\n    cmd: pwd\n";
        let tasks = TaskFile::parse(TaskFormat::Task, text).unwrap();
        assert_eq!(tasks.execution_order("clean").len(), 3);
        let line = &tasks.lines(TaskFormat::Task, tasks.recipe("clean").unwrap(), "clean", &[])[0];
        assert_eq!((line.number, line.text.as_str()), (5, "rm -rf dist ${__X}"));
        assert_eq!(TaskFile::parse(TaskFormat::Task, "- [").map(|tasks| tasks.recipes.len()), None);
    }
}
