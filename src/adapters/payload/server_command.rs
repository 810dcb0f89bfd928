//! Tools of servers that are commands of a program: `git_push`, `kubectl_delete`, `run_gcloud_command`.
//!
//! Such a call is the command line that the program would get, so that rules about the program hold for it. The names
//! of programs, of tools that take a whole command line, and of arguments are tables.

use serde_json::{Map, Value};

use crate::domain::event::tool::name_words;
use crate::domain::shell::quote;

/// Words in the names of tools, with the program that they are about.
const PROGRAMS: &[(&str, &str)] = &[
    ("git", "git"),
    ("kubectl", "kubectl"),
    ("helm", "helm"),
    ("terraform", "terraform"),
    ("tofu", "tofu"),
    ("pulumi", "pulumi"),
    ("prisma", "prisma"),
    ("gcloud", "gcloud"),
    ("redis", "redis-cli"),
    ("aws", "aws"),
    ("npm", "npm"),
    ("docker", "docker"),
];

/// Words in the names of tools that take a command line.
const RUNNER_WORDS: &[&str] =
    &["execute", "run", "call", "command", "commands", "cli", "cmd", "generic", "exec", "raw", "mcp", "tool", "use"];

/// Arguments that hold a command line or its words.
const LINE_ARGUMENTS: &[&str] = &["command", "cmd", "clicommand", "subcommand", "args", "arguments", "argv"];

/// Arguments that say what of several things a command does.
const MODE_ARGUMENTS: &[&str] = &["mode", "operation", "action"];

/// Arguments that follow a command without an option, in this order.
const OPERANDS: &[&str] = &[
    "remote",
    "resourcetype",
    "kind",
    "resource",
    "branch",
    "branchname",
    "target",
    "commit",
    "ref",
    "tag",
    "stashref",
    "worktreepath",
    "release",
    "releasename",
    "name",
    "key",
];

/// Arguments that are options with a value.
const OPTIONS: &[(&str, &str)] =
    &[("replicas", "--replicas"), ("scale", "--replicas"), ("namespace", "--namespace"), ("output", "--output")];

/// Returns the command line that a call of a server's tool is, if it is one of a known program.
pub(super) fn command_line(server: &str, tool: &str, input: &Map<String, Value>) -> Option<String> {
    let words: Vec<String> = name_words(tool).into_iter().filter(|word| !word.is_empty()).collect();
    let program_in = |words: &[String]| PROGRAMS.iter().find(|(name, _)| words.iter().any(|word| word == name));
    let (name, program) = *program_in(&words).or_else(|| PROGRAMS.iter().find(|(name, _)| *name == server))?;
    let is_cli = |word: &String| word != name && !RUNNER_WORDS.contains(&word.as_str());
    let verbs: Vec<&String> = words.iter().filter(|word| is_cli(word)).collect();
    let argument = |wanted: &str| input.iter().find(|(key, _)| normalized(key) == wanted).map(|(_, value)| value);
    let mut line = vec![program.to_owned()];
    let own = LINE_ARGUMENTS.iter().find_map(|wanted| argument(wanted)).map(words_of).unwrap_or_default();
    if verbs.is_empty() {
        // A whole line may begin with the program itself.
        let own = own.strip_prefix(program).filter(|rest| rest.starts_with(' ')).unwrap_or(&own).trim();
        // Calls of an interface name a service and an operation.
        let service = argument("servicename").zip(argument("operationname"));
        match service.and_then(|(service, operation)| service.as_str().zip(operation.as_str())) {
            Some((service, operation)) => line.push(format!("{} {}", quote(service), name_words(operation).join("-"))),
            None if own.is_empty() => return None,
            None => line.push(own.to_owned()),
        }
    } else {
        line.extend(verbs.iter().map(|verb| (*verb).clone()));
    }
    let takes_flag = matches!(verbs.first().map(|verb| verb.as_str()), Some("reset" | "branch" | "tag"));
    if let Some(mode) = MODE_ARGUMENTS.iter().find_map(|wanted| argument(wanted)).and_then(Value::as_str) {
        line.push(if takes_flag { format!("--{mode}") } else { quote(mode) });
    }
    for (key, value) in input {
        match value {
            Value::Bool(true) => line.push(format!("--{}", name_words(key).join("-"))),
            Value::Array(_) if !verbs.is_empty() && LINE_ARGUMENTS.contains(&normalized(key).as_str()) => {
                line.push(words_of(value));
            }
            _ => {}
        }
    }
    for (wanted, option) in OPTIONS {
        match argument(wanted) {
            Some(Value::String(text)) => line.push(format!("{option}={}", quote(text))),
            Some(Value::Number(number)) => line.push(format!("{option}={number}")),
            _ => {}
        }
    }
    for wanted in OPERANDS {
        if let Some(text) = argument(wanted).and_then(Value::as_str) {
            line.push(quote(text));
        }
    }
    Some(line.join(" "))
}

fn words_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(quote).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

fn normalized(key: &str) -> String {
    super::arguments::normalized_name(key)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::command_line;

    fn line(server: &str, tool: &str, input: &Value) -> Option<String> {
        command_line(server, tool, input.as_object().unwrap())
    }

    #[test]
    fn calls_are_the_command_lines_of_a_program() {
        for (server, tool, input, expected) in [
            ("git", "git_push", json!({"remote": "o", "branch": "main", "force": true}), "git push --force o main"),
            ("git", "git_reset", json!({"mode": "hard", "target": "HEAD~3"}), "git reset --hard 'HEAD~3'"),
            ("git", "git_stash", json!({"mode": "drop"}), "git stash drop"),
            ("git", "git", json!({"args": ["push", "-f"]}), "git push -f"),
            ("k", "kubectl_delete", json!({"resourceType": "ns", "name": "p"}), "kubectl delete ns p"),
            ("k", "kubectl_generic", json!({"command": "delete", "name": "p"}), "kubectl delete p"),
            ("k", "kubectl_scale", json!({"name": "x", "replicas": 0}), "kubectl scale --replicas=0 x"),
            ("aws", "call_aws", json!({"cli_command": "aws s3 ls"}), "aws s3 ls"),
            ("g", "run_gcloud_command", json!({"args": ["projects", "list"]}), "gcloud projects list"),
            ("terraform", "destroy", json!({}), "terraform destroy"),
            ("terraform", "ExecuteTerraformCommand", json!({"command": "plan"}), "terraform plan"),
            ("redis", "execute", json!({"command": "FLUSHALL"}), "redis-cli FLUSHALL"),
        ] {
            assert_eq!(line(server, tool, &input).as_deref(), Some(expected), "{tool}");
        }
        assert_eq!(line("github", "create_issue", &json!({})), None);
    }
}
