//! Tasks in TOML: `pyproject.toml`, `mise.toml`, `pixi.toml`, `Makefile.toml`, the aliases of cargo.

use serde_json::{Map, Value};

use super::{Recipe, RecipeLine, TaskFile};

/// The keys of a task whose value is a command or a list of commands.
const COMMAND_KEYS: &[&str] = &["shell", "run", "script", "commands", "sequence", "composite", "chain", "cmds"];

/// The keys of a task whose value is a command or the words of one.
const ARGV_KEYS: &[&str] = &["cmd", "command"];

/// The keys of a task that name other tasks.
const DEPENDENCY_KEYS: &[&str] =
    &["depends", "depends_on", "depends-on", "deps", "dependencies", "run_task", "uses", "pre", "post"];

/// Reads the tables of some sections, in which `*` stands for any key; `prefix` is put before each command.
pub(super) fn parse(text: &str, sections: &[&str], prefix: &str) -> Option<TaskFile> {
    let document: Value = basic_toml::from_str(text).ok()?;
    let mut tasks = TaskFile::default();
    for section in sections {
        let mut tables = vec![&document];
        for part in section.split('.') {
            tables = tables.into_iter().flat_map(|table| children(table, part)).collect();
        }
        for table in tables.into_iter().filter_map(Value::as_object) {
            for (name, task) in table {
                tasks.recipes.push(read_task(name, task, table, text, prefix));
            }
        }
    }
    Some(tasks)
}

fn children<'v>(table: &'v Value, part: &str) -> Vec<&'v Value> {
    match part {
        "*" => table.as_object().into_iter().flat_map(Map::values).collect(),
        name => table.get(name).into_iter().collect(),
    }
}

fn read_task(name: &str, task: &Value, table: &Map<String, Value>, text: &str, prefix: &str) -> Recipe {
    let mut recipe = Recipe { names: vec![name.to_owned()], ..Recipe::default() };
    let mut commands = Vec::new();
    match task {
        Value::Object(task) => {
            for key in COMMAND_KEYS {
                collect_commands(task.get(*key), &mut commands);
            }
            for key in ARGV_KEYS {
                let words = task.get(*key).into_iter().chain(task.get("args").filter(|_| task.contains_key(*key)));
                let words: Vec<String> = words.flat_map(argv).collect();
                commands.extend((!words.is_empty()).then(|| words.join(" ")));
            }
            for key in DEPENDENCY_KEYS {
                collect_names(task.get(*key), &mut recipe.dependencies);
            }
        }
        // The words of an alias.
        Value::Array(_) if !prefix.is_empty() => commands.push(argv(task).join(" ")),
        other => collect_commands(Some(other), &mut commands),
    }
    let number = line_of(text, name);
    for command in commands {
        // A command may begin with the name of another task.
        let first = command.split_whitespace().next().unwrap_or_default();
        recipe.dependencies.extend(table.contains_key(first).then(|| first.to_owned()));
        recipe.lines.push(RecipeLine { number, text: format!("{prefix}{command}") });
    }
    recipe
}

/// Adds the commands of a value: a text, or a list of strings, of words, or of tasks without a name.
fn collect_commands(value: Option<&Value>, commands: &mut Vec<String>) {
    match value {
        Some(Value::String(text)) => commands.push(text.clone()),
        Some(Value::Array(items)) => {
            for item in items {
                match item {
                    Value::Array(_) => commands.push(argv(item).join(" ")),
                    Value::Object(task) => {
                        for key in COMMAND_KEYS.iter().chain(ARGV_KEYS).chain(&["task", "ref"]) {
                            collect_commands(task.get(*key), commands);
                        }
                    }
                    other => collect_commands(Some(other), commands),
                }
            }
        }
        _ => {}
    }
}

/// Returns the words of a command: a line as it is, or a list.
fn argv(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect()
        }
        _ => Vec::new(),
    }
}

fn collect_names(value: Option<&Value>, names: &mut Vec<String>) {
    match value {
        Some(Value::String(name)) => names.push(name.clone()),
        Some(Value::Array(items)) => items.iter().for_each(|item| collect_names(Some(item), names)),
        Some(Value::Object(task)) => {
            for key in ["name", "task"] {
                collect_names(task.get(key), names);
            }
        }
        _ => {}
    }
}

/// Returns the line in which a task begins, from 1.
fn line_of(text: &str, name: &str) -> usize {
    let begins = |line: &str| {
        let line = line.trim();
        let key = line.split_once('=').map_or(line, |(key, _)| key).trim();
        let table = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        let last = table.map_or(key, |path| path.rsplit('.').next().unwrap_or(path));
        last.trim_matches(['"', '\'']) == name
    };
    text.lines().position(begins).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    fn lines(format: TaskFormat, text: &str, name: &str) -> Vec<(usize, String)> {
        let tasks = TaskFile::parse(format, text).unwrap();
        let order = tasks.execution_order(name);
        let lines = order.into_iter().flat_map(|recipe| tasks.lines(format, recipe, name, &[]));
        lines.map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn tasks_are_read_in_all_their_forms() {
        let text =
            "[tool.poe.tasks]\na = 'rm -rf x'\nb = ['a', 'c']\nc.shell = 'ls'\nd.sequence = [{cmd = 'pwd'}, 'a']\n";
        assert_eq!(lines(TaskFormat::Pyproject, text, "a"), [(2, "rm -rf x".to_owned())]);
        assert_eq!(lines(TaskFormat::Pyproject, text, "b")[0].1, "rm -rf x");
        assert_eq!(lines(TaskFormat::Pyproject, text, "d")[1].1, "pwd");
        let text = "[tool.hatch.envs.dev.scripts]\nx = 'rm -rf y'\nz = ['x --all']\n[tool.pdm.scripts]\np = {cmd = ['rm', '-rf', 'q']}\n";
        assert_eq!(lines(TaskFormat::Pyproject, text, "z")[0], (2, "rm -rf y".to_owned()));
        assert_eq!(lines(TaskFormat::Pyproject, text, "p"), [(5, "'rm' '-rf' 'q'".to_owned())]);
        let text = "[tasks.clean]\nrun = ['ls', 'rm -rf x']\ndepends = ['b']\n[tasks.b]\nrun = 'pwd'\n";
        assert_eq!(lines(TaskFormat::Mise, text, "clean").len(), 3);
        let text = "[tasks.clean]\ncommand = 'rm'\nargs = ['-rf', 'x']\n";
        assert_eq!(lines(TaskFormat::CargoMake, text, "clean"), [(1, "rm '-rf' 'x'".to_owned())]);
        let text = "[alias]\nx = 'run -p xtask --'\ny = ['run', '--release']\n";
        assert_eq!(lines(TaskFormat::CargoAlias, text, "x"), [(2, "cargo run -p xtask --".to_owned())]);
        assert_eq!(lines(TaskFormat::CargoAlias, text, "y")[0].1, "cargo 'run' '--release'");
        assert_eq!(TaskFile::parse(TaskFormat::Mise, "= ["), None);
    }
}
