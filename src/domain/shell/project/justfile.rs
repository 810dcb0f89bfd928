//! Justfiles: recipes with parameters and dependencies, and variables with a plain value.

use super::{Recipe, RecipeLine, TaskFile, substitute_placeholders};

pub(super) fn parse(text: &str) -> TaskFile {
    let mut tasks = TaskFile::default();
    let mut current = None;
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        if line.starts_with([' ', '\t']) {
            if let Some(recipe) = current.and_then(|at: usize| tasks.recipes.get_mut(at)) {
                push_line(recipe, number, line);
            }
            continue;
        }
        let line = line.trim_end();
        if line.is_empty() || line.starts_with(['#', '[']) {
            continue;
        }
        current = None;
        if let Some((name, value)) = line.split_once(":=") {
            let name = name.trim().trim_start_matches("export ").trim();
            let value = value.trim();
            match (
                name.starts_with("set "),
                name.strip_prefix("alias "),
                string_literal(value),
                backquoted_command(value),
            ) {
                (true, ..) => {}
                (_, Some(alias), ..) => {
                    let known = tasks.recipes.iter_mut().find(|recipe| recipe.names.iter().any(|name| name == value));
                    match known {
                        Some(recipe) => recipe.names.push(alias.to_owned()),
                        None => tasks.recipes.push(Recipe {
                            names: vec![alias.to_owned()],
                            dependencies: vec![value.to_owned()],
                            ..Recipe::default()
                        }),
                    }
                }
                (_, _, Some(text), _) => tasks.set_variable(name, text),
                (_, _, _, Some(command)) => tasks.top_level_lines.push(RecipeLine { number, text: command.to_owned() }),
                _ => {}
            }
        } else if let Some((head, needs)) = line.split_once(':') {
            let mut words = head.split_whitespace().map(|word| word.trim_start_matches('@'));
            let Some(name) = words.next() else { continue };
            let parameters = words.map(|word| {
                let word = word.trim_start_matches(['*', '+', '$']);
                let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
                (name.to_owned(), value.and_then(string_literal).map(ToOwned::to_owned))
            });
            let needs = needs.split('#').next().unwrap_or_default();
            let needs = needs.split(|letter: char| letter.is_whitespace() || "()&".contains(letter));
            tasks.recipes.push(Recipe {
                names: vec![name.to_owned()],
                dependencies: needs.filter(|word| !word.is_empty()).map(ToOwned::to_owned).collect(),
                parameters: parameters.collect(),
                ..Recipe::default()
            });
            current = tasks.recipes.len().checked_sub(1);
        }
    }
    tasks
}

/// Returns the text of a string between quotes.
fn string_literal(value: &str) -> Option<&str> {
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value.strip_prefix(quote)?.strip_suffix(quote)
}

/// Returns the command of a value between backquotes, which runs when the file is read.
fn backquoted_command(value: &str) -> Option<&str> {
    value.strip_prefix('`')?.strip_suffix('`')
}

fn push_line(recipe: &mut Recipe, number: usize, line: &str) {
    let text = line.trim();
    if recipe.lines.is_empty() && text.starts_with("#!") {
        recipe.is_single_script = true;
    }
    let text = if recipe.is_single_script { text } else { text.trim_start_matches(['@', '-']) };
    if let Some(before) = recipe.lines.last_mut().filter(|line| !recipe.is_single_script && line.text.ends_with('\\')) {
        before.text.pop();
        before.text.push_str(text);
    } else if !text.is_empty() {
        recipe.lines.push(RecipeLine { number, text: text.to_owned() });
    }
}

/// Returns a line with `{{name}}` put in.
pub(super) fn expand(tasks: &TaskFile, recipe: &Recipe, text: &str, args: &[String]) -> String {
    substitute_placeholders(text, |name| {
        let parameter = recipe.parameters.iter().position(|(known, _)| known == name);
        let given = parameter.and_then(|at| {
            args.get(at).cloned().or_else(|| recipe.parameters.get(at).and_then(|(_, value)| value.clone()))
        });
        given.or_else(|| tasks.variables.get(name).cloned())
    })
}

#[cfg(test)]
mod tests {
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    #[test]
    fn recipes_are_read_with_their_parameters() {
        let text = "set shell := ['bash']\ndist := \"out\"\nversion := `git describe`\nalias c := clean\n\n# x\nclean target='x': build (deep 'a')\n    @rm -rf {{dist}} {{target}} \\\n      {{ other }}\n\nbuild:\n  cargo build\ndeep a:\n  #!/usr/bin/env python3\n  print(1)\n";
        let tasks = TaskFile::parse(TaskFormat::Just, text).unwrap();
        let order = tasks.execution_order("c");
        let names: Vec<&str> = order.iter().map(|recipe| recipe.names[0].as_str()).collect();
        assert_eq!(names, ["build", "deep", "clean", "c"]);
        let clean = tasks.recipe("clean").unwrap();
        let lines = tasks.lines(TaskFormat::Just, clean, "clean", &["y".into()]);
        assert_eq!(lines[0].text, "rm -rf out y ${_other}");
        assert_eq!(tasks.lines(TaskFormat::Just, clean, "clean", &[])[0].text, "rm -rf out x ${_other}");
        assert!(tasks.recipe("deep").unwrap().is_single_script);
        assert_eq!(tasks.top_level_lines[0].text, "git describe");
    }
}
