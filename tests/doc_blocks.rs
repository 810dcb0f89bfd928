//! Every block of code in the documents is run: policies are read, tests pass, commands exist and
//! take their options, and what a document says a command prints is what it prints.
//!
//! The language behind the fence says what is done with a block:
//!
//! - `yaml`: a policy, tests of the first policy of the document, or a part of a policy; it must be
//!   read without an error. `yaml,foreign` is another program's and only has to be YAML.
//! - `json`, `toml`: must be that.
//! - `sh`: each line is run in a made-up project. It may end with 0 or 1, or go on for ever.
//! - `sh,foreign`: commands of other programs, and a program's text; only the shell's syntax is checked.
//! - `console`: after each `$ command`, what it prints; `…` stands for anything.
//! - `text`: a picture of something, such as of what a person says at a terminal; nothing is done.

#![cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Machine, doc_pages};

/// An id that stands for a record of the made-up machine's audit log.
const SAMPLE_ID: &str = "7k3f9q2m";
/// Seconds after which a command is taken to go on for ever.
const TIMEOUT: &str = "10";
/// Seconds for what ends by itself, on a machine that is busy with other things.
const LONG_TIMEOUT: &str = "300";

struct Block {
    language: String,
    foreign: bool,
    text: String,
    place: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md"), root().join("SECURITY.md")];
    found.extend(doc_pages());
    found.sort();
    found
}

fn blocks(path: &Path) -> Vec<Block> {
    let text = fs::read_to_string(path).unwrap();
    let name = path.strip_prefix(root()).unwrap().display().to_string();
    let mut found = Vec::new();
    let mut open: Option<(Block, &str)> = None;
    for (index, line) in text.lines().enumerate() {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        match open.take() {
            None => {
                if let Some(info) = rest.strip_prefix("```") {
                    let mut words = info.split(',');
                    let language = words.next().unwrap_or_default().to_owned();
                    let foreign = words.any(|word| word == "foreign");
                    let place = format!("{name}:{}", index + 1);
                    assert!(!language.is_empty(), "{place}: a block without a language");
                    open = Some((Block { language, foreign, text: String::new(), place }, indent));
                }
            }
            Some((block, _)) if rest == "```" => found.push(block),
            Some((mut block, indent)) => {
                block.text += line.strip_prefix(indent).unwrap_or(line);
                block.text.push('\n');
                open = Some((block, indent));
            }
        }
    }
    assert!(open.is_none(), "{name}: a block without an end");
    found
}

/// A project with a history, a policy, agents and something in the audit log.
fn populated_machine() -> (Machine, String) {
    let machine = Machine::new();
    for (path, text) in [
        (".claude/settings.json", "{}\n"),
        (".gemini/settings.json", "{}\n"),
        ("project/src/main.rs", "fn main() {}\n"),
        ("project/data/table.csv", "name\n"),
        ("project/.gitignore", "target\n"),
    ] {
        machine.write(path, text);
    }
    let demo = fs::read_to_string(root().join("tests/demo/rm-home.json")).unwrap();
    machine.write("project/tests/demo/rm-home.json", &demo);
    machine.write("project/payload.json", &demo);
    machine.write("project/.gitleaks.toml", "[[rules]]\nid = \"acme\"\nregex = '''acme_[0-9a-f]{24}'''\n");
    let bash = |line: &str| {
        let ran = run_shell(&machine, line, LONG_TIMEOUT);
        assert_eq!(ran.code, Some(0), "{line}: {}{}", ran.stdout, ran.stderr);
    };
    fs::remove_dir_all(machine.project().join(".git")).unwrap();
    bash("ruleward init");
    bash("git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm first");
    bash("git update-ref refs/remotes/origin/main HEAD");
    bash("ruleward hook claude < payload.json");
    bash("cp .ruleward/policy.yaml new.yaml && cp .ruleward/policy.yaml old.yaml");
    bash("cp ~/.state/ruleward/audit.jsonl . && mkdir logs && gzip -c audit.jsonl > logs/old.gz");
    let log = machine.read(".state/ruleward/audit.jsonl").unwrap();
    let record: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let id = record["ruleward.id"].as_str().unwrap().to_owned();
    (machine, id)
}

fn run_shell(machine: &Machine, line: &str, patience: &str) -> crate::common::RunOutput {
    let bin = Path::new(env!("CARGO_BIN_EXE_ruleward")).parent().unwrap().display().to_string();
    let mut command = Command::new("timeout");
    command.args([patience, "bash", "-c", line]).current_dir(machine.project()).env_clear();
    command.env("HOME", machine.home()).env("PATH", format!("{bin}:/usr/bin:/bin")).env("LC_ALL", "C.UTF-8");
    command.env("XDG_CONFIG_HOME", machine.home().join(".config")).env("XDG_STATE_HOME", machine.home().join(".state"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Machine::run_command(command, b"")
}

/// Commands that are about this repository and not about the program.
fn is_about_the_repository(line: &str) -> bool {
    ["cargo ", ".ci/run", "tests/", "scripts/", "mdbook ", "git clone ", "cd "]
        .iter()
        .any(|start| line.starts_with(start))
}

fn run_lines(machine: &Machine, id: &str, block: &Block) -> Result<(), String> {
    for line in block.text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let line = line.replace("cargo run --release --", "ruleward").replace(SAMPLE_ID, id);
        if is_about_the_repository(&line) {
            continue;
        }
        let ran = run_shell(machine, &line, TIMEOUT);
        // 124: it was still at it. What a person has to say yes to stops where there is no terminal.
        let asks = ran.code == Some(2) && ran.stderr.contains("there is no terminal");
        if !matches!(ran.code, Some(0 | 1 | 124)) && !asks {
            return Err(format!("{line}: {:?}\n{}{}", ran.code, ran.stdout, ran.stderr));
        }
    }
    Ok(())
}

fn run_console(machine: &Machine, id: &str, block: &Block) -> Result<(), String> {
    let mut runs: Vec<(String, String)> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), runs.last_mut()) {
            (Some(command), _) => runs.push((command.replace(SAMPLE_ID, id), String::new())),
            (None, Some((_, expected))) => {
                expected.push_str(line);
                expected.push('\n');
            }
            (None, None) => return Err("output before the first command".to_owned()),
        }
    }
    for (command, expected) in runs {
        let ran = run_shell(machine, &format!("{{ {command}\n}} 2>&1"), LONG_TIMEOUT);
        let printed = machine.normalize(&ran.stdout).replace(id, SAMPLE_ID);
        if !matches(&expected, &printed) {
            return Err(format!("$ {command}\n--- the document says\n{expected}--- it prints\n{printed}"));
        }
    }
    Ok(())
}

/// Compares a text with what is expected of it, in which `…` stands for anything.
fn matches(expected: &str, text: &str) -> bool {
    let mut parts = expected.trim_end().split('…');
    let Some(mut rest) = parts.next().and_then(|first| text.trim_end().strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    let mut open = false;
    while let Some(part) = parts.next() {
        open = true;
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    open || rest.is_empty()
}

fn lint(machine: &Machine, text: &str) -> Result<(), String> {
    let path = machine.write("project/document/policy.yaml", text);
    let ran = machine.run(&["lint", path.to_str().unwrap()], b"");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    let read = matches!(ran.code, Some(0 | 1)) && !said.contains("error[");
    read.then_some(()).ok_or_else(|| format!("{text}\n{said}"))
}

fn read_yaml(machine: &Machine, block: &Block, first: &mut Option<String>) -> Result<(), String> {
    let tree: serde_json::Value = serde_yaml::from_str(&block.text).map_err(|error| error.to_string())?;
    if block.foreign {
        return Ok(());
    }
    let has = |key: &str| tree.get(key).is_some();
    let indented = |by: &str| block.text.lines().fold(String::new(), |text, line| text + by + line + "\n");
    if has("version") && has("tests") && !has("rules") {
        machine.write("project/document/policy.yaml", first.as_ref().ok_or("tests of no policy")?);
        let path = machine.write("project/document/policy.test.yaml", &block.text);
        let ran = machine.run(&["test", path.to_str().unwrap()], b"");
        return (ran.code == Some(0)).then_some(()).ok_or_else(|| format!("{}{}", ran.stdout, ran.stderr));
    }
    if has("version") {
        first.get_or_insert_with(|| block.text.clone());
        return lint(machine, &block.text);
    }
    if tree.is_array() {
        return lint(machine, &format!("version: 1\nrules:\n{}", indented("  ")));
    }
    if is_part_of_a_policy(&tree) {
        return lint(machine, &format!("version: 1\n{}", block.text));
    }
    let then = if has("then") { "" } else { "    then: { deny: no }\n" };
    let when = if has("when") { "" } else { "    when: tool.before\n" };
    lint(machine, &format!("version: 1\nrules:\n  - id: of-the-document\n{when}{}{then}", indented("    ")))
}

fn is_part_of_a_policy(tree: &serde_json::Value) -> bool {
    let schema: serde_json::Value = serde_json::from_str(ruleward::io::policy::schema::POLICY_SCHEMA).unwrap();
    let (keys, rule) = (schema["properties"].as_object().unwrap(), &schema["definitions"]["Rule"]["properties"]);
    let Some(entries) = tree.as_object() else { return false };
    entries.keys().all(|key| keys.contains_key(key))
        // `secrets` and the like are keys of both; a rule's are one line of conditions.
        && !entries.keys().all(|key| rule.get(key).is_some() && entries[key].get("in").is_some())
}

fn run(block: &Block, machine: &Machine, id: &str, first: &mut Option<String>) -> Result<(), String> {
    match (block.language.as_str(), block.foreign) {
        ("yaml", _) => read_yaml(machine, block, first),
        ("json", _) => {
            serde_json::from_str::<serde_json::Value>(&block.text).map(drop).map_err(|error| error.to_string())
        }
        ("toml", _) => {
            basic_toml::from_str::<serde_json::Value>(&block.text).map(drop).map_err(|error| error.to_string())
        }
        ("sh", true) => {
            let script = machine.write("block.sh", &block.text);
            let checked = Command::new("bash").arg("-n").arg(script).output().unwrap();
            checked.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&checked.stderr).into_owned())
        }
        ("sh", false) => run_lines(machine, id, block),
        ("console", _) => run_console(machine, id, block),
        ("text", _) => Ok(()),
        (other, _) => Err(format!("nothing is known of `{other}`")),
    }
}

#[test]
fn every_block_of_the_documents_holds() {
    let mut wrong = Vec::new();
    for path in documents() {
        let blocks = blocks(&path);
        if blocks.iter().all(|block| block.language == "text") {
            continue;
        }
        let (machine, id) = populated_machine();
        let mut first = None;
        for block in &blocks {
            if let Err(why) = run(block, &machine, &id, &mut first) {
                wrong.push(format!("{}: {why}", block.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn anything_stands_for_anything_and_the_rest_for_itself() {
    for (expected, text, same) in [
        ("a\n", "a\n", true),
        ("a\n", "a\nb\n", false),
        ("a\n…\n", "a\nb\nc\n", true),
        ("a … c\n", "a b c\n", true),
        ("a … c\n", "a b d\n", false),
        ("…b…\n", "abc\n", true),
    ] {
        assert_eq!(matches(expected, text), same, "{expected:?} {text:?}");
    }
}
