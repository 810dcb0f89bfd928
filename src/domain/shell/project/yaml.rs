//! Commands in YAML under other keys than those of Taskfiles: moon, lefthook, pre-commit.

use serde_json::Value;

use super::{Recipe, RecipeLine, TaskFile};

/// Reads the tasks of moon: `command`, `args` and `script`.
pub(super) fn parse_moon(text: &str) -> Option<TaskFile> {
    let document: Value = serde_yaml::from_str(text).ok()?;
    let mut tasks = TaskFile::default();
    for (name, task) in document.get("tasks").and_then(Value::as_object).into_iter().flatten() {
        let words: Vec<String> = ["command", "args"].iter().flat_map(|key| texts(task.get(*key))).collect();
        let scripts = texts(task.get("script"));
        let command = (!words.is_empty()).then(|| words.join(" "));
        let needs = texts(task.get("deps"));
        tasks.recipes.push(Recipe {
            names: vec![name.clone()],
            dependencies: needs.iter().map(|need| need.rsplit(':').next().unwrap_or(need).to_owned()).collect(),
            lines: scripts.into_iter().chain(command).map(|line| recipe_line(text, name, line)).collect(),
            ..Recipe::default()
        });
    }
    Some(tasks)
}

/// Reads the hooks of lefthook, each with the commands of its `commands`, `jobs` and `scripts`.
pub(super) fn parse_lefthook(text: &str) -> Option<TaskFile> {
    let document: Value = serde_yaml::from_str(text).ok()?;
    let mut tasks = TaskFile::default();
    for (name, hook) in document.as_object()? {
        let mut commands = Vec::new();
        collect_runs(hook, 0, &mut commands);
        let lines = commands.into_iter().map(|line| recipe_line(text, name, line)).collect();
        tasks.recipes.push(Recipe { names: vec![name.clone()], lines, ..Recipe::default() });
    }
    Some(tasks)
}

/// Reads the hooks of pre-commit that are the project's own.
pub(super) fn parse_pre_commit(text: &str) -> Option<TaskFile> {
    let document: Value = serde_yaml::from_str(text).ok()?;
    let mut tasks = TaskFile::default();
    let repositories = document.get("repos").and_then(Value::as_array).into_iter().flatten();
    let own = repositories.filter(|repository| repository.get("repo").and_then(Value::as_str) == Some("local"));
    for hook in own.filter_map(|repository| repository.get("hooks")?.as_array()).flatten() {
        let Some(id) = hook.get("id").and_then(Value::as_str) else { continue };
        let words: Vec<String> = ["entry", "args"].iter().flat_map(|key| texts(hook.get(*key))).collect();
        let is_command =
            matches!(hook.get("language").and_then(Value::as_str), Some("system" | "script" | "unsupported"));
        let lines = if is_command { vec![recipe_line(text, id, words.join(" "))] } else { Vec::new() };
        tasks.recipes.push(Recipe { names: vec![id.to_owned()], lines, ..Recipe::default() });
    }
    Some(tasks)
}

/// Returns a text, or the texts of a list.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Adds the values of `run` in a hook, also those of groups in it.
fn collect_runs(value: &Value, depth: usize, commands: &mut Vec<String>) {
    let children: Vec<&Value> = match value {
        Value::Object(entries) => {
            commands.extend(texts(entries.get("run")));
            entries.values().collect()
        }
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    for child in children.into_iter().filter(|_| depth < 6) {
        collect_runs(child, depth + 1, commands);
    }
}

/// Returns a line with its place: where its text, or else its name, is first.
fn recipe_line(text: &str, name: &str, line: String) -> RecipeLine {
    let first = line.lines().next().unwrap_or_default();
    let own = text.lines().position(|written| !first.is_empty() && written.contains(first));
    let at = own.or_else(|| text.lines().position(|written| written.contains(name)));
    RecipeLine { number: at.map_or(1, |at| at + 1), text: line }
}

#[cfg(test)]
mod tests {
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    #[test]
    fn commands_are_found_under_their_keys() {
        let tasks = TaskFile::parse(
            TaskFormat::Moon,
            "tasks:\n  clean:\n    command: rm -rf\n    args: [x]\n    deps: ['~:b']\n  b:\n    script: ls\n",
        );
        let tasks = tasks.unwrap();
        assert_eq!(tasks.execution_order("clean")[1].lines[0].text, "rm -rf x");
        assert_eq!(tasks.execution_order("clean")[0].lines[0].text, "ls");
        let tasks = TaskFile::parse(
            TaskFormat::Lefthook,
            "pre-push:\n  commands:\n    a:\n      run: rm -rf x\n  jobs:\n    - run: ls\n",
        );
        let hook = &tasks.unwrap().recipes[0];
        assert_eq!(hook.lines.len(), 2);
        assert!(hook.lines.iter().any(|line| line.text == "rm -rf x" && line.number == 4));
        let text = "repos:\n- repo: local\n  hooks:\n  - id: wipe\n    language: system\n    entry: rm -rf x\n- repo: https://x\n  hooks: [{id: y}]\n";
        let tasks = TaskFile::parse(TaskFormat::PreCommit, text).unwrap();
        assert_eq!(tasks.recipe("wipe").unwrap().lines[0].text, "rm -rf x");
        assert_eq!(tasks.recipes.len(), 1);
    }
}
