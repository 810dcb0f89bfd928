//! Files whose whole text is code.

use super::document::line_of;
use crate::domain::shell::project::{TaskFile, TaskFormat, default_goal};
use crate::domain::shell::quote;

/// Returns the shell text that runs code of another language.
pub(super) fn inline(runner: &str, code: &str) -> String {
    format!("{runner} {}", quote(code))
}

/// Returns the shell text of a script, by the interpreter that its first line names.
pub(super) fn script(text: &str) -> String {
    let first = text.lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    match first {
        line if line.contains("python") => inline("python3 -c", text),
        line if line.contains("node") || line.contains("bun") => inline("node -e", text),
        line if line.contains("ruby") => inline("ruby -e", text),
        line if line.contains("perl") => inline("perl -e", text),
        _ => text.to_owned(),
    }
}

/// Returns the lines that `make` runs without a goal.
pub(super) fn default_recipes(text: &str) -> Vec<(usize, String)> {
    let Some(tasks) = TaskFile::parse(TaskFormat::Make, text) else { return Vec::new() };
    let Some(goal) = default_goal(&tasks) else { return Vec::new() };
    let recipes = tasks.execution_order(goal);
    let lines = recipes.into_iter().flat_map(|recipe| tasks.lines(TaskFormat::Make, recipe, goal, &[]));
    lines.map(|line| (line.number, line.text)).collect()
}

/// Returns the shell steps of a pipeline of Jenkins: `sh 'x'`, `sh "x"`, `sh '''x'''`, `sh(script: 'x')`.
pub(super) fn groovy_steps(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("sh") {
        let is_word = rest.get(..at).is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        rest = rest.get(at + 2..).unwrap_or_default();
        let argument = rest.trim_start_matches([' ', '(']).trim_start_matches("script:").trim_start();
        let Some(fence) = ["'''", "\"\"\"", "'", "\""].into_iter().find(|fence| argument.starts_with(fence)) else {
            continue;
        };
        let body = argument.get(fence.len()..).unwrap_or_default();
        if let Some((code, behind)) = body.split_once(fence).filter(|_| is_word) {
            found.push((line_of(text, code), code.replace("\\\"", "\"").replace("\\'", "'")));
            rest = behind;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{groovy_steps, script};

    #[test]
    fn steps_of_jenkins_are_found_in_every_quote() {
        let text = "sh 'a'\n  sh(script: \"b\", returnStdout: true)\nsh '''\n c\n'''\npush 'd'";
        let found: Vec<String> = groovy_steps(text).into_iter().map(|(_, text)| text.trim().to_owned()).collect();
        assert_eq!(found, ["a", "b", "c"]);
    }

    #[test]
    fn a_script_is_run_by_what_its_first_line_names() {
        assert_eq!(script("#!/usr/bin/env python3\nx"), "python3 -c '#!/usr/bin/env python3\nx'");
        assert_eq!(script("#!/bin/sh\nls"), "#!/bin/sh\nls");
    }
}
