//! Commands in JSON: the `scripts` of npm and composer, the `tasks` of deno.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Recipe, RecipeLine, TaskFile};

pub(super) fn parse(text: &str, key: &str) -> Option<TaskFile> {
    let document: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let Some(Value::Object(entries)) = document.get(key) else { return Some(TaskFile::default()) };
    let numbers = key_lines(text);
    let recipes = entries.iter().filter_map(|(name, value)| {
        let number = numbers.get(name.as_str()).copied().unwrap_or(1);
        let line = |text: &str| RecipeLine { number, text: text.to_owned() };
        let (commands, needs) = match value {
            Value::String(command) => (vec![line(command)], Vec::new()),
            Value::Array(items) => (items.iter().filter_map(Value::as_str).map(line).collect(), Vec::new()),
            Value::Object(task) => {
                let needs = task.get("dependencies").and_then(Value::as_array).into_iter().flatten();
                let needs = needs.filter_map(|need| need.as_str().map(ToOwned::to_owned)).collect();
                (task.get("command").and_then(Value::as_str).map(line).into_iter().collect(), needs)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => return None,
        };
        Some(Recipe { names: vec![name.clone()], dependencies: needs, lines: commands, ..Recipe::default() })
    });
    Some(TaskFile { recipes: recipes.collect(), ..TaskFile::default() })
}

/// Returns the lines in which keys are, where each has its own.
fn key_lines(text: &str) -> BTreeMap<&str, usize> {
    let mut numbers = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let key = line.trim_start().strip_prefix('"').and_then(|line| line.split_once('"'));
        if let Some((key, _)) = key.filter(|(_, behind)| behind.trim_start().starts_with(':')) {
            numbers.entry(key).or_insert(at + 1);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    #[test]
    fn scripts_are_found_with_their_lines() {
        let text = "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"clean\": \"rimraf dist\",\n    \"a\": 1\n  }\n}";
        let tasks = TaskFile::parse(TaskFormat::Npm, text).unwrap();
        let recipe = tasks.recipe("clean").unwrap();
        let lines = tasks.lines(TaskFormat::Npm, recipe, "clean", &[]);
        assert_eq!((lines[0].number, lines[0].text.as_str()), (4, "rimraf dist"));
        assert_eq!(tasks.recipes.len(), 1);
        assert_eq!(TaskFile::parse(TaskFormat::Npm, "{]"), None);
        let tasks = TaskFile::parse(
            TaskFormat::Deno,
            r#"{"tasks": {"x": {"command": "ls", "dependencies": ["y"]}, "y": "w"}}"#,
        );
        assert_eq!(tasks.unwrap().execution_order("x").len(), 2);
        let tasks = TaskFile::parse(TaskFormat::Composer, r#"{"scripts": {"x": ["@php a.php", "ls"]}}"#).unwrap();
        assert_eq!(tasks.lines(TaskFormat::Composer, tasks.recipe("x").unwrap(), "x", &[]).len(), 2);
    }
}
