//! Makefiles: rules, their dependencies and lines, and variables with a plain value.
//!
//! Of functions only `$(shell …)` and `$(wildcard …)` are followed: it is a command that runs, and is passed to the shell as such. Both
//! sides of a conditional count; pattern rules and included files do not.

use super::{MAX_EXPANDED, Recipe, RecipeLine, TaskFile, unknown_value};

/// How deep variables are put into each other.
const MAX_DEPTH: usize = 8;

pub(super) fn parse(text: &str) -> TaskFile {
    let mut tasks = TaskFile::default();
    tasks.set_variable("RM", "rm -f");
    tasks.set_variable("MAKE", "make");
    tasks.set_variable("CURDIR", ".");
    let mut current: Option<usize> = None;
    let mut defines = false;
    for (number, line) in join_continuations(text) {
        if defines {
            defines = !line.trim_start().starts_with("endef");
        } else if let Some(recipe) = line.strip_prefix('\t') {
            if let Some(rule) = current.and_then(|at| tasks.recipes.get_mut(at)) {
                push_line(rule, number, recipe);
            }
        } else {
            let plain = without_comment(&line);
            let plain = plain.trim();
            let first = plain.split_whitespace().next().unwrap_or_default();
            match first {
                "" | "ifeq" | "ifneq" | "ifdef" | "ifndef" | "else" | "endif" | "include" | "-include" | "sinclude"
                | "vpath" | "undefine" | "unexport" => {}
                "define" => defines = true,
                _ => {
                    let plain =
                        plain.strip_prefix("export ").or_else(|| plain.strip_prefix("override ")).unwrap_or(plain);
                    if !parse_assignment(&mut tasks, plain, number) {
                        current = parse_rule(&mut tasks, plain, number).or(current);
                    }
                }
            }
        }
    }
    tasks
}

/// Returns the lines with those put together that end in a backslash, each with its number.
fn join_continuations(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        let continues = line.ends_with('\\');
        let part = line.strip_suffix('\\').unwrap_or(line);
        match lines.last_mut().filter(|_| open) {
            Some((_, whole)) => {
                whole.push(' ');
                whole.push_str(part.trim_start());
            }
            None => lines.push((at + 1, part.to_owned())),
        }
        open = continues;
    }
    lines
}

fn without_comment(line: &str) -> &str {
    match line.find('#') {
        Some(at) if !line.get(..at).is_some_and(|before| before.ends_with('\\')) => line.get(..at).unwrap_or(line),
        _ => line,
    }
}

/// Reads `NAME = value` in its kinds; returns whether the line is one.
fn parse_assignment(tasks: &mut TaskFile, line: &str, number: usize) -> bool {
    let Some((head, value)) = line.split_once('=') else { return false };
    let name = head.trim_end_matches([':', '?', '+', '!']).trim();
    if name.is_empty() || name.contains([' ', '\t', ':', '$', '(']) {
        return false;
    }
    let value = value.trim();
    let kind = head.get(head.trim_end_matches([':', '?', '+', '!']).len()..).unwrap_or_default();
    match kind {
        "?" if tasks.variables.contains_key(name) => {}
        "+" => {
            let before = tasks.variables.get(name).cloned().unwrap_or_default();
            if before.len() + value.len() < MAX_EXPANDED {
                tasks.set_variable(name, format!("{before} {value}").trim_start());
            }
        }
        "!" => {
            tasks.top_level_lines.push(RecipeLine { number, text: value.to_owned() });
            tasks.set_variable(name, &format!("$(shell {value})"));
        }
        _ => {
            if kind.starts_with(':') && value.contains("$(shell ") {
                let text = format!(": {}", expand(tasks, value, ""));
                tasks.top_level_lines.push(RecipeLine { number, text });
            }
            tasks.set_variable(name, value);
        }
    }
    true
}

/// Reads `targets: needs ; line` and returns the place of the rule.
fn parse_rule(tasks: &mut TaskFile, line: &str, number: usize) -> Option<usize> {
    let (targets, behind) = line.split_once(':')?;
    let behind = behind.trim_start_matches(':');
    let (needs, first) = behind.split_once(';').map_or((behind, None), |(needs, first)| (needs, Some(first)));
    // A variable of one target alone.
    let needs = if needs.contains('=') { "" } else { needs };
    let list = |text: &str| {
        let text = expand(tasks, text, "");
        text.split_whitespace().filter(|word| *word != "|").map(ToOwned::to_owned).collect::<Vec<String>>()
    };
    let mut recipe = Recipe { names: list(targets), dependencies: list(needs), ..Recipe::default() };
    if let Some(first) = first {
        push_line(&mut recipe, number, first);
    }
    tasks.recipes.push(recipe);
    tasks.recipes.len().checked_sub(1)
}

fn push_line(recipe: &mut Recipe, number: usize, line: &str) {
    let text = line.trim_start_matches(['@', '-', '+', ' ', '\t']);
    if !text.is_empty() && !text.starts_with('#') {
        recipe.lines.push(RecipeLine { number, text: text.to_owned() });
    }
}

/// Returns the goal of a call that names none.
pub(crate) fn default_goal(tasks: &TaskFile) -> Option<&str> {
    if let Some(goal) = tasks.variables.get(".DEFAULT_GOAL") {
        return Some(goal);
    }
    let names = tasks.recipes.iter().filter_map(|recipe| recipe.names.first());
    names.map(String::as_str).find(|name| (!name.starts_with('.') || name.contains('/')) && !name.contains('%'))
}

/// Returns a text with its variables put in.
pub(super) fn expand(tasks: &TaskFile, text: &str, target: &str) -> String {
    let mut out = String::new();
    expand_into(tasks, text, target, 0, &mut out);
    out
}

fn expand_into(tasks: &TaskFile, text: &str, target: &str, depth: usize, out: &mut String) {
    if !tasks.spend(text.len() + 1) {
        return;
    }
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        if out.len() > MAX_EXPANDED {
            return;
        }
        let Some(sign) = behind.chars().next() else { return };
        let close = match sign {
            '(' => ')',
            '{' => '}',
            '$' => {
                out.push('$');
                rest = behind.get(1..).unwrap_or_default();
                continue;
            }
            _ => {
                let (name, more) = behind.split_at_checked(sign.len_utf8()).unwrap_or((behind, ""));
                expand_variable(tasks, name, target, depth, out);
                rest = more;
                continue;
            }
        };
        let inside = behind.get(1..).unwrap_or_default();
        let end = closing_bracket(inside, sign, close);
        let name = inside.get(..end).unwrap_or(inside);
        if let Some(pattern) = name.strip_prefix("wildcard ").filter(|_| depth < MAX_DEPTH) {
            expand_into(tasks, pattern, target, depth + 1, out);
            rest = inside.get(end + 1..).unwrap_or_default();
            continue;
        }
        match name.strip_prefix("shell ") {
            Some(command) if depth < MAX_DEPTH => {
                out.push_str("$(");
                expand_into(tasks, command, target, depth + 1, out);
                out.push(')');
            }
            _ => expand_variable(tasks, name, target, depth, out),
        }
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Returns where a bracket closes.
fn closing_bracket(text: &str, open: char, close: char) -> usize {
    let mut nested = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            nested += 1;
        } else if letter == close {
            if nested == 0 {
                return at;
            }
            nested -= 1;
        }
    }
    text.len()
}

fn expand_variable(tasks: &TaskFile, name: &str, target: &str, depth: usize, out: &mut String) {
    match (name, tasks.variables.get(name)) {
        ("@", _) if !target.is_empty() => out.push_str(target),
        (_, Some(value)) if depth < MAX_DEPTH => expand_into(tasks, value, target, depth + 1, out),
        ("HOME" | "PWD", None) => {
            out.push('$');
            out.push_str(name);
        }
        _ => out.push_str(&unknown_value(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::default_goal;
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    const FILE: &str = "\
# a file
BUILD := build
OUT = $(BUILD)/out
DIR ?= dist
SUM := $(shell git rev-parse HEAD)
.PHONY: all clean
all: app
\t@echo done
app: $(OUT)/x.o ; touch app
clean:
\t-@rm -rf $(OUT) \\
\t  ${DIR} $(UNKNOWN)/x $$HOME
ifdef X
\trm $@
endif
define LONG
\trm -rf /
endef
%.o: %.c
\tcc $<
deep:: ; $(shell rm $(BUILD))
";

    fn lines(name: &str) -> Vec<(usize, String)> {
        let tasks = TaskFile::parse(TaskFormat::Make, FILE).unwrap();
        let order = tasks.execution_order(name);
        order
            .into_iter()
            .flat_map(|recipe| tasks.lines(TaskFormat::Make, recipe, name, &[]))
            .map(|line| (line.number, line.text))
            .collect()
    }

    #[test]
    fn rules_are_read_with_their_variables() {
        assert_eq!(lines("all"), [(9, "touch app".to_owned()), (8, "echo done".to_owned())]);
        let clean = [(11, "rm -rf build/out  dist ${_UNKNOWN}/x $HOME".to_owned()), (14, "rm clean".to_owned())];
        assert_eq!(lines("clean"), clean);
        assert_eq!(lines("deep"), [(21, "$(rm build)".to_owned())]);
        let tasks = TaskFile::parse(TaskFormat::Make, FILE).unwrap();
        assert_eq!(default_goal(&tasks), Some("all"));
        assert_eq!(tasks.top_level_lines[0].text, ": $(git rev-parse HEAD)");
    }

    #[test]
    fn variables_that_name_each_other_end() {
        let tasks = TaskFile::parse(TaskFormat::Make, "A = $(A)$(A)\nB = $(B) x\nx:\n\techo $(A) $(B) $(\n").unwrap();
        let line = &tasks.lines(TaskFormat::Make, tasks.recipe("x").unwrap(), "x", &[])[0];
        assert!(line.text.starts_with("echo "), "{}", line.text);
        assert!(line.text.len() < 40_000);
    }
}
