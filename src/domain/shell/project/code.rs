//! Tasks that are functions of a program: the Rakefile of Ruby, `tasks.py` and `noxfile.py` of Python.
//!
//! The body of each task is its code. The functions of the tool that run a command are written as those of the
//! language: `c.run(…)` of invoke is `os.system(…)`.

use super::{Recipe, RecipeLine, TaskFile};
use crate::domain::shell::code::Language;

/// The decorators that make a task of a function.
const DECORATORS: &[&str] = &["@task", "@invoke.task", "@nox.session", "@session"];

/// Reads the tasks of invoke, or those of nox, which passes words and not a line.
pub(super) fn parse_python(text: &str, is_nox: bool) -> TaskFile {
    let mut tasks = TaskFile::default();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((_, line)) = lines.next() {
        if !DECORATORS.iter().any(|name| line.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_word_letter)))
        {
            continue;
        }
        let mut decorator = line.to_owned();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim_start().starts_with("def ")) {
            decorator.push_str(line);
        }
        let Some((number, head)) = lines.next() else { break };
        let head = head.trim_start().trim_start_matches("def ");
        let (name, parameters) = head.split_once('(').unwrap_or((head, ""));
        let context = parameters.split([',', ')', ':']).next().unwrap_or_default().trim();
        let mut body = String::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| line.is_empty() || line.starts_with([' ', '\t', ')'])) {
            body.push_str(line);
            body.push('\n');
        }
        for method in ["run", "run_always", "run_install", "sudo", "local"] {
            let function = if is_nox { "os.execlp(" } else { "os.system(" };
            body = body.replace(&format!("{context}.{method}("), function);
        }
        let mut names = vec![name.to_owned(), name.replace('_', "-")];
        let given = decorator
            .split_once("name=")
            .and_then(|(_, rest)| rest.trim_start_matches(['"', '\'']).split(['"', '\'']).next());
        names.extend(given.map(ToOwned::to_owned));
        let called = decorator.split(|letter: char| !is_word_letter(letter)).filter(|word| !word.is_empty());
        tasks.recipes.push(Recipe {
            names,
            // What is no task has no recipe.
            dependencies: called.map(ToOwned::to_owned).collect(),
            lines: vec![RecipeLine { number: number + 2, text: body }],
            language: Some(Language::Python),
            ..Recipe::default()
        });
    }
    tasks
}

/// Reads the tasks of a Rakefile.
pub(super) fn parse_ruby(text: &str) -> TaskFile {
    let mut tasks = TaskFile::default();
    let mut spaces: Vec<(usize, String)> = Vec::new();
    let mut open: Option<(usize, Recipe)> = None;
    for (at, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        let code = code.trim_end();
        if let Some((start, recipe)) = &mut open {
            if *start == indent && matches!(code, "end" | "}") {
                tasks.recipes.extend(open.take().map(|(_, recipe)| recipe));
            } else {
                push_ruby(recipe, at + 1, line);
            }
        } else if let Some(rest) = code.strip_prefix("namespace ") {
            spaces.push((indent, symbols(rest).into_iter().next().unwrap_or_default()));
        } else if code == "end" && spaces.last().is_some_and(|(start, _)| *start == indent) {
            spaces.pop();
        } else if let Some(head) = ["task", "multitask", "file", "directory"]
            .iter()
            .find_map(|word| code.strip_prefix(word).filter(|rest| rest.starts_with([' ', '('])))
        {
            let (head, block) = head.split_once(" do").or_else(|| head.split_once('{')).unwrap_or((head, ""));
            let is_open = code.ends_with(" do") || code.contains(" do |") || code.ends_with('{');
            let mut names = symbols(head).into_iter();
            let Some(name) = names.next() else { continue };
            let space: String = spaces.iter().flat_map(|(_, name)| [name.as_str(), ":"]).collect();
            let mut recipe =
                Recipe { names: vec![format!("{space}{name}")], language: Some(Language::Ruby), ..Recipe::default() };
            for need in names {
                recipe.dependencies.push(format!("{space}{need}"));
                recipe.dependencies.push(need);
            }
            if is_open {
                open = Some((indent, recipe));
            } else {
                push_ruby(&mut recipe, at + 1, block.trim_end_matches('}'));
                tasks.recipes.push(recipe);
            }
        }
    }
    tasks.recipes.extend(open.map(|(_, recipe)| recipe));
    tasks
}

/// Adds a line of Ruby, in which `sh` is the function that runs a line.
fn push_ruby(recipe: &mut Recipe, number: usize, line: &str) {
    let code = line.trim();
    let text = match code.strip_prefix("sh").filter(|rest| rest.starts_with([' ', '('])) {
        Some(rest) => format!("system{rest}"),
        None => code.to_owned(),
    };
    match recipe.lines.first_mut() {
        Some(whole) => {
            whole.text.push('\n');
            whole.text.push_str(&text);
        }
        None => recipe.lines.push(RecipeLine { number, text }),
    }
}

/// Returns the names in the head of a task: `:a`, `"a"`, `a:`.
fn symbols(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| {
        !is_word_letter(letter) && letter != ':' && letter != '-' && letter != '/' && letter != '.'
    });
    words.map(|word| word.trim_matches(':').to_owned()).filter(|word| !word.is_empty()).collect()
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use crate::domain::shell::project::{TaskFile, TaskFormat};

    #[test]
    fn tasks_of_programs_have_their_body() {
        let text = "from invoke import task\n\n@task\ndef build(c):\n    c.run('make')\n\n@task(pre=[build], name='wipe')\ndef wipe_all(ctx, x=1):\n    ctx.run(\n        'rm -rf x')\n\nX = 1\n";
        let tasks = TaskFile::parse(TaskFormat::Invoke, text).unwrap();
        let order = tasks.execution_order("wipe-all");
        assert_eq!(order.len(), 2);
        let line = &tasks.lines(TaskFormat::Invoke, order[1], "wipe", &[])[0];
        assert_eq!((line.number, line.text.as_str()), (9, "    os.system(\n        'rm -rf x')\n\n"));
        assert!(tasks.recipe("wipe").is_some());
        let tasks = TaskFile::parse(
            TaskFormat::Nox,
            "@nox.session(python=['3.12'])\ndef t(session):\n  session.run('rm', 'x')\n",
        );
        assert!(tasks.unwrap().recipe("t").unwrap().lines[0].text.contains("os.execlp('rm', 'x')"));
    }

    #[test]
    fn rake_tasks_have_their_names_and_needs() {
        let text = "task default: [:build]\nnamespace :db do\n  desc 'x'\n  task :wipe, [:a] => :environment do |t|\n    sh 'rm -rf x'\n    if y\n      z\n    end\n  end\nend\ntask(:build) { sh \"ls\" }\n";
        let tasks = TaskFile::parse(TaskFormat::Rake, text).unwrap();
        let names: Vec<&str> = tasks.recipes.iter().map(|recipe| recipe.names[0].as_str()).collect();
        assert_eq!(names, ["default", "db:wipe", "build"]);
        assert_eq!(tasks.recipe("db:wipe").unwrap().lines[0].text, "system 'rm -rf x'\nif y\nz\nend");
        assert_eq!(tasks.recipe("build").unwrap().lines[0].text, "system \"ls\"");
        assert_eq!(tasks.execution_order("default").len(), 2);
    }
}
