//! Commands in JSON: the `scripts` of npm and composer, the `tasks` of deno, the `targets` of nx.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Recipe, RecipeLine, TaskFile};

/// Reads the commands under a key. What several files hold may stand one after the other.
pub(super) fn parse(text: &str, key: &str) -> Option<TaskFile> {
    let mut tasks = TaskFile::default();
    let numbers = key_lines(text);
    let text = text.trim_start_matches('\u{feff}');
    for document in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let document = document.ok()?;
        // What the script `wireit` runs is beside the scripts.
        let keys = if key == "scripts" { &[key, "wireit"][..] } else { &[key][..] };
        for entries in keys.iter().filter_map(|key| document.get(*key)?.as_object()) {
            tasks.recipes.extend(entries.iter().filter_map(|(name, value)| read_task(name, value, &numbers)));
        }
    }
    Some(tasks)
}

fn read_task(name: &str, value: &Value, numbers: &BTreeMap<&str, usize>) -> Option<Recipe> {
    let number = numbers.get(name).copied().unwrap_or(1);
    let line = |text: &str| RecipeLine { number, text: text.to_owned() };
    let (commands, needs) = match value {
        Value::String(command) => (vec![line(command)], Vec::new()),
        Value::Array(items) => (items.iter().filter_map(Value::as_str).map(line).collect(), Vec::new()),
        Value::Object(task) => {
            let needs = task.get("dependencies").and_then(Value::as_array).into_iter().flatten();
            let needs = needs.filter_map(|need| need.as_str().or_else(|| need.get("script")?.as_str()));
            let needs = needs.map(ToOwned::to_owned).collect();
            (task.get("command").and_then(Value::as_str).map(line).into_iter().collect(), needs)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    };
    Some(Recipe { names: vec![name.to_owned()], dependencies: needs, lines: commands, ..Recipe::default() })
}

/// Reads the targets of nx that run commands.
pub(super) fn parse_targets(text: &str) -> Option<TaskFile> {
    let mut tasks = TaskFile::default();
    let numbers = key_lines(text);
    for document in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let document = document.ok()?;
        for (name, target) in document.get("targets").and_then(Value::as_object).into_iter().flatten() {
            let options = target.get("options");
            let one = [target.get("command"), options.and_then(|options| options.get("command"))];
            let many = options.and_then(|options| options.get("commands")?.as_array()).into_iter().flatten();
            let commands = one.into_iter().flatten().chain(many);
            let commands = commands.filter_map(|command| command.as_str().or_else(|| command.get("command")?.as_str()));
            let number = numbers.get(name.as_str()).copied().unwrap_or(1);
            let needs = target.get("dependsOn").and_then(Value::as_array).into_iter().flatten();
            tasks.recipes.push(Recipe {
                names: vec![name.clone()],
                dependencies: needs
                    .filter_map(Value::as_str)
                    .map(|need| need.trim_start_matches('^').to_owned())
                    .collect(),
                lines: commands.map(|text| RecipeLine { number, text: text.to_owned() }).collect(),
                ..Recipe::default()
            });
        }
    }
    Some(tasks)
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
        let text = r#"{"scripts": {"x": "wireit"}, "wireit": {"x": {"command": "ls", "dependencies": ["y"]}}} {"scripts": {"y": "pwd"}}"#;
        let tasks = TaskFile::parse(TaskFormat::Npm, text).unwrap();
        assert_eq!(tasks.execution_order("x").len(), 3);
        let text = r#"{"targets": {"x": {"options": {"commands": ["ls", {"command": "pwd"}]}, "dependsOn": ["^y"]}}}"#;
        let tasks = TaskFile::parse(TaskFormat::Nx, text).unwrap();
        assert_eq!(tasks.recipe("x").unwrap().lines.len(), 2);
        let tasks = TaskFile::parse(TaskFormat::Composer, r#"{"scripts": {"x": ["@php a.php", "ls"]}}"#).unwrap();
        assert_eq!(tasks.lines(TaskFormat::Composer, tasks.recipe("x").unwrap(), "x", &[]).len(), 2);
    }
}
