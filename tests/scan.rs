//! `ruleward scan` on made-up trees and repositories, and what the hook makes of the same.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Machine, RunOutput, output_text};
use crate::fuzz::targets::contract::validate;
use serde_json::{Value, json};

/// Values that no output may hold. In pieces, so that no scanner takes the tests for a leak.
const GITHUB: &str = concat!("gh", "p_w09hUXOC1zXJw1wUd4SAikXETiTQeJ0oq7YE");
const AWS: &str = concat!("AKI", "AEFSDXL5DCJGVEBLE");
const STRIPE: &str = concat!("sk_l", "ive_ODabsT2YiEHddlGBMYqDamgL");
const PASSWORD: &str = "vR7kq2Zp9wTx";
const CARD: &str = "4568275217488851";

fn url() -> String {
    format!("postgres{}//app:{PASSWORD}@db.acme.io:5432/app", ":")
}

/// A project with findings of several kinds.
fn project() -> Machine {
    let machine = Machine::new();
    machine.write("project/src/api.ts", &format!("// é\nconst a = \"é{GITHUB}\";\nconst b = \"{GITHUB}\";\n"));
    machine.write("project/src/pay.toml", &format!("key = {STRIPE}\n"));
    machine.write("project/conf ig/db.yaml", &format!("url: {}\n", url()));
    machine.write("project/people.csv", &format!("name,card\nJane,{CARD}\n"));
    machine.write("project/.gitignore", "target/\n");
    machine.write("project/target/out.js", &format!("{AWS}\n"));
    machine
}

fn snapshot(name: &str, machine: &Machine, runs: &[(&str, RunOutput)]) {
    let texts: Vec<String> =
        runs.iter().map(|(label, ran)| format!("$ ruleward {label}\n{}", output_text(machine, ran))).collect();
    let text = texts.join("\n").replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::assert_snapshot!(name, text);
}

fn git(directory: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"]);
    command.args(args).current_dir(directory).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A command that finds git.
fn run(machine: &Machine, args: &[&str]) -> RunOutput {
    let mut command = machine.command(args);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    Machine::run_command(command, b"")
}

fn repository() -> Machine {
    let machine = project();
    fs::remove_dir_all(machine.project().join(".git")).unwrap();
    git(&machine.project(), &["init", "-q", "-b", "main"]);
    git(&machine.project(), &["add", "src", ".gitignore"]);
    git(&machine.project(), &["commit", "-q", "-m", "x"]);
    machine
}

fn findings(ran: &RunOutput) -> Vec<(String, u64, String)> {
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr));
    let findings = report["findings"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    findings.map(|it| (text(&it["path"]), it["line"].as_u64().unwrap(), text(&it["detector"]))).collect()
}

fn ids(ran: &RunOutput) -> Vec<String> {
    findings(ran).into_iter().map(|(_, _, id)| id).collect()
}

#[test]
fn findings_are_told_in_every_form() {
    let machine = project();
    let runs = ["human", "json", "sarif", "github", "junit"].map(|format| {
        let ran = machine.run(&["scan", ".", "--pii", "credit-card", "--format", format], b"");
        assert_eq!(ran.code, Some(1), "{}", output_text(&machine, &ran));
        (format, ran)
    });
    for (format, ran) in runs {
        snapshot(&format!("scan_{format}"), &machine, &[(&format!("scan . --pii credit-card --format {format}"), ran)]);
    }
}

/// Holds a report to the published schema of SARIF 2.1.0.
fn assert_is_sarif(report: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sarif/sarif-schema-2.1.0.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(validate(&schema, &schema, report, "$"), Ok(()));
}

#[test]
fn the_schema_of_sarif_is_used() {
    let report = |key: &str, line: i64| {
        let region = json!({ "startLine": line });
        let place = json!({ "artifactLocation": { "uri": "a" }, "region": region });
        let results =
            json!([{ "message": { "text": "x" }, "locations": [{ "physicalLocation": place }], key: "error" }]);
        json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "x" } }, "results": results }] })
    };
    assert_is_sarif(&report("level", 1));
    for wrong in [report("severity", 1), report("kind", 1), report("level", 0)] {
        assert!(std::panic::catch_unwind(|| assert_is_sarif(&wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn sarif_is_whole() {
    let machine = project();
    let ran = machine.run(&["scan", ".", "--pii", "all", "--format", "sarif"], b"");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_is_sarif(&report);
    assert_eq!(report["version"], "2.1.0");
    let run = &report["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert_eq!(result["fingerprints"], result["partialFingerprints"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert!(!place["artifactLocation"]["uri"].as_str().unwrap().contains([' ', '\\']));
        let region = &place["region"];
        for part in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(region[part].as_u64().unwrap() >= 1);
        }
    }
}

#[test]
fn what_is_searched_is_chosen() {
    let machine = project();
    let scan = |args: &[&str]| machine.run(&[&["scan", "--format", "json"], args].concat(), b"");
    for (args, expected) in [
        (&["."][..], &["database-url", "github-token", "stripe-live-key"][..]),
        (&[".", "--no-ignore"], &["database-url", "github-token", "stripe-live-key", "aws-access-key-id"]),
        (&["target/out.js"], &["aws-access-key-id"]),
        (&["src", "src/api.ts", "./src"], &["github-token", "stripe-live-key"]),
        (&[".", "--detectors", "github-*"], &["github-token"]),
        (&[".", "--detectors", "all,-stripe-*,-database-url"], &["github-token"]),
        (&[".", "--min-tier", "proved"], &["github-token"]),
        (&[".", "--detectors", "stripe-*", "--pii", "credit-card"], &["credit-card", "stripe-live-key"]),
    ] {
        let ran = scan(args);
        let mut found = ids(&ran);
        found.sort();
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{args:?}: {}", ran.stderr);
        assert_eq!(ran.code, Some(1), "{args:?}");
    }
    machine.write("project/.rulewardignore", "src/\nconf*/\n");
    let ran = scan(&["."]);
    assert_eq!((ids(&ran), ran.code), (Vec::new(), Some(0)));
}

#[test]
fn the_order_is_always_the_same() {
    let machine = project();
    for number in 0..60 {
        machine.write(&format!("project/many/{number}.txt"), &format!("{number} {GITHUB}\n{STRIPE}\n"));
    }
    let first = machine.run(&["scan", "."], b"");
    for _ in 0..4 {
        assert_eq!(machine.run(&["scan", "."], b"").stdout, first.stdout);
    }
}

#[test]
fn what_is_no_text_is_left_out_and_said() {
    let machine = Machine::new();
    fs::write(machine.project().join("bin"), [b"a\0".as_slice(), GITHUB.as_bytes()].concat()).unwrap();
    let lossy = [b"\xff\xfe\xfd latin \xe9\n\xff".as_slice(), GITHUB.as_bytes(), b"\n"].concat();
    fs::write(machine.project().join("lossy"), [b"x".as_slice(), &lossy].concat()).unwrap();
    let wide: Vec<u8> = format!("\u{feff}k = {GITHUB}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(machine.project().join("wide"), wide).unwrap();
    fs::write(machine.project().join("large"), "x".repeat((1 << 20) + 1)).unwrap();
    let ran = machine.run(&["scan", ".", "--max-size", "1", "--format", "json"], b"");
    let found = findings(&ran).into_iter().map(|(path, line, _)| (path, line)).collect::<Vec<_>>();
    assert_eq!(found, [("lossy".to_owned(), 2), ("wide".to_owned(), 1)]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&report["binary"], &report["searched"]), (&json!(1), &json!(2)));
    assert_eq!(report["skipped"][0]["path"], "large");
    assert_eq!(ran.stderr, "note: large was skipped (2 MiB); see --max-size\n");
}

#[test]
fn standard_input_is_a_text() {
    let machine = Machine::new();
    let ran = machine.run(&["scan", "-", "--format", "json"], format!("a\n{GITHUB}\n").as_bytes());
    assert_eq!(findings(&ran), [("(standard input)".to_owned(), 2, "github-token".to_owned())]);
    let ran = machine.run(&["scan", "-"], b"nothing");
    assert_eq!(output_text(&machine, &ran), "exit 0\nout: nothing found, 1 file searched\n");
}

#[test]
fn what_cannot_be_done_is_said() {
    let machine = project();
    machine.write("project/bad.json", "{}");
    let runs = [
        &["scan", "--json", "--format", "sarif"][..],
        &["scan", ".", "--staged"],
        &["scan", ".", "--history"],
        &["scan", "--detectors", "openai", "."],
        &["scan", "--detectors", "zzzqqq", "."],
        &["scan", "--history"],
        &["scan", "--detectors", "github-tokn", "."],
        &["scan", "--pii", "credit-cart", "."],
        &["scan", "--baseline", "nowhere.json", "."],
        &["scan", "--baseline", "bad.json", "."],
        &["scan", "--policy", "nowhere.yaml", "."],
        &["scan", "--staged"],
        &["scan", "--diff", "nowhere"],
    ]
    .map(|args| {
        let ran = run(&machine, args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", output_text(&machine, &ran));
        assert!(ran.stderr.contains("error"), "{args:?}: {}", ran.stderr);
        (args, ran)
    });
    let said = |args: &[&str]| &runs.iter().find(|(known, _)| *known == args).unwrap().1.stderr;
    assert!(said(&["scan", "--detectors", "github-tokn", "."]).contains("did you mean `github-token`"));
    let similar = said(&["scan", "--detectors", "openai", "."]);
    assert!(similar.contains("similar are `openai-") && similar.len() < 300, "{similar}");
    let none = said(&["scan", "--detectors", "zzzqqq", "."]);
    assert!(none.contains("none of which is similar") && none.len() < 300, "{none}");
    let ran = machine.run(&["scan", "nowhere"], b"");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn the_current_directory_is_the_default() {
    let machine = project();
    let whole = machine.run(&["scan", ".", "--format", "json"], b"");
    let default = machine.run(&["scan", "--json"], b"");
    assert_eq!((&default.stdout, default.code), (&whole.stdout, Some(1)));
    assert!(!findings(&default).is_empty());
}

#[test]
fn findings_name_their_encodings() {
    let machine = Machine::new();
    let hex = |text: &str| text.bytes().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    let base64 = {
        let mut encoder = Command::new("base64");
        encoder.arg("-w0").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = encoder.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), GITHUB.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    machine.write("project/plain.txt", &format!("{GITHUB}\n"));
    machine.write("project/base64.txt", &format!("{base64}\n"));
    machine.write("project/hex.txt", &format!("{}\n", hex(GITHUB)));
    machine.write("project/url.txt", &format!("?x={}\n", GITHUB.replace('_', "%5F")));
    machine.write("project/escapes.json", &format!("{{\"x\": \"{}\"}}\n", GITHUB.replace('_', "\\u005f")));
    machine.write("project/hidden.html", &format!("<p>{}</p>\n", GITHUB.replace('_', "&#95;")));
    let report: Value = serde_json::from_str(&machine.run(&["scan", "--json"], b"").stdout).unwrap();
    let found = report["findings"].as_array().unwrap().iter();
    let found: Vec<(&str, Value)> = found.map(|it| (it["path"].as_str().unwrap(), it["encodings"].clone())).collect();
    let expected = [
        ("base64.txt", json!(["base64"])),
        ("escapes.json", json!(["escapes"])),
        ("hex.txt", json!(["hex"])),
        ("hidden.html", json!(["hidden"])),
        ("plain.txt", json!([])),
        ("url.txt", json!(["url"])),
    ];
    assert_eq!(found, expected);
    let human = machine.run(&["scan", "base64.txt"], b"").stdout;
    assert!(human.contains("in base64"), "{human}");
}

/// A repository whose files have no secret any more, and whose history has several.
fn repository_with_history() -> Machine {
    let machine = Machine::new();
    let project = machine.project();
    fs::remove_dir_all(project.join(".git")).unwrap();
    let commit = |message: &str| {
        git(&project, &["add", "-A"]);
        git(&project, &["commit", "-q", "--allow-empty", "-m", message]);
    };
    git(&project, &["init", "-q", "-b", "main"]);
    let lines = |special: &str| {
        let many: Vec<String> = (0..100).map(|line| format!("line {line}")).collect();
        format!("{}\n{special}\n{}\n", many[..50].join("\n"), many[50..].join("\n"))
    };
    machine.write("project/app.txt", &lines("nothing"));
    commit("one");
    machine.write("project/app.txt", &lines(&format!("token {GITHUB}")));
    machine.write("project/b.bin", "a\0b");
    commit("two");
    machine.write("project/app.txt", &lines(&format!("token {GITHUB}")).replace("line 3\n", "line three\n"));
    commit("three");
    machine.write("project/app.txt", &lines("nothing again"));
    commit("four");
    git(&project, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    fs::create_dir_all(project.join("dir")).unwrap();
    fs::rename(project.join("app.txt"), project.join("dir/app.txt")).unwrap();
    commit("a move");
    machine.write("project/pay.toml", &format!("a = 1\nkey = {STRIPE}\n"));
    commit("five");
    git(&project, &["checkout", "-q", "main"]);
    git(&project, &["merge", "-q", "--no-commit", "-s", "ours", "side"]);
    machine.write("project/evil.txt", &format!("{}\n", url()));
    commit("a merge");
    fs::remove_file(project.join("evil.txt")).unwrap();
    commit(&format!("remove {AWS}"));
    git(&project, &["branch", "-q", "-D", "side"]);
    machine
}

#[test]
fn the_whole_history_is_searched() {
    let machine = repository_with_history();
    assert_eq!(findings(&run(&machine, &["scan", "--json"])), []);
    for pack in [false, true] {
        if pack {
            git(&machine.project(), &["gc", "-q", "--aggressive", "--prune=now"]);
        }
        let ran = run(&machine, &["scan", "--history", "--json"]);
        assert_eq!(ran.code, Some(1), "{}", output_text(&machine, &ran));
        let expected = [
            ("(commit message)", 1, "aws-access-key-id"),
            ("app.txt", 51, "github-token"),
            ("dir/app.txt", 51, "github-token"),
            ("evil.txt", 1, "database-url"),
            ("pay.toml", 2, "stripe-live-key"),
        ];
        let expected = expected.map(|(path, line, id)| (path.to_owned(), line, id.to_owned()));
        assert_eq!(findings(&ran), expected);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(report["binary"], 1);
        // The commit is the one that brought the value.
        let mut command = Command::new("git");
        command.args(["log", "--all", "--format=%H", "--grep=^two$"]).current_dir(machine.project());
        let id = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert_eq!(report["findings"][1]["commit"]["id"], id.trim());
        assert_eq!(report["findings"][1]["commit"]["author"], "n");
    }
    let sarif = run(&machine, &["scan", "--history", "--format", "sarif"]);
    assert_is_sarif(&serde_json::from_str(&sarif.stdout).unwrap());
    let human = run(&machine, &["scan", "--history"]).stdout;
    assert!(human.contains("by n") && human.contains("versions searched"), "{human}");
    let baseline = run(&machine, &["scan", "--history", "--write-baseline", "known.json"]);
    assert_eq!(baseline.code, Some(0), "{}", baseline.stderr);
    assert_eq!(run(&machine, &["scan", "--history", "--baseline", "known.json"]).code, Some(0));
}

#[test]
fn an_empty_history_has_nothing() {
    let machine = Machine::new();
    fs::remove_dir_all(machine.project().join(".git")).unwrap();
    git(&machine.project(), &["init", "-q"]);
    let ran = run(&machine, &["scan", "--history"]);
    assert_eq!(output_text(&machine, &ran), "exit 0\nout: nothing found, 0 versions searched\n");
    let shallow = repository_with_history();
    let from = format!("file://{}", shallow.project().display());
    git(&machine.home(), &["clone", "-q", "--depth", "1", &from, "clone"]);
    let mut command = machine.command(&["scan", "--history"]);
    command.current_dir(machine.home().join("clone")).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let ran = Machine::run_command(command, b"");
    assert!(ran.stderr.contains("shallow clone"), "{}", ran.stderr);
}

#[test]
fn of_a_change_only_new_lines_count() {
    let machine = repository();
    let staged = || findings(&run(&machine, &["scan", "--staged", "--format", "json"]));
    assert_eq!(staged(), []);
    machine.write("project/src/api.ts", &format!("// é\nconst a = \"é{GITHUB}\";\n\nconst c = \"{AWS}\";\n"));
    assert_eq!(staged(), [], "what is not staged is not part of the commit");
    git(&machine.project(), &["add", "-A"]);
    let expected = vec![
        ("conf ig/db.yaml".to_owned(), 1, "database-url".to_owned()),
        ("src/api.ts".to_owned(), 4, "aws-access-key-id".to_owned()),
    ];
    assert_eq!(staged(), expected);
    // What is staged counts, and not what became of it since.
    machine.write("project/src/api.ts", "");
    assert_eq!(staged(), expected);
    git(&machine.project(), &["commit", "-q", "-m", "y"]);
    assert_eq!(staged(), []);
    let since = |revision| findings(&run(&machine, &["scan", "--diff", revision, "--format", "json"]));
    assert_eq!(since("HEAD~1"), expected);
    assert_eq!(since("HEAD"), []);
}

#[test]
fn a_repository_cannot_hide_what_is_staged() {
    let machine = repository();
    machine.write("project/.gitattributes", "* -diff -text diff=x binary\n");
    machine.write("project/x.env", &format!("A={AWS}\n"));
    for (key, value) in [
        ("diff.external", "true"),
        ("diff.x.textconv", "true"),
        ("diff.noprefix", "true"),
        ("diff.relative", "true"),
        ("diff.renames", "copies"),
        ("core.quotePath", "true"),
        ("diff.context", "9"),
        ("diff.interHunkContext", "9"),
        ("color.ui", "always"),
        ("core.fsmonitor", "false"),
    ] {
        git(&machine.project(), &["config", key, value]);
    }
    machine.write("project/ü q.txt", &format!("{STRIPE}\n"));
    fs::rename(machine.project().join("src/api.ts"), machine.project().join("moved.ts")).unwrap();
    git(&machine.project(), &["add", "-A"]);
    let found = ids(&run(&machine, &["scan", "--staged", "--format", "json"]));
    assert_eq!(found, ["database-url", "github-token", "aws-access-key-id", "stripe-live-key"]);
}

#[test]
fn known_findings_are_not_reported_again() {
    let machine = project();
    let ran = machine.run(&["scan", ".", "--write-baseline", ".ruleward/baseline.json"], b"");
    assert_eq!(ran.code, Some(0), "{}", output_text(&machine, &ran));
    let written = machine.read("project/.ruleward/baseline.json").unwrap();
    let args = ["scan", ".", "--baseline", ".ruleward/baseline.json", "--format", "json"];
    assert_eq!(ids(&machine.run(&args, b"")), [""; 0]);
    // Lines may move; another value, another file or another kind is another finding.
    machine.write("project/src/pay.toml", &format!("\n\n\nkey = {STRIPE}\nid = {AWS}\n"));
    machine.write("project/src/copy.toml", &format!("key = {STRIPE}\n"));
    assert_eq!(ids(&machine.run(&args, b"")), ["stripe-live-key", "aws-access-key-id"]);
    // Reasons stay when it is written anew.
    let mut baseline: Value = serde_json::from_str(&written).unwrap();
    baseline["findings"][0]["reason"] = json!("rotated");
    machine.write("project/.ruleward/baseline.json", &baseline.to_string());
    machine.run(&["scan", ".", "--write-baseline", ".ruleward/baseline.json"], b"");
    let written = machine.read("project/.ruleward/baseline.json").unwrap();
    assert!(written.contains("\"reason\": \"rotated\""), "{written}");
    // The policy may name it.
    machine.write("project/.ruleward/policy.yaml", "version: 1\nsecrets: { baseline: .ruleward/baseline.json }\n");
    assert_eq!(ids(&machine.run(&["scan", ".", "--format", "json"], b"")), [""; 0]);
}

#[test]
fn the_policy_says_what_is_harmless() {
    for (policy, expected) in [
        (format!("secrets: {{ allow: [{STRIPE}] }}"), &["database-url", "github-token"][..]),
        ("secrets: { allow: [{ regex: '^gh[p]_', reason: test }] }".into(), &["database-url", "stripe-live-key"]),
        ("secrets: { allow: [{ path: src/**, reason: test }] }".into(), &["database-url"]),
        ("secrets: { allow: [{ detector: 'stripe-*', path: '*.toml' }] }".into(), &["database-url", "github-token"]),
        (
            "secrets: { allow: [{ detector: 'stripe-*', path: '*.ts' }] }".into(),
            &["database-url", "github-token", "stripe-live-key"],
        ),
        (
            "defaults: none\nrules: [{ id: x, when: tool.before, secrets: { detectors: [stripe-live-key] }, then: { deny: no } }]"
                .into(),
            &["stripe-live-key"],
        ),
        (
            "defaults: none\nrules: [{ id: x, when: tool.before, pii: [credit-card], then: { deny: no } }, { id: y, when: tool.before, secrets: {}, files: src/**, except: { files: '*.ts' }, then: { deny: no } }]".into(),
            &["credit-card", "stripe-live-key"],
        ),
    ] {
        let machine = project();
        machine.write("home/x", "");
        machine.write(".config/ruleward/policy.yaml", &format!("version: 1\n{policy}\n"));
        let ran = machine.run(&["scan", ".", "--format", "json"], b"");
        let mut found = ids(&ran);
        found.sort();
        assert_eq!(found, expected, "{policy}");
    }
}

#[test]
fn a_fingerprint_a_marker_and_a_folder_excuse() {
    let machine = project();
    let report = machine.run(&["scan", "src/pay.toml", "--format", "json"], b"");
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let fingerprint = report["findings"][0]["fingerprint"].as_str().unwrap();
    machine.write(
        "project/.ruleward/policy.yaml",
        &format!(
            "version: 1\nsecrets: {{ allow: [{{ fingerprint: {fingerprint}, reason: x }}], lower: ['tests/**'] }}\n"
        ),
    );
    machine.write("project/tests/a.sh", &format!("export DB_PASSWORD={PASSWORD}\n{GITHUB}\n"));
    machine.write("project/src/api.ts", &format!("a = \"{GITHUB}\"; // ruleward:allow secret github-token\n"));
    let scan = |args: &[&str]| {
        let mut found =
            ids(&machine.run(&[&["scan", ".", "--detectors", "all", "--format", "json"], args].concat(), b""));
        found.sort();
        found
    };
    assert_eq!(scan(&[]), ["database-url", "github-token"]);
    assert_eq!(scan(&["--no-markers"]), ["database-url", "github-token", "github-token"]);
}

/// Whether the hook refuses that an agent writes a text into a file.
fn is_refused(machine: &Machine, path: &str, content: &str) -> bool {
    let input = json!({ "file_path": machine.project().join(path), "content": content });
    let payload = machine.payload("PreToolUse", &json!({ "tool_name": "Write", "tool_input": input }));
    let ran = machine.run(&["hook", "claude"], &payload);
    ran.stdout.contains("\"deny\"")
}

#[test]
fn the_hook_hears_baselines_of_those_who_may_speak() {
    let machine = project();
    machine.run(&["scan", ".", "--write-baseline", ".ruleward/baseline.json"], b"");
    let known = format!("// moved\nconst a = \"{GITHUB}\";\n");
    let names = "version: 1\nsecrets: { baseline: .ruleward/baseline.json }\n";
    assert!(is_refused(&machine, "src/api.ts", &known));
    // What a repository brings holds for what already stands in the file, and for nothing else.
    machine.write("project/.ruleward/policy.yaml", names);
    assert!(!is_refused(&machine, "src/api.ts", &known));
    assert!(is_refused(&machine, "src/other.ts", &known));
    assert!(is_refused(&machine, "src/api.ts", &format!("{known}{AWS}")));
    machine.write("project/src/api.ts", "nothing\n");
    assert!(is_refused(&machine, "src/api.ts", &known), "a stranger's baseline lets a person's secret be written");
    // A person's own word counts.
    machine.write(".config/ruleward/policy.yaml", names);
    assert!(!is_refused(&machine, "src/api.ts", &known));
    // What cannot be read excuses nothing.
    machine.write("project/.ruleward/baseline.json", "broken");
    assert!(is_refused(&machine, "src/api.ts", &known));
    let lint = machine.run(&["lint"], b"");
    assert!(lint.stdout.contains("the baseline .ruleward/baseline.json: it is not a baseline"), "{}", lint.stdout);
}

#[test]
fn a_repository_cannot_allow_what_a_person_forbids() {
    let machine = project();
    let text = format!("a = \"{GITHUB}\";");
    let allow = format!("version: 1\nsecrets: {{ allow: [{GITHUB}, {{ path: 'src/**' }}] }}\n");
    machine.write("project/.ruleward/policy.yaml", &allow);
    assert!(is_refused(&machine, "src/x.ts", &text));
    machine.write(".config/ruleward/policy.yaml", &allow);
    assert!(!is_refused(&machine, "src/x.ts", &text));
}

#[test]
fn an_agent_cannot_excuse_itself() {
    let machine = project();
    let text = format!("a = \"{GITHUB}\"; // ruleward:allow secret\n");
    assert!(is_refused(&machine, "src/x.ts", &text));
    let policy = "version: 1\ndefaults: none\nrules: [{ id: x, when: tool.before, secrets: { markers: true }, then: { deny: no } }]\n";
    machine.write(".config/ruleward/policy.yaml", policy);
    assert!(!is_refused(&machine, "src/x.ts", &text));
    assert!(is_refused(&machine, "src/x.ts", &text.replace("allow", "alow")));
}

#[test]
fn personal_data_is_found_only_where_it_is_asked_for() {
    let machine = project();
    let text = format!("card: {CARD}\n");
    assert!(!is_refused(&machine, "a.txt", &text));
    let policy = "version: 1\nrules: [{ id: x, when: tool.before, pii: { in: content, kinds: [credit-card, iban], allow: ['5329986498403297'] }, then: { deny: '{{ pii.masked }}, line {{ pii.line }}' } }]\n";
    machine.write("project/.ruleward/policy.yaml", policy);
    assert!(is_refused(&machine, "a.txt", &text));
    assert!(is_refused(&machine, "a.txt", "DE91370400443296534595"));
    assert!(!is_refused(&machine, "a.txt", "5329986498403297"));
    assert!(!is_refused(&machine, "a.txt", "jane@acme.org"));
}

/// Returns all files below a directory.
fn files(directory: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn no_value_comes_out_anywhere() {
    let machine = repository();
    machine.write(
        ".config/ruleward/policy.yaml",
        "version: 1\nrules:\n  - { id: a, when: any, secrets: { detectors: [all] }, then: { audit: '{{ secret.masked }} {{ secret.origin }} {{ tool.input }} {{ prompt.text }}' } }\n  - { id: b, when: any, mode: monitor, pii: all, then: { audit: '{{ pii.masked }} {{ pii.name }}' } }\n",
    );
    git(&machine.project(), &["add", "-A"]);
    let before = files(&machine.home());
    let everything = format!("{GITHUB}\n{AWS}\n{STRIPE}\n{}\npassword = '{PASSWORD}'\n", url());
    let mut ran = Vec::new();
    for format in ["human", "json", "sarif"] {
        for args in [&["."][..], &["--staged"], &[".", "--no-ignore", "--detectors", "all", "--pii", "all"]] {
            ran.push(run(&machine, &[&["scan", "--format", format], args].concat()));
        }
    }
    ran.push(run(&machine, &["scan", ".", "--pii", "all", "--detectors", "all", "--write-baseline", "base.json"]));
    ran.push(machine.run(&["scan", "-"], everything.as_bytes()));
    let command = format!("echo '{everything}' > x");
    for host in ["claude", "gemini"] {
        ran.push(machine.run(&["hook", host], &machine.shell_payload(host, &command)));
        ran.push(machine.run(&["check", "-"], &machine.shell_payload(host, &command)));
    }
    ran.push(machine.run(&["check", "--write", "x", "--content", &everything], b""));
    ran.push(machine.run(&["check", "--write", "x", "--content", &format!("card {CARD}")], b""));
    let write = json!({ "tool_name": "Write", "tool_input": { "file_path": "x", "content": format!("card {CARD}") } });
    ran.push(machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &write)));
    let bash = json!({ "tool_name": "Bash", "tool_input": { "command": "cat x" }, "tool_response": { "stdout": everything, "stderr": everything } });
    for (event, fields) in [
        ("UserPromptSubmit", json!({ "prompt": everything })),
        ("PostToolUse", bash),
        ("Stop", json!({ "last_assistant_message": everything, "stop_hook_active": false })),
        ("PreToolUse", json!({ "tool_name": "mcp__a__b", "tool_input": { "deep": [{ "text": everything }] } })),
        ("PreToolUse", json!({ "tool_name": "Bash", "tool_input": { "command": [everything] } })),
        ("Unknown", json!({ "text": everything })),
    ] {
        ran.push(machine.run(&["hook", "claude"], &machine.payload(event, &fields)));
    }
    // What is no JSON is complained about, and not repeated.
    ran.push(machine.run(&["hook", "claude"], everything.as_bytes()));
    ran.push(machine.run(&["hook", "claude"], format!("{{\"tool_name\": \"{GITHUB}\", {everything}").as_bytes()));
    for command in [&["log"][..], &["stats"], &["audit", "verify"], &["doctor"]] {
        ran.push(run(&machine, command));
    }
    let mut texts: Vec<String> = ran.into_iter().flat_map(|ran| [ran.stdout, ran.stderr]).collect();
    assert!(texts.iter().any(|text| text.contains("fingerprint")));
    let written: Vec<_> = files(&machine.home()).into_iter().filter(|path| !before.contains(path)).collect();
    assert!(written.iter().any(|path| path.ends_with("base.json")), "{written:?}");
    assert!(written.iter().any(|path| path.ends_with("audit.jsonl")), "{written:?}");
    texts.extend(written.iter().map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()));
    texts.extend(written.iter().map(|path| path.display().to_string()));
    for text in texts {
        for value in [GITHUB, AWS, STRIPE, PASSWORD, CARD] {
            assert!(!text.contains(value), "{value} in {text}");
        }
    }
}

const CUSTOM_DETECTORS: &str = "version: 1\ndetectors: [{ id: acme-token, name: Acme token, token: 'acme_[0-9a-f]{24}', tier: strong, severity: high, advice: variable }]\nrules: [{ id: x, when: tool.before, secrets: { in: content, detectors: ['acme-*'] }, then: { deny: '{{ secret.id }} {{ tool.input }}' } }]\n";

#[test]
fn detectors_of_ones_own_hold_everywhere() {
    let (machine, token) = (Machine::new(), concat!("acm", "e_0c9a2f71d3b84e56a07f19d2"));
    machine.write("project/a.txt", &format!("x = {token}\n"));
    machine.write(".config/ruleward/policy.yaml", CUSTOM_DETECTORS);
    let all = |args: &[&str]| {
        let ran = run(&machine, &[&["scan", ".", "--format", "json"], args].concat());
        let found = findings(&ran).into_iter().filter(|(path, ..)| path == "a.txt").map(|(.., detector)| detector);
        (found.collect::<Vec<_>>(), ran.stdout)
    };
    for args in [&[][..], &["--detectors", "acme-*"], &["--min-tier", "strong"]] {
        let (found, said) = all(args);
        assert_eq!(found, ["acme-token"], "{args:?}");
        assert!(!said.contains(token), "{said}");
    }
    assert!(all(&["--min-tier", "proved"]).0.is_empty());
    assert_eq!(run(&machine, &["scan", ".", "--detectors", "acme-nothing"]).code, Some(2));
    let text = format!("y = {token}");
    assert!(is_refused(&machine, "b.txt", &text));
    let write = json!({ "tool_name": "Write", "tool_input": { "file_path": "b.txt", "content": text } });
    let shown = [
        machine.run(&["hook", "claude"], &machine.payload("PreToolUse", &write)).stdout,
        machine.run(&["check", "--write", "b.txt", "--content", &text], b"").stdout,
        machine.run(&["check", "--json", "--write", "b.txt", "--content", &text], b"").stdout,
        machine.read(".state/ruleward/audit.jsonl").unwrap(),
    ];
    for text in shown {
        assert!(text.contains("[acme-token:") && !text.contains(token), "{text}");
    }
}

#[test]
fn a_tier_is_that_of_the_finding() {
    let machine = Machine::new();
    let proved = concat!("nb", "p_4lonxJIBOKvl7ec07KimZvHkRe1cLJ39Q5Ug");
    machine.write("project/a.txt", &format!("{proved}\n"));
    // The last sign of the checksum is another.
    machine.write("project/b.txt", &format!("{}h\n", &proved[..proved.len() - 1]));
    for (args, expected) in [
        (&["--min-tier", "proved"][..], &["a.txt"][..]),
        (&["--min-tier", "paired"], &["a.txt"]),
        // By default a person is asked about what only looks like one.
        (&[], &["a.txt", "b.txt"]),
        (&["--detectors", "netbird-*"], &["a.txt", "b.txt"]),
    ] {
        let ran = run(&machine, &[&["scan", ".", "--format", "json"], args].concat());
        let paths: Vec<String> = findings(&ran).into_iter().map(|(path, ..)| path).collect();
        assert_eq!(paths, expected, "{args:?}");
    }
}
