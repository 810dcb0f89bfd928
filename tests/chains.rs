//! Chains of calls that an agent could make to get around the guard.
//!
//! Each call is judged by the built program and carried out, in a home of its own, when the hook says nothing. At the
//! end of a dangerous chain the guard must be whole; an innocent chain must run undisturbed. The format is described
//! in `CONTRIBUTING.md`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::common::{Machine, skip};

/// What private keys and passwords hold, so that they are recognized wherever they turn up.
const CANARY: &str = "CANARY-7f3e-a9c1";

/// How many chains are tried side by side.
const WORKERS: usize = 2;

const USER_POLICY: &str = ".config/ruleward/policy.yaml";
const PROJECT_POLICY: &str = "project/.ruleward/policy.yaml";
const SETTINGS: &str = ".claude/settings.json";
const LOG: &str = ".local/state/ruleward/audit.jsonl";
const PROGRAM: &str = ".local/bin/ruleward";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chain {
    name: String,
    /// What it is an example of.
    class: String,
    /// What it would open: `settings`, `policy`, `log`, `binary`, `key` or `destroyed`.
    opens: Option<String>,
    /// It is ordinary work.
    #[serde(default)]
    innocent: bool,
    /// It is judged and not carried out: the second call on must be stopped.
    #[serde(default)]
    judge_only: bool,
    /// It is noticed when it has happened.
    #[serde(default, rename = "detect")]
    _detect: bool,
    /// Why it is open; `docs/threats.md` says so as well.
    open: Option<String>,
    /// Programs without which it is skipped.
    #[serde(default)]
    needs: Vec<String>,
    /// Files of the home directory.
    #[serde(default)]
    files: BTreeMap<String, String>,
    calls: Vec<Call>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Call {
    Bash { bash: String },
    Write { write: Written },
    Edit { edit: Replacement },
    Read { read: Named },
    Mcp { mcp: ToolUse },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    path: String,
    content: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replacement {
    path: String,
    old: String,
    new: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    path: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolUse {
    tool: String,
    input: Value,
}

/// A home with the guard in it.
struct Home {
    machine: Machine,
}

impl Home {
    fn new(files: &BTreeMap<String, String>) -> Self {
        let machine = Machine::new();
        let home = Self { machine };
        let key = format!(
            "-----BEGIN OPENSSH PRIVATE KEY-----\n{CANARY}-b3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n"
        );
        let given = [
            ("project/README.md", "# p\n"),
            ("project/src/main.rs", "fn main() {}\n"),
            ("project/src/lib.rs", "pub fn f() {}\n"),
            ("project/package.json", "{\"name\":\"p\",\"scripts\":{\"test\":\"echo ok\",\"build\":\"echo built\"}}\n"),
            ("project/Makefile", "all:\n\t@echo all\ntest:\n\t@echo test\nclean:\n\trm -rf build\n"),
            ("project/.claude/settings.json", "{\"permissions\":{}}\n"),
            (
                PROJECT_POLICY,
                "version: 1\nrules:\n  - id: no-prod\n    when: tool.before\n    command: deploy-prod\n    then: {deny: \"No.\"}\n",
            ),
            (USER_POLICY, "version: 1\nextends: [recommended]\n"),
            (".ssh/id_ed25519", key.as_str()),
            (".ssh/config", "Host x\n  User y\n"),
            (".aws/credentials", &format!("[default]\naws_secret_access_key = {CANARY}/bPxRfiCYEXAMPLEKEY\n")),
            (".docker/config.json", &format!("{{\"auths\":{{\"r\":{{\"auth\":\"{CANARY}dXNlcg\"}}}}}}\n")),
            (".netrc", &format!("machine x login y password {CANARY}\n")),
            (".gitconfig", "[user]\n\tname = a\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n"),
            ("Documents/precious.txt", "precious\n"),
        ];
        fs::remove_dir_all(home.path("project/.git")).unwrap();
        for (path, text) in given {
            home.machine.write(path, text);
        }
        fs::create_dir_all(home.path(".local/bin")).unwrap();
        fs::create_dir_all(home.temp()).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_ruleward"), home.path(PROGRAM)).unwrap();
        let created = home.shell("git init -q && git add -A && git commit -qm init");
        assert!(created.1, "{}", created.0);
        let installed = home.command(&["install", "claude"]).stdin(Stdio::null()).output().unwrap();
        assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
        home.hook("SessionStart", &json!({ "source": "startup" }));
        for (path, text) in files {
            home.machine.write(path, text);
        }
        // The log begins with a refused call.
        home.hook(
            "PreToolUse",
            &json!({ "tool_name": "Bash", "tool_input": { "command": "rm -rf ~" }, "tool_use_id": "t0" }),
        );
        home
    }

    fn path(&self, below: &str) -> PathBuf {
        self.machine.home().join(below)
    }

    fn temp(&self) -> PathBuf {
        self.path("tmp")
    }

    fn configure<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let home = self.machine.home();
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", home.join(".local/bin").display());
        command.current_dir(self.machine.project()).env_clear().env("HOME", &home).env("PATH", path);
        command.env("LANG", "C.UTF-8").env("TMPDIR", self.temp()).env("TERM", "dumb")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.path(PROGRAM));
        self.configure(command.args(args));
        command
    }

    /// Runs a line of bash, and returns what it prints and whether it succeeds.
    fn shell(&self, line: &str) -> (String, bool) {
        let mut command = Command::new("timeout");
        self.configure(command.args(["20", "bash", "-c", line])).stdin(Stdio::null());
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (String::from_utf8_lossy(&text).into_owned(), output.status.success())
    }

    /// Returns what the hook says; `None` where it cannot be started any more.
    fn hook(&self, event: &str, fields: &Value) -> Option<(String, Option<i32>)> {
        let mut command = self.command(&["hook", "claude", "--deadline=60"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let payload = self.machine.payload(event, fields);
        let mut pipe = child.stdin.take().unwrap();
        let _closed = std::io::Write::write_all(&mut pipe, &payload);
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        Some((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code()))
    }

    fn tool_fields(&self, call: &Call, number: usize) -> Value {
        let absolute = |path: &str| self.machine.home().join(path);
        let (tool, input) = match call {
            Call::Bash { bash } => ("Bash", json!({ "command": bash })),
            Call::Write { write } => ("Write", json!({ "file_path": absolute(&write.path), "content": write.content })),
            Call::Edit { edit } => {
                let Replacement { path, old, new } = edit;
                ("Edit", json!({ "file_path": absolute(path), "old_string": old, "new_string": new }))
            }
            Call::Read { read } => ("Read", json!({ "file_path": absolute(&read.path) })),
            Call::Mcp { mcp } => (mcp.tool.as_str(), mcp.input.clone()),
        };
        json!({ "tool_name": tool, "tool_input": input, "tool_use_id": format!("t{number}") })
    }

    fn carry_out(&self, call: &Call) -> (String, bool) {
        match call {
            Call::Bash { bash } => self.shell(bash),
            Call::Write { write } => {
                self.machine.write(&write.path, &write.content);
                (String::new(), true)
            }
            Call::Edit { edit: Replacement { path, old, new } } => {
                let text = self.machine.read(path).unwrap_or_default();
                let is_there = text.contains(old.as_str());
                self.machine.write(path, &text.replacen(old.as_str(), new, 1));
                (String::new(), is_there)
            }
            Call::Read { read } => {
                let text = self.machine.read(&read.path);
                (text.clone().unwrap_or_default(), text.is_some())
            }
            Call::Mcp { .. } => (String::new(), true),
        }
    }

    /// Returns what is open of the guard.
    fn open_parts(&self, log: &str) -> Vec<String> {
        let mut open = Vec::new();
        let settings: Value =
            self.machine.read(SETTINGS).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let is_registered = settings["hooks"]["PreToolUse"].to_string().contains("ruleward");
        if !is_registered {
            open.push("settings".to_owned());
        }
        let all = [
            SETTINGS,
            ".claude/settings.local.json",
            ".claude/remote-settings.json",
            "project/.claude/settings.json",
            "project/.claude/settings.local.json",
        ];
        for path in all {
            let text = self.machine.read(path).unwrap_or_default();
            if serde_json::from_str::<Value>(&text).is_ok_and(|settings| settings["disableAllHooks"] == true) {
                open.push(format!("settings: {path}"));
            }
        }
        for (path, start) in [
            (USER_POLICY, "version: 1\nextends: [recommended]\n"),
            (PROJECT_POLICY, "version: 1\nrules:\n  - id: no-prod"),
        ] {
            if !self.machine.read(path).is_some_and(|text| text.starts_with(start)) {
                open.push(format!("policy: {path}"));
            }
        }
        if !self.machine.read(LOG).is_some_and(|text| text.starts_with(log)) {
            open.push("log".to_owned());
        }
        let program = fs::metadata(self.path(PROGRAM));
        let size = fs::metadata(env!("CARGO_BIN_EXE_ruleward")).unwrap().len();
        if !program.is_ok_and(|program| program.len() == size && program.permissions().mode() & 0o100 != 0) {
            open.push("binary".to_owned());
        }
        let has_source = self.path("project/src/main.rs").is_file() && self.path("project/.git").is_dir();
        if !has_source || !self.path("Documents/precious.txt").is_file() {
            open.push("destroyed".to_owned());
        }
        for directory in ["project", "tmp", "Documents"] {
            open.extend(copies_of_keys(&self.path(directory)));
        }
        open
    }
}

/// Returns the files below a directory that hold a key.
fn copies_of_keys(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(copies_of_keys(&path));
        } else if kind.is_file() {
            let bytes = fs::read(&path).unwrap_or_default();
            if String::from_utf8_lossy(&bytes).contains(CANARY) {
                found.push(format!("key: {}", path.display()));
            }
        }
    }
    found
}

/// Returns whether the hook stops a call, or says after it that it is refused.
fn is_stopped(answer: &(String, Option<i32>)) -> bool {
    let (text, code) = answer;
    if *code != Some(0) {
        return true;
    }
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    matches!(answer["hookSpecificOutput"]["permissionDecision"].as_str(), Some("deny" | "ask"))
        || answer["decision"] == "block"
        || answer["continue"] == false
}

/// Returns what is wrong with what became of a chain.
fn try_chain(chain: &Chain) -> Option<String> {
    let home = Home::new(&chain.files);
    let log = home.machine.read(LOG).unwrap_or_default();
    let mut printed = String::new();
    let mut stop = None;
    for (number, call) in chain.calls.iter().enumerate() {
        let mut fields = home.tool_fields(call, number + 1);
        let Some(before) = home.hook("PreToolUse", &fields) else { break };
        if is_stopped(&before) {
            stop = Some(before.0);
            break;
        }
        if chain.judge_only {
            continue;
        }
        let (output, succeeded) = home.carry_out(call);
        if chain.innocent && !succeeded {
            return Some(format!("call {} fails: {output}", number + 1));
        }
        fields["tool_response"] = match call {
            Call::Bash { .. } => json!({ "stdout": output, "stderr": "", "interrupted": false }),
            _ => json!({ "content": output }),
        };
        if let Some(after) = home.hook("PostToolUse", &fields) {
            let answer: Value = serde_json::from_str(&after.0).unwrap_or_default();
            let shown = &answer["hookSpecificOutput"]["updatedToolOutput"];
            printed.push_str(&if shown.is_null() { output } else { shown.to_string() });
            if chain.innocent && is_stopped(&after) {
                stop = Some(after.0);
            }
        } else {
            printed.push_str(&output);
        }
    }
    if chain.innocent || chain.judge_only {
        return match (chain.innocent, stop) {
            (true, Some(answer)) => Some(format!("it is stopped: {answer}")),
            (false, None) => Some("nothing stops it".to_owned()),
            _ => None,
        };
    }
    let mut open = home.open_parts(&log);
    if printed.contains(CANARY) {
        open.push("key: printed".to_owned());
    }
    (!open.is_empty()).then(|| format!("open: {}", open.join(", ")))
}

fn chains() -> Vec<Chain> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chains");
    let mut files: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        serde_yaml::from_str::<Vec<Chain>>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    files.iter().flat_map(read).collect()
}

fn is_program(name: &str) -> bool {
    ["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|directory| Path::new(directory).join(name).is_file())
}

#[test]
fn no_chain_of_calls_opens_the_guard() {
    let chains = chains();
    assert!(chains.iter().all(|chain| chain.innocent == chain.opens.is_none()), "a chain says what it opens");
    if !["bash", "git", "python3", "timeout"].iter().all(|name| is_program(name)) {
        skip("chains", "bash, git, python3 or timeout is missing");
        return;
    }
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(chain) = chains.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let missing = chain.needs.iter().find(|name| !is_program(name));
                    if let Some(missing) = missing {
                        skip(&format!("chain `{}`", chain.name), &format!("{missing} is missing"));
                        continue;
                    }
                    match (try_chain(chain), &chain.open) {
                        (Some(_), Some(_)) | (None, None) => {}
                        (None, Some(_)) => wrong.lock().unwrap().push(format!("{}: is closed now", chain.name)),
                        (Some(why), None) => {
                            wrong.lock().unwrap().push(format!("{} [{}]: {why}", chain.name, chain.class));
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {} chains:\n{}", wrong.len(), chains.len(), wrong.join("\n"));
}
